/*
 * Virtual tables of SQLite.
 *
 * A row of `events` is an event.  Rows of spans, links and holds are made by
 * the story (story.h), which each cursor has for itself: it is given events
 * until it tells of something, which waits in a queue.  What a query says of
 * times chooses blocks, so that a short range costs little; of places and
 * kinds, what is passed over here and not by SQLite.
 */
#include "tools/query/logtables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/export/sqlite_defs.h"
#include "tools/export/sqlite_own.h"
#include "tools/export/story.h"

#define SQL_BYTES  2048
#define STOP_EVERY 4096 /* events between two questions */

/* What xBestIndex has found, bits of idxNum; arguments are in this order. */
#define BY_FROM     1
#define BY_TO       2
#define BY_LOCATION 4
#define BY_KIND     8
#define AT_ONCE     16 /* the first argument is both bounds */

/* A row that waits, by its columns; which are used depends on the table. */
struct row {
	int64_t v[8];
	const char *kind, *name;
};

struct table_of {
	sqlite3_vtab base;
	const struct logtables *tables;
	enum table table;
};

struct cursor {
	sqlite3_vtab_cursor base;
	const struct logtables *tables;
	enum table table;
	struct tracefile_walk *walk;
	struct story *story;
	struct own *own;
	struct own_event told; /* of a declared kind, with the event */
	struct event event;
	struct row *row; /* the queue, from at to n */
	size_t at, n, cap;
	bool over, failed; /* no more events; ENOMEM */
	sqlite3_int64 id;
	int64_t location; /* that is wanted; -1: all */
	int kind;         /* as well */
	uint64_t passed;
};

static struct cursor *
cursor_of(sqlite3_vtab_cursor *c)
{
	return ((struct cursor *)(void *)c);
}

/* --- rows of the story --- */

static struct row *
row_add(struct cursor *c)
{
	if (c->n == c->cap) {
		size_t cap = c->cap == 0 ? 16 : c->cap * 2;
		struct row *p = reallocarray(c->row, cap, sizeof(*p));

		if (p == NULL) {
			c->failed = true;
			return (NULL);
		}
		c->row = p;
		c->cap = cap;
	}
	return (&c->row[c->n++]);
}

static const char *
kind_name(const struct cursor *c, unsigned kind)
{
	const struct event_desc *d = defs_kind(c->tables->of->defs, kind);

	return (d != NULL ? d->name : "?");
}

static bool
wanted(const struct cursor *c, uint32_t location, unsigned kind)
{
	return ((c->location == -1 || c->location == (int64_t)location) &&
		(c->kind == -1 || c->kind == (int)kind));
}

static void
tell_close(void *arg, uint32_t location, int64_t t,
    const struct story_span *span, size_t depth)
{
	struct cursor *c = arg;
	struct row *r;

	if (span->rests || !wanted(c, location, span->kind) ||
	    (r = row_add(c)) == NULL)
		return;
	*r = (struct row){ .kind = kind_name(c, span->kind),
		.name = defs_name_text(c->tables->of->defs, span->name),
		.v = { location, span->name, (int64_t)span->id,
		    span->since_mon_ns, t, (int64_t)depth } };
}

static void
tell_link(void *arg, const struct story_link *l)
{
	struct cursor *c = arg;
	const struct event *e = l->effect;
	struct row *r;

	if (!wanted(c, e->location, l->cause->kind) || (r = row_add(c)) == NULL)
		return;
	*r = (struct row){ .kind = l->cause->name,
		.v = { (int64_t)(l->cause->key == KEY_B ? e->b : e->a), l->from,
		    l->from_mon_ns, e->location, e->t_mon_ns, (int64_t)e->b,
		    e->c } };
}

static void
tell_hold(void *arg, const struct story_hold *h)
{
	struct cursor *c = arg;
	struct row *r;

	if (!wanted(c, h->location, (unsigned)c->kind) ||
	    (r = row_add(c)) == NULL)
		return;
	*r = (struct row){ .name = defs_name_text(c->tables->of->defs, h->name),
		.v = { (int64_t)h->lock, h->location, h->from_mon_ns,
		    h->to_mon_ns } };
}

static const struct story_teller tellers[TABLES] = {
	[TABLE_spans] = { .close = tell_close, .waits = true },
	[TABLE_links] = { .link = tell_link },
	[TABLE_holds] = { .hold = tell_hold },
};

/* --- columns, in the order of tables.c --- */

static void
event_column(const struct cursor *c, sqlite3_context *to, int column)
{
	const struct event *e = &c->event;
	const int64_t v[] = { e->t_mon_ns, e->t_node_ns, e->location,
		(int64_t)e->seq, 0, e->flags, e->shift_ns, (int64_t)e->a,
		(int64_t)e->b, e->c };

	if (column == 4)
		sqlite3_result_text(to, kind_name(c, e->kind), -1,
		    SQLITE_STATIC);
	else
		sqlite3_result_int64(to, v[column]);
}

static void
own_column(const struct cursor *c, sqlite3_context *to, int column)
{
	struct sqlite_cell cell;

	sqlite_own_cell(&cell, column, &c->event, &c->told,
	    c->tables->of->defs);
	if (cell.type == SQLITE_TEXT)
		sqlite3_result_text(to, cell.text, -1, SQLITE_STATIC);
	else if (cell.type == SQLITE_FLOAT)
		sqlite3_result_double(to, cell.real);
	else if (cell.type == SQLITE_INTEGER)
		sqlite3_result_int64(to, cell.number);
	else
		sqlite3_result_null(to);
}

/* Which of a row's values a column is; what is less is one of these. */
enum {
	IS_KIND = -1,
	IS_NAME = -2,
	IS_LASTS = -3,
	IS_AT = -4
};

static const int8_t columns[TABLES][10] = {
	[TABLE_spans] = { 0, IS_KIND, IS_NAME, 1, 2, 3, 4, IS_LASTS, IS_AT, 5 },
	[TABLE_links] = { IS_KIND, 0, 1, 2, 3, 4, 5, 6 },
	[TABLE_holds] = { 0, IS_NAME, 1, 2, 3 },
};

static int
log_column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int column)
{
	const struct cursor *c = cursor_of(cursor);
	const struct row *r = c->row == NULL ? NULL : &c->row[c->at];
	int which = c->table == TABLE_own
			? 0
			: (int)columns[c->table][column]; /* may be below 0 */

	if (c->table == TABLE_events)
		event_column(c, to, column);
	else if (c->table == TABLE_own)
		own_column(c, to, column);
	else if (r == NULL)
		sqlite3_result_null(to);
	else if (which >= 0)
		sqlite3_result_int64(to, r->v[which]);
	else if (which == IS_LASTS)
		sqlite3_result_int64(to, r->v[4] - r->v[3]);
	else if (which == IS_AT)
		sqlite3_result_double(to,
		    (double)(r->v[3] - c->tables->of->run->start_mon_ns) / 1e9);
	else
		sqlite3_result_text(to, which == IS_KIND ? r->kind : r->name,
		    -1, SQLITE_STATIC);
	return (SQLITE_OK);
}

/* --- going on --- */

static int
failed(void)
{
	return (errno == ENOMEM ? SQLITE_NOMEM : SQLITE_IOERR);
}

/* Is this one that is wanted?  What tells more of it was there before. */
static bool
is_own(struct cursor *c, const struct event *e)
{
	enum own_part part = own_event(c->own, e, &c->told);

	c->failed |= part == OWN_FAILED;
	return (part == OWN_WHOLE &&
		(c->location == -1 || c->location == (int64_t)e->location));
}

/* Until there is a row, or none follows. */
static int
log_next(sqlite3_vtab_cursor *cursor)
{
	struct cursor *c = cursor_of(cursor);
	const struct event *e;
	int rc;

	c->id++;
	if (c->at < c->n && ++c->at < c->n)
		return (SQLITE_OK);
	c->at = c->n = 0;
	while (!c->over && c->n == 0) {
		if (++c->passed % STOP_EVERY == 0 && c->tables->stop())
			return (SQLITE_INTERRUPT);
		if ((rc = tracefile_walk_next(c->walk, &e)) == -1)
			return (failed());
		if (rc == 0) {
			c->over = true;
			if (c->story != NULL)
				story_end(c->story);
		} else if (c->story != NULL) {
			if (story_event(c->story, e) == -1)
				return (failed());
		} else if (c->own != NULL ? is_own(c, e)
					  : wanted(c, e->location, e->kind)) {
			c->event = *e;
			return (SQLITE_OK);
		}
		if (c->failed)
			return (SQLITE_NOMEM);
	}
	return (SQLITE_OK);
}

static int
log_eof(sqlite3_vtab_cursor *cursor)
{
	const struct cursor *c = cursor_of(cursor);

	return (c->over && c->at == c->n);
}

static int
log_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	*id = cursor_of(cursor)->id;
	return (SQLITE_OK);
}

static void
cursor_clear(struct cursor *c)
{
	tracefile_walk_free(c->walk);
	story_free(c->story);
	own_free(c->own);
	c->walk = NULL;
	c->story = NULL;
	c->own = NULL;
	c->at = c->n = 0;
	c->over = c->failed = false;
	c->id = 0;
}

/* A kind by its name; -2: there is none, so nothing is wanted. */
static int
kind_number(const struct cursor *c, sqlite3_value *v)
{
	const char *name = (const char *)sqlite3_value_text(v);

	for (unsigned k = 0; name != NULL && k < EVENT_KINDS; k++)
		if (defs_kind(c->tables->of->defs, k) != NULL &&
		    strcmp(kind_name(c, k), name) == 0)
			return ((int)k);
	return (-2);
}

/* A bound that is no whole number is taken a little wider. */
static int64_t
bound(sqlite3_value *v, int64_t by, int64_t none)
{
	double x;
	int64_t n;

	if (sqlite3_value_type(v) == SQLITE_INTEGER) {
		n = sqlite3_value_int64(v);
		return (by > 0 && n == INT64_MAX ? n : n + by);
	}
	if (sqlite3_value_type(v) != SQLITE_FLOAT)
		return (none);
	x = sqlite3_value_double(v);
	return (x > -9e18 && x < 9e18 ? (int64_t)x + (by > 0 ? 2 : -2) : none);
}

static int
log_filter(sqlite3_vtab_cursor *cursor, int how, const char *text, int n,
    sqlite3_value **value)
{
	struct cursor *c = cursor_of(cursor);
	int64_t from = INT64_MIN, to = INT64_MAX;
	int at = 0;

	(void)text;
	(void)n;
	cursor_clear(c);
	c->location = c->kind = -1;
	if (how & BY_FROM)
		from = bound(value[at++], 0, INT64_MIN);
	if (how & AT_ONCE)
		to = bound(value[0], 1, INT64_MAX);
	if (how & BY_TO)
		to = bound(value[at++], 1, INT64_MAX);
	if (how & BY_LOCATION)
		c->location = sqlite3_value_int64(value[at++]);
	if (how & BY_KIND)
		c->kind = kind_number(c, value[at++]);
	if (c->table == TABLE_own &&
	    (c->own = defs_own(c->tables->of->defs)) == NULL)
		return (SQLITE_NOMEM);
	if (c->table != TABLE_events && c->table != TABLE_own &&
	    (c->story = story_new(c->tables->of->defs, INT64_MIN,
		 &tellers[c->table], c)) == NULL)
		return (SQLITE_NOMEM);
	if ((c->walk = tracefile_walk_new(c->tables->tf, from, to)) == NULL)
		return (failed());
	return (log_next(cursor));
}

/* --- what can be asked for --- */

/* The column of the time that rows come in the order of, and of others. */
static const struct {
	signed char time, location, kind;
} asked[TABLES] = {
	[TABLE_events] = { 0, 2, 4 },
	[TABLE_spans] = { -1, 0, 1 },
	[TABLE_links] = { -1, 4, 0 },
	[TABLE_holds] = { -1, 2, -1 },
	/* parts of one may be from before a range of time */
	[TABLE_own] = { -1, 1, -1 },
};

static int
bit_of(enum table t, int column, int op)
{
	if (column < 0)
		return (0);
	if (column == asked[t].time)
		return (op == SQLITE_INDEX_CONSTRAINT_GT ||
				op == SQLITE_INDEX_CONSTRAINT_GE
			    ? BY_FROM
			: op == SQLITE_INDEX_CONSTRAINT_LT ||
				op == SQLITE_INDEX_CONSTRAINT_LE
			    ? BY_TO
			: op == SQLITE_INDEX_CONSTRAINT_EQ ? AT_ONCE
							   : 0);
	if (op != SQLITE_INDEX_CONSTRAINT_EQ)
		return (0);
	return (column == asked[t].location ? BY_LOCATION
		: column == asked[t].kind   ? BY_KIND
					    : 0);
}

static int
log_best_index(sqlite3_vtab *vtab, sqlite3_index_info *x)
{
	const struct table_of *t = (const struct table_of *)(void *)vtab;
	int which[4] = { -1, -1, -1, -1 }, n = 0, at_once = -1;
	double rows = t->tables->events;

	for (int i = 0; i < x->nConstraint; i++) {
		int bit = bit_of(t->table, x->aConstraint[i].iColumn,
		    x->aConstraint[i].op);

		if (!x->aConstraint[i].usable || bit == 0)
			continue;
		if (bit == AT_ONCE)
			at_once = i;
		else
			which[bit == BY_FROM       ? 0
			      : bit == BY_TO       ? 1
			      : bit == BY_LOCATION ? 2
						   : 3] = i;
	}
	if (at_once != -1) {
		which[0] = at_once;
		which[1] = -1;
		x->idxNum = AT_ONCE;
	}
	for (int i = 0; i < 4; i++) {
		if (which[i] == -1)
			continue;
		x->aConstraintUsage[which[i]].argvIndex = ++n;
		x->idxNum |= 1 << i;
		rows /= i < 2 ? 10 : 4;
	}
	x->estimatedRows = rows > 1 ? (sqlite3_int64)rows : 1;
	/* all are gone through, whatever is wanted, but for a range of time */
	x->estimatedCost =
	    (x->idxNum & (BY_FROM | BY_TO)) != 0 ? rows : t->tables->events;
	x->orderByConsumed = x->nOrderBy == 1 && asked[t->table].time >= 0 &&
			     x->aOrderBy[0].iColumn == asked[t->table].time &&
			     !x->aOrderBy[0].desc;
	return (SQLITE_OK);
}

static int
log_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
	const struct table_of *t = (const struct table_of *)(void *)vtab;
	struct cursor *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return (SQLITE_NOMEM);
	c->tables = t->tables;
	c->table = t->table;
	*cursor = &c->base;
	return (SQLITE_OK);
}

static int
log_close(sqlite3_vtab_cursor *cursor)
{
	struct cursor *c = cursor_of(cursor);

	cursor_clear(c);
	free(c->row);
	free(c);
	return (SQLITE_OK);
}

/* CREATE VIRTUAL TABLE events USING orrery: its name says which it is. */
static int
log_connect(sqlite3 *db, void *arg, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **why)
{
	char sql[SQL_BYTES];
	struct table_of *t;
	enum table which = TABLE_events;
	int code;

	(void)why;
	while (which < TABLES && argc > 2 &&
	       strcmp(tables[which].name, argv[2]) != 0)
		which++;
	if (which == TABLES)
		return (SQLITE_ERROR);
	snprintf(sql, sizeof(sql), "CREATE TABLE x (%s)",
	    tables[which].columns);
	if ((code = sqlite3_declare_vtab(db, sql)) != SQLITE_OK)
		return (code);
	if ((t = calloc(1, sizeof(*t))) == NULL)
		return (SQLITE_NOMEM);
	t->tables = arg;
	t->table = which;
	*vtab = &t->base;
	return (SQLITE_OK);
}

static int
log_disconnect(sqlite3_vtab *vtab)
{
	free(vtab);
	return (SQLITE_OK);
}

static const sqlite3_module module = { .xCreate = log_connect,
	.xConnect = log_connect,
	.xBestIndex = log_best_index,
	.xDisconnect = log_disconnect,
	.xDestroy = log_disconnect,
	.xOpen = log_open,
	.xClose = log_close,
	.xFilter = log_filter,
	.xNext = log_next,
	.xEof = log_eof,
	.xColumn = log_column,
	.xRowid = log_rowid };

int
logtables_make(sqlite3 *db, struct logtables *l)
{
	char sql[SQL_BYTES];
	int code = sqlite3_create_module(db, "orrery", &module, l);

	if (code == SQLITE_OK)
		code = sqlite_definitions(db, l->of);
	for (enum table t = TABLE_events; code == SQLITE_OK && t < TABLES;
	     t++) {
		snprintf(sql, sizeof(sql),
		    "CREATE VIRTUAL TABLE %s USING orrery", tables[t].name);
		code = sqlite3_exec(db, sql, NULL, NULL, NULL);
	}
	for (size_t i = 0; code == SQLITE_OK && table_views[i] != NULL; i++) {
		snprintf(sql, sizeof(sql), "CREATE VIEW %s", table_views[i]);
		code = sqlite3_exec(db, sql, NULL, NULL, NULL);
	}
	if (code == SQLITE_OK)
		code = sqlite_own_views(db, l->of->defs);
	return (code);
}
