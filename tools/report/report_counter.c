/* The part of a report that tells of counters; as a page and as a document. */
#include <inttypes.h>
#include <string.h>

#include "report.h"

#define ROWS_MAX 200 /* on the page; the YAML has them all */

/* The row that it belongs to: "n0", "n0/3", "n0/3.1". */
static const char *
owner(const struct report *r, const struct tally_counter *c,
    char name[REPORT_NAME_BYTES])
{
	const struct def_thread *d = defs_thread(r->defs, c->location);
	uint32_t node = d == NULL ? 0 : d->node;

	switch (c->measure & MEASURE_OF) {
	case MEASURE_NODE:
		return (report_node(r, node));
	case MEASURE_PROCESS:
		snprintf(name, REPORT_NAME_BYTES, "%s/%u", report_node(r, node),
		    d == NULL ? 0 : d->po);
		return (name);
	default:
		return (report_location(r, c->location, name));
	}
}

static const char *
value(const struct tally_counter *c, uint64_t bits, char text[32])
{
	if (c->real)
		snprintf(text, 32, "%.6g", event_real(bits));
	else
		snprintf(text, 32, "%" PRId64, (int64_t)bits);
	return (text);
}

void
text_counters(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char who[REPORT_NAME_BYTES], last[32], min[32], max[32];
	char what[MEASURE_WORDS_BYTES];

	if (t->ncounters == 0)
		return;
	fprintf(f, "\ncounters\n  %-16s %-24s %10s %20s %20s %20s %14s  %s\n",
	    "of", "name", "values", "last", "min", "max", "mean", "what");
	for (size_t i = 0; i < t->ncounters && i < ROWS_MAX; i++) {
		const struct tally_counter *c = &t->counters[i];

		fprintf(f,
		    "  %-16s %-24s %10" PRIu64 " %20s %20s %20s %14.6g"
		    "  %s\n",
		    owner(r, c, who), defs_name_text(r->defs, c->name),
		    c->values, value(c, c->last, last), value(c, c->min, min),
		    value(c, c->max, max), c->mean,
		    measure_words(c->measure, what));
	}
	if (t->ncounters > ROWS_MAX)
		fprintf(f, "  and %zu more; --yaml has them all\n",
		    t->ncounters - ROWS_MAX);
}

static void
doc_value(struct doc *d, const char *key, const struct tally_counter *c,
    uint64_t bits)
{
	if (c->real)
		doc_real(d, key, event_real(bits));
	else
		doc_number(d, key, (int64_t)bits);
}

void
doc_counters(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	char who[REPORT_NAME_BYTES], what[MEASURE_WORDS_BYTES];

	doc_list(d, "counters", DOC_LINES);
	for (size_t i = 0; i < t->ncounters; i++) {
		const struct tally_counter *c = &t->counters[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "of", owner(r, c, who));
		doc_text(d, "name", defs_name_text(r->defs, c->name));
		doc_text(d, "what", measure_words(c->measure, what));
		doc_count(d, "values", c->values);
		doc_value(d, "last", c, c->last);
		doc_value(d, "min", c, c->min);
		doc_value(d, "max", c, c->max);
		doc_real(d, "mean", c->mean);
		doc_end(d);
	}
	doc_end(d);
}
