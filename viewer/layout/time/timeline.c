/*
 * The scale of the process-time view: time to pixels and back, ticks of the
 * ruler, and which row is at a place.
 */
#include "layout/time/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"

#define SCALE_MAX 1000000 /* px: further out is all the same */

int64_t
timeline_time(const struct timeline_view *v, int32_t x)
{
	double per = (double)(v->t1_mon_ns - v->t0_mon_ns) /
		     (v->width > 0 ? v->width : 1);

	return (v->t0_mon_ns + (int64_t)(per * x));
}

int32_t
timeline_x(const struct timeline_view *v, int64_t t)
{
	double span = (double)(v->t1_mon_ns - v->t0_mon_ns), x;

	if (t == INT64_MAX || span <= 0)
		return (t > v->t0_mon_ns ? SCALE_MAX : -SCALE_MAX);
	x = ((double)t - (double)v->t0_mon_ns) * v->width / span;
	if (x > SCALE_MAX)
		return (SCALE_MAX);
	if (x < -SCALE_MAX)
		return (-SCALE_MAX);
	return ((int32_t)(x < 0 ? x - 1 : x));
}

double
timeline_exact_x(const struct timeline_view *v, int64_t t)
{
	return (((double)t - (double)v->t0_mon_ns) * v->width /
		(double)(v->t1_mon_ns - v->t0_mon_ns));
}

size_t
timeline_ticks(const struct timeline_view *v, int64_t origin, int64_t *t,
    size_t max, int64_t *step)
{
	static const int64_t nice[3] = { 1, 2, 5 };
	int64_t span = v->t1_mon_ns - v->t0_mon_ns, s = 1, at;
	size_t n = 0;

	*step = 0;
	if (max == 0 || span <= 0)
		return (0);
	for (int64_t ten = 1;; ten *= 10) {
		for (int i = 0; i < 3; i++) {
			s = ten * nice[i];
			if (span / s < (int64_t)max)
				break;
		}
		if (span / s < (int64_t)max || ten > INT64_MAX / 100)
			break;
	}
	*step = s;
	at = (v->t0_mon_ns - origin) / s * s + origin;
	while (at < v->t0_mon_ns)
		at += s;
	for (; at < v->t1_mon_ns && n < max; at += s)
		t[n++] = at;
	return (n);
}

const struct timeline_row *
timeline_row_at(const struct timeline_layout *l, int32_t y)
{
	size_t lo = 0, hi = l->npinned, mid;

	if (y >= l->pinned_height) {
		lo = l->npinned;
		hi = l->nrows;
	}
	for (size_t end = hi; hi > lo;) {
		mid = lo + (hi - lo) / 2;
		if (l->rows[mid].y + l->rows[mid].height <= y)
			lo = mid + 1;
		else
			hi = mid;
		if (lo == end)
			return (NULL);
	}
	return (lo < l->nrows && l->rows[lo].y <= y ? &l->rows[lo] : NULL);
}

size_t
timeline_first_row(const struct timeline_layout *l)
{
	const struct timeline_row *r = timeline_row_at(l, l->pinned_height);

	return (r == NULL ? l->nrows : (size_t)(r - l->rows));
}

void
timeline_layout_free(struct timeline_layout *l)
{
	timeline_columns_free(l);
	scene_free(&l->part[0]);
	scene_free(&l->part[1]);
	scene_free(&l->links);
	free(l->rows);
	free(l->made.spare);
	free(l->made.root);
	free(l->made.folded);
	free(l->lane_row);
	memset(l, 0, sizeof(*l));
}
