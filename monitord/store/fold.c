/*
 * The finished log, wholly ordered.
 *
 * While a run lasts, late events go to blocks of their own and blocks are
 * closed early to be seen soon.  At the end the blocks are merged once more
 * (fold_merge.c), what was let go without its cause is put behind it (mend.c),
 * and out come full blocks behind all definitions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fold_inside.h"
#include "log/block.h"

#define ZSTD_LEVEL 3 /* once, for good */
#define OUT_BYTES  ((size_t)4 << 20)

static int
flush_out(struct fold *fo)
{
	ssize_t n;

	n = fo->st->env->ops->write_at(fo->file, fo->out.p, fo->out.n,
	    fo->bytes);
	if (n != (ssize_t)fo->out.n) {
		if (n >= 0)
			errno = ENOSPC;
		return (-1);
	}
	fo->bytes += fo->out.n;
	fo->out.n = 0;
	return (0);
}

/* A frame has been appended from `at` on: index it. */
static int
appended(struct fold *fo, size_t at)
{
	struct tracefile_entry *e;
	struct msg_block b;
	struct frame f;

	if (frame_parse(fo->out.p + at, fo->out.n - at, &f) != FRAME_OK) {
		errno = EINVAL;
		return (-1);
	}
	if (fo->nentries == fo->cap) {
		fo->cap = fo->cap == 0 ? 256 : fo->cap * 2;
		e = realloc(fo->entries, fo->cap * sizeof(*e));
		if (e == NULL)
			return (-1);
		fo->entries = e;
	}
	e = &fo->entries[fo->nentries++];
	*e = (struct tracefile_entry){
		.offset = fo->bytes + at,
		.frame_bytes = (uint32_t)f.frame_bytes,
		.type = (uint8_t)f.type,
	};
	if (f.type == MSG_block &&
	    msg_decode(f.type, f.body, f.body_bytes, &b) == 0) {
		e->events = b.events;
		e->first_mon_ns = b.first_mon_ns;
		e->last_mon_ns = b.last_mon_ns;
		fo->events += b.events;
	}
	return (fo->out.n > OUT_BYTES ? flush_out(fo) : 0);
}

/* Which node it is on says how far an effect has to be behind its cause. */
static int
mend_thread(struct mend *mend, const struct frame *f)
{
	struct msg_thread t;

	if (mend == NULL || f->type != MSG_thread)
		return (0);
	if (msg_decode(f->type, f->body, f->body_bytes, &t) == -1) {
		errno = EIO;
		return (-1);
	}
	return (mend_location(mend, t.location, t.node));
}

/* Everything but the blocks, as it is. */
static int
copy_definitions(struct fold *fo)
{
	struct store *st = fo->st;
	struct frame f;
	size_t at;

	if (frame_append(&fo->out, MSG_run, &st->run) == -1)
		return (-1);
	for (size_t i = 0; i < st->entries.n; i++) {
		if (st->entries.entry[i].type == MSG_block)
			continue;
		if (store_frame_at(st, st->entries.entry[i].offset, &fo->in,
			&f) != 1) {
			errno = EIO;
			return (-1);
		}
		at = fo->out.n;
		if (mend_thread(fo->mend, &f) == -1 ||
		    buf_add(&fo->out, fo->in.p, f.frame_bytes) == -1 ||
		    appended(fo, at) == -1)
			return (-1);
	}
	return (0);
}

static int
put_block(struct fold *fo)
{
	size_t at = fo->out.n;

	if (block_events(fo->writer) == 0)
		return (0);
	if (block_finish(fo->writer, 0, ZSTD_LEVEL, &fo->out) == -1)
		return (-1);
	return (appended(fo, at));
}

static int
put_event(struct fold *fo, const struct event *e)
{
	if (block_add(fo->writer, e) == 0)
		return (0);
	if (put_block(fo) == -1)
		return (-1);
	return (block_add(fo->writer, e));
}

static void
put_mended(void *arg, const struct event *e, size_t n)
{
	struct fold *fo = arg;

	for (size_t i = 0; i < n && fo->failed == 0; i++)
		if (put_event(fo, &e[i]) == -1)
			fo->failed = errno;
}

int
fold_event(struct fold *fo, const struct event *e)
{
	if (fo->mend == NULL)
		return (put_event(fo, e));
	if (mend_event(fo->mend, e) == -1)
		return (-1);
	errno = fo->failed;
	return (fo->failed == 0 ? 0 : -1);
}

/* What is left, and what has become of those that were let go. */
static int
end_mending(struct fold *fo, struct msg_receipt *receipt)
{
	struct mend_stats s;

	if (fo->mend == NULL)
		return (0);
	if (mend_end(fo->mend) == -1)
		return (-1);
	errno = fo->failed;
	mend_stats(fo->mend, &s);
	receipt->orphans = s.orphans;
	receipt->mended = s.mended;
	return (fo->failed == 0 ? 0 : -1);
}

static int
write_folded(struct fold *fo, struct msg_receipt *receipt)
{
	if (fo->mend != NULL)
		mend_begin(fo->mend, put_mended, fo);
	if (copy_definitions(fo) == -1 || fold_merge(fo) == -1 ||
	    end_mending(fo, receipt) == -1 || put_block(fo) == -1 ||
	    flush_out(fo) == -1)
		return (-1);
	if (fo->events != fo->st->events) {
		errno = EIO; /* never replace a log by less */
		return (-1);
	}
	if (tracefile_tail(fo->entries, fo->nentries, fo->bytes, fo->events,
		receipt, &fo->out) == -1 ||
	    flush_out(fo) == -1)
		return (-1);
	return (fo->st->env->ops->sync(fo->file));
}

static void
fold_free(struct fold *fo)
{
	block_writer_free(fo->writer);
	buf_free(&fo->in);
	buf_free(&fo->scratch);
	buf_free(&fo->out);
	free(fo->entries);
	free(fo);
}

struct env_file *
store_fold(struct store *st, const char *path, struct mend *mend,
    struct msg_receipt *receipt)
{
	const struct env_ops *ops = st->env->ops;
	struct fold *fo = calloc(1, sizeof(*fo));
	struct msg_receipt folded = *receipt;
	struct env_file *file;
	int saved;

	if (fo == NULL)
		return (NULL);
	fo->st = st;
	fo->mend = mend;
	fo->writer = block_writer_new();
	file = fo->file =
	    ops->open(st->env, path, ENV_WRITE | ENV_CREATE | ENV_EXCLUSIVE);
	if (fo->writer != NULL && file != NULL &&
	    write_folded(fo, &folded) == 0) {
		*receipt = folded;
	} else if (file != NULL) {
		saved = errno;
		ops->file_close(file);
		ops->unlink(st->env, path);
		errno = saved;
		file = NULL;
	}
	saved = errno;
	fold_free(fo);
	errno = saved;
	return (file);
}
