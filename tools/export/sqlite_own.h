/* Events of kinds that a program has declared, as tables of a database. */
#ifndef TOOLS_EXPORT_SQLITE_OWN_H
#define TOOLS_EXPORT_SQLITE_OWN_H

#include <sqlite3.h>

#include "log/tracefile.h"

/* A view of TABLE_own for each kind, own_order and the like.  A code of SQLite.
 */
int sqlite_own_views(sqlite3 *, const struct defs *);

/* What a column of TABLE_own, from 0, is of an event. */
struct sqlite_cell {
	int type;       /* SQLITE_NULL: there is no such field, or it is lost */
	int64_t number; /* SQLITE_INTEGER */
	double real;    /* SQLITE_FLOAT */
	const char *text; /* SQLITE_TEXT; of the definitions */
};
#define SQLITE_OWN_COLUMNS 13
void sqlite_own_cell(struct sqlite_cell *, int column, const struct event *,
    const struct own_event *, const struct defs *);

#endif
