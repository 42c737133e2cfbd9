/*
 * What is recorded, of what the inlined part lets through.
 *
 * A class that is switched off is a bit that is not set in the mask: its events
 * cost a test.  Everything finer is decided here.  The collector sets
 * PROBE_LOOK in the mask, and every event comes by; a thread that is muted has
 * limits of 0, so that its events do.  What a name says is in a slot, found by
 * its number or by the address of a function, and decided when the name or the
 * rule is new: here is no text.
 *
 * What has begun is told to its end.  So what begins unwanted is remembered,
 * a bit for each span from the first such one on, in a stack for each class:
 * an end belongs to the innermost.  Below the stack everything was told, so
 * with an empty stack every end is told, and while nothing unwanted is open
 * nothing has to be remembered.  Waits are told apart: their ends also happen
 * without a beginning.  Whether one is open is seen in our own ring.
 */
#include "choice.h"

#include <errno.h>
#include <string.h>

#include "first.h"
#include "ringchoice.h"

/* What a kind is to us. */
enum what {
	WHAT_ALWAYS, /* of no class that can be left out */
	WHAT_POINT,
	WHAT_OPEN, /* begins a span that has one end */
	WHAT_SHUT,
	WHAT_WAIT, /* begins to wait; that may end without having begun */
	WHAT_WOKE,
};

#define SPAN_IS_WAIT(span)                                                     \
	((span) == SPAN_wait_message || (span) == SPAN_wait_lock ||            \
	    (span) == SPAN_wait_sync)
#define WHAT_OF(class, shape, span)                                            \
	((class) == CLASS_life || (class) == CLASS_monitor ? WHAT_ALWAYS       \
	    : (shape) == SHAPE_POINT                       ? WHAT_POINT        \
	    : (shape) == SHAPE_BEGIN                                           \
		? (SPAN_IS_WAIT(span) ? WHAT_WAIT : WHAT_OPEN)                 \
		: (SPAN_IS_WAIT(span) ? WHAT_WOKE : WHAT_SHUT))

static const struct {
	uint8_t class, what;
} kinds[EVENT_KINDS] = {
#define EVENT(name, id, class, shape, span, ...)                               \
	[id] = { CLASS_##class,                                                \
		WHAT_OF(CLASS_##class, SHAPE_##shape, SPAN_##span) },
#include "events.def"
#undef EVENT
};

/* Kinds with a name of what they tell of, which can be chosen by it. */
static const uint8_t has_name[EVENT_KINDS] = {
	[EV_enter] = 1,
	[EV_leave] = 1,
	[EV_lock_wait] = 1,
	[EV_lock_acquire] = 1,
	[EV_lock_release] = 1,
	[EV_cond_wait] = 1,
	[EV_cond_wake] = 1,
	[EV_cond_signal] = 1,
	[EV_sem_wait] = 1,
	[EV_sem_acquire] = 1,
	[EV_sem_post] = 1,
	[EV_lock_giveup] = 1,
	[EV_phase_begin] = 1,
	[EV_phase_end] = 1,
	[EV_counter] = 1,
	[EV_counter_real] = 1,
	[EV_state] = 1,
	[EV_note] = 1,
	[EV_sample] = 1,
	[EV_own] = 1,
};

/* Which stack a class has. */
static const uint8_t stack_of[EVENT_CLASSES] = {
	[CLASS_task] = 0,
	[CLASS_block] = 1,
	[CLASS_call] = 2,
	[CLASS_rpc] = 3,
	[CLASS_phase] = 4,
};

#define LOOK_BACK 32u  /* records */
#define TRIES     1000 /* while rules are being changed */
#define MUTABLE                                                                \
	((UINT32_C(1) << PROBE_CLASSES) - 1 -                                  \
	    (UINT32_C(1) << PROBE_CLASS_life) -                                \
	    (UINT32_C(1) << PROBE_CLASS_monitor))

/* By the program's own will, of this thread; outlives its rings. */
static __thread struct {
	uint32_t bits;
	uint32_t of[PROBE_CLASSES];
} mute;
static uint32_t stopped; /* of the process */

/* Of a segment that was given up just now there is still room for it. */
static struct ring_choice *
by_name(void)
{
	return (__atomic_load_n(&attachment.choice, __ATOMIC_ACQUIRE));
}

static bool
is_told(const struct spans *s, uint32_t i)
{
	return ((s->told[i / 8] >> i % 8 & 1) != 0);
}

static void
set_told(struct spans *s, uint32_t i, bool told)
{
	uint8_t bit = (uint8_t)(1u << i % 8);

	s->told[i / 8] =
	    (uint8_t)(told ? s->told[i / 8] | bit : s->told[i / 8] & ~bit);
}

/* It is muted, or something unwanted is open: all its events come by. */
static void
update(struct thread *t)
{
	uint32_t comes = t->muted;

	for (unsigned i = 0; i < SPAN_STACKS; i++)
		comes |= t->spans[i].untold;
	if ((comes != 0) == (t->comes_by != 0))
		return;
	t->comes_by = comes != 0;
	limits_again(t);
}

/* What is too deep for the stack is not told. */
static bool
open_span(struct thread *t, struct spans *s, bool wanted)
{
	uint32_t d = s->depth;

	if (wanted && s->untold == 0)
		return (true);
	if (d == SPANS_MAX) {
		s->beyond++;
		return (false);
	}
	set_told(s, d, wanted);
	s->depth = d + 1;
	PROBE_BARRIER();
	set_told(s, d, wanted); /* a handler may have been there in between */
	if (!wanted) {
		s->untold++;
		update(t);
	}
	return (wanted);
}

static bool
shut_span(struct thread *t, struct spans *s)
{
	if (s->untold == 0)
		return (true);
	if (s->beyond > 0) {
		s->beyond--;
		return (false);
	}
	if (s->depth == 0) {
		s->untold = 0;
		update(t);
		return (true);
	}
	s->depth--;
	if (is_told(s, s->depth))
		return (true);
	s->untold--;
	if (s->untold == 0) {
		s->depth = 0;
		update(t);
	}
	return (false);
}

/* Has this thread told that it waits, and not yet that it does no longer? */
static bool
waits(const struct thread *t, unsigned class_)
{
	uint64_t next = PROBE_LOAD(&t->hot.next), first;

	first = atomic_load_explicit(&t->ring->start[0], memory_order_relaxed);
	for (uint64_t i = next; i > first && next - i < LOOK_BACK; i--) {
		uint64_t n,
		    at = ring_find(t->ring, t->first, t->last + 1, i - 1, &n);
		uint32_t kind = t->memory[at].kind_c & 0xffff;

		if (kind >= EVENT_KINDS || kinds[kind].class != class_)
			continue;
		if (kinds[kind].what == WHAT_WAIT)
			return (true);
		if (kinds[kind].what == WHAT_WOKE)
			return (false);
	}
	return (false);
}

/* As the names and functions say, or as all of the class. */
static bool
named(uint32_t kind, uint32_t bit, uint32_t c, uint64_t a, bool wanted)
{
	struct ring_choice *by = by_name();
	struct ring_slot *slot;
	uint64_t key = c;

	if (key == 0 && (kind == EV_enter || kind == EV_leave))
		key = a;
	if (by == NULL || key == 0 || (slot = ringchoice_find(by, key)) == NULL)
		return (wanted);
	if ((PROBE_LOAD((uint32_t *)&slot->off) & bit) != 0)
		return (false);
	return (wanted || (PROBE_LOAD((uint32_t *)&slot->on) & bit) != 0);
}

/*
 * A call of a function of which there were so many in this second is counted,
 * and not told.  Threads that meet at the end of a second may count some of
 * theirs in the wrong one.
 */
static bool
capped(uint32_t c, uint64_t a)
{
	struct ring_choice *by = by_name();
	struct ring_slot *slot;
	uint64_t was, now;
	uint32_t cap;

	if (by == NULL ||
	    (cap = atomic_load_explicit(&by->cap, memory_order_relaxed)) == 0)
		return (false);
	slot = ringchoice_make(by, c != 0 ? c : a);
	if (slot == NULL || (c == 0 && a == 0))
		return (false);
	now = (uint64_t)atomic_load_explicit(&by->second, memory_order_relaxed)
	      << 32;
	was = atomic_load_explicit(&slot->window, memory_order_relaxed);
	if (was >> 32 != now >> 32) {
		if (atomic_compare_exchange_strong(&slot->window, &was,
			now | 1))
			return (false);
	}
	was = atomic_fetch_add_explicit(&slot->window, 1, memory_order_relaxed);
	if ((uint32_t)was < cap)
		return (false);
	atomic_fetch_add_explicit(&slot->counted, 1, memory_order_relaxed);
	return (true);
}

bool
choice_wants(struct thread *t, uint32_t kind, uint32_t c, uint64_t a)
{
	const struct ring_segment *s =
	    __atomic_load_n(&attachment.segment, __ATOMIC_ACQUIRE);
	unsigned class_ = kinds[kind % EVENT_KINDS].class;
	unsigned what = kinds[kind % EVENT_KINDS].what;
	uint32_t bit = UINT32_C(1) << class_, not ;
	struct spans *spans = &t->spans[stack_of[class_]];
	bool wanted;

	if (what == WHAT_ALWAYS || s == NULL)
		return (true);
	wanted = (atomic_load_explicit(&s->unwanted, memory_order_relaxed) &
		     bit) == 0;
	if (has_name[kind % EVENT_KINDS])
		wanted = named(kind, bit, c, a, wanted);
	else if (kind == EV_own_more)
		wanted = true; /* probe_tell() has asked for the event */
	not = t->muted |
	      atomic_load_explicit(&t->ring->unwanted, memory_order_relaxed) |
	      atomic_load_explicit(&s->stopped, memory_order_relaxed);
	wanted = wanted && (not &bit) == 0;
	switch (what) {
	case WHAT_OPEN:
		if (wanted && kind == EV_enter)
			wanted = !capped(c, a);
		return (open_span(t, spans, wanted));
	case WHAT_SHUT:
		return (shut_span(t, spans));
	case WHAT_WOKE:
		return (wanted || waits(t, class_));
	default:
		return (wanted);
	}
}

bool
choice_wants_ever(uint32_t kind)
{
	const struct ring_segment *s =
	    __atomic_load_n(&attachment.segment, __ATOMIC_ACQUIRE);
	uint32_t bit = UINT32_C(1) << kinds[kind % EVENT_KINDS].class;

	return (s == NULL || kinds[kind % EVENT_KINDS].what == WHAT_ALWAYS ||
		((atomic_load(&s->unwanted) | atomic_load(&s->stopped) |
		     mute.bits) &
		    bit) == 0);
}

/*
 * The collector decides about the names that it has read, at the moment when
 * the rules change.  Of a name that is made just then both may decide, the
 * last one by the new rules: rules change first, then we look again.
 */
void
choice_name(uint32_t number, const char *text, size_t n, const char *file,
    size_t file_n)
{
	struct ring_choice *by = by_name();
	struct ringchoice_says says;
	struct ring_slot *slot;
	uint32_t serial;

	/* that it is there has to be seen before we see what the rules are */
	CHOICE_FENCE(memory_order_seq_cst);
	for (int i = 0; by != NULL && i < TRIES; i++) {
		if (!ringchoice_ask(by, false, text, n, file, file_n, &says,
			&serial))
			continue;
		slot = (says.off | says.on) != 0 ? ringchoice_make(by, number)
						 : ringchoice_find(by, number);
		if (slot != NULL) {
			atomic_store(&slot->off, says.off);
			atomic_store(&slot->on, says.on);
		}
		if (atomic_load(&by->serial) == serial)
			break;
	}
}

void
choice_thread_name(struct thread *t)
{
	struct ring_choice *by = by_name();
	const char *name = t->ring->name;
	struct ringchoice_says says = { 0, 0 };
	uint32_t serial;

	for (int i = 0; by != NULL && i < TRIES; i++) {
		if (!ringchoice_ask(by, true, name,
			strnlen(name, RING_NAME_BYTES), NULL, 0, &says,
			&serial))
			continue;
		atomic_store(&t->ring->unwanted, says.off);
		if (atomic_load(&by->serial) == serial)
			break;
	}
}

void
choice_thread(struct thread *t)
{
	atomic_store(&t->ring->unwanted, 0);
	choice_thread_name(t);
	t->muted = mute.bits;
	t->comes_by = 0;
	memset(t->spans, 0, sizeof(t->spans));
	update(t);
}

void
choice_attached(struct attachment *a)
{
	atomic_store(&a->segment->stopped, stopped);
	if (stopped != 0)
		atomic_fetch_or(&a->segment->mask, PROBE_LOOK);
}

/* By the program's own will. */

static struct thread *
current(void)
{
	struct thread *t = (struct thread *)(void *)probe_self;

	if (t->serial == 0 || t->serial != process_serial() ||
	    process_is_child())
		return (NULL);
	return (t);
}

void
choice_thread_says(struct thread *t)
{
	uint64_t limit = PROBE_LOAD(&t->hot.next) + 2;

	if (mute.bits != 0)
		probe_write(&t->hot, &limit, PROBE_muted, 0, mute.bits, 0);
	if (stopped != 0 && atomic_load(&t->ring->thread) == 1)
		probe_write(&t->hot, &limit, PROBE_muted, 1, stopped, 0);
}

static void
set_mute(uint32_t bits)
{
	struct thread *t = current();
	uint32_t before = mute.bits;

	if (bits == before)
		return;
	mute.bits = bits;
	if (t == NULL)
		return; /* its first event will say so */
	PROBE_EVENT(PROBE_CLASS_life, 1, PROBE_muted, 0, bits, before);
	t->muted = bits;
	update(t);
}

/* Counted for each class, so they nest. */
void
choice_mute(uint32_t classes, bool more)
{
	uint32_t bits = mute.bits;
	int saved_errno = errno;

	for (unsigned c = 0; c < PROBE_CLASSES; c++) {
		if ((classes & MUTABLE & UINT32_C(1) << c) == 0)
			continue;
		mute.of[c] += more ? 1 : mute.of[c] > 0 ? -1u : 0;
		bits = mute.of[c] > 0 ? bits | UINT32_C(1) << c
				      : bits & ~(UINT32_C(1) << c);
	}
	set_mute(bits);
	errno = saved_errno;
}

void
probe_mute(void)
{
	if (is_second())
		probe_first.mute(MUTABLE, true);
	else
		choice_mute(MUTABLE, true);
}

void
probe_unmute(void)
{
	if (is_second())
		probe_first.mute(MUTABLE, false);
	else
		choice_mute(MUTABLE, false);
}

void
probe_mute_class(enum probe_class class_)
{
	uint32_t bit = (unsigned)class_ < PROBE_CLASSES ? 1u << class_ : 0;

	if (is_second())
		probe_first.mute(bit, true);
	else
		choice_mute(bit, true);
}

void
probe_unmute_class(enum probe_class class_)
{
	uint32_t bit = (unsigned)class_ < PROBE_CLASSES ? 1u << class_ : 0;

	if (is_second())
		probe_first.mute(bit, false);
	else
		choice_mute(bit, false);
}

/* All threads; the collector keeps PROBE_LOOK as long as this holds. */
void
choice_stop(bool stops)
{
	uint32_t bits = stops ? MUTABLE : 0, before = stopped;
	struct hold h;

	if (bits == before || held_here || !process_start())
		return;
	if (stops)
		PROBE_EVENT(PROBE_CLASS_life, 1, PROBE_muted, 1, bits, before);
	hold(&h);
	stopped = bits;
	if (attachment.segment != NULL) {
		atomic_store(&attachment.segment->stopped, bits);
		if (stops)
			atomic_fetch_or(&attachment.segment->mask, PROBE_LOOK);
	}
	let_go(&h);
	if (!stops)
		PROBE_EVENT(PROBE_CLASS_life, 1, PROBE_muted, 1, bits, before);
}

void
probe_stop(void)
{
	if (is_second())
		probe_first.stop(true);
	else
		choice_stop(true);
}

void
probe_start(void)
{
	if (is_second())
		probe_first.stop(false);
	else
		choice_stop(false);
}
