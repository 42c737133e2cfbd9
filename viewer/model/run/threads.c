/*
 * What a thread is doing: a stack of the spans it is in.  The thread's lane
 * shows the innermost one, a depth lane the one of its depth.  Waits lie over
 * the span in which they happen and take no depth.
 *
 * END closes the innermost span of its kind (of its task, if it names one),
 * wherever it is in the stack; what is left open above it stays.  Depth lanes
 * are made when spans nest for the first time; the first one then starts as a
 * copy of the thread's lane.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/keep/memory.h"
#include "model/run/inside.h"

static uint8_t
span_class(uint8_t span)
{
	static const uint8_t class[EVENT_SPANS] = {
		[SPAN_task] = LANE_running,
		[SPAN_call] = LANE_running,
		[SPAN_block] = LANE_running,
		[SPAN_serve] = LANE_running,
		[SPAN_phase] = LANE_running,
		[SPAN_wait_message] = LANE_wait_message,
		[SPAN_wait_lock] = LANE_wait_lock,
		[SPAN_wait_sync] = LANE_wait_sync,
		[SPAN_wait_rpc] = LANE_wait_rpc,
	};

	return (span < EVENT_SPANS ? class[span] : LANE_idle);
}

static int
is_wait(uint8_t span)
{
	return (span >= SPAN_wait_message);
}

static uint16_t
slot_state(struct model *m, const struct slot *s, int fresh)
{
	return (lane_state(m, s->class, s->span, s->name, fresh));
}

/* What the thread said of itself last; idle when it has said nothing. */
static uint8_t
said_class(struct model *m, const struct location *l)
{
	static const struct {
		const char *word;
		uint8_t class;
	} words[] = {
		{ "idle", LANE_idle },
		{ "overhead", LANE_overhead },
		{ "runtime", LANE_overhead },
		{ "system", LANE_overhead },
		{ "wait", LANE_wait_sync },
		{ "waiting", LANE_wait_sync },
		{ "blocked", LANE_wait_sync },
	};
	const char *text;

	if (l->said == 0)
		return (LANE_idle);
	text = model_name(whole_of(m), l->said);
	for (size_t i = 0; text != NULL && i < sizeof(words) / sizeof(*words);
	     i++)
		if (strcmp(text, words[i].word) == 0)
			return (words[i].class);
	return (LANE_running);
}

/* That shows when it is in no span. */
static uint16_t
base_state(struct model *m, const struct location *l)
{
	uint8_t class = said_class(m, l);

	return (lane_state(m, class, SPAN_none,
	    class == LANE_idle ? 0 : l->said, l->said != 0));
}

/* Innermost span that is no wait; NULL: none. */
static struct slot *
inner(struct location *l)
{
	for (uint32_t i = l->top; i > 0; i--)
		if (l->stack[i - 1].span != SPAN_none &&
		    !is_wait(l->stack[i - 1].span))
			return (&l->stack[i - 1]);
	return (NULL);
}

/*
 * A wait for a condition is not one for a lock.  One for a condition or a
 * semaphore outside of all work is that of an idle worker for work, as long as
 * the thread has not said to be something else; so is one within work of a
 * thread that has said to be idle.
 */
static uint8_t
thread_wait_class(struct model *m, const struct location *l,
    const struct slot *in, const struct event *e, uint8_t span)
{
	bool signalled = e->kind == EV_cond_wait || e->kind == EV_sem_wait;

	if (signalled && (in == NULL || l->said != 0) &&
	    said_class(m, l) == LANE_idle)
		return (LANE_idle);
	return (e->kind == EV_cond_wait ? LANE_wait_cond : span_class(span));
}

static uint32_t
depth_lane_add(struct model *m, struct location *l, uint32_t depth)
{
	struct lane pub = lane_at(m, l->lane)->pub;

	pub.parent = l->lane;
	pub.kind = LANE_DEPTH;
	pub.depth = (uint8_t)depth;
	return (lane_add(m, &pub, 1));
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

static void
depth_make(struct model *m, struct location *l, uint32_t depth)
{
	while (l->depths <= depth && l->depths < DEPTH_LANES) {
		uint32_t lane = fetched_of(m)->whole != NULL
				    ? l->depth_lane[l->depths]
				    : depth_lane_add(m, l, l->depths);

		if (lane == UINT32_MAX)
			return;
		if (l->depths == 0)
			depth_copy(m, l, lane);
		l->depth_lane[l->depths++] = lane;
	}
}

void
thread_flat(struct model *m, struct location *l)
{
	if (l->runs && l->depths == 0 && l->depth_lane[0] != 0)
		depth_copy(m, l, l->depth_lane[0]);
}

static void
depth_change(struct model *m, struct location *l, uint32_t depth, int64_t t,
    uint16_t state, uint32_t id)
{
	if (depth < l->depths)
		lane_change(m, l->depth_lane[depth], t, state, id);
}

static struct slot *
stack_add(struct model *m, struct location *l)
{
	struct slot *s;
	uint32_t cap;

	if (l->top >= STACK_MAX)
		return (NULL);
	if (l->top == l->cap) {
		cap = l->cap == 0 ? 8 : l->cap * 2;
		s = memory_grow(l->stack, cap * sizeof(*s));
		if (s == NULL) {
			held_of(m)->failed = ENOMEM;
			return (NULL);
		}
		l->stack = s;
		l->cap = cap;
	}
	s = &l->stack[l->top++];
	memset(s, 0, sizeof(*s));
	return (s);
}

static void
span_push(struct model *m, struct location *l, const struct event *e,
    uint8_t span, uint32_t name, uint32_t number)
{
	struct slot *in = inner(l), *s;
	uint16_t depth = in == NULL ? 0 : in->depth, state;

	if (in != NULL && !is_wait(span) && depth < UINT16_MAX)
		depth++;
	if (depth > 0 && !is_wait(span))
		depth_make(m, l, depth); /* before the lane changes */
	s = stack_add(m, l);
	if (s == NULL) {
		l->over++;
		return;
	}
	s->id = e->a;
	s->t0_ns = e->t_mon_ns;
	s->name = name;
	s->number = number;
	s->span = span;
	s->depth = depth;
	s->class = is_wait(span) ? thread_wait_class(m, l, in, e, span)
				 : span_class(span);
	state = slot_state(m, s, 1);
	lane_change(m, l->lane, e->t_mon_ns, state, number);
	depth_change(m, l, depth, e->t_mon_ns, state, number);
}

/* The statistics of a span that is over. */
static void
span_count(struct model *m, struct location *l, const struct slot *s, int64_t t)
{
	int64_t ns = t > s->t0_ns ? t - s->t0_ns : 0;
	struct name_stats *st;
	struct slot *in;

	if (fetched_of(m)->whole != NULL) /* it has been counted */
		return;
	if (s->span == SPAN_task) {
		if (s->number != 0)
			task_ran(m, s->number - 1, ns);
		return;
	}
	if (is_wait(s->span)) {
		in = inner(l);
		st = in == NULL ? NULL : stats_of(m, in->name);
		if (st != NULL)
			ADD(st->blocked_ns, ns);
		return;
	}
	st = stats_of(m, s->name);
	if (st == NULL)
		return;
	ADD(st->calls, 1);
	ADD(st->total_ns, ns);
	if (ns > st->max_ns)
		PUT(st->max_ns, ns);
}

/* Takes slot i out; shows what is innermost then. */
static void
span_close(struct model *m, struct location *l, uint32_t i, int64_t t)
{
	struct slot gone = l->stack[i], *s;
	uint32_t was = l->top;
	uint16_t state;

	l->stack[i].span = SPAN_none;
	while (l->top > 0 && l->stack[l->top - 1].span == SPAN_none)
		l->top--;
	span_count(m, l, &gone, t);
	s = l->top == 0 ? NULL : &l->stack[l->top - 1];
	state = s == NULL ? base_state(m, l) : slot_state(m, s, 0);
	if (i + 1 == was)
		lane_change(m, l->lane, t, state, s == NULL ? 0 : s->number);
	if (!is_wait(gone.span)) {
		depth_change(m, l, gone.depth, t,
		    gone.depth == 0 ? base_state(m, l)
				    : lane_state(m, LANE_idle, 0, 0, 0),
		    0);
	} else if ((s = inner(l)) != NULL) {
		depth_change(m, l, s->depth, t, slot_state(m, s, 0), s->number);
	} else {
		depth_change(m, l, 0, t, base_state(m, l), 0);
	}
}

static void
span_pop(struct model *m, struct location *l, const struct event *e,
    uint8_t span)
{
	uint32_t found = UINT32_MAX;

	if (l->over > 0 && !is_wait(span)) {
		l->over--;
		return;
	}
	for (uint32_t i = l->top; i > 0; i--) {
		struct slot *s = &l->stack[i - 1];

		if (s->span != span)
			continue;
		if (found == UINT32_MAX)
			found = i - 1;
		if (span != SPAN_task)
			break;
		if (s->id == e->a) {
			found = i - 1;
			break;
		}
	}
	if (found == UINT32_MAX)
		return;
	/* what began before a loss and lies above has surely ended too */
	for (uint32_t i = l->top; i > found + 1; i--)
		if (l->stack[i - 1].span != SPAN_none && l->stack[i - 1].stale)
			span_close(m, l, i - 1, e->t_mon_ns);
	span_close(m, l, found, e->t_mon_ns);
}

/*
 * Records are missing between the last event and this one: nobody knows what
 * the thread did.  Tasks and waits are short and taken to be over; functions,
 * blocks and phases are believed to go on until something speaks against it.
 */
static void
thread_lost(struct model *m, struct location *l, const struct event *e)
{
	int64_t from = l->last_ns == INT64_MIN ? e->t_mon_ns : l->last_ns;
	struct slot *s;
	uint16_t lost = lane_state(m, LANE_lost, SPAN_none, 0, 1);

	l->lost_ns = e->t_mon_ns;
	loss_add(m, from, e->t_mon_ns);
	for (uint32_t i = l->top; i > 0 && i <= l->top; i--) {
		s = &l->stack[i - 1];
		if (s->span == SPAN_none)
			continue;
		if (s->span == SPAN_task || is_wait(s->span))
			span_close(m, l, i - 1, from);
		else
			s->stale = 1;
	}
	lane_change(m, l->lane, from, lost, 0);
	s = l->top == 0 ? NULL : &l->stack[l->top - 1];
	lane_change(m, l->lane, e->t_mon_ns,
	    s == NULL ? base_state(m, l) : slot_state(m, s, 0),
	    s == NULL ? 0 : s->number);
	l->over = 0;
}

static void
thread_over(struct model *m, struct location *l, int64_t t)
{
	uint16_t idle = lane_state(m, LANE_idle, 0, 0, 0);

	l->said = 0; /* that it is at work, or waits, is no longer so */
	while (l->top > 0)
		span_close(m, l, l->top - 1, t);
	lane_change(m, l->lane, t, idle, 0);
	depth_change(m, l, 0, t, idle, 0);
	atomic_store_explicit(&lane_at(m, l->lane)->end_ns, t,
	    memory_order_relaxed);
}

/* With a process its threads end, also those that could not say so. */
void
thread_process_over(struct model *m, uint32_t po_lane, int64_t t)
{
	struct location *l;
	struct lane_data *c;
	uint32_t lane = model_lane_first_child(m, po_lane);

	for (; lane != UINT32_MAX; lane = model_lane_next_sibling(m, lane)) {
		c = lane_at(m, lane);
		if (c->pub.kind != LANE_THREAD ||
		    atomic_load_explicit(&c->end_ns, memory_order_relaxed) !=
			INT64_MAX)
			continue;
		l = chunk_at(&defs_of(m)->locations, c->pub.location);
		thread_over(m, l, t > l->last_ns ? t : l->last_ns);
	}
}

void
thread_reopen(struct model *m, struct location *l)
{
	const struct slot *s;
	uint16_t state;

	for (uint32_t i = 0; i < l->top; i++) {
		s = &l->stack[i];
		if (s->span == SPAN_none)
			continue;
		state = slot_state(m, s, 1);
		lane_change(m, l->lane, s->t0_ns, state, s->number);
		depth_change(m, l, s->depth, s->t0_ns, state, s->number);
	}
}

void
thread_event(struct model *m, struct location *l, const struct event *e,
    uint32_t task)
{
	const struct kind_info *k = &held_of(m)->kinds[e->kind];
	uint32_t number = task == TASK_NONE ? 0 : task + 1, name;

	if (k->shape == SHAPE_BEGIN) {
		name = k->named ? e->c : 0;
		if (name == 0 && k->span == SPAN_task && task != TASK_NONE)
			name = model_task_name(whole_of(m), task);
		if (e->kind == EV_lock_wait)
			number = lock_lane(m, e) + 1;
		span_push(m, l, e, k->span, name, number);
	} else if (k->shape == SHAPE_END) {
		span_pop(m, l, e, k->span);
	} else if (e->kind == EV_state) {
		l->said = e->c;
		if (l->top == 0)
			lane_change(m, l->lane, e->t_mon_ns, base_state(m, l),
			    0);
	} else if (e->kind == EV_lost) {
		thread_lost(m, l, e);
	} else if (e->kind == EV_thread_end) {
		thread_over(m, l, e->t_mon_ns);
	} else if (l->last_ns == INT64_MIN) {
		/* it exists from its first event on */
		lane_change(m, l->lane, e->t_mon_ns, base_state(m, l), 0);
	}
}
