/*
 * A file of SQLite: tables of what the log defines, of its events, and of what
 * the story makes of them (tables.h).
 *
 * One transaction without a journal: the file has its name when it is whole,
 * so nobody needs to come back from half of it.  Indices are made at the end,
 * when what they sort is there.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/export/export.h"
#include "tools/export/places.h"
#include "tools/export/story.h"
#include "tools/export/tables.h"

#define SQL_BYTES 1024

struct sqlite {
	const struct export_of *of;
	sqlite3 *db;
	sqlite3_stmt *insert[TABLES];
	struct story *story;
	int failed; /* code of SQLite that came first; 0: none */
};

static const char *const indices[] = {
	"CREATE INDEX events_time ON events(t_mon_ns)",
	"CREATE INDEX spans_name ON spans(name, duration_ns)",
	"CREATE INDEX spans_place ON spans(location, begin_ns)",
	"CREATE INDEX links_from ON links(from_location, from_ns)",
	"CREATE INDEX links_to ON links(to_location, to_ns)",
	"CREATE INDEX holds_lock ON holds(lock, from_ns)",
	"COMMIT",
};

static const char *const settings[] = {
	"PRAGMA page_size = 16384",
	"PRAGMA journal_mode = OFF",
	"PRAGMA synchronous = OFF",
	"PRAGMA locking_mode = EXCLUSIVE",
	"PRAGMA temp_store = MEMORY",
	"PRAGMA cache_size = -65536",
	"BEGIN",
};

static void
note(struct sqlite *s, int code)
{
	if (s->failed == 0 && code != SQLITE_OK && code != SQLITE_DONE &&
	    code != SQLITE_ROW)
		s->failed = code;
}

/* 0, or -1 with errno: something has failed. */
static int
state(const struct sqlite *s)
{
	int code = s->failed & 0xff;

	if (code == 0)
		return (0);
	errno = code == SQLITE_NOMEM  ? ENOMEM
		: code == SQLITE_FULL ? ENOSPC
				      : EIO;
	return (-1);
}

static void
run(struct sqlite *s, const char *sql)
{
	note(s, sqlite3_exec(s->db, sql, NULL, NULL, NULL));
}

static void
run_all(struct sqlite *s, const char *const *sql, size_t n)
{
	for (size_t i = 0; i < n; i++)
		run(s, sql[i]);
}

static void
number(sqlite3_stmt *q, int *at, uint64_t v)
{
	(void)sqlite3_bind_int64(q, ++*at, (int64_t)v);
}

static void
text(sqlite3_stmt *q, int *at, const char *v)
{
	(void)sqlite3_bind_text(q, ++*at, v, -1, SQLITE_STATIC);
}

/* Of text that is gone when this returns. */
static void
copied(sqlite3_stmt *q, int *at, const void *v, size_t n)
{
	(void)sqlite3_bind_text(q, ++*at, v, (int)n, SQLITE_TRANSIENT);
}

static void
put(struct sqlite *s, sqlite3_stmt *q)
{
	note(s, sqlite3_step(q));
	note(s, sqlite3_reset(q));
}

/* --- what the log defines --- */

static void
put_run(struct sqlite *s)
{
	const struct msg_run *r = s->of->run;
	sqlite3_stmt *q = s->insert[TABLE_runs];
	char id[37];
	int at = 0;

	for (int i = 0, n = 0; i < 16; i++)
		n += snprintf(id + n, sizeof(id) - (size_t)n, "%s%02x",
		    i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
		    r->run.b[i]);
	text(q, &at, id);
	copied(q, &at, r->name.p, r->name.n);
	copied(q, &at, r->program.p, r->program.n);
	number(q, &at, (uint64_t)r->start_real_ns);
	number(q, &at, (uint64_t)r->start_mon_ns);
	for (int i = 0; s->of->receipt != NULL && i < 3; i++)
		number(q, &at,
		    i == 0   ? s->of->receipt->published
		    : i == 1 ? s->of->receipt->stored
			     : s->of->receipt->lost);
	put(s, q);
}

static void
put_kinds(struct sqlite *s)
{
	static const char *const shape[] = { "point", "begin", "end" };
	sqlite3_stmt *q = s->insert[TABLE_kinds];
	const struct event_desc *d;
	int at;

	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		if ((d = defs_kind(s->of->defs, k)) == NULL)
			continue;
		at = 0;
		number(q, &at, k);
		text(q, &at, d->name);
		text(q, &at,
		    d->class < EVENT_CLASSES ? event_class_name[d->class]
					     : "?");
		text(q, &at, d->shape < 3 ? shape[d->shape] : "?");
		text(q, &at,
		    d->span < EVENT_SPANS ? event_span_name[d->span] : "?");
		number(q, &at, d->partner);
		text(q, &at, d->a);
		text(q, &at, d->b);
		text(q, &at, d->c);
		text(q, &at, d->what);
		put(s, q);
	}
}

static void
put_nodes(struct sqlite *s)
{
	sqlite3_stmt *q = s->insert[TABLE_nodes];
	const struct def_node *n;
	int at;

	for (uint32_t i = 0; i <= defs_nodes(s->of->defs); i++) {
		if ((n = defs_node(s->of->defs, i)) == NULL)
			continue;
		at = 0;
		number(q, &at, n->node);
		text(q, &at, n->name);
		text(q, &at, n->machine);
		put(s, q);
	}
}

static void
put_process(struct sqlite *s, const struct def_po *p)
{
	sqlite3_stmt *q = s->insert[TABLE_processes];
	int at = 0;

	number(q, &at, p->node);
	number(q, &at, p->po);
	number(q, &at, p->parent_po);
	number(q, &at, p->pid);
	number(q, &at, (uint64_t)p->t_node_ns);
	text(q, &at, p->program);
	text(q, &at, p->command);
	put(s, q);
}

static void
put_threads(struct sqlite *s)
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
		number(q, &at, i);
		number(q, &at, t->node);
		number(q, &at, t->po);
		number(q, &at, t->thread);
		number(q, &at, t->tid);
		text(q, &at, t->name);
		text(q, &at, place);
		put(s, q);
	}
}

static void
put_names(struct sqlite *s)
{
	sqlite3_stmt *q = s->insert[TABLE_names];
	const struct def_name *n;
	int at;

	for (uint32_t i = 0; i <= defs_names(s->of->defs); i++) {
		if ((n = defs_name(s->of->defs, i)) == NULL)
			continue;
		at = 0;
		number(q, &at, i);
		text(q, &at, n->text);
		text(q, &at, n->file);
		number(q, &at, n->line);
		text(q, &at, n->program);
		put(s, q);
	}
}

static int
put_definitions(struct sqlite *s)
{
	struct places places;
	const struct def_thread *t;
	const struct def_po *p;

	put_run(s);
	put_kinds(s);
	put_nodes(s);
	if (places_init(&places, s->of) == -1)
		return (-1);
	for (uint32_t i = 0; i < places.processes; i++)
		if ((t = defs_thread(s->of->defs, places.first[i])) != NULL &&
		    (p = defs_po(s->of->defs, t->node, t->po)) != NULL)
			put_process(s, p);
	places_clear(&places);
	put_threads(s);
	put_names(s);
	return (state(s));
}

/* --- what has happened --- */

static const char *
kind_name(const struct sqlite *s, unsigned kind)
{
	const struct event_desc *d = defs_kind(s->of->defs, kind);

	return (d != NULL ? d->name : "?");
}

static void
sqlite_close_span(void *arg, uint32_t location, int64_t t,
    const struct story_span *span, size_t depth)
{
	struct sqlite *s = arg;
	sqlite3_stmt *q = s->insert[TABLE_spans];
	int at = 0;

	if (span->rests)
		return;
	number(q, &at, location);
	text(q, &at, kind_name(s, span->kind));
	text(q, &at, defs_name_text(s->of->defs, span->name));
	number(q, &at, span->name);
	number(q, &at, span->id);
	number(q, &at, (uint64_t)span->since_mon_ns);
	number(q, &at, (uint64_t)t);
	number(q, &at, (uint64_t)t - (uint64_t)span->since_mon_ns);
	(void)sqlite3_bind_double(q, ++at,
	    (double)(span->since_mon_ns - s->of->run->start_mon_ns) / 1e9);
	number(q, &at, depth);
	put(s, q);
}

static void
sqlite_link(void *arg, const struct story_link *l)
{
	struct sqlite *s = arg;
	sqlite3_stmt *q = s->insert[TABLE_links];
	int at = 0;

	text(q, &at, l->cause->name);
	number(q, &at, l->cause->key == KEY_B ? l->effect->b : l->effect->a);
	number(q, &at, l->from);
	number(q, &at, (uint64_t)l->from_mon_ns);
	number(q, &at, l->effect->location);
	number(q, &at, (uint64_t)l->effect->t_mon_ns);
	number(q, &at, l->effect->b);
	number(q, &at, l->effect->c);
	put(s, q);
}

static void
sqlite_hold(void *arg, const struct story_hold *h)
{
	struct sqlite *s = arg;
	sqlite3_stmt *q = s->insert[TABLE_holds];
	int at = 0;

	number(q, &at, h->lock);
	text(q, &at, defs_name_text(s->of->defs, h->name));
	number(q, &at, h->location);
	number(q, &at, (uint64_t)h->from_mon_ns);
	number(q, &at, (uint64_t)h->to_mon_ns);
	put(s, q);
}

static const struct story_teller teller = { .close = sqlite_close_span,
	.link = sqlite_link,
	.hold = sqlite_hold,
	.waits = true };

static void
put_event(struct sqlite *s, const struct event *e)
{
	sqlite3_stmt *q = s->insert[TABLE_events];
	int at = 0;

	number(q, &at, (uint64_t)e->t_mon_ns);
	number(q, &at, (uint64_t)e->t_node_ns);
	number(q, &at, e->location);
	number(q, &at, e->seq);
	text(q, &at, kind_name(s, e->kind));
	number(q, &at, e->flags);
	number(q, &at, e->shift_ns);
	number(q, &at, e->a);
	number(q, &at, e->b);
	number(q, &at, e->c);
	put(s, q);
}

/* --- the exporter --- */

static void
sqlite_free(void *arg)
{
	struct sqlite *s = arg;

	for (int i = 0; i < TABLES; i++)
		(void)sqlite3_finalize(s->insert[i]);
	(void)sqlite3_close(s->db);
	story_free(s->story);
	free(s);
}

static void
make_table(struct sqlite *s, enum table t)
{
	char sql[SQL_BYTES];
	size_t n = table_columns(t);
	int at;

	snprintf(sql, sizeof(sql), "CREATE TABLE %s (%s)", tables[t].name,
	    tables[t].columns);
	run(s, sql);
	at = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?",
	    tables[t].name);
	for (size_t i = 1; i < n; i++)
		at += snprintf(sql + at, sizeof(sql) - (size_t)at, ",?");
	snprintf(sql + at, sizeof(sql) - (size_t)at, ")");
	note(s, sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
		    &s->insert[t], NULL));
}

static int
make_tables(struct sqlite *s)
{
	char sql[SQL_BYTES];

	note(s, sqlite3_open_v2(s->of->path, &s->db,
		    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
	run_all(s, settings, sizeof(settings) / sizeof(settings[0]));
	for (enum table t = 0; t < TABLES; t++)
		make_table(s, t);
	for (size_t i = 0; table_views[i] != NULL; i++) {
		snprintf(sql, sizeof(sql), "CREATE VIEW %s", table_views[i]);
		run(s, sql);
	}
	return (state(s));
}

static void *
sqlite_begin(const struct export_of *of, struct out *out)
{
	struct sqlite *s = calloc(1, sizeof(*s));
	int saved;

	(void)out;
	if (s == NULL)
		return (NULL);
	s->of = of;
	s->story = story_new(of->defs, of->from_mon_ns, &teller, s);
	if (s->story != NULL && make_tables(s) == 0 && put_definitions(s) == 0)
		return (s);
	saved = errno;
	sqlite_free(s);
	errno = saved;
	return (NULL);
}

static int
sqlite_event(void *arg, const struct event *e)
{
	struct sqlite *s = arg;

	if (story_event(s->story, e) == -1)
		return (-1);
	if (e->t_mon_ns >= s->of->from_mon_ns)
		put_event(s, e);
	return (state(s));
}

static int
sqlite_end(void *arg)
{
	struct sqlite *s = arg;

	story_end(s->story);
	run_all(s, indices, sizeof(indices) / sizeof(indices[0]));
	return (state(s));
}

const struct exporter export_sqlite = { .name = "sqlite",
	.suffix = ".sqlite",
	.what = "tables of events, spans, links, threads and names, for SQL",
	.spans = true,
	.to = EXPORT_FILE,
	.begin = sqlite_begin,
	.event = sqlite_event,
	.end = sqlite_end,
	.free = sqlite_free };
