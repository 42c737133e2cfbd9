/* See outfile.h. */
#include "ui/out/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK_BYTES 41 /* a PNG's head, and the type of what comes next */

/*
 * As those that we write begin: a PNG of three colours, 8 bits each, whose
 * picture follows at once (others have a word about themselves before it), an
 * SVG without anything before it, a table or a list of spans.
 */
static bool
begins_as_ours(const char *p, size_t n)
{
	static const char svg[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" w",
			  list[] = LIST_HEAD, table[] = TABLE_HEAD;

	if (n == 0)
		return (true); /* nothing is lost */
	if (n < LOOK_BYTES)
		return (false);
	return (memcmp(p, svg, LOOK_BYTES) == 0 ||
		memcmp(p, list, LOOK_BYTES) == 0 ||
		memcmp(p, table, LOOK_BYTES) == 0 ||
		(memcmp(p, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) == 0 &&
		    memcmp(p + 24, "\x08\x02\0\0", 5) == 0 &&
		    memcmp(p + 37, "IDAT", 4) == 0));
}

/* Whether it may go; if not, errno is EEXIST. */
static bool
is_ours(const char *path)
{
	char head[LOOK_BYTES];
	struct stat st;
	ssize_t n = -1;
	int fd;

	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd == -1 && errno == ENOENT)
		return (true);
	if (fd != -1) {
		if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
			n = read(fd, head, sizeof(head));
		close(fd);
	}
	errno = EEXIST;
	return (n >= 0 && begins_as_ours(head, (size_t)n));
}

int
outfile_open(struct outfile *o, const char *path)
{
	int fd;

	o->path = path;
	if (!is_ours(path))
		return (-1);
	fd = beside_open(path, 0666, o->part);
	if (fd == -1)
		return (-1);
	o->f = fdopen(fd, "w");
	if (o->f == NULL) {
		close(fd);
		unlink(o->part);
		return (-1);
	}
	return (0);
}

int
outfile_close(struct outfile *o, int good)
{
	int ret = -1, saved;

	/* what has come meanwhile stays, too */
	if (good && fflush(o->f) == 0 && is_ours(o->path))
		ret = beside_replace(fileno(o->f), o->part, o->path);
	saved = errno;
	if (ret == -1)
		unlink(o->part);
	fclose(o->f);
	errno = saved;
	return (ret);
}

const char *
outfile_trouble(int error)
{
	return (error == EEXIST    ? "there is something else by that name, "
				     "nothing of ours: give another name"
		: error == ENOTSUP ? "only the lanes and the tree are made of "
				     "lines: give a name that ends in .png"
		: error == EINVAL  ? "there is no such view: see viewer --help"
				   : strerror(error));
}
