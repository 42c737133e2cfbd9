/*
 * Host ranges, by recursion: a text is a literal piece, a bracket, and a rest;
 * each number of the bracket is put behind what was made so far, and the rest
 * is gone through for each.
 */
#include "hostrange.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NAME_BYTES 256
#define DIGITS_MAX 9

struct range {
	const char *text;
	int (*cb)(void *, const char *);
	void *arg;
	char name[NAME_BYTES];
	int count;
	const char *why;
	const char *at;
};

static int
fail(struct range *r, const char *at, const char *why)
{
	r->at = at;
	r->why = why;
	return (-1);
}

/* Digits at *p; their value and number.  0: none or too many. */
static size_t
number(const char **p, long *value)
{
	size_t n = 0;

	for (*value = 0; isdigit((unsigned char)**p) && n <= DIGITS_MAX;
	     (*p)++, n++)
		*value = *value * 10 + (**p - '0');
	return (n > DIGITS_MAX ? 0 : n);
}

static int expand(struct range *, const char *p, size_t made);

/* "3" or "5-7" within a bracket; from has `width` digits. */
static int
item(struct range *r, const char **p, const char *rest, size_t made)
{
	const char *start = *p;
	long from, to;
	size_t width = number(p, &from), w2;
	int n;

	if (width == 0)
		return (fail(r, start,
		    "a number of at most 9 digits was "
		    "expected"));
	to = from;
	if (**p == '-') {
		start = ++*p;
		w2 = number(p, &to);
		if (w2 == 0)
			return (fail(r, start,
			    "a number of at most 9 digits "
			    "was expected"));
		if (to < from)
			return (fail(r, start,
			    "the end of a range lies "
			    "before its beginning"));
	}
	for (long k = from; k <= to; k++) {
		n = snprintf(r->name + made, NAME_BYTES - made, "%0*ld",
		    (int)width, k);
		if (n < 0 || (size_t)n >= NAME_BYTES - made)
			return (fail(r, start, "the name is too long"));
		if (expand(r, rest, made + (size_t)n) == -1)
			return (-1);
	}
	return (0);
}

static int
bracket(struct range *r, const char *p, size_t made)
{
	const char *close = strchr(p, ']'), *open = p++;

	if (close == NULL)
		return (fail(r, open, "this '[' has no ']'"));
	for (;;) {
		if (item(r, &p, close + 1, made) == -1)
			return (-1);
		if (*p == ']')
			return (0);
		if (*p != ',')
			return (fail(r, p, "',', '-' or ']' was expected"));
		p++;
	}
}

static int
expand(struct range *r, const char *p, size_t made)
{
	for (; *p != '\0' && *p != '['; p++) {
		if (*p == ']')
			return (fail(r, p, "this ']' has no '['"));
		if (made + 1 >= NAME_BYTES)
			return (fail(r, p, "the name is too long"));
		r->name[made++] = *p;
	}
	if (*p == '[')
		return (bracket(r, p, made));
	r->name[made] = '\0';
	if (++r->count > HOSTRANGE_MAX)
		return (fail(r, r->text, "more than 4096 names"));
	return (r->cb(r->arg, r->name) != 0 ? -1 : 0);
}

int
hostrange_each(const char *text, int (*cb)(void *arg, const char *name),
    void *arg, const char **why, size_t *at)
{
	struct range r = { .text = text, .cb = cb, .arg = arg, .at = text };

	*why = NULL;
	*at = 0;
	if (expand(&r, text, 0) == 0)
		return (r.count);
	*why = r.why;
	*at = (size_t)(r.at - text);
	return (-1);
}
