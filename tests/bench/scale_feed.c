/* Events made up, into a model: as they are, or as blocks of a log. */
#include "tests/bench/scale.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <unistd.h>

#include "log/block.h"

/* Memory that is really there. */
static double
resident_bytes(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (f == NULL || fscanf(f, "%*d %ld", &pages) != 1)
		pages = 0;
	if (f != NULL)
		fclose(f);
	return ((double)pages * (double)sysconf(_SC_PAGESIZE));
}

/* Feeds the model; returns the writer's ns an event. */
double
grow(struct model *m, struct feed_made *f, double events)
{
	struct event *e = malloc(BATCH * sizeof(*e));
	double ms = 0, t;

	if (e == NULL)
		exit(EX_OSERR);
	for (uint64_t n = batches(events); n > 0; n--) {
		feed_fill(f, e, BATCH);
		t = clock_ms(CLOCK_THREAD_CPUTIME_ID);
		model_add_events(m, e, BATCH);
		ms += clock_ms(CLOCK_THREAD_CPUTIME_ID) - t;
	}
	free(e);
	return (ms * 1e6 / (ceil(events / BATCH) * BATCH));
}

struct held
hold(struct feed_made *f, double events)
{
	struct held h = { .m = feed_model_of(option.lanes,
			      f->names > 0 ? f->names : FEED_NAMES) };
	double resident, bytes = (double)model_bytes(h.m);

	malloc_trim(0);
	resident = resident_bytes();
	f->lanes = option.lanes;
	f->now = 1000;
	h.ns = grow(h.m, f, events);
	h.resident = resident_bytes() - resident;
	h.bytes = (double)model_bytes(h.m) - bytes;
	return (h);
}

/* So many events at least, as blocks of the log of BATCH each. */
void
blocks_make(struct feed_made *f, double events, struct buf *out)
{
	struct block_writer *w = block_writer_new();
	struct event *e = malloc(BATCH * sizeof(*e));
	uint64_t *seq = calloc(FEED_LANES + 1, sizeof(*seq));

	if (w == NULL || e == NULL || seq == NULL)
		exit(EX_OSERR);
	for (uint64_t n = batches(events); n > 0; n--) {
		feed_fill(f, e, BATCH);
		for (size_t k = 0; k < BATCH; k++) {
			e[k].seq = seq[e[k].location]++;
			e[k].t_node_ns = e[k].t_mon_ns;
		}
		if (block_take(w, e, BATCH) != BATCH ||
		    block_finish(w, 0, BLOCK_LEVEL_FAST, out) == -1)
			exit(EX_SOFTWARE);
	}
	block_writer_free(w);
	free(e);
	free(seq);
}

/* The block at a place of those; returns the place behind it. */
size_t
block_feed(struct model *m, const struct buf *blocks, size_t at)
{
	struct frame fr;

	if (frame_parse(blocks->p + at, blocks->n - at, &fr) != FRAME_OK ||
	    model_add_frame(m, &fr) == -1)
		exit(EX_SOFTWARE);
	return (at + fr.frame_bytes);
}

/* ns an event, with decoding. */
double
grow_decoded(struct model *m, struct feed_made *f, double events)
{
	struct buf blocks = { 0 };
	double t;

	blocks_make(f, events, &blocks);
	t = clock_ms(CLOCK_THREAD_CPUTIME_ID);
	for (size_t at = 0; at < blocks.n;)
		at = block_feed(m, &blocks, at);
	t = clock_ms(CLOCK_THREAD_CPUTIME_ID) - t;
	buf_free(&blocks);
	return (t * 1e6 / (ceil(events / BATCH) * BATCH));
}
