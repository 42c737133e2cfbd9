/*
 * Marks of tasks, for who gives some up: a bit for each, and a bit for each
 * word of those that has any.
 */
#include <errno.h>
#include <string.h>

#include "model/keep/memory.h"
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
