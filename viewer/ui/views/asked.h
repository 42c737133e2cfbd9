/*
 * What is asked of a range of time and takes longer than a frame, some parts in
 * each: what was answered last stays in sight until the next answer is whole,
 * and while a run grows for some frames.  UI thread only.
 */
#ifndef VIEWER_ASKED_H
#define VIEWER_ASKED_H

#include "ui/desk/desk.h"

struct asked_how {
	void *(*make)(void);  /* NULL: ENOMEM */
	void (*free)(void *); /* NULL is fine */
	void (*begin)(void *, const struct ui *, const struct asked_of *);
	bool (*step)(void *); /* true: all is done */
	int parts;            /* steps a frame: 2 to 4 ms */
	int pause;            /* frames, while a run grows */
};

/*
 * The panels' range as it is now; what happens at the last instant belongs to
 * it if `last` says so.
 */
void asked_range(const struct ui *, struct asked_of *, bool last);
/* The rest of it, when t0 and t1 are known. */
void asked_fill(const struct ui *, struct asked_of *, bool last);
/* Some parts, fewer if drawing is stopped; true: there is a new answer. */
bool asked_step(struct ui *, enum asked_what, const struct asked_how *,
    const struct asked_of *want);
/*
 * When nothing is to be drawn: some parts of what the last frame went on with.
 * False: there is none.
 */
bool asked_go_on(struct ui *);
/* NULL: nothing is known of this run yet. */
void *asked_shown(const struct ui *, enum asked_what);
/* What is shown is what is wanted. */
bool asked_current(const struct ui *, enum asked_what,
    const struct asked_of *want);
void asked_forget(struct ui *); /* all of it: the run is another one */
void asked_free(struct ui *);   /* all of it */

#endif
