/*
 * The part of a report that tells of memory: single pieces, where the log has
 * them; pieces picked by chance, and what they stand for; sums of threads.
 *
 * A place is a name of the program's own, or a stack: then a line of a table
 * has its innermost part, and what was never freed has it whole.
 */
#include <inttypes.h>
#include <string.h>

#include "report.h"

#define INDENT          "      from "
#define STACK_SEPARATOR " < " /* as libprobe/auto/heap/heap_stack.h has it */

/* "leaks#4aea2620+0x1365", of a file with this build id, is that part? */
static bool
is_part(const char *place, const char *text, size_t n)
{
	size_t file = strcspn(place, "#");
	const char *offset = strchr(place + file, '+');

	if (offset == NULL) /* it is told without a build id */
		return (strncmp(place, text, n) == 0 && place[n] == '\0');
	return (file < n && strncmp(place, text, file) == 0 &&
		strlen(offset) == n - file &&
		strncmp(offset, text + file, n - file) == 0);
}

/* The name of a place in the code that is so many bytes; NULL: none is. */
static const struct def_name *
code_at(const struct report *r, const char *text, size_t n)
{
	for (uint32_t i = 1; i <= defs_names(r->defs); i++) {
		const struct def_name *d = defs_name(r->defs, i);

		if (d != NULL && d->place != NULL && is_part(d->place, text, n))
			return (d);
	}
	return (NULL);
}

/* The first part of a stack, as function and line if they are known. */
static void
part(const struct report *r, const char *stack, char text[REPORT_PLACE_BYTES])
{
	const char *end = strstr(stack, STACK_SEPARATOR);
	size_t n = end == NULL ? strlen(stack) : (size_t)(end - stack);
	const struct def_name *d = code_at(r, stack, n);
	char where[REPORT_PLACE_BYTES];

	if (d == NULL)
		snprintf(text, REPORT_PLACE_BYTES, "%.*s", (int)n, stack);
	else
		snprintf(text, REPORT_PLACE_BYTES, "%.120s %.120s", d->text,
		    report_place(r, d->name, where));
}

/* The innermost part of a stack, or a name as it is. */
static const char *
inner(const struct report *r, uint32_t name, char text[REPORT_PLACE_BYTES])
{
	const char *s = defs_name_text(r->defs, name);

	part(r, *s == '\0' ? "(not known)" : s, text);
	return (text);
}

/* What it was called from, a line each. */
static void
text_callers(FILE *f, const struct report *r, uint32_t name)
{
	const char *s = defs_name_text(r->defs, name);
	char text[REPORT_PLACE_BYTES];

	while ((s = strstr(s, STACK_SEPARATOR)) != NULL) {
		s += strlen(STACK_SEPARATOR);
		part(r, s, text);
		fprintf(f, INDENT "%s\n", text);
	}
}

/* Rows of threads with something left. */
static size_t
left_rows(const struct tally *t)
{
	size_t n = 0;

	while (n < t->nleft && t->left[n].pieces > 0)
		n++;
	return (n);
}

static void
text_places(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char where[REPORT_PLACE_BYTES];

	fprintf(f, "  %-24s %-14s %10s %14s %10s %14s\n", "place", "program",
	    "given out", "bytes", "freed", "bytes");
	for (size_t i = 0; i < t->nplaces && i < REPORT_ROWS_MAX; i++) {
		const struct tally_place *p = &t->places[i];

		fprintf(f,
		    "  %-24s %-14s %10" PRIu64 " %14" PRIu64 " %10" PRIu64
		    " %14" PRIu64 "\n",
		    inner(r, p->name, where), t->programs[p->program],
		    p->allocations, p->bytes, p->frees, p->freed_bytes);
	}
	text_more(f, t->nplaces);
}

static void
text_processes(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	fprintf(f, "  %-24s %14s %14s\n", "process", "most at once",
	    "not freed");
	for (size_t i = 0; i < t->npos; i++)
		if (t->pos[i].allocations > 0)
			fprintf(f, "  %-24s %14" PRIu64 " %14" PRIu64 "\n",
			    report_po(r, (uint32_t)i, name),
			    t->pos[i].peak_bytes, t->pos[i].live_bytes);
}

static void
text_left(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	size_t rows = left_rows(t);
	char who[REPORT_NAME_BYTES], where[REPORT_PLACE_BYTES];

	if (rows > 0)
		fprintf(f, "  never freed\n  %-24s %-24s %10s %14s %14s\n",
		    "thread", "place", "pieces", "asked", "given");
	for (size_t i = 0; i < rows && i < REPORT_ROWS_MAX; i++) {
		const struct tally_left *l = &t->left[i];

		fprintf(f,
		    "  %-24s %-24s %10" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n",
		    report_location(r, l->location, who),
		    inner(r, l->place, where), l->pieces, l->bytes,
		    l->given_bytes);
		text_callers(f, r, l->place);
	}
	text_more(f, rows);
}

static void
text_nulls(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char who[REPORT_NAME_BYTES], where[REPORT_PLACE_BYTES];

	if (t->nnulls > 0)
		fprintf(f, "  frees of NULL\n  %-24s %-24s %10s\n", "thread",
		    "place", "times");
	for (size_t i = 0; i < t->nnulls && i < REPORT_ROWS_MAX; i++) {
		const struct tally_null *n = &t->nulls[i];

		fprintf(f, "  %-24s %-24s %10" PRIu64 "\n",
		    report_location(r, n->location, who),
		    inner(r, n->name, where), n->frees);
		text_callers(f, r, n->name);
	}
	text_more(f, t->nnulls);
}

static void
text_handed(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char from[REPORT_NAME_BYTES], to[REPORT_NAME_BYTES];

	if (t->nhanded > 0)
		fprintf(f,
		    "  freed by another thread\n  %-24s %-24s %10s %14s\n",
		    "given to", "freed by", "pieces", "bytes");
	for (size_t i = 0; i < t->nhanded && i < REPORT_ROWS_MAX; i++) {
		const struct tally_handed *h = &t->handed[i];

		fprintf(f, "  %-24s %-24s %10" PRIu64 " %14" PRIu64 "\n",
		    report_location(r, h->from, from),
		    report_location(r, h->to, to), h->pieces, h->bytes);
	}
	text_more(f, t->nhanded);
}

static void
text_pieces(FILE *f, const struct report *r)
{
	const struct tally_memory *m = &r->tally->memory;

	if (m->allocations + m->unknown_frees + m->null_frees == 0)
		return;
	fprintf(f,
	    "\nmemory: given out %" PRIu64 " times, %" PRIu64
	    " bytes; freed %" PRIu64 " times, %" PRIu64 " bytes; frees of "
	    "what was not seen to be given out %" PRIu64 "\n",
	    m->allocations, m->bytes, m->frees, m->freed_bytes,
	    m->unknown_frees);
	text_places(f, r);
	text_processes(f, r);
	text_left(f, r);
	text_nulls(f, r);
	text_handed(f, r);
}

static void
text_picked(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char where[REPORT_PLACE_BYTES];

	if (t->npicked == 0)
		return;
	fprintf(f,
	    "\nmemory, as far as some picked pieces tell\n  %-24s %-14s %10s "
	    "%14s %16s %16s\n",
	    "place", "program", "picked", "about pieces", "about bytes",
	    "not freed");
	for (size_t i = 0; i < t->npicked && i < REPORT_ROWS_MAX; i++) {
		const struct tally_picked *p = &t->picked[i];

		fprintf(f, "  %-24s %-14s %10" PRIu64 " %14.0f %16.0f %16.0f\n",
		    inner(r, p->name, where), t->programs[p->program],
		    p->picked, p->pieces, p->bytes, p->live_bytes);
		text_callers(f, r, p->name);
	}
	text_more(f, t->npicked);
}

static void
text_heaps(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	if (t->nheaps == 0)
		return;
	fprintf(f,
	    "\nheap, as threads have counted it\n  %-16s %10s %14s %14s %10s "
	    "%14s %10s %14s %14s\n",
	    "thread", "pieces", "asked", "given", "freed", "bytes", "of NULL",
	    "mapped", "unmapped");
	for (size_t i = 0; i < t->nheaps && i < REPORT_ROWS_MAX; i++) {
		const struct tally_heap *h = &t->heaps[i];

		fprintf(f,
		    "  %-16s %10" PRIu64 " %14" PRIu64 " %14" PRIu64
		    " %10" PRIu64 " %14" PRIu64 " %10" PRIu64 " %14" PRIu64
		    " %14" PRIu64 "\n",
		    report_location(r, h->location, name), h->pieces,
		    h->asked_bytes, h->given_bytes, h->freed, h->freed_bytes,
		    h->null_frees, h->mapped_bytes, h->unmapped_bytes);
	}
	text_more(f, t->nheaps);
	fprintf(f, "  %-16s %14s %14s\n", "process", "most at once", "in use");
	for (size_t i = 0; i < t->npos; i++)
		if (t->pos[i].heap_peak_bytes > 0)
			fprintf(f, "  %-16s %14" PRId64 " %14" PRId64 "\n",
			    report_po(r, (uint32_t)i, name),
			    t->pos[i].heap_peak_bytes, t->pos[i].heap_bytes);
}

void
text_memory(FILE *f, const struct report *r)
{
	text_pieces(f, r);
	text_picked(f, r);
	text_heaps(f, r);
}

static void
doc_places(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	doc_list(d, "places", DOC_LINES);
	for (size_t i = 0; i < t->nplaces; i++) {
		const struct tally_place *p = &t->places[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "name", defs_name_text(r->defs, p->name));
		doc_text(d, "program", t->programs[p->program]);
		doc_count(d, "allocations", p->allocations);
		doc_count(d, "bytes", p->bytes);
		doc_count(d, "frees", p->frees);
		doc_count(d, "freed_bytes", p->freed_bytes);
		doc_end(d);
	}
	doc_end(d);
	doc_list(d, "processes", DOC_LINES);
	for (size_t i = 0; i < t->npos; i++) {
		if (t->pos[i].allocations == 0)
			continue;
		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "po", report_po(r, (uint32_t)i, name));
		doc_count(d, "most_bytes", t->pos[i].peak_bytes);
		doc_count(d, "not_freed_bytes", t->pos[i].live_bytes);
		doc_end(d);
	}
	doc_end(d);
}

static void
doc_threads_of(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	doc_list(d, "never_freed", DOC_LINES);
	for (size_t i = 0; i < left_rows(t); i++) {
		const struct tally_left *l = &t->left[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "location", report_location(r, l->location, name));
		doc_text(d, "name", defs_name_text(r->defs, l->place));
		doc_count(d, "pieces", l->pieces);
		doc_count(d, "bytes", l->bytes);
		doc_count(d, "given_bytes", l->given_bytes);
		doc_end(d);
	}
	doc_end(d);
	doc_list(d, "null_frees_by", DOC_LINES);
	for (size_t i = 0; i < t->nnulls; i++) {
		const struct tally_null *n = &t->nulls[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "location", report_location(r, n->location, name));
		doc_text(d, "name", defs_name_text(r->defs, n->name));
		doc_count(d, "frees", n->frees);
		doc_end(d);
	}
	doc_end(d);
	doc_list(d, "handed", DOC_LINES);
	for (size_t i = 0; i < t->nhanded; i++) {
		const struct tally_handed *h = &t->handed[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "from", report_location(r, h->from, name));
		doc_text(d, "to", report_location(r, h->to, name));
		doc_count(d, "pieces", h->pieces);
		doc_count(d, "bytes", h->bytes);
		doc_end(d);
	}
	doc_end(d);
}

static void
doc_picked(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;

	doc_list(d, "picked", DOC_LINES);
	for (size_t i = 0; i < t->npicked; i++) {
		const struct tally_picked *p = &t->picked[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "name", defs_name_text(r->defs, p->name));
		doc_text(d, "program", t->programs[p->program]);
		doc_count(d, "picked", p->picked);
		doc_count(d, "freed", p->freed);
		doc_count(d, "about_pieces", (uint64_t)p->pieces);
		doc_count(d, "about_bytes", (uint64_t)p->bytes);
		doc_count(d, "about_not_freed_bytes",
		    p->live_bytes > 0 ? (uint64_t)p->live_bytes : 0);
		doc_end(d);
	}
	doc_end(d);
}

static void
doc_heaps(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	doc_list(d, "heap", DOC_LINES);
	for (size_t i = 0; i < t->nheaps; i++) {
		const struct tally_heap *h = &t->heaps[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "location", report_location(r, h->location, name));
		doc_count(d, "pieces", h->pieces);
		doc_count(d, "asked_bytes", h->asked_bytes);
		doc_count(d, "given_bytes", h->given_bytes);
		doc_count(d, "freed", h->freed);
		doc_count(d, "freed_bytes", h->freed_bytes);
		doc_count(d, "null_frees", h->null_frees);
		doc_count(d, "mapped_bytes", h->mapped_bytes);
		doc_count(d, "unmapped_bytes", h->unmapped_bytes);
		doc_end(d);
	}
	doc_end(d);
	doc_list(d, "heap_processes", DOC_LINES);
	for (size_t i = 0; i < t->npos; i++) {
		if (t->pos[i].heap_peak_bytes <= 0)
			continue;
		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "po", report_po(r, (uint32_t)i, name));
		doc_number(d, "most_bytes", t->pos[i].heap_peak_bytes);
		doc_number(d, "in_use_bytes", t->pos[i].heap_bytes);
		doc_end(d);
	}
	doc_end(d);
}

void
doc_memory(struct doc *d, const struct report *r)
{
	const struct tally_memory *m = &r->tally->memory;

	doc_map(d, "memory", DOC_LINES);
	doc_count(d, "allocations", m->allocations);
	doc_count(d, "bytes", m->bytes);
	doc_count(d, "given_bytes", m->given_bytes);
	doc_count(d, "frees", m->frees);
	doc_count(d, "freed_bytes", m->freed_bytes);
	doc_count(d, "unknown_frees", m->unknown_frees);
	doc_count(d, "null_frees", m->null_frees);
	doc_count(d, "freed_elsewhere", m->freed_elsewhere);
	doc_places(d, r);
	doc_threads_of(d, r);
	doc_picked(d, r);
	doc_heaps(d, r);
	doc_end(d);
}
