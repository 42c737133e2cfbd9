/*
 * Giving up finished tasks: from the oldest pieces on, finished subtrees
 * become summaries (tree_forget.h).  Parents are gone through from the last
 * number to the first, so that children have been summed up before.
 *
 * A task can go when it has ended and nothing below it has to stay.  Small
 * bunches are not worth a summary and wait for their parent.  Roots stand
 * beside each other as children do, and become summaries as those.
 */
#include "model/tree/tree_forget.h"
#include "model/tree/tree_inside.h"

#include <errno.h>
#include <stdlib.h>

#define BUNCH  8u  /* tasks that a summary is worth */
#define PIECES 16u /* looked at in one go: 5 to 20 ms */
#define ENDED  4096u

/* All children of what was looked at before are one summary, or few. */
static bool
can_go(const struct model *m, uint32_t t)
{
	uint32_t last = hot_at(m, t)->last, c;
	uint64_t sum;

	if (t >= gone_of(m)->forget_below)
		return (false);
	if (is_summary(m, t))
		return (true);
	if (!task_has_ended(m, t))
		return (false);
	if (last == TASK_NONE)
		return (true);
	if (is_summary(m, last))
		return (hot_at(m, last)->next == last);
	if (task_counts(m, t, &sum) > BUNCH)
		return (false);
	for (c = model_task_first(m, t); c != TASK_NONE;
	     c = model_task_next(m, c))
		if (!can_go(m, c))
			return (false);
	return (true);
}

/* What a task has beside it is free again. */
static void
strip(struct model *m, uint32_t t)
{
	if (!is_summary(m, t)) /* which has none */
		ids_gone(m, warm_at(m, t)->id);
	task_free_odd(m, t);
}

static void
drop(struct model *m, uint32_t t)
{
	strip(m, t);
	task_free_big(m, t);
	tree_mark(m, t);
	PUT(gone_of(m)->tasks_gone, gone_of(m)->tasks_gone + 1);
}

/* The sum of a subtree that can go.  All but t itself are dropped. */
static struct task_summary *
sum_up(struct model *m, uint32_t t)
{
	struct task_summary *s = NULL, *below;
	uint32_t c, next;

	if (is_summary(m, t))
		return (summary_take(m, t));
	if (tree_is_single(m, t))
		tree_single_gone(m, t);
	for (c = model_task_first(m, t); c != TASK_NONE; c = next) {
		next = model_task_next(m, c);
		below = sum_up(m, c);
		drop(m, c);
		if (s == NULL)
			s = below;
		else if (below == NULL || summary_merge(m, s, below) == -1)
			return (NULL);
	}
	if (s == NULL)
		s = summary_new(m);
	if (s == NULL || summary_raise(m, s) == -1 ||
	    summary_add_task(m, s, t) == -1)
		return (NULL);
	PUT(hot_at(m, t)->last, TASK_NONE);
	tree_wide_again(m, t);
	return (s);
}

/* t stands for its whole subtree. */
static void
become_summary(struct model *m, uint32_t t)
{
	bool was = is_summary(m, t);
	struct task_summary *s = sum_up(m, t);

	if (s == NULL)
		return;
	if (!was)
		strip(m, t);
	summary_put(m, t, s);
}

/* The siblings behind t up to end, which goes on, are part of t. */
static void
swallow(struct model *m, uint32_t t, uint32_t end)
{
	struct task_summary *s, *more;
	uint32_t size, next;
	uint64_t sum;

	become_summary(m, t);
	s = summary_of(m, t);
	for (uint32_t c = model_task_next(m, t); c != end && s != NULL;
	     c = next) {
		next = model_task_next(m, c);
		size = task_counts(m, c, &sum);
		more = sum_up(m, c);
		if (more == NULL || summary_merge(m, s, more) == -1)
			return;
		task_add_counts(m, hot_at(m, t), size, sum);
		drop(m, c);
	}
}

/* Neighbours among the children that can go become one summary. */
static void
compact(struct model *m, uint32_t parent)
{
	struct task_hot *p = hot_at(m, parent);
	uint32_t first = model_task_first(m, parent), c, end, n;
	uint64_t tasks, sum;
	bool fewer = false;

	for (c = first; c != TASK_NONE && c < gone_of(m)->forget_below;
	     c = end) {
		tasks = n = 0;
		for (end = c; end != TASK_NONE && can_go(m, end);
		     end = model_task_next(m, end), n++)
			tasks += task_counts(m, end, &sum);
		if (n == 0) {
			end = model_task_next(m, c);
		} else if (tasks < BUNCH) {
			continue; /* they stay as they are */
		} else if (n > 1 || !is_summary(m, c)) {
			fewer |= n > 1;
			swallow(m, c, end);
			PUT(hot_at(m, c)->next, end != TASK_NONE ? end : first);
			if (end == TASK_NONE)
				PUT(p->last, c);
		}
	}
	if (fewer)
		tree_wide_again(m, parent);
}

/* Root t has one more part; see swallow(). */
static void
swallow_root(struct model *m, uint32_t t, uint32_t c)
{
	struct task_summary *s = summary_of(m, t), *more;
	uint64_t sum;
	uint32_t size = task_counts(m, c, &sum);

	if (s == NULL || (more = sum_up(m, c)) == NULL ||
	    summary_merge(m, s, more) == -1)
		return;
	task_add_counts(m, hot_at(m, t), size, sum);
	tree_root_joins(m, t, c, size, sum);
	drop(m, c);
}

/* A root that is there, and nobody has given up just now. */
static uint32_t
root_at(const struct model *m, uint32_t place)
{
	uint32_t t = tree_root_at(m, place);

	return (t != TASK_NONE && tree_marked(m, t) ? TASK_NONE : t);
}

/* Where neighbours begin that can go; empty places are passed over. */
static uint32_t
run_begin(const struct model *m, uint32_t place)
{
	uint32_t begin = place, t;

	while (place-- > 0) {
		t = root_at(m, place);
		if (t != TASK_NONE && !can_go(m, t))
			break;
		if (t != TASK_NONE)
			begin = place;
		if (t != TASK_NONE && is_summary(m, t))
			break; /* those before it are part of it already */
	}
	return (begin);
}

/* Neighbours among roots from..to that can go become one summary. */
static void
compact_roots(struct model *m, uint32_t from, uint32_t to)
{
	uint32_t place = run_begin(m, tree_roots_from(m, from)), end, t, first;
	uint32_t most = tree_roots_from(m, to), n;
	uint64_t tasks, sum;

	for (; place < most; place = end + 1) {
		first = TASK_NONE;
		for (end = place, tasks = n = 0; end < most; end++) {
			t = root_at(m, end);
			if (t == TASK_NONE)
				continue;
			if (!can_go(m, t))
				break;
			first = n++ == 0 ? t : first;
			tasks += task_counts(m, t, &sum);
		}
		if (n < 2 || tasks < BUNCH)
			continue;
		become_summary(m, first);
		for (uint32_t k = place; k < end; k++) {
			t = root_at(m, k);
			if (t != TASK_NONE && t != first)
				swallow_root(m, first, t);
		}
	}
}

struct parents {
	uint32_t *v, n, cap;
};

static void
parents_add(struct model *m, struct parents *p, uint32_t t)
{
	uint32_t cap = p->cap == 0 ? 256 : p->cap * 2, *v;

	if (t == TASK_NONE || (p->n > 0 && p->v[p->n - 1] == t))
		return;
	if (p->n == p->cap) {
		v = realloc(p->v, cap * sizeof(*v));
		if (v == NULL) {
			held_of(m)->failed = ENOMEM;
			return;
		}
		p->v = v;
		p->cap = cap;
	}
	p->v[p->n++] = t;
}

static int
downwards(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return ((x < y) - (x > y));
}

/* A root has no parent that would sum it up. */
static void
task_looked_at(struct model *m, struct parents *above, uint32_t t)
{
	uint32_t up = hot_at(m, t)->parent;
	uint64_t sum;

	if (!can_go(m, t))
		return;
	if (up != TASK_NONE)
		parents_add(m, above, up);
	else if (!is_summary(m, t) && task_counts(m, t, &sum) >= BUNCH)
		become_summary(m, t);
}

/* Tasks from..to, then those above them for which that made a difference. */
static void
collapse(struct model *m, uint32_t from, uint32_t to)
{
	struct parents above = { 0 }, next;
	uint32_t t;

	for (t = to; t-- > from;) {
		if (task_is_gone(m, t) || tree_marked(m, t))
			continue;
		compact(m, t);
		task_looked_at(m, &above, t);
	}
	while (above.n > 0) {
		next = (struct parents){ 0 };
		qsort(above.v, above.n, sizeof(*above.v), downwards);
		for (uint32_t i = 0; i < above.n; i++) {
			t = above.v[i];
			if ((i > 0 && t == above.v[i - 1]) ||
			    task_is_gone(m, t) || tree_marked(m, t))
				continue;
			compact(m, t);
			task_looked_at(m, &next, t);
		}
		free(above.v);
		above = next;
	}
	free(above.v);
	compact_roots(m, from, to);
}

uint64_t
tree_bytes(const struct model *m)
{
	return ((uint64_t)(store_of(m)->ntasks - gone_of(m)->tasks_gone) *
		(SLAB_BLOCK * 2 / PIECE_TASKS + 8));
}

/* Where to look: at those that nobody has looked at, then all over again. */
static uint32_t
next_piece(struct model *m, uint32_t full)
{
	if (gone_of(m)->forget_new < full)
		return (gone_of(m)->forget_new);
	return (gone_of(m)->forget_piece < full ? gone_of(m)->forget_piece : 0);
}

void
tree_forget(struct model *m)
{
	uint32_t full = store_of(m)->ntasks >> PIECE_BITS,
		 from = next_piece(m, full);
	uint32_t to = full - from > PIECES ? from + PIECES : full;
	uint32_t gone = gone_of(m)->tasks_gone;

	/* when all were looked at in vain, more must have ended first */
	if (full == 0 ||
	    (gone_of(m)->forget_idle >= full &&
		gone_of(m)->tasks_ended - gone_of(m)->forget_ended < ENDED))
		return;
	if (tree_marks_reserve(m) == -1)
		return;
	gone_of(m)->forget_below = to << PIECE_BITS;
	atomic_fetch_add(&gone_of(m)->tree_epoch, 1);
	collapse(m, from << PIECE_BITS, to << PIECE_BITS);
	tree_thin(m);
	tree_marks_clear(m);
	tree_roots_close_up(m);
	tree_count_forget(m);
	if (from == gone_of(m)->forget_new)
		gone_of(m)->forget_new = to;
	else
		gone_of(m)->forget_piece = to;
	gone_of(m)->forget_ended = gone_of(m)->tasks_ended;
	gone_of(m)->forget_idle = gone_of(m)->tasks_gone > gone
				      ? 0
				      : gone_of(m)->forget_idle + to - from;
	shape_of(m)->tree_changed = 1;
	atomic_fetch_add(&gone_of(m)->tree_epoch, 1);
}
