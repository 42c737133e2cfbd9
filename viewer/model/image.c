/*
 * See image.h.  A file is a page that says what it is, then the region.  The
 * checksums are over all of it, and over the program: pointers are in there.
 * The page is sealed, and with it the checksums: who can read an image could
 * make another one of the same checksums, but may do here what he likes anyway.
 */
#include "model/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crc.h"
#include "model/inside.h"
#include "model/keep/memory.h"
#include "model/keep/parts.h"

#define PAGE  4096u
#define MAGIC UINT64_C(0x4357454956595252) /* RRYVIEWC */

struct image_head {
	uint64_t magic;
	uint64_t bytes;       /* of the region */
	uint64_t model;       /* its address */
	uint64_t seal;        /* of this, with 0 here */
	struct image_key key; /* without the secret */
	uint32_t program_crc; /* of who wrote it */
	struct parts parts;
};
_Static_assert(sizeof(struct image_head) <= PAGE, "the region follows");

static uint64_t
head_seal(const struct image_head *h, const struct image_key *key)
{
	uint8_t page[sizeof(*h)];

	memcpy(page, h, sizeof(*h));
	memset(page + offsetof(struct image_head, seal), 0, sizeof(h->seal));
	return (seal(key->secret, page, sizeof(page)));
}

/* What is written of it. */
static struct image_key
key_told(const struct image_key *key)
{
	struct image_key told = *key;

	memset(told.secret, 0, sizeof(told.secret));
	return (told);
}

/* Of this very program; 0: it cannot be told. */
static uint32_t
program_crc(void)
{
	uint8_t buf[1u << 16];
	uint32_t crc = 0;
	ssize_t n;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (fd == -1)
		return (0);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		crc = crc_add(crc, buf, (size_t)n);
	close(fd);
	return (n == 0 ? crc : 0);
}

/* Nothing is left of it when its writer is killed.  -1: not on that disk. */
static int
open_nameless(const char *path)
{
	const char *slash = strrchr(path, '/');
	char dir[512] = ".";
	size_t n = slash == NULL ? 0 : (size_t)(slash - path);

	if (n >= sizeof(dir))
		return (-1);
	if (n > 0)
		memcpy(dir, path, n);
	return (open(dir, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
}

static int
name_it(int fd, const char *name)
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	unlink(name); /* of one that was killed, with the same number */
	return (linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW));
}

int
image_write(struct model *m, const char *path, const struct image_key *key)
{
	struct image_head h;
	char *base, *new = NULL;
	int fd, saved;
	bool good, nameless;

	memset(&h, 0, sizeof(h)); /* what lies between the fields, too */
	h.magic = MAGIC;
	h.model = (uint64_t)(uintptr_t)m;
	h.key = key_told(key);
	h.program_crc = program_crc();
	h.bytes = memory_extent(&base);
	if (h.bytes == 0 || h.program_crc == 0 || model_count() != 1 ||
	    h.model - (uintptr_t)base >= h.bytes) {
		errno = EINVAL;
		return (-1);
	}
	if (keep_last_leaves(m) == -1)
		return (-1);
	h.bytes = memory_extent(&base);
	if (asprintf(&new, "%s.%ld", path, (long)getpid()) == -1)
		return (-1);
	fd = open_nameless(path);
	nameless = fd != -1;
	if (!nameless) {
		unlink(new); /* as in name_it() */
		fd = open(new,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	}
	good = fd != -1 && parts_write(fd, PAGE, base, h.bytes, &h.parts) == 0;
	h.seal = head_seal(&h, key);
	good = good && pwrite(fd, &h, sizeof(h), 0) == (ssize_t)sizeof(h) &&
	       (!nameless || name_it(fd, new) == 0);
	saved = errno;
	if (fd != -1 && close(fd) == -1 && good) {
		good = false;
		saved = errno;
	}
	if (good && rename(new, path) == -1) {
		good = false;
		saved = errno;
	}
	if (!good)
		unlink(new);
	free(new);
	errno = saved;
	return (good ? 0 : -1);
}

/* It is what was asked for, it is ours alone, and we have made it. */
static bool
head_good(int fd, const struct image_key *key, struct image_head *h)
{
	struct image_key told = key_told(key);
	struct stat st;

	return (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		st.st_uid == geteuid() && (st.st_mode & 022) == 0 &&
		pread(fd, h, sizeof(*h), 0) == (ssize_t)sizeof(*h) &&
		h->magic == MAGIC && h->seal == head_seal(h, key) &&
		memcmp(&h->key, &told, sizeof(told)) == 0 &&
		h->program_crc == program_crc() &&
		(uint64_t)st.st_size == PAGE + h->bytes);
}

/* What was not in the region, or was of that process. */
static void
model_wake(struct model *m)
{
	pthread_mutex_init(&density_of(m)->density_lock, NULL);
	counters_wake(m);
	memset(&held_of(m)->retired, 0, sizeof(held_of(m)->retired));
	held_of(m)->retired.slab = &held_of(m)->slab;
	atomic_fetch_sub(&held_of(m)->bytes, lanes_of(m)->store.bytes);
	memset(&lanes_of(m)->store, 0, sizeof(lanes_of(m)->store));
	memset(&m->scratch, 0, sizeof(m->scratch));
	facts_of(m)->no_leaves = 0;
	defs_of(m)->hand = NULL;
	m->batch = NULL;
	m->batch_cap = 0;
	shape_of(m)->count.front = NULL;
	fetched_of(m)->detail = NULL;
	fetched_of(m)->range_ends = NULL;
	fetched_of(m)->sweep = NULL;
	fetched_of(m)->messages = NULL;
	atomic_store(&fetched_of(m)->detail_bytes, 0);
	forget_leaves(m);
}

bool
image_there(const char *path, const struct image_key *key)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct image_head h;
	bool good = fd != -1 && head_good(fd, key, &h);

	if (fd != -1)
		close(fd);
	return (good);
}

/* For who throws away what was not used for long. */
static void
used_now(int fd)
{
	const struct timespec t[2] = { { 0, UTIME_NOW }, { 0, UTIME_OMIT } };

	if (futimens(fd, t) == -1)
		return; /* then it counts from when it was written */
}

struct model *
image_read(const char *path, const struct image_key *key)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct image_head h;
	struct model *m = NULL;
	char *base;

	if (fd == -1)
		return (NULL);
	memory_extent(&base);
	if (head_good(fd, key, &h) &&
	    h.model - (uintptr_t)base < h.bytes - sizeof(*m) &&
	    memory_map(fd, PAGE, h.bytes)) {
		if (parts_good(base, h.bytes, &h.parts)) {
			m = (struct model *)(uintptr_t)h.model;
			model_wake(m);
			used_now(fd);
		} else {
			memory_unmap();
		}
	}
	close(fd);
	return (m);
}
