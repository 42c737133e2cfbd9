/*
 * Which glyph of the built-in fonts is a character's: they have the stretches
 * of Unicode in which most names are written that need no shaping.
 */
#include "raster/font.h"

#include <stddef.h>

/* As scripts/mkglyphs.h has them, in the order of the tables. */
static const struct {
	uint16_t from, to;
} stretches[] = { { 0x20, 0x24f }, { 0x300, 0x36f }, { 0x370, 0x52f },
	{ 0x2010, 0x2015 }, { 0x2018, 0x2026 }, { 0x20ac, 0x20ac },
	{ 0x2116, 0x2116 }, { 0x2190, 0x2193 }, { 0x2260, 0x2260 },
	{ 0x2264, 0x2265 }, { 0x25cf, 0x25cf }, { 0x25a1, 0x25a1 } };

static int
glyph_number(uint32_t c)
{
	int before = 0;

	for (size_t i = 0; i < sizeof(stretches) / sizeof(stretches[0]); i++) {
		if (c >= stretches[i].from && c <= stretches[i].to)
			return (before + (int)(c - stretches[i].from));
		before += stretches[i].to - stretches[i].from + 1;
	}
	return (-1);
}

int
font_glyph(const struct font_table *f, uint32_t c)
{
	int i = glyph_number(c);

	if (c == 0xfffd)
		return (FONT_BOX);
	if (i == -1 || c == 0x7f || (c > 0x7f && c < 0xa0) ||
	    f->glyphs[i].advance == FONT_NONE)
		return (-1);
	return (i);
}

/* How many bytes such a first byte begins; 0: none. */
static size_t
utf8_bytes(unsigned char first)
{
	return (first < 0x80                    ? 1
		: first >= 0xc2 && first < 0xe0 ? 2
		: first >= 0xe0 && first < 0xf0 ? 3
		: first >= 0xf0 && first < 0xf5 ? 4
						: 0);
}

uint32_t
font_next(const char **p, const char *end)
{
	const unsigned char *s = (const unsigned char *)*p;
	size_t left = (size_t)(end - *p), n = utf8_bytes(s[0]);
	uint32_t c;

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
