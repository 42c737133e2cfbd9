/* For tests of charts: amounts by chance, and what is at a pixel. */
#ifndef TESTS_UNIT_VIEWER_AMOUNTS_H
#define TESTS_UNIT_VIEWER_AMOUNTS_H

#include <math.h>
#include <stdint.h>

#include "layout/scene.h"
#include "tests/check.h"
#include "tests/rnd.h"

static inline uint64_t
below(uint64_t n)
{
	return (rnd() % n);
}

/* As often of each size. */
static inline double
any_amount(double low, double high)
{
	return (low * pow(high / low, (double)below(1000000) / 999999));
}

/* What a pixel of the scene is of; -1: nothing.  Twice: fails. */
static inline int64_t
at_px(const struct scene *s, int32_t x, int32_t y)
{
	int64_t of = -1;

	for (size_t i = 0; i < s->n; i++) {
		const struct item *k = &s->items[i];

		if (k->of != OF_MARK || x * SCENE_ONE < k->x0 ||
		    x * SCENE_ONE >= k->x1 || y * SCENE_ONE < k->y0 ||
		    y * SCENE_ONE >= k->y1)
			continue;
		assert_int_equal(of, -1);
		of = (int64_t)k->id;
	}
	return (of);
}

#endif
