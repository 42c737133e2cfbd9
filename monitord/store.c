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
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "block.h"
#include "log.h"
#include "store_inside.h"

#define OUT_BYTES      ((size_t)1 << 20) /* written when so much has gathered */
#define UNSYNCED_BYTES ((size_t)8 << 20) /* synced before so much is kept */
#define LATE_EVENTS    16384

int
store_fail(struct store_error *err, int code, const char *fmt, ...)
{
	va_list ap;

	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return (-1);
}

int
store_no_memory(struct store_error *err)
{
	return (store_fail(err, EX_OSERR, "out of memory"));
}

/* Room for one more: what is in the log must be in its index. */
static int
index_room(struct store *st)
{
	struct tracefile_entry *e;
	size_t cap;

	if (st->nentries < st->entries_cap)
		return (0);
	cap = st->entries_cap == 0 ? 256 : st->entries_cap * 2;
	e = realloc(st->entries, cap * sizeof(*e));
	if (e == NULL)
		return (-1);
	st->entries = e;
	st->entries_cap = cap;
	return (0);
}

int
store_index(struct store *st, unsigned type, uint64_t offset,
    size_t frame_bytes, const struct msg_block *b)
{
	struct tracefile_entry *e;

	if (type == MSG_run || type == MSG_synced)
		return (0);
	if (index_room(st) == -1)
		return (-1);
	e = &st->entries[st->nentries++];
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

void
store_keep_run(struct store *st, const struct msg_run *m)
{
	size_t n = m->name.n < 255 ? m->name.n : 255;
	size_t k = m->program.n < 255 ? m->program.n : 255;

	st->run = *m;
	memcpy(st->run_text, m->name.p, n);
	memcpy(st->run_text + 256, m->program.p, k);
	st->run.name = (struct bytes){ st->run_text, n };
	st->run.program = (struct bytes){ st->run_text + 256, k };
}

/* Writes what has not been written.  The buffer is kept until a sync. */
static int
write_out(struct store *st)
{
	size_t done = (size_t)(st->written - st->synced);
	size_t left = st->out.n - done;
	ssize_t n;

	while (left > 0) {
		n = st->env->ops->write_at(st->file, st->out.p + done, left,
		    st->written);
		if (n == 0)
			errno = ENOSPC;
		if (n <= 0)
			return (-1);
		done += (size_t)n;
		left -= (size_t)n;
		st->written += (uint64_t)n;
	}
	return (0);
}

/* Says the first failure, remembers why. */
static bool
write_failed(struct store *st)
{
	snprintf(st->why, sizeof(st->why), "%s: %s", st->path, strerror(errno));
	if (!st->failed)
		log_warnx("cannot write the log: %s; nothing is lost while the "
			  "spools of the collectors have room, make some here",
		    st->why);
	st->failed = true;
	return (false);
}

static bool
sync_out(struct store *st)
{
	if (write_out(st) == -1)
		return (write_failed(st));
	if (st->env->ops->sync(st->file) == -1) {
		st->written = st->synced; /* all of it again */
		return (write_failed(st));
	}
	st->synced = st->written;
	st->out.n = 0;
	if (st->failed)
		log_warnx("%s can be written again", st->path);
	st->failed = false;
	return (true);
}

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
	if (index_room(st) == -1 ||
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
	if (st->nlate == 0)
		return (0);
	if (!st->late_open) {
		if (close_block(st, 0) == -1)
			return (-1);
		qsort(st->late, st->nlate, sizeof(*st->late), late_order);
		st->late_open = true;
		st->late_done = 0;
	}
	for (; st->late_done < st->nlate; st->late_done++) {
		const struct event *e = &st->late[st->late_done];

		if (block_add(st->block, e) == 0)
			continue;
		if (close_block(st, 1) == -1 || block_add(st->block, e) == -1)
			return (-1);
	}
	if (close_block(st, 1) == -1)
		return (-1);
	st->nlate = 0;
	st->late_open = false;
	st->late_generation++;
	return (0);
}

static int
late_add(struct store *st, const struct event *e)
{
	if (st->late == NULL) {
		st->late = calloc(LATE_EVENTS, sizeof(*st->late));
		if (st->late == NULL)
			return (-1);
	}
	if (st->nlate == LATE_EVENTS && close_late(st) == -1)
		return (-1);
	st->late[st->nlate] = *e;
	st->late[st->nlate].flags |= EVENT_LATE;
	st->nlate++;
	return (0);
}

static int
late_of_grow(struct store *st, uint32_t location)
{
	size_t cap = st->late_of_cap == 0 ? 64 : st->late_of_cap;
	uint64_t *p;

	while (cap <= location)
		cap *= 2;
	p = realloc(st->late_of, cap * sizeof(*p));
	if (p == NULL)
		return (-1);
	memset(p + st->late_of_cap, 0, (cap - st->late_of_cap) * sizeof(*p));
	st->late_of = p;
	st->late_of_cap = cap;
	return (0);
}

/* One of this location is waiting in `late`. */
static bool
waits_late(const struct store *st, uint32_t location)
{
	return (st->nlate > 0 && location < st->late_of_cap &&
		st->late_of[location] == st->late_generation);
}

static int
store_late_event(struct store *st, const struct event *e)
{
	if (e->location >= st->late_of_cap &&
	    late_of_grow(st, e->location) == -1)
		return (-1);
	if (block_holds(st->block, e->location) && close_block(st, 0) == -1)
		return (-1);
	if (late_add(st, e) == -1)
		return (-1);
	st->late_of[e->location] = st->late_generation;
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
	    !st->failed && write_out(st) == -1)
		write_failed(st);
	if (st->out.n > UNSYNCED_BYTES && !st->failed)
		sync_out(st);
	return (0);
}

int
store_event(struct store *st, const struct event *e)
{
	struct event timely;

	if (st->late_open && close_late(st) == -1)
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

	if (n == 0 || st->nlate > 0 || e[0].t_mon_ns < st->last_mon_ns)
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

	if (index_room(st) == -1 || say_synced(st) == -1)
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
		return (write_failed(st));
	}
	if (st->out.n == 0)
		return (true);
	return (sync_out(st));
}

/* The directory part of a path; "." when it has none. */
static void
dir_of(const char *path, char *dir, size_t n)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		snprintf(dir, n, ".");
	else
		snprintf(dir, n, "%.*s", (int)(slash - path + 1), path);
}

int
store_sync_dir(struct store *st, struct store_error *err)
{
	char dir[4200];

	dir_of(st->path, dir, sizeof(dir));
	if (st->env->ops->sync_dir(st->env, dir) == -1)
		return (store_fail(err, EX_IOERR, "cannot sync %s: %s", dir,
		    strerror(errno)));
	return (0);
}

/* A log that begins now; its name too has to survive a loss of power. */
static int
store_begin(struct store *st, const struct msg_run *fresh,
    struct store_error *err)
{
	store_keep_run(st, fresh);
	if (frame_append(&st->out, MSG_run, fresh) == -1)
		return (store_fail(err, EX_OSERR, "out of memory"));
	if (!sync_out(st))
		return (store_fail(err, EX_IOERR, "cannot write the log: %s",
		    st->why));
	return (store_sync_dir(st, err));
}

static int
open_file(struct store *st, struct store_error *err)
{
	const struct env_ops *ops = st->env->ops;

	st->file = ops->open(st->env, st->path, ENV_WRITE | ENV_CREATE);
	if (st->file == NULL)
		return (store_fail(err, EX_CANTCREAT,
		    "cannot open the log %s: %s; name another with --log",
		    st->path, strerror(errno)));
	if (ops->lock(st->file) == -1 && errno == EWOULDBLOCK)
		return (store_fail(err, EX_TEMPFAIL,
		    "another monitord is writing %s; stop it with `monitorctl "
		    "shutdown' or name another log with --log",
		    st->path));
	return (0);
}

struct store *
store_open(struct env *env, const char *path, const struct msg_run *fresh,
    store_restore *restore, void *arg, struct store_error *err)
{
	struct store *st;
	int64_t size;

	st = calloc(1, sizeof(*st));
	if (st == NULL) {
		store_fail(err, EX_OSERR, "out of memory");
		return (NULL);
	}
	st->env = env;
	st->last_mon_ns = INT64_MIN;
	st->late_generation = 1;
	st->path = strdup(path);
	st->block = block_writer_new();
	if (st->path == NULL || st->block == NULL) {
		store_fail(err, EX_OSERR, "out of memory");
		goto fail;
	}
	if (open_file(st, err) == -1)
		goto fail;
	size = env->ops->size(st->file);
	if (size > 0 && store_recover(st, restore, arg, err) == -1)
		goto fail;
	if (st->synced == 0) {
		if (store_begin(st, fresh, err) == -1)
			goto fail;
	} else {
		st->continued = true;
	}
	return (st);

fail:
	store_close(st);
	return (NULL);
}

void
store_close(struct store *st)
{
	if (st == NULL)
		return;
	if (st->file != NULL)
		st->env->ops->file_close(st->file);
	block_writer_free(st->block);
	buf_free(&st->out);
	buf_free(&st->window);
	free(st->late);
	free(st->late_of);
	free(st->entries);
	free(st->skimmed);
	free(st->path);
	free(st);
}

bool
store_dirty(const struct store *st)
{
	return (st->out.n > 0 || st->nlate > 0 || block_events(st->block) > 0);
}

bool
store_failed(const struct store *st, const char **why)
{
	if (why != NULL)
		*why = st->why;
	return (st->failed);
}

size_t
store_waiting_bytes(const struct store *st)
{
	return (st->out.n + st->nlate * sizeof(*st->late));
}

uint64_t
store_bytes(const struct store *st)
{
	/* a write may have stopped within a frame */
	return (st->failed ? st->synced : st->written);
}

ssize_t
store_read(struct store *st, void *p, size_t n, uint64_t offset)
{
	return (st->env->ops->read_at(st->file, p, n, offset));
}

uint64_t
store_events(const struct store *st)
{
	return (st->events + block_events(st->block) + st->nlate);
}

uint64_t
store_late(const struct store *st)
{
	return (st->late_events + st->nlate);
}

int64_t
store_last_mon_ns(const struct store *st)
{
	return (st->last_mon_ns);
}

const struct msg_run *
store_run(const struct store *st)
{
	return (&st->run);
}

const char *
store_path(const struct store *st)
{
	return (st->path);
}

bool
store_continued(const struct store *st)
{
	return (st->continued);
}

uint64_t
store_cut_bytes(const struct store *st)
{
	return (st->cut_bytes);
}

int
store_tail(const struct tracefile_entry *entries, size_t n, uint64_t bytes,
    uint64_t events, const struct msg_receipt *receipt, struct buf *out)
{
	struct msg_index m = { .log_bytes = bytes, .events = events };
	struct buf b = { 0 };
	int rv = -1;

	if (tracefile_index_encode(entries, n, &b) == 0) {
		m.entries = (struct bytes){ b.p, b.n };
		if (frame_append(out, MSG_index, &m) == 0 &&
		    frame_append(out, MSG_receipt, receipt) == 0)
			rv = 0;
	}
	buf_free(&b);
	return (rv);
}

/* Late events into their places, small blocks together. */
static int
finish_folded(struct store *st, const struct msg_receipt *receipt)
{
	const struct env_ops *ops = st->env->ops;
	struct env_file *file;
	char tmp[4200], dir[4200];

	snprintf(tmp, sizeof(tmp), "%s.folding", st->path);
	dir_of(st->path, dir, sizeof(dir));
	file = store_fold(st, tmp, receipt);
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

int
store_finish(struct store *st, const struct msg_receipt *receipt,
    struct store_error *err)
{
	bool small =
	    st->blocks > 8 && st->events / st->blocks < BLOCK_EVENTS_MAX / 4;

	if (!store_commit(st))
		return (store_fail(err, EX_IOERR, "cannot write the log: %s",
		    st->why));
	if (st->late_blocks > 0 || small) {
		if (finish_folded(st, receipt) == 0)
			return (0);
		log_warn("%s: cannot be put in order (it stays readable)",
		    st->path);
	}
	if (store_tail(st->entries, st->nentries, st->synced, st->events,
		receipt, &st->out) == -1)
		return (store_fail(err, EX_OSERR, "out of memory"));
	if (sync_out(st))
		return (0);
	/* a later attempt must not find half a tail */
	st->env->ops->truncate(st->file, st->synced);
	st->out.n = 0;
	st->written = st->synced;
	return (
	    store_fail(err, EX_IOERR, "cannot finish the log: %s", st->why));
}
