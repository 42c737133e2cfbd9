/*
 * PNG by libpng, with everything fixed that could vary: no times, no text,
 * one filter, one level.  The same pixels make the same file.
 */
#include "ui/out/png.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <png.h>

#include "ui/out/outfile.h"

static int
encode(FILE *f, const struct canvas *c, uint8_t *row)
{
	png_structp png;
	png_infop info = NULL;

	png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	if (png == NULL || (info = png_create_info_struct(png)) == NULL ||
	    setjmp(png_jmpbuf(png))) {
		png_destroy_write_struct(&png, &info);
		return (-1);
	}
	png_init_io(png, f);
	png_set_IHDR(png, info, (png_uint_32)c->width, (png_uint_32)c->height,
	    8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
	    PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_filter(png, 0, PNG_FILTER_SUB);
	png_set_compression_level(png, 4);
	png_write_info(png, info);
	for (int32_t y = 0; y < c->height; y++) {
		const uint32_t *px = c->px + (size_t)y * (size_t)c->stride;

		for (int32_t x = 0; x < c->width; x++) {
			row[3 * x] = (uint8_t)(px[x] >> 16);
			row[3 * x + 1] = (uint8_t)(px[x] >> 8);
			row[3 * x + 2] = (uint8_t)px[x];
		}
		png_write_row(png, row);
	}
	png_write_end(png, NULL);
	png_destroy_write_struct(&png, &info);
	return (0);
}

int
png_write(const char *path, const struct canvas *c)
{
	struct outfile o;
	uint8_t *row;
	int ret = -1;

	if ((row = malloc((size_t)c->width * 3)) == NULL)
		return (-1);
	if (outfile_open(&o, path) == 0) {
		errno = EIO;
		ret = encode(o.f, c, row);
		ret = outfile_close(&o, ret == 0);
	}
	free(row);
	return (ret);
}
