/*
 * What each item of a display list covers, kept so that the list is painted
 * again in other colours in a quarter of the time.
 */
#ifndef VIEWER_COVER_H
#define VIEWER_COVER_H

#include <stdbool.h>

#include "layout/scene.h"
#include "raster/shares.h"

#define COVER_BANDS 6 /* of the height, which two threads share out */

struct cover {
	uint64_t made; /* of the list, see scene.h; 0: there is none */
	bool failed;   /* it would be too large: do not try again */
	int32_t width, height;
	struct shares band[COVER_BANDS];
};

/* Is it of this list, and of a canvas as large as that? */
bool cover_is(const struct cover *, const struct scene *,
    const struct canvas *);
/* Begins one.  Then each band, by any thread; they may fail. */
void cover_begin(struct cover *, const struct scene *, const struct canvas *);
/*
 * Items from..to - 1 of a band.  The canvas is black where nothing has been
 * painted, and is so again afterwards.  -1: no memory, or it becomes larger
 * than two pictures.
 */
int cover_take(struct cover *, int band, const struct scene *, size_t from,
    size_t to, const struct canvas *black);
/* Paints a band as paint_items() does, to the same pixels. */
void cover_paint(const struct cover *, int band, const struct scene *,
    const struct canvas *);
/* A canvas whose clip is this band of it. */
struct canvas cover_band(const struct canvas *, int band);
void cover_free(struct cover *);

#endif
