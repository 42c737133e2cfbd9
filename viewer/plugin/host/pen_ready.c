/*
 * What is ready to be used: a table with bars, a curve, a Kiviat figure.  They
 * are made of what every plug-in can draw, and say their own words.
 */
#include <math.h>

#include "plugin/host/pen.h"

#define ROW_PX    16
#define HEAD_PX   18
#define NAME_PX   180
#define NUMBER_PX 96
#define AXES_MAX  256
#define POINTS    2048 /* of a curve */

void
pen_area(struct orrery_pen *pen, int32_t x, int32_t y, int32_t w, int32_t h)
{
	struct pen *p = (struct pen *)pen;

	if (w <= 0 || h <= 0 || x < 0 || y < 0 || w > PLUG_SIZE_MAX ||
	    h > PLUG_SIZE_MAX || x > PLUG_SIZE_MAX || y > PLUG_SIZE_MAX) {
		pen_wrong(p, "its area of %d x %d px at %d, %d is none", w, h,
		    x, y);
		return;
	}
	p->x = x;
	p->y = y;
	p->width = w;
	p->height = h;
}

/* False: a value that is no number. */
static bool
are_numbers(struct pen *p, const struct orrery_bar *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(b[i].value)) {
			pen_wrong(p, "it says that %s is no finite number",
			    b[i].name != NULL ? b[i].name : "something");
			return (false);
		}
	return (true);
}

static double
largest(const struct orrery_bar *b, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = b[i].value > most ? b[i].value : most;
	return (most);
}

static const char *
text(const char *s)
{
	return (s != NULL ? s : "");
}

static void
one_bar(struct pen *p, const struct orrery_bar *b, int32_t y, int32_t name_px,
    double most)
{
	int32_t x = p->x + name_px + NUMBER_PX + 10;
	int32_t room = p->x + p->width - x - 4;

	pen_add(p, PLUG_TEXT, p->x, y + 12, name_px - 6, 0, ORRERY_TEXT,
	    text(b->name));
	pen_add_text(p, PLUG_TEXT_RIGHT, p->x + name_px + NUMBER_PX, y + 12, 0,
	    ORRERY_TEXT, "%.10g", b->value);
	if (room > 0 && b->value > 0)
		pen_add(p, PLUG_RECT, x, y + 3,
		    (int32_t)lrint(b->value / most * room), ROW_PX - 6,
		    b->colour, NULL);
}

void
pen_bars(struct orrery_pen *pen, const struct orrery_bar *b, size_t n,
    const char *unit)
{
	struct pen *p = (struct pen *)pen;
	double most = largest(b, n);
	int32_t rows = (p->height - HEAD_PX) / ROW_PX, first;
	int32_t name_px = p->width / 3 < NAME_PX ? p->width / 3 : NAME_PX;

	if (!are_numbers(p, b, n))
		return;
	if (n > PLUG_SCROLL_MAX) {
		pen_wrong(p, "it has more than %d bars", PLUG_SCROLL_MAX);
		return;
	}
	rows = rows < 1 ? 1 : rows;
	p->scroll_most = (int32_t)n > rows ? (int32_t)n - rows : 0;
	first = p->scroll < p->scroll_most ? p->scroll : p->scroll_most;
	pen_add_text(p, PLUG_TEXT, p->x, p->y + 12, 0, ORRERY_DIM,
	    "%d of %zu rows", (int32_t)n < rows ? (int32_t)n : rows, n);
	pen_add(p, PLUG_TEXT_RIGHT, p->x + name_px + NUMBER_PX, p->y + 12, 0, 0,
	    ORRERY_DIM, text(unit));
	for (int32_t i = 0; i < rows && first + i < (int32_t)n; i++)
		one_bar(p, &b[first + i], p->y + HEAD_PX + i * ROW_PX, name_px,
		    most);
	for (size_t i = 0; i < n; i++)
		pen_say(pen, "  %s: %.15g%s%s", text(b[i].name), b[i].value,
		    unit != NULL && unit[0] != '\0' ? " " : "", text(unit));
}

void
pen_curve(struct orrery_pen *pen, const double *v, size_t n, const char *unit,
    unsigned colour)
{
	struct pen *p = (struct pen *)pen;
	double most = 0, least = 0, last = 0;
	int32_t y0 = p->y + HEAD_PX, h = p->height - HEAD_PX - 2;
	size_t step = n / POINTS + 1;
	int32_t was_x = 0, was_y = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(v[i])) {
			pen_wrong(p, "point %zu of its curve is no number", i);
			return;
		}
		most = v[i] > most ? v[i] : most;
		least = v[i] < least ? v[i] : least;
		last = v[i];
	}
	pen_add_text(p, PLUG_TEXT, p->x, p->y + 12, 0, ORRERY_DIM,
	    "%.6g to %.6g %s", least, most, text(unit));
	pen_say(pen, "  least %.15g, most %.15g, last %.15g %s", least, most,
	    last, text(unit));
	for (size_t i = 0; i < n && h > 0 && most > least; i += step) {
		int32_t x =
		    p->x + (int32_t)(n > 1 ? (double)i / (double)(n - 1) *
						 (p->width - 1)
					   : 0);
		int32_t y =
		    y0 + (int32_t)lrint((most - v[i]) / (most - least) * h);

		if (i > 0)
			pen_add(p, PLUG_LINE, was_x, was_y, x, y, colour, NULL);
		was_x = x;
		was_y = y;
	}
}

/* Where a share of an axis is; the first goes up. */
static void
at(const struct pen *p, size_t i, size_t n, double share, int32_t *x,
    int32_t *y)
{
	double angle = 6.283185307179586 * (double)i / (double)n;
	int32_t side = p->width < p->height ? p->width : p->height;
	double r = share * (side / 2.0 - 24);

	*x = p->x + p->width / 2 + (int32_t)lrint(r * sin(angle));
	*y = p->y + p->height / 2 - (int32_t)lrint(r * cos(angle));
}

/* From an axis to the next one, if both values lie on theirs. */
static void
edge(struct pen *p, const struct orrery_bar *b, size_t i, size_t n, double most)
{
	size_t next = (i + 1) % n;
	int32_t x0, y0, x1, y1;

	if (b[i].value < 0 || b[i].value > most || b[next].value < 0 ||
	    b[next].value > most)
		return;
	at(p, i, n, b[i].value / most, &x0, &y0);
	at(p, next, n, b[next].value / most, &x1, &y1);
	pen_add(p, PLUG_LINE, x0, y0, x1, y1, b[i].colour, NULL);
}

void
pen_kiviat(struct orrery_pen *pen, const struct orrery_bar *b, size_t n,
    double most)
{
	struct pen *p = (struct pen *)pen;
	int32_t x, y, middle = p->x + p->width / 2;

	if (!are_numbers(p, b, n))
		return;
	if (n > AXES_MAX || !(most > 0) || !isfinite(most)) {
		pen_wrong(p,
		    "a Kiviat figure has up to %d axes, and a length above 0",
		    AXES_MAX);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		at(p, i, n, 1, &x, &y);
		pen_add(p, PLUG_LINE, middle, p->y + p->height / 2, x, y,
		    ORRERY_LINE, NULL);
		at(p, i, n, 1.08, &x, &y);
		pen_add(p, x < middle ? PLUG_TEXT_RIGHT : PLUG_TEXT, x, y + 4,
		    0, 0, ORRERY_DIM, text(b[i].name));
		pen_say(pen, "  %s: %.15g", text(b[i].name), b[i].value);
		edge(p, b, i, n, most);
	}
}
