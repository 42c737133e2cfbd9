/* What thing.c, thing_words.c and thing_place.c ask of each other. */
#ifndef VIEWER_THING_INSIDE_H
#define VIEWER_THING_INSIDE_H

#include "thing.h"

#define LINKS_LOOK 2400 /* so many that begin at once are looked through */

/* The lane whose spans a row shows: of a folded one its only thread. */
uint32_t thing_shown_lane(const struct ui *, uint32_t lane);
/* When it began. */
int64_t thing_time(const struct thing *);
/*
 * One of that lane then; like NULL: the innermost span, any link or mark.
 * False: there is none.
 */
bool thing_find_span(const struct model *, uint32_t lane, int64_t t,
    const struct span *like, struct span *out);
bool thing_find_link(const struct model *, uint32_t lane, int64_t t,
    const struct link *like, struct link *out);
bool thing_find_mark(const struct model *, uint32_t lane, int64_t t,
    struct mark *out);
bool thing_same_link(const struct link *, const struct link *);

#endif
