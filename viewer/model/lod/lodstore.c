/* See lodstore.h.  The newest block is filled, the oldest goes first. */
#include "model/lod/lodstore.h"

#include <stdlib.h>

#include "model/keep/retired.h"

#ifdef ORRERY_SMALL /* as in proto/log/block.h */
#define BLOCK_BYTES 8192
#else
#define BLOCK_BYTES 65536
#endif

struct lod_block {
	struct lod_block *next;
	int64_t until_ns; /* no leaf in it ends later */
	uint32_t used;    /* bytes, with this */
	uint32_t zero;
};

static struct lod_block *
block_add(struct lod_store *s, _Atomic uint64_t *bytes)
{
	struct lod_block *b = malloc(BLOCK_BYTES);

	if (b == NULL)
		return (NULL);
	*b = (struct lod_block){ .until_ns = INT64_MIN, .used = sizeof(*b) };
	if (s->newest != NULL)
		s->newest->next = b;
	else
		s->oldest = b;
	s->newest = b;
	s->bytes += BLOCK_BYTES;
	atomic_fetch_add_explicit(bytes, BLOCK_BYTES, memory_order_relaxed);
	return (b);
}

void *
lod_store_take(struct lod_store *s, size_t size, int64_t t_ns,
    _Atomic uint64_t *bytes)
{
	struct lod_block *b = s->newest;
	char *p;

	if (b == NULL || b->used + size > BLOCK_BYTES)
		b = block_add(s, bytes);
	if (b == NULL)
		return (NULL);
	p = (char *)b + b->used;
	b->used += (uint32_t)(size + 3) & ~3u;
	if (t_ns > b->until_ns)
		b->until_ns = t_ns;
	return (p);
}

void
lod_store_forget(struct lod_store *s, int64_t t_ns, struct retired *r,
    _Atomic uint64_t *bytes)
{
	struct lod_block *b;

	while ((b = s->oldest) != s->newest && b->until_ns < t_ns) {
		s->oldest = b->next;
		s->bytes -= BLOCK_BYTES;
		atomic_fetch_sub_explicit(bytes, BLOCK_BYTES,
		    memory_order_relaxed);
		retired_add(r, b);
	}
}

int64_t
lod_store_time(const struct lod_store *s, uint64_t bytes)
{
	const struct lod_block *b;
	int64_t t = INT64_MIN;

	for (b = s->oldest; b != s->newest && bytes > 0; b = b->next) {
		t = b->until_ns > t ? b->until_ns : t;
		bytes -= bytes < BLOCK_BYTES ? bytes : BLOCK_BYTES;
	}
	return (t);
}

void
lod_store_clear(struct lod_store *s)
{
	struct lod_block *b;

	while ((b = s->oldest) != NULL) {
		s->oldest = b->next;
		free(b);
	}
	s->newest = NULL;
	s->bytes = 0;
}
