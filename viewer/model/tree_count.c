/*
 * The radial layout needs size and sum of depths of every subtree.  A new
 * task adds to all its ancestors.  This is done once per frame of the log: the
 * ancestors are marked, then everything goes from the last number to the first
 * (parents come first), so that what many new tasks add to the same ancestor
 * is added once.
 *
 * As soon as all that is left goes the same way up, it is carried there
 * without marks; this path is remembered, since the next one is much the
 * same, and a chain of a million tasks need not be looked up again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/memory.h"
#include "model/tree_inside.h"

#define AHEAD 12 /* tasks that memory is asked for before */

/* So many tasks, the sum of whose depths below this one is that. */
struct task_sum {
	uint64_t depths;
	uint32_t size, deep; /* deep: the deepest is on that level */
};

static void
sum_add(struct task_sum *s, uint32_t size, uint64_t depths, uint32_t deep)
{
	s->size += size;
	s->depths += depths;
	s->deep = deep > s->deep ? deep : s->deep;
}

static void *
grow(struct model *m, void *p, size_t n, size_t each)
{
	void *q = memory_grow(p, n * each);

	if (q == NULL)
		m->failed = ENOMEM;
	return (q);
}

/* marks */

int
tree_marks_reserve(struct model *m)
{
	struct task_count *c = &m->count;
	uint32_t n = m->ntasks / 64 + 1, was = c->nwords;
	struct mark_word *mark;
	uint64_t *words;

	if (n <= was)
		return (0);
	n = (n + n / 2 + 64) / 64 * 64;
	mark = grow(m, c->mark, n, sizeof(*mark));
	c->mark = mark != NULL ? mark : c->mark;
	words = grow(m, c->words, n / 64, sizeof(*words));
	c->words = words != NULL ? words : c->words;
	if (mark == NULL || words == NULL)
		return (-1);
	memset(mark + was, 0, (n - was) * sizeof(*mark));
	memset(words + was / 64, 0, (n - was) / 64 * sizeof(*words));
	c->nwords = n;
	return (0);
}

/* Returns 0 when it was marked. */
static inline int
mark(struct task_count *c, uint32_t task)
{
	uint64_t *w = &c->mark[task >> 6].bits, bit = 1ull << (task & 63);

	if (*w & bit)
		return (0);
	*w |= bit;
	c->words[task >> 12] |= 1ull << (task >> 6 & 63);
	return (1);
}

static inline uint32_t
count_bits(uint64_t x)
{
	x -= x >> 1 & 0x5555555555555555ull;
	x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
	return ((uint32_t)(x * 0x0101010101010101ull >> 56));
}

/* What is to be added to a marked task. */
static inline struct task_sum *
sum_of(const struct task_count *c, uint32_t task)
{
	const struct mark_word *w = &c->mark[task >> 6];

	return (&c->sum[w->before +
			count_bits(w->bits & ((1ull << (task & 63)) - 1))]);
}

void
tree_mark(struct model *m, uint32_t task)
{
	mark(&m->count, task);
}

bool
tree_marked(const struct model *m, uint32_t task)
{
	return ((m->count.mark[task >> 6].bits >> (task & 63) & 1) != 0);
}

void
tree_marks_clear(struct model *m)
{
	struct task_count *c = &m->count;

	for (uint32_t s = 0; s < c->nwords / 64; s++) {
		for (uint64_t w = c->words[s]; w != 0; w &= w - 1)
			c->mark[s * 64 + (uint32_t)__builtin_ctzll(w)].bits = 0;
		c->words[s] = 0;
	}
}

/*
 * Numbers the marks; room for a sum for each of them.  All that are not new
 * were in the queue; now they are in it by their numbers.
 */
static int
sums_reserve(struct model *m)
{
	struct task_count *c = &m->count;
	struct task_sum *sum;
	uint32_t n = 0, at;

	for (uint32_t s = 0; s < c->nwords / 64; s++)
		for (uint64_t w = c->words[s]; w != 0; w &= w - 1) {
			at = s * 64 + (uint32_t)__builtin_ctzll(w);
			c->mark[at].before = n;
			for (uint64_t b = c->mark[at].bits; b != 0;
			     b &= b - 1, n++)
				if (n < c->nqueue)
					c->queue[n] =
					    at * 64 +
					    (uint32_t)__builtin_ctzll(b);
		}
	if (n > c->sum_cap) {
		sum = grow(m, c->sum, n + n / 4, sizeof(*sum));
		if (sum == NULL)
			return (-1);
		c->sum = sum;
		c->sum_cap = n + n / 4;
	}
	if (n > 0)
		memset(c->sum, 0, n * sizeof(*c->sum));
	return (0);
}

static int
queue_add(struct model *m, uint32_t task)
{
	struct task_count *c = &m->count;
	uint32_t cap = c->queue_cap == 0 ? 1024 : c->queue_cap * 2, *q;

	if (c->nqueue == c->queue_cap) {
		q = grow(m, c->queue, cap, sizeof(*q));
		if (q == NULL)
			return (-1);
		c->queue = q;
		c->queue_cap = cap;
	}
	c->queue[c->nqueue++] = task;
	return (0);
}

/* Asks for the mark of a task's parent, which itself is there. */
static inline void
mark_ahead(const struct model *m, uint32_t i)
{
	uint32_t up = hot_at(m, i)->parent;

	if (up != TASK_NONE)
		__builtin_prefetch(&m->count.mark[up >> 6], 1);
}

/*
 * Marks all that have new tasks below them, up to the one where all go the
 * same way: *top, or TASK_NONE.
 */
static int
mark_ancestors(struct model *m, uint32_t *top)
{
	struct task_count *c = &m->count;
	uint32_t up;

	c->nqueue = 0;
	*top = TASK_NONE;
	for (uint32_t i = c->told; i < m->ntasks; i++) {
		if (m->ntasks - i > AHEAD)
			mark_ahead(m, i + AHEAD);
		up = hot_at(m, i)->parent;
		if (up != TASK_NONE && mark(c, up) && up < c->told &&
		    queue_add(m, up) == -1)
			return (-1);
	}
	for (uint32_t i = 0; i < c->nqueue; i++) {
		if (i + 1 == c->nqueue) {
			*top = c->queue[i];
			break;
		}
		if (i + 2 * AHEAD < c->nqueue)
			__builtin_prefetch(hot_at(m, c->queue[i + 2 * AHEAD]));
		if (i + AHEAD < c->nqueue)
			mark_ahead(m, c->queue[i + AHEAD]);
		up = hot_at(m, c->queue[i])->parent;
		if (up != TASK_NONE && mark(c, up) && queue_add(m, up) == -1)
			return (-1);
	}
	return (0);
}

/* carrying */

static void
root_deepen(struct model *m, uint32_t root, uint32_t deep)
{
	struct task_root *r = tree_root(m, root);

	if (r != NULL && deep + 1 > r->levels)
		atomic_store(&r->levels, deep + 1);
	if (deep + 1 > atomic_load_explicit(&m->levels, memory_order_relaxed))
		atomic_store(&m->levels, deep + 1);
}

static int
path_reserve(struct model *m, uint32_t level)
{
	struct task_count *c = &m->count;
	uint32_t cap = level + level / 2 + 64, *path, *count;

	if (level < c->path_cap)
		return (0);
	path = grow(m, c->path, cap, sizeof(*path));
	c->path = path != NULL ? path : c->path;
	count = grow(m, c->path_count, cap, sizeof(*count));
	c->path_count = count != NULL ? count : c->path_count;
	if (path == NULL || count == NULL)
		return (-1);
	c->path_cap = cap;
	return (0);
}

/* Adds to a task of the path, whose counters mostly are big ones. */
static void
path_add(struct model *m, uint32_t level, uint32_t size, uint64_t depths)
{
	struct task_count *c = &m->count;
	struct task_big *b;
	struct task_hot *t;

	if (c->path_count[level] & COUNT_BIG) {
		b = chunk_known(&m->bigs, c->path_count[level] & ~COUNT_BIG);
		ADD(b->size, size);
		ADD(b->sum, depths);
		return;
	}
	t = hot_at(m, c->path[level]);
	task_add_counts(m, t, size, depths);
	c->path_count[level] = atomic_load(&t->count);
}

/* The same for those of the path that have very many children. */
static void
path_tell(struct model *m, uint32_t level, struct task_sum s)
{
	const uint32_t *path = m->count.path;

	for (uint32_t l = level; l > 0; l--, s.depths += s.size)
		if (tree_wide_maybe(m, path[l - 1]))
			tree_wide_told(m, path[l - 1], path[l], s.size,
			    s.depths);
	tree_wide_told(m, TASK_NONE, path[0], s.size, s.depths);
}

/* To a task and all above it. */
static void
carry(struct model *m, uint32_t task, struct task_sum s)
{
	struct task_count *c = &m->count;
	uint32_t level = task_level(m, task), l = level + 1;

	if (path_reserve(m, level) == -1)
		return;
	while (l > 0 && task != TASK_NONE) {
		l--;
		if (l < c->npath && c->path[l] == task)
			break; /* and so are all above it */
		c->path[l] = task;
		c->path_count[l] = 0;
		task = hot_at(m, task)->parent;
	}
	c->npath = level + 1;
	if (m->nwides > 0)
		path_tell(m, level, s);
	for (l = level + 1; l-- > 0; s.depths += s.size)
		path_add(m, l, s.size, s.depths);
	root_deepen(m, c->path[0], s.deep);
}

/* What is to be added to task i, its own part being added, goes to its
 * parent. */
static void
pass_up(struct model *m, uint32_t i, const struct task_sum *s)
{
	uint32_t up = hot_at(m, i)->parent;
	struct task_sum above = { s->depths + s->size, s->size, s->deep };

	if (m->nwides > 0 && (up == TASK_NONE || tree_wide_maybe(m, up)))
		tree_wide_told(m, up, i, s->size, s->depths);
	if (up == TASK_NONE)
		root_deepen(m, i, s->deep);
	else if (up > i) /* it came late, and has had its turn */
		carry(m, up, above);
	else
		sum_add(sum_of(&m->count, up), above.size, above.depths,
		    above.deep);
}

/* Asks for what a task's parent is to get, whose mark is there. */
static inline void
sum_ahead(const struct model *m, uint32_t i)
{
	uint32_t up = hot_at(m, i)->parent;

	if (up != TASK_NONE)
		__builtin_prefetch(sum_of(&m->count, up), 1);
}

/* The new ones, each of which counts one. */
static void
settle_new(struct model *m)
{
	struct task_count *c = &m->count;
	struct task_sum s, below;

	for (uint32_t i = m->ntasks; i-- > c->told;) {
		if (i - c->told >= 2 * AHEAD)
			mark_ahead(m, i - 2 * AHEAD);
		if (i - c->told >= AHEAD)
			sum_ahead(m, i - AHEAD);
		s = (struct task_sum){ 0, 1, task_level(m, i) };
		if (tree_marked(m, i)) {
			below = *sum_of(c, i);
			task_add_counts(m, hot_at(m, i), below.size,
			    below.depths);
			sum_add(&s, below.size, below.depths, below.deep);
		}
		pass_up(m, i, &s);
	}
}

/* Then those before them, of which the k-th sum is that of the k-th. */
static void
settle_old(struct model *m, uint32_t top)
{
	struct task_count *c = &m->count;
	uint32_t i;

	for (uint32_t k = c->nqueue; k-- > 0;) {
		if (k >= 3 * AHEAD)
			__builtin_prefetch(hot_at(m, c->queue[k - 3 * AHEAD]),
			    1);
		if (k >= 2 * AHEAD)
			mark_ahead(m, c->queue[k - 2 * AHEAD]);
		if (k >= AHEAD)
			sum_ahead(m, c->queue[k - AHEAD]);
		i = c->queue[k];
		if (i == top) {
			carry(m, i, c->sum[k]);
			continue;
		}
		task_add_counts(m, hot_at(m, i), c->sum[k].size,
		    c->sum[k].depths);
		pass_up(m, i, &c->sum[k]);
	}
}

static void
settle(struct model *m)
{
	uint32_t top;

	if (tree_marks_reserve(m) == -1 || mark_ancestors(m, &top) == -1 ||
	    sums_reserve(m) == -1)
		return; /* the model has failed */
	settle_new(m);
	settle_old(m, top);
	tree_marks_clear(m);
	m->count.told = m->ntasks;
}

void
tree_count(struct model *m, uint32_t task, uint32_t size, uint64_t depths,
    uint32_t deep)
{
	carry(m, task, (struct task_sum){ depths, size, deep });
}

void
tree_count_forget(struct model *m)
{
	m->count.npath = 0;
}

void
tree_settle(struct model *m)
{
	if (m->count.told < m->ntasks)
		settle(m);
	tree_wide_settle(m);
	if (m->tree_changed)
		atomic_fetch_add_explicit(&m->tree_version, 1,
		    memory_order_release);
	m->tree_changed = 0;
}

void
tree_count_clear(struct model *m)
{
	struct task_count *c = &m->count;

	memory_free(c->mark);
	memory_free(c->words);
	memory_free(c->queue);
	memory_free(c->sum);
	memory_free(c->path);
	memory_free(c->path_count);
}
