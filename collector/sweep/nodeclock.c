/*
 * Cycles to node time.
 *
 * The rate comes from a baseline of one to two seconds, so that the jitter of
 * single pairs (20-50 ns) does not show in it.  As long as the line hits the
 * pairs within that jitter it is left alone.  When it does not, the way since
 * the last pair is drawn anew, straight to this one: nobody has been told of a
 * time in between, so none is ever guessed from a rate, however long the
 * reader was kept from its work.  What no clock does (half or twice its rate)
 * is jumped if it leads forward, and worked off at half speed if not.
 */
#include "nodeclock.h"

__extension__ typedef __int128 wide;

#define BASELINE_MAX_NS INT64_C(1000000000)
#define STEP_NS         INT64_C(1000000)
#define TIME_LIMIT      (INT64_MAX / 4) /* nonsense stays far from overflow */
#define WIDTH_CYCLES    2000u           /* always good enough */
#define REFUSALS_MAX    16u

static int64_t
piece_ns(const struct nodeclock_piece *p, uint64_t t_cycles)
{
	int64_t d = (int64_t)(t_cycles - p->base_cycles);
	wide ns = p->base_node_ns + (((wide)d * p->rate_q40) >> 40);

	if (ns > TIME_LIMIT || ns < -TIME_LIMIT)
		return (ns > 0 ? TIME_LIMIT : -TIME_LIMIT);
	return ((int64_t)ns);
}

int64_t
nodeclock_ns(const struct nodeclock *nc, uint64_t t_cycles)
{
	uint32_t i = nc->npieces - 1;
	uint32_t oldest =
	    nc->npieces > NODECLOCK_PIECES ? nc->npieces - NODECLOCK_PIECES : 0;
	const struct nodeclock_piece *p = &nc->pieces[i % NODECLOCK_PIECES];

	while ((int64_t)(t_cycles - p->base_cycles) < 0 && i > oldest)
		p = &nc->pieces[--i % NODECLOCK_PIECES];
	return (piece_ns(p, t_cycles));
}

bool
nodeclock_ready(const struct nodeclock *nc)
{
	return (nc->npieces > 0);
}

static void
piece_add(struct nodeclock *nc, uint64_t base_cycles, int64_t base_node_ns,
    int64_t rate_q40)
{
	nc->pieces[nc->npieces++ % NODECLOCK_PIECES] =
	    (struct nodeclock_piece){ base_cycles, base_node_ns, rate_q40 };
}

/* ns per cycle between two pairs; 0 when they make no sense. */
static int64_t
baseline_rate_q40(const struct clock_pair *from, const struct clock_pair *to)
{
	int64_t cycles = (int64_t)(to->t_cycles - from->t_cycles);
	int64_t ns = to->t_node_ns - from->t_node_ns;

	if (cycles <= 0 || ns <= 0)
		return (0);
	return ((int64_t)(((wide)ns << 40) / cycles));
}

static bool
pair_is_good(struct nodeclock *nc, const struct clock_pair *pair)
{
	if (nc->best_cycles == 0 || pair->width_cycles < nc->best_cycles)
		nc->best_cycles = pair->width_cycles;
	if (pair->width_cycles > WIDTH_CYCLES &&
	    pair->width_cycles / 4 > nc->best_cycles &&
	    nc->refused < REFUSALS_MAX) {
		nc->refused++;
		return (false);
	}
	nc->refused = 0;
	return (true);
}

/* How far the line may miss a pair: a wide one says no more than its width. */
static bool
is_near(const struct nodeclock *nc, const struct clock_pair *pair,
    int64_t miss_ns)
{
	wide excess = (wide)(pair->width_cycles - nc->best_cycles);
	int64_t more_ns = (int64_t)((excess * nc->rate_q40) >> 40);

	return (miss_ns >= -NODECLOCK_NEAR_NS &&
		miss_ns <= NODECLOCK_NEAR_NS + more_ns);
}

/* The line misses the pair by miss_ns; it is asked for at_ns there so far. */
static void
correct(struct nodeclock *nc, const struct clock_pair *pair, int64_t at_ns,
    int64_t miss_ns)
{
	uint64_t from = nc->asked_cycles;
	int64_t from_ns = nodeclock_ns(nc, from);
	struct clock_pair last = { .t_cycles = from, .t_node_ns = from_ns };
	int64_t rate_q40 = baseline_rate_q40(&last, pair);

	if (is_near(nc, pair, miss_ns))
		return;
	if (rate_q40 > nc->rate_q40 / 2 && rate_q40 / 2 < nc->rate_q40) {
		piece_add(nc, from, from_ns, rate_q40);
		piece_add(nc, pair->t_cycles, pair->t_node_ns, nc->rate_q40);
	} else if (miss_ns > 0) {
		piece_add(nc, pair->t_cycles, pair->t_node_ns, nc->rate_q40);
	} else {
		piece_add(nc, pair->t_cycles, at_ns, nc->rate_q40 / 2);
	}
}

/* The first line, once two pairs are far enough apart. */
static void
begin(struct nodeclock *nc, const struct clock_pair *pair)
{
	if (pair->t_node_ns - nc->older.t_node_ns < NODECLOCK_BASELINE_NS)
		return;
	nc->rate_q40 = baseline_rate_q40(&nc->older, pair);
	if (nc->rate_q40 > 0)
		piece_add(nc, nc->older.t_cycles, nc->older.t_node_ns,
		    nc->rate_q40);
}

static void
follow(struct nodeclock *nc, const struct clock_pair *pair)
{
	int64_t rate_q40, at_ns, miss_ns;

	if (pair->t_node_ns - nc->older.t_node_ns >= NODECLOCK_BASELINE_NS) {
		rate_q40 = baseline_rate_q40(&nc->older, pair);
		if (rate_q40 > 0)
			nc->rate_q40 = rate_q40;
	}
	at_ns = nodeclock_ns(nc, pair->t_cycles);
	miss_ns = pair->t_node_ns - at_ns;
	/* a step lies in no baseline */
	if (miss_ns > STEP_NS || miss_ns < -STEP_NS)
		nc->older = nc->newer = *pair;
	correct(nc, pair, at_ns, miss_ns);
	if (pair->t_node_ns - nc->newer.t_node_ns >= BASELINE_MAX_NS) {
		nc->older = nc->newer;
		nc->newer = *pair;
	}
}

void
nodeclock_update(struct nodeclock *nc, const struct clock_pair *pair)
{
	if (pair_is_good(nc, pair)) {
		if (nc->pairs++ == 0)
			nc->older = nc->newer = *pair;
		else if (!nodeclock_ready(nc))
			begin(nc, pair);
		else
			follow(nc, pair);
	}
	nc->asked_cycles = pair->t_cycles;
}
