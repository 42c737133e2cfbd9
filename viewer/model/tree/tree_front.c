/*
 * See tree_front.h.  A window's sums lie in chunks of one pool, the fullest
 * one last; a chunk that was emptied is the next one that is filled.
 */
#include "model/tree/tree_front.h"

#include <stdlib.h>
#include <string.h>

#include "model/tree/tree_store.h"

#ifdef ORRERY_SMALL /* as in proto/log/block.h */
#define WINDOW_BITS 12
#else
#define WINDOW_BITS 14
#endif
#define WINDOW (1u << WINDOW_BITS)
#define NONE   UINT32_MAX
#define CHUNK  21u
#define FEW    4096u /* each of so many stays in the cache until used */

struct waiting {
	struct task_sum sum;
	uint32_t task;
};

struct chunk_of_sums {
	uint32_t next, zero;
	struct waiting of[CHUNK];
};

/* What waits for a window: its chunks, all full but the first. */
struct list {
	uint32_t chunk; /* NONE: nothing waits */
	uint32_t n;     /* in that one */
	uint32_t last;  /* the task of the last one in it */
};

struct tree_front {
	struct chunk_of_sums *chunk;
	uint32_t nchunks, chunk_cap, free;
	struct list *list; /* by window */
	uint64_t *some;    /* a bit for each window that has any */
	uint32_t nwindows;
	uint32_t waiting;  /* in all lists */
	uint32_t from, to; /* are still to be taken anyway */
	/* the window: tasks that are left, what is added to them */
	uint32_t base, left;
	uint64_t words[WINDOW / 4096], bits[WINDOW / 64];
	struct task_sum sum[WINDOW];
};

struct tree_front *
tree_front_new(void)
{
	struct tree_front *f = calloc(1, sizeof(*f));

	if (f != NULL)
		f->free = NONE;
	return (f);
}

void
tree_front_free(struct tree_front *f)
{
	if (f == NULL)
		return;
	free(f->chunk);
	free(f->list);
	free(f->some);
	free(f);
}

static void
sum_add(struct task_sum *s, const struct task_sum *more)
{
	s->size += more->size;
	s->depths += more->depths;
	s->deep = more->deep > s->deep ? more->deep : s->deep;
}

int
tree_front_begin(struct tree_front *f, uint32_t from, uint32_t to)
{
	uint32_t n = (to >> WINDOW_BITS) + 1, was = f->nwindows;
	struct list *list;
	uint64_t *some;

	f->from = from;
	f->to = to;
	f->base = NONE; /* no window yet */
	if (n <= was)
		return (0);
	n = (n + n / 2 + 64) / 64 * 64;
	list = realloc(f->list, n * sizeof(*list));
	f->list = list != NULL ? list : f->list;
	some = realloc(f->some, n / 64 * sizeof(*some));
	f->some = some != NULL ? some : f->some;
	if (list == NULL || some == NULL)
		return (-1);
	memset(list + was, 0xff, (n - was) * sizeof(*list));
	memset(some + was / 64, 0, (n - was) / 64 * sizeof(*some));
	f->nwindows = n;
	return (0);
}

/* An empty one; NONE: no memory. */
static uint32_t
chunk_take(struct tree_front *f)
{
	uint32_t at = f->free, cap = f->chunk_cap * 2 + 64;
	struct chunk_of_sums *chunk;

	if (at != NONE) {
		f->free = f->chunk[at].next;
		return (at);
	}
	if (f->nchunks == f->chunk_cap) {
		chunk = realloc(f->chunk, cap * sizeof(*chunk));
		if (chunk == NULL)
			return (NONE);
		f->chunk = chunk;
		f->chunk_cap = cap;
	}
	return (f->nchunks++);
}

static int
wait_for(struct tree_front *f, uint32_t task, const struct task_sum *s)
{
	uint32_t w = task >> WINDOW_BITS, at;
	struct list *l = &f->list[w];

	if (l->chunk != NONE && l->last == task) {
		sum_add(&f->chunk[l->chunk].of[l->n - 1].sum, s);
		return (0);
	}
	if (l->chunk == NONE || l->n == CHUNK) {
		at = chunk_take(f);
		if (at == NONE)
			return (-1);
		f->chunk[at].next = l->chunk;
		l->chunk = at;
		l->n = 0;
		f->some[w / 64] |= 1ull << w % 64;
	}
	f->chunk[l->chunk].of[l->n++] = (struct waiting){ *s, task };
	l->last = task;
	f->waiting++;
	return (0);
}

static void
chunk_ahead(const struct chunk_of_sums *c)
{
	for (size_t i = 0; i < sizeof(*c); i += 64)
		__builtin_prefetch((const char *)c + i);
}

static inline void
add_here(struct tree_front *f, uint32_t k, const struct task_sum *s)
{
	uint64_t *w = &f->bits[k >> 6], bit = 1ull << (k & 63);

	sum_add(&f->sum[k], s);
	f->left += (*w & bit) == 0;
	*w |= bit;
	f->words[k >> 12] |= 1ull << (k >> 6 & 63);
}

int
tree_front_add(struct tree_front *f, const struct model *m, uint32_t task,
    const struct task_sum *s)
{
	if ((task & ~(WINDOW - 1)) == f->base) {
		add_here(f, task - f->base, s);
		return (0);
	}
	if (f->waiting < FEW)
		__builtin_prefetch(hot_at(m, task), 1);
	return (wait_for(f, task, s));
}

/* The highest one that has any; NONE: none has. */
static uint32_t
next_window(const struct tree_front *f)
{
	uint32_t w = NONE, anyway;

	for (uint32_t i = f->nwindows / 64; i-- > 0;)
		if (f->some[i] != 0) {
			w = i * 64 + 63 - (uint32_t)__builtin_clzll(f->some[i]);
			break;
		}
	if (f->from == f->to)
		return (w);
	anyway = (f->to - 1) >> WINDOW_BITS;
	return (w == NONE || w < anyway ? anyway : w);
}

/* All that waits for the window, of which n are in the first chunk. */
static void
gather(struct tree_front *f, const struct model *m, uint32_t first, uint32_t n)
{
	struct chunk_of_sums *c;
	uint32_t next;

	for (uint32_t at = first; at != NONE; at = next, n = CHUNK) {
		c = &f->chunk[at];
		next = c->next;
		if (next != NONE)
			chunk_ahead(&f->chunk[next]);
		for (uint32_t i = 0; i < n; i++)
			__builtin_prefetch(hot_at(m, c->of[i].task), 1);
		for (uint32_t i = 0; i < n; i++)
			add_here(f, c->of[i].task - f->base, &c->of[i].sum);
		f->waiting -= n;
		c->next = f->free;
		f->free = at;
	}
}

bool
tree_front_enter(struct tree_front *f, const struct model *m)
{
	uint32_t w = next_window(f);
	const struct task_sum none = { 0, 0, 0 };

	if (w == NONE)
		return (false);
	f->base = w << WINDOW_BITS;
	gather(f, m, f->list[w].chunk, f->list[w].n);
	f->list[w].chunk = NONE;
	f->some[w / 64] &= ~(1ull << w % 64);
	while (f->to > f->from && f->to > f->base)
		add_here(f, --f->to - f->base, &none);
	return (true);
}

bool
tree_front_take(struct tree_front *f, uint32_t *task, struct task_sum *s)
{
	uint32_t i = WINDOW / 4096, k;

	while (i > 0 && f->words[i - 1] == 0)
		i--;
	if (i == 0)
		return (false);
	k = i * 64 - 1 - (uint32_t)__builtin_clzll(f->words[i - 1]);
	k = k * 64 + 63 - (uint32_t)__builtin_clzll(f->bits[k]);
	f->bits[k >> 6] &= ~(1ull << (k & 63));
	if (f->bits[k >> 6] == 0)
		f->words[k >> 12] &= ~(1ull << (k >> 6 & 63));
	f->left--;
	*task = f->base + k;
	*s = f->sum[k];
	memset(&f->sum[k], 0, sizeof(f->sum[k]));
	return (true);
}

bool
tree_front_empty(const struct tree_front *f)
{
	return (f->left == 0 && f->waiting == 0 && f->from == f->to);
}
