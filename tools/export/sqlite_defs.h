/* What a log defines, as tables of a database. */
#ifndef TOOLS_EXPORT_SQLITE_DEFS_H
#define TOOLS_EXPORT_SQLITE_DEFS_H

#include <sqlite3.h>

#include "tools/export/export.h"
#include "tools/export/tables.h"

/* Makes one of the tables, and what inserts a row.  A code of SQLite. */
int sqlite_table(sqlite3 *, enum table, sqlite3_stmt **insert);
/*
 * Makes and fills those that stand before TABLE_events.  A code of SQLite.
 */
int sqlite_definitions(sqlite3 *, const struct export_of *);

/* The next parameter of a statement; *at counts. */
static inline void
sqlite_number(sqlite3_stmt *q, int *at, uint64_t v)
{
	(void)sqlite3_bind_int64(q, ++*at, (int64_t)v);
}

static inline void
sqlite_text(sqlite3_stmt *q, int *at, const char *v)
{
	(void)sqlite3_bind_text(q, ++*at, v, -1, SQLITE_STATIC);
}

#endif
