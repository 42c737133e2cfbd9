/*
 * Sums of memory, one set of them for each thread; counts.h says where they lie
 * and when they are told.  A thread that has no line, and one that has had its
 * last word, is counted in one set for all.
 */
#include "libprobe/auto/heap/heap.h"
#include "libprobe/meet/bulk.h"

#include <string.h>

#include "internal.h"
#include "libprobe/auto/heap/heap_block.h"

#define APART_NS (10 * INT64_C(1000000))

__thread struct heap_count *heap_mine;
__thread bool heap_inside;
__thread bool heap_ended;

/* with the words of .data, on a page that each child writes to */
static struct heap_count line_first = { .line.calls = COUNTS_CALLS };
static BULK struct heap_count lines[COUNTS_LINES - 1];
static uint64_t rest[HEAP_SUMS]; /* of those that have no line */

void
heap_add_rest(enum heap_sum sum, uint64_t n)
{
	__atomic_fetch_add(&rest[sum], n, __ATOMIC_RELAXED);
}

static void
bequeath(struct counts_line *l)
{
	struct heap_count *c = (struct heap_count *)l;

	for (int i = 0; i < HEAP_SUMS; i++)
		heap_add_rest((enum heap_sum)i, c->now[i] - c->told[i]);
}

static struct counts counts = { sizeof(struct heap_count), &line_first, lines,
	bequeath, 0, 0 };

/*
 * Two stores where one of both would do: the compiler takes the value of that
 * one from its table of constants, a page which a child had to fetch for it.
 */
static void
begin(struct heap_count *c)
{
	memset(c->now, 0, sizeof(c->now));
	memset(c->told, 0, sizeof(c->told));
	counts_begin(&c->line);
	c->left = HEAP_TELL_BYTES;
}

struct heap_count *
heap_claim(void)
{
	struct heap_count *c = heap_ended ? NULL : counts_take(&counts);

	if (c == NULL)
		return (NULL);
	begin(c);
	heap_mine = c;
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
	uint64_t bytes = c->now[HEAP_GIVEN] - c->told[HEAP_GIVEN] +
			 c->now[HEAP_BACK] - c->told[HEAP_BACK];

	/* once more after as many, if it cannot be told now */
	c->left =
	    HEAP_TELL_BYTES - (int64_t)(bytes < HEAP_TELL_BYTES ? bytes : 0);
	if (!may_tell()) {
		c->line.until = COUNTS_CALLS;
		return;
	}
	if (!counts_due(&c->line, APART_NS, bytes >= HEAP_TELL_BYTES))
		return;
	heap_inside = true;
	c->left = HEAP_TELL_BYTES;
	tell(c);
	heap_inside = false;
}

/* Its last word, before that it has ended is told. */
void
heap_thread_ends(void)
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
	bequeath(&c->line);
	counts_give(&c->line);
}

/* And what all others have not told is told by the one that ends the process.
 */
void
heap_ends(void)
{
	struct heap_count *c = heap_count();
	const struct counts_line *l;

	if (c == NULL || !may_tell())
		return;
	for (uint32_t i = 0; (l = counts_line(&counts, i)) != NULL; i++) {
		const struct heap_count *o = (const struct heap_count *)l;

		for (int s = 0;
		     o != c && PROBE_LOAD(&l->owner) != 0 && s < HEAP_SUMS; s++)
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

	counts_after_fork(&counts, c == NULL ? NULL : &c->line);
	for (int s = 0; s < HEAP_SUMS; s++)
		if (rest[s] != 0) /* a page that is not written is not copied */
			rest[s] = 0;
	heap_inside = false;
	if (c != NULL)
		begin(c);
}

__attribute__((constructor)) static void
count_constructor(void)
{
	pthread_atfork(NULL, NULL, after_fork_child);
}
