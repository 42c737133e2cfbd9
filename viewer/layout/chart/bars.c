/* Bars of parts, and the same over time: stacked areas. */
#include "layout/chart/bars.h"

/* To whole pixels, as the painter would round. */
static int32_t
whole(int32_t q)
{
	return ((q + SCENE_ONE / 2) / SCENE_ONE);
}

static void
put(struct scene *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb, bool waits, size_t id)
{
	struct item *i;

	if (x1 <= x0 || y1 <= y0)
		return;
	i = scene_add(s, waits ? ITEM_HATCH : ITEM_RECT, rgb);
	if (i == NULL)
		return;
	i->x0 = x0 * SCENE_ONE;
	i->y0 = y0 * SCENE_ONE;
	i->x1 = x1 * SCENE_ONE;
	i->y1 = y1 * SCENE_ONE;
	i->of = OF_MARK;
	i->id = id;
}

void
bar_scene(const struct axis *a, int32_t y0, int32_t y1, const struct part *part,
    size_t n, struct scene *s)
{
	double sum = a->lo;
	int32_t from = a->lo_px, to;

	for (size_t i = 0; i < n; i++) {
		sum += part[i].amount;
		to = whole(axis_at_q(a, sum));
		put(s, from, y0, to, y1, part[i].rgb, part[i].waits, i);
		from = to;
	}
}

/* Where series k of a column begins and ends, px; the axis goes up. */
static void
place(const struct axis *a, const struct series *series, size_t k,
    size_t column, int32_t *low, int32_t *high)
{
	double sum = a->lo;

	for (size_t i = 0; i < k; i++)
		sum += series[i].amount[column];
	*low = whole(axis_at_q(a, sum));
	*high = whole(axis_at_q(a, sum + series[k].amount[column]));
}

void
areas_scene(const struct axis *a, int32_t x, int32_t column_px, size_t columns,
    const struct series *series, size_t n, struct scene *s)
{
	for (size_t k = 0; k < n; k++) {
		int32_t low = 0, high = 0, l, h;
		size_t from = 0;

		for (size_t c = 0; c < columns; c++) {
			place(a, series, k, c, &l, &h);
			if (c > 0 && l == low && h == high)
				continue;
			put(s, x + (int32_t)from * column_px, high,
			    x + (int32_t)c * column_px, low, series[k].rgb,
			    series[k].waits, k);
			from = c;
			low = l;
			high = h;
		}
		put(s, x + (int32_t)from * column_px, high,
		    x + (int32_t)columns * column_px, low, series[k].rgb,
		    series[k].waits, k);
	}
}

double
areas_most(const struct series *series, size_t n, size_t columns)
{
	double most = 0, sum;

	for (size_t c = 0; c < columns; c++) {
		sum = 0;
		for (size_t k = 0; k < n; k++)
			sum += series[k].amount[c];
		most = sum > most ? sum : most;
	}
	return (most);
}
