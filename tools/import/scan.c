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
#include "tools/import/import.h"

#define TOKENS_MAX     64
#define NS_PER_S       1000000000
#define RECORDS_MATCH  32 /* descriptions of one record */
#define SPACE_PUT      1
#define SPACE_ID       2
#define TEXT_BYTES     512
#define COMPLAIN_BYTES 512

__extension__ typedef __int128 int128;

struct token {
	const char *p;
	size_t n;
	bool number;
	int64_t i;
	int32_t nano; /* behind the point, of the same sign */
};

struct scan {
	struct import *im;
	struct lines *lines;
	const struct records *r;
	bool blank[256];
	struct token token[TOKENS_MAX];
	unsigned n;
	const char *line, *end;
	/* of the record that is looked at: head and fields */
	struct token value[2 * RECORD_FIELDS_MAX];
	const struct record *record;
	/* those that the line may be */
	const struct record *match[RECORDS_MATCH];
	unsigned matches;
	int64_t place_number, t_ns;
	uint32_t place;
};

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
static int __attribute__((format(printf, 2, 3)))
refuse(const struct scan *s, const char *fmt, ...)
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

/* --- words of an event --- */

static const char *
field_name(const struct scan *s, unsigned f)
{
	return (f < s->r->heads ? s->r->head[f].name
				: s->record->field[f - s->r->heads].name);
}

/* A value as text: what it is called, a word, or a number. */
static size_t
value_text(const struct scan *s, unsigned f, char *to, size_t room)
{
	const struct token *v = &s->value[f];
	const char *name;
	int n;

	if (!v->number) {
		n = (int)(v->n < room - 1 ? v->n : room - 1);
		memcpy(to, v->p, (size_t)n);
		return ((size_t)n);
	}
	name = records_called(s->r, field_name(s, f), v->i);
	if (name != NULL)
		n = snprintf(to, room, "%s", name);
	else
		n = snprintf(to, room, "%" PRId64, v->i);
	return ((size_t)n < room ? (size_t)n : room - 1);
}

static int64_t
text_name(struct scan *s, const struct expr *e)
{
	char text[TEXT_BYTES], shown_text[TEXT_BYTES];
	size_t n = 0, f = 0;
	const char *p = e->op == EXPR_text ? e->text : "{";

	for (; *p != '\0' && n < sizeof(text) - 1; p++) {
		if (*p != '{') {
			text[n++] = *p;
			continue;
		}
		n += value_text(s, e->field[f++], text + n, sizeof(text) - n);
		if (e->op != EXPR_text)
			break;
		p = strchr(p, '}');
	}
	/* names of a log are UTF-8 without control characters */
	n = plain(shown_text, sizeof(shown_text), text, n);
	return (imported_name(s->im->made, shown_text, n));
}

/* Number of the tuple of these fields; -1: ENOMEM. */
static int64_t
tuple(struct scan *s, const struct expr *e, uint32_t space)
{
	int64_t v[3] = { 0 };

	for (unsigned i = 0; i < e->fields && i < 3; i++)
		v[i] = s->value[e->field[i]].i;
	return (imported_tuple(s->im->made, space, v));
}

static int
message(struct scan *s, const struct expr *e, uint64_t *word)
{
	int64_t n = tuple(s, e, SPACE_PUT);
	struct imported_tuple *t;

	if (n == -1)
		return (-1);
	t = &s->im->made->tuples[n];
	*word = (uint64_t)(n + 1) << 32 |
		(e->op == EXPR_put ? ++t->puts : ++t->takes);
	return (0);
}

static int
word(struct scan *s, const struct expr *e, const char *field, uint64_t *w)
{
	enum word_type type = event_word_type(field);
	const struct token *v = &s->value[e->field[0]];
	int64_t n = 0;
	double real;

	*w = (uint64_t)e->number;
	if (e->op == EXPR_none)
		*w = 0;
	else if (type == WORD_name || e->op == EXPR_text)
		*w = (uint64_t)(n = text_name(s, e));
	else if (type == WORD_real && e->op == EXPR_field) {
		real = (double)v->i + v->nano / 1e9;
		memcpy(w, &real, sizeof(real));
	} else if (e->op == EXPR_field)
		*w = (uint64_t)v->i;
	else if (e->op == EXPR_micro)
		*w = (uint64_t)v->i * 1000000 +
		     (uint64_t)s->value[e->field[1]].i;
	else if (e->op == EXPR_id && s->value[e->field[e->fields - 1]].i != 0)
		*w = (uint64_t)(n = tuple(s, e, SPACE_ID)) + 1;
	else if (e->op == EXPR_put || e->op == EXPR_take)
		return (message(s, e, w));
	return (n == -1 ? -1 : 0);
}

/* Where and when: that of the record, or of what `at` names. */
static int
where(struct scan *s, const struct record_action *a, struct event *e, bool *ok)
{
	const struct token *last;
	const struct imported_tuple *t;
	int64_t n;

	e->location = s->place + 1;
	e->t_node_ns = s->t_ns;
	if (a->at.op == EXPR_none)
		return (0);
	last = &s->value[a->at.field[a->at.fields - 1]];
	if (last->i == 0)
		return (0);
	if ((n = tuple(s, &a->at, SPACE_ID)) == -1)
		return (-1);
	t = &s->im->made->tuples[n];
	if (!t->noted) {
		*ok = false;
		return (refuse(s,
		    "its %s %" PRId64 " has not been; expected it "
		    "in a line above",
		    field_name(s, a->at.field[a->at.fields - 1]), last->i));
	}
	e->location = t->place + 1;
	e->t_node_ns = t->t_ns;
	return (0);
}

static int
note_here(struct scan *s, const struct record_action *a, const struct event *e)
{
	int64_t n = tuple(s, &a->here, SPACE_ID);
	struct imported_tuple *t;

	if (n == -1)
		return (-1);
	t = &s->im->made->tuples[n];
	t->noted = true;
	t->place = e->location - 1;
	t->t_ns = e->t_node_ns;
	return (0);
}

static int
act(struct scan *s, const struct record_action *a)
{
	const struct event_desc *d = event_desc(a->kind);
	struct event e = { .kind = a->kind };
	uint64_t c;
	bool ok = true;

	if (where(s, a, &e, &ok) == -1)
		return (-1);
	if (!ok)
		return (0);
	if (word(s, &a->word[0], d->a, &e.a) == -1 ||
	    word(s, &a->word[1], d->b, &e.b) == -1 ||
	    word(s, &a->word[2], d->c, &c) == -1)
		return (-1);
	e.c = (uint32_t)c;
	if (a->here.op != EXPR_none && note_here(s, a, &e) == -1)
		return (-1);
	if (!a->until_next)
		return (imported_add(s->im->made, &e));
	s->im->made->places[s->place].held = e;
	return (0);
}

static int
flush_held(struct scan *s, struct imported_place *p, int64_t t_ns)
{
	struct event e = p->held;

	p->held.kind = EV_none;
	e.t_node_ns = t_ns;
	return (e.kind == EV_none ? 0 : imported_add(s->im->made, &e));
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
		return (refuse(s, "its time is beyond 73 years; expected a "
				  "smaller one, or another --unit") == -1
			    ? -1
			    : 1);
	s->place_number = r->place == -1 ? 0 : s->value[r->place].i;
	if ((n = imported_place(s->im->made, s->place_number)) == -1)
		return (errno == EOVERFLOW && refuse(s, "more than %d places",
						  (int)IMPORTED_PLACES_MAX) == 0
			    ? 1
			    : -1);
	s->place = (uint32_t)n;
	s->t_ns = (int64_t)t;
	p = &s->im->made->places[n];
	if (s->t_ns < p->last_ns)
		return (refuse(s,
			    "it is at %.9f s, expected no earlier than "
			    "%.9f s, where its place was in line %" PRIu64,
			    (double)s->t_ns / 1e9, (double)p->last_ns / 1e9,
			    p->last_line) == -1
			    ? -1
			    : 1);
	if (flush_held(s, p, s->t_ns) == -1)
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
		if (act(s, &s->r->action[rec->first + i]) == -1)
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

	return (refuse(s,
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
		return (refuse(s, "%s has %u numbers, expected%s", rec->word,
		    have, names));
	if (have < s->n && !s->token[have].number)
		return (refuse(s, "%s is no number; expected%s",
		    shown(&text, s->token[have].p, s->token[have].n), names));
	return (refuse(s, "it has %u numbers, expected%s", have, names));
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
	unsigned at[2 * RECORD_FIELDS_MAX], have, heads = s->r->heads;
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
	return (refuse(s,
	    "the first line has %u numbers, expected %u, the "
	    "first of them %s",
	    have, s->r->firsts, s->r->first[0].name));
}

static int
finish(struct scan *s)
{
	struct imported *m = s->im->made;

	for (uint32_t i = 0; i < m->nplaces; i++)
		if (flush_held(s, &m->places[i], m->places[i].last_ns) == -1)
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
			rc = refuse(&s, "a NUL; expected text");
		else if (lines_number(l) == 1 && s.r->firsts > 0)
			rc = first_line(&s, line, n);
		else
			rc = one_line(&s, line, n);
	}
	return (rc == 0 ? finish(&s) : rc);
}
