/*
 * The columns of the table of functions: what stands in each, and which are
 * there.  Those without room give way, and any can be hidden.
 */
#ifndef VIEWER_COLUMNS_H
#define VIEWER_COLUMNS_H

#include "layout/chart/table.h"
#include "ui/desk/desk.h"

enum column {
	COLUMN_NAME,
	COLUMN_CALLS,
	COLUMN_TOTAL,
	COLUMN_CPU,
	COLUMN_SELF,
	COLUMN_MEAN,
	COLUMN_CPU_MEAN,
	COLUMN_MIN,
	COLUMN_P50,
	COLUMN_P99,
	COLUMN_MAX,
	COLUMN_BLOCKED,
	COLUMN_ITSELF,
	COLUMN_PLACE,
	COLUMN_PES,
	COLUMNS
};

/* Those that are hidden until they are asked for: of the whole run the time in
 * a function itself has to be added up. */
#define COLUMNS_HIDDEN                                                         \
	(1u << COLUMN_SELF | 1u << COLUMN_CPU_MEAN | 1u << COLUMN_PLACE)

/* A row: the shortest and percentiles are -1 if no call is over. */
struct function_row {
	struct name_stats s; /* self_ns is -1 if it is not known */
	int64_t min_ns, p50_ns, p99_ns;
	bool self_about;  /* self_ns is of a while ago */
	const char *file; /* NULL, or "": its place is not known */
	uint32_t line;
};
/*
 * What is beside the sums, into the rows of the whole run, or of the range;
 * percentiles, which take longer, into those that are seen or sorted by them.
 */
void columns_fill(const struct ui *, bool whole, struct function_row *,
    size_t n);
void columns_percentiles(const struct ui *, bool whole, struct function_row *,
    size_t n);

/* The columns as they are now, hidden ones marked. */
void columns_get(const struct ui *, struct table_column[COLUMNS]);
const char *column_name(enum column); /* as sort and column know it */
/* What sorting by it goes by, largest first, below 0: not known; not of names.
 */
double column_amount(const struct function_row *, enum column);
/* What a cell says, into buf; "" where it is no text or not known. */
void column_spell(const char *about, const struct function_row *, enum column,
    char *buf, size_t n);
uint64_t columns_pes_ns(const struct name_stats *); /* on all PEs */

#endif
