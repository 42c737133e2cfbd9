/*
 * Makes viewer/raster/font_data.c: the viewer's built-in fonts, drawn once by
 * FreeType and kept as tables, so that text has the same pixels everywhere.
 *
 *	cc -o mkfont scripts/mkfont.c $(pkg-config --cflags --libs freetype2)
 *	./mkfont /usr/share/fonts/truetype/dejavu >viewer/raster/font_data.c
 *
 * This is not part of the build; the result is committed beside it.
 */
#include "mkglyphs.h"

#define NO_GLYPH 255 /* as advance: the face does not have it; see font.h */

static const struct {
	const char *name, *file;
	int px;
} fonts[] = {
	{ "small", "DejaVuSans.ttf", 10 },
	{ "normal", "DejaVuSans.ttf", 12 },
	{ "bold", "DejaVuSans-Bold.ttf", 12 },
};

static const char licence[] =
    "/*\n"
    " * The built-in fonts, as tables: made by scripts/mkfont.c, not by hand.\n"
    " *\n"
    " * Drawn from DejaVu Sans (version 2.37), which may be embedded freely:\n"
    " *\n"
    " * Copyright (c) 2003 by Bitstream, Inc. All Rights Reserved. Bitstream Vera\n"
    " * is a trademark of Bitstream, Inc.  DejaVu changes are in public domain.\n"
    " *\n"
    " * Permission is hereby granted, free of charge, to any person obtaining a\n"
    " * copy of the fonts accompanying this license (\"Fonts\") and associated\n"
    " * documentation files (the \"Font Software\"), to reproduce and distribute\n"
    " * the Font Software, including without limitation the rights to use, copy,\n"
    " * merge, publish, distribute, and/or sell copies of the Font Software, and\n"
    " * to permit persons to whom the Font Software is furnished to do so, subject\n"
    " * to the following conditions: the above copyright and trademark notices\n"
    " * and this permission notice shall be included in all copies of one or more\n"
    " * of the Font Software typefaces.  The Font Software may be modified [...]\n"
    " * only if the fonts are renamed to names not containing either the words\n"
    " * \"Bitstream\" or the word \"Vera\".  THE FONT SOFTWARE IS PROVIDED \"AS IS\",\n"
    " * WITHOUT WARRANTY OF ANY KIND.\n"
    " *\n"
    " * Coverage in 4 bits a pixel, the left one in the upper half; every row\n"
    " * begins a byte.\n"
    " */\n"
    "#include \"raster/font.h\"\n"
    "\n"
    "/* clang-format off */\n";

struct out {
	unsigned offset, column;
};

static void
put_byte(struct out *o, unsigned v)
{
	printf("%u,", v);
	o->offset++;
	if (++o->column % 24 == 0)
		printf("\n");
}

static void
put_bitmap(struct out *o, const FT_Bitmap *b)
{
	for (unsigned y = 0; y < b->rows; y++) {
		const unsigned char *row = b->buffer + (int)y * b->pitch;

		for (unsigned x = 0; x < b->width; x += 2) {
			unsigned hi = (row[x] * 15u + 127) / 255, lo = 0;

			if (x + 1 < b->width)
				lo = (row[x + 1] * 15u + 127) / 255;
			put_byte(o, hi << 4 | lo);
		}
	}
}

static void
make_font(FT_Face face, const char *name, int px)
{
	int glyphs = glyph_count();
	struct {
		unsigned offset;
		int w, h, left, top, advance;
	} *g = calloc((size_t)glyphs, sizeof(*g));
	struct out o = { 0, 0 };

	if (g == NULL || FT_Set_Pixel_Sizes(face, 0, (unsigned)px) != 0)
		exit(1);
	printf("\nstatic const uint8_t %s_bits[] = {\n", name);
	for (int i = 0; i < glyphs; i++) {
		FT_GlyphSlot s = face->glyph;

		g[i].offset = o.offset;
		g[i].advance = NO_GLYPH;
		if (FT_Get_Char_Index(face, glyph_character(i)) == 0)
			continue;
		if (FT_Load_Char(face, glyph_character(i),
			FT_LOAD_RENDER | FT_LOAD_TARGET_NORMAL) != 0)
			exit(1);
		g[i].w = (int)s->bitmap.width;
		g[i].h = (int)s->bitmap.rows;
		g[i].left = s->bitmap_left;
		g[i].top = s->bitmap_top;
		g[i].advance = (int)(s->advance.x + 32) >> 6;
		put_bitmap(&o, &s->bitmap);
	}
	printf(
	    "0\n};\n\nstatic const struct glyph %s_glyphs[FONT_GLYPHS] = {\n",
	    name);
	for (int i = 0; i < glyphs; i++)
		printf("{%u,%d,%d,%d,%d,%d},%s", g[i].offset, g[i].w, g[i].h,
		    g[i].left, g[i].top, g[i].advance, i % 5 == 4 ? "\n" : "");
	printf("\n};\n");
	free(g);
}

int
main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: mkfont directory-of-DejaVu\n");
		return (64);
	}
	fputs(licence, stdout);
	for (size_t i = 0; i < sizeof(fonts) / sizeof(fonts[0]); i++)
		make_font(glyph_face("mkfont", argv[1], fonts[i].file),
		    fonts[i].name, fonts[i].px);
	printf("\nconst struct font_table font_tables[FONTS] = {\n");
	for (size_t i = 0; i < sizeof(fonts) / sizeof(fonts[0]); i++)
		printf("{ %d, %d, %s_bits, %s_glyphs },\n", fonts[i].px + 3,
		    fonts[i].px - 1, fonts[i].name, fonts[i].name);
	printf("};\n");
	return (0);
}
