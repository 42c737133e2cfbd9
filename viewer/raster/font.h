/* Inside of the rasteriser: how the built-in fonts are stored. */
#ifndef VIEWER_FONT_H
#define VIEWER_FONT_H

#include <stdint.h>

#define FONTS       3
#define FONT_LATIN  (0x100 - 0x20) /* glyphs of U+0020 to U+00FF */
#define FONT_EXTRA  15
#define FONT_GLYPHS (FONT_LATIN + FONT_EXTRA)

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

#endif
