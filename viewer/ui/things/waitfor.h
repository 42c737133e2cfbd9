/*
 * For whom a thread waits.  For a lock that is its holder, for a remote call
 * who serves it; when the wait is over, who ended it: sent the message, let the
 * lock go, gave the signal, came last.
 *
 * UI thread only.
 */
#ifndef VIEWER_WAITFOR_H
#define VIEWER_WAITFOR_H

#include "ui/desk/desk.h"

enum wait_how {
	WAIT_NOBODY, /* nobody knows for whom */
	WAIT_HOLDER, /* who holds the lock */
	WAIT_CALLEE, /* who serves its call */
	WAIT_ENDED   /* who has ended the wait, later */
};
struct wait {
	uint32_t lane, of; /* threads; of UINT32_MAX: nobody is known */
	uint32_t lock;     /* its lane; UINT32_MAX */
	uint32_t name;     /* of what it waits for; 0 */
	uint32_t others;   /* of WAIT_HOLDER: so many more hold it */
	int64_t since_mon_ns;
	int64_t held_mon_ns;  /* of WAIT_HOLDER: since when */
	int64_t cause_mon_ns; /* of WAIT_ENDED: of what ended it */
	uint16_t cause;       /* of WAIT_ENDED: its kind of event */
	uint8_t class;
	uint8_t how;
	bool circle; /* it waits, in the end, for itself */
};

/* At an instant; false: it does not wait then. */
bool wait_at(const struct ui *, uint32_t thread, int64_t t_mon_ns,
    struct wait *);
/* Of a wait of that thread, whole: who ended it, or else who holds it up. */
void wait_whole(const struct ui *, uint32_t thread, const struct span *,
    struct wait *);
/* What ended it came when it had begun: without that it had been shorter. */
static inline bool
wait_binds(const struct wait *x)
{
	return (x->how == WAIT_ENDED && x->cause_mon_ns > x->since_mon_ns);
}

#endif
