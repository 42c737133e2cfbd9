/* Tables: columns that give way by rank, and pages of rows. */
#include "layout/chart/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How much room the columns that are left take at least. */
static int32_t
least_px(const struct table_column *c, const bool *gone, size_t n)
{
	int32_t sum = -TABLE_APART;

	for (size_t i = 0; i < n; i++)
		sum += gone[i] ? 0 : c[i].px + TABLE_APART;
	return (sum);
}

/* The one that goes next: of the highest rank the last; n: none may. */
static size_t
next_to_go(const struct table_column *c, const bool *gone, size_t n)
{
	size_t k = n;

	for (size_t i = 0; i < n; i++) {
		if (!gone[i] && c[i].rank > 0 &&
		    (k == n || c[i].rank >= c[k].rank))
			k = i;
	}
	return (k);
}

static void
place_columns(struct table *t, const struct table_column *c, int32_t x0,
    int32_t x1)
{
	bool gone[TABLE_COLUMNS];
	int32_t left, shares = 0, x = x0, more;
	size_t k;

	for (size_t i = 0; i < t->n; i++)
		gone[i] = c[i].hidden;
	while (least_px(c, gone, t->n) > x1 - x0 &&
	       (k = next_to_go(c, gone, t->n)) < t->n)
		gone[k] = true;
	left = x1 - x0 - least_px(c, gone, t->n);
	left = left > 0 ? left : 0;
	for (size_t i = 0; i < t->n; i++)
		shares += gone[i] ? 0 : c[i].share;
	for (size_t i = 0; i < t->n; i++) {
		t->place[i].x0 = t->place[i].x1 = x;
		if (gone[i])
			continue;
		/* what earlier shares have left over goes to later ones */
		more = shares > 0
			   ? (int32_t)((int64_t)left * c[i].share / shares)
			   : 0;
		left -= more;
		shares -= c[i].share;
		t->place[i].x1 = x + c[i].px + more;
		x = t->place[i].x1 + TABLE_APART;
	}
}

void
table_fit(struct table *t, const struct table_column *c, size_t n, int32_t rows,
    int32_t first, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    int32_t row_px)
{
	memset(t, 0, sizeof(*t));
	t->n = n < TABLE_COLUMNS ? n : TABLE_COLUMNS;
	place_columns(t, c, x0, x1);
	t->head_y = y0;
	t->y = y0 + row_px;
	t->row_px = row_px;
	t->rows = rows;
	t->shown = y1 > t->y ? (y1 - t->y) / row_px : 0;
	t->shown = t->shown < rows ? t->shown : rows;
	t->first = first > rows - t->shown ? rows - t->shown : first;
	t->first = t->first > 0 ? t->first : 0;
}

/* 10,000 */
static void
grouped(char *buf, size_t n, int32_t v)
{
	if (v >= 1000000)
		snprintf(buf, n, "%" PRId32 ",%03" PRId32 ",%03" PRId32,
		    v / 1000000, v / 1000 % 1000, v % 1000);
	else if (v >= 1000)
		snprintf(buf, n, "%" PRId32 ",%03" PRId32, v / 1000, v % 1000);
	else
		snprintf(buf, n, "%" PRId32, v);
}

char *
table_shown(const struct table *t, char *buf, size_t n)
{
	char shown[16], rows[16];

	if (n > 0)
		buf[0] = '\0';
	if (t->shown == t->rows)
		return (buf);
	grouped(shown, sizeof(shown), t->shown);
	grouped(rows, sizeof(rows), t->rows);
	snprintf(buf, n, "%s of %s shown", shown, rows);
	return (buf);
}
