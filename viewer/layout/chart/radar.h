/*
 * Shares around a centre, a spoke each, the first upwards and the others
 * clockwise (Kiviat).  1 is the outer ring.
 *
 * Pure.
 */
#ifndef VIEWER_CHART_RADAR_H
#define VIEWER_CHART_RADAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout/palette.h"
#include "layout/scene.h"

struct radar {
	int32_t x, y, r; /* px: centre, outer ring */
	size_t n;        /* spokes; at least one */
};

/* Where a share of a spoke stands, 1/16 px; below 0: the centre. */
void radar_at(const struct radar *, size_t spoke, double share, int32_t *x_q,
    int32_t *y_q);
/* Rings at quarters, and the spokes. */
void radar_ground_scene(const struct radar *, const struct palette *,
    struct scene *);
/* The shares of all spokes: an area, or a line around it. */
void radar_area_scene(const struct radar *, const double *share, uint32_t rgb,
    bool filled, struct scene *);
/* The spoke that is nearest to a place within the outer ring; n: none. */
size_t radar_hit(const struct radar *, int32_t x, int32_t y);

#endif
