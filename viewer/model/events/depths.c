/*
 * The rows below a thread: one for each depth to which its spans nest, made
 * when they do so for the first time; the first one then starts as a copy of
 * the thread's lane.  However deep a span is, its row says when it was there;
 * only the first DEPTH_LANES of them are drawn.
 *
 * A span is in the row of its depth.  When one further out ends before those
 * within it these move up, each into the row before: they are shown there
 * again, as what goes on.  When there are no rows left for a model the last one
 * that the thread has shows the innermost of all that are deeper.
 */
#include <errno.h>

#include "events_inside.h"
#include "model/keep/memory.h"

#define HIDDEN_MOST  (1u << 17) /* of all threads, those that are not drawn */
#define HIDDEN_LEAST 4096       /* whatever memory is allowed */
#define HIDDEN_BYTES 768        /* of one, about */
#define HIDDEN_PART  8          /* of the memory allowed */

static bool
hidden_allowed(const struct model *m)
{
	uint64_t most =
	    atomic_load_explicit(&facts_of(m)->memory, memory_order_relaxed);

	most = most == 0 ? HIDDEN_MOST : most / (HIDDEN_PART * HIDDEN_BYTES);
	most = most > HIDDEN_LEAST ? most : HIDDEN_LEAST;
	return (
	    lanes_of(m)->nhidden < HIDDEN_MOST && lanes_of(m)->nhidden < most);
}

static uint32_t
depth_lane_add(struct model *m, struct location *l, uint32_t depth)
{
	struct lane pub = lane_at(m, l->lane)->pub;

	if (depth >= DEPTH_LANES && !hidden_allowed(m))
		return (UINT32_MAX);
	pub.parent = l->lane;
	pub.kind = LANE_DEPTH;
	pub.depth = (uint16_t)depth;
	lanes_of(m)->ndeep += depth >= DEPTH_DEEP;
	lanes_of(m)->nhidden += depth >= DEPTH_LANES;
	return (lane_add(m, &pub, 1));
}

static uint32_t
depth_lane(const struct location *l, uint32_t depth)
{
	return (depth < DEPTH_LANES ? l->depth_lane[depth]
				    : l->deep_lane[depth - DEPTH_LANES]);
}

/* In a detail those of the whole are used. */
static uint32_t
depth_lane_known(const struct model *m, const struct location *l,
    uint32_t depth)
{
	const struct model *w = whole_of(m);

	l = chunk_at(&defs_of(w)->locations, lane_at(w, l->lane)->pub.location);
	return (
	    l != NULL && depth < l->depths ? depth_lane(l, depth) : UINT32_MAX);
}

/* The next one.  -1: there is no room for it. */
static int
depth_lane_put(struct location *l, uint32_t lane)
{
	uint32_t i = l->depths - DEPTH_LANES, *p;

	if (l->depths < DEPTH_LANES) {
		l->depth_lane[l->depths++] = lane;
		return (0);
	}
	if (i == 0 || (i >= DEPTH_LANES && (i & (i - 1)) == 0)) {
		p = memory_grow(l->deep_lane,
		    (i == 0 ? DEPTH_LANES : i * 2) * sizeof(*p));
		if (p == NULL)
			return (-1);
		l->deep_lane = p;
	}
	l->deep_lane[i] = lane;
	l->depths++;
	return (0);
}

/* The first time that spans nest: depth 0 is what the lane was so far. */
static void
depth_copy(struct model *m, struct location *l, uint32_t to)
{
	struct lod *from = atomic_load(&lane_at(m, l->lane)->lod);
	struct lod_cursor c;
	struct lod_piece p;
	struct lod_sum had, left;
	int64_t t0;
	int found = lod_seek(from, INT64_MIN, &c);

	if (found == 0)
		return;
	/* of what has been given up the sums go over all the same */
	if (found == -1) {
		t0 = c.now.t0_ns;
		lod_so_far(from, lanes_of(m)->states, &had);
		lod_totals_sum(from, lanes_of(m)->states, t0, INT64_MAX,
		    lod_last_ns(from), &left);
		lod_sum_take(&had, &left);
		if (lod_begin_late(atomic_load(&lane_at(m, to)->lod), t0, &had,
			&held_of(m)->bytes) == -1)
			held_of(m)->failed = ENOMEM;
	}
	while (lod_next(from, &c, &p))
		lane_change(m, to, p.t0_ns, p.state, p.id);
}

void
depth_make(struct model *m, struct location *l, uint32_t depth)
{
	uint32_t lane;

	while (l->depths <= depth && l->depths <= DEPTH_MAX) {
		lane = fetched_of(m)->whole != NULL
			   ? depth_lane_known(m, l, l->depths)
			   : depth_lane_add(m, l, l->depths);
		if (lane == UINT32_MAX)
			return;
		if (l->depths == 0)
			depth_copy(m, l, lane);
		if (depth_lane_put(l, lane) == -1) {
			held_of(m)->failed = ENOMEM;
			return;
		}
	}
}

void
thread_flat(struct model *m, struct location *l)
{
	uint32_t lane;

	if (!l->runs || l->depths > 0)
		return;
	lane = depth_lane_known(m, l, 0);
	if (lane != UINT32_MAX)
		depth_copy(m, l, lane);
}

void
depth_show(struct model *m, struct location *l, uint32_t depth, int64_t t,
    uint16_t state, uint32_t id)
{
	if (l->depths == 0)
		return;
	depth = depth < l->depths ? depth : l->depths - 1;
	lane_change(m, depth_lane(l, depth), t, state, id);
}

uint32_t
row_nth(const struct model *m, const struct location *l, uint32_t depth)
{
	uint32_t lane = l->lane;

	if (l->depths > 0)
		lane = depth_lane(l, depth < l->depths ? depth : l->depths - 1);
	return (lane == UINT32_MAX
		    ? 0
		    : lod_last_nth(atomic_load_explicit(&lane_at(m, lane)->lod,
			  memory_order_relaxed)));
}

void
depth_empty(struct model *m, struct location *l, uint32_t depth, int64_t t,
    uint16_t state)
{
	if (depth < l->depths)
		lane_change(m, depth_lane(l, depth), t, state, 0);
}

/* Its lane has changed last at this time, and does not go back before it. */
static void
reopen_on(struct model *m, uint32_t lane, int64_t t, uint16_t state,
    uint32_t id, const struct last_change *last, uint32_t nlast)
{
	if (lane >= nlast || !last[lane].any)
		return;
	t = t < last[lane].t0_ns ? t : last[lane].t0_ns;
	lane_change(m, lane, t, state, id);
}

void
thread_reopen(struct model *m, struct location *l, uint32_t depths,
    const struct last_change *last, uint32_t nlast)
{
	const struct slot *s;
	uint16_t state;
	uint32_t lane, d;

	for (uint32_t i = 0; i < l->top; i++) {
		s = &l->stack[i];
		state = lane_state(m, s->class, s->span, s->name, 1);
		reopen_on(m, l->lane, s->t0_ns, state, s->number, last, nlast);
		if (depths == 0)
			continue;
		d = s->depth < depths ? s->depth : depths - 1;
		lane = depth_lane_known(m, l, d);
		if (lane != UINT32_MAX)
			reopen_on(m, lane, s->t0_ns, state, s->number, last,
			    nlast);
	}
	for (d = 0; d < depths; d++) {
		lane = depth_lane_known(m, l, d);
		if (lane == UINT32_MAX || depth_lane_put(l, lane) == -1)
			return;
	}
}
