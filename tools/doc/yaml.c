/*
 * A line at a time, with a stack of the maps and list items that are open, by
 * their indentation.
 */
#include "yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

#define DEPTH_MAX  16
#define PATH_BYTES 256

struct level {
	int indent;
	size_t path_bytes;
	unsigned items; /* of the list in it */
};

struct parser {
	struct yaml *y;
	char path[PATH_BYTES];
	struct level level[DEPTH_MAX];
	int depth; /* level[depth] is the innermost; level[0] the whole */
};

static unsigned
hex(char c)
{
	return (c >= '0' && c <= '9'   ? (unsigned)(c - '0')
		: c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
				       : 0);
}

/*
 * Reads a scalar that ends before end, or in a flow map before a comma or
 * brace; moves *s behind it.  To be freed; NULL: ENOMEM.
 */
static char *
scalar(const char **s, const char *end, int flow)
{
	char *value = malloc((size_t)(end - *s) + 1), *to = value;
	const char *p = *s;

	if (value == NULL)
		return (NULL);
	if (p < end && *p == '"') {
		for (p++; p < end && *p != '"'; p++)
			if (*p == '\\' && end - p > 3 && p[1] == 'x') {
				*to++ = (char)(hex(p[2]) << 4 | hex(p[3]));
				p += 3;
			} else {
				p += *p == '\\' && end - p > 1;
				*to++ = *p;
			}
		p += p < end;
	} else {
		while (p < end && !(flow && (*p == ',' || *p == '}')))
			*to++ = *p++;
		while (to > value && to[-1] == ' ')
			to--;
	}
	*to = '\0';
	*s = p;
	return (value);
}

/* Adds ".key" to the path; returns the length it had. */
static size_t
path_add(struct parser *ps, const char *key, size_t n)
{
	size_t at = strlen(ps->path);

	snprintf(ps->path + at, PATH_BYTES - at, "%s%.*s", at > 0 ? "." : "",
	    (int)n, key);
	return (at);
}

static int
pair_add(struct parser *ps, char *value, bool quoted)
{
	struct yaml *y = ps->y;
	struct yaml_pair *more;
	char *shown;

	if (value == NULL)
		return (-1);
	shown = malloc(PLAIN_BYTES(strlen(value))); /* it is to be printed */
	if (shown != NULL)
		plain(shown, PLAIN_BYTES(strlen(value)), value, strlen(value));
	free(value);
	if ((value = shown) == NULL)
		return (-1);
	more = realloc(y->pair, (y->n + 1) * sizeof(*more));
	if (more == NULL) {
		free(value);
		return (-1);
	}
	y->pair = more;
	more[y->n].value = value;
	more[y->n].quoted = quoted;
	if ((more[y->n].path = strdup(ps->path)) == NULL) {
		free(value);
		return (-1);
	}
	y->n++;
	return (0);
}

/* "{ key: value, key: value }" */
static int
flow_map(struct parser *ps, const char *p, const char *end)
{
	const char *colon;
	bool quoted;
	size_t at;
	int r = 0;

	for (p++; r == 0; p++) {
		while (p < end && *p == ' ')
			p++;
		colon = memchr(p, ':', (size_t)(end - p));
		if (p == end || *p == '}' || colon == NULL)
			break;
		at = path_add(ps, p, (size_t)(colon - p));
		for (p = colon + 1; p < end && *p == ' ';)
			p++;
		quoted = p < end && *p == '"';
		r = pair_add(ps, scalar(&p, end, 1), quoted);
		ps->path[at] = '\0';
		while (p < end && *p != ',' && *p != '}')
			p++;
		if (p == end || *p == '}')
			break;
	}
	return (r);
}

static void
push(struct parser *ps, int indent)
{
	if (ps->depth + 1 < DEPTH_MAX)
		ps->depth++;
	ps->level[ps->depth] =
	    (struct level){ .indent = indent, .path_bytes = strlen(ps->path) };
}

/* Closes what is not less indented than this. */
static void
pop(struct parser *ps, int indent)
{
	while (ps->depth > 0 && ps->level[ps->depth].indent >= indent)
		ps->depth--;
	ps->path[ps->level[ps->depth].path_bytes] = '\0';
}

static int
line(struct parser *ps, const char *p, const char *end)
{
	const char *start = p, *colon;
	char item[16];
	int indent, r = 0;
	bool quoted;

	while (p < end && *p == ' ')
		p++;
	indent = (int)(p - start);
	if (p == end || *p == '#')
		return (0);
	pop(ps, indent);
	if (end - p > 2 && p[0] == '-' && p[1] == ' ') {
		snprintf(item, sizeof(item), "%u",
		    ps->level[ps->depth].items++);
		path_add(ps, item, strlen(item));
		push(ps, indent);
		for (p++; p < end && *p == ' ';)
			p++;
		indent = (int)(p - start);
	}
	if ((colon = memchr(p, ':', (size_t)(end - p))) == NULL)
		return (0);
	path_add(ps, p, (size_t)(colon - p));
	for (p = colon + 1; p < end && *p == ' ';)
		p++;
	if (p == end) {
		push(ps, indent);
		return (0);
	}
	quoted = *p == '"';
	r = *p == '{' ? flow_map(ps, p, end)
		      : pair_add(ps, scalar(&p, end, 0), quoted);
	ps->path[ps->level[ps->depth].path_bytes] = '\0';
	return (r);
}

int
yaml_parse(struct yaml *y, const char *text, size_t n)
{
	struct parser ps = { .y = y, .level = { { .indent = -1 } } };
	const char *end = n > 0 ? text + n : text, *stop;

	*y = (struct yaml){ 0 };
	for (; text < end; text = stop < end ? stop + 1 : end) {
		stop = memchr(text, '\n', (size_t)(end - text));
		if (stop == NULL)
			stop = end;
		if (line(&ps, text, stop) == -1)
			return (-1);
	}
	return (0);
}

void
yaml_clear(struct yaml *y)
{
	for (size_t i = 0; i < y->n; i++) {
		free(y->pair[i].path);
		free(y->pair[i].value);
	}
	free(y->pair);
	*y = (struct yaml){ 0 };
}

static const char *
find(const struct yaml *y, const char *fmt, va_list ap)
{
	char path[PATH_BYTES];

	vsnprintf(path, sizeof(path), fmt, ap);
	for (size_t i = 0; i < y->n; i++)
		if (strcmp(y->pair[i].path, path) == 0)
			return (y->pair[i].value);
	return ("");
}

const char *
yaml_get(const struct yaml *y, const char *fmt, ...)
{
	const char *value;
	va_list ap;

	va_start(ap, fmt);
	value = find(y, fmt, ap);
	va_end(ap);
	return (value);
}

double
yaml_number(const struct yaml *y, const char *fmt, ...)
{
	const char *value;
	va_list ap;

	va_start(ap, fmt);
	value = find(y, fmt, ap);
	va_end(ap);
	return (strtod(value, NULL));
}
