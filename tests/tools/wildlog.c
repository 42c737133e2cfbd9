/*
 * wildlog SEED BLOCKS: a log on its standard output that no program would make,
 * so that a reader meets all that the format allows: more kinds in a block than
 * there are slots, more locations than stacks, ends without a begin and begins
 * without an end, values of every length, times before 0, blocks that overlap,
 * late ones, each level of compression.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "frame.h"
#include "log/block.h"
#include "log/tracefile.h"
#include "tests/rnd.h"

#define EVENTS    3000 /* of a block, at most */
#define LOCATIONS 600
#define FAR_NS    ((int64_t)1 << 61)

/* How the events of a block are: small numbers make them alike. */
struct world {
	uint64_t kinds, locations, values, gap_ns;
	uint64_t repeats; /* a kind, so often, as in deep nests */
	unsigned kind;
	uint64_t old[8]; /* words that come again */
	uint64_t seq[LOCATIONS];
	uint64_t events;
};

static unsigned
any_kind(struct world *w)
{
	if (event_desc(w->kind) != NULL && rnd() % w->repeats != 0)
		return (w->kind);
	w->kind = (unsigned)(rnd() % w->kinds);
	while (event_desc(w->kind) == NULL)
		w->kind = (w->kind + 1) % EVENT_KINDS;
	return (w->kind);
}

/* One that was there, its neighbour, a small one, or any. */
static uint64_t
any_word(struct world *w)
{
	uint64_t *old = &w->old[rnd() % 8];

	switch (rnd() % w->values) {
	case 0:
		return (*old);
	case 1:
		return (++*old);
	case 2:
		return (rnd() % 4);
	case 3:
		return (0);
	default:
		return (*old = rnd_any());
	}
}

/* Of many, each in turn, and then a few of which some share a stack. */
static uint32_t
any_location(struct world *w)
{
	if (w->locations <= 512)
		return ((uint32_t)(rnd() % w->locations));
	if (w->events++ < w->locations)
		return ((uint32_t)w->events - 1);
	return ((uint32_t)(rnd() % 3 * 256 + rnd() % 2));
}

static struct event
any_event(struct world *w, int64_t *t_ns)
{
	uint32_t at = any_location(w);
	struct event e = { .location = at + 1,
		.seq = w->seq[at]++,
		.kind = (uint16_t)any_kind(w),
		.a = any_word(w),
		.b = any_word(w),
		.c = (uint32_t)any_word(w) };

	if (rnd() % 3 != 0)
		*t_ns += (int64_t)(rnd() % w->gap_ns);
	e.t_mon_ns = *t_ns;
	e.t_node_ns = *t_ns + (int64_t)(rnd_any() >> 4) - FAR_NS / 4;
	if (rnd() % 8 == 0)
		e.flags = rnd() % 16;
	if (e.flags & EVENT_SHIFTED)
		e.shift_ns = (uint32_t)rnd_any();
	return (e);
}

static void
any_world(struct world *w)
{
	w->kinds = rnd() % 2 == 0 ? EVENT_KINDS : 1 + rnd() % EVENT_KINDS;
	w->locations = rnd() % 4 == 0
			   ? LOCATIONS
			   : 1 + rnd() % (rnd() % 2 == 0 ? 4 : LOCATIONS);
	w->events = 0;
	w->values = 1 + rnd() % 6;
	w->repeats = 1 + rnd() % 2 * (rnd() % 12);
	w->gap_ns = 1 + rnd_any() % (rnd() % 2 == 0 ? 3 : 1000000000);
	for (int i = 0; i < LOCATIONS; i++)
		w->seq[i] = rnd_any() >> 1;
	for (int i = 0; i < 8; i++)
		w->old[i] = rnd_any();
}

static int
any_block(struct block_writer *bw, struct buf *out)
{
	static const int level[] = { 0, 3, BLOCK_LEVEL_FAST };
	struct world w;
	/* mostly near the others, so that they overlap and times are equal */
	int64_t t_ns = rnd() % 8 == 0 ? (int64_t)(rnd_any() >> 4) - FAR_NS / 4
				      : (int64_t)(rnd() % 1000);

	any_world(&w);
	for (uint64_t n = 1 + rnd() % EVENTS; n > 0; n--) {
		struct event e = any_event(&w, &t_ns);

		if (block_add(bw, &e) == -1)
			return (-1);
	}
	return (block_finish(bw, rnd() % 4 == 0, level[rnd() % 3], out));
}

int
main(int argc, char *argv[])
{
	const struct msg_run run = { .version = TRACEFILE_VERSION,
		.name = { "wild", 4 } };
	struct block_writer *bw = block_writer_new();
	struct buf out = { 0 };
	int blocks = argc == 3 ? atoi(argv[2]) : 0, rc;

	if (blocks < 1 || bw == NULL) {
		fprintf(stderr, "usage: wildlog SEED BLOCKS\n");
		return (64);
	}
	rnd_state = strtoull(argv[1], NULL, 10) | 1;
	if (frame_append(&out, MSG_run, &run) == -1)
		return (1);
	while (blocks-- > 0) {
		if (any_block(bw, &out) == -1) {
			perror("wildlog");
			return (1);
		}
	}
	block_writer_free(bw);
	rc = fwrite(out.p, 1, out.n, stdout) == out.n ? 0 : 1;
	buf_free(&out);
	return (rc);
}
