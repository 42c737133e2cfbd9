/*
 * What was given up read from the log again, and a model that is kept in a
 * file and opened.
 */
#ifndef TESTS_UNIT_MAKE_AGAIN_H
#define TESTS_UNIT_MAKE_AGAIN_H

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/detail.h"
#include "model/image.h"
#include "model/keep/memory.h"
#include "model/past/sums.h"
#include "tests/unit/make_mixed.h"

/* The frames of a part, into the model that is to have it. */
static inline void
feed_part(const struct made *w, struct model *d, const struct detail_plan *p)
{
	struct frame f;

	for (size_t at = p->from; at < p->until; at += f.frame_bytes) {
		assert_int_equal(frame_parse(w->log.out.p + at,
				     w->log.out.n - at, &f),
		    FRAME_OK);
		assert_int_equal(model_add_frame(d, &f), 0);
	}
	detail_ready(d);
}

#define KEPT_TAKEN 77 /* the address of the region is in use here */

static char kept_dir[64], kept_path[96];
static const struct image_key kept_key = { .run = { 1, 2, 3 },
	.log_bytes = 99 };

static inline int
kept_write(struct made *w)
{
	struct model *m;

	if (!memory_region())
		return (KEPT_TAKEN);
	m = model_new();
	model_set_no_leaves(m);
	model_set_memory(m, (uint64_t)1 << 30);
	feed(w, m);
	return (image_write(m, kept_path, &kept_key) == 0 ? 0 : 1);
}

/* Does exact() hold of what was kept?  w->all has everything then. */
static inline int
kept_read(struct made *w, bool (*exact)(struct made *, struct model *))
{
	struct model *m;

	if (!memory_region())
		return (KEPT_TAKEN);
	m = image_read(kept_path, &kept_key);
	if (m == NULL)
		return (1);
	w->all = model_new();
	feed(w, w->all);
	return (exact(w, m) ? 0 : 2);
}

/* Each in a process of its own, since there is one region; exact: to read. */
static inline int
kept_child(struct made *w, bool (*exact)(struct made *, struct model *))
{
	int status;
	pid_t pid = fork();

	assert_true(pid != -1);
	if (pid == 0)
		_exit(exact == NULL ? kept_write(w) : kept_read(w, exact));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return (WEXITSTATUS(status));
}

static inline void
kept_is_exact(bool (*exact)(struct made *, struct model *))
{
	struct made *w = made_log(6);
	int said;

	detail_apart_events = 2048;
	snprintf(kept_dir, sizeof(kept_dir), "/tmp/orrery-kept.XXXXXX");
	assert_non_null(mkdtemp(kept_dir));
	snprintf(kept_path, sizeof(kept_path), "%s/x", kept_dir);
	said = kept_child(w, NULL);
	if (said == 0)
		assert_int_equal(kept_child(w, exact), 0);
	unlink(kept_path);
	rmdir(kept_dir);
	made_free(w);
	if (said == KEPT_TAKEN)
		skip();
	assert_int_equal(said, 0);
}

/* Reads again what sums need, events at most at once; in how many parts.  -1:
 * they are not to be had. */
static inline int
settle_sums(struct made *w, struct model *m, enum sums_kind kind, int64_t t0,
    int64_t t1, uint64_t most)
{
	struct sums *s = sums_new(m, kind, t0, t1);
	struct detail_plan p;
	struct model *d;
	int parts = 0;

	assert_non_null(s);
	for (; sums_plan(s, most, &p); parts++) {
		d = detail_new(m, &p);
		assert_non_null(d);
		assert_int_equal(sums_begin(s, d), 0);
		feed_part(w, d, &p);
		assert_int_equal(sums_take(s, d), 0);
		detail_free(d);
	}
	if (!sums_whole(s)) {
		sums_free(s);
		return (-1);
	}
	model_set_sums(m, s);
	return (parts);
}

struct range {
	int64_t t0, t1;
};

/*
 * Of a width of up to `least` and up to `more` powers of two more; some from
 * the beginning, one in `last` to the end.
 */
static inline struct range
some_range(struct made *w, uint32_t least, uint32_t more, uint32_t last)
{
	int64_t end = model_last_ns(w->all);
	int64_t width = 1 + below(w, 1u << (least + below(w, more)));
	struct range r;

	width = width < end ? width : end - 1;
	r.t0 = (int64_t)below(w, (uint32_t)(end - width));
	r.t1 = r.t0 + width;
	if (below(w, 10) == 0)
		r.t0 = INT64_MIN / 4;
	if (below(w, last) == 0)
		r.t1 = end + (int64_t)below(w, 2);
	if (below(w, 4) == 0) /* where something happens */
		r.t0 = w->log.events[below(w, EVENTS)].t_mon_ns;
	if (r.t1 <= r.t0)
		r.t1 = r.t0 + 1;
	return (r);
}

#endif
