/*
 * The log as a file: begun or continued, asked about, closed.
 *
 * What is appended to it goes through store_append.c, reaches the disk in
 * store_write.c, and is closed for good by store_finish.c.  store_recover()
 * (recover.c) reads what an earlier monitord has left.
 */
#include "store.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "log/block.h"
#include "store_inside.h"

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

/* A log that begins now; its name too has to survive a loss of power. */
static int
store_begin(struct store *st, const struct msg_run *fresh,
    struct store_error *err)
{
	store_keep_run(st, fresh);
	if (frame_append(&st->out, MSG_run, fresh) == -1)
		return (store_fail(err, EX_OSERR, "out of memory"));
	if (!store_sync_out(st))
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
	st->late.generation = 1;
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
	free(st->late.event);
	free(st->late.of);
	free(st->entries.entry);
	free(st->skimmed);
	free(st->path);
	free(st);
}

bool
store_dirty(const struct store *st)
{
	return (st->out.n > 0 || st->late.n > 0 || block_events(st->block) > 0);
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
	return (st->out.n + st->late.n * sizeof(*st->late.event));
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
	return (st->events + block_events(st->block) + st->late.n);
}

uint64_t
store_late(const struct store *st)
{
	return (st->late_events + st->late.n);
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
