/*
 * A log as tables of SQL: the same ones in a file that `export` writes and in
 * the virtual tables that `query` reads.  Times are in ns of the run's clock
 * (runs.start_mon_ns is 0 s); words of 64 bits are signed there.
 */
#ifndef TOOLS_EXPORT_TABLES_H
#define TOOLS_EXPORT_TABLES_H

#include <stddef.h>

enum table {
	TABLE_runs,
	TABLE_kinds,
	TABLE_nodes,
	TABLE_processes,
	TABLE_threads,
	TABLE_names,
	TABLE_events,
	TABLE_spans,
	TABLE_links,
	TABLE_holds,
	TABLE_own,
	TABLES
};

struct table_desc {
	const char *name;
	const char *columns; /* "a INTEGER, b TEXT" */
	const char *what;
};

extern const struct table_desc tables[TABLES];

/* Views upon them, as CREATE needs them behind "CREATE [TEMP] VIEW ". */
extern const char *const table_views[]; /* NULL at the end */

size_t table_columns(enum table); /* how many it has */

#endif
