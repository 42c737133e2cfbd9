/*
 * An event as a line of text.
 *
 * What a word is called and how it is written comes from the descriptor, so a
 * kind that this program does not know, but the log describes, is printed just
 * as well.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracefile.h"

/* A string of limited room that counts what it would have needed. */
struct out {
	char *p;
	size_t room, n;
};

static void
put_char(struct out *o, char c)
{
	if (o->n < o->room)
		o->p[o->n] = c;
	o->n++;
}

static void
put_str(struct out *o, const char *s)
{
	while (*s != '\0')
		put_char(o, *s++);
}

static void
put_number(struct out *o, uint64_t v, unsigned base, int width)
{
	char digits[20];
	int n = 0;

	do {
		digits[n++] = "0123456789abcdef"[v % base];
		v /= base;
	} while (v != 0);
	for (; width > n; width--)
		put_char(o, '0');
	while (n > 0)
		put_char(o, digits[--n]);
}

static void
put_signed(struct out *o, int64_t v)
{
	if (v < 0)
		put_char(o, '-');
	put_number(o, v < 0 ? -(uint64_t)v : (uint64_t)v, 10, 0);
}

/* As short as it can be and still be the same number. */
static void
put_real(struct out *o, uint64_t bits)
{
	char text[40];
	double v = event_real(bits);

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (event_real_bits(strtod(text, NULL)) == bits)
			break;
	}
	put_str(o, v != v ? "nan" : text);
}

static void
put_hex(struct out *o, uint64_t v)
{
	put_str(o, "0x");
	put_number(o, v, 16, 0);
}

/* A name is a word of the line; in quotes if it would not look like one. */
static void
put_name(struct out *o, const char *s)
{
	bool plain = *s != '\0';

	for (const char *p = s; *p != '\0'; p++)
		plain &= (unsigned char)*p > ' ' && *p != '"' && *p != 0x7f;
	if (plain) {
		put_str(o, s);
		return;
	}
	/* its control characters are \xNN already (plain.h) */
	put_char(o, '"');
	for (; *s != '\0'; s++) {
		if (*s == '"' || (*s == '\\' && s[1] != 'x'))
			put_char(o, '\\');
		put_char(o, *s);
	}
	put_char(o, '"');
}

static void
put_node(struct out *o, const struct defs *d, uint32_t node)
{
	const struct def_node *n = defs_node(d, node);

	if (n != NULL && n->name[0] != '\0') {
		put_name(o, n->name);
	} else {
		put_char(o, '?');
		put_number(o, node, 10, 0);
	}
}

static void
put_location(struct out *o, const struct defs *d, uint32_t location)
{
	const struct def_thread *t = defs_thread(d, location);

	if (t == NULL && location != 0) {
		put_char(o, '?');
		put_number(o, location, 10, 0);
	} else if (t == NULL || t->node == 0) {
		put_str(o, "monitord");
	} else {
		put_node(o, d, t->node);
		put_char(o, '/');
		put_number(o, t->po, 10, 0);
		put_char(o, '.');
		put_number(o, t->thread, 10, 0);
	}
}

/* The value of a word that has a text; a number where it is not known. */
static void
put_text(struct out *o, enum word_type type, uint64_t v, const struct defs *d)
{
	char ending[ENDING_WORDS_BYTES], measure[MEASURE_WORDS_BYTES];

	if (type == WORD_name && v == 0)
		put_char(o, '-');
	else if (type == WORD_name)
		put_name(o, defs_name_text(d, (uint32_t)v));
	else if (type == WORD_node)
		put_node(o, d, (uint32_t)v);
	else if (type == WORD_reason && v < LOST_REASONS)
		put_name(o, lost_reason_name[v]);
	else if (type == WORD_ending)
		put_name(o, ending_words((uint32_t)v, ending));
	else if (type == WORD_measure)
		put_name(o, measure_words(v, measure));
	else if (type == WORD_kind && defs_kind(d, (unsigned)v) != NULL)
		put_str(o, defs_kind(d, (unsigned)v)->name);
	else
		put_number(o, v, 10, 0);
}

/* " label=value" of one word; nothing for a word without a meaning. */
static void
put_word(struct out *o, const char *field, uint64_t v, const struct defs *d)
{
	enum word_type type = event_word_type(field);

	if (type == WORD_none)
		return;
	put_char(o, ' ');
	while (*field != ':')
		put_char(o, *field++);
	put_char(o, '=');
	if (type == WORD_hex)
		put_hex(o, v);
	else if (type == WORD_signed)
		put_signed(o, (int64_t)v);
	else if (type == WORD_real)
		put_real(o, v);
	else
		put_text(o, type, v, d);
}

static void
put_time(struct out *o, int64_t t_mon_ns, int64_t origin_mon_ns)
{
	uint64_t ns = (uint64_t)t_mon_ns - (uint64_t)origin_mon_ns;

	if (t_mon_ns < origin_mon_ns) {
		put_char(o, '-');
		ns = -ns;
	}
	put_number(o, ns / 1000000000, 10, 0);
	put_char(o, '.');
	put_number(o, ns % 1000000000, 10, 9);
}

static int
end(const struct out *o)
{
	if (o->room > 0)
		o->p[o->n < o->room ? o->n : o->room - 1] = '\0';
	return ((int)o->n);
}

int
location_print(char *buf, size_t n, uint32_t location, const struct defs *d)
{
	struct out o = { buf, n, 0 };

	put_location(&o, d, location);
	return (end(&o));
}

/* By the declaration: each field, with its unit behind the number. */
static void
put_own(struct out *o, const struct own_event *own, const struct defs *d)
{
	put_str(o, own->kind->name);
	for (unsigned i = 0; i < own->kind->fields; i++) {
		const struct own_field *f = &own->kind->field[i];

		if (own->known[i]) {
			put_word(o, f->word, own->value[i], d);
			put_str(o, own_unit(f));
		} else {
			put_char(o, ' ');
			put_str(o, f->label);
			put_str(o, "=?");
		}
	}
}

static int
print(char *buf, size_t n, const struct event *e, const struct own_event *own,
    const struct defs *d, int64_t origin_mon_ns, bool named)
{
	const struct event_desc *k = defs_kind(d, e->kind);
	struct out o = { buf, n, 0 };

	put_time(&o, e->t_mon_ns, origin_mon_ns);
	put_char(&o, ' ');
	put_location(&o, d, e->location);
	if (named) {
		put_char(&o, ':');
		put_number(&o, e->seq, 10, 0);
	}
	put_char(&o, ' ');
	if (own != NULL) {
		put_own(&o, own, d);
	} else if (k != NULL) {
		put_name(&o, k->name);
		put_word(&o, k->a, e->a, d);
		put_word(&o, k->b, e->b, d);
		put_word(&o, k->c, e->c, d);
	} else {
		put_str(&o, "kind");
		put_number(&o, e->kind, 10, 0);
		put_word(&o, "a:id", e->a, d);
		put_word(&o, "b:id", e->b, d);
		put_word(&o, "c:number", e->c, d);
	}
	if (e->flags & EVENT_LATE)
		put_str(&o, " late");
	if (e->flags & EVENT_ORPHAN)
		put_str(&o, " orphan");
	if (e->flags & EVENT_AHEAD)
		put_str(&o, " ahead");
	if (e->flags & EVENT_SHIFTED) {
		put_str(&o, " shifted=");
		put_number(&o, e->shift_ns, 10, 0);
		put_str(&o, "ns");
	}
	return (end(&o));
}

int
event_print(char *buf, size_t n, const struct event *e, const struct defs *d,
    int64_t origin_mon_ns)
{
	return (print(buf, n, e, NULL, d, origin_mon_ns, false));
}

int
event_print_named(char *buf, size_t n, const struct event *e,
    const struct defs *d, int64_t origin_mon_ns)
{
	return (print(buf, n, e, NULL, d, origin_mon_ns, true));
}

int
own_print(char *buf, size_t n, const struct own_event *own,
    const struct defs *d)
{
	struct out o = { buf, n, 0 };

	put_own(&o, own, d);
	return (end(&o));
}

int
event_print_own(char *buf, size_t n, const struct event *e,
    const struct own_event *own, const struct defs *d, int64_t origin_mon_ns,
    bool named)
{
	return (print(buf, n, e, own, d, origin_mon_ns, named));
}
