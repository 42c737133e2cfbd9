/*
 * What is asked of all threads (model/asked) in a range of time, some parts a
 * frame: what was answered last stays in sight until the next answer is whole,
 * and while a run grows for some frames.  UI thread only.
 */
#ifndef VIEWER_ASKED_H
#define VIEWER_ASKED_H

#include "ui/desk/desk.h"

struct asked_how {
	void *(*make)(void); /* NULL: ENOMEM */
	void (*free)(void *);
	void (*begin)(void *, const struct asked_of *);
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
/* Some parts; true: there is a new answer. */
bool asked_step(struct ui *, struct asked *, const struct asked_how *,
    const struct asked_of *want);
/* NULL: nothing is known of this run yet. */
void *asked_shown(const struct ui *, const struct asked *);
void asked_forget(struct asked *); /* the run is another one */
void asked_clear(struct asked *, const struct asked_how *);

#endif
