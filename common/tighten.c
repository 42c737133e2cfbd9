/*
 * Pairs of nodes that talk: what is kept of their messages, and what follows
 * for how far their clocks are apart.
 *
 * Of the messages of a short window from one node to another only the fastest
 * says much, and only that one is kept: when it was sent and taken, by the
 * nodes' own clocks, so that it outlives every change of the lines it is looked
 * at through.  Seen through the present lines, each message from a to b says
 * that b's line must not be lower, one from b to a that it must not be higher;
 * the line between all these, aged as the pings are, is the same fit as for
 * pings.
 *
 * Cost and memory are bounded: a node starts at most 16 pairs (others may start
 * more with it, as with the centre of a star); when it has that many, the
 * vaguest makes room for another now and then.
 */
#include "tighten.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tighten_inside.h"

#define SEC           1e9
#define TOOK_MAX_NS   INT64_C(1000000000) /* slower ones say nothing */
#define AGE_MAX_S     60
#define MERGED        4
#define QUIET_MAX     200 /* windows */
#define CHANGE_EVERY  40  /* solves, until the vaguest pair has to go */
#define PERIOD_NS     INT64_C(250000000)
#define PERIOD_PAIRS  4096 /* up to so many; twice as many, twice as long */
#define PERIOD_MAX_NS INT64_C(1000000000)
#define PINGS_LONG_S  150.0
#define SLOPE_RANGE   2e-5 /* the pings know the slope better than that */
#define BETA_MAX      3e-6 /* 1/s; a clock that wanders faster has stepped */
#define BETA_STEP     8
#define BETA_ROOM     0.75 /* with less of the gap, believe old ones less */
#define SLOPE_SPAN_S  1.9  /* messages of a shorter time tell no slope */
#define ONE_WAY_S     5    /* bounds of one side only: of so long ago */
#define ONE_WAY_SKEW  1e-6
#define GAP_LEAST     50.0 /* ns: nothing is known better */

struct tighten *
tighten_new(void)
{
	return (calloc(1, sizeof(struct tighten)));
}

void
tighten_free(struct tighten *t)
{
	if (t == NULL)
		return;
	free(t->clocks);
	free(t->pairs);
	free(t->slots);
	free(t->edges);
	free(t);
}

/* --- the table of pairs --- */

static size_t
slot_of(const struct tighten *t, uint32_t a, uint32_t b)
{
	uint64_t h = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
	size_t at = (size_t)(h >> 40) & (t->nslots - 1);

	while (t->slots[at] != 0 && (t->pairs[t->slots[at] - 1].a != a ||
					t->pairs[t->slots[at] - 1].b != b))
		at = (at + 1) & (t->nslots - 1);
	return (at);
}

static void
slots_fill(struct tighten *t)
{
	memset(t->slots, 0, t->nslots * sizeof(*t->slots));
	for (size_t i = 0; i < t->npairs; i++)
		t->slots[slot_of(t, t->pairs[i].a, t->pairs[i].b)] =
		    (uint32_t)i + 1;
}

static int
pairs_grow(struct tighten *t)
{
	size_t cap = t->pairs_cap == 0 ? 64 : t->pairs_cap * 2;
	struct tighten_pair *pairs = realloc(t->pairs, cap * sizeof(*pairs));
	uint32_t *slots;

	if (pairs == NULL)
		return (-1);
	t->pairs = pairs;
	slots = realloc(t->slots, cap * 4 * sizeof(*slots));
	if (slots == NULL)
		return (-1);
	t->slots = slots;
	t->nslots = cap * 4;
	t->pairs_cap = cap;
	slots_fill(t);
	return (0);
}

/* Who pays for a new pair; NULL: nobody has room. */
static struct tighten_clock *
owner_of(struct tighten *t, uint32_t a, uint32_t b, uint32_t *owner)
{
	*owner = t->clocks[a].owned <= t->clocks[b].owned ? a : b;
	if (t->clocks[*owner].owned >= TIGHTEN_NEIGHBOURS ||
	    t->npairs >= TIGHTEN_PAIRS_MAX)
		return (NULL);
	return (&t->clocks[*owner]);
}

/* NULL: no room. */
static struct tighten_pair *
pair_find(struct tighten *t, uint32_t a, uint32_t b)
{
	struct tighten_clock *payer;
	struct tighten_pair *p;
	uint32_t owner;
	size_t at;

	if (t->nslots == 0 && pairs_grow(t) == -1)
		return (NULL);
	at = slot_of(t, a, b);
	if (t->slots[at] != 0)
		return (&t->pairs[t->slots[at] - 1]);
	payer = owner_of(t, a, b, &owner);
	if (payer == NULL)
		return (NULL);
	if (t->npairs == t->pairs_cap) {
		if (pairs_grow(t) == -1)
			return (NULL);
		at = slot_of(t, a, b);
	}
	p = &t->pairs[t->npairs++];
	memset(p, 0, sizeof(*p));
	p->a = a;
	p->b = b;
	p->owner = owner;
	payer->owned++;
	t->slots[at] = (uint32_t)t->npairs;
	return (p);
}

void
tighten_message(struct tighten *t, uint32_t from, uint32_t to,
    int64_t sent_mon_ns, int64_t taken_mon_ns)
{
	int64_t took = taken_mon_ns - sent_mon_ns;
	struct tighten_pair *p;
	struct tighten_way *w;

	/* nodes not told of yet have no clock to be tightened */
	if (from == to || from >= t->nclocks || to >= t->nclocks ||
	    took > TOOK_MAX_NS || took < -TOOK_MAX_NS)
		return;
	t->stats.messages++;
	p = from < to ? pair_find(t, from, to) : pair_find(t, to, from);
	if (p == NULL) {
		t->stats.refused++;
		return;
	}
	w = &p->ways[from > to];
	if (w->any && w->took_ns <= took)
		return;
	w->any = true;
	w->took_ns = took;
	w->sent_mon_ns = sent_mon_ns;
	w->taken_mon_ns = taken_mon_ns;
}

/* --- clocks --- */

static int
clocks_reach(struct tighten *t, size_t n)
{
	size_t cap = t->clocks_cap == 0 ? 16 : t->clocks_cap;
	struct tighten_clock *p;

	while (cap < n)
		cap *= 2;
	if (cap > t->clocks_cap) {
		p = realloc(t->clocks, cap * sizeof(*p));
		if (p == NULL)
			return (-1);
		t->clocks = p;
		t->clocks_cap = cap;
	}
	if (n > t->nclocks) {
		memset(&t->clocks[t->nclocks], 0,
		    (n - t->nclocks) * sizeof(*t->clocks));
		t->nclocks = n;
	}
	return (0);
}

static void
pair_forget(struct tighten_pair *p)
{
	memset(p->ways, 0, sizeof(p->ways));
}

void
tighten_forget(struct tighten *t, uint32_t node)
{
	if (node >= t->nclocks)
		return;
	for (size_t i = 0; i < t->npairs; i++) {
		if (t->pairs[i].a == node || t->pairs[i].b == node)
			pair_forget(&t->pairs[i]);
	}
	t->clocks[node].solved = false;
}

int
tighten_node(struct tighten *t, uint32_t node, const struct clock_line *line,
    double beta, uint32_t epoch, const struct clockmap *map)
{
	struct tighten_clock *c;

	if (node >= TIGHTEN_NODES_MAX)
		return (0);
	if (clocks_reach(t, (size_t)node + 1) == -1)
		return (-1);
	c = &t->clocks[node];
	if (c->epoch != epoch)
		tighten_forget(t, node);
	c->told = true;
	c->line = *line;
	c->beta = beta;
	c->epoch = epoch;
	c->map = map;
	c->doubt = c->turn = 0;
	return (0);
}

void
tighten_doubt(struct tighten *t, uint32_t node, double off_ns, double turn)
{
	if (node >= t->nclocks)
		return;
	t->clocks[node].doubt = off_ns;
	t->clocks[node].turn = turn;
}

/* --- a window is over --- */

static bool
unmap(const struct tighten_clock *c, int64_t mon_ns, int64_t *node_ns)
{
	const struct clock_segment *seg;

	if (!c->told || c->map->n == 0)
		return (false);
	*node_ns = clockmap_node(c->map, mon_ns);
	seg = clockmap_find(c->map, *node_ns);
	return (seg->epoch == c->epoch);
}

/* The four oldest of the fine windows become one: their fastest, as seen now.
 */
static void
way_merge(struct tighten_way *w, const struct clock_line *from,
    const struct clock_line *to)
{
	int64_t took, least = INT64_MAX;
	uint32_t best = 0;

	for (uint32_t i = 0; i < MERGED; i++) {
		took = clock_line_mon(to, w->fine[i].taken_node_ns) -
		       clock_line_mon(from, w->fine[i].sent_node_ns);
		if (took < least) {
			least = took;
			best = i;
		}
	}
	if (w->coarse_n == TIGHTEN_COARSE)
		memmove(w->coarse, w->coarse + 1,
		    --w->coarse_n * sizeof(*w->coarse));
	w->coarse[w->coarse_n++] = w->fine[best];
	w->fine_n -= MERGED;
	memmove(w->fine, w->fine + MERGED, w->fine_n * sizeof(*w->fine));
}

/* Keeps the fastest message of the window. */
static bool
way_close(struct tighten_way *w, const struct tighten_clock *from,
    const struct tighten_clock *to)
{
	struct tighten_sample s;

	if (!w->any)
		return (false);
	w->any = false;
	if (!unmap(from, w->sent_mon_ns, &s.sent_node_ns) ||
	    !unmap(to, w->taken_mon_ns, &s.taken_node_ns))
		return (false);
	if (w->fine_n == TIGHTEN_FINE)
		way_merge(w, &from->line, &to->line);
	w->fine[w->fine_n++] = s;
	return (true);
}

/* --- fitting one pair --- */

struct fit {
	struct clock_burst bursts[TIGHTEN_FINE + TIGHTEN_COARSE];
	size_t low_n, high_n;
	int64_t first, last;
};

/* A kept message as a bound on d, through the present lines. */
static void
fit_take(struct fit *f, const struct tighten *t, const struct tighten_pair *p,
    int way, const struct tighten_sample *s, int64_t oldest)
{
	const struct clock_line *from = &t->clocks[way == 0 ? p->a : p->b].line;
	const struct clock_line *to = &t->clocks[way == 0 ? p->b : p->a].line;
	int64_t sent = clock_line_mon(from, s->sent_node_ns);
	int64_t took = clock_line_mon(to, s->taken_node_ns) - sent;

	if (sent < oldest)
		return;
	if (way == 0) {
		f->bursts[f->low_n].low_node_ns = sent;
		f->bursts[f->low_n++].low_ns = -took;
	} else {
		f->bursts[f->high_n].high_node_ns = sent;
		f->bursts[f->high_n++].high_ns = took;
	}
	if (sent < f->first)
		f->first = sent;
	if (sent > f->last)
		f->last = sent;
}

static void
fit_gather(struct fit *f, const struct tighten *t, const struct tighten_pair *p,
    int64_t at)
{
	int64_t oldest = at - (int64_t)(AGE_MAX_S * SEC);

	f->low_n = f->high_n = 0;
	f->first = INT64_MAX;
	f->last = INT64_MIN;
	for (int way = 0; way < 2; way++) {
		const struct tighten_way *w = &p->ways[way];

		for (size_t i = 0; i < w->coarse_n; i++)
			fit_take(f, t, p, way, &w->coarse[i], oldest);
		for (size_t i = 0; i < w->fine_n; i++)
			fit_take(f, t, p, way, &w->fine[i], oldest);
	}
}

/*
 * What the messages prove: d is at least low and at most high, whatever their
 * delays were.  A bound ages: frequencies change, and the lines it was looked
 * at through may have a wrong slope.
 */
static void
fit_bounds(const struct fit *f, struct tighten_pair *p, int64_t at, double beta,
    double skew)
{
	p->low = -HUGE_VAL;
	p->high = HUGE_VAL;
	for (size_t i = 0; i < f->low_n; i++) {
		double age = fabs((double)(at - f->bursts[i].low_node_ns));

		p->low = fmax(p->low, (double)f->bursts[i].low_ns -
					  (beta / 2 * age / SEC + skew) * age);
	}
	for (size_t i = 0; i < f->high_n; i++) {
		double age = fabs((double)(at - f->bursts[i].high_node_ns));

		p->high =
		    fmin(p->high, (double)f->bursts[i].high_ns +
				      (beta / 2 * age / SEC + skew) * age);
	}
	p->low_known = f->low_n > 0;
	p->high_known = f->high_n > 0;
}

/* Where d is most likely: false when no line fits between the bounds. */
static bool
fit_middle(struct fit *f, struct tighten_pair *p, int64_t at, double beta)
{
	size_t n = f->low_n > f->high_n ? f->low_n : f->high_n;
	double span_s = (double)(f->last - f->first) / SEC, off, over;
	bool young = span_s < SLOPE_SPAN_S;
	double range = young ? 0 : SLOPE_RANGE;
	struct clock_line line, next;

	/* the fit wants as many of one as of the other: repeats do no harm */
	for (size_t i = f->low_n; i < n; i++) {
		f->bursts[i].low_node_ns = f->bursts[0].low_node_ns;
		f->bursts[i].low_ns = f->bursts[0].low_ns;
	}
	for (size_t i = f->high_n; i < n; i++) {
		f->bursts[i].high_node_ns = f->bursts[0].high_node_ns;
		f->bursts[i].high_ns = f->bursts[0].high_ns;
	}
	/* messages see a clock wander that pings do not */
	clockfit(f->bursts, n, at, beta, 0, range, 0, &line);
	while (beta < BETA_MAX) {
		clockfit(f->bursts, n, at, beta * BETA_STEP, 0, range, 0,
		    &next);
		if (line.gap_ns >= BETA_ROOM * next.gap_ns)
			break;
		line = next;
		beta *= BETA_STEP;
	}
	if (!(line.gap_ns > 0))
		return (false);
	p->both = p->trusted = true;
	p->middle = (double)line.offset_ns;
	p->half = fmax(line.gap_ns, GAP_LEAST) / 2;
	off = MESSAGES_OFF * p->half;
	p->weight = 1 / (off * off);
	p->slope = line.skew;
	/* known over the time that ageing leaves it */
	over = fmin(span_s, sqrt(2 * p->half / SEC / (beta + 1e-12)));
	p->slope_weight = young ? 0 : p->weight * over * over;
	return (true);
}

static void
pair_fit(struct tighten *t, struct tighten_pair *p, int64_t at)
{
	const struct tighten_clock *a = &t->clocks[p->a], *b = &t->clocks[p->b];
	double beta = a->beta + b->beta, turn;
	struct fit f;

	p->both = p->trusted = p->low_known = p->high_known = false;
	p->slope_weight = 0;
	if (!a->told || !b->told)
		return;
	fit_gather(&f, t, p, at);
	turn = 2 * (a->room / a->over_s + b->room / b->over_s) / SEC;
	fit_bounds(&f, p, at, beta * BETA_STEP, fmax(turn, a->turn + b->turn));
	if (p->low > a->proven + b->proven ||
	    p->high < -a->proven - b->proven) {
		/* not by any allowed move: a clock has stepped, or a lie */
		t->stats.contradictions++;
		p->low_known = p->high_known = false;
	} else if (p->low > p->high || (p->low_known && p->high_known &&
					   !fit_middle(&f, p, at, beta))) {
		t->stats.contradictions++;
		p->low_known = p->high_known = false;
		pair_forget(p); /* whoever is wrong: begin anew */
	}
}

/* --- which pairs are kept --- */

/* Each full clock gives up the vaguest of the pairs it pays for. */
static void
mark_vaguest(struct tighten *t)
{
	uint32_t *worst = calloc(t->nclocks + 1, sizeof(*worst));

	if (worst == NULL)
		return;
	for (size_t i = 0; i < t->npairs; i++) {
		const struct tighten_pair *p = &t->pairs[i], *q;
		uint32_t o = p->owner;

		if (t->clocks[o].owned < TIGHTEN_NEIGHBOURS)
			continue;
		q = worst[o] == 0 ? NULL : &t->pairs[worst[o] - 1];
		if (q == NULL ||
		    (q->both &&
			(!p->both || p->high - p->low > q->high - q->low)))
			worst[o] = (uint32_t)i + 1;
	}
	for (size_t o = 0; o < t->nclocks; o++)
		if (worst[o] != 0)
			t->pairs[worst[o] - 1].quiet = QUIET_MAX + 1;
	free(worst);
}

static void
pairs_drop(struct tighten *t)
{
	size_t n = 0;

	if (++t->solves % CHANGE_EVERY == 0)
		mark_vaguest(t);
	for (size_t i = 0; i < t->npairs; i++) {
		if (t->pairs[i].quiet > QUIET_MAX) {
			t->clocks[t->pairs[i].owner].owned--;
			continue;
		}
		if (n != i)
			t->pairs[n] = t->pairs[i];
		n++;
	}
	if (n == t->npairs)
		return;
	t->npairs = n;
	slots_fill(t);
}

/* --- the whole --- */

int64_t
tighten_period_ns(const struct tighten *t)
{
	int64_t period = PERIOD_NS;

	for (size_t n = PERIOD_PAIRS; n < t->npairs && period < PERIOD_MAX_NS;
	     n *= 2)
		period *= 2;
	return (period);
}

/* The node time that a line maps to mon_ns. */
static int64_t
line_node(const struct clock_line *l, int64_t mon_ns)
{
	int64_t node = mon_ns - l->offset_ns;

	for (int i = 0; i < 3; i++)
		node += mon_ns - clock_line_mon(l, node);
	return (node);
}

static void
clock_aim(struct tighten_clock *c)
{
	if (!c->solved)
		return;
	c->aim = (struct clock_line){ .base_node_ns = c->at_node_ns,
		.offset_ns = clock_line_mon(&c->line, c->at_node_ns) -
			     c->at_node_ns + llround(c->c),
		.skew = c->line.skew + c->s,
		.gap_ns = c->to - c->from };
}

void
tighten_solve(struct tighten *t, int64_t at_mon_ns)
{
	t->stats.both_ways = 0;
	for (size_t i = 0; i < t->nclocks; i++) {
		struct tighten_clock *c = &t->clocks[i];

		if (!c->told)
			continue;
		c->at_node_ns = line_node(&c->line, at_mon_ns);
		c->room = fmax(c->line.gap_ns, 1) / 2;
		c->proven = fmax(c->room, c->doubt);
		c->over_s = fmin(PINGS_LONG_S,
		    sqrt(2 * c->room / SEC / (c->beta + 1e-12)));
		if (!c->solved)
			continue;
		/* what was found goes on, as seen from the new line */
		c->c = (double)(clock_line_mon(&c->aim, c->at_node_ns) -
				clock_line_mon(&c->line, c->at_node_ns));
		c->s = c->aim.skew - c->line.skew;
	}
	for (size_t i = 0; i < t->npairs; i++) {
		struct tighten_pair *p = &t->pairs[i];
		bool ab =
		    way_close(&p->ways[0], &t->clocks[p->a], &t->clocks[p->b]);
		bool ba =
		    way_close(&p->ways[1], &t->clocks[p->b], &t->clocks[p->a]);

		p->quiet = ab || ba ? 0 : p->quiet + 1;
		pair_fit(t, p, at_mon_ns);
		t->stats.both_ways += p->both;
	}
	tighten_solve_clocks(t);
	for (size_t i = 0; i < t->nclocks; i++)
		clock_aim(&t->clocks[i]);
	pairs_drop(t);
	for (size_t i = 0; i < t->nclocks; i++)
		t->clocks[i].told = false;
}

bool
tighten_says(const struct tighten *t, uint32_t node, struct tighten_says *says)
{
	const struct tighten_clock *c;

	if (node >= t->nclocks || !t->clocks[node].solved)
		return (false);
	c = &t->clocks[node];
	says->aim = c->aim;
	says->error_ns = llround(fmax(c->to - c->c, c->c - c->from)) + 1;
	says->pair_ns =
	    c->best < (double)TOOK_MAX_NS ? llround(c->best) + 1 : TOOK_MAX_NS;
	says->pairs = c->pairs;
	return (true);
}

void
tighten_stats(const struct tighten *t, struct tighten_stats *s)
{
	*s = t->stats;
	s->pairs = t->npairs;
}
