/*
 * Sums of memory, one set of them for each thread.
 *
 * They lie in a table and not in the thread's own memory, so that whoever ends
 * the process can tell what the others have not.  Who comes when all lines are
 * taken gets that of a thread that is no more; if there is none, and when its
 * thread has had its last word, it is counted in one line for all.
 *
 * How long it is since a thread has told is looked at now and then only: at
 * first after some calls, of a thread that makes few, soon after each one.
 */
#include "libprobe/auto/heap/heap.h"
#include "libprobe/meet/bulk.h"

#include <sys/syscall.h>

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "libprobe/auto/heap/heap_block.h"

#define LINES    1024u
#define CALLS    64 /* between two looks at the clock, at most */
#define APART_NS (10 * INT64_C(1000000))

__thread struct heap_count *heap_mine;
__thread bool heap_inside;
__thread bool heap_ended;

/* with the words of .data, on a page that each child writes to */
static struct heap_count line_first = { .calls = CALLS };
static BULK struct heap_count lines[LINES - 1];
static uint32_t lines_used; /* the first that nobody has ever had */
static uint32_t lines_hint;
static uint64_t rest[HEAP_SUMS]; /* of those that have no line */

void
heap_add_rest(enum heap_sum sum, uint64_t n)
{
	__atomic_fetch_add(&rest[sum], n, __ATOMIC_RELAXED);
}

static struct heap_count *
line(uint32_t i)
{
	return (i == 0 ? &line_first : &lines[i - 1]);
}

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (t.tv_sec * INT64_C(1000000000) + t.tv_nsec);
}

static bool
take(struct heap_count *c, uint32_t was, uint32_t tid)
{
	return (__atomic_compare_exchange_n(&c->owner, &was, tid, false,
	    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
}

/* What its thread has not told is nobody's. */
static void
bequeath(struct heap_count *c)
{
	for (int i = 0; i < HEAP_SUMS; i++)
		heap_add_rest((enum heap_sum)i, c->now[i] - c->told[i]);
}

/* A line that nobody has, or whose thread is no more. */
static struct heap_count *
line_for(uint32_t tid)
{
	uint32_t used = PROBE_LOAD(&lines_used), at = PROBE_LOAD(&lines_hint);

	for (uint32_t i = 0; i < used; i++) {
		struct heap_count *c = line((at + i) % used);

		if (PROBE_LOAD(&c->owner) == 0 && take(c, 0, tid)) {
			PROBE_STORE(&lines_hint, at + i + 1);
			return (c);
		}
	}
	while ((used = PROBE_LOAD(&lines_used)) < LINES)
		if (__atomic_compare_exchange_n(&lines_used, &used, used + 1,
			false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return (take(line(used), 0, tid) ? line(used) : NULL);
	for (uint32_t i = 0; i < LINES; i++) {
		struct heap_count *c = line((at + i) % LINES);
		uint32_t was = PROBE_LOAD(&c->owner);

		if (was != 0 &&
		    syscall(SYS_tgkill, getpid(), (int)was, 0) == -1 &&
		    errno == ESRCH && take(c, was, tid)) {
			PROBE_STORE(&lines_hint, at + i + 1);
			bequeath(c);
			return (c);
		}
	}
	return (NULL);
}

/*
 * Two stores where one of both would do: the compiler takes the value of that
 * one from its table of constants, a page which a child had to fetch for it.
 */
static void
begin(struct heap_count *c)
{
	memset(c->now, 0, sizeof(c->now));
	memset(c->told, 0, sizeof(c->told));
	PROBE_STORE(&c->calls, CALLS);
	PROBE_STORE(&c->until, CALLS);
	c->looked_ns = c->told_ns = 0;
	c->more = HEAP_TELL_BYTES;
}

struct heap_count *
heap_claim(void)
{
	int saved_errno = errno;
	uint32_t tid;
	struct heap_count *c;

	if (heap_ended)
		return (NULL);
	tid = (uint32_t)syscall(SYS_gettid);
	c = line_for(tid);
	if (c != NULL) {
		begin(c);
		heap_mine = c;
	}
	errno = saved_errno;
	return (c);
}

static bool
is_new(const struct heap_count *c, enum heap_sum a, enum heap_sum b)
{
	return (c->now[a] != c->told[a] || c->now[b] != c->told[b]);
}

/*
 * What was given back comes first: in between a process does not seem to have
 * more in use than it ever had.  A handler that interrupts this has its sums
 * told by the next one.
 */
static void
tell(struct heap_count *c)
{
	struct heap_count t = *c;

	if (is_new(&t, HEAP_FREED, HEAP_BACK) ||
	    is_new(&t, HEAP_NULLS, HEAP_NULLS))
		PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_heap_freed,
		    t.now[HEAP_NULLS] < UINT32_MAX ? (uint32_t)t.now[HEAP_NULLS]
						   : UINT32_MAX,
		    t.now[HEAP_FREED], t.now[HEAP_BACK]);
	if (is_new(&t, HEAP_ASKED, HEAP_ASKED))
		PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_heap_asked, 0,
		    t.now[HEAP_ASKED], 0);
	if (is_new(&t, HEAP_MADE, HEAP_GIVEN))
		PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_heap_made, 0,
		    t.now[HEAP_MADE], t.now[HEAP_GIVEN]);
	if (is_new(&t, HEAP_MAPPED, HEAP_UNMAPPED))
		PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_heap_mapped, 0,
		    t.now[HEAP_MAPPED], t.now[HEAP_UNMAPPED]);
	memcpy(c->told, t.now, sizeof(c->told));
}

/* Sums alone are no reason to attach. */
static bool
may_tell(void)
{
	return (!heap_inside && heap_level != HEAP_OFF &&
		auto_says(PROBE_CLASS_memory) && probe_po() != 0);
}

void
heap_look(struct heap_count *c)
{
	int64_t now, apart;
	uint64_t bytes = c->now[HEAP_GIVEN] - c->told[HEAP_GIVEN] +
			 c->now[HEAP_BACK] - c->told[HEAP_BACK];

	if (bytes >= HEAP_TELL_BYTES)
		c->more = bytes + HEAP_TELL_BYTES; /* until it is told */
	if (!may_tell()) {
		c->until = CALLS;
		return;
	}
	now = now_ns();
	apart = now - c->looked_ns;
	if (c->until < 0 && apart >= APART_NS)
		c->calls = c->calls / 2;
	else if (c->until < 0 && c->calls < CALLS)
		c->calls = c->calls * 2 + 1;
	c->until = c->calls;
	c->looked_ns = now;
	if (now - c->told_ns < APART_NS && bytes < HEAP_TELL_BYTES)
		return;
	heap_inside = true;
	c->told_ns = now;
	c->more = HEAP_TELL_BYTES;
	tell(c);
	heap_inside = false;
}

/* Its last word, before that it has ended is told. */
void
process_thread_ends(void)
{
	struct heap_count *c = heap_mine;

	heap_ended = true;
	if (c == NULL)
		return;
	if (may_tell()) {
		heap_inside = true;
		tell(c);
		heap_inside = false;
	}
	heap_mine = NULL;
	bequeath(c);
	__atomic_store_n(&c->owner, 0, __ATOMIC_RELEASE);
}

/* And what all others have not told is told by the one that ends the process.
 */
void
process_ends(void)
{
	struct heap_count *c = heap_count();
	uint32_t used = PROBE_LOAD(&lines_used);

	if (c == NULL || !may_tell())
		return;
	for (uint32_t i = 0; i < used; i++) {
		struct heap_count *o = line(i);

		for (int s = 0;
		     o != c && PROBE_LOAD(&o->owner) != 0 && s < HEAP_SUMS; s++)
			c->now[s] +=
			    PROBE_LOAD(&o->now[s]) - PROBE_LOAD(&o->told[s]);
	}
	for (int s = 0; s < HEAP_SUMS; s++)
		c->now[s] += __atomic_exchange_n(&rest[s], 0, __ATOMIC_RELAXED);
	heap_inside = true;
	tell(c);
	heap_inside = false;
}

/* A child begins at nothing, with one thread. */
static void
after_fork_child(void)
{
	struct heap_count *c = heap_mine;

	for (uint32_t i = 0; i < lines_used; i++)
		if (line(i) != c)
			line(i)->owner = 0;
	for (int s = 0; s < HEAP_SUMS; s++)
		if (rest[s] != 0) /* a page that is not written is not copied */
			rest[s] = 0;
	heap_inside = false;
	if (c == NULL)
		return;
	begin(c);
	c->owner = (uint32_t)syscall(SYS_gettid);
}

__attribute__((constructor)) static void
count_constructor(void)
{
	pthread_atfork(NULL, NULL, after_fork_child);
}
