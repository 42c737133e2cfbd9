/*
 * The spool.
 *
 * Lengths of all batches in the retained files are kept in memory (4 bytes
 * each), so a place is a sum and no index has to be written.  The order of
 * changes is always: append, then forget; create the next file, then remove
 * the one before.
 */
#include "spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/ident/journal.h"
#include "log.h"
#include "spool_inside.h"

#define FILE_BYTES (UINT64_C(16) << 20)

struct spool *
spool_open(struct env *env, const char *dir, uint64_t limit_bytes)
{
	struct spool *sp;
	char path[PATH_BYTES];
	int saved;

	sp = calloc(1, sizeof(*sp));
	if (sp == NULL)
		return (NULL);
	sp->env = env;
	snprintf(sp->dir, sizeof(sp->dir), "%s", dir);
	sp->limit =
	    limit_bytes < SPOOL_LIMIT_MIN ? SPOOL_LIMIT_MIN : limit_bytes;
	/* a file is removed as a whole, so the limit has to hold several */
	sp->file_bytes =
	    sp->limit / 8 < FILE_BYTES ? sp->limit / 8 : FILE_BYTES;
	if (env->ops->mkdir(env, dir) == -1)
		goto fail;
	spool_path(sp, path, "lock");
	sp->lock = env->ops->open(env, path, ENV_WRITE | ENV_CREATE);
	if (sp->lock == NULL || env->ops->lock(sp->lock) == -1)
		goto fail;
	if (spool_state_read(sp) == -1)
		goto fail;
	spool_state_start(sp);
	if (spool_scan(sp) == -1 || spool_state_write(sp) == -1)
		goto fail;
	spool_ack(sp, sp->acked);
	return (sp);

fail:
	saved = errno;
	spool_close(sp);
	errno = saved;
	return (NULL);
}

void
spool_close(struct spool *sp)
{
	if (sp == NULL)
		return;
	/* what was sent need not be sent again; after a crash it is, once */
	if (sp->nfiles > 0 && sp->first > sp->acked + 1) {
		sp->acked = sp->first - 1;
		(void)spool_state_write(sp);
	}
	for (size_t i = 0; i < sp->nfiles; i++) {
		journal_close(&sp->files[i].journal);
		free(sp->files[i].bytes);
	}
	free(sp->files);
	if (sp->lock != NULL)
		sp->env->ops->file_close(sp->lock);
	free(sp);
}

/*
 * The next file; when somebody has removed the directory, in a new one: what
 * was in it is still open here, but a process after this one will miss it.
 */
static int
spool_next_file(struct spool *sp, uint64_t first)
{
	if (spool_add_file(sp, first) == 0)
		return (0);
	if (errno != ENOENT || sp->env->ops->mkdir(sp->env, sp->dir) == -1 ||
	    spool_state_write(sp) == -1)
		return (-1);
	log_warnx("%s has vanished and is made again", sp->dir);
	return (spool_add_file(sp, first));
}

int
spool_append(struct spool *sp, const void *frame, size_t n)
{
	struct spool_file *f = spool_newest(sp);

	if (sp->total + n > sp->limit) {
		errno = ENOSPC;
		return (-1);
	}
	if (f->journal.bytes >= sp->file_bytes && f->count > 0) {
		if (spool_next_file(sp, spool_file_next(f)) == -1)
			return (-1);
		f = spool_newest(sp);
	}
	if (journal_append(&f->journal, frame, n) == -1)
		return (-1);
	if (spool_file_count(f, n) == -1) {
		f->journal.bytes -= n;
		return (-1);
	}
	sp->total += n;
	sp->waiting += n;
	return (0);
}

static struct spool_file *
spool_find(struct spool *sp, uint64_t number)
{
	for (size_t i = sp->nfiles; i-- > 0;) {
		if (number >= sp->files[i].first)
			return (number < spool_file_next(&sp->files[i])
				    ? &sp->files[i]
				    : NULL);
	}
	return (NULL);
}

/*
 * sp->first is in no file: the first number behind it that is, or `most`.
 * What is missing between two files may be any number of batches.
 */
static uint64_t
spool_behind_gap(const struct spool *sp, uint64_t most)
{
	for (size_t i = 0; i < sp->nfiles; i++)
		if (sp->files[i].first > sp->first)
			return (sp->files[i].first < most ? sp->files[i].first
							  : most);
	return (most);
}

int
spool_read(struct spool *sp, uint64_t number, struct buf *out)
{
	struct spool_file *f = spool_find(sp, number);
	struct frame fr;
	uint32_t i, n;

	if (f == NULL) {
		errno = ENOENT;
		return (-1);
	}
	i = (uint32_t)(number - f->first);
	if (i < f->at) {
		f->at = 0;
		f->at_offset = 0;
	}
	while (f->at < i)
		f->at_offset += f->bytes[f->at++];
	n = f->bytes[i];
	out->n = 0;
	if (buf_reserve(out, n) == -1 ||
	    journal_read(&f->journal, out->p, n, f->at_offset) == -1)
		return (-1);
	if (frame_parse(out->p, n, &fr) != FRAME_OK) {
		errno = EIO;
		return (-1);
	}
	out->n = n;
	return (0);
}

/*
 * Also starts a new file when the only one is acknowledged to its end and has
 * grown, so that an idle spool is small.
 */
void
spool_ack(struct spool *sp, uint64_t number)
{
	struct spool_file *f;

	if (number >= spool_next(sp))
		number = spool_next(sp) - 1;
	while (sp->first <= number) {
		f = spool_find(sp, sp->first);
		if (f != NULL)
			sp->waiting -= f->bytes[sp->first++ - f->first];
		else
			sp->first = spool_behind_gap(sp, number + 1);
	}
	f = spool_newest(sp);
	if (sp->first == spool_file_next(f) &&
	    f->journal.bytes >= sp->file_bytes)
		(void)spool_add_file(sp, spool_file_next(f));
	while (sp->nfiles > 1 && spool_file_next(&sp->files[0]) <= sp->first)
		spool_drop_oldest(sp);
}

uint64_t
spool_next(const struct spool *sp)
{
	return (spool_file_next(spool_newest(sp)));
}

uint64_t
spool_first(const struct spool *sp)
{
	return (sp->first);
}

uint64_t
spool_bytes(const struct spool *sp)
{
	return (sp->waiting);
}

uint64_t
spool_limit_bytes(const struct spool *sp)
{
	return (sp->limit);
}

uint64_t
spool_since(const struct spool *sp)
{
	return (sp->since);
}

uint64_t
spool_epoch(const struct spool *sp)
{
	return (sp->epoch);
}

const char *
spool_dir(const struct spool *sp)
{
	return (sp->dir);
}

uint32_t
spool_node(const struct spool *sp)
{
	return (sp->node);
}

struct uuid
spool_run(const struct spool *sp)
{
	return (sp->run);
}

int
spool_remember(struct spool *sp, uint32_t node, const struct uuid *run)
{
	if (sp->node == node && memcmp(&sp->run, run, sizeof(*run)) == 0)
		return (0);
	sp->node = node;
	sp->run = *run;
	return (spool_state_write(sp));
}
