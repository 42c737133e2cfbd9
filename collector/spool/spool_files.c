/*
 * The files of a spool: journals that are named after the number of their first
 * batch, so that a directory tells what there is and what is missing.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/ident/journal.h"
#include "log.h"
#include "spool_inside.h"

#define NAME_BYTES 64

void
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

uint64_t
spool_file_next(const struct spool_file *f)
{
	return (f->first + f->count);
}

struct spool_file *
spool_newest(const struct spool *sp)
{
	return (&sp->files[sp->nfiles - 1]);
}

int
spool_file_count(struct spool_file *f, size_t bytes)
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
	    batch.number != spool_file_next(f))
		return (1);
	return (spool_file_count(f, fr->frame_bytes));
}

int
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

void
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
int
spool_scan(struct spool *sp)
{
	struct found found = { 0 };
	int rc = -1;

	if (sp->env->ops->list(sp->env, sp->dir, found_cb, &found) == -1)
		goto out;
	if (found.n > 0)
		qsort(found.first, found.n, sizeof(*found.first), compare_u64);
	for (size_t i = 0; i < found.n; i++) {
		if (i > 0 &&
		    found.first[i] != spool_file_next(spool_newest(sp)))
			log_warnx("%s: batches %" PRIu64 " to %" PRIu64
				  " are damaged or missing",
			    sp->dir, spool_file_next(spool_newest(sp)),
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
