/*
 * What threads are in: functions, tasks, blocks, remote calls that they serve,
 * phases, waits; and from that the figures of functions.
 *
 * A thread has a stack of frames.  An end takes out the innermost frame of its
 * span, wherever that stands.  A task that is suspended takes the frames above
 * its own with it; they lie on its shelf until it goes on, there or on another
 * thread.  A function's time runs while at least one frame of it is on the
 * stack of a thread, and its self time while nothing but waits is above it.
 */
#include <stdlib.h>

#include "tally_inside.h"

struct scope {
	struct scope *below, *above;
	struct scope *same; /* the next one below of this span */
	uint64_t task;      /* of a task: its id */
	uint32_t row, name; /* of functions */
	uint8_t span;
	bool stale, outer; /* outer: there is time in ns */
	int64_t ns, cpu_ns;
};

struct tally_stack {
	struct scope *top, *inner[EVENT_SPANS];
	int64_t top_mon_ns; /* since when it is the top one */
	int64_t top_cpu_ns; /* what the thread had had then; -1: unknown */
};

struct open {
	uint32_t frames;
	int64_t since_mon_ns, since_cpu_ns;
};

struct shelf {
	struct scope *bottom; /* linked by above */
};

static struct scope *
frame_new(struct tally *t)
{
	struct tally_inside *in = t->inside;
	struct scope *f = in->spare;

	if (f != NULL)
		in->spare = f->below;
	else
		f = tally_space(in, sizeof(*f));
	if (f != NULL)
		*f = (struct scope){ 0 };
	return (f);
}

static void
frame_free(struct tally *t, struct scope *f)
{
	f->below = t->inside->spare;
	t->inside->spare = f;
}

static struct tally_function *
function_of(struct tally *t, const struct tally_thread *th, uint8_t span,
    uint32_t name)
{
	uint64_t key = tally_key(name, th->program * EVENT_SPANS + span);
	struct tally_function *fn;
	bool fresh;

	fn = tally_row(&t->inside->function, key, &t->functions, &t->nfunctions,
	    sizeof(*fn), &fresh);
	if (fn != NULL && fresh) {
		fn->name = name;
		fn->program = th->program;
		fn->span = span;
	}
	return (fn);
}

static struct open *
open_of(struct tally *t, const struct tally_thread *th, uint32_t row)
{
	bool fresh;

	return (tally_thing(t->inside, &t->inside->open,
	    tally_key((uint32_t)(th - t->threads), row), sizeof(struct open),
	    &fresh));
}

/* From one reading of a thread's clock to another; false: not known. */
static bool
cpu_between(int64_t from_ns, int64_t to_ns, int64_t *ns)
{
	*ns = from_ns >= 0 && to_ns > from_ns ? to_ns - from_ns : 0;
	return (from_ns >= 0 && to_ns >= 0);
}

static bool
is_wait(const struct scope *f)
{
	return (f->span >= SPAN_wait_message);
}

/* Another function is the top one from now on.  Returns the thread's clock. */
static int64_t
count_self(struct tally *t, struct tally_thread *th, int64_t now)
{
	struct tally_stack *s = th->stack;
	int64_t cpu_ns = tally_cpu_ns(t, th, now), ns;
	const struct scope *top = s->top;
	struct tally_function *fn;

	while (top != NULL && is_wait(top))
		top = top->below;
	if (top != NULL) {
		fn = &t->functions[top->row];
		fn->self_ns += tally_span_ns(s->top_mon_ns, now);
		fn->cpu_unknown |= !cpu_between(s->top_cpu_ns, cpu_ns, &ns);
		fn->self_cpu_ns += (uint64_t)ns;
	}
	s->top_mon_ns = now;
	s->top_cpu_ns = cpu_ns;
	return (cpu_ns);
}

/* A frame of a function is about to be on the stack, or off it. */
static int
function_on(struct tally *t, struct tally_thread *th, const struct scope *f,
    int64_t now)
{
	struct open *o = open_of(t, th, f->row);
	int64_t cpu_ns;

	if (o == NULL)
		return (-1);
	cpu_ns = count_self(t, th, now);
	if (o->frames++ == 0) {
		o->since_mon_ns = now;
		o->since_cpu_ns = cpu_ns;
	}
	return (0);
}

static int
function_off(struct tally *t, struct tally_thread *th, struct scope *f,
    int64_t now)
{
	struct open *o = open_of(t, th, f->row);
	int64_t cpu_ns, ns;

	if (o == NULL)
		return (-1);
	cpu_ns = count_self(t, th, now);
	if (--o->frames == 0) {
		f->outer = true;
		f->ns += (int64_t)tally_span_ns(o->since_mon_ns, now);
		(void)cpu_between(o->since_cpu_ns, cpu_ns, &ns);
		f->cpu_ns += ns;
	}
	return (0);
}

static int
push(struct tally *t, struct tally_thread *th, struct scope *f, int64_t now)
{
	struct tally_span *state = &th->span[f->span];
	struct tally_stack *s = th->stack;

	if (!is_wait(f) && function_on(t, th, f, now) == -1)
		return (-1);
	f->above = NULL;
	f->below = s->top;
	if (s->top != NULL)
		s->top->above = f;
	s->top = f;
	f->same = s->inner[f->span];
	s->inner[f->span] = f;
	if (state->depth++ == 0)
		state->since_mon_ns = now;
	return (0);
}

/* Takes out a frame, and counts what its function has had by it. */
static int
take_out(struct tally *t, struct tally_thread *th, struct scope *f, int64_t now)
{
	struct tally_span *state = &th->span[f->span];
	struct tally_stack *s = th->stack;
	struct scope **at = &s->inner[f->span];

	if (!is_wait(f) && function_off(t, th, f, now) == -1)
		return (-1);
	while (*at != f)
		at = &(*at)->same;
	*at = f->same;
	if (f->below != NULL)
		f->below->above = f->above;
	if (f->above != NULL)
		f->above->below = f->below;
	else
		s->top = f->below;
	if (--state->depth == 0)
		state->total_ns += now - state->since_mon_ns;
	return (0);
}

/* It is over. */
static int
count_frame(struct tally *t, struct scope *f)
{
	int rc = 0;

	if (!is_wait(f))
		t->functions[f->row].cpu_ns += (uint64_t)f->cpu_ns;
	if (f->outer)
		rc = tally_times_add(&t->functions[f->row].times, f->ns);
	frame_free(t, f);
	return (rc);
}

static int
close_frame(struct tally *t, struct tally_thread *th, struct scope *f,
    int64_t now)
{
	return (take_out(t, th, f, now) == -1 ? -1 : count_frame(t, f));
}

/* The task goes on here with what was open in it. */
static int
unshelve(struct tally *t, struct tally_thread *th, const struct event *e)
{
	struct shelf *shelf = intmap_find(&t->inside->shelved, e->a);
	struct scope *f, *next;

	if (shelf == NULL)
		return (0);
	f = shelf->bottom;
	for (shelf->bottom = NULL; f != NULL; f = next) {
		next = f->above;
		if (push(t, th, f, e->t_mon_ns) == -1)
			return (-1);
	}
	return (0);
}

static int
begin(struct tally *t, struct tally_thread *th, const struct event_desc *d,
    const struct event *e)
{
	struct tally_function *fn;
	struct scope *f = frame_new(t);

	if (f == NULL)
		return (-1);
	f->span = d->span;
	if (!is_wait(f)) {
		if ((fn = function_of(t, th, d->span, e->c)) == NULL)
			return (-1);
		fn->calls++;
		f->row = (uint32_t)(fn - t->functions);
		f->name = e->c;
	}
	f->task = d->span == SPAN_task ? e->a : 0;
	th->span[d->span].count++;
	if (push(t, th, f, e->t_mon_ns) == -1)
		return (-1);
	return (d->span == SPAN_task ? unshelve(t, th, e) : 0);
}

/* What lies above a task's frame goes onto its shelf, unless a task is there.
 */
static int
shelve(struct tally *t, struct tally_thread *th, const struct scope *task,
    int64_t now)
{
	struct tally_stack *s = th->stack;
	struct shelf *shelf;
	struct scope *f;
	bool fresh;

	if (s->inner[SPAN_task] != task || s->top == task)
		return (0);
	shelf = tally_thing(t->inside, &t->inside->shelved, task->task,
	    sizeof(*shelf), &fresh);
	if (shelf == NULL)
		return (-1);
	while ((f = s->top) != task) {
		if (take_out(t, th, f, now) == -1)
			return (-1);
		f->above = shelf->bottom;
		shelf->bottom = f;
	}
	return (0);
}

/* The innermost frame of a span; of tasks that of this task, if it is there. */
static struct scope *
innermost(const struct tally_stack *s, uint8_t span, uint64_t task)
{
	struct scope *f = s->inner[span];

	if (span == SPAN_task)
		for (; f != NULL && f->task != task; f = f->same)
			;
	return (f != NULL ? f : s->inner[span]);
}

/*
 * Which frame an end ends.  A call that began before a loss may be over, and
 * the leave that comes may be of one further out: it says of which.
 */
static struct scope *
meant(const struct tally_stack *s, uint8_t span, const struct event *e)
{
	struct scope *f = innermost(s, span, e->a), *named = f;

	if (span != SPAN_call || f == NULL || !f->stale)
		return (f);
	while (named != NULL && named->name != e->c)
		named = named->same;
	return (named != NULL ? named : f);
}

/* What began before a loss and lies above it has surely ended too. */
static int
close_stale(struct tally *t, struct tally_thread *th, const struct scope *f,
    int64_t now)
{
	struct scope *above, *below;

	for (above = th->stack->top; above != f; above = below) {
		below = above->below;
		if (above->stale && close_frame(t, th, above, now) == -1)
			return (-1);
	}
	return (0);
}

static int
end(struct tally *t, struct tally_thread *th, const struct event_desc *d,
    const struct event *e)
{
	struct tally_stack *s = th->stack;
	struct scope *f = meant(s, d->span, e);

	if (f == NULL)
		return (0);
	if (close_stale(t, th, f, e->t_mon_ns) == -1)
		return (-1);
	if (e->kind == EV_task_suspend && f->task == e->a &&
	    shelve(t, th, f, e->t_mon_ns) == -1)
		return (-1);
	return (close_frame(t, th, f, e->t_mon_ns));
}

int
tally_scope(struct tally *t, struct tally_thread *th,
    const struct event_desc *d, const struct event *e)
{
	if (d->shape == SHAPE_POINT)
		return (0);
	if (th->stack == NULL &&
	    (th->stack = tally_space(t->inside, sizeof(*th->stack))) == NULL)
		return (-1);
	return ((d->shape == SHAPE_BEGIN ? begin : end)(t, th, d, e));
}

int
tally_waits(struct tally *t, const struct event *e)
{
	struct tally_thread *th = tally_this(t);
	uint8_t span = defs_kind(t->inside->defs, e->kind)->span;
	struct tally_function *fn = function_of(t, th, span, e->c);

	if (fn == NULL)
		return (-1);
	fn->calls++;
	th->waits_in = (uint32_t)(fn - t->functions) + 1;
	th->waits_since_mon_ns = e->t_mon_ns;
	return (0);
}

static int
wait_ends(struct tally *t, struct tally_thread *th, int64_t now)
{
	struct tally_function *fn;

	if (th->waits_in == 0)
		return (0);
	fn = &t->functions[th->waits_in - 1];
	th->waits_in = 0;
	return (tally_times_add(&fn->times, now - th->waits_since_mon_ns));
}

int
tally_waited(struct tally *t, const struct event *e)
{
	return (wait_ends(t, tally_this(t), e->t_mon_ns));
}

int
tally_gap(struct tally *t, const struct event *e)
{
	struct tally_function *fn =
	    function_of(t, tally_this(t), SPAN_none, e->c);

	if (fn == NULL)
		return (-1);
	fn->calls++;
	return (0);
}

int
tally_scope_lost(struct tally *t, struct tally_thread *th)
{
	struct scope *f = th->stack == NULL ? NULL : th->stack->top, *below;

	for (; f != NULL; f = below) {
		below = f->below;
		f->stale = true;
		if ((is_wait(f) || f->span == SPAN_task) &&
		    close_frame(t, th, f, th->last_mon_ns) == -1)
			return (-1);
	}
	return (0);
}

uint32_t
tally_scope_function(const struct tally_thread *th)
{
	const struct scope *f =
	    th->stack == NULL ? NULL : th->stack->inner[SPAN_call];

	return (f == NULL ? 0 : f->row + 1);
}

int
tally_scope_end(struct tally *t, struct tally_thread *th, int64_t end_mon_ns)
{
	if (wait_ends(t, th, end_mon_ns) == -1)
		return (-1);
	while (th->stack != NULL && th->stack->top != NULL)
		if (close_frame(t, th, th->stack->top, end_mon_ns) == -1)
			return (-1);
	return (0);
}

int
tally_shelves_end(struct tally *t)
{
	const struct intmap *m = &t->inside->shelved;
	struct shelf *shelf;
	struct scope *f;

	for (size_t i = 0; m->n > 0 && i <= m->mask; i++) {
		if ((shelf = m->slot[i].p) == NULL)
			continue;
		while ((f = shelf->bottom) != NULL) {
			shelf->bottom = f->above;
			if (count_frame(t, f) == -1)
				return (-1);
		}
	}
	return (0);
}
