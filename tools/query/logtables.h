/*
 * A log as tables of a database, without copying it: definitions are put into
 * tables, events and what is made of them come out of the log as they are
 * asked for.
 */
#ifndef TOOLS_QUERY_LOGTABLES_H
#define TOOLS_QUERY_LOGTABLES_H

#include <sqlite3.h>

#include "tools/export/export.h"

struct logtables {
	struct tracefile *tf;
	const struct export_of *of;
	/* Is asked while rows are passed over; true: SQLITE_INTERRUPT. */
	bool (*stop)(void);
	double events; /* about how many there are */
};

/*
 * Makes them all, and their views.  The struct must live as long as the
 * database.  A code of SQLite.
 */
int logtables_make(sqlite3 *, struct logtables *);

#endif
