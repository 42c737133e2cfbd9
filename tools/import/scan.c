/*
 * Lines into events, by the table.
 *
 * A line is parted into words once.  A record's number, or its word, finds its
 * descriptions; in a line that begins with a word, words between the numbers
 * are labels and say nothing.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "plain.h"
#include "tools/import/scan_inside.h"

#define NS_PER_S       1000000000
#define COMPLAIN_BYTES 512

__extension__ typedef __int128 int128;

struct shown {
	char text[PLAIN_BYTES(40)];
};

static const char *
shown(struct shown *s, const char *p, size_t n)
{
	(void)plain(s->text, sizeof(s->text), p, n < 40 ? n : 40);
	return (s->text);
}

int
import_refuse(struct import *im, const char *fmt, ...)
{
	char text[COMPLAIN_BYTES];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	im->refused++;
	im->complain(im->arg, text);
	errno = EINVAL;
	return (im->keep ? 0 : -1);
}

/* Of the line that was read last. */
int
scan_refuse(const struct scan *s, const char *fmt, ...)
{
	char text[COMPLAIN_BYTES - 64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return (import_refuse(s->im, "line %" PRIu64 ": %s%s",
	    lines_number(s->lines), text,
	    lines_cut(s->lines) ? "; the file ends here, without a newline"
				: ""));
}

/* --- words of a line --- */

/* "-12.5" as a number; false: it is none, or too long a one. */
static bool
number(struct token *t)
{
	const char *p = t->p, *end = t->p + t->n;
	bool minus = *p == '-';
	int64_t i = 0;
	int32_t nano = 0;

	p += *p == '-' || *p == '+';
	if (p == end || *p < '0' || *p > '9')
		return (false);
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(i, 10, &i) ||
		    __builtin_add_overflow(i, *p - '0', &i))
			return (false);
	if (p < end && *p == '.') {
		int32_t unit = NS_PER_S / 10;

		for (p++; p < end && *p >= '0' && *p <= '9'; p++) {
			nano += unit * (*p - '0');
			unit /= 10;
		}
	}
	t->i = minus ? -i : i;
	t->nano = minus ? -nano : nano;
	return (p == end);
}

static void
part(struct scan *s, const char *line, size_t n)
{
	const char *p = line;

	s->line = line;
	s->end = line + n;
	for (s->n = 0; s->n < TOKENS_MAX;) {
		struct token *t = &s->token[s->n];

		while (p < s->end && s->blank[(uint8_t)*p])
			p++;
		if (p == s->end)
			break;
		t->p = p;
		while (p < s->end && !s->blank[(uint8_t)*p])
			p++;
		t->n = (size_t)(p - t->p);
		t->number = number(t);
		s->n++;
	}
}

/* --- a line --- */

/* Of the head: when it was, and whose it is.  1: it was refused. */
static int
when(struct scan *s)
{
	const struct records *r = s->r;
	struct imported_place *p;
	int128 t = 0;
	int64_t n;

	for (unsigned i = 0; i < r->times; i++) {
		const struct token *v = &s->value[r->time[i].field];
		int64_t unit = r->time[i].unit_ns;

		t += (int128)v->i * unit + (int64_t)v->nano * unit / NS_PER_S;
	}
	if (t > TIME_NS_MAX / 2 || t < -(TIME_NS_MAX / 2))
		return (
		    scan_refuse(s, "its time is beyond 73 years; expected a "
				   "smaller one, or another --unit") == -1
			? -1
			: 1);
	s->place_number = r->place == -1 ? 0 : s->value[r->place].i;
	if ((n = imported_place(s->im->made, s->place_number)) == -1)
		return (
		    errno == EOVERFLOW && scan_refuse(s, "more than %d places",
					      (int)IMPORTED_PLACES_MAX) == 0
			? 1
			: -1);
	s->place = (uint32_t)n;
	s->t_ns = (int64_t)t;
	p = &s->im->made->places[n];
	if (s->t_ns < p->last_ns)
		return (scan_refuse(s,
			    "it is at %.9f s, expected no earlier than "
			    "%.9f s, where its place was in line %" PRIu64,
			    (double)s->t_ns / 1e9, (double)p->last_ns / 1e9,
			    p->last_line) == -1
			    ? -1
			    : 1);
	if (scan_flush(s, p, s->t_ns) == -1)
		return (-1);
	p->last_ns = s->t_ns;
	p->last_line = lines_number(s->lines);
	return (0);
}

/* Fields of the head and of this record from these words. */
static void
fill(struct scan *s, const struct record *rec, const unsigned *at)
{
	unsigned heads = s->r->heads;
	const char *rest;

	s->record = rec;
	for (unsigned i = 0; i < heads + rec->numbers; i++)
		s->value[i] = s->token[at[i]];
	if (rec->numbers == rec->fields)
		return;
	rest = heads + rec->numbers == 0
		   ? s->line
		   : s->token[at[heads + rec->numbers - 1]].p +
			 s->token[at[heads + rec->numbers - 1]].n;
	while (rest < s->end && s->blank[(uint8_t)*rest])
		rest++;
	s->value[heads + rec->numbers] =
	    (struct token){ .p = rest, .n = (size_t)(s->end - rest) };
}

static int
make(struct scan *s, const struct record *rec, const unsigned *at)
{
	fill(s, rec, at);
	for (unsigned i = 0; i < rec->actions; i++)
		if (scan_act(s, &s->r->action[rec->first + i]) == -1)
			return (-1);
	return (0);
}

static bool
is_record(const struct scan *s, const struct record *rec)
{
	const struct token *t = &s->token[0];

	if (!s->r->keyed)
		return (true);
	if (t->number)
		return (rec->id == t->i && t->nano == 0);
	return (strncmp(rec->word, t->p, t->n) == 0 && rec->word[t->n] == '\0');
}

static bool
has_words(const struct record *rec)
{
	for (unsigned i = 0; i < rec->fields; i++)
		if (rec->field[i].sort == FIELD_word)
			return (true);
	return (false);
}

static void
match(struct scan *s)
{
	s->matches = 0;
	for (unsigned i = 0; i < s->r->nrecords; i++)
		if (is_record(s, &s->r->record[i]) &&
		    s->matches < RECORDS_MATCH)
			s->match[s->matches++] = &s->r->record[i];
}

/* Values of those with as many as there are, or the most of these; -1. */
static int
choose(const struct scan *s, unsigned have)
{
	int best = -1;

	for (unsigned i = 0; i < s->matches; i++)
		if (s->match[i]->numbers <= have &&
		    (int)s->match[i]->numbers > best)
			best = (int)s->match[i]->numbers;
	return (best);
}

static int
unknown(const struct scan *s)
{
	const struct token *t = &s->token[0];
	struct shown text;

	return (scan_refuse(s,
	    "record %s is not known; expected one of %s %" PRId64
	    " to %s %" PRId64 ", or a table with --records",
	    shown(&text, t->p, t->n), s->r->record[0].word, s->r->record[0].id,
	    s->r->record[s->r->nrecords - 1].word,
	    s->r->record[s->r->nrecords - 1].id));
}

static int
too_few(const struct scan *s, const struct record *rec, unsigned have)
{
	unsigned heads = s->r->heads;
	char names[200] = "";
	struct shown text;
	size_t n = 0;

	for (unsigned i = 0; i < heads + rec->fields && n < 160; i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, " %s",
		    i < heads ? s->r->head[i].name
			      : rec->field[i - heads].name);
	if (s->r->keyed)
		return (scan_refuse(s, "%s has %u numbers, expected%s",
		    rec->word, have, names));
	if (have < s->n && !s->token[have].number)
		return (scan_refuse(s, "%s is no number; expected%s",
		    shown(&text, s->token[have].p, s->token[have].n), names));
	return (scan_refuse(s, "it has %u numbers, expected%s", have, names));
}

/* Which words of the line are values: of the head, and behind it. */
static unsigned
values(const struct scan *s, unsigned *at)
{
	unsigned from = s->r->keyed ? 1 : 0, n = 0;
	bool labels = s->r->keyed && !s->token[0].number, words = false;

	for (unsigned i = 0; i < s->matches; i++)
		words |= has_words(s->match[i]);
	for (unsigned i = from; i < s->n && n < s->r->heads + RECORD_FIELDS_MAX;
	     i++) {
		if (s->token[i].number || (words && n >= s->r->heads))
			at[n++] = i;
		else if (!labels)
			break;
	}
	return (n);
}

/* Lines that are alike have what they should, and nothing else. */
static bool
too_many(const struct scan *s, unsigned have, unsigned best)
{
	for (unsigned i = 0; i < s->matches; i++)
		if (s->match[i]->numbers == best &&
		    s->match[i]->numbers < s->match[i]->fields)
			return (false); /* it takes the rest */
	return (!s->r->keyed && (have > s->r->heads + best || s->n > have));
}

static int
one_line(struct scan *s, const char *line, size_t n)
{
	unsigned at[2 * RECORD_FIELDS_MAX] = { 0 }, have, heads = s->r->heads;
	int best, rc;

	part(s, line, n);
	if (s->n == 0 || *s->token[0].p == '#')
		return (0);
	match(s);
	if (s->matches == 0)
		return (unknown(s));
	have = values(s, at);
	best = choose(s, have < heads ? 0 : have - heads);
	if (have < heads || best == -1 || too_many(s, have, (unsigned)best))
		return (too_few(s, s->match[0], have));
	for (unsigned i = 0; i < heads; i++)
		s->value[i] = s->token[at[i]];
	if ((rc = when(s)) != 0)
		return (rc == -1 ? -1 : 0);
	s->im->taken++;
	for (unsigned i = 0; i < s->matches; i++)
		if ((int)s->match[i]->numbers == best &&
		    make(s, s->match[i], at) == -1)
			return (-1);
	return (0);
}

/* The first line, where it is no record. */
static int
first_line(struct scan *s, const char *line, size_t n)
{
	unsigned have = 0;

	part(s, line, n);
	while (have < s->n && s->token[have].number)
		have++;
	if (have == s->r->firsts && have == s->n)
		return (0);
	return (scan_refuse(s,
	    "the first line has %u numbers, expected %u, the "
	    "first of them %s",
	    have, s->r->firsts, s->r->first[0].name));
}

static int
finish(struct scan *s)
{
	struct imported *m = s->im->made;

	for (uint32_t i = 0; i < m->nplaces; i++)
		if (scan_flush(s, &m->places[i], m->places[i].last_ns) == -1)
			return (-1);
	if (s->im->taken > 0 || s->im->refused > 0)
		return (0);
	return (import_refuse(s->im, "%s; expected records",
	    lines_number(s->lines) == 0 ? "it has 0 bytes"
					: "no record is in it"));
}

int
scan_lines(struct import *im, struct lines *l)
{
	struct scan s = { .im = im, .lines = l, .r = im->records };
	enum lines_got got;
	const char *why;
	char *line;
	size_t n;
	int rc = 0;

	im->made->unit_ns = NS_PER_S;
	for (unsigned i = 0; i < s.r->times; i++)
		if (s.r->time[i].unit_ns < im->made->unit_ns)
			im->made->unit_ns = s.r->time[i].unit_ns;
	for (const char *p = s.r->between; *p != '\0'; p++)
		s.blank[(uint8_t)*p] = true;
	s.blank[' '] = s.blank['\t'] = s.blank['\r'] = true;
	while (rc == 0 && (got = lines_next(l, &line, &n, &why)) != LINES_END) {
		if (got == LINES_BAD)
			rc = import_refuse(im,
			    "line %" PRIu64 ", from byte %" PRIu64 "%s on: %s",
			    lines_number(l), lines_offset(l),
			    lines_packed(l) ? " of what is packed" : "", why);
		else if (memchr(line, '\0', n) != NULL)
			rc = scan_refuse(&s, "a NUL; expected text");
		else if (lines_number(l) == 1 && s.r->firsts > 0)
			rc = first_line(&s, line, n);
		else
			rc = one_line(&s, line, n);
	}
	return (rc == 0 ? finish(&s) : rc);
}
