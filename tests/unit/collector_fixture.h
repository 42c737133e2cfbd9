/* A spool directory, a core, and rings in plain memory. */
#ifndef TESTS_COLLECTOR_FIXTURE_H
#define TESTS_COLLECTOR_FIXTURE_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "collector/core.h"
#include "event.h"
#include "log.h"
#include "tests/check.h"

/* Runs the loop until cond holds, at most half a minute. */
#define WAIT_FOR(env, cond)                                                    \
	do {                                                                   \
		int64_t end_ = (env)->ops->now_ns(env) + 30 * ENV_SEC;         \
		while (!(cond)) {                                              \
			event_base_loop(env_event_base(env), EVLOOP_ONCE);     \
			assert_true((env)->ops->now_ns(env) < end_);           \
		}                                                              \
	} while (0)

static inline void
dir_make(char *dir, size_t n)
{
	snprintf(dir, n, "/tmp/orrery-coll-XXXXXX");
	assert_non_null(mkdtemp(dir));
}

static inline void
dir_empty(const char *dir)
{
	char path[512];
	struct dirent *e;
	DIR *d = opendir(dir);

	while (d != NULL && (e = readdir(d)) != NULL) {
		snprintf(path, sizeof(path), "%s/%.200s", dir, e->d_name);
		(void)unlink(path);
	}
	if (d != NULL)
		closedir(d);
}

static inline void
dir_remove(const char *dir)
{
	dir_empty(dir);
	rmdir(dir);
}

/* A directory of its own and a world for each test. */
struct place {
	struct env *env;
	char dir[64];
};

static inline int
place_set_up(void **state)
{
	struct place *pl = calloc(1, sizeof(*pl));

	log_init("test", -1);
	dir_make(pl->dir, sizeof(pl->dir));
	pl->env = env_event_new(NULL);
	assert_non_null(pl->env);
	*state = pl;
	return (0);
}

static inline int
place_tear_down(void **state)
{
	struct place *pl = *state;

	dir_remove(pl->dir);
	env_event_free(pl->env);
	free(pl);
	return (0);
}

/* A program with rings of 8 records, that grow to 128, in plain memory. */
struct program {
	struct segment_layout layout;
	struct ring_segment *seg;
	bool dead_threads; /* what thread_alive says */
	bool released;
	size_t emptied_bytes;
	struct source source;
	uint32_t po;
	struct drain_po *dp;
};

static inline bool
program_thread_alive(void *arg, uint32_t tid)
{
	(void)tid;
	return (!((struct program *)arg)->dead_threads);
}

static inline void
program_released(void *arg)
{
	((struct program *)arg)->released = true;
}

/* Nobody should read that again. */
static inline void
program_empty(void *arg, void *at, size_t bytes)
{
	((struct program *)arg)->emptied_bytes += bytes;
	memset(at, 0xee, bytes);
}

static const struct source_ops program_ops = {
	.thread_alive = program_thread_alive,
	.empty = program_empty,
	.released = program_released,
};

static inline void
program_init(struct program *p, uint32_t nrings, uint64_t names_bytes)
{
	memset(p, 0, sizeof(*p));
	assert_int_equal(segment_layout(&p->layout, 256, 4096, nrings,
			     names_bytes),
	    0);
	p->seg = aligned_alloc(4096, p->layout.segment_bytes);
	assert_non_null(p->seg);
	memset(p->seg, 0, p->layout.segment_bytes);
	segment_format(p->seg, &p->layout, 1, 1, 0, COLLECTOR_MASK_ALL, 0);
	p->source = (struct source){
		.seg = p->seg,
		.layout = p->layout,
		.clock = RING_CLOCK_RAW,
		.ops = &program_ops,
		.arg = p,
	};
}

static inline struct ring *
program_ring(struct program *p, uint32_t i)
{
	return (segment_ring(p->seg, &p->layout, i));
}

/* A thread takes ring i. */
static inline struct ring *
program_thread(struct program *p, uint32_t i, uint32_t thread)
{
	struct ring *r = program_ring(p, i);

	atomic_store(&r->thread, thread);
	atomic_store(&r->tid, 1000 + thread);
	strcpy(r->name, "worker");
	atomic_store(&r->state, RING_LIVE);
	if (atomic_load(&p->seg->rings_used) <= i)
		atomic_store(&p->seg->rings_used, i + 1);
	return (r);
}

/* It goes on in the next generation when this one is full. */
static inline void
program_grow(struct program *p, struct ring *r, uint64_t head)
{
	uint64_t from = atomic_load(&r->tail);
	uint32_t g = p->layout.generations - 1;

	while (g > 0 && atomic_load(&r->start[g]) == 0)
		g--;
	if (from < atomic_load(&r->start[g]))
		from = atomic_load(&r->start[g]);
	if (head - from == ring_size(p->layout.ring_first, g)) {
		atomic_store(&r->start[g + 1], head);
		atomic_fetch_add(&p->seg->grown,
		    ring_size(p->layout.ring_first, g + 1));
	}
}

/* Publishes one record; false when there is no room. */
static inline bool
program_publish(struct program *p, struct ring *r, int64_t t_ns, uint16_t kind,
    uint64_t a, uint32_t c)
{
	uint64_t head = atomic_load(&r->head), n;
	struct ring_record *rec;

	if (head - atomic_load(&r->tail) >= p->layout.ring_records)
		return (false);
	program_grow(p, r, head);
	rec =
	    segment_records(p->seg, &p->layout,
		(uint32_t)(r - program_ring(p, 0))) +
	    ring_find(r, p->layout.ring_first, p->layout.generations, head, &n);
	*rec = (struct ring_record){
		.t_cycles = (uint64_t)t_ns,
		.kind = kind,
		.a = a,
		.b = a + 1,
		.c = c,
	};
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
	return (true);
}

static inline void
program_name(struct program *p, const char *text)
{
	uint64_t used = atomic_load(&p->seg->names_used);
	struct ring_name n = { .text_bytes = (uint16_t)strlen(text) };
	char *at = (char *)p->seg + p->layout.names_offset + used;

	memcpy(at, &n, sizeof(n));
	memcpy(at + sizeof(n), text, n.text_bytes);
	used += (sizeof(n) + n.text_bytes + 3) & ~(size_t)3;
	atomic_store(&p->seg->names_used, used);
}

#endif
