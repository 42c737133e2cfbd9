/*
 * What gcc and clang call at both ends of each function when a program is made
 * with -finstrument-functions.  An address is told, and where it was called
 * from; what they are called is found out elsewhere, later
 * (collector/sweep/code/places.h).
 *
 * A function may be left without a word: by longjmp, by an exception that goes
 * through it, at the end of its thread.  So each thread has a stack of where it
 * is, with a mark for each function: an address within its frame that is the
 * same for all it calls from there.  Who enters leaves first what has a frame
 * below its own, which cannot be there any more; who leaves something leaves
 * all that is above it.  So every enter that is told has its leave, in order,
 * and a leave whose enter has not been told is not told either.
 *
 * The mark is the frame pointer if there is one, which the return address
 * beside it proves, else the stack pointer: then a function that was left by
 * longjmp may stay until its caller is left.  A mark beyond everything is on
 * another stack (of a handler, of a coroutine) and says nothing.
 *
 * What a function of type void does last is to tell that it is left, so a
 * compiler makes a jump of that: its frame is gone by then, and where it ended
 * is known exactly, since the hook returns where the function would have.
 *
 * Two functions have one mark when one has been compiled into the other, or
 * when the first was left without a word and the second called from the same
 * place: see is_gone().
 *
 * The straight way is in the hooks themselves, what is not is in functions of
 * its own: a pair of hooks with two events takes little more than its events.
 */
#include "hooks.h"

#include <sys/mman.h>

#include "choice.h"
#include "internal.h"

#define DEPTH       4096u
#define STACK_BYTES (64u << 10) /* a frame so far away is on another one */
#define HOOK        __attribute__((visibility("default"), noinline))

struct open_call {
	uintptr_t mark;
	const void *function;
	uintptr_t at; /* where in the code it has told of itself */
	const void *caller;
};

/* open[n] is the innermost; open[0] is none, with a mark below all others. */
struct calls {
	uint32_t n;
	uint32_t beyond; /* deeper ones, which are not told */
	struct open_call open[1 + DEPTH];
};

static __thread struct calls *calls;
static __thread bool over; /* the thread is at its very end */

void __cyg_profile_func_enter(void *, void *) HOOK;
void __cyg_profile_func_exit(void *, void *) HOOK;

static __attribute__((noinline, cold)) struct calls *
calls_new(void)
{
	struct hold h;

	if (over || !process_start())
		return (NULL);
	hold(&h);
	if (calls == NULL)
		calls = process_map(sizeof(*calls), true);
	let_go(&h);
	return (calls);
}

/* Does a frame whose pointer is this return there? */
static inline bool
returns_to(uintptr_t fp, const void *caller)
{
	return ((fp & 7) == 0 &&
		*(const void *const *)(fp + sizeof(void *)) == caller);
}

/*
 * Of the function whose hook this is: its frame is above sp, and memory can be
 * read up to the outermost frame that we know, or to the end of the page.
 */
static inline uintptr_t
mark_of(const struct calls *c, uintptr_t sp, uintptr_t fp, const void *caller)
{
	uintptr_t top = c->n > 0 ? c->open[1].mark : (sp | 0xfff) - 16;

	return (fp >= sp && fp <= top && returns_to(fp, caller) ? fp : sp);
}

/* The hook's own frame: where its caller has its stack and frame pointers. */
#define HOOK_SP() ((uintptr_t)__builtin_frame_address(0) + 16)
#define HOOK_FP() (*(const uintptr_t *)__builtin_frame_address(0))

/*
 * Is an open call over, since this one begins?  Frames below are gone.  With
 * one frame, the same place in the code means that it is begun again.  Called
 * from elsewhere, it is another one; from the same place, it is another one if
 * it speaks out of its own code, else it has been compiled into the open one.
 */
static inline bool
is_gone(const struct open_call *o, const struct open_call *now)
{
	if (o->mark != now->mark)
		return (o->mark < now->mark);
	if (o->at == now->at || o->caller != now->caller)
		return (true);
	return (now->at - (uintptr_t)now->function <
		now->at - (uintptr_t)o->function);
}

static void
leave(struct calls *c)
{
	const void *function = c->open[c->n].function;

	PROBE_STORE(&c->n, c->n - 1);
	probe_leave(function, 0);
}

/* On another stack: above everything, and too far. */
static inline bool
is_elsewhere(const struct calls *c, uintptr_t mark)
{
	return (mark > c->open[1].mark && mark - c->open[1].mark > STACK_BYTES);
}

/* By its name, it is not recorded: nothing is noted of it. */
static inline bool
is_left_out(uint32_t on, const void *function)
{
	return (PROBE_UNLIKELY((on & PROBE_LOOK) != 0) &&
		choice_function(function));
}

static inline __attribute__((always_inline)) void
set(struct calls *c, uint32_t n, uintptr_t mark, const void *function,
    uintptr_t at, const void *caller)
{
	struct open_call *o = &c->open[n];

	PROBE_STORE(&o->mark, mark);
	PROBE_BARRIER();
	o->function = function;
	o->at = at;
	o->caller = caller;
	PROBE_BARRIER();
	PROBE_STORE(&c->n, n);
	PROBE_BARRIER();
}

static __attribute__((noinline, cold)) void
set_again(struct calls *c, uint32_t n, uintptr_t mark, const void *function,
    uintptr_t at, const void *caller)
{
	set(c, n, mark, function, at, caller);
}

/* A handler may have been there in between; then the mark is another one. */
static inline __attribute__((always_inline)) void
enter(struct calls *c, uint32_t n, const struct open_call *now, uint32_t on)
{
	set(c, n, now->mark, now->function, now->at, now->caller);
	if (PROBE_UNLIKELY(PROBE_LOAD(&c->open[n].mark) != now->mark))
		set_again(c, n, now->mark, now->function, now->at, now->caller);
	probe_put(on, 0, PROBE_enter, 0, (uint64_t)(uintptr_t)now->function,
	    (uint64_t)(uintptr_t)now->caller);
}

/* Not called straight by the innermost one, or the first one at all. */
static __attribute__((noinline)) void
entered(void *function, void *caller, void *at, uint32_t on, uintptr_t sp,
    uintptr_t fp)
{
	struct calls *c = calls;
	struct open_call now = { .function = function,
		.at = (uintptr_t)at,
		.caller = caller };

	if (c == NULL && (c = calls_new()) == NULL)
		return;
	now.mark = mark_of(c, sp, fp, caller);
	if (c->n > 0 && is_gone(&c->open[c->n], &now) &&
	    !is_elsewhere(c, now.mark)) {
		while (c->n > 0 && is_gone(&c->open[c->n], &now))
			leave(c);
	}
	if (c->n == DEPTH)
		c->beyond++;
	else
		enter(c, c->n + 1, &now, on);
}

/*
 * The mark of a function whose frame is below that of the innermost one, as
 * mark_of() finds it; 0 if it is not, or not surely.
 */
static inline uintptr_t
mark_below(const struct calls *c, uintptr_t sp, uintptr_t fp,
    const void *caller)
{
	uintptr_t top = c->open[c->n].mark;

	if (PROBE_UNLIKELY(sp >= top))
		return (0);
	if (fp - sp < top - sp)
		return (returns_to(fp, caller) ? fp : sp);
	return (fp - sp > c->open[1].mark - sp ? sp : 0);
}

void
__cyg_profile_func_enter(void *function, void *caller)
{
	uint32_t on = PROBE_ON();
	struct calls *c = calls;
	struct open_call now;
	uintptr_t sp, fp;

	if ((on & 1u << PROBE_CLASS_call) == 0 || is_left_out(on, function))
		return;
	sp = HOOK_SP();
	fp = HOOK_FP();
	now.function = function;
	now.caller = caller;
	now.at = (uintptr_t)__builtin_return_address(0);
	if (PROBE_UNLIKELY(c == NULL || c->n == DEPTH) ||
	    PROBE_UNLIKELY((now.mark = mark_below(c, sp, fp, caller)) == 0))
		entered(function, caller, __builtin_return_address(0), on, sp,
		    fp);
	else
		enter(c, c->n + 1, &now, on);
}

/* Not the innermost one: which it is, if it is there. */
static __attribute__((noinline, cold)) void
leave_to(struct calls *c, const void *function, uintptr_t mark)
{
	uint32_t at = c->n;

	while (at > 0 &&
	       (c->open[at].function != function || c->open[at].mark < mark))
		at--;
	while (at > 0 && c->n >= at)
		leave(c);
}

/*
 * The same of one whose frame ended at `end'.  Those that are below were left
 * without a word; it is the outermost of them that is of this function.  What
 * is not near is on another stack.
 */
static __attribute__((noinline, cold)) void
leave_frame(struct calls *c, const void *function, uintptr_t end)
{
	uint32_t found = 0;

	if (c->n == DEPTH && c->open[DEPTH].mark >= end && c->beyond > 0)
		c->beyond--;
	for (uint32_t at = c->n; at > 0; at--) {
		const struct open_call *o = &c->open[at];

		if (o->mark >= end &&
		    (found > 0 || o->mark - end <= STACK_BYTES))
			break;
		if (found > 0 && o->mark < c->open[found].mark)
			break;
		if (o->mark < end && o->function == function)
			found = at;
	}
	while (found > 0 && c->n >= found)
		leave(c);
}

/* As leave_to(), if the innermost one is not it. */
static __attribute__((noinline)) void
left(void *function, void *caller, struct calls *c, uintptr_t sp, uintptr_t fp)
{
	const struct open_call *top = &c->open[c->n];
	uintptr_t mark = mark_of(c, sp, fp, caller);

	if (PROBE_UNLIKELY(c->beyond > 0) && c->n == DEPTH && mark < top->mark)
		c->beyond--;
	else if (top->function == function && top->mark == mark)
		leave(c);
	/* below all that is open: by a frame pointer, that is sure; of one that
	 * was left out, there is none */
	else if (mark >= top->mark ||
		 (mark != fp && !is_left_out(PROBE_ON(), function)))
		leave_to(c, function, mark);
}

/*
 * Its frame is gone already, which ended at `end': it lies below that, and what
 * called it does not.  Behind the outermost is open[0], with the mark 0: less 1
 * it is above everything, so that it needs no question of its own.
 */
static inline __attribute__((always_inline)) bool
is_innermost(const struct open_call *top, uintptr_t end)
{
	return (top->mark < end && top[-1].mark - 1 >= end - 1);
}

void
__cyg_profile_func_exit(void *function, void *caller)
{
	struct calls *c = calls;
	const struct open_call *top;
	uintptr_t sp, fp;
	bool ended;

	if (c == NULL || c->n == 0)
		return;
	top = &c->open[c->n];
	sp = HOOK_SP();
	fp = HOOK_FP();
	ended = __builtin_return_address(0) == caller;
	if (top->function == function &&
	    (ended ? is_innermost(top, sp) : top->mark == fp && fp >= sp)) {
		PROBE_STORE(&c->n, c->n - 1);
		probe_leave(function, 0);
	} else if (!ended)
		left(function, caller, c, sp, fp);
	else if (top->mark - sp > STACK_BYTES || c->beyond > 0)
		leave_frame(c, function, sp);
}

void
hooks_end(void)
{
	struct calls *c = calls;

	while (c != NULL && c->n > 0)
		leave(c);
}

void
hooks_free(void)
{
	struct calls *c = calls;

	calls = NULL;
	over = true;
	if (c != NULL)
		(void)munmap(c, sizeof(*c));
}

void
hooks_forked(void)
{
	over = false;
	/* wiped, if the kernel does that */
	if (calls != NULL)
		calls->n = calls->beyond = 0;
}
