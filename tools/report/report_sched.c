/* The part of a report that tells what the scheduler did with threads. */
#include <inttypes.h>

#include "report.h"

#define ROWS_MAX 200 /* on the page; the YAML has them all */

static const char *const state_name[TALLY_SCHED_STATES] = {
	[TALLY_RUNNING] = "running",
	[TALLY_READY] = "ready",
	[TALLY_BLOCKED] = "blocked",
};

static int64_t
life_ns(const struct tally_sched *s)
{
	return (s->last_mon_ns - s->first_mon_ns);
}

void
text_sched(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	if (t->nscheds == 0)
		return;
	fprintf(f,
	    "\nscheduler, times in ms\n  %-12s %10s %14s %14s %14s %14s "
	    "%10s %10s %10s  %s\n",
	    "process", "tid", "life", "running", "ready", "blocked", "switches",
	    "moves", "preempted", "known by");
	for (size_t i = 0; i < t->nscheds && i < ROWS_MAX; i++) {
		const struct tally_sched *s = &t->scheds[i];

		fprintf(f, "  %-12s %10" PRIu32 " %14.6f",
		    report_po(r, s->po, name), s->tid,
		    (double)life_ns(s) / 1e6);
		for (int k = 0; k < TALLY_SCHED_STATES; k++)
			fprintf(f, " %14.6f", (double)s->in_ns[k] / 1e6);
		fprintf(f, " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "  %s\n",
		    s->switches, s->moves, s->preempted,
		    defs_name_text(r->defs, t->pos[s->po].sched_way));
	}
	if (t->nscheds > ROWS_MAX)
		fprintf(f, "  and %zu more; --yaml has them all\n",
		    t->nscheds - ROWS_MAX);
}

void
doc_sched(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	doc_list(d, "scheduler", DOC_LINES);
	for (size_t i = 0; i < t->nscheds; i++) {
		const struct tally_sched *s = &t->scheds[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "po", report_po(r, s->po, name));
		doc_count(d, "id", s->tid);
		doc_number(d, "life_ns", life_ns(s));
		for (int k = 0; k < TALLY_SCHED_STATES; k++) {
			snprintf(name, sizeof(name), "%s_ns", state_name[k]);
			doc_count(d, name, s->in_ns[k]);
		}
		doc_count(d, "switches", s->switches);
		doc_count(d, "moves", s->moves);
		doc_count(d, "preempted", s->preempted);
		doc_text(d, "known_by",
		    defs_name_text(r->defs, t->pos[s->po].sched_way));
		doc_end(d);
	}
	doc_end(d);
}
