/*
 * zlib hands on what is not packed as it is, so there is one way to read both.
 * What comes out of a packed file and is packed again was packed by mistake,
 * and that is said.
 */
#include "tools/import/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define BUFFER_BYTES (8 * LINE_BYTES_MAX)

struct lines {
	gzFile gz;
	char *p;
	size_t at, n; /* what has not been given out: p + at to p + n */
	uint64_t number, offset, next_offset;
	uint64_t gone; /* bytes before p */
	bool end, bad, cut;
	char *nul, was; /* what the NUL behind the last one has replaced */
};

struct lines *
lines_open(int fd)
{
	struct lines *l = calloc(1, sizeof(*l));

	if (l != NULL)
		l->p = malloc(BUFFER_BYTES + 1);
	if (l == NULL || l->p == NULL || (l->gz = gzdopen(fd, "rb")) == NULL) {
		close(fd);
		if (l != NULL)
			free(l->p);
		free(l);
		errno = ENOMEM;
		return (NULL);
	}
	(void)gzbuffer(l->gz, BUFFER_BYTES / 4);
	return (l);
}

void
lines_close(struct lines *l)
{
	if (l == NULL)
		return;
	(void)gzclose_r(l->gz);
	free(l->p);
	free(l);
}

uint64_t
lines_number(const struct lines *l)
{
	return (l->number);
}

uint64_t
lines_offset(const struct lines *l)
{
	return (l->offset);
}

bool
lines_packed(const struct lines *l)
{
	return (gzdirect(l->gz) == 0);
}

bool
lines_cut(const struct lines *l)
{
	return (l->cut);
}

static void
restore(struct lines *l)
{
	if (l->nul != NULL)
		*l->nul = l->was;
	l->nul = NULL;
}

void
lines_rewind(struct lines *l)
{
	restore(l);
	if (l->gone > 0)
		return;
	l->at = 0;
	l->number = l->offset = l->next_offset = 0;
	l->cut = false;
}

/* More behind what is there.  NULL, or why there is none though not the end. */
static const char *
fill(struct lines *l)
{
	int got, code;

	if (l->at > 0 && l->n == BUFFER_BYTES) {
		memmove(l->p, l->p + l->at, l->n - l->at);
		l->gone += l->at;
		l->n -= l->at;
		l->at = 0;
	}
	got = gzread(l->gz, l->p + l->n, (unsigned)(BUFFER_BYTES - l->n));
	if (got > 0)
		l->n += (size_t)got;
	l->end = got <= 0;
	/* what came before an error is given out first */
	if (got > 0)
		code = Z_OK;
	else
		(void)gzerror(l->gz, &code);
	if (code == Z_BUF_ERROR)
		return ("expected more of what gzip has packed: it is cut");
	if (code == Z_ERRNO)
		return ("cannot be read");
	if (code != Z_OK && code != Z_STREAM_END)
		return ("expected what gzip has packed: it is damaged");
	if (l->gone == 0 && l->n >= 2 && (uint8_t)l->p[0] == 0x1f &&
	    (uint8_t)l->p[1] == 0x8b)
		return (
		    lines_packed(l)
			? "expected lines, but what gzip has packed is packed "
			  "by gzip once more; unpack it once (gunzip)"
			: "expected lines");
	return (NULL);
}

static enum lines_got
bad(struct lines *l, const char **why, const char *what)
{
	l->number++;
	l->offset = l->next_offset;
	l->bad = true;
	*why = what;
	return (LINES_BAD);
}

/* A line that ends at `end`, where its newline is or nothing follows. */
static enum lines_got
give(struct lines *l, size_t end, char **line, size_t *n)
{
	l->number++;
	l->offset = l->next_offset;
	*line = l->p + l->at;
	*n = end - l->at;
	l->cut = end == l->n;
	l->next_offset += *n + !l->cut;
	if (*n > 0 && (*line)[*n - 1] == '\r')
		--*n;
	l->nul = *line + *n;
	l->was = *l->nul;
	*l->nul = '\0';
	l->at = l->cut ? end : end + 1;
	return (LINES_LINE);
}

enum lines_got
lines_next(struct lines *l, char **line, size_t *n, const char **why)
{
	const char *end, *problem;
	size_t seen = 0;

	restore(l);
	if (l->bad)
		return (LINES_END);
	for (;;) {
		end = memchr(l->p + l->at + seen, '\n', l->n - l->at - seen);
		if (end != NULL &&
		    (size_t)(end - l->p) - l->at <= LINE_BYTES_MAX)
			return (give(l, (size_t)(end - l->p), line, n));
		seen = l->n - l->at;
		if (seen > LINE_BYTES_MAX)
			return (bad(l, why,
			    "expected a line of no more than 65,536 bytes"));
		if (l->end)
			return (seen == 0 ? LINES_END : give(l, l->n, line, n));
		if ((problem = fill(l)) != NULL)
			return (bad(l, why, problem));
	}
}
