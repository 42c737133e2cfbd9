/*
 * The least of many marks, each of which moves by itself: a tournament in an
 * array.  A change costs one walk to the root, the minimum nothing.
 */
#ifndef MONITORD_WATERMARK_H
#define MONITORD_WATERMARK_H

#include <stddef.h>
#include <stdint.h>

#define WATERMARK_NONE INT64_MAX /* this one is not waited for */

/* All zero is empty. */
struct watermark {
	int64_t *tree; /* tree[1] is the root, leaves from `leaves` on */
	size_t leaves; /* a power of two */
};

void watermark_clear(struct watermark *); /* frees */
/* Makes room for marks 0..n-1, new ones WATERMARK_NONE.  -1 with ENOMEM. */
int watermark_reserve(struct watermark *, size_t n);
void watermark_set(struct watermark *, size_t i, int64_t mark);
/* WATERMARK_NONE when there is none. */
int64_t watermark_min(const struct watermark *);

#endif
