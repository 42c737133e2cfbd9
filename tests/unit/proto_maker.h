/* For the tests of log files: one under construction, and what is read of it.
 */
#ifndef TESTS_PROTO_MAKER_H
#define TESTS_PROTO_MAKER_H

#include "tests/check.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/tracefile.h"

static char path[] = "/tmp/orrery-tracefile-XXXXXX";

static inline void
put_file(const char *mode, const void *p, size_t n)
{
	FILE *f = fopen(path, mode);

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static inline void
write_file(const void *p, size_t n)
{
	put_file("wb", p, n);
}

static inline void
append_file(const void *p, size_t n)
{
	put_file("ab", p, n);
}

/* A log under construction. */
struct maker {
	struct buf log;
	struct block_writer *w;
	struct tracefile_entry entry[1000];
	size_t entries, events;
};

static inline void
note_entry(struct maker *m, size_t at, unsigned type)
{
	struct tracefile_entry *e = &m->entry[m->entries++];
	struct frame f;
	struct msg_block b;

	assert_int_equal(frame_parse(m->log.p + at, m->log.n - at, &f),
	    FRAME_OK);
	*e = (struct tracefile_entry){ .offset = at,
		.frame_bytes = (uint32_t)f.frame_bytes,
		.type = (uint8_t)type };
	if (type != MSG_block)
		return;
	assert_int_equal(msg_decode(type, f.body, f.body_bytes, &b), 0);
	e->events = b.events;
	e->late = b.late;
	e->first_mon_ns = b.first_mon_ns;
	e->last_mon_ns = b.last_mon_ns;
}

static inline void
define(struct maker *m, enum msg_type type, const void *msg)
{
	size_t at = m->log.n;

	assert_int_equal(frame_append(&m->log, type, msg), 0);
	note_entry(m, at, type);
}

static inline void
begin(struct maker *m)
{
	struct msg_run run = { .version = TRACEFILE_VERSION,
		.name = BYTES_STR("test"),
		.start_mon_ns = 1000 };
	struct msg_node node = { .node = 1, .name = BYTES_STR("n1") };
	struct msg_thread th = { .location = 1,
		.node = 1,
		.po = 3,
		.thread = 1 };

	memset(m, 0, sizeof(*m));
	m->w = block_writer_new();
	assert_int_equal(frame_append(&m->log, MSG_run, &run), 0);
	define(m, MSG_node, &node);
	define(m, MSG_thread, &th);
}

/* n events of a location from a sequence number on, `step` apart. */
static inline void
block(struct maker *m, uint32_t location, uint64_t seq, int64_t t, int64_t step,
    size_t n, int late)
{
	size_t at = m->log.n;

	for (size_t i = 0; i < n; i++) {
		struct event e = { .t_mon_ns = t + (int64_t)i * step,
			.t_node_ns = t + (int64_t)i * step,
			.seq = seq + i,
			.location = location,
			.kind = EV_counter,
			.a = seq + i,
			.c = 1 };

		assert_int_equal(block_add(m->w, &e), 0);
	}
	assert_int_equal(block_finish(m->w, late, 1, &m->log), 0);
	note_entry(m, at, MSG_block);
	m->events += n;
}

static inline void
finish(struct maker *m)
{
	struct buf entries = { 0 };
	struct msg_index ix = { .log_bytes = m->log.n, .events = m->events };
	struct msg_receipt r = { .published = m->events, .stored = m->events };

	assert_int_equal(tracefile_index_encode(m->entry, m->entries, &entries),
	    0);
	ix.entries = (struct bytes){ entries.p, entries.n };
	assert_int_equal(frame_append(&m->log, MSG_index, &ix), 0);
	assert_int_equal(frame_append(&m->log, MSG_receipt, &r), 0);
	buf_free(&entries);
}

static inline void
end(struct maker *m)
{
	block_writer_free(m->w);
	buf_free(&m->log);
}

/* Counts what tracefile_each hands over and checks its order. */
struct seen {
	size_t events, definitions, stop_at;
	int64_t last_mon_ns;
	uint64_t next_seq[8];
	uint32_t last_location;
	bool disordered, swapped; /* swapped: location 5 before 1 at a tie */
};

static inline int
see_definition(void *arg, const struct frame *f)
{
	struct seen *s = arg;

	(void)f;
	s->definitions++;
	s->disordered |= s->events > 0;
	return (0);
}

static inline int
see_event(void *arg, const struct event *e)
{
	struct seen *s = arg;

	if (s->events > 0)
		s->disordered |= e->t_mon_ns < s->last_mon_ns;
	s->disordered |= e->seq < s->next_seq[e->location];
	s->swapped |= s->events > 0 && e->t_mon_ns == s->last_mon_ns &&
		      s->last_location == 5 && e->location == 1;
	s->last_location = e->location;
	s->next_seq[e->location] = e->seq + 1;
	s->last_mon_ns = e->t_mon_ns;
	s->events++;
	return (s->stop_at != 0 && s->events == s->stop_at ? 42 : 0);
}

static const struct trace_sink sink = { see_definition, see_event };

/* The log as it is now, on disk and open. */
static inline struct tracefile *
open_written(const struct maker *m)
{
	const char *why = NULL;
	struct tracefile *t;

	write_file(m->log.p, m->log.n);
	t = tracefile_open(path, &why);
	if (t == NULL)
		fail_msg("%s", why);
	return (t);
}

static inline void
see_all(struct tracefile *t, struct seen *s)
{
	assert_int_equal(tracefile_each(t, INT64_MIN, INT64_MAX, &sink, s), 0);
}

/* A log of three blocks, as it lies on disk. */
static inline void
small_log(struct maker *m, bool finished)
{
	begin(m);
	block(m, 1, 0, 1000, 10, 20, 0);
	block(m, 1, 20, 1200, 10, 20, 0);
	block(m, 1, 40, 1400, 10, 20, 0);
	if (finished)
		finish(m);
}

static inline int
make_file(void **state)
{
	(void)state;
	return (mkstemp(path) == -1);
}

static inline int
remove_file(void **state)
{
	(void)state;
	return (unlink(path));
}

#endif
