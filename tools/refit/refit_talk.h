/*
 * Messages for a refit: they bound the clocks of nodes that talk, looked at
 * from the middle of what is known rather than from its end.  Pure.
 */
#ifndef TOOLS_REFIT_TALK_H
#define TOOLS_REFIT_TALK_H

#include "refit_clock.h"

struct refit_talk;
/*
 * The clocks, by number of their nodes, have been fitted; they get the knots
 * that messages give (refit_clock_tighten) and must stay where they are.
 * NULL: ENOMEM.
 */
struct refit_talk *refit_talk_new(struct refit_clock *, size_t n);
void refit_talk_free(struct refit_talk *); /* NULL is fine */
/*
 * A message, mapped by the new maps, about in order of time.  Returns -1 with
 * ENOMEM.
 */
int refit_talk_message(struct refit_talk *, uint32_t from, uint32_t to,
    int64_t sent_mon_ns, int64_t taken_mon_ns);
/* No more will come.  Then make the maps anew. */
int refit_talk_end(struct refit_talk *);

#endif
