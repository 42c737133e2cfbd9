/* What series*.c share. */
#ifndef VIEWER_SERIES_INSIDE_H
#define VIEWER_SERIES_INSIDE_H

#include "model/curves/series.h"

/* The values of a block, at nblocks: of the tail. */
void series_unpack(const struct series *, size_t block, struct series_reader *);
/* The last block (nblocks: the tail) that begins before t or at it; or 0. */
size_t series_find(const struct series *, int64_t t_ns);
/* Value a below b. */
static inline bool
series_less(const struct series *s, int64_t a, int64_t b)
{
	return (s->real ? series_number(s, a) < series_number(s, b) : a < b);
}

#endif
