/*
 * Tables: how wide each column is, which rows are in sight, what is at a
 * place.  What stands in the cells, and in which order, is the caller's.
 */
#ifndef VIEWER_CHART_TABLE_H
#define VIEWER_CHART_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TABLE_COLUMNS 24

struct table_column {
	const char *title; /* "": none */
	int32_t px;        /* at least, without the room between columns */
	int32_t share;     /* of the room that is left over; 0: none of it */
	uint8_t rank;      /* the highest goes first when there is no room */
	bool right;        /* numbers end at the column's end */
	bool hidden;       /* by the user */
};

struct table {
	size_t n;
	struct table_place {
		int32_t x0, x1; /* px; x0 == x1: not shown */
	} place[TABLE_COLUMNS];
	int32_t head_y, y, row_px; /* tops of the head and of the first row */
	int32_t first;             /* row in sight */
	int32_t shown, rows;       /* of all rows */
};

#define TABLE_APART 14 /* px between columns */

/*
 * Places columns in x0..x1 and rows of row_px in y0..y1, of which the first is
 * the head.  `first` is the row to begin with: beyond the last page, the last
 * page.
 */
void table_fit(struct table *, const struct table_column *, size_t n,
    int32_t rows, int32_t first, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    int32_t row_px);
/* "20 of 10,000 shown" into buf, which is returned; "" if all of them are. */
char *table_shown(const struct table *, char *buf, size_t n);

#endif
