/*
 * Append-only frames in a file.
 *
 * There is no other state than the length: an append that failed half-way is
 * overwritten by the next, and what it has left behind does not parse.
 */
#include "journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "log.h"

#define SCAN_BYTES (1u << 20)
#define SCAN_TRIES 16
#define SCAN_ALIKE 3 /* times in turn, before it is believed */

/*
 * Reads frames from b; returns the bytes of whole ones.  *stop: 1 when the
 * next makes no sense, -1 when each() failed.
 */
static size_t
scan_frames(const struct buf *b, uint64_t offset, size_t *need, int *stop,
    int (*each)(void *, const struct frame *, uint64_t), void *arg)
{
	struct frame f;
	enum frame_status status;
	size_t used = 0;

	*need = 0;
	while (used < b->n) {
		memset(&f, 0, sizeof(f));
		status = frame_parse(b->p + used, b->n - used, &f);
		if (status == FRAME_SHORT) {
			*need = f.frame_bytes;
			break;
		}
		if (status != FRAME_OK)
			*stop = 1;
		else if (each != NULL)
			*stop = each(arg, &f, offset + used);
		if (*stop != 0)
			break;
		used += f.frame_bytes;
	}
	return (used);
}

/*
 * Reads on from *offset to where it makes no sense any more; *left is the
 * checksum of what does not.
 */
static int
journal_scan_from(struct journal *j, uint64_t size, uint64_t *offset,
    uLong *left, int (*each)(void *, const struct frame *, uint64_t), void *arg)
{
	struct buf b = { 0 };
	size_t used, need = 0, want;
	ssize_t n;
	int stop = 0, rv = -1;

	while (stop == 0 && *offset + b.n < size) {
		want = need > SCAN_BYTES ? need : SCAN_BYTES;
		if (want <= b.n)
			want = b.n + SCAN_BYTES;
		if (buf_reserve(&b, want - b.n) == -1)
			goto out;
		n = j->env->ops->read_at(j->file, b.p + b.n, want - b.n,
		    *offset + b.n);
		if (n < 0)
			goto out;
		if (n == 0)
			break;
		b.n += (size_t)n;
		used = scan_frames(&b, *offset, &need, &stop, each, arg);
		memmove(b.p, b.p + used, b.n - used);
		b.n -= used;
		*offset += used;
	}
	*left = crc32(0, b.p, (uInt)b.n);
	rv = stop == -1 ? -1 : 0;
out:
	buf_free(&b);
	return (rv);
}

/*
 * What is cut off is gone: only what reads the same again and again is called
 * damaged, since a disk may err for a moment.
 */
static int
journal_scan(struct journal *j, uint64_t size,
    int (*each)(void *, const struct frame *, uint64_t), void *arg)
{
	uint64_t offset = 0, was = UINT64_MAX;
	uLong left = 0, before = 0;
	int alike = 0;

	for (int i = 0; alike < SCAN_ALIKE && offset < size; i++) {
		if (i == SCAN_TRIES) {
			errno = EIO;
			return (-1);
		}
		if (journal_scan_from(j, size, &offset, &left, each, arg) == -1)
			return (-1);
		alike = offset == was && left == before ? alike + 1 : 1;
		was = offset;
		before = left;
	}
	j->bytes = offset;
	return (0);
}

int
journal_open(struct journal *j, struct env *env, const char *path,
    int (*each)(void *, const struct frame *, uint64_t), void *arg)
{
	int64_t size;
	int saved;

	memset(j, 0, sizeof(*j));
	j->env = env;
	j->file = env->ops->open(env, path, ENV_WRITE | ENV_CREATE);
	if (j->file == NULL)
		return (-1);
	size = env->ops->size(j->file);
	if (size < 0 || journal_scan(j, (uint64_t)size, each, arg) == -1)
		goto fail;
	if ((uint64_t)size > j->bytes) {
		log_info("%s: cut a torn end of %llu bytes", path,
		    (unsigned long long)((uint64_t)size - j->bytes));
		if (env->ops->truncate(j->file, j->bytes) == -1)
			goto fail;
	}
	return (0);

fail:
	saved = errno;
	journal_close(j);
	errno = saved;
	return (-1);
}

void
journal_close(struct journal *j)
{
	if (j->file != NULL)
		j->env->ops->file_close(j->file);
	j->file = NULL;
}

int
journal_append(struct journal *j, const void *p, size_t n)
{
	ssize_t done;

	done = j->env->ops->write_at(j->file, p, n, j->bytes);
	if (done < 0)
		return (-1);
	if ((size_t)done != n) {
		errno = ENOSPC;
		return (-1);
	}
	j->bytes += n;
	return (0);
}

int
journal_read(struct journal *j, void *p, size_t n, uint64_t offset)
{
	ssize_t done = j->env->ops->read_at(j->file, p, n, offset);

	if (done >= 0 && (size_t)done == n)
		return (0);
	if (done >= 0)
		errno = EIO;
	return (-1);
}
