/*
 * See cache.h.  $XDG_CACHE_HOME/orrery/RUN.view, the run as in its name, sealed
 * with what secret.h says, and beside it RUN.log, a link to the log, so that
 * images of logs that are gone are found.  A log is known by its run, its
 * length and the checksum of its end, where its index and its receipt are: one
 * that was moved or copied still is.
 *
 * They do not lie beside the log: an image holds pointers and serves only who
 * has written it, with the very same program.  Beside logs that are shared or
 * carried about it would be of no use to anybody else, and in the way.
 */
#include "feed/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "crc.h"
#include "feed/secret.h"
#include "log/tracefile.h"
#include "model/image.h"
#include "model/keep/memory.h"

#define TAIL_BYTES  65536
#define CACHE_BYTES ((off_t)4 << 30) /* of all */
#define SUFFIX      ".view"
#define LOG_SUFFIX  ".log"

#define UNFINISHED_S 86400 /* nobody writes that long */
#define ORPHAN_S     86400 /* after its last use: the log may be moved */

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

static int
says(struct cache_trouble *t, int code, const char *why)
{
	t->code = code;
	snprintf(t->why, sizeof(t->why), "%s", why);
	return (-1);
}

/* -1: the log is not finished, or cannot be read. */
static int
key_of(const char *log, struct image_key *key, struct cache_trouble *trouble)
{
	const char *why = NULL;
	struct msg_receipt receipt;
	struct tracefile *t;
	int r = 0;

	errno = 0;
	t = tracefile_open(log, &why);
	if (t == NULL)
		return (says(trouble, errno == EINVAL ? EX_DATAERR : EX_NOINPUT,
		    why != NULL ? why : strerror(errno)));
	memset(key, 0, sizeof(*key));
	if (tracefile_run(t) == NULL || tracefile_receipt(t, &receipt) != 1) {
		r = says(trouble, EX_DATAERR,
		    "is not finished (monitorctl shutdown ends a run)");
	} else {
		memcpy(key->run, tracefile_run(t)->run.b, sizeof(key->run));
		key->log_bytes = tracefile_bytes(t);
		if (!tail_crc(log, key->log_bytes, &key->tail_crc))
			r = says(trouble, EX_NOINPUT, "cannot be read");
	}
	tracefile_close(t);
	return (r);
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

/* The image of a run, or the link to its log. */
static int
cache_path(const struct image_key *key, const char *suffix, char *path,
    size_t n)
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
	snprintf(path + len, n - len, "%s", suffix);
	return (0);
}

/* Where its log was seen last.  Failing is no matter. */
static void
point_to(const struct image_key *key, const char *log)
{
	char to[PATH_MAX], was[PATH_MAX], path[512], new[544];
	ssize_t n;

	if (realpath(log, to) == NULL ||
	    cache_path(key, LOG_SUFFIX, path, sizeof(path)) == -1)
		return;
	n = readlink(path, was, sizeof(was) - 1);
	if (n > 0 && (size_t)n == strlen(to) && memcmp(was, to, (size_t)n) == 0)
		return;
	snprintf(new, sizeof(new), "%s.%ld", path, (long)getpid());
	if (symlink(to, new) == 0 && rename(new, path) == -1)
		unlink(new);
}

/* The key with the secret of the cache; make: if there is none.  -1: errno. */
static int
key_secret(struct image_key *key, bool make)
{
	char dir[512];

	if (cache_dir(dir, sizeof(dir)) == -1)
		return (-1);
	return (secret_of(dir, make, key->secret));
}

struct model *
cache_open(const char *log)
{
	struct cache_trouble trouble;
	struct image_key key;
	struct model *m;
	char path[512];

	if (!memory_region() || key_of(log, &key, &trouble) == -1 ||
	    cache_path(&key, SUFFIX, path, sizeof(path)) == -1 ||
	    key_secret(&key, false) == -1)
		return (NULL);
	m = image_read(path, &key);
	if (m != NULL)
		point_to(&key, log);
	return (m);
}

void
cache_ready(void)
{
	memory_region(); /* else nothing can be kept */
}

int
cache_look(const char *log, struct cache_trouble *trouble)
{
	struct image_key key;
	char path[512];

	if (key_of(log, &key, trouble) == -1)
		return (-1);
	if (cache_path(&key, SUFFIX, path, sizeof(path)) == -1)
		return (says(trouble, EX_CONFIG,
		    "there is no place to keep it: set HOME or "
		    "XDG_CACHE_HOME"));
	return (
	    key_secret(&key, false) == 0 && image_there(path, &key) ? 1 : 0);
}

struct kept {
	char name[80];
	off_t bytes;
	time_t when; /* it was used last */
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

static void
link_name(const char *view, char *name, size_t n)
{
	snprintf(name, n, "%.*s%s", (int)(strlen(view) - sizeof(SUFFIX) + 1),
	    view, LOG_SUFFIX);
}

/* The log is nowhere, and has not been for a while. */
static bool
is_orphan(int dir, const char *view, const struct stat *st)
{
	struct stat log;
	char name[96];

	link_name(view, name, sizeof(name));
	return (st->st_atime + ORPHAN_S < time(NULL) &&
		fstatat(dir, name, &log, AT_SYMLINK_NOFOLLOW) == 0 &&
		fstatat(dir, name, &log, 0) == -1 && errno == ENOENT);
}

static void
throw_away(int dir, const char *name)
{
	char link[96];

	unlinkat(dir, name, 0);
	if (!is_whole(name, strlen(name)))
		return;
	link_name(name, link, sizeof(link));
	unlinkat(dir, link, 0);
}

/* Those go that no log has, were never finished, or were used longest ago. */
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
		if (is_whole(e->d_name, len)
			? is_orphan(dirfd(d), e->d_name, &st)
			: st.st_mtime + UNFINISHED_S < time(NULL)) {
			throw_away(dirfd(d), e->d_name);
			continue;
		}
		memcpy(v[n].name, e->d_name, len + 1);
		v[n].bytes = st.st_size;
		v[n++].when =
		    st.st_atime > st.st_mtime ? st.st_atime : st.st_mtime;
	}
	qsort(v, n, sizeof(v[0]), newest_first);
	for (size_t i = 0; i < n; i++) {
		all += v[i].bytes;
		if (i > 0 && all > CACHE_BYTES)
			throw_away(dirfd(d), v[i].name);
	}
	closedir(d);
}

int
cache_keep(struct model *m, const char *log, struct cache_trouble *trouble)
{
	struct image_key key;
	char path[512], dir[512], *base;

	if (memory_extent(&base) == 0)
		return (says(trouble, EX_OSERR,
		    "its memory lies where it cannot be kept from"));
	if (key_of(log, &key, trouble) == -1)
		return (-1);
	if (cache_dir(dir, sizeof(dir)) == -1 ||
	    cache_path(&key, SUFFIX, path, sizeof(path)) == -1)
		return (says(trouble, EX_CONFIG, "there is no place for it"));
	*strrchr(dir, '/') = '\0';
	mkdir(dir, 0700);
	cache_dir(dir, sizeof(dir));
	mkdir(dir, 0700);
	if (key_secret(&key, true) == -1 || image_write(m, path, &key) == -1) {
		says(trouble, EX_CANTCREAT, "");
		snprintf(trouble->why, sizeof(trouble->why),
		    "cannot be kept as %s: %s", path, strerror(errno));
		return (-1);
	}
	point_to(&key, log);
	cache_tidy(dir);
	return (0);
}
