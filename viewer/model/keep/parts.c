/*
 * See parts.h.  Two threads take part after part; one that there is no
 * processor for finds nothing left.
 */
#include "model/keep/parts.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "crc.h"

#define LEAST_BYTES ((size_t)1 << 20) /* of a part */
#define ALONE_BYTES ((size_t)4 << 20) /* no second thread for less */

struct work {
	int fd; /* -1: to be checked */
	size_t offset, bytes, part_bytes;
	const char *base;
	struct parts *parts;
	pthread_mutex_t writing; /* else the kernel has one of them spin */
	_Atomic uint32_t next;
	_Atomic int error; /* errno, or EBADMSG: a checksum */
};

static size_t
part_size(size_t bytes)
{
	size_t n = (bytes + PARTS_MAX - 1) / PARTS_MAX;

	return ((n + LEAST_BYTES - 1) / LEAST_BYTES * LEAST_BYTES);
}

static int
write_all(int fd, const void *p, size_t n, size_t at)
{
	const char *from = p;
	ssize_t k;

	for (; n > 0; from += k, at += (size_t)k, n -= (size_t)k) {
		k = pwrite(fd, from, n, (off_t)at);
		if (k == 0)
			errno = ENOSPC;
		if (k <= 0)
			return (errno);
	}
	return (0);
}

/* What is summed up is what is written: readers may change what is theirs. */
static int
part_write(struct work *w, uint32_t i, size_t at, size_t n, char *copy)
{
	int e;

	assert(copy != NULL);
	memcpy(copy, w->base + at, n);
	w->parts->crc[i] = crc_add(0, copy, n);
	pthread_mutex_lock(&w->writing);
	e = write_all(w->fd, copy, n, w->offset + at);
	pthread_mutex_unlock(&w->writing);
	return (e);
}

static int
part_check(const struct work *w, uint32_t i, size_t at, size_t n)
{
	const char *p = w->base + at;

	/* only for speed, and an old kernel does not know it */
	if (madvise((void *)(uintptr_t)p, n, MADV_POPULATE_READ) == -1)
		errno = 0;
	return (crc_add(0, p, n) == w->parts->crc[i] ? 0 : EBADMSG);
}

static void *
work_off(void *arg)
{
	struct work *w = arg;
	char *copy = w->fd == -1 ? NULL : malloc(w->part_bytes);
	size_t at, n;
	uint32_t i;
	int e = w->fd != -1 && copy == NULL ? ENOMEM : 0;

	while (e == 0 && atomic_load(&w->error) == 0 &&
	       (i = atomic_fetch_add(&w->next, 1)) < w->parts->n) {
		at = i * w->part_bytes;
		n = w->bytes - at < w->part_bytes ? w->bytes - at
						  : w->part_bytes;
		e = w->fd == -1 ? part_check(w, i, at, n)
				: part_write(w, i, at, n, copy);
	}
	if (e != 0)
		atomic_store(&w->error, e);
	free(copy);
	return (NULL);
}

/* 0, or errno. */
static int
work_by_two(struct work *w)
{
	pthread_t other;
	bool two = w->bytes > ALONE_BYTES &&
		   pthread_create(&other, NULL, work_off, w) == 0;

	work_off(w);
	if (two)
		pthread_join(other, NULL);
	return (atomic_load(&w->error));
}

int
parts_write(int fd, size_t offset, const char *base, size_t bytes,
    struct parts *p)
{
	struct work w = { .fd = fd,
		.offset = offset,
		.bytes = bytes,
		.part_bytes = part_size(bytes),
		.base = base,
		.parts = p,
		.writing = PTHREAD_MUTEX_INITIALIZER };

	memset(p, 0, sizeof(*p));
	p->n = (uint32_t)((bytes + w.part_bytes - 1) / w.part_bytes);
	errno = work_by_two(&w);
	return (errno != 0 ? -1 : 0);
}

bool
parts_good(const char *base, size_t bytes, const struct parts *p)
{
	struct work w = { .fd = -1,
		.bytes = bytes,
		.part_bytes = part_size(bytes),
		.base = base,
		.parts = (struct parts *)(uintptr_t)p };

	return (p->n == (bytes + w.part_bytes - 1) / w.part_bytes &&
		work_by_two(&w) == 0);
}
