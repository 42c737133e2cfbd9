/*
 * The view Source: the file of what is selected, or of what was asked for, and
 * what the log tells of its lines.
 *
 * UI thread only.
 */
#ifndef VIEWER_SOURCE_H
#define VIEWER_SOURCE_H

#include "ui/desk/desk.h"
#include "ui/views/source/sourcecalls.h"
#include "ui/views/source/sourcesums.h"
#include "ui/views/source/sourcetext.h"

#define SOURCE_NAME_BYTES 1024

struct source {
	char file[SOURCE_NAME_BYTES]; /* as the log has it; "": nothing yet */
	char program[128];            /* whose file it is; "": not known */
	uint32_t line;                /* that was asked for, from 1; 0: none */
	uint32_t name;                /* of what it is; 0: of a place */
	uint32_t declared; /* line where that is declared; 0: not known */
	uint32_t followed; /* name of what was selected then */
	uint32_t nowhere;  /* name of which no place is known; 0 */
	struct source_text text;
	const char *why; /* there is no text; NULL: there is, or none yet */
	char at[SOURCE_PATH_BYTES]; /* what cannot be taken */
	struct source_sums sums;
	struct source_sites sites; /* from where it is called */
	uint32_t of_sites;         /* name of the function that these are of */
	size_t site;               /* that was gone to last, from 1; 0: none */
	struct source_of {
		const struct model *model;
		int64_t t0, t1;
		uint64_t events, version;
		uint32_t names;
		bool busy;
	} of;
	uint64_t due;
	struct source_called { /* names that ran, by text; owned */
		const char *text;
		uint32_t name;
	} * called;
	size_t ncalled;
	bool centre;  /* the line is to come into sight */
	int32_t rows; /* lines in sight, when it was drawn last */
};

struct source *source_get(struct ui *); /* NULL: no memory */
void source_free(struct ui *);          /* or the run is another one */

/* Of what is selected, as the name of a function or the like; 0: none. */
uint32_t source_selected(const struct ui *);
/*
 * NAME, FILE:LINE, :LINE of the file that is shown, "": of what is selected.
 * -1: it is said what is wrong.
 */
int source_ask(struct ui *, const char *);
/* Where the place that is shown is on the disk; -1: it is said why not. */
int source_where(struct ui *, const char **path, uint32_t *line);
/*
 * To the place, from 1 on, from where what is shown is called; 0: the next one.
 * They stay those of the function that was shown first.  -1: it is said why
 * not.
 */
int source_go_to_caller(struct ui *, size_t number);
int source_go_to_declaration(struct ui *); /* of that function */
/* "round_of_work:47", into buf, which is returned. */
char *source_site_words(const struct ui *, const struct source_site *,
    char *buf, size_t n);
/* Reads the file again: it may be there now. */
void source_again(struct ui *);
/* What is selected is followed; sums are those of now. */
bool source_ready(struct ui *);
/*
 * What is to be said beside the file: it is not the one that ran.  "": nothing.
 */
const char *source_doubt(const struct ui *, const struct source *, char *buf,
    size_t n);
/* First line in sight of so many, in place for what was asked for. */
uint32_t source_first(struct ui *, struct source *, int32_t rows);
/* A name that has run, 0: none is called so; of several one that is declared
 * in this file.  The text is not ended by 0. */
uint32_t source_called(const struct source *, const char *text, size_t n);
/* "144 calls, 646 ms, of that 125 ms in waits": into buf, which is returned. */
char *source_line_words(const struct ui *, const struct source_sums *,
    uint32_t line, char *buf, size_t n);

#endif
