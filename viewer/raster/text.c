/* Text in the built-in fonts. */
#include "raster/blend.h"
#include "raster/canvas.h"
#include "raster/font.h"
#include "raster/outline.h"
#include "raster/polygon.h"
#include "raster/scaled.h"

/* Beyond ISO 8859-1, in the order of the tables; the last is the box. */
static const uint16_t extra[FONT_EXTRA] = { 0x2013, 0x2014, 0x2018, 0x2019,
	0x201c, 0x201d, 0x2022, 0x2026, 0x2190, 0x2192, 0x2260, 0x2264, 0x2265,
	0x25cf, 0x25a1 };

#define GLYPH_BOX    (FONT_GLYPHS - 1)
#define TURNED_STEPS 3    /* lines to a curve of small letters */
#define TURN_ONE     4096 /* length of a direction */

/* Takes one character of UTF-8 off; a byte that makes no sense is a box. */
static uint32_t
utf8_next(const char **p, const char *end)
{
	const unsigned char *s = (const unsigned char *)*p;
	size_t left = (size_t)(end - *p), n;
	uint32_t c;

	if (s[0] < 0x80)
		n = 1;
	else if (s[0] >= 0xc2 && s[0] < 0xe0)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] < 0xf0)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] < 0xf5)
		n = 4;
	else
		n = 0;
	if (n == 0 || n > left) {
		(*p)++;
		return (0xfffd);
	}
	c = n == 1 ? s[0] : s[0] & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80) {
			(*p)++;
			return (0xfffd);
		}
		c = c << 6 | (s[i] & 0x3f);
	}
	*p += n;
	return (c);
}

static const struct glyph *
glyph_of(const struct font_table *f, uint32_t c)
{
	if ((c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c < 0x100))
		return (&f->glyphs[c - 0x20]);
	for (size_t i = 0; i < FONT_EXTRA; i++)
		if (extra[i] == c)
			return (&f->glyphs[FONT_LATIN + i]);
	return (&f->glyphs[GLYPH_BOX]);
}

/* The next character's; nearly all are of one byte. */
static inline const struct glyph *
glyph_next(const struct font_table *f, const char **p, const char *end)
{
	unsigned char b = (unsigned char)**p;

	if (b < 0x20 || b >= 0x7f)
		return (glyph_of(f, utf8_next(p, end)));
	(*p)++;
	return (&f->glyphs[b - 0x20]);
}

int32_t
font_height(enum font font)
{
	return (font_tables[font].height);
}

int32_t
font_ascent(enum font font)
{
	return (font_tables[font].ascent);
}

int32_t
text_width(enum font font, const char *s, size_t n)
{
	const struct font_table *f = &font_tables[font];
	const char *end = s + n;
	int32_t w = 0;

	while (s < end)
		w += glyph_next(f, &s, end)->advance;
	return (w);
}

size_t
text_fits(enum font font, const char *text, size_t n, int32_t width,
    int32_t *used)
{
	const struct font_table *f = &font_tables[font];
	const char *s = text, *end = text + n, *next = text;
	int32_t w = 0, more;

	for (; s < end; s = next, w += more) {
		more = glyph_next(f, &next, end)->advance;
		if (w + more > width)
			break;
	}
	*used = w;
	return ((size_t)(s - text));
}

static void
glyph_draw(struct canvas *c, const struct font_table *f, const struct glyph *g,
    int32_t x, int32_t baseline, uint32_t rgb)
{
	int32_t gx = x + g->left, gy = baseline - g->top;
	const uint8_t *bits = f->bits + g->offset;
	int32_t pitch = (g->w + 1) / 2;

	for (int32_t i = 0; i < g->h; i++, bits += pitch) {
		int32_t y = gy + i;
		uint32_t *row;

		if (y < c->clip_y0 || y >= c->clip_y1)
			continue;
		row = c->px + (size_t)y * (size_t)c->stride;
		for (int32_t k = 0; k < g->w; k++) {
			uint32_t a =
			    k & 1 ? bits[k / 2] & 15u : bits[k / 2] >> 4;

			if (a != 0 && gx + k >= c->clip_x0 &&
			    gx + k < c->clip_x1)
				row[gx + k] =
				    blend_px(row[gx + k], rgb, a * 17);
		}
	}
}

/* From an outline; x and baseline in dots, as is c. */
static void
dots_draw(struct canvas *c, const struct dots *g, int32_t x, int32_t baseline,
    uint32_t rgb)
{
	const uint8_t *share = g->share;

	x += g->left;
	for (int32_t i = 0; i < g->h; i++, share += g->w) {
		int32_t y = baseline - g->top + i;
		uint32_t *row = c->px + (int64_t)y * c->stride;

		if (y < c->clip_y0 || y >= c->clip_y1)
			continue;
		for (int32_t k = 0; k < g->w; k++)
			if (share[k] != 0 && x + k >= c->clip_x0 &&
			    x + k < c->clip_x1)
				row[x + k] =
				    blend_px(row[x + k], rgb, share[k]);
	}
}

/* As canvas_text(), glyphs where they would be, as fine as the dots are. */
static void
text_in_dots(const struct canvas *c, enum font font, int32_t x,
    int32_t baseline, uint32_t rgb, const char *s, const char *end)
{
	const struct font_table *f = &font_tables[font];
	struct canvas d = canvas_in_dots(c);
	struct dots g;

	while (s < end && x < c->clip_x1) {
		const struct glyph *small = glyph_next(f, &s, end);

		if (outline_dots(font, (int)(small - f->glyphs), c->scale_q,
			&g))
			dots_draw(&d, &g, scaled(x, c->scale_q),
			    scaled(baseline, c->scale_q), rgb);
		x += small->advance;
	}
}

void
canvas_text(struct canvas *c, enum font font, int32_t x, int32_t baseline,
    uint32_t rgb, const char *s, size_t n)
{
	const struct font_table *f = &font_tables[font];
	const char *end = s + n;

	if (c->scale_q != CANVAS_SCALE_ONE) {
		text_in_dots(c, font, x, baseline, rgb, s, end);
		return;
	}
	while (s < end && x < c->clip_x1) {
		const struct glyph *g = glyph_next(f, &s, end);

		if (x + g->left + g->w > c->clip_x0)
			glyph_draw(c, f, g, x, baseline, rgb);
		x += g->advance;
	}
}

/* Its outline, turned about the pen; d in dots, the pen in 1/256 dot. */
static void
glyph_turned(struct canvas *d, int font, int glyph, int32_t scale_q,
    const int64_t pen[2], const int64_t along[2], uint32_t rgb)
{
	int32_t v[2 * OUTLINE_POINTS];
	size_t n = outline_points(font, glyph, scale_q, TURNED_STEPS, v,
	    OUTLINE_POINTS);

	for (size_t i = 0; i < n; i++) {
		int64_t x = v[2 * i], y = v[2 * i + 1];

		v[2 * i] = (int32_t)(pen[0] +
				     (x * along[0] - y * along[1]) / TURN_ONE);
		v[2 * i + 1] =
		    (int32_t)(pen[1] +
			      (x * along[1] + y * along[0]) / TURN_ONE);
	}
	if (n > 0)
		polygon_fill(d, v, 1, n, rgb, 255);
}

void
canvas_text_turned(struct canvas *c, enum font font, int32_t x_q, int32_t y_q,
    int32_t dx, int32_t dy, uint32_t rgb, const char *s, size_t n)
{
	const struct font_table *f = &font_tables[font];
	const char *end = s + n;
	int32_t length = canvas_length(dx, dy);
	struct canvas d = canvas_in_dots(c);
	int64_t pen[2] = { (int64_t)x_q * c->scale_q,
		(int64_t)y_q * c->scale_q };
	int64_t along[2];

	if ((dy == 0 && dx >= 0) || length == 0) {
		canvas_text(c, font, (x_q + 8) >> 4, (y_q + 8) >> 4, rgb, s, n);
		return;
	}
	along[0] = (int64_t)dx * TURN_ONE / length;
	along[1] = (int64_t)dy * TURN_ONE / length;
	while (s < end) {
		const struct glyph *g = glyph_next(f, &s, end);

		glyph_turned(&d, (int)font, (int)(g - f->glyphs), c->scale_q,
		    pen, along, rgb);
		for (int i = 0; i < 2; i++)
			pen[i] +=
			    g->advance * along[i] * 16 * c->scale_q / TURN_ONE;
	}
}
