/* How long a thread has been busy, or not, without a break. */
#ifndef VIEWER_STREAK_H
#define VIEWER_STREAK_H

#include "ui/desk/desk.h"

#define STREAK_PX 116 /* as wide it is drawn */

struct streak {
	int64_t ns; /* until the instant; 0: it has done nothing before it, or,
		     * if `about`, what it did is not known */
	bool busy;  /* running or in the runtime; else waiting or idle */
	bool about; /* single states were given up: it may be shorter */
};

/* Until t_mon_ns, or the last event.  O(log run * log events). */
struct streak streak_until(const struct ui *, uint32_t lane, int64_t t_mon_ns);
/* A bar from the middle, on a logarithmic scale, and how long. */
void streak_draw(struct ui *, struct canvas *, const struct streak *, int32_t x,
    int32_t y, int32_t h);
void streak_describe(const struct ui *, int64_t t_mon_ns, FILE *);

#endif
