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
#include "tools/export/sqlite_defs.h"
#include "tools/export/sqlite_own.h"
#include "tools/export/story.h"

#define SQL_BYTES 1024

struct sqlite {
	const struct export_of *of;
	sqlite3 *db;
	sqlite3_stmt *insert[TABLES];
	struct story *story;
	struct own *own;
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
put(struct sqlite *s, sqlite3_stmt *q)
{
	note(s, sqlite3_step(q));
	note(s, sqlite3_reset(q));
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
	sqlite_number(q, &at, location);
	sqlite_text(q, &at, kind_name(s, span->kind));
	sqlite_text(q, &at, defs_name_text(s->of->defs, span->name));
	sqlite_number(q, &at, span->name);
	sqlite_number(q, &at, span->id);
	sqlite_number(q, &at, (uint64_t)span->since_mon_ns);
	sqlite_number(q, &at, (uint64_t)t);
	sqlite_number(q, &at, (uint64_t)t - (uint64_t)span->since_mon_ns);
	(void)sqlite3_bind_double(q, ++at,
	    (double)(span->since_mon_ns - s->of->run->start_mon_ns) / 1e9);
	sqlite_number(q, &at, depth);
	put(s, q);
}

static void
sqlite_link(void *arg, const struct story_link *l)
{
	struct sqlite *s = arg;
	sqlite3_stmt *q = s->insert[TABLE_links];
	int at = 0;

	sqlite_text(q, &at, l->cause->name);
	sqlite_number(q, &at,
	    l->cause->key == KEY_B ? l->effect->b : l->effect->a);
	sqlite_number(q, &at, l->from);
	sqlite_number(q, &at, (uint64_t)l->from_mon_ns);
	sqlite_number(q, &at, l->effect->location);
	sqlite_number(q, &at, (uint64_t)l->effect->t_mon_ns);
	sqlite_number(q, &at, l->effect->b);
	sqlite_number(q, &at, l->effect->c);
	put(s, q);
}

static void
sqlite_hold(void *arg, const struct story_hold *h)
{
	struct sqlite *s = arg;
	sqlite3_stmt *q = s->insert[TABLE_holds];
	int at = 0;

	sqlite_number(q, &at, h->lock);
	sqlite_text(q, &at, defs_name_text(s->of->defs, h->name));
	sqlite_number(q, &at, h->location);
	sqlite_number(q, &at, (uint64_t)h->from_mon_ns);
	sqlite_number(q, &at, (uint64_t)h->to_mon_ns);
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

	sqlite_number(q, &at, (uint64_t)e->t_mon_ns);
	sqlite_number(q, &at, (uint64_t)e->t_node_ns);
	sqlite_number(q, &at, e->location);
	sqlite_number(q, &at, e->seq);
	sqlite_text(q, &at, kind_name(s, e->kind));
	sqlite_number(q, &at, e->flags);
	sqlite_number(q, &at, e->shift_ns);
	sqlite_number(q, &at, e->a);
	sqlite_number(q, &at, e->b);
	sqlite_number(q, &at, e->c);
	put(s, q);
}

static void
put_own(struct sqlite *s, const struct event *e, const struct own_event *own)
{
	sqlite3_stmt *q = s->insert[TABLE_own];
	struct sqlite_cell cell;
	int at = 0;

	for (int i = 0; i < SQLITE_OWN_COLUMNS; i++) {
		sqlite_own_cell(&cell, i, e, own, s->of->defs);
		if (cell.type == SQLITE_TEXT)
			sqlite_text(q, &at, cell.text);
		else if (cell.type == SQLITE_FLOAT)
			(void)sqlite3_bind_double(q, ++at, cell.real);
		else if (cell.type == SQLITE_INTEGER)
			sqlite_number(q, &at, (uint64_t)cell.number);
		else
			(void)sqlite3_bind_null(q, ++at);
	}
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
	own_free(s->own);
	free(s);
}

static int
make_tables(struct sqlite *s)
{
	char sql[SQL_BYTES];

	note(s, sqlite3_open_v2(s->of->path, &s->db,
		    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
	run_all(s, settings, sizeof(settings) / sizeof(settings[0]));
	note(s, sqlite_definitions(s->db, s->of));
	for (enum table t = TABLE_events; t < TABLES; t++)
		note(s, sqlite_table(s->db, t, &s->insert[t]));
	for (size_t i = 0; table_views[i] != NULL; i++) {
		snprintf(sql, sizeof(sql), "CREATE VIEW %s", table_views[i]);
		run(s, sql);
	}
	note(s, sqlite_own_views(s->db, s->of->defs));
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
	s->own = defs_own(of->defs);
	if (s->story != NULL && s->own != NULL && make_tables(s) == 0)
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
	struct own_event own;
	enum own_part part = own_event(s->own, e, &own);

	if (part == OWN_FAILED || story_event(s->story, e) == -1)
		return (-1);
	if (e->t_mon_ns >= s->of->from_mon_ns) {
		put_event(s, e);
		if (part == OWN_WHOLE)
			put_own(s, e, &own);
	}
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
