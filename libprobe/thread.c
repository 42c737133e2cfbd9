/*
 * How a thread gets its ring and hands it back.
 *
 * A ring is taken by compare and swap on its state, at the thread's first
 * event.  The end of a thread is noticed by the destructor of a key, in a
 * late round of destructors so that other people's still have a ring; the
 * collector notices threads that end in other ways.
 */
#include "memory.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "choice.h"
#include "first.h"
#include "hooks.h"
#include "libprobe/meet/direct.h"
#include "libprobe/meet/bulk.h"
#include "libprobe/meet/refused.h"

#define KEYS_INLINE  32 /* glibc: later keys make setspecific allocate */
#define RETRY_EVENTS 256
#define RENAMES_MAX  100 /* told of a thread: names are kept for ever */
/* the last but one of the rounds of destructors */
#define LAST_ROUND   (PTHREAD_DESTRUCTOR_ITERATIONS - 1)

struct thread thread_none BULK;
__thread struct probe_thread *probe_self = &thread_none.hot;

static __thread struct {
	uint64_t creation; /* what the creator calls this thread; 0: nothing */
	uint32_t begin_name;
	uint16_t retry; /* events until the next search for a ring */
	uint16_t renames;
	bool ended;
	char name[RING_NAME_BYTES];
	/* not in struct thread, which a child finds wiped */
	const struct probe_record *records;
} self;

static pthread_key_t end_key;
static bool has_end_key;
static char rounds[LAST_ROUND + 1]; /* the key points at how often */

static bool
is_current(const struct thread *t)
{
	return (t->serial != 0 && t->serial == process_serial());
}

const struct probe_record *
thread_records(void)
{
	return (self.records);
}

/*
 * Makes the first generation's pages present in one go; room_touch() follows
 * with later ones as they are needed.
 */
static void
populate_first(struct thread *t)
{
#ifdef MADV_POPULATE_WRITE
	(void)direct_madvise(t->memory, t->first * sizeof(struct ring_record),
	    MADV_POPULATE_WRITE);
#endif
	room_touch(t);
}

/* A ring that is ours now, or NULL when all are in use. */
static struct ring *
take_ring(uint32_t *number)
{
	struct ring_segment *s = attachment.segment;
	uint32_t used = atomic_load(&s->rings_used), i = attachment.hint;

	if (used > attachment.nrings)
		used = attachment.nrings;
	for (uint32_t k = 0; k <= used && k < attachment.nrings; k++, i++) {
		uint32_t free = RING_FREE;
		struct ring *r;

		/* in the end, the first that was never taken */
		if (k == used)
			i = used;
		else if (i >= used)
			i = 0;
		r = ring_at(s, attachment.rings_offset, i);
		if (!atomic_compare_exchange_strong(&r->state, &free,
			RING_TAKEN))
			continue;
		if (i == used)
			atomic_store(&s->rings_used, used + 1);
		attachment.hint = i + 1;
		*number = i;
		return (r);
	}
	return (NULL);
}

static void
set_ring_name(struct ring *r)
{
	char name[RING_NAME_BYTES] = "";

	if (self.name[0] != '\0')
		memcpy(name, self.name, sizeof(name));
	else
		prctl(PR_GET_NAME, name); /* 16 bytes */
	memcpy(r->name, name, sizeof(name));
}

/* The shared side of a ring, before the first record. */
static void
set_ring(struct ring *r)
{
	uint64_t start = atomic_load_explicit(&r->tail, memory_order_acquire);

	atomic_store(&r->start[0], start);
	atomic_store(&r->head, start);
	atomic_store(&r->active, 0);
	atomic_store(&r->lost_total, 0);
	atomic_store(&r->lost_records, 0);
	atomic_store(&r->tid, (uint32_t)syscall(SYS_gettid));
	atomic_store(&r->thread,
	    atomic_fetch_add(&attachment.segment->threads, 1) + 1);
	set_ring_name(r);
}

/* And ours.  Limits of 0: the first look sets them. */
static void
set_thread(struct thread *t, struct ring *r, struct probe_record *memory)
{
	uint64_t start = atomic_load(&r->start[0]);

	t->ring = r;
	t->segment = attachment.segment;
	t->memory = memory;
	t->first = attachment.ring_first;
	t->last = attachment.generations - 1;
	t->generation = t->target = 0;
	t->reserve = attachment.reserve_records;
	t->reported = 0;
	t->lossy = t->busy = 0;
	t->held = UINT64_MAX;
	t->touched = start;
	t->hot.next = t->hot.head = start;
	t->hot.records = memory;
	t->hot.shared = (struct probe_shared *)(void *)&r->head;
	t->hot.mask = t->first - 1;
	t->hot.raw = clock_kind() == RING_CLOCK_RAW;
	limits_close(t);
}

/* With the lock held. */
static struct thread *
claim(void)
{
	struct probe_record *memory;
	struct thread *t;
	struct ring *r;
	uint32_t i;

	r = take_ring(&i);
	if (r == NULL)
		return (NULL);
	memory = memory_ring(&attachment, i);
	if (memory == NULL) {
		atomic_store(&r->state, RING_FREE);
		return (NULL);
	}
	set_ring(r);
	t = &attachment.threads[i];
	set_thread(t, r, memory);
	populate_first(t);
	t->since_cycles = probe_now(&t->hot);
	t->serial = attachment.serial;
	choice_thread(t);
	atomic_store(&r->state, RING_LIVE);
	choice_thread_name(t); /* the collector looks at live ones only */
	self.records = memory;
	probe_self = &t->hot;
	if (has_end_key)
		pthread_setspecific(end_key, &rounds[1]);
	return (t);
}

static void
say_begin(struct thread *t)
{
	uint64_t limit = PROBE_LOAD(&t->hot.next) + 1; /* it is empty */

	if (probe_enabled(PROBE_CLASS_life))
		probe_write(&t->hot, &limit, PROBE_thread_begin,
		    self.begin_name, self.creation,
		    atomic_load_explicit(&t->ring->tid, memory_order_relaxed));
}

/* Events before this process was attached at last: told where it was. */
static void
say_unrecorded(struct thread *t)
{
	uint64_t limit = PROBE_LOAD(&t->hot.next) + 1, n = refused_take();
	uint64_t total;

	if (n == 0)
		return;
	total = n + atomic_fetch_add(&t->ring->lost_total, n);
	if (!probe_write(&t->hot, &limit, EV_lost, LOST_NOT_ATTACHED, n, total))
		return; /* with the next loss */
	t->reported += n;
	atomic_fetch_add(&t->ring->lost_records, 1);
}

void
thread_miss(void)
{
	struct ring_segment *s =
	    __atomic_load_n(&attachment.segment, __ATOMIC_ACQUIRE);

	if (s != NULL)
		atomic_fetch_add_explicit(&s->lost_no_ring, 1,
		    memory_order_relaxed);
	else
		refused_count();
}

struct thread *
thread_ready(void)
{
	struct thread *t = (struct thread *)(void *)probe_self;
	struct hold h;

	if (is_current(t) && !process_gone())
		return (t);
	if (held_here)
		return (NULL);
	if (process_is_child() || process_gone() || process_serial() == 0)
		process_look();
	if (process_serial() == 0 || self.ended)
		return (NULL);
	if (self.retry > 0) {
		self.retry--;
		return (NULL);
	}
	hold(&h);
	t = (struct thread *)(void *)probe_self;
	if (!is_current(t)) {
		t = attachment.segment == NULL ? NULL : claim();
		if (t != NULL) {
			say_begin(t);
			say_unrecorded(t);
			choice_thread_says(t);
		} else
			self.retry = RETRY_EVENTS;
	}
	let_go(&h);
	return (t);
}

void(probe_thread_begin)(uint64_t creation, uint32_t name)
{
	struct thread *t = (struct thread *)(void *)probe_self;
	int saved_errno = errno;

	if (is_second()) {
		probe_first.thread_begin(creation, name);
		return;
	}
	if (!probe_enabled(PROBE_CLASS_life))
		return;
	self.creation = creation;
	self.begin_name = name;
	if (is_current(t)) /* it has spoken before */
		PROBE_EVENT(PROBE_CLASS_life, 1, PROBE_thread_begin, name,
		    creation, atomic_load(&t->ring->tid));
	else if (thread_ready() == NULL)
		thread_miss();
	errno = saved_errno;
}

/* It has spoken, so its first name is known. */
static void
say_name(void)
{
	int saved_errno = errno;
	uint32_t number;

	if (!probe_enabled(PROBE_CLASS_life) || self.name[0] == '\0' ||
	    self.renames >= RENAMES_MAX)
		return;
	self.renames++;
	number = (probe_name)(self.name);
	if (number != 0)
		PROBE_EVENT(PROBE_CLASS_life, 1, PROBE_thread_name, number, 0,
		    0);
	errno = saved_errno;
}

void
probe_thread_name(const char *name)
{
	struct thread *t = (struct thread *)(void *)probe_self;
	size_t n = name == NULL ? 0 : strnlen(name, RING_NAME_BYTES - 1);
	char was[RING_NAME_BYTES];

	if (is_second()) {
		probe_first.thread_name(name);
		return;
	}
	memcpy(was, self.name, sizeof(was));
	memset(self.name, 0, sizeof(self.name));
	if (n > 0)
		memcpy(self.name, name, n);
	if (!is_current(t))
		return;
	memcpy(t->ring->name, self.name, sizeof(self.name));
	choice_thread_name(t);
	if (memcmp(was, self.name, sizeof(was)) != 0)
		say_name();
}

/* The thread ends: its last word, then the ring belongs to the collector. */
static void
finish(void)
{
	struct thread *t = (struct thread *)(void *)probe_self;
	struct hold h;

	if (!is_current(t) || process_is_child()) {
		self.ended = true;
		hooks_free();
		return;
	}
	hooks_end();
	/* cancelled in the middle of an event */
	if (t->hot.head != t->hot.next)
		room_repair(t);
	process_thread_ends();
	if (probe_enabled(PROBE_CLASS_life))
		probe_slow(PROBE_thread_end | PROBE_HARD, 0, self.creation, 0);
	hold(&h);
	self.ended = true;
	probe_self = &thread_none.hot;
	if (is_current(t)) {
		t->serial = 0;
		self.records = NULL;
		memory_ring_drop(&attachment,
		    (uint32_t)(t - attachment.threads));
		atomic_store_explicit(&t->ring->state, RING_CLOSED,
		    memory_order_release);
	}
	let_go(&h);
	hooks_free();
}

/* The very last round is left to tools that wait for the end, too. */
static void
end_cb(void *round)
{
	ptrdiff_t n = (char *)round - rounds;

	if (n < LAST_ROUND)
		pthread_setspecific(end_key, &rounds[n + 1]);
	else
		finish();
}

void
thread_start(void)
{
	if (pthread_key_create(&end_key, end_cb) == 0) {
		has_end_key = end_key < KEYS_INLINE;
		if (!has_end_key)
			pthread_key_delete(end_key);
	}
}

/*
 * This is the only thread of a new process.  An event that a handler which
 * forks has interrupted goes on in it, and what it has not looked up yet has
 * been wiped: now it leads to the parent's ring, which is covered after this.
 * The limits stay 0.
 */
void
thread_strand(void)
{
	struct thread *t = (struct thread *)(void *)probe_self;
	uintptr_t at = (uintptr_t)t - (uintptr_t)attachment.threads;
	uint32_t i = (uint32_t)(at / sizeof(*t));

	if (at >= attachment.nrings * sizeof(*t) ||
	    attachment.records[i] == NULL)
		return;
	t->ring = ring_at(attachment.segment, attachment.rings_offset, i);
	t->segment = attachment.segment;
	t->memory = attachment.records[i];
	t->first = attachment.ring_first;
	t->last = attachment.generations - 1;
	t->hot.records = t->memory;
	t->hot.shared = (struct probe_shared *)(void *)&t->ring->head;
	t->hot.mask = t->first - 1;
}

/* ... which has no ring. */
void
thread_forked(void)
{
	memset(&self, 0, sizeof(self));
	hooks_forked();
	probe_self = &thread_none.hot;
}
