/*
 * Makes viewer/raster/outline_data.c: the outlines of the viewer's built-in
 * fonts, for displays of finer dots, where text is drawn from them with the
 * viewer's own integer rasteriser.
 *
 *	cc -o mkoutline scripts/mkoutline.c \
 *	    $(pkg-config --cflags --libs freetype2)
 *	./mkoutline /usr/share/fonts/truetype/dejavu \
 *	    >viewer/raster/outline_data.c
 *
 * This is not part of the build; the result is committed beside it.
 */
#include "mkglyphs.h"

#include FT_OUTLINE_H

#define EM 512 /* units; outline.h has the same */

static const struct {
	const char *name, *file;
} faces[] = { { "sans", "DejaVuSans.ttf" },
	{ "sans_bold", "DejaVuSans-Bold.ttf" } };

static long
unit(long v, long per_em)
{
	return ((v * EM * 2 + (v < 0 ? -per_em : per_em)) / (2 * per_em));
}

/* x, y and what it is: 1 on the curve, 2 control, 4 the contour's last. */
static unsigned
put_glyph(FT_Face face, unsigned c, unsigned *column)
{
	FT_Outline *o = &face->glyph->outline;
	int contour = 0;

	if (FT_Get_Char_Index(face, c) == 0)
		return (0);
	if (FT_Load_Char(face, c, FT_LOAD_NO_SCALE) != 0)
		exit(1);
	for (int i = 0; i < o->n_points; i++) {
		int last = i == o->contours[contour];

		contour += last;
		printf("{%ld,%ld,%d},%s",
		    unit(o->points[i].x, face->units_per_EM),
		    unit(o->points[i].y, face->units_per_EM),
		    (o->tags[i] & 1 ? 1 : 2) | (last ? 4 : 0),
		    ++*column % 8 == 0 ? "\n" : "");
	}
	return ((unsigned)o->n_points);
}

static void
make_face(FT_Face face, const char *name)
{
	int glyphs = glyph_count();
	unsigned *first = calloc((size_t)glyphs + 1, sizeof(*first));
	unsigned n = 0, column = 0;

	if (first == NULL)
		exit(71);

	printf("\nstatic const struct outline_point %s_points[] = {\n", name);
	for (int i = 0; i < glyphs; i++) {
		first[i] = n;
		n += put_glyph(face, glyph_character(i), &column);
	}
	first[glyphs] = n;
	printf("\n};\n\nstatic const uint16_t %s_first[FONT_GLYPHS + 1] = {\n",
	    name);
	for (int i = 0; i <= glyphs; i++)
		printf("%u,%s", first[i], i % 12 == 11 ? "\n" : "");
	printf("\n};\n");
	free(first);
}

int
main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: mkoutline directory-of-DejaVu\n");
		return (64);
	}
	printf("/*\n * Outlines of the built-in fonts: made by "
	       "scripts/mkoutline.c, not by hand.\n * Of DejaVu Sans (version "
	       "2.37); its licence is in font_data.c.\n */\n"
	       "#include \"raster/outline.h\"\n\n/* clang-format off */\n");
	for (size_t i = 0; i < sizeof(faces) / sizeof(faces[0]); i++)
		make_face(glyph_face("mkoutline", argv[1], faces[i].file),
		    faces[i].name);
	printf(
	    "\nconst struct outline_face outline_faces[OUTLINE_FACES] = {\n");
	for (size_t i = 0; i < sizeof(faces) / sizeof(faces[0]); i++)
		printf("{ %s_points, %s_first },\n", faces[i].name,
		    faces[i].name);
	printf("};\n");
	return (0);
}
