#include "tools/export/tables.h"

/* clang-format off */
const struct table_desc tables[TABLES] = {
	[TABLE_runs] = { "runs",
	    "run TEXT, name TEXT, program TEXT, start_real_ns INTEGER,"
	    " start_mon_ns INTEGER, published INTEGER, stored INTEGER,"
	    " lost INTEGER",
	    "the run, one row; what it has published is NULL until it is finished" },
	[TABLE_kinds] = { "kinds",
	    "kind INTEGER, name TEXT, class TEXT, shape TEXT, span TEXT,"
	    " partner INTEGER, a TEXT, b TEXT, c TEXT, what TEXT",
	    "kinds of events, and what their words mean" },
	[TABLE_nodes] = { "nodes",
	    "node INTEGER, name TEXT, machine TEXT",
	    "machines" },
	[TABLE_processes] = { "processes",
	    "node INTEGER, po INTEGER, parent_po INTEGER, pid INTEGER,"
	    " begin_node_ns INTEGER, program TEXT, command TEXT",
	    "processes" },
	[TABLE_threads] = { "threads",
	    "location INTEGER, node INTEGER, po INTEGER, thread INTEGER,"
	    " tid INTEGER, name TEXT, place TEXT",
	    "threads; place is n1/3.1" },
	[TABLE_names] = { "names",
	    "name INTEGER, text TEXT, file TEXT, line INTEGER, program TEXT",
	    "names of functions, tasks, locks, notes and the like" },
	[TABLE_events] = { "events",
	    "t_mon_ns INTEGER, t_node_ns INTEGER, location INTEGER,"
	    " seq INTEGER, kind TEXT, flags INTEGER, shift_ns INTEGER,"
	    " a INTEGER, b INTEGER, c INTEGER",
	    "each event, as dump --raw has it" },
	[TABLE_spans] = { "spans",
	    "location INTEGER, kind TEXT, name TEXT, name_id INTEGER,"
	    " id INTEGER, begin_ns INTEGER, end_ns INTEGER,"
	    " duration_ns INTEGER, at_s REAL, depth INTEGER",
	    "what lasts, when it is over: calls, tasks, phases, waits; kind is"
	    " that of the event that began it" },
	[TABLE_links] = { "links",
	    "kind TEXT, id INTEGER, from_location INTEGER, from_ns INTEGER,"
	    " to_location INTEGER, to_ns INTEGER, b INTEGER, c INTEGER",
	    "causes and their effects; kind is the cause's, b and c are words of"
	    " the effect" },
	[TABLE_holds] = { "holds",
	    "lock INTEGER, name TEXT, location INTEGER, from_ns INTEGER,"
	    " to_ns INTEGER",
	    "who held which lock from when to when" },
	[TABLE_own] = { "own",
	    "t_mon_ns INTEGER, location INTEGER, seq INTEGER, kind TEXT,"
	    " name INTEGER, f1, f2, f3, f4, f5, f6, f7, f8",
	    "events of kinds that the program has declared, with the values of"
	    " their fields; of the kind order, say, there is a view own_order,"
	    " whose columns are called as they are" },
};

const char *const table_views[] = {
	"messages AS SELECT id, from_location, from_ns, to_location, to_ns,"
	" b AS bytes, c AS tag, to_ns - from_ns AS transit_ns FROM links"
	" WHERE kind = 'send'",
	NULL
};
/* clang-format on */

size_t
table_columns(enum table t)
{
	size_t n = 1;

	for (const char *p = tables[t].columns; *p != '\0'; p++)
		n += *p == ',';
	return (n);
}
