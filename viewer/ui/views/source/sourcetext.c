/*
 * Reads a source file, where it is found.
 *
 * Source files are looked for under their own name, then under the directories
 * that the user has named, without one of the first parts of their name after
 * the other.  Only what is a plain file of text is taken: a log comes from
 * anywhere, and names what it likes.
 */
#include "ui/views/source/sourcetext.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/views/source/sourcecode.h"

#define NOT_HERE "is not here"

void
source_text_clear(struct source_text *t)
{
	free(t->bytes);
	free(t->start);
	free(t->comment);
	memset(t, 0, sizeof(*t));
}

const char *
source_text_line(const struct source_text *t, uint32_t line, size_t *n)
{
	size_t from = t->start[line - 1], end = t->start[line];

	while (end > from &&
	       (t->bytes[end - 1] == '\n' || t->bytes[end - 1] == '\r'))
		end--;
	*n = end - from;
	return (t->bytes + from);
}

/* Where comments go over lines. */
static void
find_comments(struct source_text *t, const char *file)
{
	bool open = false, known = code_known(file);
	enum code_kind kind;
	const char *p;
	size_t n;

	for (uint32_t i = 0; known && i < t->lines; i++) {
		t->comment[i] = open;
		for (p = source_text_line(t, i + 1, &n); n > 0;) {
			size_t k = code_piece(p, n, &open, &kind);

			p += k;
			n -= k;
		}
	}
}

static const char *
take_lines(struct source_text *t, size_t n)
{
	uint32_t lines = n > 0 && t->bytes[n - 1] != '\n';
	const char *p;

	for (size_t i = 0; i < n; i++)
		lines += t->bytes[i] == '\n';
	t->start = calloc((size_t)lines + 1, sizeof(*t->start));
	t->comment = calloc((size_t)lines + 1, sizeof(*t->comment));
	if (t->start == NULL || t->comment == NULL)
		return ("is more than there is memory for");
	t->lines = lines;
	for (uint32_t i = 1; i <= lines; i++) {
		p = memchr(t->bytes + t->start[i - 1], '\n',
		    n - t->start[i - 1]);
		t->start[i] =
		    p == NULL ? (uint32_t)n : (uint32_t)(p + 1 - t->bytes);
	}
	return (NULL);
}

/* All of it, or as much as there is by now. */
static const char *
take_bytes(struct source_text *t, int fd, size_t n)
{
	size_t have = 0;
	ssize_t got;

	t->bytes = malloc(n + 1);
	if (t->bytes == NULL)
		return ("is more than there is memory for");
	while (have < n) {
		got = read(fd, t->bytes + have, n - have);
		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1)
			return ("cannot be read");
		if (got == 0)
			break;
		have += (size_t)got;
	}
	t->bytes[have] = '\0';
	if (memchr(t->bytes, '\0', have) != NULL)
		return ("is no text");
	return (take_lines(t, have));
}

static const char *
take_file(struct source_text *t, int fd)
{
	struct stat st;

	if (fstat(fd, &st) == -1)
		return ("cannot be read");
	if (!S_ISREG(st.st_mode))
		return ("is no plain file");
	if ((uint64_t)st.st_size > SOURCE_BYTES_MAX)
		return ("has more than 32 MB");
	t->changed_real_ns =
	    (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	return (take_bytes(t, fd, (size_t)st.st_size));
}

/* NULL: it was read; at is its whole path then, without links. */
static const char *
take(struct source_text *t, char *at)
{
	const char *why;
	int fd;

	fd = open(at, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd == -1)
		return (errno == ENOENT || errno == ENOTDIR ||
				errno == ENAMETOOLONG || errno == ELOOP
			    ? NOT_HERE
			    : "cannot be read");
	why = take_file(t, fd);
	close(fd);
	if (why != NULL) {
		source_text_clear(t);
	} else {
		char *whole = realpath(at, NULL);

		snprintf(t->path, sizeof(t->path), "%s",
		    whole != NULL ? whole : at);
		find_comments(t, at);
		free(whole);
	}
	return (why);
}

/* Below a directory: file as a whole, then what it ends with. */
static const char *
take_below(struct source_text *t, const char *dir, size_t n, const char *file,
    char *at)
{
	const char *why = NOT_HERE;

	while (*file == '/')
		file++;
	while (*file != '\0' && strcmp(why, NOT_HERE) == 0) {
		if ((size_t)snprintf(at, SOURCE_PATH_BYTES, "%.*s/%s", (int)n,
			dir, file) < SOURCE_PATH_BYTES)
			why = take(t, at);
		if (why == NULL)
			return (NULL);
		file += strcspn(file, "/");
		file += strspn(file, "/");
	}
	return (why);
}

const char *
source_text_find(struct source_text *t, const char *file, const char *dirs,
    char *at)
{
	const char *why;
	size_t n;

	source_text_clear(t);
	if ((size_t)snprintf(at, SOURCE_PATH_BYTES, "%s", file) >=
	    SOURCE_PATH_BYTES)
		return ("has too long a name");
	why = take(t, at);
	for (; why != NULL && strcmp(why, NOT_HERE) == 0 && *dirs != '\0';
	     dirs += n + (dirs[n] == ':')) {
		n = strcspn(dirs, ":");
		if (n > 0)
			why = take_below(t, dirs, n, file, at);
	}
	if (why != NULL && strcmp(why, NOT_HERE) == 0)
		at[0] = '\0';
	return (why);
}
