/* What mkfont and mkoutline share: which characters, and how faces are read. */
#ifndef SCRIPTS_MKGLYPHS_H
#define SCRIPTS_MKGLYPHS_H

#include <stdio.h>
#include <stdlib.h>

#include <ft2build.h>
#include FT_FREETYPE_H

/*
 * Stretches of Unicode, in the order of the tables; raster/font.h has the same:
 * ASCII and Latin with its extensions; combining marks, Greek and Cyrillic;
 * then single ones, and last the box of what makes no sense.
 */
static const struct {
	unsigned from, to;
} stretches[] = { { 0x20, 0x24f }, { 0x300, 0x36f }, { 0x370, 0x52f },
	{ 0x2010, 0x2015 }, { 0x2018, 0x2026 }, { 0x20ac, 0x20ac },
	{ 0x2116, 0x2116 }, { 0x2190, 0x2193 }, { 0x2260, 0x2260 },
	{ 0x2264, 0x2265 }, { 0x25cf, 0x25cf }, { 0x25a1, 0x25a1 } };

#define STRETCHES ((int)(sizeof(stretches) / sizeof(stretches[0])))

/* The character of a glyph's number; 0: there are no more. */
static inline unsigned
glyph_character(int i)
{
	for (int k = 0; k < STRETCHES; k++) {
		int n = (int)(stretches[k].to - stretches[k].from) + 1;

		if (i < n)
			return (stretches[k].from + (unsigned)i);
		i -= n;
	}
	return (0);
}

static inline int
glyph_count(void)
{
	int n = 0;

	while (glyph_character(n) != 0)
		n++;
	return (n);
}

/* That file of DejaVu, or the end. */
static inline FT_Face
glyph_face(const char *program, const char *directory, const char *file)
{
	static FT_Library lib;
	FT_Face face;
	char path[1024];

	if (lib == NULL && FT_Init_FreeType(&lib) != 0)
		exit(71);
	snprintf(path, sizeof(path), "%s/%s", directory, file);
	if (FT_New_Face(lib, path, 0, &face) != 0) {
		fprintf(stderr, "%s: cannot read %s\n", program, path);
		exit(66);
	}
	return (face);
}

#endif
