#include "tools/export/sqlite_defs.h"

#include <stdio.h>

#include "tools/export/places.h"

#define SQL_BYTES 1024

struct tables {
	const struct export_of *of;
	sqlite3 *db;
	sqlite3_stmt *insert[TABLE_events];
	int failed; /* code that came first */
};

static void
note(struct tables *s, int code)
{
	if (s->failed == SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
		s->failed = code;
}

static void
put(struct tables *s, sqlite3_stmt *q)
{
	note(s, sqlite3_step(q));
	note(s, sqlite3_reset(q));
}

/* Of text that is gone when this returns. */
static void
copied(sqlite3_stmt *q, int *at, const void *v, size_t n)
{
	(void)sqlite3_bind_text(q, ++*at, v, (int)n, SQLITE_TRANSIENT);
}

static void
put_run(struct tables *s)
{
	const struct msg_run *r = s->of->run;
	sqlite3_stmt *q = s->insert[TABLE_runs];
	char id[37];
	int at = 0;

	for (int i = 0, n = 0; i < 16; i++)
		n += snprintf(id + n, sizeof(id) - (size_t)n, "%s%02x",
		    i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
		    r->run.b[i]);
	sqlite_text(q, &at, id);
	copied(q, &at, r->name.p, r->name.n);
	copied(q, &at, r->program.p, r->program.n);
	sqlite_number(q, &at, (uint64_t)r->start_real_ns);
	sqlite_number(q, &at, (uint64_t)r->start_mon_ns);
	for (int i = 0; s->of->receipt != NULL && i < 3; i++)
		sqlite_number(q, &at,
		    i == 0   ? s->of->receipt->published
		    : i == 1 ? s->of->receipt->stored
			     : s->of->receipt->lost);
	put(s, q);
}

static void
put_kinds(struct tables *s)
{
	static const char *const shape[] = { "point", "begin", "end" };
	sqlite3_stmt *q = s->insert[TABLE_kinds];
	const struct event_desc *d;
	int at;

	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		if ((d = defs_kind(s->of->defs, k)) == NULL)
			continue;
		at = 0;
		sqlite_number(q, &at, k);
		sqlite_text(q, &at, d->name);
		sqlite_text(q, &at,
		    d->class < EVENT_CLASSES ? event_class_name[d->class]
					     : "?");
		sqlite_text(q, &at, d->shape < 3 ? shape[d->shape] : "?");
		sqlite_text(q, &at,
		    d->span < EVENT_SPANS ? event_span_name[d->span] : "?");
		sqlite_number(q, &at, d->partner);
		sqlite_text(q, &at, d->a);
		sqlite_text(q, &at, d->b);
		sqlite_text(q, &at, d->c);
		sqlite_text(q, &at, d->what);
		put(s, q);
	}
}

static void
put_nodes(struct tables *s)
{
	sqlite3_stmt *q = s->insert[TABLE_nodes];
	const struct def_node *n;
	int at;

	for (uint32_t i = 0; i <= defs_nodes(s->of->defs); i++) {
		if ((n = defs_node(s->of->defs, i)) == NULL)
			continue;
		at = 0;
		sqlite_number(q, &at, n->node);
		sqlite_text(q, &at, n->name);
		sqlite_text(q, &at, n->machine);
		put(s, q);
	}
}

static void
put_process(struct tables *s, const struct def_po *p)
{
	sqlite3_stmt *q = s->insert[TABLE_processes];
	int at = 0;

	sqlite_number(q, &at, p->node);
	sqlite_number(q, &at, p->po);
	sqlite_number(q, &at, p->parent_po);
	sqlite_number(q, &at, p->pid);
	sqlite_number(q, &at, (uint64_t)p->t_node_ns);
	sqlite_text(q, &at, p->program);
	sqlite_text(q, &at, p->command);
	put(s, q);
}

static void
put_threads(struct tables *s)
{
	sqlite3_stmt *q = s->insert[TABLE_threads];
	const struct def_thread *t;
	char place[PLACE_BYTES];
	int at;

	for (uint32_t i = 0; i <= defs_locations(s->of->defs); i++) {
		if ((t = defs_thread(s->of->defs, i)) == NULL)
			continue;
		at = 0;
		(void)location_print(place, sizeof(place), i, s->of->defs);
		sqlite_number(q, &at, i);
		sqlite_number(q, &at, t->node);
		sqlite_number(q, &at, t->po);
		sqlite_number(q, &at, t->thread);
		sqlite_number(q, &at, t->tid);
		sqlite_text(q, &at, t->name);
		sqlite_text(q, &at, place);
		put(s, q);
	}
}

static void
put_names(struct tables *s)
{
	sqlite3_stmt *q = s->insert[TABLE_names];
	const struct def_name *n;
	int at;

	for (uint32_t i = 0; i <= defs_names(s->of->defs); i++) {
		if ((n = defs_name(s->of->defs, i)) == NULL)
			continue;
		at = 0;
		sqlite_number(q, &at, i);
		sqlite_text(q, &at, n->text);
		sqlite_text(q, &at, n->file);
		sqlite_number(q, &at, n->line);
		sqlite_text(q, &at, n->program);
		put(s, q);
	}
}

static void
put_processes(struct tables *s)
{
	struct places places;
	const struct def_thread *t;
	const struct def_po *p;

	if (places_init(&places, s->of) == -1) {
		note(s, SQLITE_NOMEM);
		return;
	}
	for (uint32_t i = 0; i < places.processes; i++)
		if ((t = defs_thread(s->of->defs, places.first[i])) != NULL &&
		    (p = defs_po(s->of->defs, t->node, t->po)) != NULL)
			put_process(s, p);
	places_clear(&places);
}

int
sqlite_table(sqlite3 *db, enum table t, sqlite3_stmt **insert)
{
	char sql[SQL_BYTES];
	int at, code;

	snprintf(sql, sizeof(sql), "CREATE TABLE %s (%s)", tables[t].name,
	    tables[t].columns);
	if ((code = sqlite3_exec(db, sql, NULL, NULL, NULL)) != SQLITE_OK)
		return (code);
	at = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?",
	    tables[t].name);
	for (size_t i = 1; i < table_columns(t); i++)
		at += snprintf(sql + at, sizeof(sql) - (size_t)at, ",?");
	snprintf(sql + at, sizeof(sql) - (size_t)at, ")");
	return (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT,
	    insert, NULL));
}

int
sqlite_definitions(sqlite3 *db, const struct export_of *of)
{
	struct tables s = { .of = of, .db = db };

	for (enum table t = 0; t < TABLE_events; t++)
		note(&s, sqlite_table(db, t, &s.insert[t]));
	if (s.failed == SQLITE_OK) {
		put_run(&s);
		put_kinds(&s);
		put_nodes(&s);
		put_processes(&s);
		put_threads(&s);
		put_names(&s);
	}
	for (enum table t = 0; t < TABLE_events; t++)
		(void)sqlite3_finalize(s.insert[t]);
	return (s.failed);
}
