/*
 * Writes the log that orrery-log(5) has byte by byte to its standard output.
 * It has a little of everything: two kinds, two threads, a clock that is 500 ns
 * behind, an event that was moved behind its cause, words that are predicted
 * and words that are not.
 */
#include <stdio.h>
#include <string.h>

#include "event.h"
#include "frame.h"
#include "log/block.h"
#include "log/tracefile.h"

#define OFFSET_NS 500 /* of the monitor's clock to the node's */

static struct buf out;
static struct tracefile_entry entry[16];
static size_t entries;

static void
append(enum msg_type type, const void *msg)
{
	size_t at = out.n;

	frame_append(&out, type, msg);
	if (type == MSG_run)
		return;
	entry[entries++] = (struct tracefile_entry){ .offset = at,
		.frame_bytes = (uint32_t)(out.n - at),
		.type = (uint8_t)type };
}

static void
kind(enum event_kind k)
{
	struct msg_kind m;

	tracefile_kind(event_desc(k), &m);
	append(MSG_kind, &m);
}

static void
definitions(void)
{
	const struct msg_run run = { .version = TRACEFILE_VERSION,
		.run = { "an example's run" },
		.name = BYTES_STR("example"),
		.start_real_ns = 1000000000000000000,
		.start_mon_ns = 1000,
		.program = BYTES_STR("by hand") };
	const struct msg_node node = { .node = 1,
		.name = BYTES_STR("n1"),
		.machine = BYTES_STR("m") };
	struct msg_thread thread = { .node = 1, .po = 1 };
	const struct msg_name name = { .name = 1,
		.text = BYTES_STR("work"),
		.file = BYTES_STR("w.c"),
		.line = 7 };
	const struct msg_segment segment = { .node = 1,
		.base_node_ns = 0,
		.base_mon_ns = OFFSET_NS,
		.error_ns = 20,
		.state = 2 };

	append(MSG_run, &run);
	kind(EV_task_resume);
	kind(EV_task_suspend);
	append(MSG_node, &node);
	for (uint32_t i = 1; i <= 2; i++) {
		thread.location = thread.thread = i;
		thread.tid = 100 + i;
		append(MSG_thread, &thread);
	}
	append(MSG_name, &name);
	append(MSG_segment, &segment);
}

static const struct event events[] = {
	{ .t_mon_ns = 1100,
	    .location = 1,

	    .kind = EV_task_resume,
	    .a = 0x100000001,
	    .b = 3,
	    .c = 1 },
	{ .t_mon_ns = 1250,
	    .location = 2,
	    .kind = EV_task_resume,
	    .a = 0x100000002,
	    .b = 4,
	    .c = 1,
	    .flags = EVENT_SHIFTED,
	    .shift_ns = 30 },
	{ .t_mon_ns = 1300,
	    .location = 1,
	    .seq = 1,
	    .kind = EV_task_suspend,
	    .a = 0x100000001 },
	{ .t_mon_ns = 1400,
	    .location = 1,
	    .seq = 2,
	    .kind = EV_task_resume,
	    .a = 0x100000003,
	    .b = 3,
	    .c = 1 },
};
#define EVENTS (sizeof(events) / sizeof(events[0]))

static int
block(void)
{
	struct block_writer *w = block_writer_new();
	struct tracefile_entry *e = &entry[entries++];

	*e = (struct tracefile_entry){ .offset = out.n,
		.events = EVENTS,
		.type = MSG_block,
		.first_mon_ns = events[0].t_mon_ns,
		.last_mon_ns = events[EVENTS - 1].t_mon_ns };
	for (size_t i = 0; w != NULL && i < EVENTS; i++) {
		struct event one = events[i];

		one.t_node_ns = one.t_mon_ns - one.shift_ns - OFFSET_NS;
		if (block_add(w, &one) == -1)
			return (-1);
	}
	if (w == NULL || block_finish(w, 0, 3, &out) == -1)
		return (-1);
	block_writer_free(w);
	e->frame_bytes = (uint32_t)(out.n - e->offset);
	return (0);
}

int
main(void)
{
	const struct msg_receipt receipt = { .published = EVENTS,
		.stored = EVENTS,
		.end_real_ns = 1000000000000001000 };

	definitions();
	if (block() == -1 ||
	    tracefile_tail(entry, entries, out.n, EVENTS, &receipt, &out) != 0)
		return (1);
	return (fwrite(out.p, 1, out.n, stdout) == out.n ? 0 : 1);
}
