/*
 * A batch: from what a collector calls things to what the run calls them
 * (node_map.c), from its clock to the monitor's, and on to the reorderer.
 *
 * A stream's sequence numbers tell what is new: what is below the next one
 * expected has been pushed already and is dropped; a gap means that the other
 * side has forgotten something, and it is made to repeat from the last
 * acknowledgement by closing its connection.  When it has repeated everything
 * it has and the gap is still there, its spool is lost: that is told in the
 * log, at its place, and the node goes on.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "batch.h"
#include "inside.h"
#include "log.h"
#include "monitord/order/causal/eventpool.h"
#include "monitord/run/node_map.h"

#define SAID      (-2) /* stops the decoder; the log has a line already */
#define GONE_MAX  (UINT64_C(1) << 48) /* a longer gap is nonsense */
#define FUTURE_NS ENV_SEC /* a time so far ahead of now is not believed */

struct intake {
	struct node *node;
	struct clocksync *sync; /* the clock of its times */
	struct node_batch *batch;
	size_t cap;
	uint32_t before; /* location of the piece before */
};

static int
intake_definition(void *arg, const struct frame *f)
{
	struct intake *in = arg;
	union {
		struct msg_po po;
		struct msg_thread thread;
		struct msg_name name;
		struct msg_module module;
		struct msg_symbol symbol;
	} m;

	if (f->type != MSG_po && f->type != MSG_thread && f->type != MSG_name &&
	    f->type != MSG_module && f->type != MSG_symbol)
		return (-1);
	if (msg_decode(f->type, f->body, f->body_bytes, &m) == -1)
		return (-1);
	return (node_define(in->node, f->type, &m) == -1 ? SAID : 0);
}

/* The location of a run of events, ready to take them; REGISTRY_NONE: said. */
static uint32_t
run_location(struct node *n, uint32_t stream)
{
	struct monitord_core *c = n->core;
	uint32_t i = node_map_find(&n->numbers.streams, stream);
	struct location *l;

	if (i == REGISTRY_NONE) {
		log_warnx("node %s: events of stream %u, which it has not "
			  "defined; closing",
		    n->name, stream);
		return (i);
	}
	if (i == REGISTRY_BEYOND)
		return (i);
	l = registry_location(c->registry, i);
	if (!l->open) {
		if (reorder_stream_add(c->reorder, i, n->number) == -1) {
			log_warn("node %s", n->name);
			return (REGISTRY_NONE);
		}
		if (l->floor_mon_ns != INT64_MIN)
			reorder_stream_floor(c->reorder, i, l->floor_mon_ns);
		l->open = true;
	}
	return (i);
}

/* The batch is stored when this location has got so far. */
static int
remember_last(struct intake *in, uint32_t location, uint64_t next_seq)
{
	struct node_batch *b = in->batch;
	size_t cap;

	if (b->nlast > 0 && b->last[b->nlast - 1].location == location) {
		b->last[b->nlast - 1].next_seq = next_seq;
		return (0);
	}
	if (b->nlast == in->cap) {
		cap = in->cap * 2;
		b = realloc(b, sizeof(*b) + cap * sizeof(b->last[0]));
		if (b == NULL)
			return (-1);
		in->batch = b;
		in->cap = cap;
	}
	b->last[b->nlast++] = (struct node_last){ location, next_seq };
	return (0);
}

/* From what a collector says of a row of events to what the run says. */
struct way {
	uint32_t location, po;
	const struct node_names *names;
	const struct clockmap *map;
	const struct clock_segment *first, *last;
	int64_t limit_ns; /* monitor clock: later ones are not believed */
};

static struct way
way_find(const struct intake *in, uint32_t location, int64_t first_node_ns,
    int64_t last_node_ns)
{
	const struct node *n = in->node;
	static uint32_t none;
	static const struct node_names no_names = { .to = &none, .n = 1 };
	uint32_t po = registry_location(n->core->registry, location)->po;
	uint32_t i = node_map_find(&n->numbers.pos, po);
	int64_t now = core_now(n->core);
	struct way w = { .location = location,
		.po = po,
		.names = i == REGISTRY_NONE ? &no_names : &n->numbers.names[i],
		.map = clocksync_map(in->sync),
		.limit_ns = now + FUTURE_NS };

	clocksync_reach(in->sync, last_node_ns, now);
	clocksync_told(in->sync, last_node_ns);
	w.first = clockmap_find(w.map, first_node_ns);
	w.last = clockmap_find(w.map, last_node_ns);
	return (w);
}

/* Onto the monitor's clock. */
static inline void
way_map(const struct way *w, struct node *n, struct event *e)
{
	const struct clock_segment *s = w->first;

	if (s != w->last)
		s = clockmap_find(w->map, e->t_node_ns);
	e->t_mon_ns = clock_segment_mon(s, e->t_node_ns);
	if (e->t_mon_ns <= w->limit_ns)
		return;
	e->t_mon_ns = w->limit_ns - FUTURE_NS;
	e->flags |= EVENT_AHEAD;
	n->counts.futures++;
}

static void
way_take(const struct way *w, struct node *n, uint64_t seq,
    const struct node_event *ev, size_t k, struct event_slot *to)
{
	const struct monitord_core *c = n->core;

	for (size_t j = 0; j < k; j++) {
		bool named = c->c_is_name[ev[j].kind];
		uint32_t word = ev[j].c, name = named ? word : 0;

		/* which kind has a name is a guess: so no branch on that */
		if (name < w->names->n) {
			name = w->names->to[name];
			word = named ? name : word;
		} else if (name - NAME_PLACES < w->names->nplaces) {
			word = w->names->places[name - NAME_PLACES];
		} else {
			word = node_odd_name(n, w->po, name);
		}
		to[j].ev = (struct event){
			.t_node_ns = ev[j].t_node_ns,
			.seq = seq + j,
			.a = ev[j].a,
			.b = ev[j].b,
			.c = word,
			.location = w->location,
			.kind = ev[j].kind,
		};
		way_map(w, n, &to[j].ev);
	}
}

/* It has repeated all it has, and still does not have these. */
static bool
gap_is_final(const struct node *n, const struct location *l, uint64_t first_seq)
{
	return (n->counts.gap_connects != 0 &&
		n->counts.connects == n->counts.gap_connects + 1 &&
		first_seq - l->pushed <= GONE_MAX);
}

/*
 * The records before first_seq are gone.  One EV_lost stands in their place
 * and has the number of the last of them.
 */
static int
tell_gone(struct intake *in, uint32_t i, uint64_t first_seq, int64_t t_node_ns)
{
	struct node *n = in->node;
	struct location *l = registry_location(n->core->registry, i);
	uint64_t gone = first_seq - l->pushed;
	struct way w = way_find(in, i, t_node_ns, t_node_ns);
	struct event e = { .t_node_ns = t_node_ns,
		.seq = first_seq - 1,
		.a = gone,
		.kind = EV_lost,
		.location = i,
		.c = LOST_GONE };

	log_warnx("node %s: thread %u.%u goes on at event %" PRIu64 ", %" PRIu64
		  " is due; its spool has lost %" PRIu64
		  " records, which are counted as lost",
	    n->name, l->po, l->thread, first_seq, l->pushed, gone);
	l->gone += gone;
	n->counts.gone += gone;
	e.b = l->gone;
	way_map(&w, n, &e);
	if (reorder_push(n->core->reorder, i, &e, 1) == -1) {
		log_warn("node %s", n->name);
		return (SAID);
	}
	l->pushed = first_seq;
	/* for the others in this session */
	n->counts.gap_connects = n->counts.connects - 1;
	return (0);
}

static int
gap(struct node *n, const struct location *l, uint64_t first_seq)
{
	log_warnx("node %s: thread %u.%u goes on at event %llu, %llu is due; "
		  "closing, it will repeat",
	    n->name, l->po, l->thread, (unsigned long long)first_seq,
	    (unsigned long long)l->pushed);
	n->counts.gaps++;
	n->counts.gap_connects = n->counts.connects;
	return (SAID);
}

/*
 * A collector tells of its threads in the same turn each time; with thousands
 * of them, what is known of each is in no near cache.  So while one is worked
 * on, the next one is asked for.
 */
static void
expect_next(struct intake *in, struct location *l, uint32_t i, size_t k)
{
	struct monitord_core *c = in->node->core;

	if (in->before == i)
		return;
	if (in->before != REGISTRY_NONE)
		registry_location(c->registry, in->before)->then = i;
	in->before = i;
	__builtin_prefetch(registry_location(c->registry, l->then), 1);
	reorder_expect(c->reorder, l->then, k);
}

/* Events that are due, straight to where they stay until they are ordered. */
static int
take_events(const struct intake *in, struct location *l, uint32_t i,
    const struct node_event *ev, size_t k)
{
	struct node *n = in->node;
	struct reorder *r = n->core->reorder;
	struct way w = way_find(in, i, ev[0].t_node_ns, ev[k - 1].t_node_ns);

	while (k > 0) {
		size_t part = k;
		struct event_slot *to = reorder_room(r, i, &part);

		if (to == NULL) {
			log_warn("node %s", n->name);
			return (SAID);
		}
		way_take(&w, n, l->pushed, ev, part, to);
		if (l->thread == 0) /* its collector's word */
			nodehost_take(&n->host, n->core->registry, to, part);
		reorder_commit(r, i, part);
		l->pushed += part;
		n->counts.events += part;
		ev += part;
		k -= part;
	}
	return (0);
}

static int
intake_events(void *arg, uint32_t stream, uint64_t first_seq,
    const struct node_event *ev, size_t k)
{
	struct intake *in = arg;
	struct node *n = in->node;
	struct monitord_core *c = n->core;
	uint32_t i = run_location(n, stream);
	struct location *l;
	size_t had;

	if (i == REGISTRY_NONE)
		return (SAID);
	if (i == REGISTRY_BEYOND)
		return (0);
	reorder_expect(c->reorder, i, k);
	l = registry_location(c->registry, i);
	expect_next(in, l, i, k);
	if (first_seq > l->pushed) {
		if (!gap_is_final(n, l, first_seq))
			return (gap(n, l, first_seq));
		if (tell_gone(in, i, first_seq, ev[0].t_node_ns) == SAID)
			return (SAID);
	}
	if (remember_last(in, i, first_seq + k) == -1) {
		log_warn("node %s", n->name);
		return (SAID);
	}
	if (l->pushed - first_seq >= k)
		return (0); /* all of it is here already */
	had = (size_t)(l->pushed - first_seq);
	if (take_events(in, l, i, ev + had, k - had) == SAID)
		return (SAID);
	if (l->told && l->pushed >= l->next_seq) {
		reorder_stream_close(c->reorder, i);
		l->open = false;
	}
	return (0);
}

int
node_intake(struct node *n, const struct msg_batch *m)
{
	static const struct batch_sink sink = { intake_definition,
		intake_events };
	struct intake in = { .node = n,
		.sync = node_clock_of(n, m->start),
		.cap = 4,
		.before = REGISTRY_NONE };
	int rv;

	in.batch =
	    malloc(sizeof(*in.batch) + in.cap * sizeof(in.batch->last[0]));
	if (in.batch == NULL) {
		log_warn("node %s", n->name);
		return (-1);
	}
	in.batch->number = m->number;
	in.batch->nlast = 0;
	reorder_now(n->core->reorder, core_now(n->core));
	rv = batch_decode(m->streams, &sink, &in);
	if (rv != 0) {
		if (rv != SAID)
			log_warnx("node %s: batch %llu is damaged; closing",
			    n->name, (unsigned long long)m->number);
		free(in.batch);
		return (-1);
	}
	STAILQ_INSERT_TAIL(&n->batches, in.batch, entry);
	return (0);
}

void
node_mark(struct node *n, struct clocksync *sync, int64_t watermark_node_ns)
{
	struct monitord_core *c = n->core;
	int64_t now = core_now(c), mark, error;

	if (!clocksync_usable(sync) || watermark_node_ns == INT64_MIN)
		return;
	clocksync_reach(sync, watermark_node_ns, now);
	mark = clocksync_mon(sync, watermark_node_ns);
	error = clocksync_error(sync, watermark_node_ns);
	if (mark > now)
		mark = now;
	if (mark > n->mark_mon_ns)
		n->mark_mon_ns = mark;
	reorder_advance(c->reorder, n->number, mark, error, now);
}
