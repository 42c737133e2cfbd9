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
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"
#include "log.h"

#define FILE_BYTES (UINT64_C(16) << 20)
#define NAME_BYTES 64
#define PATH_BYTES 1024

#define STATE_TRIES 16 /* to read it */

struct spool_file {
	uint64_t first;  /* number of its first batch */
	uint32_t count;  /* batches in it */
	uint32_t *bytes; /* length of each */
	uint32_t cap;
	struct journal journal;
	/* place of the batch that was read last */
	uint32_t at;
	uint64_t at_offset;
};

struct spool {
	struct env *env;
	char dir[PATH_BYTES];
	struct env_file *lock;
	uint64_t limit, file_bytes;
	uint64_t first;           /* oldest not acknowledged */
	uint64_t waiting;         /* bytes not acknowledged */
	uint64_t total;           /* bytes in all files */
	struct spool_file *files; /* oldest first, at least one */
	size_t nfiles;
	uint64_t epoch;
	uint64_t acked; /* as the state file has it: at the last clean end */
	uint32_t node;
	struct uuid run;
};

static void
spool_path(const struct spool *sp, char *buf, const char *name)
{
	snprintf(buf, PATH_BYTES, "%.900s/%.100s", sp->dir, name);
}

static void
file_path(const struct spool *sp, char *buf, uint64_t first)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%020" PRIu64 ".spool", first);
	spool_path(sp, buf, name);
}

static uint64_t
file_next(const struct spool_file *f)
{
	return (f->first + f->count);
}

static struct spool_file *
spool_newest(const struct spool *sp)
{
	return (&sp->files[sp->nfiles - 1]);
}

static int
file_count(struct spool_file *f, size_t bytes)
{
	uint32_t *p;

	if (f->count == f->cap) {
		f->cap = f->cap == 0 ? 256 : f->cap * 2;
		p = realloc(f->bytes, f->cap * sizeof(*p));
		if (p == NULL) {
			f->cap = f->count;
			return (-1);
		}
		f->bytes = p;
	}
	f->bytes[f->count++] = (uint32_t)bytes;
	return (0);
}

/* A frame found at start: must be the batch that comes next. */
static int
file_found(void *arg, const struct frame *fr, uint64_t offset)
{
	struct spool_file *f = arg;
	struct msg_batch batch;

	(void)offset;
	if (fr->type != MSG_batch ||
	    msg_decode(MSG_batch, fr->body, fr->body_bytes, &batch) == -1 ||
	    batch.number != file_next(f))
		return (1);
	return (file_count(f, fr->frame_bytes));
}

static int
spool_add_file(struct spool *sp, uint64_t first)
{
	struct spool_file *p, *f;
	char path[PATH_BYTES];
	int saved;

	p = realloc(sp->files, (sp->nfiles + 1) * sizeof(*p));
	if (p == NULL)
		return (-1);
	sp->files = p;
	f = &sp->files[sp->nfiles];
	memset(f, 0, sizeof(*f));
	f->first = first;
	file_path(sp, path, first);
	if (journal_open(&f->journal, sp->env, path, file_found, f) == -1) {
		saved = errno;
		free(f->bytes);
		errno = saved;
		return (-1);
	}
	sp->nfiles++;
	sp->total += f->journal.bytes;
	return (0);
}

static void
spool_drop_oldest(struct spool *sp)
{
	struct spool_file *f = &sp->files[0];
	char path[PATH_BYTES];

	file_path(sp, path, f->first);
	sp->total -= f->journal.bytes;
	journal_close(&f->journal);
	free(f->bytes);
	if (sp->env->ops->unlink(sp->env, path) == -1 && errno != ENOENT)
		log_warn("%s", path);
	sp->nfiles--;
	memmove(sp->files, sp->files + 1, sp->nfiles * sizeof(*sp->files));
}

/* The names found in the directory. */
struct found {
	uint64_t *first;
	size_t n, cap;
};

static int
found_cb(void *arg, const char *name)
{
	struct found *found = arg;
	uint64_t *p, first;
	int end = 0;

	if (sscanf(name, "%20" SCNu64 ".spool%n", &first, &end) != 1 ||
	    end == 0 || name[end] != '\0' || first == 0)
		return (0);
	if (found->n == found->cap) {
		found->cap = found->cap * 2 + 16;
		p = realloc(found->first, found->cap * sizeof(*p));
		if (p == NULL)
			return (-1);
		found->first = p;
	}
	found->first[found->n++] = first;
	return (0);
}

static int
compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x < y ? -1 : x > y);
}

/*
 * Finds the files.  A file that does not follow on from the one before means
 * that batches are missing; they cannot be had any more, so it is said and
 * what is there is kept.
 */
static int
spool_scan(struct spool *sp)
{
	struct found found = { 0 };
	int rc = -1;

	if (sp->env->ops->list(sp->env, sp->dir, found_cb, &found) == -1)
		goto out;
	if (found.n > 0)
		qsort(found.first, found.n, sizeof(*found.first), compare_u64);
	for (size_t i = 0; i < found.n; i++) {
		if (i > 0 && found.first[i] != file_next(spool_newest(sp)))
			log_warnx("%s: batches %" PRIu64 " to %" PRIu64
				  " are damaged or missing",
			    sp->dir, file_next(spool_newest(sp)),
			    found.first[i] - 1);
		if (spool_add_file(sp, found.first[i]) == -1)
			goto out;
	}
	if (sp->nfiles == 0 && spool_add_file(sp, 1) == -1)
		goto out;
	sp->first = sp->files[0].first;
	sp->waiting = sp->total;
	rc = 0;
out:
	free(found.first);
	return (rc);
}

/* Of the text before it, so that no flipped bit makes another run of it. */
static uint64_t
state_check(const char *text, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)text[i]) * 0x100000001b3u;
	return (h);
}

static int
state_write(struct spool *sp)
{
	struct env_file *f;
	char path[PATH_BYTES], from[PATH_BYTES], text[256], hex[33];
	int n, rc = -1;

	for (int i = 0; i < 16; i++)
		snprintf(hex + (ptrdiff_t)2 * i, 3, "%02x", sp->run.b[i]);
	n = snprintf(text, sizeof(text),
	    "epoch %" PRIu64 "\nnode %" PRIu32 "\nrun %s\nacked %" PRIu64 "\n",
	    sp->epoch, sp->node, hex, sp->acked);
	n += snprintf(text + n, sizeof(text) - (size_t)n,
	    "check %016" PRIx64 "\n", state_check(text, (size_t)n));
	spool_path(sp, from, "state.new");
	spool_path(sp, path, "state");
	f = sp->env->ops->open(sp->env, from,
	    ENV_WRITE | ENV_CREATE | ENV_TRUNCATE);
	if (f == NULL)
		return (-1);
	if (sp->env->ops->write_at(f, text, (size_t)n, 0) == n &&
	    sp->env->ops->sync(f) == 0)
		rc = 0;
	sp->env->ops->file_close(f);
	if (rc == 0)
		rc = sp->env->ops->rename(sp->env, from, path);
	if (rc == 0)
		rc = sp->env->ops->sync_dir(sp->env, sp->dir);
	return (rc);
}

/* One try.  1: good, 0: there is none that makes sense, -1: unreadable. */
static int
state_text(struct spool *sp, char *text, size_t size)
{
	struct env_file *f;
	char path[PATH_BYTES], *check;
	ssize_t n;

	spool_path(sp, path, "state");
	f = sp->env->ops->open(sp->env, path, ENV_READ);
	if (f == NULL)
		return (errno == ENOENT ? 0 : -1);
	n = sp->env->ops->read_at(f, text, size - 1, 0);
	sp->env->ops->file_close(f);
	if (n <= 0)
		return (n == 0 ? 0 : -1);
	text[n] = '\0';
	check = strstr(text, "check ");
	return (check != NULL && strtoull(check + 6, NULL, 16) ==
				     state_check(text, (size_t)(check - text)));
}

static int
state_read(struct spool *sp)
{
	char text[256] = "", hex[33];
	unsigned byte;
	int got = 0;

	for (int i = 0; i < STATE_TRIES && got == 0; i++)
		got = state_text(sp, text, sizeof(text));
	if (got == -1)
		return (-1);
	if (got == 0 && text[0] != '\0')
		log_warnx("%s: its state is damaged and is made anew", sp->dir);
	if (got == 0 ||
	    sscanf(text,
		"epoch %" SCNu64 "\nnode %" SCNu32 "\nrun %32s\nacked %" SCNu64,
		&sp->epoch, &sp->node, hex, &sp->acked) < 3)
		return (0);
	for (int i = 0; i < 16; i++) {
		if (sscanf(hex + (ptrdiff_t)2 * i, "%2x", &byte) != 1)
			break;
		sp->run.b[i] = (uint8_t)byte;
	}
	return (0);
}

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
	if (state_read(sp) == -1)
		goto fail;
	sp->epoch++;
	if (spool_scan(sp) == -1 || state_write(sp) == -1)
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
		(void)state_write(sp);
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
	    state_write(sp) == -1)
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
		if (spool_next_file(sp, file_next(f)) == -1)
			return (-1);
		f = spool_newest(sp);
	}
	if (journal_append(&f->journal, frame, n) == -1)
		return (-1);
	if (file_count(f, n) == -1) {
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
			return (number < file_next(&sp->files[i])
				    ? &sp->files[i]
				    : NULL);
	}
	return (NULL);
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
	for (; sp->first <= number; sp->first++) {
		f = spool_find(sp, sp->first);
		if (f != NULL)
			sp->waiting -= f->bytes[sp->first - f->first];
	}
	f = spool_newest(sp);
	if (sp->first == file_next(f) && f->journal.bytes >= sp->file_bytes)
		(void)spool_add_file(sp, file_next(f));
	while (sp->nfiles > 1 && file_next(&sp->files[0]) <= sp->first)
		spool_drop_oldest(sp);
}

uint64_t
spool_next(const struct spool *sp)
{
	return (file_next(spool_newest(sp)));
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
	return (state_write(sp));
}
