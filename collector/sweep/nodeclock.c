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
 *
 * A process may be killed anywhere in here and another go on with its memory:
 * a piece counts when it is whole; what the next pair is held against is
 * written beside what holds, which then takes its place.  Pieces that were
 * added without their fit change only what nobody has been told of.
 */
#include "nodeclock.h"

#include <string.h>

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
	uint32_t n = atomic_load_explicit(&nc->npieces, memory_order_relaxed);
	uint32_t i = n - 1;
	uint32_t oldest = n > NODECLOCK_PIECES ? n - NODECLOCK_PIECES : 0;
	const struct nodeclock_piece *p = &nc->pieces[i % NODECLOCK_PIECES];

	while ((int64_t)(t_cycles - p->base_cycles) < 0 && i > oldest)
		p = &nc->pieces[--i % NODECLOCK_PIECES];
	return (piece_ns(p, t_cycles));
}

bool
nodeclock_ready(const struct nodeclock *nc)
{
	return (atomic_load_explicit(&nc->npieces, memory_order_relaxed) > 0);
}

static void
piece_add(struct nodeclock *nc, uint64_t base_cycles, int64_t base_node_ns,
    int64_t rate_q40)
{
	uint32_t n = atomic_load_explicit(&nc->npieces, memory_order_relaxed);

	nc->pieces[n % NODECLOCK_PIECES] =
	    (struct nodeclock_piece){ base_cycles, base_node_ns, rate_q40 };
	atomic_store_explicit(&nc->npieces, n + 1, memory_order_release);
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

/* The very first is held against nothing: it has to be narrow by itself. */
static bool
pair_is_good(struct nodeclock_fit *f, const struct clock_pair *pair)
{
	bool torn = pair->width_cycles > WIDTH_CYCLES &&
		    pair->width_cycles / 4 > f->best_cycles;

	if (f->best_cycles == 0 || pair->width_cycles < f->best_cycles)
		f->best_cycles = pair->width_cycles;
	if (torn && f->refused < REFUSALS_MAX) {
		f->refused++;
		return (false);
	}
	f->refused = 0;
	return (true);
}

/* How far the line may miss a pair: a wide one says no more than its width. */
static bool
is_near(const struct nodeclock_fit *f, const struct clock_pair *pair,
    int64_t miss_ns)
{
	wide excess = (wide)(pair->width_cycles - f->best_cycles);
	int64_t more_ns = (int64_t)((excess * f->rate_q40) >> 40);

	return (miss_ns >= -NODECLOCK_NEAR_NS &&
		miss_ns <= NODECLOCK_NEAR_NS + more_ns);
}

/* The line misses the pair by miss_ns; it is asked for at_ns there so far. */
static void
correct(struct nodeclock *nc, const struct nodeclock_fit *f,
    const struct clock_pair *pair, int64_t at_ns, int64_t miss_ns)
{
	uint64_t from = f->asked_cycles;
	int64_t from_ns = nodeclock_ns(nc, from);
	struct clock_pair last = { .t_cycles = from, .t_node_ns = from_ns };
	int64_t rate_q40 = baseline_rate_q40(&last, pair);

	if (is_near(f, pair, miss_ns))
		return;
	if (rate_q40 > f->rate_q40 / 2 && rate_q40 / 2 < f->rate_q40) {
		piece_add(nc, from, from_ns, rate_q40);
		piece_add(nc, pair->t_cycles, pair->t_node_ns, f->rate_q40);
	} else if (miss_ns > 0) {
		piece_add(nc, pair->t_cycles, pair->t_node_ns, f->rate_q40);
	} else {
		piece_add(nc, pair->t_cycles, at_ns, f->rate_q40 / 2);
	}
}

/* The first line, once two pairs are far enough apart. */
static void
begin(struct nodeclock *nc, struct nodeclock_fit *f,
    const struct clock_pair *pair)
{
	if (pair->t_node_ns - f->older.t_node_ns < NODECLOCK_BASELINE_NS)
		return;
	f->rate_q40 = baseline_rate_q40(&f->older, pair);
	if (f->rate_q40 > 0)
		piece_add(nc, f->older.t_cycles, f->older.t_node_ns,
		    f->rate_q40);
}

static void
follow(struct nodeclock *nc, struct nodeclock_fit *f,
    const struct clock_pair *pair)
{
	int64_t rate_q40, at_ns, miss_ns;

	if (pair->t_node_ns - f->older.t_node_ns >= NODECLOCK_BASELINE_NS) {
		rate_q40 = baseline_rate_q40(&f->older, pair);
		if (rate_q40 > 0)
			f->rate_q40 = rate_q40;
	}
	at_ns = nodeclock_ns(nc, pair->t_cycles);
	miss_ns = pair->t_node_ns - at_ns;
	/* a step lies in no baseline */
	if (miss_ns > STEP_NS || miss_ns < -STEP_NS)
		f->older = f->newer = *pair;
	correct(nc, f, pair, at_ns, miss_ns);
	if (pair->t_node_ns - f->newer.t_node_ns >= BASELINE_MAX_NS) {
		f->older = f->newer;
		f->newer = *pair;
	}
}

void
nodeclock_update(struct nodeclock *nc, const struct clock_pair *pair)
{
	uint32_t turn = atomic_load_explicit(&nc->turn, memory_order_relaxed);
	struct nodeclock_fit f = nc->fits[turn % 2];

	if (pair_is_good(&f, pair)) {
		if (f.pairs++ == 0)
			f.older = f.newer = *pair;
		else if (!nodeclock_ready(nc))
			begin(nc, &f, pair);
		else
			follow(nc, &f, pair);
	}
	f.asked_cycles = pair->t_cycles;
	nc->fits[(turn + 1) % 2] = f;
	atomic_store_explicit(&nc->turn, turn + 1, memory_order_release);
}

static bool
pieces_make_sense(const struct nodeclock *nc)
{
	for (uint32_t i = 0; i < NODECLOCK_PIECES && i < nc->npieces; i++) {
		if (nc->pieces[i].rate_q40 <= 0)
			return (false);
	}
	return (nc->npieces > 0);
}

void
nodeclock_resume(struct nodeclock *nc, const struct clock_pair *now)
{
	const struct nodeclock_fit *f = &nc->fits[nc->turn % 2];
	struct clock_pair last = { .t_cycles = f->asked_cycles };
	int64_t rate_q40 = 0;

	if (pieces_make_sense(nc) && f->rate_q40 > 0) {
		last.t_node_ns = nodeclock_ns(nc, last.t_cycles);
		rate_q40 = baseline_rate_q40(&last, now);
	}
	if (rate_q40 <= f->rate_q40 / 2 || rate_q40 / 2 >= f->rate_q40)
		memset(nc, 0, sizeof(*nc));
}
