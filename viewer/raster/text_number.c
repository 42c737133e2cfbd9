/*
 * A character for which the built-in fonts have no glyph: its number in
 * Unicode, in two rows of small hexadecimal digits between two lines, so that
 * one is told from another and can be looked up.
 */
#include "raster/text_number.h"

#define DIGIT_W 3
#define DIGIT_H 5
#define TOP_PX  9 /* above the baseline */
#define TALL_PX (2 * DIGIT_H + 1)
#define LINE    110 /* of 255 */

/* A row of three pixels in each octal digit, the topmost first. */
static const uint16_t shape[16] = { 075557, 026227, 071747, 071717, 055711,
	074717, 074757, 071122, 075757, 075717, 075755, 065656, 074447, 065556,
	074647, 074644 };

int
number_digits(uint32_t number)
{
	return (number > 0xffff ? 6 : 4);
}

int32_t
number_width(uint32_t number)
{
	return (number_digits(number) / 2 * NUMBER_STEP_PX + 5);
}

static void
digit_draw(struct canvas *c, int32_t x, int32_t y, uint32_t rgb, unsigned digit)
{
	for (int32_t i = 0; i < DIGIT_W * DIGIT_H; i++)
		if (shape[digit] >> (DIGIT_W * DIGIT_H - 1 - i) & 1)
			canvas_fill(c, x + i % DIGIT_W, y + i / DIGIT_W,
			    x + i % DIGIT_W + 1, y + i / DIGIT_W + 1, rgb);
}

void
number_draw(struct canvas *c, int32_t x, int32_t baseline, uint32_t rgb,
    uint32_t number)
{
	int digits = number_digits(number), half = digits / 2;
	int32_t y = baseline - TOP_PX, x1 = x + half * NUMBER_STEP_PX + 3;

	canvas_blend(c, x, y, x + 1, y + TALL_PX, rgb, LINE);
	canvas_blend(c, x1 - 1, y, x1, y + TALL_PX, rgb, LINE);
	for (int i = 0; i < digits; i++)
		digit_draw(c, x + 2 + i % half * NUMBER_STEP_PX,
		    y + (i < half ? 0 : DIGIT_H + 1), rgb,
		    number >> 4 * (digits - 1 - i) & 15);
}
