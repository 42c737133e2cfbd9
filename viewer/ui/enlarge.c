/*
 * For displays of finer dots every pixel becomes a square of dots: all that is
 * drawn keeps its size, and stays the same bit for bit.
 */
#include "ui/enlarge.h"

#include <string.h>

void
enlarge(const struct canvas *from, struct canvas *to, int scale, uint32_t rgb)
{
	int32_t w = from->width * scale, h = from->height * scale;

	w = w < to->width ? w : to->width;
	h = h < to->height ? h : to->height;
	for (int32_t y = 0; y < h; y++) {
		uint32_t *row = to->px + (size_t)y * (size_t)to->stride;
		const uint32_t *in =
		    from->px + (size_t)(y / scale) * (size_t)from->stride;

		if (y % scale != 0) {
			memcpy(row, row - to->stride, (size_t)w * sizeof(*row));
			continue;
		}
		for (int32_t x = 0, i = 0; x < w; i++)
			for (int k = 0; k < scale && x < w; k++)
				row[x++] = in[i];
	}
	canvas_fill(to, w, 0, to->width, h, rgb);
	canvas_fill(to, 0, h, to->width, to->height, rgb);
}
