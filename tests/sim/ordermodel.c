/*
 * Model checking of parking, orphans and the watermark.
 *
 * A program is up to 4 streams of up to 6 events: messages, futures, barriers,
 * lost causes, equal times, clocks that disagree.  Its right output is computed
 * in the plainest way: an event gets its time when all its causes have theirs,
 * the earliest that the controlled logical clock allows, until nothing moves.
 *
 * How far the streams have come is a vertex of a lattice (7^4 of them for 4 x
 * 6), an arrival is an edge, an interleaving of all arrivals is a path; there
 * are 2.3 x 10^12.  Every edge is walked, with a look at the watermark after
 * every arrival: each vertex must be in the same state by whatever edge it is
 * reached (emitted so far, watermark, held, parked), hence by every path, and
 * the output must be the right one from there.  So that this induction does
 * not have to be believed, small programs are also walked path by path.
 *
 *	ordermodel [--programs N] [--seed N]
 */
#include <getopt.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "monitord/order/reorder.h"
#include "tests/sim/model.h"

#define STREAMS  4
#define EVENTS   6
#define ALL      (STREAMS * EVENTS)
#define L_MIN    500
#define BASE_NS  1000000
#define UNIT_NS  400 /* times are multiples of it: many are equal */
#define END_NS   5000000
#define ERROR_NS 20000

struct program {
	unsigned streams, n[STREAMS];
	struct event ev[STREAMS][EVENTS];

	/* as it must come out */
	int64_t want_ns[STREAMS][EVENTS];
	bool done[STREAMS][EVENTS], orphan[STREAMS][EVENTS];
	struct event out[ALL];
	size_t outs;
};

/* What can be seen of the reorderer. */
struct view {
	struct event out[ALL];
	size_t outs;
	int64_t watermark_ns;
	size_t held;
	uint32_t parked;
	uint64_t causes;
};

static uint64_t edges, paths, walks, wrong;

/* --- programs --- */

static void
program_add(struct program *p, unsigned s, int64_t t, uint16_t kind,
    uint64_t key, uint32_t c)
{
	struct event *e;

	if (p->n[s] == EVENTS)
		return;
	e = &p->ev[s][p->n[s]];
	*e = (struct event){ .seq = p->n[s],
		.a = key,
		.b = key,
		.c = c,
		.kind = kind,
		.location = s,
		.t_mon_ns = BASE_NS + t };
	if (e->seq > 0 && e->t_mon_ns < e[-1].t_mon_ns)
		e->t_mon_ns = e[-1].t_mon_ns;
	p->n[s]++;
}

static void
program_barrier(struct program *p, uint64_t key, int64_t t)
{
	for (unsigned s = 0; s < p->streams; s++)
		if (p->n[s] + 2 > EVENTS)
			return;
	for (unsigned s = 0; s < p->streams; s++)
		program_add(p, s, t + (int64_t)s * UNIT_NS, EV_barrier_enter,
		    key, p->streams);
	for (unsigned s = 0; s < p->streams; s++)
		program_add(p, s, t + UNIT_NS, EV_barrier_leave, key,
		    p->streams);
}

/* Made in the order of time, so that no causes go round in a circle. */
static void
program_make(struct program *p, struct chance *c, unsigned streams,
    unsigned steps)
{
	int64_t t = 0, off[STREAMS];

	memset(p, 0, sizeof(*p));
	p->streams = streams;
	for (unsigned i = 1; i <= steps; i++) {
		unsigned from = (unsigned)chance_below(c, streams);
		unsigned to = (unsigned)chance_below(c, streams);

		t += (int64_t)chance_below(c, 4) * UNIT_NS;
		switch (chance_below(c, 8)) {
		case 0:
			program_add(p, from, t, EV_note, 0, 0);
			break;
		case 1: /* the cause is lost */
			program_add(p, to, t, EV_receive, i, 0);
			break;
		case 2:
			if (p->n[from] == EVENTS)
				break;
			program_add(p, from, t, EV_future_set, i, 0);
			program_add(p, to, t, EV_future_get, i, 0);
			program_add(p, (to + 1) % streams, t + UNIT_NS,
			    EV_future_get, i, 0);
			break;
		case 3:
			program_barrier(p, i, t);
			break;
		default:
			if (p->n[from] == EVENTS)
				break;
			program_add(p, from, t, EV_send, i, 0);
			program_add(p, to, t + UNIT_NS, EV_receive, i, 0);
		}
	}
	for (unsigned s = 0; s < streams; s++) {
		off[s] = (int64_t)chance_below(c, 9) * UNIT_NS - 4 * UNIT_NS;
		for (unsigned i = 0; i < p->n[s]; i++)
			p->ev[s][i].t_mon_ns += off[s];
	}
}

/* --- the right output --- */

/* Latest cause, of those found; there: how many are in the program at all. */
static unsigned
causes_of(const struct program *p, const struct event *e, unsigned *there,
    int64_t *latest_ns, unsigned *stream)
{
	const struct event_desc *d = event_desc(e->kind);
	unsigned found = 0;

	*there = 0;
	*latest_ns = INT64_MIN;
	for (unsigned s = 0; s < p->streams; s++) {
		for (unsigned i = 0; i < p->n[s]; i++) {
			if (p->ev[s][i].kind != d->partner ||
			    p->ev[s][i].a != e->a)
				continue;
			++*there;
			if (!p->done[s][i])
				continue;
			found++;
			if (p->want_ns[s][i] > *latest_ns) {
				*latest_ns = p->want_ns[s][i];
				*stream = s;
			}
		}
	}
	return (found);
}

/* Earliest by the stream itself: what is left of its last shift. */
static int64_t
low_of(const struct program *p, unsigned s, unsigned i)
{
	int64_t shift = 0, anchor = 0, t = p->ev[s][i].t_mon_ns;

	for (unsigned j = 0; j < i; j++) {
		int64_t at = p->ev[s][j].t_mon_ns, got = p->want_ns[s][j];

		if (got == at) {
			shift = 0;
		} else if (shift - ((at - anchor) >> 7) < 0 ||
			   got != at + shift - ((at - anchor) >> 7) ||
			   (j > 0 && got == p->want_ns[s][j - 1])) {
			shift = got - at;
			anchor = at;
		}
	}
	if (shift > 0 && shift > (t - anchor) >> 7)
		t += shift - ((t - anchor) >> 7);
	if (i > 0 && t < p->want_ns[s][i - 1])
		t = p->want_ns[s][i - 1];
	return (t);
}

static bool
expect_one(struct program *p, unsigned s, unsigned i)
{
	const struct event *e = &p->ev[s][i];
	const struct event_desc *d = event_desc(e->kind);
	int64_t t = low_of(p, s, i), latest;
	unsigned there, from = 0, found, need;

	if (d->role == ROLE_EFFECT) {
		need = d->match == MATCH_all ? e->c : 1;
		found = causes_of(p, e, &there, &latest, &from);
		if (there < need) {
			p->orphan[s][i] = true;
		} else if (found < need) {
			return (false);
		} else {
			latest +=
			    d->match != MATCH_all && from == s ? 1 : L_MIN;
			if (t < latest)
				t = latest;
		}
	}
	p->want_ns[s][i] = t;
	p->done[s][i] = true;
	return (true);
}

static int
out_order(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->t_mon_ns != y->t_mon_ns)
		return (x->t_mon_ns < y->t_mon_ns ? -1 : 1);
	if (x->location != y->location)
		return (x->location < y->location ? -1 : 1);
	return (x->seq < y->seq ? -1 : x->seq > y->seq);
}

/* False: causes go round in a circle after all (barriers can do that). */
static bool
expect(struct program *p)
{
	unsigned at[STREAMS] = { 0 };
	bool moved = true;

	while (moved) {
		moved = false;
		for (unsigned s = 0; s < p->streams; s++)
			while (at[s] < p->n[s] && expect_one(p, s, at[s])) {
				at[s]++;
				moved = true;
			}
	}
	p->outs = 0;
	for (unsigned s = 0; s < p->streams; s++) {
		if (at[s] < p->n[s])
			return (false);
		for (unsigned i = 0; i < p->n[s]; i++) {
			struct event e = p->ev[s][i];

			e.shift_ns = (uint32_t)(p->want_ns[s][i] - e.t_mon_ns);
			e.t_mon_ns = p->want_ns[s][i];
			e.flags =
			    (uint16_t)((e.shift_ns ? EVENT_SHIFTED : 0) |
				       (p->orphan[s][i] ? EVENT_ORPHAN : 0));
			p->out[p->outs++] = e;
		}
	}
	qsort(p->out, p->outs, sizeof(p->out[0]), out_order);
	return (true);
}

/* --- walking --- */

static void
emit_cb(void *arg, const struct event *ev, size_t n)
{
	struct view *v = arg;

	for (size_t i = 0; i < n && v->outs < ALL; i++)
		v->out[v->outs++] = ev[i];
}

static struct reorder *
begin(const struct program *p, struct view *v)
{
	struct reorder_options o = reorder_defaults;
	struct reorder *r;

	o.l_min_ns = L_MIN;
	memset(v, 0, sizeof(*v));
	r = reorder_new(&o, emit_cb, NULL, v);
	for (uint32_t s = 0; s < p->streams; s++) {
		if (r == NULL || reorder_node_add(r, s) == -1 ||
		    reorder_stream_add(r, s, s) == -1)
			exit(EX_OSERR);
		reorder_advance(r, s, 1, ERROR_NS, END_NS);
	}
	return (r);
}

/* One more event of this stream has come, or it says that it has no more. */
static void
arrive(const struct program *p, struct reorder *r, unsigned s, unsigned i)
{
	const struct event *e = &p->ev[s][i];

	if (reorder_push(r, s, e, 1) == -1)
		exit(EX_OSERR);
	reorder_advance(r, s, i + 1 < p->n[s] ? e->t_mon_ns : END_NS, ERROR_NS,
	    END_NS);
	reorder_tick(r, END_NS);
}

static void
look(const struct reorder *r, struct view *v)
{
	struct reorder_stats st;

	reorder_stats(r, &st);
	v->watermark_ns = reorder_watermark(r);
	v->held = reorder_held_bytes(r);
	v->parked = st.parked;
	v->causes = st.causes;
}

static void
print_program(const struct program *p, const char *what)
{
	if (wrong++ > 3)
		return;
	printf("%s:\n", what);
	for (unsigned s = 0; s < p->streams; s++) {
		printf("  %u:", s);
		for (unsigned i = 0; i < p->n[s]; i++)
			printf(" %s(%" PRIu64 ")@%" PRId64 "->%" PRId64,
			    event_table[p->ev[s][i].kind].name, p->ev[s][i].a,
			    p->ev[s][i].t_mon_ns - BASE_NS,
			    p->want_ns[s][i] - BASE_NS);
		putchar('\n');
	}
}

static void
judge(const struct program *p, struct reorder *r, const struct view *v)
{
	reorder_flush(r);
	walks++;
	if (v->outs != p->outs ||
	    memcmp(v->out, p->out, v->outs * sizeof(v->out[0])) != 0)
		print_program(p, "wrong output");
}

/* By the first streams first; then this one; then the rest likewise. */
static void
walk(const struct program *p, const unsigned *from, unsigned edge,
    struct view *at)
{
	struct view v;
	struct reorder *r = begin(p, &v);
	unsigned n[STREAMS] = { 0 };

	for (unsigned s = 0; s < p->streams; s++)
		while (n[s] < from[s])
			arrive(p, r, s, n[s]++);
	arrive(p, r, edge, n[edge]++);
	look(r, &v);
	*at = v;
	for (unsigned s = 0; s < p->streams; s++)
		while (n[s] < p->n[s])
			arrive(p, r, s, n[s]++);
	judge(p, r, &v);
	reorder_free(r);
}

/* All vertices, each by all its edges. */
static void
walk_edges(const struct program *p)
{
	unsigned n[STREAMS] = { 0 };
	struct view first, v;

	for (;;) {
		unsigned s = 0, known = 0;

		while (s < p->streams && n[s] == p->n[s])
			n[s++] = 0;
		if (s == p->streams)
			return;
		n[s]++;
		for (unsigned e = 0; e < p->streams; e++) {
			if (n[e] == 0)
				continue;
			n[e]--;
			walk(p, n, e, known == 0 ? &first : &v);
			n[e]++;
			edges++;
			if (known++ > 0 && memcmp(&first, &v, sizeof(v)) != 0)
				print_program(p, "depends on the path");
		}
	}
}

static void
walk_path(const struct program *p, const uint8_t *order, unsigned n)
{
	struct view v;
	struct reorder *r = begin(p, &v);
	unsigned at[STREAMS] = { 0 };

	for (unsigned i = 0; i < n; i++)
		arrive(p, r, order[i], at[order[i]]++);
	judge(p, r, &v);
	reorder_free(r);
	paths++;
}

static void
walk_paths(const struct program *p, unsigned *at, uint8_t *order, unsigned n)
{
	bool leaf = true;

	for (uint8_t s = 0; s < p->streams; s++) {
		if (at[s] == p->n[s])
			continue;
		leaf = false;
		at[s]++;
		order[n] = s;
		walk_paths(p, at, order, n + 1);
		at[s]--;
	}
	if (leaf)
		walk_path(p, order, n);
}

static unsigned
events_of(const struct program *p)
{
	unsigned n = 0;

	for (unsigned s = 0; s < p->streams; s++)
		n += p->n[s];
	return (n);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "programs", required_argument, NULL, 'p' },
		{ "seed", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	struct chance c = { 1 };
	struct program p;
	unsigned long programs = 20, done = 0, small = 0;
	int o;

	/* each walk makes and frees a reorderer: keep its pages */
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 256 << 20);
	while ((o = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (o == 'p')
			programs = strtoul(optarg, NULL, 10);
		else if (o == 's')
			c.state = strtoull(optarg, NULL, 10);
		else
			return (EX_USAGE);
	}
	while (done < programs) {
		program_make(&p, &c, STREAMS, 20);
		if (!expect(&p))
			continue;
		walk_edges(&p);
		done++;
	}
	while (small < programs * 5) {
		unsigned at[STREAMS] = { 0 };
		uint8_t order[ALL];

		program_make(&p, &c, 2 + (unsigned)chance_below(&c, 3), 4);
		if (events_of(&p) > 8 || !expect(&p))
			continue;
		walk_paths(&p, at, order, 0);
		small++;
	}
	printf("programs=%lu+%lu edges=%" PRIu64 " paths=%" PRIu64
	       " walks=%" PRIu64 " wrong=%" PRIu64 "\n",
	    done, small, edges, paths, walks, wrong);
	return (wrong > 0 ? EXIT_FAILURE : 0);
}
