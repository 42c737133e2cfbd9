/* See retired.h.  When memory is out a piece is leaked, never freed early. */
#include "retired.h"

#include <stdlib.h>

void
retired_add(struct retired *r, void *piece)
{
	void **p;
	size_t cap;

	if (piece == NULL)
		return;
	if (r->n == r->cap) {
		cap = r->cap == 0 ? 16 : r->cap * 2;
		p = realloc(r->pieces, cap * sizeof(*p));
		if (p == NULL)
			return;
		r->pieces = p;
		r->cap = cap;
	}
	r->pieces[r->n++] = piece;
}

void
retired_sweep(struct retired *r)
{
	if (r->n == 0 || atomic_load(&r->readers) != 0)
		return;
	for (size_t i = 0; i < r->n; i++)
		free(r->pieces[i]);
	r->n = 0;
}

void
retired_clear(struct retired *r)
{
	atomic_store(&r->readers, 0);
	retired_sweep(r);
	free(r->pieces);
	r->pieces = NULL;
	r->cap = 0;
}
