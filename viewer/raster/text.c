/* Text in the built-in fonts. */
#include "raster/blend.h"
#include "raster/canvas.h"
#include "raster/font.h"
#include "raster/outline.h"
#include "raster/polygon.h"
#include "raster/scaled.h"
#include "raster/text_number.h"

#define TURNED_STEPS 3    /* lines to a curve of small letters */
#define TURN_ONE     4096 /* length of a direction */

/* One that is to be drawn: a glyph of the font, or -1 and its number. */
struct character {
	int glyph;
	uint32_t number;
	int32_t advance; /* px */
};

/* The next character; nearly all are of one byte. */
static inline struct character
character_next(const struct font_table *f, const char **p, const char *end)
{
	unsigned char b = (unsigned char)**p;
	struct character c;

	if (b >= 0x20 && b < 0x7f) {
		(*p)++;
		return ((struct character){ b - 0x20, b,
		    f->glyphs[b - 0x20].advance });
	}
	c.number = font_next(p, end);
	c.glyph = font_glyph(f, c.number);
	c.advance =
	    c.glyph == -1 ? number_width(c.number) : f->glyphs[c.glyph].advance;
	return (c);
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
		w += character_next(f, &s, end).advance;
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
		more = character_next(f, &next, end).advance;
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
text_in_dots(struct canvas *c, enum font font, int32_t x, int32_t baseline,
    uint32_t rgb, const char *s, const char *end)
{
	const struct font_table *f = &font_tables[font];
	struct canvas d = canvas_in_dots(c);
	const struct dots *g;

	while (s < end && x < c->clip_x1) {
		struct character k = character_next(f, &s, end);

		if (k.glyph == -1)
			number_draw(c, x, baseline, rgb, k.number);
		else if ((g = outline_dots(font, k.glyph, c->scale_q)) != NULL)
			dots_draw(&d, g, scaled(x, c->scale_q),
			    scaled(baseline, c->scale_q), rgb);
		x += k.advance;
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
		struct character k = character_next(f, &s, end);
		const struct glyph *g = &f->glyphs[k.glyph == -1 ? 0 : k.glyph];

		if (k.glyph == -1)
			number_draw(c, x, baseline, rgb, k.number);
		else if (x + g->left + g->w > c->clip_x0)
			glyph_draw(c, f, g, x, baseline, rgb);
		x += k.advance;
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

/* Its digits in two rows, of half their size. */
static void
number_turned(struct canvas *d, int font, int32_t scale_q, const int64_t pen[2],
    const int64_t along[2], uint32_t rgb, uint32_t number)
{
	int digits = number_digits(number);

	for (int i = 0; i < digits; i++) {
		int digit = (int)(number >> 4 * (digits - 1 - i) & 15);
		int64_t x = 1 + i % (digits / 2) * NUMBER_STEP_PX;
		int64_t y = i < digits / 2 ? -NUMBER_STEP_PX - 1 : 0, at[2];

		at[0] = pen[0] +
			(x * along[0] - y * along[1]) * 16 * scale_q / TURN_ONE;
		at[1] = pen[1] +
			(x * along[1] + y * along[0]) * 16 * scale_q / TURN_ONE;
		glyph_turned(d, font,
		    digit < 10 ? '0' - ' ' + digit : 'A' - ' ' + digit - 10,
		    scale_q / 2, at, along, rgb);
	}
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
		struct character k = character_next(f, &s, end);

		if (k.glyph == -1)
			number_turned(&d, (int)font, c->scale_q, pen, along,
			    rgb, k.number);
		else
			glyph_turned(&d, (int)font, k.glyph, c->scale_q, pen,
			    along, rgb);
		for (int i = 0; i < 2; i++)
			pen[i] +=
			    k.advance * along[i] * 16 * c->scale_q / TURN_ONE;
	}
}
