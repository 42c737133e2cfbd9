/*
 * Makes logs without daemons, for tests and benches: definitions and events
 * in, frames out.  Events are given in any order; make_log_blocks() sorts
 * them by time, numbers them per location and writes blocks.
 */
#ifndef TESTS_MAKE_LOG_H
#define TESTS_MAKE_LOG_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clockmap.h"
#include "event.h"
#include "frame.h"
#include "log/block.h"
#include "log/tracefile.h"

struct make_log {
	struct buf out;
	struct event *events;
	size_t n, cap;
	uint64_t *seq; /* next of each location */
	uint32_t nseq;
	uint64_t written;
	uint32_t names, locations;
	int64_t start_mon_ns, start_real_ns; /* of the run */
	uint32_t block_events; /* most in one block; 0: as many as fit */
	int level;             /* of zstd */
};

static inline void
make_log_head(struct make_log *l, const char *name)
{
	struct msg_run run = { .version = TRACEFILE_VERSION,
		.start_mon_ns = l->start_mon_ns,
		.start_real_ns = l->start_real_ns,
		.name = BYTES_STR(name),
		.program = BYTES_STR("makelog") };

	for (int i = 0; i < 16; i++)
		run.run.b[i] = (uint8_t)(i * 17 + 1);
	assert(frame_append(&l->out, MSG_run, &run) == 0);
	for (unsigned i = 0; i < EVENT_KINDS; i++) {
		const struct event_desc *d = event_desc(i);
		struct msg_kind k;

		if (d == NULL)
			continue;
		tracefile_kind(d, &k);
		assert(frame_append(&l->out, MSG_kind, &k) == 0);
	}
}

static inline void
make_log_node(struct make_log *l, uint32_t node, const char *name)
{
	struct msg_node d = { node, BYTES_STR(name), BYTES_STR("m") };

	assert(frame_append(&l->out, MSG_node, &d) == 0);
}

static inline void
make_log_po(struct make_log *l, uint32_t node, uint32_t po, const char *program)
{
	struct msg_po d = { .node = node,
		.po = po,
		.pid = 1000 + po,
		.program = BYTES_STR(program),
		.command = BYTES_STR(program) };

	assert(frame_append(&l->out, MSG_po, &d) == 0);
}

/* The node's clock is like this from a time on (enum clock_state). */
static inline void
make_log_segment(struct make_log *l, uint32_t node, int64_t t_ns,
    int64_t error_ns, unsigned state)
{
	struct msg_segment d = { .node = node,
		.base_node_ns = t_ns,
		.base_mon_ns = t_ns,
		.error_ns = error_ns,
		.state = (uint8_t)state };

	assert(frame_append(&l->out, MSG_segment, &d) == 0);
}

/* Returns the location. */
static inline uint32_t
make_log_thread(struct make_log *l, uint32_t node, uint32_t po, uint32_t thread,
    const char *name)
{
	struct msg_thread d = { ++l->locations, node, po, thread, 1,
		BYTES_STR(name) };

	assert(frame_append(&l->out, MSG_thread, &d) == 0);
	return (d.location);
}

/* Returns the number of the name. */
static inline uint32_t
make_log_name(struct make_log *l, const char *text)
{
	struct msg_name d = { ++l->names, 0, BYTES_STR(text),
		BYTES_STR("prog.c"), 10 + l->names, BYTES_STR("") };

	assert(frame_append(&l->out, MSG_name, &d) == 0);
	return (d.name);
}

static inline void
make_log_event(struct make_log *l, uint32_t location, unsigned kind,
    int64_t t_mon_ns, uint64_t a, uint64_t b, uint32_t c)
{
	if (l->n == l->cap) {
		l->cap = l->cap == 0 ? 1024 : l->cap * 2;
		l->events = realloc(l->events, l->cap * sizeof(*l->events));
		assert(l->events != NULL);
	}
	/* seq: order of arrival, until it is numbered */
	l->events[l->n] = (struct event){ .t_mon_ns = t_mon_ns,
		.t_node_ns = t_mon_ns,
		.seq = l->n,
		.a = a,
		.b = b,
		.c = c,
		.location = location,
		.kind = (uint16_t)kind };
	l->n++;
}

static inline int
make_log_compare(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->t_mon_ns != y->t_mon_ns)
		return (x->t_mon_ns < y->t_mon_ns ? -1 : 1);
	return (x->seq < y->seq ? -1 : x->seq > y->seq);
}

/* Sorts and numbers what was given since the last time. */
static inline void
make_log_number(struct make_log *l, struct event *e)
{
	if (e->location >= l->nseq) {
		l->seq = realloc(l->seq, (e->location + 64) * sizeof(*l->seq));
		assert(l->seq != NULL);
		memset(l->seq + l->nseq, 0,
		    (e->location + 64 - l->nseq) * sizeof(*l->seq));
		l->nseq = e->location + 64;
	}
	e->seq = l->seq[e->location]++;
}

static inline void
make_log_sort(struct make_log *l)
{
	if (l->n > 0)
		qsort(l->events, l->n, sizeof(*l->events), make_log_compare);
	for (size_t i = 0; i < l->n; i++)
		make_log_number(l, &l->events[i]);
}

/* Those before t_ns; no earlier ones may follow but late ones. */
static inline void
make_log_blocks_until(struct make_log *l, int64_t t_ns, int late)
{
	struct block_writer *w = block_writer_new();
	size_t i;

	assert(w != NULL);
	if (l->n > 0)
		qsort(l->events, l->n, sizeof(*l->events), make_log_compare);
	for (i = 0; i < l->n && l->events[i].t_mon_ns < t_ns; i++) {
		make_log_number(l, &l->events[i]);
		if (l->block_events != 0 && block_events(w) == l->block_events)
			assert(block_finish(w, late, l->level, &l->out) == 0);
		if (block_add(w, &l->events[i]) == 0)
			continue;
		assert(block_finish(w, late, l->level, &l->out) == 0);
		assert(block_add(w, &l->events[i]) == 0);
	}
	if (block_events(w) > 0)
		assert(block_finish(w, late, l->level, &l->out) == 0);
	block_writer_free(w);
	l->written += i;
	l->n -= i;
	if (l->n > 0)
		memmove(l->events, l->events + i, l->n * sizeof(*l->events));
}

static inline void
make_log_blocks(struct make_log *l, int late)
{
	make_log_blocks_until(l, INT64_MAX, late);
}

/* Index and receipt: the log is finished. */
static inline void
make_log_finish(struct make_log *l)
{
	struct tracefile_entry *v = NULL;
	struct msg_index index = { .log_bytes = l->out.n,
		.events = l->written };
	struct msg_receipt receipt = { .published = l->written,
		.stored = l->written };
	struct buf entries = { 0 };
	struct msg_block b;
	struct frame f;
	size_t n = 0, cap = 0, at = 0;

	for (; frame_parse(l->out.p + at, l->out.n - at, &f) == FRAME_OK;
	     at += f.frame_bytes) {
		if (f.type == MSG_run)
			continue;
		if (n == cap) {
			cap = cap == 0 ? 64 : cap * 2;
			v = realloc(v, cap * sizeof(*v));
			assert(v != NULL);
		}
		v[n] = (struct tracefile_entry){ .offset = at,
			.frame_bytes = (uint32_t)f.frame_bytes,
			.type = (uint8_t)f.type };
		if (f.type == MSG_block) {
			assert(msg_decode(MSG_block, f.body, f.body_bytes,
				   &b) == 0);
			v[n].events = b.events;
			v[n].late = b.late;
			v[n].first_mon_ns = b.first_mon_ns;
			v[n].last_mon_ns = b.last_mon_ns;
		}
		n++;
	}
	assert(tracefile_index_encode(v, n, &entries) == 0);
	index.entries = (struct bytes){ entries.p, entries.n };
	assert(frame_append(&l->out, MSG_index, &index) == 0);
	assert(frame_append(&l->out, MSG_receipt, &receipt) == 0);
	buf_free(&entries);
	free(v);
}

/*
 * Node n2 in trouble: its clock is coarse, locked, held over, stepped (at 500)
 * and locked again; it is silent from 610 to 700, and 12 events of it are late.
 * Returns the location of monitord, which says so.
 */
static inline uint32_t
make_log_trouble(struct make_log *l)
{
	uint32_t monitor;

	make_log_node(l, 1, "n1");
	make_log_node(l, 2, "n2");
	monitor = make_log_thread(l, 0, 0, 0, "monitord");
	make_log_segment(l, 2, 0, 50, CLOCK_COARSE);
	make_log_segment(l, 2, 100, 1, CLOCK_LOCKED);
	make_log_segment(l, 2, 300, 90, CLOCK_HOLDOVER);
	make_log_segment(l, 2, 500, 800, CLOCK_STEPPED);
	make_log_segment(l, 2, 600, 3, CLOCK_LOCKED);
	make_log_event(l, monitor, EV_note, 0, 0, 0, 0);
	make_log_event(l, monitor, EV_clock_step, 500, 1, 7, 2);
	make_log_event(l, monitor, EV_stall, 650, 40, 0, 2);
	make_log_event(l, monitor, EV_rejoin, 700, 90, 0, 2);
	make_log_event(l, monitor, EV_late, 710, 12, 55, 2);
	return (monitor);
}

static inline void
make_log_free(struct make_log *l)
{
	buf_free(&l->out);
	free(l->events);
	free(l->seq);
	memset(l, 0, sizeof(*l));
}

#endif
