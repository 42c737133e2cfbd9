/*
 * Makes the sketch of a log from the summaries of its blocks.
 *
 * With 10^8 events there are some 1,500 blocks to be looked
 * at, 4 KB of each, which takes some 10 ms of a processor.  Who must wait for a
 * disk meanwhile, or for a processor, goes on with reading after a second.
 */
#include "feed/feed_sketch.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "feed/feed_inside.h"
#include "model/sketch.h"

/* At most so long, of a processor and in all: at first, later on. */
#define FIRST_CPU_NS 200000000
#define FIRST_NS     1000000000
#define NEXT_CPU_NS  5000000
#define NEXT_NS      50000000

uint64_t feed_sketch_bytes = (uint64_t)8 << 20;

static int64_t
now_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

static void
give(struct feed *f)
{
	struct sketch *old;

	pthread_mutex_lock(&f->lock);
	old = f->sketch;
	f->sketch = f->sketching;
	pthread_mutex_unlock(&f->lock);
	f->sketching = NULL;
	sketch_free(old);
	feed_wake(f);
}

/* One block.  What is not believed leaves a hole.  False: memory is out. */
static bool
take(struct feed *f, const struct tracefile_entry *e)
{
	struct block_lane *lanes;
	size_t n;
	int r;

	if (e->type != MSG_block)
		return (true);
	r = tracefile_lanes(f->file, e, &lanes, &n);
	if (r == 0)
		r = sketch_add(f->sketching, e, lanes, n);
	free(lanes);
	return (r == 0 || errno != ENOMEM);
}

static void
go_on(struct feed *f, int64_t cpu_ns, int64_t ns)
{
	const struct tracefile_entry *e;
	size_t n;

	if (f->sketching == NULL)
		return;
	e = tracefile_index(f->file, &n);
	cpu_ns += now_ns(CLOCK_THREAD_CPUTIME_ID);
	ns += now_ns(CLOCK_MONOTONIC);
	while (e != NULL && f->sketched < n && now_ns(CLOCK_MONOTONIC) < ns &&
	       now_ns(CLOCK_THREAD_CPUTIME_ID) < cpu_ns)
		if (!take(f, &e[f->sketched++])) {
			feed_sketch_end(f);
			return;
		}
	if (e == NULL)
		feed_sketch_end(f);
	else if (f->sketched == n)
		give(f);
}

void
feed_sketch_begin(struct feed *f)
{
	if (tracefile_bytes(f->file) < feed_sketch_bytes ||
	    tracefile_has_index(f->file) != 1)
		return;
	f->sketched = 0;
	f->sketching = sketch_new(0);
	go_on(f, FIRST_CPU_NS, FIRST_NS);
}

void
feed_sketch_go_on(struct feed *f)
{
	if (f->sketching != NULL)
		go_on(f, NEXT_CPU_NS, NEXT_NS);
}

void
feed_sketch_end(struct feed *f)
{
	sketch_free(f->sketching);
	f->sketching = NULL;
}
