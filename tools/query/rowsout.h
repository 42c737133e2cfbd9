/* Rows of a query as a table, as CSV or as JSON, on the standard output. */
#ifndef TOOLS_ROWSOUT_H
#define TOOLS_ROWSOUT_H

#include <sqlite3.h>
#include <stdbool.h>

enum rowsout_form {
	ROWSOUT_TABLE,
	ROWSOUT_CSV,
	ROWSOUT_JSON
};

struct rowsout;
struct rowsout *rowsout_new(enum rowsout_form, sqlite3_stmt *); /* ENOMEM */
/* The row that the statement is at.  -1: ENOMEM, or it cannot be written. */
int rowsout_row(struct rowsout *);
/*
 * What is kept back, and the end; frees.  Of a table that is not whole nothing
 * is said if it has no rows.  -1: as above.
 */
int rowsout_end(struct rowsout *, bool whole);

#endif
