/* A Kiviat figure: its ground, its area, and which spoke is pointed at. */
#include "layout/chart/radar.h"

#include <math.h>

#define TURN  6.28318530717958647692
#define RINGS 4

void
radar_at(const struct radar *k, size_t spoke, double share, int32_t *x_q,
    int32_t *y_q)
{
	double angle = TURN * (double)spoke / (double)k->n;
	double r = (share < 0 ? 0 : share) * k->r * SCENE_ONE;

	*x_q = k->x * SCENE_ONE + (int32_t)lround(r * sin(angle));
	*y_q = k->y * SCENE_ONE - (int32_t)lround(r * cos(angle));
}

void
radar_ground_scene(const struct radar *k, const struct palette *p,
    struct scene *s)
{
	int32_t q = SCENE_ONE, x, y;

	for (int i = 1; i <= RINGS; i++)
		scene_mark(s, ITEM_CIRCLE, k->x * q, k->y * q,
		    k->r * q * i / RINGS, p->grid);
	for (size_t i = 0; i < k->n; i++) {
		radar_at(k, i, 1, &x, &y);
		scene_line(s, k->x * q, k->y * q, x, y, q, p->grid);
	}
}

void
radar_area_scene(const struct radar *k, const double *share, uint32_t rgb,
    bool filled, struct scene *s)
{
	size_t first = s->npoints;
	int32_t x, y, from_x, from_y;
	struct item *i;

	radar_at(k, k->n - 1, share[k->n - 1], &from_x, &from_y);
	for (size_t n = 0; n < k->n; n++) {
		radar_at(k, n, share[n], &x, &y);
		if (!filled)
			scene_line(s, from_x, from_y, x, y, SCENE_ONE, rgb);
		else if (scene_point(s, x, y) == -1)
			return;
		from_x = x;
		from_y = y;
	}
	if (filled && k->n > 2) {
		i = scene_poly(s, first, rgb);
		if (i != NULL)
			i->alpha = 150;
	}
}

size_t
radar_hit(const struct radar *k, int32_t x, int32_t y)
{
	double dx = x - k->x, dy = k->y - y, turn;

	if (dx * dx + dy * dy > (double)k->r * k->r)
		return (k->n);
	turn = atan2(dx, dy) / TURN;
	turn += turn < 0 ? 1 : 0;
	return ((size_t)lround(turn * (double)k->n) % k->n);
}
