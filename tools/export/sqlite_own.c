#include "tools/export/sqlite_own.h"

#include <stdio.h>
#include <string.h>

#define SQL_BYTES  2048
#define SAME_NAMES 100 /* kinds that are called alike and have other fields */

void
sqlite_own_cell(struct sqlite_cell *cell, int column, const struct event *e,
    const struct own_event *own, const struct defs *defs)
{
	const int64_t head[] = { e->t_mon_ns, e->location, (int64_t)e->seq, 0,
		e->c };
	unsigned i = (unsigned)column - 5;
	enum word_type type;

	*cell = (struct sqlite_cell){ .type = SQLITE_INTEGER };
	if (column < 5) {
		cell->number = head[column];
		if (column == 3) {
			cell->type = SQLITE_TEXT;
			cell->text = own->kind->name;
		}
		return;
	}
	if (i >= own->kind->fields || !own->known[i]) {
		cell->type = SQLITE_NULL;
		return;
	}
	type = event_word_type(own->kind->field[i].word);
	cell->number = (int64_t)own->value[i];
	if (type == WORD_real) {
		cell->type = SQLITE_FLOAT;
		memcpy(&cell->real, &own->value[i], sizeof(cell->real));
	} else if (type == WORD_name) {
		cell->type = SQLITE_TEXT;
		cell->text = defs_name_text(defs, (uint32_t)own->value[i]);
	}
}

/* "own_order", or "own_order_2" if there is one. */
static int
make_view(sqlite3 *db, uint32_t name, const struct own_kind *k)
{
	char sql[SQL_BYTES], number[8] = "";
	int code = SQLITE_ERROR;

	for (int turn = 1; code == SQLITE_ERROR && turn < SAME_NAMES; turn++) {
		int n;

		if (turn > 1)
			snprintf(number, sizeof(number), "_%d", turn);
		n = snprintf(sql, sizeof(sql),
		    "CREATE VIEW \"own_%s%s\" AS SELECT t_mon_ns, location, seq",
		    k->name, number);
		for (unsigned i = 0; i < k->fields; i++)
			n += snprintf(sql + n, sizeof(sql) - (size_t)n,
			    ", f%u AS \"%s\"", i + 1, k->field[i].label);
		snprintf(sql + n, sizeof(sql) - (size_t)n,
		    " FROM own WHERE name = %u", name);
		code = sqlite3_exec(db, sql, NULL, NULL, NULL);
	}
	return (code == SQLITE_ERROR ? SQLITE_OK : code);
}

int
sqlite_own_views(sqlite3 *db, const struct defs *defs)
{
	struct own_kind kind;
	int code = SQLITE_OK;

	for (uint32_t i = 1; code == SQLITE_OK && i <= defs_names(defs); i++) {
		const struct def_name *d = defs_name(defs, i);

		if (d != NULL && own_parse(&kind, d->text) == NULL)
			code = make_view(db, i, &kind);
	}
	return (code);
}
