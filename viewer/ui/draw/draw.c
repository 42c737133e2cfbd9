/* Text and small widgets. */
#include "ui/draw/draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static draw_heard *heard_cb;
static void *heard_arg;

void
draw_listen(draw_heard *cb, void *arg)
{
	heard_cb = cb;
	heard_arg = arg;
}

static int32_t
draw_va(struct canvas *c, enum font font, int32_t x, int32_t baseline,
    uint32_t rgb, int align, const char *fmt, va_list ap)
{
	char buf[512];
	size_t n;
	int32_t w;

	vsnprintf(buf, sizeof(buf), fmt, ap);
	n = strlen(buf);
	w = text_width(font, buf, n);
	x -= align == 2 ? w : align == 1 ? w / 2 : 0;
	if (heard_cb != NULL)
		heard_cb(heard_arg, x, x + w, baseline, align == 2, buf, n);
	canvas_text(c, font, x, baseline, rgb, buf, n);
	return (align == 2 ? x : x + w);
}

int32_t
draw_text(struct canvas *c, enum font font, int32_t x, int32_t baseline,
    uint32_t rgb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	x = draw_va(c, font, x, baseline, rgb, 0, fmt, ap);
	va_end(ap);
	return (x);
}

int32_t
draw_right(struct canvas *c, enum font font, int32_t x, int32_t baseline,
    uint32_t rgb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	x = draw_va(c, font, x, baseline, rgb, 2, fmt, ap);
	va_end(ap);
	return (x);
}

int32_t
draw_centre(struct canvas *c, enum font font, int32_t x, int32_t baseline,
    uint32_t rgb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	x = draw_va(c, font, x, baseline, rgb, 1, fmt, ap);
	va_end(ap);
	return (x);
}

void
draw_cut(struct canvas *c, enum font font, int32_t x, int32_t baseline,
    int32_t width, uint32_t rgb, const char *s)
{
	size_t n = strlen(s);
	int32_t dots, used;

	if (heard_cb != NULL)
		heard_cb(heard_arg, x, x + width, baseline, false, s, n);
	if (text_fits(font, s, n, width, &used) == n) {
		canvas_text(c, font, x, baseline, rgb, s, n);
		return;
	}
	dots = text_width(font, "…", strlen("…"));
	n = text_fits(font, s, n, width - dots, &used);
	if (n == 0)
		return;
	canvas_text(c, font, x, baseline, rgb, s, n);
	canvas_text(c, font, x + used, baseline, rgb, "…", strlen("…"));
}

/* Where the last characters begin that fit into a width. */
static size_t
tail_of(enum font font, const char *s, size_t n, int32_t width)
{
	size_t at = n, next = n;

	while (next > 0) {
		for (next--; next > 0 && (s[next] & 0xc0) == 0x80; next--)
			continue;
		if (text_width(font, s + next, n - next) > width)
			break;
		at = next;
	}
	return (at);
}

void
draw_cut_middle(struct canvas *c, enum font font, int32_t x, int32_t baseline,
    int32_t width, uint32_t rgb, const char *s)
{
	size_t n = strlen(s), head, tail;
	int32_t dots = text_width(font, "…", strlen("…")), used;

	head = text_fits(font, s, n, width, &used);
	tail = tail_of(font, s, n, (width - dots) / 2);
	if (head == n || tail == n) {
		draw_cut(c, font, x, baseline, width, rgb, s);
		return;
	}
	if (heard_cb != NULL)
		heard_cb(heard_arg, x, x + width, baseline, false, s, n);
	width -= text_width(font, s + tail, n - tail);
	head = text_fits(font, s, tail, width - dots, &used);
	canvas_text(c, font, x, baseline, rgb, s, head);
	x += used;
	canvas_text(c, font, x, baseline, rgb, "…", strlen("…"));
	canvas_text(c, font, x + dots, baseline, rgb, s + tail, n - tail);
}

size_t
draw_line_end(enum font font, const char *s, int32_t width)
{
	int32_t used;
	size_t fits = text_fits(font, s, strlen(s), width, &used), last = fits;

	if (s[fits] == '\0')
		return (fits);
	while (last > 0 && s[last] != ' ')
		last--;
	return (last > 0 ? last : fits > 0 ? fits : 1);
}

void
draw_frame(struct canvas *c, const struct rect *r, uint32_t rgb)
{
	canvas_fill(c, r->x0, r->y0, r->x1, r->y0 + 1, rgb);
	canvas_fill(c, r->x0, r->y1 - 1, r->x1, r->y1, rgb);
	canvas_fill(c, r->x0, r->y0, r->x0 + 1, r->y1, rgb);
	canvas_fill(c, r->x1 - 1, r->y0, r->x1, r->y1, rgb);
}

void
draw_triangle(struct canvas *c, enum triangle way, int32_t x, int32_t y,
    int32_t size, uint32_t rgb)
{
	static const int8_t shape[3][6] = {
		[TRIANGLE_RIGHT] = { -5, -8, 7, 0, -5, 8 },
		[TRIANGLE_DOWN] = { -8, -5, 8, -5, 0, 7 },
		[TRIANGLE_LEFT] = { 5, -8, -7, 0, 5, 8 },
	};
	int32_t p[6];

	for (int i = 0; i < 6; i++)
		p[i] = (i & 1 ? y : x) * 16 + 8 + shape[way][i] * size;
	canvas_polygon(c, p, 3, rgb, 255);
}

bool
rect_has(const struct rect *r, int32_t x, int32_t y)
{
	return (x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1);
}
