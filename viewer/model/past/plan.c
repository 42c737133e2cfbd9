/*
 * See plan.h.  Blocks are remembered in the order of the log, which is that of
 * time but for late ones; checkpoints so far apart that they weigh little
 * beside what is left of the events between them.
 */
#include "model/past/plan.h"

#include "log/block.h"
#include "model/keep/memory.h"
#include "model/past/checkpoint.h"
#include "model/past/part.h"
#include "model/run/take.h"

#define APART_LANES  64                     /* events a lane, checkpoints */
#define APART_DEEP   8                      /* of those that are seldom used */
#define APART_PART   4                      /* of what may be fetched */
#define LATER_EVENTS (2 * BLOCK_EVENTS_MAX) /* read for effects alone */
#define DETAIL_PART  8                      /* of the memory allowed */
#define DETAIL_MOST  (UINT64_C(1) << 24)    /* events: some seconds */

uint64_t detail_apart_events = UINT64_C(1) << 16;

uint64_t
detail_most(const struct model *m)
{
	uint64_t b = model_memory(m) / DETAIL_PART;
	uint64_t n =
	    b > DETAIL_BASE_B ? (b - DETAIL_BASE_B) / DETAIL_EVENT_B : 0;

	return (n < DETAIL_MOST ? n : DETAIL_MOST);
}

/* A part of what may be fetched, but no more often than lanes can bear. */
uint64_t
detail_apart(const struct model *m)
{
	uint64_t part = detail_most(m) / APART_PART;
	uint64_t deep = lanes_of(m)->ndeep;
	uint64_t least =
	    (model_lanes(m) - deep) * APART_LANES + deep * APART_DEEP;

	part = part < detail_apart_events ? part : detail_apart_events;
	return (part > least ? part : least);
}

/* Before the block that is about to be read. */
static int
checkpoint_add(struct model *m)
{
	struct log_checkpoint *k;
	uint64_t bytes;

	if (model_memory(m) == 0 ||
	    log_of(m)->events - log_of(m)->kept < detail_apart(m))
		return (0);
	k = chunk_make(&log_of(m)->checkpoints, facts_of(m)->ncheckpoints,
	    &held_of(m)->bytes);
	if (k == NULL || (k->c = checkpoint_take(m, &bytes)) == NULL)
		return (-1);
	k->odd = talklog_of(m)->nodd;
	k->block = log_of(m)->nblocks;
	k->last_ns = model_last_ns(m);
	log_of(m)->kept = log_of(m)->events;
	facts_of(m)->ncheckpoints++;
	atomic_fetch_add_explicit(&held_of(m)->bytes, bytes,
	    memory_order_relaxed);
	return (talk_keep(m));
}

int
plan_note_block(struct model *m, const struct msg_block *d, size_t frame_bytes,
    uint64_t offset)
{
	struct log_block *b;

	if (!d->late && checkpoint_add(m) == -1)
		return (-1);
	b = chunk_make(&log_of(m)->blocks, log_of(m)->nblocks,
	    &held_of(m)->bytes);
	if (b == NULL)
		return (-1);
	if (!d->late && d->last_mon_ns > log_of(m)->reach_ns)
		log_of(m)->reach_ns = d->last_mon_ns;
	*b = (struct log_block){ offset, log_of(m)->events, d->first_mon_ns,
		log_of(m)->reach_ns, (uint32_t)frame_bytes, d->events,
		d->late };
	log_of(m)->nblocks++;
	log_of(m)->events += d->events;
	return (0);
}

/* The block with which all before t has come, but for what is late. */
static uint32_t
block_until(const struct model *m, int64_t t)
{
	uint32_t lo = 0, hi = log_of(m)->nblocks - 1, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (block_at(m, mid)->reach_ns < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo);
}

/* The last checkpoint that lies before t, as number + 1; 0: none does. */
static uint32_t
checkpoint_before(const struct model *m, int64_t t)
{
	const struct log_checkpoint *k;
	uint32_t lo = 0, hi = facts_of(m)->ncheckpoints, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		k = chunk_known(&log_of(m)->checkpoints, mid);
		if (k->last_ns < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo);
}

/*
 * A thread's next event may tell that what it was in at t is not known: the
 * latest of those.
 */
static int64_t
losses_until(const struct model *m, int64_t t)
{
	const struct loss *k;
	int64_t end = t;

	for (uint32_t i = 0;
	     (i = interval_find(&marks_of(m)->losses, i, t - 1, t + 1)) <
	     interval_count(&marks_of(m)->losses);
	     i++) {
		k = interval_at(&marks_of(m)->losses, i);
		if (k->t0_ns < t && k->t1_ns >= end)
			end = k->t1_ns + 1;
	}
	return (end);
}

/* All that is known of [t0, t1) once it has been read; *last: with block. */
static bool
plan_blocks(const struct model *m, int64_t t0, int64_t t1, uint32_t grain,
    uint64_t most, struct detail_plan *out, uint32_t *until)
{
	const struct log_checkpoint *k;
	const struct log_block *last, *from;
	uint32_t first = 0, end;
	int64_t run_end = model_last_ns(m);

	if (log_of(m)->nblocks == 0)
		return (false);
	t1 = t1 < run_end ? t1 : run_end;
	*out = (struct detail_plan){ .checkpoint = checkpoint_before(m, t0) /
						   grain * grain,
		.t0_ns = INT64_MIN };
	if (out->checkpoint > 0) {
		k = chunk_known(&log_of(m)->checkpoints, out->checkpoint - 1);
		first = k->block;
		out->t0_ns = k->last_ns + 1;
	}
	end = block_until(m, t1);
	/* of a run that is over the last instant, too */
	out->t1_ns = end + 1 < log_of(m)->nblocks ? block_at(m, end)->reach_ns
						  : run_end + model_finished(m);
	end = block_until(m, losses_until(m, t1));
	/* late ones that belong there lie behind */
	for (uint32_t i = end; i < log_of(m)->nblocks; i++)
		if (block_at(m, i)->late && block_at(m, i)->first_ns < t1)
			end = i;
	if (end < first)
		end = first;
	from = block_at(m, first);
	last = block_at(m, end);
	out->from = from->offset;
	out->until = out->later = last->offset + last->bytes;
	out->events = last->before + last->events - from->before;
	*until = end;
	return (out->events <= most);
}

bool
detail_plan_at(const struct model *m, int64_t t0, int64_t t1, uint32_t grain,
    uint64_t most, struct detail_plan *out)
{
	uint32_t end;

	return (plan_blocks(m, t0, t1, grain, most, out, &end));
}

int64_t
detail_part_end(const struct model *m, int64_t t, uint64_t events)
{
	uint32_t i = checkpoint_before(m, t);
	const struct log_checkpoint *k;

	i += (uint32_t)(events / (detail_apart(m) + 1));
	if (i >= facts_of(m)->ncheckpoints)
		return (INT64_MAX);
	k = chunk_known(&log_of(m)->checkpoints, i);
	return (k->last_ns + 1);
}

bool
detail_plan(const struct model *m, int64_t t0, int64_t t1, uint64_t most,
    struct detail_plan *out)
{
	const struct log_block *last;
	uint32_t end, n;

	if (t0 >= atomic_load(&facts_of(m)->gone_ns) || t1 <= t0 ||
	    !plan_blocks(m, t0, t1, 1, most, out, &end))
		return (false);
	for (uint64_t on = LATER_EVENTS; ++end < log_of(m)->nblocks; on -= n) {
		last = block_at(m, end);
		n = last->events;
		if (n > on || out->events + n > most)
			break;
		out->later = last->offset + last->bytes;
		out->events += n;
	}
	return (true);
}

void
plan_init(struct model *m)
{
	log_of(m)->reach_ns = INT64_MIN;
	chunk_init(&log_of(m)->blocks, sizeof(struct log_block), 4);
	chunk_init(&log_of(m)->checkpoints, sizeof(struct log_checkpoint), 2);
}

void
plan_clear(struct model *m)
{
	struct log_checkpoint *k;

	for (uint32_t i = 0; i < facts_of(m)->ncheckpoints; i++) {
		k = chunk_known(&log_of(m)->checkpoints, i);
		memory_free(k->c);
	}
	chunk_clear(&log_of(m)->blocks);
	chunk_clear(&log_of(m)->checkpoints);
}
