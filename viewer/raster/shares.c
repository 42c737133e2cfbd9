/*
 * A row is: where in the canvas it begins, how many pairs of dots it has, and
 * their shares, four to a word.  Painting it is mixing of two dots at a time
 * and nothing else, which is what is left when nobody looks for edges.
 */
#include "raster/shares.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "raster/blend.h"
#include "raster/scaled.h"

int
shares_reserve(struct shares *s, size_t words)
{
	size_t cap = s->cap == 0 ? 4096 : s->cap;
	uint32_t *p;

	if (s->n + words <= s->cap)
		return (0);
	while (cap < s->n + words)
		cap *= 2;
	p = realloc(s->word, cap * sizeof(*p));
	if (p == NULL)
		return (-1);
	s->word = p;
	s->cap = cap;
	return (0);
}

/* The dots of a row that are not black, x0 to x1 - 1; false: there are none. */
static bool
row_touched(const uint32_t *row, int32_t *x0, int32_t *x1)
{
	int32_t a = *x0, b = *x1;

	while (a < b && row[a] == 0)
		a++;
	while (b > a && row[b - 1] == 0)
		b--;
	*x0 = a;
	*x1 = b;
	return (a < b);
}

/* A pair never reaches beyond its row: another thread may paint the next. */
static int
row_take(struct shares *s, uint32_t *row, size_t at, int32_t x0, int32_t x1,
    int32_t width)
{
	uint32_t pairs, words;
	uint8_t *share;

	if ((x1 - x0) % 2 != 0) {
		if (x1 < width)
			x1++;
		else
			x0--;
	}
	if (x0 < 0)
		return (-1); /* a canvas that is one dot wide */
	pairs = (uint32_t)(x1 - x0) / 2;
	words = (pairs + 1) / 2;
	if (shares_reserve(s, 2 + words) == -1)
		return (-1);
	s->word[s->n++] = (uint32_t)(at + (size_t)x0);
	s->word[s->n++] = pairs;
	s->word[s->n + words - 1] = 0;
	share = (uint8_t *)&s->word[s->n];
	for (int32_t x = x0; x < x1; x++)
		share[x - x0] = (uint8_t)row[x];
	memset(row + x0, 0, (size_t)(x1 - x0) * sizeof(*row));
	s->n += words;
	return (0);
}

int
shares_take(struct shares *s, const struct canvas *c, int32_t x0, int32_t y0,
    int32_t x1, int32_t y1)
{
	struct canvas d = canvas_in_dots(c);
	int rows = 0;

	x0 = x0 < d.clip_x0 ? d.clip_x0 : x0;
	x1 = x1 > d.clip_x1 ? d.clip_x1 : x1;
	y0 = y0 < d.clip_y0 ? d.clip_y0 : y0;
	y1 = y1 > d.clip_y1 ? d.clip_y1 : y1;
	for (int32_t y = y0; y < y1; y++) {
		size_t at = (size_t)y * (size_t)d.stride;
		int32_t from = x0, to = x1;

		if (!row_touched(d.px + at, &from, &to))
			continue;
		if (row_take(s, d.px + at, at, from, to, d.width) == -1)
			return (-1);
		rows++;
	}
	return (rows);
}

size_t
shares_paint(const struct shares *s, size_t at, uint32_t rows, uint32_t *px,
    uint32_t rgb)
{
	const uint32_t twice[2] = { rgb, rgb };
	const blend_lanes src = blend_load(twice);

	for (; rows > 0; rows--) {
		uint32_t *p = px + s->word[at], pairs = s->word[at + 1];
		const uint8_t *share = (const uint8_t *)&s->word[at + 2];

		for (uint32_t i = 0; i < pairs; i++)
			blend_pair(p + 2 * i, src, share[2 * i] * BLEND_EACH,
			    share[2 * i + 1] * BLEND_EACH);
		at += 2 + (pairs + 1) / 2;
	}
	return (at);
}

void
shares_free(struct shares *s)
{
	free(s->word);
	memset(s, 0, sizeof(*s));
}
