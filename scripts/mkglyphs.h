/* What mkfont and mkoutline share: which characters, and how faces are read. */
#ifndef SCRIPTS_MKGLYPHS_H
#define SCRIPTS_MKGLYPHS_H

#include <stdio.h>
#include <stdlib.h>

#include <ft2build.h>
#include FT_FREETYPE_H

/* Beyond ISO 8859-1; font.h has the same list. */
static const unsigned extra[] = { 0x2013, 0x2014, 0x2018, 0x2019, 0x201c,
	0x201d, 0x2022, 0x2026, 0x2190, 0x2192, 0x2260, 0x2264, 0x2265, 0x25cf,
	0x25a1 };

enum {
	LATIN = 0x100 - 0x20,
	GLYPHS = LATIN + sizeof(extra) / sizeof(extra[0])
};

/* The character of a glyph's number. */
static inline unsigned
glyph_character(int i)
{
	return (i < LATIN ? 0x20u + (unsigned)i : extra[i - LATIN]);
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
