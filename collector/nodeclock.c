/*
 * Cycles to node time.
 *
 * The rate comes from a baseline of one to two seconds, so that the jitter of
 * single pairs (20-50 ns) does not show in it.  As long as the line hits the
 * pairs within that jitter it is left alone.  When it does not, a new piece
 * starts where the old one is now (so the function is continuous) with a rate
 * that takes the difference back within SLEW_NS.  A gap of more than STEP_NS
 * is jumped if it leads forward, and worked off at half speed if not.
 */
#include "nodeclock.h"

__extension__ typedef __int128 wide;

#define BASELINE_MAX_NS INT64_C(1000000000)
#define SLEW_NS         INT64_C(100000000)
#define STEP_NS         INT64_C(1000000)
#define WIDTH_CYCLES    2000u /* always good enough */
#define REFUSALS_MAX    16u

static int64_t
piece_ns(const struct nodeclock_piece *p, uint64_t t_cycles)
{
	int64_t d = (int64_t)(t_cycles - p->base_cycles);

	return (p->base_node_ns + (int64_t)(((wide)d * p->rate_q40) >> 40));
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

/* The line misses the pair by miss_ns: bend it, or leave it. */
static void
correct(struct nodeclock *nc, const struct clock_pair *pair, int64_t at_ns,
    int64_t miss_ns)
{
	int64_t rate_q40 = nc->rate_q40;
	int64_t near_ns =
	    nc->slewing ? NODECLOCK_NEAR_NS / 4 : NODECLOCK_NEAR_NS;
	int64_t bend_q40;

	if (miss_ns >= -near_ns && miss_ns <= near_ns) {
		if (nc->slewing)
			piece_add(nc, pair->t_cycles, at_ns, rate_q40);
		nc->slewing = false;
		return;
	}
	nc->slewing = true;
	if (miss_ns > STEP_NS) {
		piece_add(nc, pair->t_cycles, pair->t_node_ns, rate_q40);
		return;
	}
	bend_q40 = (int64_t)((wide)rate_q40 * miss_ns / SLEW_NS);
	if (miss_ns < -STEP_NS || bend_q40 < -rate_q40 / 2)
		bend_q40 = -rate_q40 / 2;
	piece_add(nc, pair->t_cycles, at_ns, rate_q40 + bend_q40);
}

void
nodeclock_update(struct nodeclock *nc, const struct clock_pair *pair)
{
	int64_t rate_q40, at_ns, miss_ns;

	if (!pair_is_good(nc, pair))
		return;
	if (nc->pairs++ == 0) {
		nc->older = nc->newer = *pair;
		return;
	}
	if (!nodeclock_ready(nc)) {
		if (pair->t_node_ns - nc->older.t_node_ns <
		    NODECLOCK_BASELINE_NS)
			return;
		rate_q40 = baseline_rate_q40(&nc->older, pair);
		nc->rate_q40 = rate_q40;
		if (rate_q40 > 0)
			piece_add(nc, nc->older.t_cycles, nc->older.t_node_ns,
			    rate_q40);
		return;
	}
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
