/* What series*.c share. */
#ifndef VIEWER_SERIES_INSIDE_H
#define VIEWER_SERIES_INSIDE_H

#include "model/curves/series.h"

#define SERIES_BLOCK_MAX 256 /* with late ones; beyond, it is two */

/* Values of a block or of the tail, unpacked; at nblocks: the tail. */
struct series_run {
	size_t block; /* SIZE_MAX: none yet */
	size_t n;
	int64_t t[SERIES_BLOCK_MAX + 1], v[SERIES_BLOCK_MAX + 1];
};
void series_unpack(const struct series *, size_t block, struct series_run *);
/* The last block (nblocks: the tail) that begins before t or at it; or 0. */
size_t series_find(const struct series *, int64_t t_ns);
/* Value a below b. */
static inline bool
series_less(const struct series *s, int64_t a, int64_t b)
{
	return (s->real ? series_number(s, a) < series_number(s, b) : a < b);
}

#endif
