/* Inside of the rasteriser: how the built-in fonts are stored. */
#ifndef VIEWER_FONT_H
#define VIEWER_FONT_H

#include <stdint.h>

#define FONTS       3
#define FONT_GLYPHS 1152 /* of the stretches of Unicode in font.c */
#define FONT_BOX    (FONT_GLYPHS - 1) /* of what makes no sense */
#define FONT_NONE   255 /* as advance: the font does not have it */

struct glyph {
	uint32_t offset;  /* in bits, 4 bits a pixel, rows on whole bytes */
	uint8_t w, h;     /* px */
	int8_t left, top; /* of its upper left corner, from the pen */
	uint8_t advance;
};

struct font_table {
	uint8_t height, ascent; /* px */
	const uint8_t *bits;
	const struct glyph *glyphs;
};

extern const struct font_table font_tables[FONTS];

/*
 * The next character of UTF-8 between *p and end, and *p behind it; U+FFFD for
 * a byte that makes no sense.  Which glyph shows it; -1: none, its number does
 * (text_number.c).
 */
uint32_t font_next(const char **p, const char *end);
int font_glyph(const struct font_table *, uint32_t character);

#endif
