/*
 * Numbers are written straight into the buffer: with printf they were nine
 * tenths of an export.
 */
#include "tools/export/out.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "event.h"
#include "plain.h"

int
out_open(struct out *o, int fd)
{
	*o = (struct out){ .fd = fd, .p = malloc(OUT_BYTES) };
	return (o->p == NULL ? -1 : 0);
}

void
out_close(struct out *o)
{
	free(o->p);
	o->p = NULL;
}

static void
put(struct out *o, const uint8_t *p, size_t n)
{
	ssize_t done;

	while (n > 0 && o->error == 0) {
		done = write(o->fd, p, n);
		if (done == -1 && errno == EINTR)
			continue;
		if (done == -1) {
			o->error = errno;
			break;
		}
		p += done;
		n -= (size_t)done;
	}
}

int
out_flush(struct out *o)
{
	put(o, o->p, o->n);
	o->n = 0;
	errno = o->error;
	return (o->error == 0 ? 0 : -1);
}

void
out_bytes(struct out *o, const void *p, size_t n)
{
	if (OUT_BYTES - o->n < n)
		(void)out_flush(o);
	if (n > OUT_BYTES) {
		put(o, p, n);
		return;
	}
	memcpy(o->p + o->n, p, n);
	o->n += n;
}

/* The digits of v, which end at `end`; at least so many.  Their beginning. */
static uint8_t *
digits(uint8_t *end, uint64_t v, unsigned least)
{
	uint8_t *at = end;

	for (; v >= 100; v /= 100) { /* one division for two of them */
		*--at = (uint8_t)('0' + v % 10);
		*--at = (uint8_t)('0' + v / 10 % 10);
		least -= least > 1 ? 2 : least;
	}
	for (; v > 0 || least > 0; v /= 10) {
		*--at = (uint8_t)('0' + v % 10);
		least -= least > 0;
	}
	return (at);
}

static void
put_digits(struct out *o, uint64_t v, unsigned least)
{
	uint8_t text[32], *end = text + sizeof(text);
	uint8_t *at = digits(end, v, least);

	memcpy(out_room(o, sizeof(text)), at, (size_t)(end - at));
	o->n += (size_t)(end - at);
}

void
out_u64(struct out *o, uint64_t v)
{
	put_digits(o, v, 1);
}

void
out_i64(struct out *o, int64_t v)
{
	if (v < 0)
		out_char(o, '-');
	put_digits(o, v < 0 ? -(uint64_t)v : (uint64_t)v, 1);
}

void
out_hex(struct out *o, uint64_t v)
{
	uint8_t *to = out_room(o, 20);
	unsigned n = 1;

	while (n < 16 && v >> (4 * n) != 0)
		n++;
	to[0] = '0';
	to[1] = 'x';
	for (unsigned i = 0; i < n; i++)
		to[2 + i] =
		    (uint8_t) "0123456789abcdef"[v >> (4 * (n - 1 - i)) & 15];
	o->n += 2 + n;
}

void
out_ns(struct out *o, int64_t ns, unsigned places)
{
	uint64_t v = ns < 0 ? -(uint64_t)ns : (uint64_t)ns, unit = 1;

	for (unsigned i = 0; i < places; i++)
		unit *= 10;
	if (ns < 0)
		out_char(o, '-');
	put_digits(o, v / unit, 1);
	out_char(o, '.');
	put_digits(o, v % unit, places);
}

void
out_real(struct out *o, uint64_t bits, const char *otherwise)
{
	char text[32];
	double v = event_real(bits);

	if (isfinite(v))
		snprintf(text, sizeof(text), "%.17g", v);
	out_str(o, isfinite(v) ? text : otherwise);
}

/* So many bytes at s need no escape. */
static size_t
simple(const char *s)
{
	size_t n = 0;

	while (s[n] >= ' ' && s[n] < 127 && s[n] != '"' && s[n] != '\\')
		n++;
	return (n);
}

/* The text as it may be shown; NULL: no memory.  To be freed. */
static char *
shown(struct out *o, const char *s)
{
	size_t n = strlen(s);
	char *text = malloc(PLAIN_BYTES(n));

	if (text == NULL)
		o->error = ENOMEM;
	else
		plain(text, PLAIN_BYTES(n), s, n);
	return (text);
}

/* In quotes; each of the characters in `these` after an escape. */
static void
quoted(struct out *o, const char *s, const char *these, char escape)
{
	char *text, *at;

	if ((text = shown(o, s)) == NULL)
		return;
	out_char(o, '"');
	for (at = text; *at != '\0'; at++) {
		if (strchr(these, *at) != NULL)
			out_char(o, escape);
		out_char(o, *at);
	}
	out_char(o, '"');
	free(text);
}

static void
text_put(struct out *o, const char *s, const char *these, char escape)
{
	size_t n = simple(s);

	if (s[n] != '\0') {
		quoted(o, s, these, escape);
		return;
	}
	out_char(o, '"');
	out_bytes(o, s, n);
	out_char(o, '"');
}

void
out_json(struct out *o, const char *s)
{
	text_put(o, s, "\"\\", '\\');
}

void
out_csv(struct out *o, const char *s)
{
	text_put(o, s, "\"", '"');
}
