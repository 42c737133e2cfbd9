/*
 * See tree_wide.h.  Children are appended, so a child keeps its place until
 * tasks are given up; then the blocks of its parent are made anew.  Children
 * are found by number, since they come in the order of their numbers; those
 * that do not (their parent came to be known late) are in a table, and the
 * blocks say from which number on the others are theirs.
 *
 * A task becomes wide when all that is below it has been counted: until then
 * only the number of its children is kept.
 */
#include "model/tree_wide.h"

#include <errno.h>
#include <string.h>

#include "model/memory.h"
#include "model/tree_forget.h"

struct tree_wide {
	uint32_t task; /* TASK_NONE: of roots; free: the next free one */
	_Atomic uint32_t kids;
	uint32_t after; /* the highest number so far */
	uint32_t guess; /* the block that was told of last */
	_Atomic(struct wide_block *) block[WIDE_LEVELS];
	uint32_t cap[WIDE_LEVELS];
	/* NULL while all are in order; else by block: the highest number
	 * before it */
	_Atomic(uint32_t *) before;
};

static struct tree_wide *
wide_at(const struct model *m, uint32_t i)
{
	return (chunk_known(&m->wides, i));
}

/* NULL: it is not. */
static struct task_big *
big_of(const struct model *m, const struct task_hot *t)
{
	uint32_t v = atomic_load_explicit(&t->count, memory_order_acquire);

	return (v & COUNT_BIG ? chunk_at(&m->bigs, v & ~COUNT_BIG) : NULL);
}

static struct tree_wide *
wide_of_task(const struct model *m, uint32_t task)
{
	const struct task_big *b;
	uint32_t kids;

	if (task == TASK_NONE)
		return (SEE(m->nwides) > 0 ? wide_at(m, 0) : NULL);
	b = big_of(m, hot_at(m, task));
	kids = b == NULL ? 0 : __atomic_load_n(&b->kids, __ATOMIC_ACQUIRE);
	return (kids & KIDS_WIDE ? wide_at(m, kids & ~KIDS_WIDE) : NULL);
}

/* readers */

bool
model_task_wide(const struct model *m, uint32_t task, struct wide_view *out)
{
	const struct tree_wide *w = wide_of_task(m, task);

	if (w == NULL)
		return (false);
	/* what is counted is there */
	out->kids = atomic_load_explicit(&w->kids, memory_order_acquire);
	if (out->kids == 0)
		return (false);
	out->in_order = atomic_load(&w->before) == NULL;
	for (out->levels = 0; out->levels < WIDE_LEVELS; out->levels++) {
		out->block[out->levels] =
		    atomic_load_explicit(&w->block[out->levels],
			memory_order_acquire);
		if (wide_blocks(out, out->levels) <= WIDE_KIDS) {
			out->levels++;
			break;
		}
	}
	return (true);
}

uint32_t
wide_total(const struct wide_view *w, uint64_t *depths)
{
	const struct wide_block *b = w->block[w->levels - 1];
	uint32_t n = wide_blocks(w, w->levels - 1), size = 0;

	*depths = 0;
	for (uint32_t i = 0; i < n; i++) {
		size += WIDE_SEE(b[i].size);
		*depths += WIDE_SEE(b[i].depths);
	}
	return (size);
}

/* The last of n blocks whose number is not above the child's. */
static uint32_t
bisect(const uint32_t *number, size_t stride, uint32_t n, uint32_t child)
{
	uint32_t lo = 0, mid;

	if (SEE(number[(size_t)(n - 1) * stride]) <= child)
		return (n - 1); /* most often */
	while (n - lo > 1) {
		mid = lo + (n - lo) / 2;
		if (SEE(number[(size_t)mid * stride]) <= child)
			lo = mid;
		else
			n = mid;
	}
	return (lo);
}

static uint32_t
place_of(const struct model *m, const struct tree_wide *w, uint32_t child)
{
	const uint32_t *before =
	    atomic_load_explicit(&w->before, memory_order_acquire);
	const struct wide_block *block =
	    atomic_load_explicit(&w->block[0], memory_order_acquire);
	uint32_t kids = atomic_load_explicit(&w->kids, memory_order_acquire);
	uint32_t n = (kids + WIDE_KIDS - 1) >> WIDE_BITS, odd;

	if (w->task == TASK_NONE)
		return (idmap_find(&m->root_map, child) >> WIDE_BITS);
	if (n == 0 || child == 0)
		return (0);
	if (before == NULL)
		return (bisect(&block->first,
		    sizeof(*block) / sizeof(block->first), n, child));
	odd = idmap_find(&m->wide_odd, child);
	return (odd != IDMAP_NONE ? odd : bisect(before, 1, n, child - 1));
}

uint32_t
model_wide_find(const struct model *m, uint32_t task, uint32_t child)
{
	return (place_of(m, wide_of_task(m, task), child));
}

/* writer */

/* Room for one block more; the old ones stay until their readers have left. */
static int
level_reserve(struct model *m, struct tree_wide *w, unsigned level, uint32_t n)
{
	uint32_t was = w->cap[level], cap = was + was / 2 + 8;
	struct wide_block *old = atomic_load(&w->block[level]), *b;

	if (n <= was)
		return (0);
	b = memory_alloc(cap * sizeof(*b));
	if (b == NULL)
		goto fail;
	if (old != NULL)
		memcpy(b, old, was * sizeof(*b));
	memset(b + was, 0, (cap - was) * sizeof(*b));
	atomic_store_explicit(&w->block[level], b, memory_order_release);
	retired_add(&m->retired, old);
	atomic_fetch_add(&m->bytes, (cap - was) * sizeof(*b));
	w->cap[level] = cap;
	return (0);

fail:
	m->failed = ENOMEM;
	return (-1);
}

/* As many as there are blocks. */
static int
before_make(struct model *m, struct tree_wide *w, uint32_t was, uint32_t cap,
    uint32_t n)
{
	const struct wide_block *b = atomic_load(&w->block[0]);
	uint32_t *old = atomic_load(&w->before), *k;

	k = memory_zero(cap, sizeof(*k));
	if (k == NULL) {
		m->failed = ENOMEM;
		return (-1);
	}
	if (old != NULL)
		memcpy(k, old, was * sizeof(*k));
	for (uint32_t i = 1; old == NULL && i < n; i++)
		k[i] = b[i].first - 1;
	atomic_store_explicit(&w->before, k, memory_order_release);
	retired_add(&m->retired, old);
	atomic_fetch_add(&m->bytes,
	    (cap - (old == NULL ? 0 : was)) * sizeof(*k));
	return (0);
}

/* The same, where it was last or in front of that: tasks are counted from the
 * last one on. */
static uint32_t
place_told(struct model *m, struct tree_wide *w, uint32_t child)
{
	const struct wide_block *b =
	    atomic_load_explicit(&w->block[0], memory_order_relaxed);
	uint32_t kids = atomic_load_explicit(&w->kids, memory_order_relaxed);
	uint32_t n = (kids + WIDE_KIDS - 1) >> WIDE_BITS, g = w->guess;

	if (w->task == TASK_NONE || atomic_load(&w->before) != NULL)
		return (place_of(m, w, child));
	if (g > 0 && g < n && child < b[g].first)
		g--;
	if (g >= n || child < b[g].first ||
	    (g + 1 < n && child >= b[g + 1].first))
		g = place_of(m, w, child);
	w->guess = g;
	return (g);
}

/* A level that was not needed before begins with what is below it. */
static void
level_begin(struct tree_wide *w, unsigned level, uint32_t blocks)
{
	const struct wide_block *low = atomic_load(&w->block[level - 1]);
	struct wide_block *b = atomic_load(&w->block[level]);

	for (uint32_t i = 0; i < blocks; i++) {
		ADD(b[i >> WIDE_BITS].size, low[i].size);
		ADD(b[i >> WIDE_BITS].depths, low[i].depths);
	}
}

/* For so many children, one of which is new. */
static int
blocks_reserve(struct model *m, struct tree_wide *w, uint32_t kids)
{
	uint32_t was, last = (kids - 1) >> WIDE_BITS;

	for (unsigned l = 0; l < WIDE_LEVELS; l++) {
		was = w->cap[l];
		if (level_reserve(m, w, l, last + 1) == -1)
			return (-1);
		if (l == 0 && atomic_load(&w->before) != NULL &&
		    w->cap[0] > was &&
		    before_make(m, w, was, w->cap[0], last) == -1)
			return (-1);
		if (l > 0 && was == 0)
			level_begin(w, l, last << WIDE_BITS);
		if (last < WIDE_KIDS)
			break;
		last >>= WIDE_BITS;
	}
	return (0);
}

/* One whose number is not above those of its elder siblings. */
static int
note_odd(struct model *m, struct tree_wide *w, uint32_t child, uint32_t block)
{
	if (atomic_load(&w->before) == NULL &&
	    before_make(m, w, 0, w->cap[0], block + 1) == -1)
		return (-1);
	if (idmap_find(&m->wide_odd, child) != IDMAP_NONE)
		idmap_set(&m->wide_odd, child, block);
	else if (idmap_add(&m->wide_odd, child, block, &m->retired,
		     &m->bytes) == -1)
		m->failed = ENOMEM;
	return (m->failed == 0 ? 0 : -1);
}

static int
append(struct model *m, struct tree_wide *w, uint32_t child)
{
	uint32_t n = atomic_load_explicit(&w->kids, memory_order_relaxed);
	uint32_t block = n >> WIDE_BITS, *before;
	struct wide_block *b;
	bool odd = n > 0 && child <= w->after;

	if (n % WIDE_KIDS == 0 && blocks_reserve(m, w, n + 1) == -1)
		return (-1);
	b = atomic_load_explicit(&w->block[0], memory_order_relaxed);
	if (n % WIDE_KIDS == 0)
		PUT(b[block].first, child);
	odd |=
	    m->wide_odd.n > 0 && idmap_find(&m->wide_odd, child) != IDMAP_NONE;
	if (odd && w->task != TASK_NONE && note_odd(m, w, child, block) == -1)
		return (-1);
	before = atomic_load_explicit(&w->before, memory_order_relaxed);
	if (before != NULL && n % WIDE_KIDS == 0)
		PUT(before[block], w->after);
	w->after = n == 0 || child > w->after ? child : w->after;
	atomic_store_explicit(&w->kids, n + 1, memory_order_release);
	return (0);
}

static void
add_at(struct tree_wide *w, uint32_t block, uint32_t size, uint64_t depths)
{
	uint32_t kids = atomic_load_explicit(&w->kids, memory_order_relaxed);
	struct wide_block *b;

	for (unsigned l = 0; l < WIDE_LEVELS; l++) {
		b = atomic_load_explicit(&w->block[l], memory_order_relaxed);
		ADD(b[block].size, size);
		ADD(b[block].depths, depths);
		if ((kids - 1) >> WIDE_BITS * (l + 2) == 0)
			break;
		block >>= WIDE_BITS;
	}
}

void
tree_wide_told(struct model *m, uint32_t parent, uint32_t child, uint32_t size,
    uint64_t depths)
{
	struct tree_wide *w = wide_of_task(m, parent);

	if (w != NULL && atomic_load(&w->kids) > 0)
		add_at(w, place_told(m, w, child), size, depths);
}

static void
wide_empty(struct model *m, struct tree_wide *w)
{
	size_t bytes = 0;

	atomic_store(&w->kids, 0);
	for (unsigned l = 0; l < WIDE_LEVELS; l++) {
		retired_add(&m->retired, atomic_load(&w->block[l]));
		atomic_store(&w->block[l], NULL);
		bytes += w->cap[l] * sizeof(struct wide_block);
	}
	if (atomic_load(&w->before) != NULL)
		bytes += w->cap[0] * sizeof(uint32_t);
	memset(w->cap, 0, sizeof(w->cap));
	retired_add(&m->retired, atomic_load(&w->before));
	atomic_store(&w->before, NULL);
	atomic_fetch_sub(&m->bytes, bytes);
}

/* With what is told of them. */
static void
wide_fill(struct model *m, struct tree_wide *w)
{
	uint32_t size, n = 0;
	uint64_t depths;

	for (uint32_t c = model_task_first(m, w->task); c != TASK_NONE;
	     c = model_task_next(m, c), n++) {
		size = task_counts(m, c, &depths);
		if (append(m, w, c) == -1) {
			wide_empty(m, w);
			return;
		}
		add_at(w, n >> WIDE_BITS, size, depths);
	}
}

/* Those that have found a parent or were given up are not counted. */
static void
wide_fill_roots(struct model *m, struct tree_wide *w)
{
	uint32_t task, size;
	uint64_t depths;

	for (uint32_t i = 0; i < m->nroots; i++) {
		task = tree_root_at(m, i);
		if (append(m, w, task) == -1) {
			wide_empty(m, w);
			return;
		}
		if (task == TASK_NONE)
			continue;
		size = task_counts(m, task, &depths);
		add_at(w, i >> WIDE_BITS, size, depths);
	}
}

/* Returns its number; UINT32_MAX: ENOMEM. */
static uint32_t
wide_new(struct model *m, uint32_t task)
{
	uint32_t n = m->wide_free != UINT32_MAX ? m->wide_free : m->nwides;
	struct tree_wide *w = chunk_make(&m->wides, n, &m->bytes);

	if (w == NULL) {
		m->failed = ENOMEM;
		return (UINT32_MAX);
	}
	if (n == m->wide_free)
		m->wide_free = w->task;
	else
		PUT(m->nwides, n + 1);
	w->task = task;
	return (n);
}

static void
wide_make(struct model *m, uint32_t task)
{
	struct task_big *b = big_of(m, hot_at(m, task));
	uint32_t n;

	if (b == NULL || b->kids & KIDS_WIDE)
		return;
	n = wide_new(m, task);
	if (n == UINT32_MAX)
		return;
	wide_fill(m, wide_at(m, n));
	tree_wide_note(m, task);
	__atomic_store_n(&b->kids, KIDS_WIDE | n, __ATOMIC_RELEASE);
}

void
tree_wide_due(struct model *m, uint32_t task)
{
	struct task_count *c = &m->count;
	uint32_t cap = c->due_cap == 0 ? 64 : c->due_cap * 2, *due;

	if (c->ndue == c->due_cap) {
		due = memory_grow(c->due, cap * sizeof(*due));
		if (due == NULL) {
			m->failed = ENOMEM;
			return;
		}
		c->due = due;
		c->due_cap = cap;
	}
	c->due[c->ndue++] = task;
}

void
tree_wide_settle(struct model *m)
{
	bool roots = m->nroots >= WIDE_LEAST &&
		     (m->nwides == 0 || atomic_load(&wide_at(m, 0)->kids) == 0);

	if (m->count.ndue == 0 && !roots)
		return;
	if (m->nwides == 0 && wide_new(m, TASK_NONE) == UINT32_MAX)
		return;
	if (roots)
		wide_fill_roots(m, wide_at(m, 0));
	for (uint32_t i = 0; i < m->count.ndue; i++)
		wide_make(m, m->count.due[i]);
	m->count.ndue = 0;
}

uint32_t
tree_wide_kids(struct model *m, const struct task_hot *t)
{
	uint32_t n = 0, c = t->last;

	if (c == TASK_NONE)
		return (0);
	do {
		c = hot_at(m, c)->next;
		n++;
	} while (c != t->last);
	if (n >= WIDE_LEAST)
		tree_wide_due(m, hot_at(m, c)->parent);
	return (n);
}

void
tree_wide_hung(struct model *m, uint32_t parent, uint32_t child)
{
	struct task_big *b = big_of(m, hot_at(m, parent));

	if (b->kids & KIDS_WIDE)
		append(m, wide_at(m, b->kids & ~KIDS_WIDE), child);
	else if (++b->kids == WIDE_LEAST)
		tree_wide_due(m, parent);
}

void
tree_wide_root(struct model *m, uint32_t task)
{
	struct tree_wide *w = m->nwides > 0 ? wide_at(m, 0) : NULL;

	if (w != NULL && atomic_load(&w->kids) > 0)
		append(m, w, task);
}

void
tree_wide_again(struct model *m, uint32_t task)
{
	struct tree_wide *w = wide_of_task(m, task);

	if (w == NULL || atomic_load(&w->kids) == 0)
		return;
	wide_empty(m, w);
	if (task == TASK_NONE)
		wide_fill_roots(m, w);
	else
		wide_fill(m, w);
}

void
tree_wide_free(struct model *m, uint32_t n)
{
	struct tree_wide *w = wide_at(m, n);

	wide_empty(m, w);
	w->task = m->wide_free;
	m->wide_free = n;
}

void
tree_wide_init(struct model *m)
{
	chunk_init(&m->wides, sizeof(struct tree_wide), 2);
	m->wide_free = UINT32_MAX;
}

void
tree_wide_clear(struct model *m)
{
	struct tree_wide *w;

	for (uint32_t i = 0; i < m->nwides; i++) {
		w = wide_at(m, i);
		for (unsigned l = 0; l < WIDE_LEVELS; l++)
			memory_free(atomic_load(&w->block[l]));
		memory_free(atomic_load(&w->before));
	}
	memory_free(m->count.due);
	chunk_clear(&m->wides);
	idmap_clear(&m->wide_odd);
}
