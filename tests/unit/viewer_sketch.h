/* A finished log with an index, and sketches made of it. */
#ifndef TESTS_VIEWER_SKETCH_H
#define TESTS_VIEWER_SKETCH_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/model.h"
#include "model/sketch.h"
#include "tests/check.h"
#include "tests/unit/make_log.h"

#define US     1000
#define LANES  6
#define ROUNDS 400
#define PX     100

/* A finished log of threads that are in functions; one has lost something. */
struct world {
	struct make_log log;
	uint32_t at[LANES];
	int fd;
	char path[64];
	struct tracefile *file;
	const struct tracefile_entry *entry;
	size_t n;
};

static inline int64_t
round_ns(int64_t i)
{
	return (1000 * US + i * 100 * US);
}

static inline void
tell(struct world *w)
{
	for (int64_t i = 0; i < ROUNDS; i++)
		for (int k = 0; k < LANES; k++) {
			/* the last ones end early, or come late */
			if ((k == LANES - 1 && i > ROUNDS / 2) ||
			    (k == LANES - 2 && i < ROUNDS / 2))
				continue;
			make_log_event(&w->log, w->at[k],
			    k == 1 ? EV_lock_wait : EV_enter,
			    round_ns(i) + k * US, 1, 0, 0);
			make_log_event(&w->log, w->at[k],
			    k == 1 ? EV_lock_release : EV_leave,
			    round_ns(i) + (50 + k) * US, 1, 0, 0);
		}
	make_log_event(&w->log, w->at[2], EV_lost, round_ns(300) + 7 * US, 3, 3,
	    LOST_RING_FULL);
}

static inline void
write_log(struct world *w)
{
	const char *why;

	assert_int_equal(ftruncate(w->fd, 0), 0);
	assert_int_equal(pwrite(w->fd, w->log.out.p, w->log.out.n, 0),
	    w->log.out.n);
	tracefile_close(w->file);
	w->file = tracefile_open(w->path, &why);
	assert_non_null(w->file);
}

static inline int
open_world(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	*state = w;
	w->fd = memfd_create("log", MFD_CLOEXEC);
	snprintf(w->path, sizeof(w->path), "/proc/self/fd/%d", w->fd);
	make_log_head(&w->log, "t");
	make_log_node(&w->log, 1, "n0");
	make_log_po(&w->log, 1, 1, "prog");
	for (uint32_t k = 0; k < LANES; k++)
		w->at[k] = make_log_thread(&w->log, 1, 1, k + 1, "");
	w->log.block_events = 40;
	tell(w);
	make_log_blocks(&w->log, 0);
	make_log_finish(&w->log);
	write_log(w);
	assert_int_equal(tracefile_has_index(w->file), 1);
	w->entry = tracefile_index(w->file, &w->n);
	return (0);
}

static inline int
close_world(void **state)
{
	struct world *w = *state;

	tracefile_close(w->file);
	make_log_free(&w->log);
	close(w->fd);
	free(w);
	return (0);
}

static inline struct sketch *
sketch_of(struct world *w, size_t cells)
{
	struct sketch *s = sketch_new(cells);
	struct block_lane *lanes;
	size_t n;

	assert_non_null(s);
	for (size_t i = 0; i < w->n; i++) {
		if (w->entry[i].type != MSG_block)
			continue;
		assert_int_equal(tracefile_lanes(w->file, &w->entry[i], &lanes,
				     &n),
		    0);
		assert_int_equal(sketch_add(s, &w->entry[i], lanes, n), 0);
		free(lanes);
	}
	return (s);
}

static inline void
pixels(const struct sketch *s, uint32_t lane, int64_t t0, int64_t t1,
    float sum[SKETCH_SUMS(PX)])
{
	memset(sum, 0, SKETCH_SUMS(PX) * sizeof(*sum));
	sketch_spread(s, lane, t0, t1, PX, sum);
	sketch_sums(PX, 1, sum);
}

static inline float
all_of(const float *sum, int x)
{
	float all = 0;

	for (int c = 0; c < LANE_CLASSES; c++)
		all += sum[x * LANE_CLASSES + c];
	return (all);
}

#endif
