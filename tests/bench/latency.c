/*
 * From the event to the viewer's model: subscribes to a running monitord as a
 * viewer does, feeds the viewer's model with every frame, and takes the time
 * between an event's corrected time and the moment the model has it.
 *
 *	latency SOCKET SECONDS
 *
 * Prints the lines of bench.tsv.  Monitord must run on this machine: its
 * clock is this machine's CLOCK_MONOTONIC_RAW.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log/block.h"
#include "message.h"
#include "model/model.h"
#include "tests/tools/talk.h"

#define GOAL_MS   100.0
#define BUCKET_US 100
#define BUCKETS   100000 /* ten seconds */
#define WARM_UP_S 1

static uint64_t histogram[BUCKETS], seen;
static struct event *events;
static struct buf scratch;

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

/* Counts the latencies of a block that the model has just taken. */
static void
count(const struct frame *f, int64_t now)
{
	struct msg_block b;

	if (msg_decode(MSG_block, f->body, f->body_bytes, &b) == -1 ||
	    b.events > BLOCK_EVENTS_MAX ||
	    block_read(&b, events, &scratch) == -1)
		return;
	for (uint32_t i = 0; i < b.events; i++) {
		int64_t us = (now - events[i].t_mon_ns) / 1000;
		int64_t k = us < 0 ? 0 : us / BUCKET_US;

		if (event_table[events[i].kind].class == CLASS_monitor)
			continue;
		histogram[k < BUCKETS ? k : BUCKETS - 1]++;
		seen++;
	}
}

static double
percentile_ms(double q)
{
	uint64_t below = 0;

	for (unsigned k = 0; k < BUCKETS; k++) {
		below += histogram[k];
		if ((double)below >= q * (double)seen)
			return ((k + 1) * BUCKET_US / 1000.0);
	}
	return (BUCKETS * BUCKET_US / 1000.0);
}

int
main(int argc, char **argv)
{
	struct msg_hello hello = { .version_min = PROTO_VERSION_MIN,
		.version_max = PROTO_VERSION,
		.role = ROLE_VIEWER,
		.name = BYTES_STR("latency") };
	struct msg_subscribe from_start = { .offset = 0 };
	struct model *model = model_new();
	struct buf in = { 0 };
	int64_t start, until;
	struct frame f;
	ssize_t n;
	int fd;

	if (argc != 3) {
		fprintf(stderr, "usage: latency SOCKET SECONDS "
				"(monitord must listen there)\n");
		return (64);
	}
	fd = talk_socket(argv[1], false);
	events = malloc(BLOCK_EVENTS_MAX * sizeof(*events));
	if (model == NULL || events == NULL ||
	    !talk_message(fd, MSG_hello, &hello) ||
	    !talk_message(fd, MSG_subscribe, &from_start))
		return (71);
	start = now_ns();
	until = start + (int64_t)(atof(argv[2]) * 1e9);
	while (now_ns() < until) {
		size_t used = 0;

		if (buf_reserve(&in, 1 << 18) == -1)
			return (71);
		n = read(fd, in.p + in.n, in.cap - in.n);
		if (n <= 0)
			break;
		in.n += (size_t)n;
		while (frame_parse(in.p + used, in.n - used, &f) == FRAME_OK) {
			model_add_frame(model, &f);
			if (f.type == MSG_block &&
			    now_ns() - start > WARM_UP_S * 1000000000LL)
				count(&f, now_ns());
			used += f.frame_bytes;
		}
		memmove(in.p, in.p + used, in.n - used);
		in.n -= used;
	}
	if (seen == 0) {
		fprintf(stderr, "latency: no events came\n");
		return (69);
	}
	printf("latency to the viewer's model p50\t%.1f\tms\t\t\t\n",
	    percentile_ms(0.5));
	printf(
	    "latency to the viewer's model p99\t%.1f\tms\tgoal\t%.0f\t%.2f\n",
	    percentile_ms(0.99), GOAL_MS, percentile_ms(0.99) / GOAL_MS);
	printf("latency to the viewer's model max\t%.1f\tms\t\t\t\n",
	    percentile_ms(1));
	printf("latency: events seen\t%llu\tevents\t\t\t\n",
	    (unsigned long long)seen);
	return (0);
}
