/*
 * The part of a report that tells of kinds which programs have declared; as a
 * page and as a document.
 */
#include <inttypes.h>
#include <string.h>

#include "report.h"

#define ROWS_MAX 200 /* fields on the page; the YAML has them all */

/* Identities and names are not added up. */
static bool
has_figures(enum word_type type)
{
	return (type != WORD_hex && type != WORD_name);
}

static const char *
value(enum word_type type, uint64_t v, char text[32])
{
	if (type == WORD_real)
		snprintf(text, 32, "%.6g", event_real(v));
	else if (type == WORD_signed)
		snprintf(text, 32, "%" PRId64, (int64_t)v);
	else
		snprintf(text, 32, "%" PRIu64, v);
	return (text);
}

static void
text_field(FILE *f, const struct own_field *of, const struct tally_own_field *x)
{
	enum word_type type = event_word_type(of->word);
	char sum[32], min[32], max[32];

	fprintf(f, "  %-16s %-16s %-8s %12" PRIu64, "", of->label, own_unit(of),
	    x->known);
	if (x->known > 0 && has_figures(type)) {
		if (x->over)
			snprintf(sum, sizeof(sum), "%.6g", x->about);
		else
			value(type, x->sum, sum);
		fprintf(f, " %20s %14.6g %20s %20s", sum,
		    x->about / (double)x->known, value(type, x->min, min),
		    value(type, x->max, max));
	}
	fputc('\n', f);
}

void
text_own(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	size_t rows = 0, all = 0;

	if (t->nowns == 0)
		return;
	fprintf(f,
	    "\nkinds of the program\n  %-16s %-16s %-8s %12s %20s %14s"
	    " %20s %20s\n",
	    "kind", "field", "unit", "events", "sum", "mean", "min", "max");
	for (size_t i = 0; i < t->nowns; i++) {
		const struct tally_own *o = &t->owns[i];

		all += o->kind->fields + 1;
		if (all > ROWS_MAX)
			continue;
		rows = all;
		fprintf(f, "  %-16s %-16s %-8s %12" PRIu64 "\n", o->kind->name,
		    "", "", o->events);
		for (unsigned k = 0; k < o->kind->fields; k++)
			text_field(f, &o->kind->field[k], &o->field[k]);
	}
	if (all > rows)
		fprintf(f, "  and %zu more; --yaml has them all\n", all - rows);
}

static void
doc_value(struct doc *d, const char *key, enum word_type type, uint64_t v)
{
	if (type == WORD_real)
		doc_real(d, key, event_real(v));
	else if (type == WORD_signed)
		doc_number(d, key, (int64_t)v);
	else
		doc_count(d, key, v);
}

static void
doc_field(struct doc *d, const struct own_field *of,
    const struct tally_own_field *x)
{
	enum word_type type = event_word_type(of->word);

	doc_map(d, NULL, DOC_ONE_LINE);
	doc_text(d, "field", of->label);
	doc_text(d, "type", strchr(of->word, ':') + 1);
	doc_text(d, "unit", own_unit(of));
	doc_count(d, "events", x->known);
	if (x->known > 0 && has_figures(type)) {
		if (x->over)
			doc_real(d, "sum", x->about);
		else
			doc_value(d, "sum", type, x->sum);
		doc_real(d, "mean", x->about / (double)x->known);
		doc_value(d, "min", type, x->min);
		doc_value(d, "max", type, x->max);
	}
	doc_end(d);
}

void
doc_own(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;

	doc_list(d, "kinds", DOC_LINES);
	for (size_t i = 0; i < t->nowns; i++) {
		const struct tally_own *o = &t->owns[i];

		doc_map(d, NULL, DOC_LINES);
		doc_text(d, "kind", o->kind->name);
		doc_count(d, "events", o->events);
		doc_list(d, "fields", DOC_LINES);
		for (unsigned k = 0; k < o->kind->fields; k++)
			doc_field(d, &o->kind->field[k], &o->field[k]);
		doc_end(d);
		doc_end(d);
	}
	doc_end(d);
}
