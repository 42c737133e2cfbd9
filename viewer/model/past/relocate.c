/*
 * A log that was written anew at its end, in full blocks behind all definitions
 * (monitord/fold.c).  Where nothing was late the events are in the order in
 * which they were seen, so that a block, or a checkpoint, is found again by how
 * many events are before it.
 */
#include <errno.h>

#include "model/past/part.h"
#include "model/past/plan.h"
#include "model/run/take.h"

/* Both have the same events, and none is late. */
static bool
same_order(const struct model *m, const struct tracefile_entry *e, size_t n)
{
	uint64_t events = 0;
	bool late = false;

	for (uint32_t i = 0; i < log_of(m)->nblocks; i++)
		late |= block_at(m, i)->late != 0;
	for (size_t i = 0; i < n; i++) {
		if (e[i].type != MSG_block)
			continue;
		events += e[i].events;
		late |= e[i].late != 0;
	}
	return (!late && events == log_of(m)->events);
}

/* How many blocks; -1: ENOMEM. */
static int64_t
blocks_fill(struct model *m, struct chunk *to, const struct tracefile_entry *e,
    size_t n)
{
	int64_t reach = INT64_MIN, blocks = 0;
	uint64_t before = 0;
	struct log_block *b;

	for (size_t i = 0; i < n; i++) {
		if (e[i].type != MSG_block)
			continue;
		b = chunk_make(to, (uint32_t)blocks++, &held_of(m)->bytes);
		if (b == NULL)
			return (-1);
		if (e[i].last_mon_ns > reach)
			reach = e[i].last_mon_ns;
		*b = (struct log_block){ e[i].offset, before, e[i].first_mon_ns,
			reach, e[i].frame_bytes, e[i].events, 0 };
		before += e[i].events;
	}
	return (blocks);
}

/* They are in the order of the log. */
static void
checkpoints_move(struct model *m, const struct chunk *to, uint32_t blocks)
{
	struct log_checkpoint *k;
	const struct log_block *b;
	uint32_t at = 0;
	uint64_t before;

	for (uint32_t i = 0; i < facts_of(m)->ncheckpoints; i++) {
		k = chunk_known(&log_of(m)->checkpoints, i);
		before = block_at(m, k->block)->before + k->skip;
		b = chunk_known(to, at);
		while (at + 1 < blocks && before >= b->before + b->events)
			b = chunk_known(to, ++at);
		k->block = at;
		k->skip = (uint32_t)(before - b->before);
	}
}

int
model_relocate(struct model *m, const struct tracefile_entry *e, size_t n)
{
	struct chunk to;
	int64_t blocks;

	if (log_of(m)->nblocks == 0 || !same_order(m, e, n)) {
		errno = EINVAL;
		return (-1);
	}
	chunk_init(&to, sizeof(struct log_block), 4);
	blocks = blocks_fill(m, &to, e, n);
	if (blocks == -1) {
		chunk_retire(&to, &held_of(m)->retired, &held_of(m)->bytes);
		errno = ENOMEM;
		return (-1);
	}
	checkpoints_move(m, &to, (uint32_t)blocks);
	chunk_retire(&log_of(m)->blocks, &held_of(m)->retired,
	    &held_of(m)->bytes);
	log_of(m)->blocks = to;
	log_of(m)->nblocks = (uint32_t)blocks;
	return (0);
}
