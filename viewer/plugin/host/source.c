/*
 * Reads the log for the plug-in.
 *
 * A finished log is walked, late events in their places.  One
 * that grows is read frame by frame, as the viewer itself does: what comes late
 * is told as late.
 */
#include "plugin/host/source.h"

#include <stdio.h>
#include <stdlib.h>

#define PART_EVENTS 8192 /* at once */

struct source {
	struct tracefile *file;
	struct tracefile_walk *walk; /* NULL: it grows */
	struct defs *defs;
	uint64_t defined;
	struct event *events; /* of a block */
	struct buf scratch;
	uint64_t at; /* frames: offset; walk: events */
	uint64_t all;
	bool end;
};

static int
define(void *arg, const struct frame *f)
{
	struct source *s = arg;

	s->defined++;
	(void)defs_add(s->defs, f); /* one that is damaged is left out */
	return (0);
}

/* False: out of memory, or the file cannot be read. */
static bool
begin(struct source *s)
{
	static const struct trace_sink sink = { .definition = define };
	struct msg_receipt r;

	s->defs = defs_new();
	s->events = malloc(BLOCK_EVENTS_MAX * sizeof(*s->events));
	if (s->defs == NULL || s->events == NULL)
		return (false);
	if (tracefile_receipt(s->file, &r) != 1)
		return (true);
	s->all = r.stored;
	if (tracefile_each(s->file, INT64_MIN, INT64_MAX, &sink, s) == -1)
		return (false);
	s->walk = tracefile_walk_new(s->file, INT64_MIN, INT64_MAX);
	return (s->walk != NULL);
}

struct source *
source_open(const char *path, char *why, size_t n)
{
	struct source *s = calloc(1, sizeof(*s));
	const char *what = "out of memory";

	if (s != NULL)
		s->file = tracefile_open(path, &what);
	if (s != NULL && s->file != NULL && begin(s))
		return (s);
	if (s != NULL && s->file != NULL)
		what = "out of memory, or it cannot be read";
	snprintf(why, n, "%s: %s", path, what);
	source_close(s);
	return (NULL);
}

void
source_close(struct source *s)
{
	if (s == NULL)
		return;
	tracefile_walk_free(s->walk);
	if (s->file != NULL)
		tracefile_close(s->file);
	if (s->defs != NULL)
		defs_free(s->defs);
	free(s->events);
	buf_free(&s->scratch);
	free(s);
}

static void
walk_on(struct source *s, source_event *event, void *arg)
{
	const struct event *e;

	for (int i = 0; i < PART_EVENTS; i++) {
		if (tracefile_walk_next(s->walk, &e) != 1) {
			s->end = true;
			return;
		}
		s->at++;
		event(arg, e, (e->flags & EVENT_LATE) != 0);
	}
}

static void
take_block(struct source *s, const struct frame *f, source_event *event,
    void *arg)
{
	uint32_t most = tracefile_number_max(s->at);
	struct msg_block b;

	if (msg_decode(MSG_block, f->body, f->body_bytes, &b) == -1 ||
	    b.events > BLOCK_EVENTS_MAX ||
	    block_read(&b, s->events, &s->scratch) == -1)
		return; /* damaged: the viewer says so */
	for (uint32_t i = 0; i < b.events; i++)
		if (s->events[i].location <= most)
			event(arg, &s->events[i], b.late != 0);
}

bool
source_step(struct source *s, source_event *event, void *arg)
{
	struct frame f;

	if (s->end)
		return (false);
	if (s->walk != NULL)
		walk_on(s, event, arg);
	else if (tracefile_next(s->file, &s->at, &f) != 1)
		s->end = true;
	else if (f.type == MSG_block)
		take_block(s, &f, event, arg);
	else
		define(s, &f);
	return (!s->end);
}

void
source_refresh(struct source *s)
{
	if (s->walk == NULL && s->end && tracefile_refresh(s->file) == 1)
		s->end = false;
}

uint32_t
source_permille(const struct source *s)
{
	uint64_t all = s->walk != NULL ? s->all : tracefile_bytes(s->file);

	if (s->end)
		return (1000);
	return (s->at >= all ? 999 : (uint32_t)(s->at * 999 / all));
}

const struct defs *
source_defs(const struct source *s)
{
	return (s->defs);
}

uint64_t
source_defined(const struct source *s)
{
	return (s->defined);
}

int64_t
source_start_mon_ns(const struct source *s)
{
	const struct msg_run *r = tracefile_run(s->file);

	return (r != NULL ? r->start_mon_ns : 0);
}
