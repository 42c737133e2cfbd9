/*
 * Pieces from which tasks are given up are made anew with those that stay:
 * they lie close together, and a bit for each number tells whether and where.
 * Whoever still reads the old piece finds it until he has left.
 *
 * Marks of tasks, for who gives some up: a bit for each, and a bit for each
 * word of those that has any.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/keep/memory.h"
#include "model/tree/tree_forget.h"
#include "model/tree/tree_inside.h"

static uint64_t *
grow(uint64_t *words, uint32_t was, uint32_t n)
{
	uint64_t *more = memory_grow(words, n * sizeof(*more));

	if (more != NULL)
		memset(more + was, 0, (n - was) * sizeof(*more));
	return (more);
}

int
tree_marks_reserve(struct model *m)
{
	struct task_marks *k = &shape_of(m)->marked;
	uint32_t n = store_of(m)->ntasks / 64 + 1, was = k->n;
	uint64_t *bits, *words;

	if (n <= was)
		return (0);
	n = (n + n / 2 + 64) / 64 * 64;
	bits = grow(k->bits, was, n);
	k->bits = bits != NULL ? bits : k->bits;
	words = grow(k->words, was / 64, n / 64);
	k->words = words != NULL ? words : k->words;
	if (bits == NULL || words == NULL) {
		held_of(m)->failed = ENOMEM;
		return (-1);
	}
	k->n = n;
	return (0);
}

void
tree_mark(struct model *m, uint32_t task)
{
	shape_of(m)->marked.bits[task >> 6] |= 1ull << (task & 63);
	shape_of(m)->marked.words[task >> 12] |= 1ull << (task >> 6 & 63);
}

bool
tree_marked(const struct model *m, uint32_t task)
{
	return ((shape_of(m)->marked.bits[task >> 6] >> (task & 63) & 1) != 0);
}

void
tree_marks_clear(struct model *m)
{
	struct task_marks *k = &shape_of(m)->marked;
	uint64_t w;

	for (uint32_t i = 0; i < k->n / 64; i++) {
		for (w = k->words[i]; w != 0; w &= w - 1)
			k->bits[i * 64 + (uint32_t)__builtin_ctzll(w)] = 0;
		k->words[i] = 0;
	}
}

void
tree_marks_free(struct model *m)
{
	memory_free(shape_of(m)->marked.bits);
	memory_free(shape_of(m)->marked.words);
}

#define NOTHING 0x7fffffffu /* an index that no array has */

/* Of the numbers of a piece those that stay. */
static void
rank_make(struct task_rank *r, const struct task_piece *old,
    const uint64_t *marked)
{
	r->n = 0;
	for (unsigned g = 0; g < GROUPS; g++) {
		r->bits[g] =
		    (old->rank == NULL ? UINT64_MAX : old->rank->bits[g]) &
		    ~marked[g];
		r->before[g] = r->n;
		r->n += (uint16_t)__builtin_popcountll(r->bits[g]);
	}
}

/* One piece of memory for all: the header, the rank, the bases, the arrays. */
static struct task_piece *
thin_make(const struct task_rank *rank, size_t *bytes)
{
	size_t n = rank->n + 1u;
	struct task_piece *p;
	struct task_rank *r;

	*bytes = sizeof(*p) + sizeof(*r) + sizeof(struct task_bases) +
		 n * (sizeof(struct task_hot) + sizeof(struct task_warm) +
			 sizeof(uint16_t));
	p = memory_zero(1, *bytes);
	if (p == NULL)
		return (NULL);
	p->bases = (struct task_bases *)(p + 1);
	p->hot = (struct task_hot *)(p->bases + 1);
	p->warm = (struct task_warm *)(p->hot + n);
	r = (struct task_rank *)(p->warm + n);
	p->level = (uint16_t *)(r + 1);
	*r = *rank;
	p->rank = r;
	p->hot[n - 1] = (struct task_hot){ TASK_NONE, TASK_NONE, TASK_NONE,
		COUNT_BIG | NOTHING };
	p->warm[n - 1] = (struct task_warm){ OFF_NONE, OFF_NONE,
		0x80000000u | NOTHING, 0, 0 };
	return (p);
}

static int
beside_make(struct model *m, struct task_piece *p, const struct task_piece *old)
{
	if (atomic_load(&old->end) != NULL && task_end_make(m, p) == NULL)
		return (-1);
	if (atomic_load(&old->wide) != NULL && task_wide_make(m, p) == NULL)
		return (-1);
	return (0);
}

static void
copy_one(struct task_piece *p, uint32_t to, const struct task_piece *old,
    uint32_t from)
{
	struct task_wide *w = atomic_load(&p->wide),
			 *v = atomic_load(&old->wide);

	p->hot[to] = old->hot[from];
	p->warm[to] = old->warm[from];
	p->level[to] = old->level[from];
	if (atomic_load(&old->end) != NULL)
		atomic_load(&p->end)[to] = atomic_load(&old->end)[from];
	if (v == NULL)
		return;
	w->level[to] = v->level[from];
	w->name[to] = v->name[from];
	w->place[to] = v->place[from];
}

static void
retire(struct model *m, struct task_piece *old)
{
	size_t bytes = task_piece_bytes(old);

	if (old->rank == NULL) {
		retired_add_block(&held_of(m)->retired, old->hot);
		retired_add_block(&held_of(m)->retired, old->warm);
		bytes += 2 * SLAB_BLOCK;
	}
	retired_add(&held_of(m)->retired, atomic_load(&old->end));
	retired_add(&held_of(m)->retired, atomic_load(&old->wide));
	retired_add(&held_of(m)->retired, old);
	atomic_fetch_sub(&held_of(m)->bytes, bytes);
}

static int
piece_thin(struct model *m, uint32_t k)
{
	_Atomic(struct task_piece *) *at =
	    &store_of(m)->task_dir[k >> DIR_BITS][k & ((1u << DIR_BITS) - 1)];
	struct task_piece *old = atomic_load(at), *p;
	struct task_rank rank;
	uint32_t n = 0, i;
	size_t bytes;

	rank_make(&rank, old, &shape_of(m)->marked.bits[k * GROUPS]);
	p = thin_make(&rank, &bytes);
	if (p == NULL) {
		held_of(m)->failed = ENOMEM;
		return (-1);
	}
	*p->bases = *old->bases;
	p->level0 = old->level0;
	if (beside_make(m, p, old) == -1) {
		task_piece_free(p);
		return (-1);
	}
	for (unsigned g = 0; g < GROUPS; g++)
		for (uint64_t b = rank.bits[g]; b != 0; b &= b - 1) {
			i = g * 64 + (uint32_t)__builtin_ctzll(b);
			copy_one(p, n++, old, rank_in(old, i));
		}
	atomic_fetch_add(&held_of(m)->bytes, bytes);
	atomic_store(at, p);
	retire(m, old);
	return (0);
}

int
tree_thin(struct model *m)
{
	uint32_t n = shape_of(m)->marked.n / GROUPS;

	for (uint32_t k = 0; k < n; k++)
		if (shape_of(m)->marked.words[k] != 0 && piece_thin(m, k) == -1)
			return (-1);
	task_pieces_number(m);
	return (0);
}
