/*
 * Lines of numbers, at some ten million a second: a block at a time, each
 * character looked at once.
 */
#include "tests/outside/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES (1u << 20)
#define LINE_BYTES  512u /* at most; what is cut is moved to the front */

struct rows {
	int fd;
	bool ended, cut;
	uint64_t line;
	char *at, *end;
	char wrong[80];
	char block[LINE_BYTES + BLOCK_BYTES + 1];
};

struct rows *
rows_new(int fd)
{
	struct rows *rs = calloc(1, sizeof(*rs));

	if (rs == NULL)
		return (NULL);
	rs->fd = fd;
	rs->at = rs->end = rs->block;
	return (rs);
}

void
rows_free(struct rows *rs)
{
	free(rs);
}

/* The rest of a line stays; more comes behind it. */
static void
fill(struct rows *rs)
{
	size_t rest = (size_t)(rs->end - rs->at);
	ssize_t n;

	memmove(rs->block, rs->at, rest);
	n = read(rs->fd, rs->block + rest, BLOCK_BYTES);
	if (n <= 0)
		rs->ended = true;
	rs->at = rs->block;
	rs->end = rs->block + rest + (n > 0 ? (size_t)n : 0);
	*rs->end = '\0';
}

/* The start of the next whole line, its end cut to a NUL; NULL: no more. */
static char *
line(struct rows *rs)
{
	char *start, *nl;

	while (
	    (nl = memchr(rs->at, '\n', (size_t)(rs->end - rs->at))) == NULL) {
		if (rs->ended || rs->end - rs->at >= (ptrdiff_t)LINE_BYTES) {
			if (rs->end > rs->at)
				snprintf(rs->wrong, sizeof(rs->wrong),
				    "line %llu has no end",
				    (unsigned long long)rs->line);
			return (NULL);
		}
		fill(rs);
	}
	start = rs->at;
	*nl = '\0';
	rs->at = nl + 1;
	rs->line++;
	return (start);
}

/* A number and what ends it; false if there is none. */
static bool
number(char **at, char stop, uint64_t *v)
{
	char *p = *at;
	bool minus = *p == '-';
	uint64_t n = 0;

	p += minus;
	if (*p < '0' || *p > '9')
		return (false);
	for (; *p >= '0' && *p <= '9'; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	*v = minus ? 0 - n : n;
	*at = p + 1;
	return (*p == stop);
}

static bool
word(char **at, char *text, size_t bytes)
{
	char *tab = strchr(*at, '\t');
	size_t n = tab == NULL ? 0 : (size_t)(tab - *at);

	if (n == 0 || n >= bytes)
		return (false);
	memcpy(text, *at, n);
	text[n] = '\0';
	*at = tab + 1;
	return (true);
}

bool
rows_next(struct rows *rs, struct row *r)
{
	uint64_t t_mon_ns, t_node_ns;
	char *at = line(rs);

	if (at != NULL && rs->line == 1) {
		if (strncmp(at, "t_mon_ns\t", 9) != 0) {
			snprintf(rs->wrong, sizeof(rs->wrong), "no headline");
			return (false);
		}
		at = line(rs);
	}
	if (at != NULL && strcmp(at, "cut") == 0) {
		rs->cut = true;
		if (line(rs) != NULL)
			snprintf(rs->wrong, sizeof(rs->wrong),
			    "it goes on behind a cut");
		return (false);
	}
	if (at == NULL)
		return (false);
	if (number(&at, '\t', &t_mon_ns) && number(&at, '\t', &t_node_ns) &&
	    number(&at, '\t', &r->location) && number(&at, '\t', &r->seq) &&
	    word(&at, r->kind, sizeof(r->kind)) &&
	    number(&at, '\t', &r->flags) && number(&at, '\t', &r->shift_ns) &&
	    number(&at, '\t', &r->a) && number(&at, '\t', &r->b) &&
	    number(&at, '\0', &r->c)) {
		r->t_mon_ns = (int64_t)t_mon_ns;
		r->t_node_ns = (int64_t)t_node_ns;
		return (true);
	}
	snprintf(rs->wrong, sizeof(rs->wrong), "line %llu makes no sense",
	    (unsigned long long)rs->line);
	return (false);
}

bool
rows_cut(const struct rows *rs)
{
	return (rs->cut);
}

const char *
rows_wrong(const struct rows *rs)
{
	return (rs->wrong[0] != '\0' ? rs->wrong : NULL);
}
