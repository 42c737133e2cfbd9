/*
 * Appending to the log.
 *
 * Two writers stand side by side: a block that grows in time order, and a
 * buffer of late events that is sorted when it is closed.  Frames of closed
 * blocks and of definitions gather in `out` in the order in which they must
 * reach the file.  A commit closes both, writes and syncs; only then may an
 * acknowledgement be sent.
 *
 * A torn file must never have a hole in a thread's sequence, since what is
 * missing below the last number would be taken for stored.  So before an event
 * goes to one writer, the other one is closed if it holds events of the same
 * thread: file order is sequence order.
 */
#include "store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log/block.h"
#include "store_inside.h"

#define OUT_BYTES      ((size_t)1 << 20) /* written when so much has gathered */
#define UNSYNCED_BYTES ((size_t)8 << 20) /* synced before so much is kept */
#define LATE_EVENTS    16384

/*
 * Before the first frame behind a sync: how far that has reached, which spares
 * the next monitord to write again what stands before it.
 */
static int
say_synced(struct store *st)
{
	struct msg_synced m = { .log_bytes = st->synced };

	if (st->out.n > 0)
		return (0);
	return (frame_append(&st->out, MSG_synced, &m));
}

/* A block has been appended to `out` from `at` on: by us, so it is good. */
static int
index_block(struct store *st, size_t at)
{
	size_t n = st->out.n - at;
	struct msg_block m;

	if (msg_decode(MSG_block, st->out.p + at + FRAME_HEAD_BYTES,
		n - FRAME_HEAD_BYTES, &m) == -1)
		return (-1);
	return (store_index(st, MSG_block, st->synced + at, n, &m));
}

static int
close_block(struct store *st, int late)
{
	size_t at;

	if (block_events(st->block) == 0)
		return (0);
	if (say_synced(st) == -1)
		return (-1);
	at = st->out.n;
	if (store_index_room(st) == -1 ||
	    block_finish(st->block, late, BLOCK_LEVEL_FAST, &st->out) == -1)
		return (-1);
	return (index_block(st, at));
}

static int
late_order(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->t_mon_ns != y->t_mon_ns)
		return (x->t_mon_ns < y->t_mon_ns ? -1 : 1);
	if (x->location != y->location)
		return (x->location < y->location ? -1 : 1);
	return (x->seq < y->seq ? -1 : x->seq > y->seq);
}

/*
 * Late events in time order, in as few blocks as their sequences allow.  When
 * memory is short it goes on where it was, before anything else is taken.
 */
static int
close_late(struct store *st)
{
	if (st->late.n == 0)
		return (0);
	if (!st->late.open) {
		if (close_block(st, 0) == -1)
			return (-1);
		qsort(st->late.event, st->late.n, sizeof(*st->late.event),
		    late_order);
		st->late.open = true;
		st->late.done = 0;
	}
	for (; st->late.done < st->late.n; st->late.done++) {
		const struct event *e = &st->late.event[st->late.done];

		if (block_add(st->block, e) == 0)
			continue;
		if (close_block(st, 1) == -1 || block_add(st->block, e) == -1)
			return (-1);
	}
	if (close_block(st, 1) == -1)
		return (-1);
	st->late.n = 0;
	st->late.open = false;
	st->late.generation++;
	return (0);
}

static int
late_add(struct store *st, const struct event *e)
{
	if (st->late.event == NULL) {
		st->late.event = calloc(LATE_EVENTS, sizeof(*st->late.event));
		if (st->late.event == NULL)
			return (-1);
	}
	if (st->late.n == LATE_EVENTS && close_late(st) == -1)
		return (-1);
	st->late.event[st->late.n] = *e;
	st->late.event[st->late.n].flags |= EVENT_LATE;
	st->late.n++;
	return (0);
}

static int
late_of_grow(struct store *st, uint32_t location)
{
	size_t cap = st->late.of_cap == 0 ? 64 : st->late.of_cap;
	uint64_t *p;

	while (cap <= location)
		cap *= 2;
	p = realloc(st->late.of, cap * sizeof(*p));
	if (p == NULL)
		return (-1);
	memset(p + st->late.of_cap, 0, (cap - st->late.of_cap) * sizeof(*p));
	st->late.of = p;
	st->late.of_cap = cap;
	return (0);
}

/* One of this location is waiting in `late`. */
static bool
waits_late(const struct store *st, uint32_t location)
{
	return (st->late.n > 0 && location < st->late.of_cap &&
		st->late.of[location] == st->late.generation);
}

static int
store_late_event(struct store *st, const struct event *e)
{
	if (e->location >= st->late.of_cap &&
	    late_of_grow(st, e->location) == -1)
		return (-1);
	if (block_holds(st->block, e->location) && close_block(st, 0) == -1)
		return (-1);
	if (late_add(st, e) == -1)
		return (-1);
	st->late.of[e->location] = st->late.generation;
	return (0);
}

/* The block is full, or something in it does not go with what comes next. */
static int
next_block(struct store *st)
{
	if (errno == ENOMEM || block_events(st->block) == 0 ||
	    close_block(st, 0) == -1)
		return (-1);
	if (st->out.n - (size_t)(st->written - st->synced) > OUT_BYTES &&
	    !st->failed && store_write_out(st) == -1)
		store_write_failed(st);
	if (st->out.n > UNSYNCED_BYTES && !st->failed)
		store_sync_out(st);
	return (0);
}

int
store_event(struct store *st, const struct event *e)
{
	struct event timely;

	if (st->late.open && close_late(st) == -1)
		return (-1);
	if (e->t_mon_ns < st->last_mon_ns)
		return (store_late_event(st, e) == -1 ? -1 : 1);
	if (e->flags & EVENT_LATE) { /* by the watermark, but behind nothing */
		timely = *e;
		timely.flags &= (uint16_t)~EVENT_LATE;
		e = &timely;
	}
	if (waits_late(st, e->location) && close_late(st) == -1)
		return (-1);
	while (block_add(st->block, e) == -1) {
		if (next_block(st) == -1)
			return (-1);
	}
	st->last_mon_ns = e->t_mon_ns;
	return (0);
}

size_t
store_events_take(struct store *st, const struct event *e, size_t n)
{
	size_t k = 0;

	if (n == 0 || st->late.n > 0 || e[0].t_mon_ns < st->last_mon_ns)
		return (0);
	while (k < n && !(e[k].flags & EVENT_LATE))
		k++;
	k = block_take(st->block, e, k);
	if (k > 0)
		st->last_mon_ns = e[k - 1].t_mon_ns;
	return (k);
}

int
store_frame(struct store *st, enum msg_type type, const void *msg)
{
	size_t at;

	if (store_index_room(st) == -1 || say_synced(st) == -1)
		return (-1);
	at = st->out.n;
	if (frame_append(&st->out, type, msg) == -1)
		return (-1);
	return (store_index(st, type, st->synced + at, st->out.n - at, NULL));
}

bool
store_commit(struct store *st)
{
	if (close_late(st) == -1 || close_block(st, 0) == -1) {
		errno = ENOMEM;
		return (store_write_failed(st));
	}
	if (!store_in_place(st))
		return (false);
	if (st->out.n == 0)
		return (true);
	return (store_sync_out(st));
}
