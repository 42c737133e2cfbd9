/*
 * The index of the log, and its end.
 *
 * Every frame is noted where it is written or recovered, so that the index is
 * at hand when the run is over.  Then late events are folded into their places
 * and effects that were let go behind their causes (fold.c), where that is
 * needed, and index and receipt follow: what a reader finds first from the end
 * of the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "log/beside.h"
#include "log/block.h"
#include "monitord/order/mend.h"
#include "store_inside.h"

/* Room for one more: what is in the log must be in its index. */
int
store_index_room(struct store *st)
{
	struct tracefile_entry *e;
	size_t cap;

	if (st->entries.n < st->entries.cap)
		return (0);
	cap = st->entries.cap == 0 ? 256 : st->entries.cap * 2;
	e = realloc(st->entries.entry, cap * sizeof(*e));
	if (e == NULL)
		return (-1);
	st->entries.entry = e;
	st->entries.cap = cap;
	return (0);
}

int
store_index(struct store *st, unsigned type, uint64_t offset,
    size_t frame_bytes, const struct msg_block *b)
{
	struct tracefile_entry *e;

	if (type == MSG_run || type == MSG_synced)
		return (0);
	if (store_index_room(st) == -1)
		return (-1);
	e = &st->entries.entry[st->entries.n++];
	*e = (struct tracefile_entry){
		.offset = offset,
		.frame_bytes = (uint32_t)frame_bytes,
		.type = (uint8_t)type,
	};
	if (b != NULL) {
		e->events = b->events;
		e->late = b->late;
		e->first_mon_ns = b->first_mon_ns;
		e->last_mon_ns = b->last_mon_ns;
		st->events += b->events;
		st->blocks++;
		if (b->late) {
			st->late_blocks++;
			st->late_events += b->events;
		} else if (b->last_mon_ns > st->last_mon_ns) {
			st->last_mon_ns = b->last_mon_ns;
		}
	}
	return (0);
}

struct sweep {
	struct store *st;
	const char *dir, *of;
};

static int
sweep_cb(void *arg, const char *name)
{
	struct sweep *s = arg;
	char path[BESIDE_BYTES];

	if (beside_is_of(name, s->of) &&
	    (size_t)snprintf(path, sizeof(path), "%s/%s", s->dir, name) <
		sizeof(path))
		s->st->env->ops->unlink(s->st->env, path);
	return (0);
}

/* What a monitord that was killed while it folded this log has left. */
static void
sweep(struct store *st, const char *dir)
{
	const char *slash = strrchr(st->path, '/');
	struct sweep s = { st, dir, slash != NULL ? slash + 1 : st->path };

	(void)st->env->ops->list(st->env, dir, sweep_cb, &s);
}

/* Late events into their places, effects behind their causes, small blocks
 * together. */
static int
finish_folded(struct store *st, struct mend *mend, struct msg_receipt *receipt)
{
	const struct env_ops *ops = st->env->ops;
	struct env_file *file;
	char tmp[BESIDE_BYTES], dir[4200];

	store_dir_of(st->path, dir, sizeof(dir));
	sweep(st, dir);
	if (beside_name(tmp, st->path, ops->random(st->env)) == -1)
		return (-1);
	file = store_fold(st, tmp, mend, receipt);
	if (file == NULL)
		return (-1);
	if (ops->rename(st->env, tmp, st->path) == -1) {
		ops->file_close(file);
		ops->unlink(st->env, tmp);
		return (-1);
	}
	ops->sync_dir(st->env, dir);
	ops->file_close(file);
	return (0);
}

void
store_tell_closing(struct store *st, store_closing *cb, void *arg)
{
	st->closing = cb;
	st->closing_arg = arg;
}

int
store_finish(struct store *st, struct msg_receipt *receipt,
    struct store_error *err)
{
	bool small =
	    st->blocks > 8 && st->events / st->blocks < BLOCK_EVENTS_MAX / 4;

	struct mend *mend = NULL;
	int folded;

	if (!store_commit(st))
		return (store_fail(err, EX_IOERR, "cannot write the log: %s",
		    st->why));
	/* looked over twice for causes, then written anew */
	st->closed = 0;
	st->to_close = st->events * (receipt->orphans > 0 ? 3 : 1);
	if (receipt->orphans > 0 && store_look(st, &mend) == -1)
		log_warn("%s: effects that were let go stay where they are",
		    st->path);
	if (st->late_blocks > 0 || small || mend != NULL) {
		folded = finish_folded(st, mend, receipt);
		if (folded == -1)
			log_warn("%s: cannot be put in order (it stays "
				 "readable)",
			    st->path);
		mend_free(mend);
		if (folded == 0)
			return (0);
	}
	if (tracefile_tail(st->entries.entry, st->entries.n, st->synced,
		st->events, receipt, &st->out) == -1)
		return (store_fail(err, EX_OSERR, "out of memory"));
	if (store_sync_out(st))
		return (0);
	/* a later attempt must not find half a tail */
	st->env->ops->truncate(st->file, st->synced);
	st->out.n = 0;
	st->written = st->synced;
	return (
	    store_fail(err, EX_IOERR, "cannot finish the log: %s", st->why));
}
