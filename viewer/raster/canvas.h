/*
 * An integer rasteriser into a 32-bit framebuffer (0x00RRGGBB).  The same
 * pixels on every machine, with and without an X server.  Coordinates named
 * _q are in 1/16 px; the others in px.  Everything is clipped.
 *
 * For displays of finer dots a pixel can be more than one dot, also a fraction
 * more: coordinates stay what they are, and what is drawn, text too, is as fine
 * as the dots are.
 */
#ifndef VIEWER_CANVAS_H
#define VIEWER_CANVAS_H

#include <stddef.h>
#include <stdint.h>

#define CANVAS_SCALE_ONE 16

struct rect {
	int32_t x0, y0, x1, y1; /* px */
};

struct canvas {
	uint32_t *px;
	int32_t width, height, stride; /* px; stride in dots */
	int32_t clip_x0, clip_y0, clip_x1, clip_y1;
	int32_t scale_q; /* dots a pixel, 1/16 */
	int32_t dots_x, dots_y;
	int32_t hatch; /* where the strokes of hatching are, px, mod 112 */
};

void canvas_init(struct canvas *, uint32_t *px, int32_t w, int32_t h,
    int32_t stride);
/* Of so many dots, as a pixel has with canvas_set_scale(). */
void canvas_init_dots(struct canvas *, uint32_t *px, int32_t dots_x,
    int32_t dots_y, int32_t stride);
/*
 * How many dots a pixel has from now on, 1/16: a multiple of 4 from 16 to 128.
 * Once, before anything is drawn.  -1: out of memory.
 */
int canvas_set_scale(int32_t scale_q);
/* Dots, and whole pixels that have some of them. */
int32_t canvas_dots(int32_t px);
int32_t canvas_px(int32_t dots);
/* Intersects with the present clip; restore by assigning the saved struct. */
void canvas_clip(struct canvas *, int32_t x0, int32_t y0, int32_t x1,
    int32_t y1);
void canvas_fill(struct canvas *, int32_t x0, int32_t y0, int32_t x1,
    int32_t y1, uint32_t rgb);
void canvas_blend(struct canvas *, int32_t x0, int32_t y0, int32_t x1,
    int32_t y1, uint32_t rgb, uint8_t alpha);
void canvas_hatch(struct canvas *, int32_t x0, int32_t y0, int32_t x1,
    int32_t y1, uint32_t rgb, uint32_t stroke);
void canvas_line_aa(struct canvas *, int32_t x0_q, int32_t y0_q, int32_t x1_q,
    int32_t y1_q, int32_t width_q, uint32_t rgb, uint8_t alpha);
/* Non-zero winding, exact area; n points as x, y pairs. */
void canvas_polygon(struct canvas *, const int32_t *points_q, size_t n,
    uint32_t rgb, uint8_t alpha);
void canvas_disc(struct canvas *, int32_t x_q, int32_t y_q, int32_t r_q,
    uint32_t rgb, uint8_t alpha);
void canvas_circle(struct canvas *, int32_t x_q, int32_t y_q, int32_t r_q,
    int32_t width_q, uint32_t rgb, uint8_t alpha);

/* Root of dx^2 + dy^2, rounded down. */
int32_t canvas_length(int32_t dx, int32_t dy);

/* Text: built-in fonts, ISO 8859-1 and some signs from UTF-8, else a box. */
enum font {
	FONT_SMALL,
	FONT_NORMAL,
	FONT_BOLD
};
int32_t font_height(enum font);
int32_t font_ascent(enum font);
int32_t text_width(enum font, const char *, size_t n);
/* How many of the n bytes fit into a width, whole characters, and how wide they
 * are; what does not fit is not looked at. */
size_t text_fits(enum font, const char *, size_t n, int32_t width,
    int32_t *used);
void canvas_text(struct canvas *, enum font, int32_t x, int32_t baseline,
    uint32_t rgb, const char *, size_t n);
/*
 * The same along a line from x, y into the direction dx, dy, of any length.
 * Some 3 us a character, unless it is level.
 */
void canvas_text_turned(struct canvas *, enum font, int32_t x_q, int32_t y_q,
    int32_t dx, int32_t dy, uint32_t rgb, const char *, size_t n);

#endif
