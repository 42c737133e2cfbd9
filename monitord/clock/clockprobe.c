/*
 * Bursts of pings.
 *
 * When the connection is made, 16 pings 2 ms apart; then bursts of 24 back to
 * back, ten a second for 5 s, then of 8 each second.  Bursts because the first
 * ping wakes both ends up and is wrong by their waking times; the others are
 * not.  A burst that has met traffic goes on for a while.  Each is
 * reduced to its two tightest bounds.
 *
 * Many nodes are asked less often, since answering them all is then what
 * monitord's time goes to: some 16,000 pings a second, which is half of it,
 * also in the first five, when all of them come at once.  So are those that
 * rest (rest.c), since nothing has to be mapped then: while many are started
 * on one machine, pings would else take the time that the others need to come.
 */
#include "clockprobe.h"

#include <stdlib.h>
#include <string.h>

#define MS  ((int64_t)1000000)
#define SEC ((int64_t)1000000000)

#define FIRST_PINGS     16
#define FIRST_EVERY_NS  (2 * MS)
#define FAST_EVERY_NS   (100 * MS)
#define FAST_FOR_NS     (5 * SEC)
#define FAST_PINGS      24
#define FAST_NODES      64 /* more: less often in proportion */
#define STEADY_PINGS    8
#define STEADY_EVERY_NS SEC
#define CROWD           1024 /* more nodes: SELDOM_TIMES less often */
#define SELDOM_TIMES    4
#define FAST_MOST       32 /* of a burst that has met traffic */
#define STEADY_MOST     14 /* 2 KB/s at most, with all headers */
#define SOON_NS         (5 * MS)
#define NONSENSE_NS     (100 * MS) /* ask again then */
#define TIME_LIMIT      (INT64_MAX / 4)

void
clockprobe_init(struct clockprobe *p, uint64_t seed)
{
	memset(p, 0, sizeof(*p));
	p->seed = seed;
	p->due_ns = p->enough_ns = INT64_MAX;
	p->best_ns = -1;
}

int64_t
clockprobe_period(const struct clockprobe *p)
{
	int64_t share = p->resting ? FAST_NODES / SELDOM_TIMES : FAST_NODES;
	int64_t times = (p->nodes + share - 1) / share;
	bool seldom = p->resting || p->nodes > CROWD;
	int64_t steady = STEADY_EVERY_NS * (seldom ? SELDOM_TIMES : 1);
	int64_t fast = FAST_EVERY_NS * (times > 1 ? times : 1);

	return (p->phase == PROBE_STEADY || fast > steady ? steady : fast);
}

/* Each node at another time. */
static int64_t
clockprobe_turn(const struct clockprobe *p, int64_t now)
{
	int64_t every = clockprobe_period(p);
	int64_t due = now - now % every + (int64_t)(p->seed % (uint64_t)every);

	return (due <= now ? due + every : due);
}

void
clockprobe_rest(struct clockprobe *p, bool resting, int64_t now)
{
	int64_t due_ns;

	p->resting = resting;
	due_ns = clockprobe_turn(p, now);
	if (p->phase == PROBE_STEADY && p->due_ns > due_ns && !resting)
		p->due_ns = due_ns;
}

void
clockprobe_next(struct clockprobe *p, int64_t now)
{
	p->burst_n = 0;
	p->phase = PROBE_STEADY;
	if (now - p->connected_ns < FAST_FOR_NS)
		p->phase = PROBE_FAST;
	p->burst_want = p->phase == PROBE_FAST ? FAST_PINGS : STEADY_PINGS;
	p->burst_most = p->phase == PROBE_FAST ? FAST_MOST
			: p->resting           ? STEADY_PINGS
					       : STEADY_MOST;
	if (p->soon)
		p->due_ns = now + SOON_NS;
	else if (p->phase == PROBE_FAST)
		p->due_ns = now + clockprobe_period(p);
	else
		p->due_ns = clockprobe_turn(p, now);
	p->soon = false;
}

void
clockprobe_connected(struct clockprobe *p, int64_t now)
{
	p->phase = PROBE_FIRST;
	p->waiting = p->soon = false;
	p->connected_ns = p->due_ns = now;
	p->burst_n = 0;
	p->burst_want = p->burst_most = FIRST_PINGS;
}

void
clockprobe_disconnected(struct clockprobe *p)
{
	p->phase = PROBE_OFF;
	p->waiting = false;
	p->due_ns = INT64_MAX;
}

int64_t
clockprobe_due(const struct clockprobe *p)
{
	return (p->waiting ? INT64_MAX : p->due_ns);
}

uint32_t
clockprobe_ping(struct clockprobe *p, int64_t now)
{
	p->waiting = true;
	p->sent_ns = now;
	p->pings++;
	return (++p->seq);
}

int
clockprobe_pong(struct clockprobe *p, uint32_t seq, int64_t t1, int64_t t2,
    int64_t t3, int64_t t4)
{
	int64_t wide_ns;

	if (!p->waiting || seq != p->seq)
		return (-1);
	p->waiting = false;
	p->due_ns = p->phase == PROBE_FIRST ? p->sent_ns + FIRST_EVERY_NS : t4;
	if (t1 < p->sent_ns || t4 < t1 || t2 < -TIME_LIMIT || t3 < t2 ||
	    t3 > TIME_LIMIT || t3 - t2 > t4 - t1) {
		p->due_ns = t4 + NONSENSE_NS;
		return (-1);
	}
	p->pongs++;
	clock_burst_add(&p->single, t1, t2, t3, t4, 1);
	clock_burst_add(&p->burst, t1, t2, t3, t4, p->burst_n == 0);
	p->burst_n++;
	wide_ns = p->burst.high_ns - p->burst.low_ns;
	if (p->burst_n < p->burst_want)
		return (p->phase == PROBE_STEADY &&
			p->burst_n >= p->burst_want / 2 &&
			wide_ns <= p->best_ns);
	return (p->burst_n >= p->burst_most || wide_ns <= p->enough_ns);
}

/* The clock has jumped between the pings of this burst. */
static bool
clockprobe_torn(const struct clock_burst *b)
{
	double apart = (double)llabs(b->high_node_ns - b->low_node_ns);

	return ((double)(b->high_ns - b->low_ns) < -apart * CLOCKFIT_SKEW);
}

const struct clock_burst *
clockprobe_burst(const struct clockprobe *p)
{
	return (clockprobe_torn(&p->burst) ? &p->single : &p->burst);
}
