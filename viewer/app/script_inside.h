/* Inside of the scripts: what their files share. */
#ifndef VIEWER_SCRIPT_INSIDE_H
#define VIEWER_SCRIPT_INSIDE_H

#include "app/app.h"

#define SCRIPT_WORDS 8 /* of a line, at most */

struct script {
	int fd;
	char name[256];
	char buf[8192];
	size_t n;
	bool end; /* nothing more can be read */
	unsigned line;
	bool too_long; /* the line is cut */
	bool tries;    /* an error of the line is no matter */
	bool asks;     /* it waits for causes */
	bool writes;   /* and for a list that is written */
	/* what is waited for; NULL: nothing */
	bool (*wait)(const struct script *, const struct app *);
	uint64_t wait_for;
	int64_t wait_until_ns;
	bool wait_for_ever; /* its end is what is waited for */
	int64_t limit_ns;
	uint64_t limit_frames; /* that figures may take to be right */
	bool paced;            /* frames come as a user sees them */
	uint64_t run_at_frame; /* the last line was run after it */
	int64_t click_ms;      /* made-up time of mouse events */
};

/*
 * words[0] is the verb; 0, or -1, with a sentence in ui->told.message if there
 * is more to say than which arguments are wanted.
 */
typedef int script_verb_fn(struct script *, struct app *, char **words, int n);
struct script_verb {
	const char *name;
	script_verb_fn *run;
	const char *arguments; /* "" takes none */
};
/* NULL: there is no such verb, it may be a command. */
const struct script_verb *script_verb(const char *name);

#endif
