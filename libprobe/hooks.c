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
 * Two functions have one mark when one has been compiled into the other, or
 * when the first was left without a word and the second called from the same
 * place: see is_gone().
 */
#include "hooks.h"

#include <sys/mman.h>

#include "choice.h"
#include "internal.h"

#define DEPTH       4096u
#define STACK_BYTES (64u << 10) /* a frame so far away is on another one */
#define HOOK        __attribute__((visibility("default"), noinline))

struct open_call {
	const void *function;
	uintptr_t mark, at; /* at: where in the code it has told of itself */
	const void *caller;
};

struct calls {
	uint32_t n;
	uint32_t beyond; /* deeper ones, which are not told */
	struct open_call open[DEPTH];
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

/*
 * Of the function whose hook this is: its frame is above sp, and memory can be
 * read up to the outermost frame that we know, or to the end of the page.
 */
static inline uintptr_t
mark_of(const struct calls *c, uintptr_t sp, uintptr_t fp, const void *caller)
{
	uintptr_t top = c->n > 0 ? c->open[0].mark : (sp | 0xfff) - 16;

	if (fp >= sp && fp <= top && (fp & 7) == 0 &&
	    ((const void *const *)fp)[1] == caller)
		return (fp);
	return (sp);
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

static inline void
leave(struct calls *c)
{
	const void *function = c->open[c->n - 1].function;

	PROBE_STORE(&c->n, c->n - 1);
	probe_leave(function, 0);
}

/* On another stack: above everything, and too far. */
static inline bool
is_elsewhere(const struct calls *c, uintptr_t mark)
{
	return (mark > c->open[0].mark && mark - c->open[0].mark > STACK_BYTES);
}

/*
 * What the hooks do once somebody listens.  They jump here, so that nobody pays
 * for it before; the frame that they are called from is still the one above.
 */
static __attribute__((noinline)) void
entered(void *function, void *caller, void *at, uint32_t on)
{
	struct calls *c = calls;
	struct open_call now;
	uint32_t n;

	if (c == NULL && (c = calls_new()) == NULL)
		return;
	now.function = function;
	now.caller = caller;
	now.at = (uintptr_t)at;
	now.mark = mark_of(c, HOOK_SP(), HOOK_FP(), caller);
	if (c->n > 0 && PROBE_UNLIKELY(is_gone(&c->open[c->n - 1], &now)) &&
	    !is_elsewhere(c, now.mark)) {
		while (c->n > 0 && is_gone(&c->open[c->n - 1], &now))
			leave(c);
	}
	if (PROBE_UNLIKELY(c->n == DEPTH)) {
		c->beyond++;
		return;
	}
	n = c->n;
	c->open[n] = now;
	PROBE_BARRIER();
	PROBE_STORE(&c->n, n + 1);
	PROBE_BARRIER();
	c->open[n] = now; /* a handler may have been there in between */
	probe_put(on, 0, PROBE_enter, 0, (uint64_t)(uintptr_t)function,
	    (uint64_t)(uintptr_t)caller);
}

/* By its name, it is not recorded: nothing is noted of it. */
static inline bool
is_left_out(uint32_t on, const void *function)
{
	return (PROBE_UNLIKELY((on & PROBE_LOOK) != 0) &&
		choice_function(function));
}

void
__cyg_profile_func_enter(void *function, void *caller)
{
	uint32_t on = PROBE_ON();

	if ((on & 1u << PROBE_CLASS_call) != 0 && !is_left_out(on, function))
		entered(function, caller, __builtin_return_address(0), on);
}

/* Not the innermost one: which it is, if it is there. */
static __attribute__((noinline, cold)) void
leave_to(struct calls *c, const void *function, uintptr_t mark)
{
	uint32_t at = c->n;

	while (at > 0 && (c->open[at - 1].function != function ||
			     c->open[at - 1].mark < mark))
		at--;
	while (at > 0 && c->n >= at)
		leave(c);
}

static __attribute__((noinline)) void
left(void *function, void *caller, struct calls *c)
{
	uint32_t on = PROBE_ON();
	uintptr_t mark;

	if (PROBE_UNLIKELY(c->beyond > 0) && c->n == DEPTH &&
	    c->open[DEPTH - 1].function != function) {
		c->beyond--;
		return;
	}
	mark = mark_of(c, HOOK_SP(), HOOK_FP(), caller);
	if (!PROBE_UNLIKELY(c->open[c->n - 1].function != function ||
			    c->open[c->n - 1].mark != mark))
		leave(c);
	/* below all that is open, of one that was left out, there is none */
	else if (mark >= c->open[c->n - 1].mark || !is_left_out(on, function))
		leave_to(c, function, mark);
}

/*
 * While something is chosen by name.  A function that is left out is not on the
 * stack, so its exit has nothing to do.  Which exit this is need not be looked
 * up in the frame if both addresses that may be its mark, the stack and the
 * frame pointer, lie below the mark of the innermost function that is open:
 * then it was called by that one.  left() is called last, which is a jump, so
 * that it sees the frame of the hook.
 */
static __attribute__((noinline)) void
left_or_not(void *function, void *caller, struct calls *c)
{
	const struct open_call *top = &c->open[c->n - 1];

	if (!choice_function(function) || HOOK_SP() >= top->mark ||
	    HOOK_FP() >= top->mark || top->function == function ||
	    c->beyond != 0)
		left(function, caller, c);
}

void
__cyg_profile_func_exit(void *function, void *caller)
{
	struct calls *c = calls;

	if (c == NULL || c->n == 0)
		return;
	if (PROBE_UNLIKELY((PROBE_ON() & PROBE_LOOK) != 0))
		left_or_not(function, caller, c);
	else
		left(function, caller, c);
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
