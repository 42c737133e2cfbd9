/*
 * Something that is drawn and can be told about: what is selected, or what a
 * card is of.  A copy of what was known when it was chosen; the model is asked
 * for the rest, and for how it went on.
 *
 * UI thread only.
 */
#ifndef VIEWER_THING_H
#define VIEWER_THING_H

#include "ui/desk/ui.h"

/* What is selected; THING_RUN: nothing. */
void thing_selected(const struct ui *, struct thing *);
bool thing_same(const struct thing *, const struct thing *);
/*
 * What was not over when it was chosen may be now.  False: it is not known any
 * more, or not in the tree that is shown; the copy stays as it is.
 */
bool thing_refresh(const struct ui *, struct thing *);

/*
 * As the word for it in scripts and in the layout file: "task 0x1f", "row 3",
 * "span 3 120ns", "link 3 120ns 0x7", "mark 3 120ns"; times count from the
 * start of the run.  Into buf, which is returned.
 */
char *thing_spell(const struct ui *, const struct thing *, char *buf, size_t);
#define THING_SPELLING                                                         \
	"task N, row N, span ROW TIME, link ROW TIME, mark ROW TIME"
/* Back again; a task also by its number.  -1: there is no such thing (yet). */
int thing_parse(const struct ui *, const char *, struct thing *);

/* It is selected, in all views; and is moved to where it can be seen. */
void thing_select(struct ui *, const struct thing *);
void thing_show(struct ui *, const struct thing *);
/* When it was, so far; false: it is not of a time, or has not begun. */
bool thing_times(const struct ui *, const struct thing *, int64_t *t0,
    int64_t *t1);

/*
 * Where it is in sight, in px of the window: in the lanes, in the tree.
 * Returns how many, 0 to THING_PLACES.
 */
#define THING_PLACES 2
struct thing_place {
	int32_t x, y;
};
int thing_places(const struct ui *, const struct thing *,
    struct thing_place[THING_PLACES]);
uint32_t thing_rgb(const struct ui *, const struct thing *);

#endif
