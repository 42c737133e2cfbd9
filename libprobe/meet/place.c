/*
 * Where is the collector?  The rules are those of common/paths.h, without
 * malloc, since a process may look for its collector at any event, and with
 * buffers that are static, since that may be on the small stack of a handler:
 * the lock is held in all of this.
 *
 * Of a collector that does not answer only the first process needs to find
 * that out by waiting.  It tells the others by the time of last modification
 * of the socket: the beginning of time.  A collector sets that to the present
 * whenever it serves somebody.  A file would need room on the disk, memory
 * somebody who keeps it.
 */
#include "place.h"

#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libprobe/meet/bulk.h"

#define PATH_BYTES sizeof(((struct sockaddr_un *)0)->sun_path)

static char runtime_dir[PATH_BYTES];
static char wanted_node[HAIL_NODE_MAX]; /* "": any */

/* a/b/c into out; c may be NULL.  false: too long. */
static bool
join(char out[PATH_BYTES], const char *a, const char *b, const char *c)
{
	const char *part[] = { a, b, c };
	size_t at = 0;

	for (size_t i = 0; i < 3 && part[i] != NULL; i++) {
		size_t n = strlen(part[i]);

		if (at + n + 2 > PATH_BYTES)
			return (false);
		if (i > 0)
			out[at++] = '/';
		memcpy(out + at, part[i], n);
		at += n;
	}
	out[at] = '\0';
	return (true);
}

static bool
runtime_dir_set(void)
{
	const char *s = getenv("ORRERY_DIR");
	char own[32];

	if (s != NULL && *s != '\0')
		return (join(runtime_dir, s, NULL, NULL));
	s = getenv("XDG_RUNTIME_DIR");
	if (s != NULL && *s != '\0')
		return (join(runtime_dir, s, "orrery", NULL));
	snprintf(own, sizeof(own), "orrery-%u", (unsigned)geteuid());
	return (join(runtime_dir, "/tmp", own, NULL));
}

const char *
place_directory(void)
{
	return (runtime_dir);
}

bool
place_stat(struct stat *st)
{
	/* in /tmp anybody may have made it first */
	return (stat(runtime_dir, st) == 0 && S_ISDIR(st->st_mode) &&
		st->st_uid == geteuid());
}

bool
place_start(void)
{
	const char *node = getenv("ORRERY_NODE");
	struct stat st;

	if (node != NULL) {
		if (strlen(node) >= sizeof(wanted_node) ||
		    strchr(node, '/') != NULL)
			return (false);
		memcpy(wanted_node, node, strlen(node) + 1);
	}
	if (!runtime_dir_set())
		return (false);
	if (place_stat(&st))
		return (true);
	if (mkdir(runtime_dir, 0700) == -1 && errno != EEXIST)
		return (false);
	return (place_stat(&st));
}

/* The smallest name in the runtime directory that is greater than *name. */
static bool
next_name(char name[HAIL_NODE_MAX])
{
	struct dirent64 {
		uint64_t ino;
		int64_t off;
		unsigned short reclen;
		unsigned char type;
		char name[];
	};
	static BULK _Alignas(8) char buf[4096];
	char best[HAIL_NODE_MAX] = "";
	long n;
	int fd = open(runtime_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd == -1)
		return (false);
	while ((n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0) {
		for (long at = 0; at < n;) {
			struct dirent64 *d = (void *)(buf + at);

			at += d->reclen;
			if (d->name[0] == '.' ||
			    strlen(d->name) >= HAIL_NODE_MAX ||
			    strcmp(d->name, name) <= 0)
				continue;
			if (*best == '\0' || strcmp(d->name, best) < 0)
				memcpy(best, d->name, strlen(d->name) + 1);
		}
	}
	close(fd);
	memcpy(name, best, sizeof(best));
	return (*best != '\0');
}

static bool
has_socket(const char *node, struct place *p)
{
	memset(p, 0, sizeof(*p));
	p->address.sun_family = AF_UNIX;
	return (
	    join(p->address.sun_path, runtime_dir, node, "collector.sock") &&
	    stat(p->address.sun_path, &p->socket) == 0 &&
	    S_ISSOCK(p->socket.st_mode));
}

bool
place_next(char node[HAIL_NODE_MAX], bool any, struct place *p)
{
	if (*wanted_node != '\0' && !any) {
		if (*node != '\0')
			return (false);
		memcpy(node, wanted_node, sizeof(wanted_node));
		return (has_socket(node, p));
	}
	while (next_name(node)) {
		if (has_socket(node, p))
			return (true);
	}
	return (false);
}

bool
place_silent(const struct place *p)
{
	return (p->socket.st_mtim.tv_sec == 0);
}

void
place_set_silent(const struct place *p)
{
	const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { 0 } };
	struct stat now;

	/* others had more luck: it is busy, not silent */
	if (stat(p->address.sun_path, &now) == -1 ||
	    now.st_ino != p->socket.st_ino ||
	    now.st_mtim.tv_sec != p->socket.st_mtim.tv_sec ||
	    now.st_mtim.tv_nsec != p->socket.st_mtim.tv_nsec)
		return;
	(void)utimensat(AT_FDCWD, p->address.sun_path, times, 0);
}
