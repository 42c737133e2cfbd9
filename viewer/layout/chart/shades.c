/* The scale of a matrix, and colours from it. */
#include "layout/chart/shades.h"

#include <math.h>
#include <stdlib.h>

#define PERCENTILE 0.12

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return ((x > y) - (x < y));
}

static double
low_percentile(const double *v, size_t n, size_t above, double least)
{
	double *sorted = malloc(above * sizeof(*sorted));
	size_t k = 0;

	if (sorted == NULL)
		return (least);
	for (size_t i = 0; i < n && k < above; i++) {
		if (v[i] > 0)
			sorted[k++] = v[i];
	}
	qsort(sorted, k, sizeof(*sorted), by_value);
	least = sorted[(size_t)((double)(k - 1) * PERCENTILE)];
	free(sorted);
	return (least);
}

void
shades_fit(struct shades *s, const double *v, size_t n, bool log)
{
	double least = INFINITY;
	size_t above = 0;

	*s = (struct shades){ .log = log };
	for (size_t i = 0; i < n; i++) {
		if (!(v[i] > 0))
			continue;
		above++;
		least = fmin(least, v[i]);
		s->hi = fmax(s->hi, v[i]);
	}
	if (above > 0)
		s->lo = low_percentile(v, n, above, least);
}

double
shades_at(const struct shades *s, double v)
{
	double at;

	if (!(v > 0))
		return (-1);
	if (s->hi <= s->lo || v >= s->hi)
		return (1);
	if (s->log)
		at = log(v / s->lo) / log(s->hi / s->lo);
	else
		at = (v - s->lo) / (s->hi - s->lo);
	return (at > 0 ? at : 0);
}

double
shades_value(const struct shades *s, double at)
{
	if (s->hi <= s->lo || !s->log)
		return (s->lo + at * (s->hi - s->lo));
	return (s->lo * pow(s->hi / s->lo, at));
}

/* The sum of its parts tells which of the two themes it is. */
static bool
is_light(uint32_t rgb)
{
	return ((rgb >> 16 & 255) + (rgb >> 8 & 255) + (rgb & 255) > 384);
}

uint32_t
shades_rgb(const struct shades *s, const struct palette *p, double v)
{
	double at = shades_at(s, v);

	if (at < 0)
		return (palette_mix(p->panel, p->line, 160));
	if (is_light(p->background))
		at = 1 - at;
	return (palette_scale_on(p, SCALE_VIRIDIS, at));
}
