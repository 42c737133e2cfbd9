/* The matrix of who talks to whom: from row to column. */
#ifndef VIEWER_TALKMATRIX_H
#define VIEWER_TALKMATRIX_H

#include "layout/chart/matrix.h"
#include "ui/traffic/talk.h"

struct talk_sum {
	uint64_t count, bytes;
	int64_t ns;
};

/* What the panels' range has of a statistic. */
struct talk_table {
	const struct talk_statistic *statistic;
	struct talk_groups groups;
	struct talk_sum *cell, *row, *col, all;
	double *value, *row_value, *col_value;
	uint32_t pairs; /* that have some */
};
/* At most so many rows.  False: ENOMEM, or there are no POs. */
bool talk_table_make(const struct ui *, const struct talk_statistic *,
    uint32_t most, struct talk_table *);
void talk_table_clear(struct talk_table *);

/*
 * Draws it; large: with names, sums and a legend, to the left and above.
 * Returns the px below; *right is what it needs to the right, unchanged where
 * there is nothing.
 */
int32_t talk_matrix_draw(struct ui *, struct canvas *, const struct rect *,
    bool large, int32_t *right);

#endif
