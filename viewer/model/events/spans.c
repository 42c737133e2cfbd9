/*
 * The stack of spans that a thread is in.  A span that is put there, taken out
 * or taken along shows on the thread's lane if it is the innermost, and on the
 * row of its depth (depths.c).  Waits lie over the span in which they happen,
 * take no depth, and count for all functions that the thread is in then.
 */
#include <errno.h>
#include <string.h>

#include "events_inside.h"
#include "model/keep/memory.h"
#include "model/run/opened.h"

#define STATE_IDLE 0    /* see state_new() */
#define OUTER_MOST 4096 /* functions for which a wait counts, the innermost */

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

uint16_t
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
	text = model_name_recorded(whole_of(m), l->said);
	for (size_t i = 0; text != NULL && i < sizeof(words) / sizeof(*words);
	     i++)
		/* with each event: most words differ in their first letter */
		if (text[0] == words[i].word[0] &&
		    strcmp(text, words[i].word) == 0)
			return (words[i].class);
	return (LANE_running);
}

/* That shows when it is in no span; said: it says so just now. */
uint16_t
base_state(struct model *m, const struct location *l, bool said)
{
	uint8_t class = said_class(m, l);

	return (lane_state(m, class, SPAN_none,
	    class == LANE_idle ? 0 : l->said, said && class != LANE_idle));
}

/* Innermost span that is no wait; NULL: none. */
static struct slot *
inner(const struct location *l)
{
	uint32_t in = l->top == 0 ? 0 : l->stack[l->top - 1].in;

	return (in == 0 ? NULL : &l->stack[in - 1]);
}

static bool
is_whole(const struct model *m)
{
	return (fetched_of(m)->whole == NULL);
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

/* What is waited for has a lane that counts who waits. */
static void
wait_is_at(struct model *m, const struct slot *s, int64_t t, int by)
{
	if (s->number != 0 &&
	    (s->span == SPAN_wait_lock || s->span == SPAN_wait_sync))
		wait_lane_count(m, s->number - 1, t, by);
}

static struct slot *
stack_add(struct model *m, struct location *l)
{
	struct slot *s;
	uint32_t cap;

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
	return (&l->stack[l->top++]);
}

/* Slot i stands on those below it. */
static void
slot_place(struct location *l, uint32_t i)
{
	struct slot *s = &l->stack[i];
	uint32_t below = i == 0 ? 0 : l->stack[i - 1].in;
	uint32_t depth = below == 0 ? 0 : l->stack[below - 1].depth;

	s->depth = span_is_wait(s->span) || below == 0 ? depth : depth + 1;
	s->in = span_is_wait(s->span) ? below : i + 1;
	s->chain = s->outer ? i + 1 : i == 0 ? 0 : l->stack[i - 1].chain;
}

/* The thread's lane shows the top. */
void
own_show(struct model *m, struct location *l, int64_t t, enum fresh fresh)
{
	const struct slot *s = l->top == 0 ? NULL : &l->stack[l->top - 1];

	lane_change(m, l->lane, t,
	    s == NULL ? base_state(m, l, false) : slot_state(m, s, fresh),
	    s == NULL ? 0 : s->number);
}

/* The row of its depth shows a span, or a wait that lies over it. */
static void
row_show(struct model *m, struct location *l, const struct slot *s, int64_t t,
    enum fresh fresh)
{
	depth_show(m, l, s->depth, t, slot_state(m, s, fresh), s->number);
}

/* Those from slot i on are shown in their rows again. */
static void
rows_show(struct model *m, struct location *l, uint32_t i, int64_t t)
{
	ADD(l->moved, l->top - i);
	for (; i < l->top; i++)
		row_show(m, l, &l->stack[i], t, GOES_ON);
}

/* Nothing is in the rows from `from` to `until` - 1 any more. */
void
rows_empty(struct model *m, struct location *l, uint32_t from, uint32_t until,
    int64_t t)
{
	const struct slot *s = inner(l);

	if (from < until && from >= l->depths && s != NULL)
		row_show(m, l, s, t, GOES_ON);
	for (; from < until && from < l->depths; from++)
		depth_empty(m, l, from, t,
		    from == 0 ? base_state(m, l, false) : STATE_IDLE);
}

uint32_t
depth_next(const struct location *l)
{
	const struct slot *s = inner(l);

	return (s == NULL ? 0 : s->depth + 1);
}

void
span_push(struct model *m, struct location *l, const struct event *e,
    uint8_t span, uint32_t name, uint32_t number)
{
	bool wait = span_is_wait(span);
	const struct slot *in = inner(l);
	uint32_t depth = in == NULL ? 0 : in->depth + !wait;
	uint8_t class =
	    wait ? thread_wait_class(m, l, in, e, span) : span_class(span);
	uint16_t state = lane_state(m, class, span, name, BEGINS);
	struct function *f = wait || !is_whole(m)
				 ? NULL
				 : function_of_state(m, state, span, name);
	struct slot *s;

	if (f != NULL)
		ADD(f->stats.calls, 1);
	if (depth > DEPTH_MAX || l->top >= STACK_MAX) {
		l->over++;
		return;
	}
	if (depth >= l->depths && depth > 0)
		depth_make(m, l, depth); /* before the lane changes */
	if ((s = stack_add(m, l)) == NULL)
		return;
	*s = (struct slot){ .id = e->a,
		.t0_ns = e->t_mon_ns,
		.began_ns = e->t_mon_ns,
		.name = name,
		.number = number,
		.function = f,
		.span = span,
		.class = class };
	if (f != NULL) {
		function_begins(m, l, s, e->t_mon_ns);
		ADD(f->stats.outer, s->outer);
	}
	slot_place(l, l->top - 1);
	wait_is_at(m, s, e->t_mon_ns, 1);
	lane_change(m, l->lane, e->t_mon_ns, state, number);
	depth_show(m, l, depth, e->t_mon_ns, state, number);
	s->nth = row_nth(m, l, depth);
}

/* Of tasks: on which PE, and the longest, which is all of one. */
static void
stretch_count(struct model *m, struct slot *s, int64_t ns, int64_t outer)
{
	struct name_stats *st =
	    s->function == NULL ? NULL : &s->function->stats;
	uint32_t pe;
	int64_t busy = task_ran(m, s->number - 1, ns, &pe);

	if (st == NULL)
		return;
	if (s->whole) /* since the last loss, if there was one */
		busy = s->ran_ns;
	if (outer > 0)
		ADD(st->by_pe[pe < 15 ? pe : 15], (uint64_t)outer);
	if (busy > st->max_ns)
		PUT(st->max_ns, busy);
}

/* Of the function that it lies over, and of all further out. */
static void
wait_count(const struct location *l, const struct slot *s, int64_t ns)
{
	const struct slot *in;

	if (s->in == 0)
		return;
	in = &l->stack[s->in - 1];
	if (in->function != NULL)
		ADD(in->function->stats.blocked_ns, ns);
	for (uint32_t i = in->chain, n = 0; i != 0 && n < OUTER_MOST; n++) {
		ADD(l->stack[i - 1].function->stats.waits_ns, ns);
		i = i == 1 ? 0 : l->stack[i - 2].chain;
	}
}

/* The outermost of its function goes: of those above it one is that now. */
static void
outer_next(const struct location *l, const struct slot *gone)
{
	for (uint32_t i = 0; i < l->top; i++)
		if (l->stack[i].function == gone->function &&
		    !l->stack[i].outer) {
			l->stack[i].outer = 1;
			return;
		}
}

/* It is not on the stack any more: what it had by being there. */
void
span_off(struct model *m, struct location *l, struct slot *s, int64_t t)
{
	int64_t ns = t > s->t0_ns ? t - s->t0_ns : 0, outer;

	wait_is_at(m, s, t, -1);
	if (!is_whole(m)) /* it has been counted */
		return;
	if (span_is_wait(s->span)) {
		wait_count(l, s, ns);
		return;
	}
	outer = s->function == NULL ? -1 : function_ends(l, s, t);
	if (outer == -1 && s->outer)
		outer_next(l, s);
	if (s->span == SPAN_task && s->number != 0)
		stretch_count(m, s, ns, outer);
}

/* How long it took in all, and if it was the outermost of its function. */
static void
function_over(struct model *m, const struct location *l,
    const struct slot *gone, int64_t t)
{
	struct function *f = gone->function;
	struct slow_call slow;

	if (f == NULL)
		return;
	if (gone->ran_ns > f->stats.max_ns)
		PUT(f->stats.max_ns, gone->ran_ns);
	slow = (struct slow_call){ gone->began_ns,
		t > gone->began_ns ? t - gone->began_ns : 0, l->lane,
		gone->number, gone->depth, gone->nth };
	if (slowest_add(&f->slowest, &slow, &held_of(m)->bytes) == -1 ||
	    (gone->whole && durations_add(&f->lasted, gone->ran_ns,
				&held_of(m)->bytes) == -1))
		held_of(m)->failed = ENOMEM;
}

/* The rows, when a span is gone from slot i, and `was` were in use. */
static void
rows_close(struct model *m, struct location *l, uint32_t i,
    const struct slot *gone, uint32_t was, int64_t t)
{
	const struct slot *s = l->top == 0 ? NULL : &l->stack[l->top - 1];

	if (span_is_wait(gone->span) && i > 0)
		row_show(m, l, &l->stack[i - 1], t, GOES_ON);
	else if (span_is_wait(gone->span))
		depth_empty(m, l, 0, t, base_state(m, l, false));
	rows_empty(m, l, depth_next(l), was, t);
	if (i < l->top)
		rows_show(m, l, i, t);
	else if (!span_is_wait(gone->span) && s != NULL && s->in == 0)
		row_show(m, l, s, t, GOES_ON); /* a wait over nothing */
}

/* Slot i is taken out; those above it stay, and move up. */
void
span_close(struct model *m, struct location *l, uint32_t i, int64_t t)
{
	struct slot gone = l->stack[i];
	uint32_t above = l->top - i - 1, was = depth_next(l);
	const struct slot *top;

	span_off(m, l, &gone, t);
	function_over(m, l, &gone, t);
	l->top--;
	if (above > 0)
		memmove(&l->stack[i], &l->stack[i + 1], above * sizeof(gone));
	for (uint32_t k = i; k < l->top; k++)
		slot_place(l, k);
	if (l->depths > 0)
		rows_close(m, l, i, &gone, was, t);
	top = l->top == 0 ? NULL : &l->stack[l->top - 1];
	/* without rows this lane is one: what a wait lay over is over */
	if (l->depths == 0 && !span_is_wait(gone.span) && top != NULL &&
	    top->in == 0) {
		lane_change(m, l->lane, t, base_state(m, l, false), 0);
		above = 0;
	}
	if (above == 0)
		own_show(m, l, t, GOES_ON);
}

/* A span is back; last: that is all, which the thread's lane notes. */
void
span_back(struct model *m, struct location *l, const struct slot *from,
    int64_t t, bool last)
{
	const struct slot *in = inner(l);
	struct slot *s;

	if (depth_next(l) > DEPTH_MAX || l->top >= STACK_MAX)
		return;
	if (in != NULL && !span_is_wait(from->span))
		depth_make(m, l, depth_next(l));
	if ((s = stack_add(m, l)) == NULL)
		return;
	*s = *from;
	s->t0_ns = t;
	if (s->function != NULL)
		function_begins(m, l, s, t);
	slot_place(l, l->top - 1);
	wait_is_at(m, s, t, 1);
	own_show(m, l, t, last ? COMES_BACK : GOES_ON);
	row_show(m, l, s, t, COMES_BACK);
}
