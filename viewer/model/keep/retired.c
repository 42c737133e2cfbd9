/* See retired.h.  When memory is out a piece is leaked, never freed early. */
#include "model/keep/retired.h"

#include <stdlib.h>

#include "model/keep/memory.h"
#include "model/keep/slab.h"

void
retired_add(struct retired *r, void *piece)
{
	struct retired_list *l = &r->now;
	void **p;
	size_t cap;

	if (piece == NULL)
		return;
	if (l->n == l->cap) {
		cap = l->cap == 0 ? 16 : l->cap * 2;
		p = memory_grow(l->pieces, cap * sizeof(*p));
		if (p == NULL)
			return;
		l->pieces = p;
		l->cap = cap;
	}
	l->pieces[l->n++] = piece;
}

/* Blocks are marked by the lowest bit. */
void
retired_add_block(struct retired *r, void *block)
{
	retired_add(r, (char *)block + 1);
}

static void
list_free(struct retired *r, struct retired_list *l)
{
	char *p;

	for (size_t i = 0; i < l->n; i++) {
		p = l->pieces[i];
		if (((uintptr_t)p & 1) == 0)
			memory_free(p);
		else if (r->slab != NULL)
			slab_give(r->slab, p - 1);
	}
	l->n = 0;
}

void
retired_sweep(struct retired *r)
{
	struct retired_list l;

	if (r->before.n == 0) {
		if (r->now.n == 0)
			return;
		l = r->before;
		r->before = r->now;
		r->now = l;
		r->empty = 0;
	}
	for (unsigned door = 0; door < 2; door++)
		if (atomic_load(&r->inside[door]) == 0)
			r->empty |= 1u << door;
	if (r->empty == 3)
		list_free(r, &r->before);
	else if (r->empty != 0)
		atomic_store(&r->door, r->empty >> 1);
	/* if neither: the one behind which nobody comes in now will be */
}

void
retired_clear(struct retired *r)
{
	r->slab = NULL; /* frees its blocks itself */
	list_free(r, &r->before);
	list_free(r, &r->now);
	memory_free(r->before.pieces);
	memory_free(r->now.pieces);
	r->before.pieces = r->now.pieces = NULL;
	r->before.cap = r->now.cap = 0;
}
