/*
 * Each level knows how its entries are set apart; what opens, closes and
 * separates differs between the two forms, and nothing else does.
 */
#include "doc.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "plain.h"

#define INDENT 2

static struct doc_level *
level(struct doc *d)
{
	return (&d->level[d->depth]);
}

static void
new_line(const struct doc *d, int indent)
{
	fprintf(d->f, "\n%*s", indent, "");
}

static void
quoted(FILE *f, const unsigned char *p, size_t n)
{
	uint32_t c = 0;
	size_t bytes;

	putc('"', f);
	for (; n > 0; p += bytes, n -= bytes) {
		bytes = plain_character(p, n, &c);
		if (bytes == 0) {
			fputs("\xef\xbf\xbd", f); /* U+FFFD */
			bytes = 1;
		} else if (c == '"' || c == '\\') {
			fprintf(f, "\\%c", (char)c);
		} else if (!plain_is_shown(c)) {
			fprintf(f, "\\u%04" PRIx32, c);
		} else {
			fwrite(p, 1, bytes, f);
		}
	}
	putc('"', f);
}

/* What stands before an entry: separator, indentation, key. */
static void
entry(struct doc *d, const char *key)
{
	struct doc_level *l = level(d);
	bool json = d->form == DOC_JSON;

	assert((key == NULL) == l->list);
	if (l->any && (json || l->one_line))
		putc(',', d->f);
	if (l->one_line) {
		if (l->any || !l->list)
			putc(' ', d->f);
	} else if (json || l->any || (!l->after_dash && d->depth > 0)) {
		new_line(d, l->indent);
	} else if (l->after_dash) {
		putc(' ', d->f);
	}
	l->any = true;
	if (key != NULL && json)
		fprintf(d->f, "\"%s\":", key);
	else if (key != NULL)
		fprintf(d->f, "%s:", key);
	else if (!json && !l->one_line)
		putc('-', d->f);
}

/* Before a value: a blank behind a key or a dash. */
static void
value(struct doc *d, const char *key)
{
	const struct doc_level *l;

	entry(d, key);
	l = level(d);
	if (key != NULL || (d->form == DOC_YAML && !l->one_line))
		putc(' ', d->f);
}

static void
open_level(struct doc *d, const char *key, enum doc_shape shape, bool list)
{
	const struct doc_level *up = level(d);
	bool json = d->form == DOC_JSON;
	struct doc_level new = {
		.list = list,
		.one_line = up->one_line || shape == DOC_ONE_LINE,
		.after_dash = !json && up->list && !up->one_line && !list,
		.indent = up->indent + INDENT,
	};

	assert(d->depth + 1 < DOC_DEPTH);
	if (json || new.one_line) {
		value(d, key);
		putc(list ? '[' : '{', d->f);
	} else {
		entry(d, key);
	}
	d->level[++d->depth] = new;
}

void
doc_map(struct doc *d, const char *key, enum doc_shape shape)
{
	open_level(d, key, shape, false);
}

void
doc_list(struct doc *d, const char *key, enum doc_shape shape)
{
	open_level(d, key, shape, true);
}

void
doc_end(struct doc *d)
{
	struct doc_level l = *level(d);

	d->depth--;
	if (d->form == DOC_YAML && !l.one_line) {
		if (!l.any)
			fputs(l.list ? " []" : " {}", d->f);
		return;
	}
	if (l.any && !l.one_line)
		new_line(d, l.indent - INDENT);
	else if (l.any && !l.list)
		putc(' ', d->f);
	putc(l.list ? ']' : '}', d->f);
}

static void
begin(struct doc *d, FILE *f, enum doc_form form, bool list)
{
	*d = (struct doc){ .f = f, .form = form };
	d->level[0].list = list;
	if (form == DOC_JSON) {
		d->level[0].indent = INDENT;
		putc(list ? '[' : '{', f);
	}
}

void
doc_begin(struct doc *d, FILE *f, enum doc_form form)
{
	begin(d, f, form, false);
}

void
doc_begin_list(struct doc *d, FILE *f, enum doc_form form)
{
	begin(d, f, form, true);
}

void
doc_finish(struct doc *d)
{
	const struct doc_level *l = level(d);

	assert(d->depth == 0);
	if (d->form == DOC_JSON) {
		if (l->any)
			putc('\n', d->f);
		putc(l->list ? ']' : '}', d->f);
	} else if (!l->any) {
		fputs(l->list ? "[]" : "{}", d->f);
	}
	putc('\n', d->f);
}

void
doc_bytes(struct doc *d, const char *key, const void *p, size_t n)
{
	value(d, key);
	quoted(d->f, p, n);
}

void
doc_text(struct doc *d, const char *key, const char *s)
{
	doc_bytes(d, key, s, strlen(s));
}

void
doc_count(struct doc *d, const char *key, uint64_t v)
{
	value(d, key);
	fprintf(d->f, "%" PRIu64, v);
}

void
doc_number(struct doc *d, const char *key, int64_t v)
{
	value(d, key);
	fprintf(d->f, "%" PRId64, v);
}

void
doc_real(struct doc *d, const char *key, double v)
{
	char text[32] = "null";

	if (v - v == 0) /* neither infinite nor no number */
		snprintf(text, sizeof(text), "%.6g", v);
	doc_word(d, key, text);
}

void
doc_bool(struct doc *d, const char *key, bool v)
{
	doc_word(d, key, v ? "true" : "false");
}

void
doc_word(struct doc *d, const char *key, const char *word)
{
	value(d, key);
	fputs(word, d->f);
}
