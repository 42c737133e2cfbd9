/*
 * See cache.h.  $XDG_CACHE_HOME/orrery/RUN.view, the run as in its name.  A log
 * is known by its run, its length and the checksum of its end, where its index
 * and its receipt are.
 */
#include "ui/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "crc.h"
#include "model/image.h"
#include "model/memory.h"
#include "tracefile.h"

#define TAIL_BYTES  65536
#define EVENTS_MIN  2000000          /* fewer are read in no time */
#define CACHE_BYTES ((off_t)4 << 30) /* of all */
#define SUFFIX      ".view"

#define UNFINISHED_S 86400 /* nobody writes that long */

static bool
tail_crc(const char *log, uint64_t bytes, uint32_t *crc)
{
	uint8_t tail[TAIL_BYTES];
	size_t n = bytes < TAIL_BYTES ? (size_t)bytes : TAIL_BYTES;
	int fd = open(log, O_RDONLY | O_CLOEXEC);
	bool good =
	    fd != -1 && pread(fd, tail, n, (off_t)(bytes - n)) == (ssize_t)n;

	*crc = crc_add(0, tail, good ? n : 0);
	if (fd != -1)
		close(fd);
	return (good);
}

/* False: the log is not finished, or cannot be read. */
static bool
key_of(const char *log, struct image_key *key)
{
	const char *why;
	struct tracefile *t = tracefile_open(log, &why);
	struct msg_receipt receipt;
	bool good;

	if (t == NULL)
		return (false);
	memset(key, 0, sizeof(*key));
	good = tracefile_run(t) != NULL && tracefile_receipt(t, &receipt) == 1;
	if (good) {
		memcpy(key->run, tracefile_run(t)->run.b, sizeof(key->run));
		key->log_bytes = tracefile_bytes(t);
		good = tail_crc(log, key->log_bytes, &key->tail_crc);
	}
	tracefile_close(t);
	return (good);
}

/* -1: there is no place for caches. */
static int
cache_dir(char *path, size_t n)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int len;

	if (base != NULL && base[0] == '/')
		len = snprintf(path, n, "%s/orrery", base);
	else if (home != NULL && home[0] == '/')
		len = snprintf(path, n, "%s/.cache/orrery", home);
	else
		return (-1);
	return (len < 0 || (size_t)len >= n ? -1 : 0);
}

static int
cache_path(const struct image_key *key, char *path, size_t n)
{
	size_t len;

	if (cache_dir(path, n) == -1)
		return (-1);
	len = strlen(path);
	if (n - len < 2 * sizeof(key->run) + sizeof(SUFFIX) + 1)
		return (-1);
	path[len++] = '/';
	for (size_t i = 0; i < sizeof(key->run); i++, len += 2)
		snprintf(path + len, n - len, "%02x", key->run[i]);
	snprintf(path + len, n - len, SUFFIX);
	return (0);
}

struct model *
cache_open(const char *log)
{
	struct image_key key;
	char path[512];

	if (!memory_region() || !key_of(log, &key) ||
	    cache_path(&key, path, sizeof(path)) == -1)
		return (NULL);
	return (image_read(path, &key));
}

struct kept {
	char name[80];
	off_t bytes;
	time_t when;
};

static int
newest_first(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return (x->when > y->when ? -1 : x->when < y->when);
}

/* Not the other name under which one is being written. */
static bool
is_whole(const char *name, size_t len)
{
	return (len >= sizeof(SUFFIX) &&
		strcmp(name + len - (sizeof(SUFFIX) - 1), SUFFIX) == 0);
}

/* The oldest go, and what was never finished. */
static void
cache_tidy(const char *dir)
{
	struct kept v[256];
	DIR *d = opendir(dir);
	struct dirent *e;
	struct stat st;
	size_t n = 0, len;
	off_t all = 0;

	if (d == NULL)
		return;
	while (n < sizeof(v) / sizeof(v[0]) && (e = readdir(d)) != NULL) {
		len = strlen(e->d_name);
		if (strstr(e->d_name, SUFFIX) == NULL ||
		    len >= sizeof(v[0].name) ||
		    fstatat(dirfd(d), e->d_name, &st, 0) == -1)
			continue;
		if (!is_whole(e->d_name, len) &&
		    st.st_mtime + UNFINISHED_S < time(NULL)) {
			unlinkat(dirfd(d), e->d_name, 0);
			continue;
		}
		memcpy(v[n].name, e->d_name, len + 1);
		v[n].bytes = st.st_size;
		v[n++].when = st.st_mtime;
	}
	qsort(v, n, sizeof(v[0]), newest_first);
	for (size_t i = 0; i < n; i++) {
		all += v[i].bytes;
		if (all > CACHE_BYTES)
			unlinkat(dirfd(d), v[i].name, 0);
	}
	closedir(d);
}

void
cache_keep(struct model *m, const char *log)
{
	struct image_key key;
	char path[512], dir[512], *base;

	if (memory_extent(&base) == 0 || model_events(m) < EVENTS_MIN ||
	    !key_of(log, &key) || cache_dir(dir, sizeof(dir)) == -1 ||
	    cache_path(&key, path, sizeof(path)) == -1)
		return;
	*strrchr(dir, '/') = '\0';
	mkdir(dir, 0700);
	cache_dir(dir, sizeof(dir));
	mkdir(dir, 0700);
	if (image_write(m, path, &key) == 0)
		cache_tidy(dir);
}
