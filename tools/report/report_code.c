/*
 * The part of a report that tells of the program's own code: functions and
 * phases, locks, remote calls; as a page and as a document.
 */
#include <inttypes.h>
#include <string.h>

#include "report.h"

static double
ms(uint64_t ns)
{
	return ((double)ns / 1e6);
}

static double
mean_ms(uint64_t ns, uint64_t n)
{
	return (n == 0 ? 0 : ms(ns) / (double)n);
}

const char *
report_place(const struct report *r, uint32_t name,
    char text[REPORT_PLACE_BYTES])
{
	const struct def_name *d = defs_name(r->defs, name);

	text[0] = '\0';
	if (d != NULL && d->file != NULL && d->file[0] != '\0')
		snprintf(text, REPORT_PLACE_BYTES, d->line > 0 ? "%s:%u" : "%s",
		    d->file, d->line);
	return (text);
}

void
text_more(FILE *f, size_t rows)
{
	if (rows > REPORT_ROWS_MAX)
		fprintf(f, "  and %zu more; --yaml has them all\n",
		    rows - REPORT_ROWS_MAX);
}

static void
text_times(FILE *f, const struct tally_times *times)
{
	fprintf(f, " %12.6f %12.6f %12.6f %12.6f %12.6f",
	    ms((uint64_t)tally_percentile(times, 0)),
	    mean_ms(times->total_ns, times->n),
	    ms((uint64_t)tally_percentile(times, 100)),
	    ms((uint64_t)tally_percentile(times, 50)),
	    ms((uint64_t)tally_percentile(times, 99)));
}

/* With a processor: only where the scheduler's records tell. */
static void
text_cpu(FILE *f, const struct tally_function *fn, uint64_t ns)
{
	if (fn->cpu_unknown)
		fprintf(f, " %12s", "-");
	else
		fprintf(f, " %12.6f", ms(ns));
}

static void
text_functions(FILE *f, const struct report *r, enum event_span span,
    const char *title, const char *one)
{
	const struct tally *t = r->tally;
	char where[REPORT_PLACE_BYTES];
	size_t rows = 0;

	for (size_t i = 0; i < t->nfunctions; i++) {
		const struct tally_function *fn = &t->functions[i];

		if (fn->span != span)
			continue;
		if (rows++ == 0)
			fprintf(f,
			    "\n%s, times in ms\n  %-24s %-14s %10s %12s %12s "
			    "%12s %12s %12s %12s %12s %12s %12s  %s\n",
			    title, one, "program", "calls", "total", "self",
			    "cpu", "self cpu", "min", "mean", "max", "p50",
			    "p99", "place");
		if (rows > REPORT_ROWS_MAX)
			continue;
		fprintf(f, "  %-24s %-14s %10" PRIu64 " %12.6f %12.6f",
		    defs_name_text(r->defs, fn->name), t->programs[fn->program],
		    fn->calls, ms(fn->times.total_ns), ms(fn->self_ns));
		text_cpu(f, fn, fn->cpu_ns);
		text_cpu(f, fn, fn->self_cpu_ns);
		text_times(f, &fn->times);
		fprintf(f, "  %s\n", report_place(r, fn->name, where));
	}
	text_more(f, rows);
}

/* The lines from which functions are called, where their calls say so. */
static void
text_callers(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char where[REPORT_PLACE_BYTES];

	if (t->nsites == 0)
		return;
	fprintf(f, "\ncallers\n  %-24s %-14s %10s  %-24s %s\n", "function",
	    "program", "calls", "called from", "place");
	for (size_t i = 0; i < t->nsites && i < REPORT_ROWS_MAX; i++) {
		const struct tally_site *s = &t->sites[i];

		fprintf(f, "  %-24s %-14s %10" PRIu64 "  %-24s %s\n",
		    defs_name_text(r->defs, s->name), t->programs[s->program],
		    s->calls, defs_name_text(r->defs, s->place),
		    report_place(r, s->place, where));
	}
	text_more(f, t->nsites);
}

/* Waits in calls of the system: of descriptors, and for other things. */
static bool
is_wait(const struct tally_function *fn)
{
	return (fn->span >= SPAN_wait_message);
}

static void
text_waits(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	size_t rows = 0;

	for (size_t i = 0; i < t->nfunctions; i++) {
		const struct tally_function *fn = &t->functions[i];

		if (!is_wait(fn))
			continue;
		if (rows++ == 0)
			fprintf(f,
			    "\nwaits in calls of the system, times in ms\n"
			    "  %-36s %-14s %10s %12s %12s %12s %12s %12s "
			    "%12s\n",
			    "call", "program", "waits", "total", "min", "mean",
			    "max", "p50", "p99");
		if (rows > REPORT_ROWS_MAX)
			continue;
		fprintf(f, "  %-36s %-14s %10" PRIu64 " %12.6f",
		    defs_name_text(r->defs, fn->name), t->programs[fn->program],
		    fn->calls, ms(fn->times.total_ns));
		text_times(f, &fn->times);
		putc('\n', f);
	}
	text_more(f, rows);
}

/* Why it is not known which messages of some streams are which. */
static void
text_gaps(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	size_t rows = 0;

	for (size_t i = 0; i < t->nfunctions; i++) {
		const struct tally_function *fn = &t->functions[i];

		if (fn->span != SPAN_none)
			continue;
		if (rows++ == 0)
			fprintf(f,
			    "\nmessages of streams that cannot be matched\n"
			    "  %-58s %-14s %10s\n",
			    "why", "program", "told");
		fprintf(f, "  %-58s %-14s %10" PRIu64 "\n",
		    defs_name_text(r->defs, fn->name), t->programs[fn->program],
		    fn->calls);
	}
}

static const char *const lock_sort[] = {
	[TALLY_LOCK] = "lock",
	[TALLY_CONDITION] = "condition",
	[TALLY_SEMAPHORE] = "semaphore",
};

static double
since_s(const struct report *r, const struct tally_lock *l)
{
	return ((double)(l->holder_mon_ns - r->run->start_mon_ns) / 1e9);
}

static const char *
holder_in(const struct report *r, const struct tally_lock *l)
{
	const struct tally *t = r->tally;

	return (l->holder_in == 0 ? ""
				  : defs_name_text(r->defs,
					t->functions[l->holder_in - 1].name));
}

static const char *
lock_name(const struct report *r, const struct tally_lock *l)
{
	return (l->id == 0 && l->name == 0 ? "(others)"
					   : defs_name_text(r->defs, l->name));
}

static void
text_lock(FILE *f, const struct report *r, const struct tally_lock *l)
{
	char who[REPORT_NAME_BYTES];

	fprintf(f, "  %-20s %-10s %#18" PRIx64 " %10" PRIu64 " %10" PRIu64,
	    lock_name(r, l), lock_sort[l->sort], l->id, l->acquisitions,
	    l->contended);
	if (l->sort == TALLY_LOCK)
		fprintf(f, " %10s", "-");
	else
		fprintf(f, " %10" PRIu64, l->signals);
	fprintf(f, " %12.6f %12.6f", ms(l->wait_ns), ms(l->longest_wait_ns));
	if (l->sort != TALLY_LOCK) {
		fprintf(f, " %12s %12s ", "-", "-");
	} else {
		fprintf(f, " %12.6f %12.6f ", ms(l->hold_ns),
		    ms(l->longest_hold_ns));
		if (l->holder != 0)
			fprintf(f, " %s%s%s from %.9f s",
			    report_location(r, l->holder, who),
			    l->holder_in != 0 ? " in " : "", holder_in(r, l),
			    since_s(r, l));
	}
	if (l->held > 0)
		fprintf(f, ", still held");
	if (l->waiting > 0)
		fprintf(f, ", waited for by %u at the end", l->waiting);
	putc('\n', f);
}

static void
text_locks(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;

	if (t->nlocks == 0)
		return;
	fprintf(f,
	    "\nlocks, times in ms\n  %-20s %-10s %18s %10s %10s %10s %12s %12s "
	    "%12s %12s  %s\n",
	    "name", "sort", "id", "acquired", "contended", "signalled",
	    "waited", "longest", "held", "longest", "held longest by");
	for (size_t i = 0; i < t->nlocks && i < REPORT_ROWS_MAX; i++)
		text_lock(f, r, &t->locks[i]);
	text_more(f, t->nlocks);
}

static void
text_rpcs(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;

	if (t->nrpcs == 0)
		return;
	fprintf(f,
	    "\nremote calls, times in ms\n  %-24s %10s %10s %10s %12s %12s "
	    "%12s %12s %12s %12s %12s %12s %12s\n",
	    "procedure", "calls", "served", "returned", "sent bytes",
	    "answered", "total", "min", "mean", "max", "p50", "p99", "service");
	for (size_t i = 0; i < t->nrpcs && i < REPORT_ROWS_MAX; i++) {
		const struct tally_rpc *c = &t->rpcs[i];

		fprintf(f,
		    "  %-24s %10" PRIu64 " %10" PRIu64 " %10" PRIu64
		    " %12" PRIu64 " %12" PRIu64 " %12.6f",
		    defs_name_text(r->defs, c->name), c->calls, c->served,
		    c->returned, c->sent_bytes, c->answered_bytes,
		    ms(c->times.total_ns));
		text_times(f, &c->times);
		fprintf(f, " %12.6f\n", ms(c->service_ns));
	}
	text_more(f, t->nrpcs);
}

void
text_code(FILE *f, const struct report *r)
{
	text_functions(f, r, SPAN_call, "functions", "function");
	text_callers(f, r);
	text_functions(f, r, SPAN_phase, "phases", "phase");
	text_waits(f, r);
	text_gaps(f, r);
	text_locks(f, r);
	text_rpcs(f, r);
	text_memory(f, r);
}

static void
doc_times(struct doc *d, const struct tally_times *times)
{
	doc_count(d, "total_ns", times->total_ns);
	doc_number(d, "min_ns", tally_percentile(times, 0));
	doc_count(d, "mean_ns", times->n == 0 ? 0 : times->total_ns / times->n);
	doc_number(d, "max_ns", tally_percentile(times, 100));
	doc_number(d, "p50_ns", tally_percentile(times, 50));
	doc_number(d, "p99_ns", tally_percentile(times, 99));
}

static void
doc_functions(struct doc *d, const struct report *r, enum event_span span,
    const char *title)
{
	const struct tally *t = r->tally;
	char where[REPORT_PLACE_BYTES];

	doc_list(d, title, DOC_LINES);
	for (size_t i = 0; i < t->nfunctions; i++) {
		const struct tally_function *fn = &t->functions[i];

		if (fn->span != span)
			continue;
		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "name", defs_name_text(r->defs, fn->name));
		doc_text(d, "program", t->programs[fn->program]);
		doc_text(d, "place", report_place(r, fn->name, where));
		doc_count(d, "calls", fn->calls);
		doc_count(d, "outer_calls", fn->times.n);
		doc_count(d, "self_ns", fn->self_ns);
		doc_count(d, "cpu_ns", fn->cpu_ns);
		doc_count(d, "self_cpu_ns", fn->self_cpu_ns);
		doc_bool(d, "cpu_known", !fn->cpu_unknown);
		doc_times(d, &fn->times);
		doc_end(d);
	}
	doc_end(d);
}

static void
doc_callers(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	char where[REPORT_PLACE_BYTES];

	doc_list(d, "callers", DOC_LINES);
	for (size_t i = 0; i < t->nsites; i++) {
		const struct tally_site *s = &t->sites[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "of", defs_name_text(r->defs, s->name));
		doc_text(d, "program", t->programs[s->program]);
		doc_text(d, "from", defs_name_text(r->defs, s->place));
		doc_text(d, "place", report_place(r, s->place, where));
		doc_count(d, "calls", s->calls);
		doc_end(d);
	}
	doc_end(d);
}

static void
doc_locks(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	char id[24], who[REPORT_NAME_BYTES];

	doc_list(d, "locks", DOC_LINES);
	for (size_t i = 0; i < t->nlocks; i++) {
		const struct tally_lock *l = &t->locks[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		snprintf(id, sizeof(id), "0x%" PRIx64, l->id);
		doc_text(d, "name", defs_name_text(r->defs, l->name));
		doc_text(d, "sort", lock_sort[l->sort]);
		doc_text(d, "id", id);
		doc_count(d, "acquisitions", l->acquisitions);
		doc_count(d, "contended", l->contended);
		doc_count(d, "signals", l->signals);
		doc_count(d, "wait_ns", l->wait_ns);
		doc_count(d, "longest_wait_ns", l->longest_wait_ns);
		doc_count(d, "hold_ns", l->hold_ns);
		doc_count(d, "longest_hold_ns", l->longest_hold_ns);
		doc_text(d, "holder",
		    l->holder == 0 ? "" : report_location(r, l->holder, who));
		doc_text(d, "holder_in", holder_in(r, l));
		doc_number(d, "holder_since_ns",
		    l->holder == 0 ? 0
				   : l->holder_mon_ns - r->run->start_mon_ns);
		doc_count(d, "still_held", l->held);
		doc_count(d, "still_waiting", l->waiting);
		doc_end(d);
	}
	doc_end(d);
}

static void
doc_rpcs(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;

	doc_list(d, "rpcs", DOC_LINES);
	for (size_t i = 0; i < t->nrpcs; i++) {
		const struct tally_rpc *c = &t->rpcs[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "name", defs_name_text(r->defs, c->name));
		doc_count(d, "calls", c->calls);
		doc_count(d, "served", c->served);
		doc_count(d, "returned", c->returned);
		doc_count(d, "sent_bytes", c->sent_bytes);
		doc_count(d, "answered_bytes", c->answered_bytes);
		doc_count(d, "service_ns", c->service_ns);
		doc_times(d, &c->times);
		doc_end(d);
	}
	doc_end(d);
}

static void
doc_waits(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;

	doc_list(d, "waits", DOC_LINES);
	for (size_t i = 0; i < t->nfunctions; i++) {
		const struct tally_function *fn = &t->functions[i];

		if (!is_wait(fn))
			continue;
		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "call", defs_name_text(r->defs, fn->name));
		doc_text(d, "program", t->programs[fn->program]);
		doc_count(d, "waits", fn->calls);
		doc_times(d, &fn->times);
		doc_end(d);
	}
	doc_end(d);
}

static void
doc_gaps(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;

	doc_list(d, "stream_gaps", DOC_LINES);
	for (size_t i = 0; i < t->nfunctions; i++) {
		const struct tally_function *fn = &t->functions[i];

		if (fn->span != SPAN_none)
			continue;
		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "why", defs_name_text(r->defs, fn->name));
		doc_text(d, "program", t->programs[fn->program]);
		doc_count(d, "told", fn->calls);
		doc_end(d);
	}
	doc_end(d);
}

void
doc_code(struct doc *d, const struct report *r)
{
	doc_functions(d, r, SPAN_call, "functions");
	doc_callers(d, r);
	doc_functions(d, r, SPAN_phase, "phases");
	doc_waits(d, r);
	doc_gaps(d, r);
	doc_locks(d, r);
	doc_rpcs(d, r);
	doc_memory(d, r);
}
