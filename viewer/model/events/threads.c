/*
 * What events say of what a thread is doing, which is a stack of spans
 * (spans.c).
 *
 * END closes the innermost span of its kind (of its task, if it names one),
 * wherever it is in the stack; what is left open above it stays, and moves up.
 * A task that is suspended takes what was begun in it along (shelf.c).
 */
#include <stdlib.h>

#include "events_inside.h"
#include "model/keep/memory.h"
#include "model/measured/part.h"
#include "model/run/cpu.h"

/*
 * Changes of rows that moving spans may cost, at first and for each event: who
 * makes a log by hand could have each event move all that is open.
 */
#define MOVES_FIRST (UINT64_C(1) << 22)
#define MOVES_EVENT 64

/* May those above slot i be moved?  Else they end with it. */
static bool
may_move(const struct location *l, uint32_t i)
{
	return (
	    l->moved + (l->top - i) <= MOVES_FIRST + l->spans * MOVES_EVENT);
}

/* The innermost of a kind; a task's is that of the task.  UINT32_MAX: none. */
static uint32_t
span_find(const struct location *l, uint8_t span, uint64_t id)
{
	uint32_t found = UINT32_MAX;

	for (uint32_t i = l->top; i > 0; i--) {
		if (l->stack[i - 1].span != span)
			continue;
		if (span != SPAN_task || l->stack[i - 1].id == id)
			return (i - 1);
		if (found == UINT32_MAX)
			found = i - 1;
	}
	return (found);
}

/* Slots from i on go with the task. */
static void
task_leaves(struct model *m, struct location *l, uint32_t i,
    const struct event *e)
{
	uint32_t was = depth_next(l), n = l->top - i;
	struct slot *s = &l->stack[i];
	bool alone = n == 1 && s->id == e->a && s->number != 0 &&
		     s->name == model_task_name(whole_of(m), s->number - 1);

	for (uint32_t k = l->top; k > i; k--) {
		if (l->stack[k - 1].function != NULL)
			PUT(l->stack[k - 1].function->parted, 1);
		span_off(m, l, &l->stack[k - 1], e->t_mon_ns);
	}
	if (alone) {
		shelf_drop(m, e->a);
		if (fetched_of(m)->whole == NULL)
			task_put_aside(m, s->number - 1, s->ran_ns);
	} else {
		shelf_put(m, e->a, s, n);
	}
	l->top = i;
	own_show(m, l, e->t_mon_ns, GOES_ON);
	rows_empty(m, l, depth_next(l), was, e->t_mon_ns);
}

static void
task_comes(struct model *m, struct location *l, const struct event *e,
    uint32_t name, uint32_t number)
{
	struct slot alone = { .id = e->a,
		.name = name,
		.number = number,
		.span = SPAN_task,
		.class = LANE_running },
		    *s;
	uint32_t n = shelf_take(m, e->a, &s);

	if (n == 0) {
		if (fetched_of(m)->whole == NULL) {
			alone.function = function_of(m, SPAN_task, name);
			alone.ran_ns =
			    number == 0 ? 0 : task_take_back(m, number - 1);
		}
		span_back(m, l, &alone, e->t_mon_ns, true);
		return;
	}
	ADD(l->moved, n);
	for (uint32_t i = 0; i < n; i++)
		span_back(m, l, &s[i], e->t_mon_ns, i + 1 == n);
	memory_free(s);
}

/*
 * Which one ends.  A call that began before a loss may be over, and the leave
 * that comes may be of one further out: it says of which.
 */
static uint32_t
span_meant(const struct location *l, const struct event *e, uint8_t span)
{
	uint32_t found = span_find(l, span, e->a);

	if (span != SPAN_call || found == UINT32_MAX || !l->stack[found].stale)
		return (found);
	for (uint32_t i = found + 1; i > 0; i--)
		if (l->stack[i - 1].span == SPAN_call &&
		    l->stack[i - 1].name == e->c)
			return (i - 1);
	return (found);
}

static void
span_pop(struct model *m, struct location *l, const struct event *e,
    uint8_t span)
{
	uint32_t found;

	if (l->over > 0 && !span_is_wait(span)) {
		l->over--;
		return;
	}
	found = span_meant(l, e, span);
	if (e->kind == EV_task_end)
		shelf_drop(m, e->a);
	if (found == UINT32_MAX)
		return;
	/* what began before a loss and lies above has surely ended too */
	for (uint32_t i = l->top; i > found + 1; i--)
		if (l->stack[i - 1].stale)
			span_close(m, l, i - 1, e->t_mon_ns);
	while (l->top > found + 1 && !may_move(l, found))
		span_close(m, l, l->top - 1, e->t_mon_ns);
	if (l->stack[found].class == LANE_wait_lock) {
		l->waited_from_ns = l->stack[found].t0_ns;
		l->waited_until_ns = e->t_mon_ns;
	}
	if (span == SPAN_block)
		l->last_block = l->stack[found].id;
	if (e->kind == EV_phase_end)
		phase_add(m, l, &l->stack[found], e->t_mon_ns, e->a);
	if (e->kind == EV_task_suspend)
		task_leaves(m, l, found, e);
	else
		span_close(m, l, found, e->t_mon_ns);
}

/*
 * Records are missing between the last event and this one: nobody knows what
 * the thread did, until it tells of itself again.  Tasks, waits and holds of
 * locks are short and taken to be over; functions, blocks and phases are
 * believed to go on until something speaks against it.
 */
static void
thread_lost(struct model *m, struct location *l, const struct event *e)
{
	int64_t from = l->last_ns == INT64_MIN ? e->t_mon_ns : l->last_ns;
	struct slot *s;

	loss_add(m, from, e->t_mon_ns);
	for (uint32_t i = l->top; i > 0; i--) {
		s = &l->stack[i - 1];
		if (s->span == SPAN_task || span_is_wait(s->span))
			span_close(m, l, i - 1, from);
		else
			s->stale = 1;
	}
	locks_let_go(m, l, from, true);
	l->over = 0;
	if (l->is_over)
		return;
	lane_change(m, l->lane, from, lane_state(m, LANE_lost, SPAN_none, 0, 1),
	    0);
	l->is_lost = 1;
}

static void
thread_over(struct model *m, struct location *l, int64_t t)
{
	uint16_t idle = lane_state(m, LANE_idle, 0, 0, 0);

	l->said = 0; /* that it is at work, or waits, is no longer so */
	l->is_lost = 0;
	l->is_over = 1;
	while (l->top > 0)
		span_close(m, l, l->top - 1, t);
	lane_change(m, l->lane, t, idle, 0);
	depth_empty(m, l, 0, t, idle);
	functions_forget(l);
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

	atomic_store_explicit(&lane_at(m, po_lane)->end_ns, t,
	    memory_order_relaxed);
	for (; lane != UINT32_MAX; lane = model_lane_next_sibling(m, lane)) {
		c = lane_at(m, lane);
		if (c->pub.kind != LANE_THREAD)
			continue;
		l = chunk_at(&defs_of(m)->locations, c->pub.location);
		locks_let_go(m, l, t > l->last_ns ? t : l->last_ns, false);
		l->is_over = 1; /* of a part of the run it is known before */
		if (atomic_load_explicit(&c->end_ns, memory_order_relaxed) !=
		    INT64_MAX)
			continue;
		thread_over(m, l, t > l->last_ns ? t : l->last_ns);
	}
}

static uint32_t
task_name_or(struct model *m, uint32_t task, uint32_t other)
{
	uint32_t name = model_task_name(whole_of(m), task);

	return (name != 0 ? name : other);
}

/* Its last name counts, whichever comes last. */
static void
thread_renamed(struct model *m, struct location *l, const struct event *e)
{
	struct lane_data *lane = lane_at(m, l->lane);
	bool first = atomic_load(&lane->renamed) == 0;

	if (fetched_of(m)->whole != NULL || e->c == 0 ||
	    (!first && e->t_mon_ns < lane->renamed_ns))
		return;
	lane->renamed_ns = e->t_mon_ns;
	atomic_store_explicit(&lane->renamed, e->c, memory_order_release);
}

static void
thread_begun(struct model *m, const struct location *l, const struct event *e)
{
	struct lane_data *lane = lane_at(m, l->lane);

	if (fetched_of(m)->whole == NULL && atomic_load(&lane->begun) == 0)
		atomic_store_explicit(&lane->begun, e->c, memory_order_release);
}

void
thread_event(struct model *m, struct location *l, const struct event *e,
    uint32_t task)
{
	const struct kind_info *k = &held_of(m)->kinds[e->kind];
	uint32_t number = task == TASK_NONE ? 0 : task + 1, name;

	l->spans += k->shape != SHAPE_POINT;
	if (l->is_lost && e->kind != EV_lost) {
		l->is_lost = 0;
		own_show(m, l, e->t_mon_ns, GOES_ON);
	}
	if (e->kind == EV_thread_name)
		thread_renamed(m, l, e);
	if (e->kind == EV_thread_begin)
		thread_begun(m, l, e);
	if (k->shape == SHAPE_BEGIN || k->shape == SHAPE_END)
		cpu_seen(l);
	if (k->shape == SHAPE_BEGIN) {
		name = k->named ? e->c : 0;
		if (k->span == SPAN_task && task != TASK_NONE &&
		    (name == 0 || e->kind == EV_task_resume))
			name = task_name_or(m, task, name);
		if (e->kind == EV_task_resume) {
			task_comes(m, l, e, name, number);
			return;
		}
		if (k->span == SPAN_wait_lock || k->span == SPAN_wait_sync)
			number = wait_lane(m, l, e) + 1;
		span_push(m, l, e, k->span, name, number);
	} else if (k->shape == SHAPE_END) {
		span_pop(m, l, e, k->span);
	} else if (e->kind == EV_state) {
		l->said = e->c;
		if (l->top == 0) {
			lane_change(m, l->lane, e->t_mon_ns,
			    base_state(m, l, true), 0);
			depth_empty(m, l, 0, e->t_mon_ns,
			    base_state(m, l, false));
		}
	} else if (e->kind == EV_lost) {
		thread_lost(m, l, e);
	} else if (e->kind == EV_thread_end) {
		thread_over(m, l, e->t_mon_ns);
	} else if (l->last_ns == INT64_MIN) {
		/* it exists from its first event on */
		lane_change(m, l->lane, e->t_mon_ns, base_state(m, l, false),
		    0);
	}
}
