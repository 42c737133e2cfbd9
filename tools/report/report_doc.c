/*
 * The report for programs, as YAML or JSON; its keys do not change.
 */
#include "report.h"

#include <string.h>

#include "plain.h"

static void
doc_run(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[PLAIN_BYTES(256)];

	plain(name, sizeof(name), r->run->name.p, r->run->name.n);
	doc_map(d, "run", DOC_LINES);
	doc_text(d, "name", name);
	doc_bool(d, "finished", r->finished);
	doc_number(d, "start_real_ns", r->run->start_real_ns);
	doc_number(d, "duration_ns", t->last_mon_ns - t->first_mon_ns);
	doc_count(d, "damaged_bytes", r->damaged_bytes);
	doc_end(d);
	doc_map(d, "events", DOC_LINES);
	doc_count(d, "total", t->events);
	doc_count(d, "lost", t->faults.lost);
	doc_count(d, "late", t->faults.late);
	doc_count(d, "orphans", t->faults.orphans);
	doc_count(d, "shifted", t->faults.shifted);
	doc_map(d, "classes", DOC_ONE_LINE);
	for (int i = 0; i < EVENT_CLASSES; i++)
		doc_count(d, event_class_name[i], t->by_class[i]);
	doc_end(d);
	doc_end(d);
	if (r->finished)
		doc_receipt(d, &r->receipt);
}

void
doc_receipt(struct doc *d, const struct msg_receipt *r)
{
	doc_map(d, "receipt", DOC_ONE_LINE);
	doc_count(d, "published", r->published);
	doc_count(d, "stored", r->stored);
	doc_count(d, "lost", r->lost);
	doc_count(d, "late", r->late);
	doc_count(d, "orphans", r->orphans);
	doc_count(d, "unknown", r->unknown);
	doc_count(d, "unattached", r->unattached);
	doc_count(d, "unrecorded", r->unrecorded);
	doc_end(d);
}

static void
doc_tasks(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	doc_map(d, "tasks", DOC_LINES);
	doc_count(d, "total", t->tasks.known);
	doc_count(d, "begun", t->tasks.begun);
	doc_count(d, "ended", t->tasks.ended);
	doc_count(d, "deepest_level",
	    t->tasks.levels == 0 ? 0 : t->tasks.levels - 1);
	doc_count(d, "suspended", t->tasks.suspended);
	doc_count(d, "suspensions", t->tasks.suspensions);
	doc_list(d, "levels", DOC_ONE_LINE);
	for (size_t i = 0; i < t->tasks.levels; i++)
		doc_count(d, NULL, t->tasks.level[i]);
	doc_end(d);
	doc_list(d, "procedures", DOC_LINES);
	for (size_t i = 0; i < t->nprocedures; i++) {
		const struct tally_procedure *p = &t->procedures[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "name", defs_name_text(r->defs, p->name));
		doc_count(d, "tasks", p->tasks);
		doc_count(d, "suspensions", p->suspensions);
		doc_number(d, "run_ns", p->run_ns);
		doc_end(d);
	}
	doc_end(d);
	doc_list(d, "pes", DOC_LINES);
	for (size_t i = 0; i < t->npes; i++) {
		const struct tally_pe *pe = &t->pes[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "po", report_po(r, pe->po, name));
		doc_count(d, "pe", pe->pe);
		doc_count(d, "tasks", pe->tasks);
		doc_count(d, "resumed", pe->resumed);
		doc_number(d, "run_ns", pe->run_ns);
		doc_end(d);
	}
	doc_end(d);
	doc_end(d);
}

static void
doc_messages(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	doc_map(d, "messages", DOC_LINES);
	doc_count(d, "sent", t->sent);
	doc_count(d, "received", t->received);
	doc_count(d, "unmatched", t->unmatched);
	doc_count(d, "bytes", t->bytes);
	doc_count(d, "between_nodes", tally_between_nodes(t));
	doc_list(d, "pairs", DOC_LINES);
	for (size_t i = 0; i < t->npairs; i++) {
		const struct tally_pair *p = &t->pairs[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "from", report_po(r, p->from, name));
		doc_text(d, "to", report_po(r, p->to, name));
		doc_count(d, "messages", p->messages);
		doc_count(d, "bytes", p->bytes);
		doc_number(d, "way_ns", p->way_ns);
		doc_end(d);
	}
	doc_end(d);
	doc_end(d);
}

static void
doc_objects(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;

	doc_map(d, "objects", DOC_LINES);
	doc_count(d, "moves", tally_departures(t));
	doc_count(d, "arrivals", tally_arrivals(t));
	doc_count(d, "requests", t->requests);
	doc_count(d, "orders", t->orders);
	doc_count(d, "obeyed", t->obeyed);
	doc_list(d, "classes", DOC_LINES);
	for (size_t i = 0; i < t->nclasses; i++) {
		const struct tally_class *c = &t->classes[i];

		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "name", defs_name_text(r->defs, c->name));
		doc_count(d, "created", c->created);
		doc_count(d, "moves", c->departures);
		doc_count(d, "arrivals", c->arrivals);
		doc_count(d, "disposed", c->disposed);
		doc_number(d, "way_ns", c->way_ns);
		doc_end(d);
	}
	doc_end(d);
	doc_list(d, "ways", DOC_LINES);
	for (size_t i = 0; i < t->nways; i++) {
		doc_map(d, NULL, DOC_ONE_LINE);
		doc_text(d, "from", report_node(r, t->ways[i].from));
		doc_text(d, "to", report_node(r, t->ways[i].to));
		doc_count(d, "moves", t->ways[i].moves);
		doc_end(d);
	}
	doc_end(d);
	doc_end(d);
}

static void
doc_threads(struct doc *d, const struct report *r)
{
	const struct tally *t = r->tally;
	struct report_lives lives = report_lives(r);
	char name[REPORT_NAME_BYTES];

	doc_map(d, "lives", DOC_ONE_LINE);
	doc_count(d, "processes", lives.processes);
	doc_count(d, "processes_ended", lives.processes_ended);
	doc_count(d, "threads", lives.threads);
	doc_count(d, "threads_ended", lives.threads_ended);
	doc_end(d);
	doc_list(d, "threads", DOC_LINES);
	for (size_t i = 0; i < t->nthreads; i++) {
		const struct tally_thread *th = &t->threads[i];

		if (defs_thread(r->defs, th->location) == NULL)
			continue;
		doc_map(d, NULL, DOC_LINES);
		doc_text(d, "location", report_location(r, th->location, name));
		doc_text(d, "program", t->programs[th->program]);
		doc_text(d, "name", report_thread(r, th));
		doc_count(d, "events", th->events);
		doc_number(d, "begin_ns", report_begin_ns(r, th));
		doc_bool(d, "ended", tally_thread_ended(t, th));
		doc_number(d, "seen_ns", th->last_mon_ns - th->first_mon_ns);
		doc_map(d, "states", DOC_ONE_LINE);
		for (int j = 1; j < EVENT_SPANS; j++) {
			doc_list(d, event_span_name[j], DOC_ONE_LINE);
			doc_number(d, NULL, th->span[j].total_ns);
			doc_count(d, NULL, th->span[j].count);
			doc_end(d);
		}
		doc_end(d);
		doc_end(d);
	}
	doc_end(d);
}

void
report_doc(FILE *f, const struct report *r, enum doc_form form)
{
	struct doc d;

	doc_begin(&d, f, form);
	doc_run(&d, r);
	doc_tasks(&d, r);
	doc_messages(&d, r);
	doc_objects(&d, r);
	doc_code(&d, r);
	doc_counters(&d, r);
	doc_own(&d, r);
	doc_samples(&d, r);
	doc_sched(&d, r);
	doc_threads(&d, r);
	doc_finish(&d);
}
