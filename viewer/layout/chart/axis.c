/* Axes: places of values, and steps that people count in. */
#include "layout/chart/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "layout/scene.h"

/* What labels are counted in, the largest first, and its steps. */
struct scale {
	double one;
	const char *name;
	double steps[10]; /* 0 ends them; none: 1, 2, 5 and tens of these */
};

static const struct scale times[] = {
	{ 3600e9, " h", { 1, 2, 3, 6, 12, 24, 48, 120, 240 } },
	{ 60e9, " min", { 1, 2, 5, 10, 15, 30 } },
	{ 1e9, " s", { 0 } },
	{ 1e6, " ms", { 0 } },
	{ 1e3, " µs", { 0 } },
	{ 1, " ns", { 0 } },
};
static const struct scale numbers[] = {
	{ 1e12, " T", { 0 } },
	{ 1e9, " G", { 0 } },
	{ 1e6, " M", { 0 } },
	{ 1e3, " k", { 0 } },
	{ 1, "", { 0 } },
};
static const struct scale bytes[] = {
	{ 1e12, " TB", { 0 } },
	{ 1e9, " GB", { 0 } },
	{ 1e6, " MB", { 0 } },
	{ 1e3, " KB", { 0 } },
	{ 1, " B", { 0 } },
};
static const struct scale percents[] = { { 1, " %", { 0 } } };

static const struct {
	const struct scale *scale;
	size_t n;
	double least; /* that a step may be */
} units[AXIS_UNITS] = {
	[AXIS_COUNT] = { numbers, 5, 1 },
	[AXIS_NUMBER] = { numbers, 5, 0 },
	[AXIS_NS] = { times, 6, 1 },
	[AXIS_BYTES] = { bytes, 5, 1 },
	[AXIS_PERCENT] = { percents, 1, 0 },
};

static double
share(const struct axis *a, double value)
{
	double s;

	if (a->scale == AXIS_LOG)
		s = value <= a->lo ? 0
				   : log(value / a->lo) / log(a->hi / a->lo);
	else
		s = (value - a->lo) / (a->hi - a->lo);
	return (s >= 1 ? 1 : s > 0 ? s : 0);
}

int32_t
axis_at_q(const struct axis *a, double value)
{
	double length = (double)(a->hi_px - a->lo_px) * SCENE_ONE;

	return (
	    a->lo_px * SCENE_ONE + (int32_t)lround(share(a, value) * length));
}

double
axis_value(const struct axis *a, int32_t px)
{
	double length = a->hi_px - a->lo_px, s;

	s = length == 0 ? 0 : (px - a->lo_px) / length;
	s = s > 1 ? 1 : s > 0 ? s : 0;
	if (a->scale == AXIS_LOG)
		return (a->lo * pow(a->hi / a->lo, s));
	return (a->lo + s * (a->hi - a->lo));
}

static int32_t
length_px(const struct axis *a)
{
	return (
	    a->hi_px > a->lo_px ? a->hi_px - a->lo_px : a->lo_px - a->hi_px);
}

/* The unit that a value is written in: the largest that it has one of. */
static const struct scale *
scale_of(enum axis_unit unit, double value)
{
	const struct scale *s = units[unit].scale;
	size_t i = 0;

	while (i + 1 < units[unit].n && fabs(value) < s[i].one * (1 - 1e-9))
		i++;
	return (&s[i]);
}

/* 1, 2 or 5 times a power of ten, not below v. */
static double
round_step(double v)
{
	double ten = pow(10, floor(log10(v) + 1e-9)), m = v / ten;

	return (ten * (m <= 1 + 1e-9      ? 1
			  : m <= 2 + 1e-9 ? 2
			  : m <= 5 + 1e-9 ? 5
					  : 10));
}

/* The smallest step of at least v that people count in. */
static double
step_of(enum axis_unit unit, double v)
{
	const struct scale *s;

	v = v < units[unit].least ? units[unit].least : v;
	s = scale_of(unit, v);
	for (size_t i = 0; i < 10 && s->steps[i] != 0; i++) {
		if (s->steps[i] * s->one >= v * (1 - 1e-9))
			return (s->steps[i] * s->one);
	}
	if (s->steps[0] == 0) {
		v = s->one * round_step(v / s->one);
		/* 100 s are no step: what comes next has steps of its own */
		return (unit == AXIS_NS && v > 30e9 ? 60e9 : v);
	}
	return (s == units[unit].scale ? s->one * ceil(v / s->one)
				       : s[-1].one * s[-1].steps[0]);
}

/* With as many digits as the step needs. */
static void
write_label(char *buf, const struct scale *s, double value, double step)
{
	double part = step / s->one;
	int digits = 0;

	while (digits < 9 && fabs(part - round(part)) > 1e-6 * part) {
		part *= 10;
		digits++;
	}
	value = value == 0 ? 0 : value / s->one; /* no -0 */
	snprintf(buf, AXIS_LABEL, "%.*f%s", digits, value, s->name);
}

static void
put(const struct axis *a, struct tick *t, double value, bool major)
{
	t->value = value;
	t->at_q = axis_at_q(a, value);
	t->major = major;
}

static size_t
linear_ticks(const struct axis *a, int32_t apart, struct tick *t, size_t max)
{
	double range = a->hi - a->lo, largest = fmax(fabs(a->lo), fabs(a->hi));
	double step = step_of(a->unit, range * apart / length_px(a));
	const struct scale *s = scale_of(a->unit, largest);
	size_t n = 0;

	for (double k = ceil(a->lo / step - 1e-9);
	     n < max && k * step <= a->hi + range * 1e-9; k++, n++) {
		put(a, &t[n], k * step, true);
		write_label(t[n].label, s, t[n].value, step);
	}
	return (n);
}

static void
log_label(const struct axis *a, struct tick *t)
{
	write_label(t->label, scale_of(a->unit, t->value), t->value, t->value);
}

/* Powers of ten, or every so many of them; 2 and 5 where there is room. */
static size_t
log_ticks(const struct axis *a, int32_t apart, struct tick *t, size_t max)
{
	static const double between[] = { 1, 2, 5 };
	double decades = log10(a->hi / a->lo), ten = length_px(a) / decades;
	int every = ten >= apart ? 1 : (int)ceil(apart / ten);
	/* from 2 to 5 is the widest of the three, 1 to 2 the narrowest */
	size_t parts = ten * log10(2) >= apart ? 3 : 1, n = 0;
	int k = (int)floor(log10(a->lo) + 1e-9);

	for (; pow(10, k) <= a->hi * (1 + 1e-9); k++) {
		if (k % every != 0)
			continue;
		for (size_t i = 0; i < parts && n < max; i++) {
			double v = pow(10, k) * between[i];

			if (v < a->lo * (1 - 1e-9) || v > a->hi * (1 + 1e-9) ||
			    v < units[a->unit].least)
				continue;
			put(a, &t[n], v, i == 0);
			log_label(a, &t[n++]);
		}
	}
	return (n);
}

static bool
is_sound(const struct axis *a, int32_t apart)
{
	return (isfinite(a->lo) && isfinite(a->hi) && a->lo < a->hi &&
		length_px(a) > 0 && apart > 0 &&
		(a->scale == AXIS_LINEAR || a->lo > 0));
}

size_t
axis_ticks(const struct axis *a, int32_t apart, struct tick *t, size_t max)
{
	int32_t least;

	if (!is_sound(a, apart) || max == 0)
		return (0);
	/* not so many that the last part of a long axis would have none */
	least = max > 1 ? length_px(a) / (int32_t)(max - 1) + 1 : length_px(a);
	apart = apart > least ? apart : least;
	if (a->scale == AXIS_LOG)
		return (log_ticks(a, apart, t, max));
	return (linear_ticks(a, apart, t, max));
}

void
axis_round_up(struct axis *a, int32_t apart)
{
	double step;

	if (!is_sound(a, apart))
		return;
	if (a->scale == AXIS_LOG) {
		a->hi = pow(10, ceil(log10(a->hi) - 1e-9));
		return;
	}
	step = step_of(a->unit, (a->hi - a->lo) * apart / length_px(a));
	a->hi = step * ceil(a->hi / step - 1e-9);
}
