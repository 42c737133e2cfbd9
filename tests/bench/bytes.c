/*
 * What an event costs on the wire and on disk, in bytes and in time.
 *
 * The events of bytes_load.c are put into batches of a millisecond and into
 * blocks of the log, with every head, definition and index counted, read back,
 * and compared.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "log/block.h"
#include "log/tracefile.h"
#include "tests/bench/bench.h"
#include "tests/bench/bytes.h"

#define SWEEP_NS 1000000

static void
figure(const char *name, double value, const char *unit, double goal)
{
	printf("%s\t%.3f\t%s\tgoal\t%.3f\t%.3f\n", name, value, unit, goal,
	    value / goal);
}

static struct msg_thread
thread_def(unsigned i)
{
	return ((struct msg_thread){ .location = i + 3,
	    .po = i / 4 + 1,
	    .thread = i % 4 + 1,
	    .tid = 4000 + i,
	    .name = BYTES_STR("worker") });
}

static struct msg_name
name_def(unsigned i, char *text, size_t n)
{
	snprintf(text, n, "some_function_%u", i);
	return ((struct msg_name){ .name = i,
	    .text = BYTES_STR(text),
	    .file = BYTES_STR("src/program.c"),
	    .line = 10 * i });
}

/* Frames of a kind in which everything else must be framed, too. */
static void
definitions(struct buf *out, struct batch_writer *w)
{
	for (unsigned i = 0; i < 2; i++) {
		struct msg_po po = { .po = i + 1,
			.pid = 3999,
			.program = BYTES_STR("program"),
			.command = BYTES_STR("./program --threads 4") };

		if (w != NULL ? batch_add_definition(w, MSG_po, &po)
			      : frame_append(out, MSG_po, &po))
			err(1, "po");
	}
	for (unsigned i = 0; i < THREADS; i++) {
		struct msg_thread th = thread_def(i);

		if (w != NULL ? batch_add_definition(w, MSG_thread, &th)
			      : frame_append(out, MSG_thread, &th))
			err(1, "thread");
	}
	for (unsigned i = 0; i < 60; i++) {
		char text[32];
		struct msg_name nm = name_def(i, text, sizeof(text));

		if (w != NULL ? batch_add_definition(w, MSG_name, &nm)
			      : frame_append(out, MSG_name, &nm))
			err(1, "name");
	}
}

/* For timing: takes everything and does nothing. */
static int
ignore_definition(void *arg, const struct frame *f)
{
	(void)arg;
	(void)f;
	return (0);
}

static int
ignore_events(void *arg, uint32_t stream, uint64_t seq,
    const struct node_event *e, size_t n)
{
	(void)arg;
	(void)stream;
	(void)seq;
	(void)e;
	(void)n;
	return (0);
}

static size_t wire_at[THREADS];
static size_t wire_definitions;

static int
check_definition(void *arg, const struct frame *f)
{
	(void)arg;
	(void)f;
	wire_definitions++;
	return (0);
}

static int
check_events(void *arg, uint32_t stream, uint64_t seq,
    const struct node_event *e, size_t n)
{
	(void)arg;
	if (seq != wire_at[stream])
		errx(1, "batch: a run begins at the wrong place");
	if (memcmp(e, of[stream] + seq, n * sizeof(*e)) != 0)
		errx(1, "batch: an event has changed");
	wire_at[stream] += n;
	return (0);
}

/* Everything that is to be sent, in batches of a millisecond. */
static double
encode(struct buf *out)
{
	struct batch_writer *w = batch_writer_new();
	size_t done = 0, at[THREADS] = { 0 }, n[THREADS];
	int64_t until = 7000000000000;
	double ns = 0, t0;

	for (uint64_t number = 1; done < EVENTS; number++) {
		struct msg_batch m = { .number = number };

		until += SWEEP_NS;
		for (unsigned i = 0; i < THREADS; i++) {
			n[i] = 0;
			while (at[i] + n[i] < of_n[i] &&
			       of[i][at[i] + n[i]].t_node_ns < until)
				n[i]++;
		}
		t0 = clock_ns(CLOCK_MONOTONIC);
		batch_writer_reset(w);
		if (number == 1)
			definitions(NULL, w);
		for (unsigned i = 0; i < THREADS; i++) {
			if (batch_add_run(w, i, at[i], of[i] + at[i], n[i]) ==
			    -1)
				err(1, "batch_add_run");
			at[i] += n[i];
			done += n[i];
		}
		m.watermark_node_ns = until;
		m.events = batch_events(w);
		m.streams = batch_bytes(w);
		if (frame_append(out, MSG_batch, &m) == -1)
			err(1, "batch");
		ns += clock_ns(CLOCK_MONOTONIC) - t0;
	}
	batch_writer_free(w);
	return (ns);
}

static double
decode(const struct buf *out, const struct batch_sink *sink)
{
	double t0 = clock_ns(CLOCK_MONOTONIC);
	struct frame f;

	for (size_t p = 0; p < out->n; p += f.frame_bytes) {
		struct msg_batch m;

		if (frame_parse(out->p + p, out->n - p, &f) != FRAME_OK ||
		    msg_decode(MSG_batch, f.body, f.body_bytes, &m) == -1 ||
		    batch_decode(m.streams, sink, NULL) != 0)
			errx(1, "batch: damaged");
	}
	return (clock_ns(CLOCK_MONOTONIC) - t0);
}

static void
wire(void)
{
	static const struct batch_sink check = { check_definition,
		check_events };
	static const struct batch_sink ignore = { ignore_definition,
		ignore_events };
	struct buf out = { 0 };
	double encoded = encode(&out);

	(void)decode(&out, &check);
	for (int i = 0; i < THREADS; i++) {
		if (wire_at[i] != of_n[i])
			errx(1, "batch: events are missing");
	}
	figure("wire_bytes_per_event", (double)out.n / EVENTS, "bytes", 6);
	figure("batch_encode", encoded / EVENTS, "ns/event", 15);
	figure("batch_decode", decode(&out, &ignore) / EVENTS, "ns/event", 10);
	buf_free(&out);
}

static void
kinds(struct buf *out)
{
	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		const struct event_desc *d = event_desc(k);
		struct msg_kind m;

		if (d == NULL)
			continue;
		tracefile_kind(d, &m);
		if (frame_append(out, MSG_kind, &m) == -1)
			err(1, "kind");
	}
}

static void
close_block(struct block_writer *w, struct buf *out, struct tracefile_entry *e)
{
	size_t before = out->n;
	struct frame f;
	struct msg_block m;

	if (block_finish(w, 0, BLOCK_LEVEL_FAST, out) == -1)
		err(1, "block_finish");
	frame_parse(out->p + before, out->n - before, &f);
	msg_decode(MSG_block, f.body, f.body_bytes, &m);
	*e = (struct tracefile_entry){ .offset = before,
		.frame_bytes = (uint32_t)f.frame_bytes,
		.events = m.events,
		.type = MSG_block,
		.first_mon_ns = m.first_mon_ns,
		.last_mon_ns = m.last_mon_ns };
}

static double
read_blocks(const struct buf *out, bool check)
{
	struct buf scratch = { 0 };
	struct event *e = calloc(BLOCK_EVENTS_MAX, sizeof(*e));
	double t0 = clock_ns(CLOCK_MONOTONIC);
	size_t n = 0;
	struct frame f;

	for (size_t p = 0; p < out->n; p += f.frame_bytes) {
		struct msg_block m;

		if (frame_parse(out->p + p, out->n - p, &f) != FRAME_OK)
			errx(1, "log: damaged");
		if (f.type != MSG_block)
			continue;
		if (msg_decode(MSG_block, f.body, f.body_bytes, &m) == -1 ||
		    block_read(&m, e, &scratch) == -1)
			errx(1, "block: damaged");
		if (check && memcmp(e, all + n, m.events * sizeof(*e)) != 0)
			errx(1, "block: an event has changed");
		n += m.events;
	}
	if (n != EVENTS)
		errx(1, "block: events are missing");
	free(e);
	buf_free(&scratch);
	return (clock_ns(CLOCK_MONOTONIC) - t0);
}

static void
disk(void)
{
	struct block_writer *w = block_writer_new();
	struct tracefile_entry entry[EVENTS / BLOCK_EVENTS_MAX + 2];
	struct buf out = { 0 }, index = { 0 };
	struct msg_run run = { .name = BYTES_STR("run") };
	struct msg_receipt receipt = { .published = EVENTS, .stored = EVENTS };
	struct msg_index idx = { .events = EVENTS };
	struct msg_segment seg = { .node = 1 };
	size_t n = 0;
	double t0, written, read;

	frame_append(&out, MSG_run, &run);
	kinds(&out);
	definitions(&out, NULL);
	for (int i = 0; i < 1 + EVENTS / (THREADS * 500000); i++)
		frame_append(&out, MSG_segment, &seg);
	t0 = clock_ns(CLOCK_MONOTONIC);
	for (size_t i = 0; i < EVENTS; i++) {
		if (block_add(w, &all[i]) == -1)
			err(1, "block_add");
		if (block_events(w) == BLOCK_EVENTS_MAX)
			close_block(w, &out, &entry[n++]);
	}
	if (block_events(w) > 0)
		close_block(w, &out, &entry[n++]);
	written = clock_ns(CLOCK_MONOTONIC) - t0;
	(void)read_blocks(&out, true);
	read = read_blocks(&out, false);
	if (tracefile_index_encode(entry, n, &index) == -1)
		err(1, "index");
	idx.entries = (struct bytes){ index.p, index.n };
	frame_append(&out, MSG_index, &idx);
	frame_append(&out, MSG_receipt, &receipt);
	figure("disk_bytes_per_event", (double)out.n / EVENTS, "bytes", 5);
	figure("block_write", written / EVENTS, "ns/event", 40);
	figure("block_read", read / EVENTS, "ns/event", 15);
	buf_free(&index);
	buf_free(&out);
	block_writer_free(w);
}

int
main(void)
{
	generate();
	wire();
	disk();
	for (int i = 0; i < THREADS; i++)
		free(of[i]);
	free(all);
	return (0);
}
