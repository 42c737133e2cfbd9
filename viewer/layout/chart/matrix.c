/* Matrices: how large a square is, where each stands, sums of rows and columns.
 */
#include "layout/chart/matrix.h"

#define SUMS_GAP 4 /* px between the squares and the bars */

bool
matrix_fit(struct matrix *m, uint32_t rows, uint32_t cols, int32_t x, int32_t y,
    int32_t w, int32_t h, int32_t most_px, int32_t sums_px)
{
	int32_t taken = sums_px > 0 ? sums_px + SUMS_GAP : 0;
	int32_t cell = most_px;

	*m = (struct matrix){ rows, cols, x, y, 0, 0, sums_px };
	if (rows == 0 || cols == 0 || w <= taken || h <= taken)
		return (false);
	if ((uint32_t)(w - taken) / cols < (uint32_t)cell)
		cell = (w - taken) / (int32_t)cols;
	if ((uint32_t)(h - taken) / rows < (uint32_t)cell)
		cell = (h - taken) / (int32_t)rows;
	m->cell = cell;
	m->gap = cell > 4 ? 1 : 0;
	return (cell >= MATRIX_LEAST_PX);
}

static void
square(const struct matrix *m, struct scene *s, uint32_t row, uint32_t col,
    uint32_t rgb)
{
	int32_t x = m->x + (int32_t)col * m->cell;
	int32_t y = m->y + (int32_t)row * m->cell;
	struct item *i = scene_add(s, ITEM_RECT, rgb);

	if (i == NULL)
		return;
	i->x0 = x * SCENE_ONE;
	i->y0 = y * SCENE_ONE;
	i->x1 = (x + m->cell - m->gap) * SCENE_ONE;
	i->y1 = (y + m->cell - m->gap) * SCENE_ONE;
	i->of = OF_MARK;
	i->id = (uint64_t)row * m->cols + col;
}

static void
sum_bar(const struct matrix *m, struct scene *s, bool row, uint32_t k,
    int32_t px, uint32_t rgb)
{
	int32_t a = (row ? m->y : m->x) + (int32_t)k * m->cell;
	int32_t b = row ? m->x + (int32_t)m->cols * m->cell
			: m->y + (int32_t)m->rows * m->cell;
	int32_t q = SCENE_ONE;

	b += SUMS_GAP;
	if (row)
		scene_rect(s, b * q, a * q, (b + px) * q,
		    (a + m->cell - m->gap) * q, rgb);
	else
		scene_rect(s, a * q, b * q, (a + m->cell - m->gap) * q,
		    (b + px) * q, rgb);
}

static void
sum_bars(const struct matrix *m, const double *sum, bool row, uint32_t rgb,
    struct scene *s)
{
	uint32_t n = row ? m->rows : m->cols;
	double most = 0;

	for (uint32_t k = 0; k < n; k++)
		most = sum[k] > most ? sum[k] : most;
	for (uint32_t k = 0; k < n; k++)
		if (sum[k] > 0) /* a pixel at least: it is there */
			sum_bar(m, s, row, k,
			    1 + (int32_t)(sum[k] / most * (m->sums_px - 1)),
			    rgb);
}

void
matrix_scene(const struct matrix *m, const double *value,
    const struct shades *shades, const struct palette *p, struct scene *s)
{
	uint32_t ground = shades_rgb(shades, p, 0);
	int32_t q = SCENE_ONE;

	if (m->gap == 0) /* squares without traffic cannot be told apart */
		scene_rect(s, m->x * q, m->y * q,
		    (m->x + (int32_t)m->cols * m->cell) * q,
		    (m->y + (int32_t)m->rows * m->cell) * q, ground);
	for (uint32_t r = 0; r < m->rows; r++) {
		for (uint32_t c = 0; c < m->cols; c++) {
			double v = value[(uint64_t)r * m->cols + c];

			if (m->gap > 0 || v > 0)
				square(m, s, r, c, shades_rgb(shades, p, v));
		}
	}
}

void
matrix_sums_scene(const struct matrix *m, const double *row, const double *col,
    uint32_t rgb, struct scene *s)
{
	if (m->sums_px <= 0)
		return;
	sum_bars(m, row, true, rgb, s);
	sum_bars(m, col, false, rgb, s);
}

bool
matrix_hit(const struct matrix *m, int32_t x, int32_t y, uint32_t *row,
    uint32_t *col)
{
	if (m->cell <= 0 || x < m->x || y < m->y)
		return (false);
	*row = (uint32_t)(y - m->y) / (uint32_t)m->cell;
	*col = (uint32_t)(x - m->x) / (uint32_t)m->cell;
	return (*row < m->rows && *col < m->cols);
}
