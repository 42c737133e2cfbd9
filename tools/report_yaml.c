/*
 * The same report for programs; its keys do not change.
 */
#include <inttypes.h>
#include <string.h>

#include "report.h"

static void
quoted(FILE *f, const char *s, size_t n)
{
	putc('"', f);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			fprintf(f, "\\x%02x", c);
		else
			putc(c, f);
	}
	putc('"', f);
}

static void
string(FILE *f, const char *s)
{
	quoted(f, s, strlen(s));
}

static void
yaml_run(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;

	fprintf(f, "run:\n  name: ");
	quoted(f, r->run->name.p, r->run->name.n);
	fprintf(f,
	    "\n  finished: %s\n  start_real_ns: %" PRId64
	    "\n  duration_ns: %" PRId64 "\n  damaged_bytes: %" PRIu64 "\n",
	    r->finished ? "true" : "false", r->run->start_real_ns,
	    t->last_mon_ns - t->first_mon_ns, r->damaged_bytes);
	fprintf(f,
	    "events:\n  total: %" PRIu64 "\n  lost: %" PRIu64
	    "\n  late: %" PRIu64 "\n  orphans: %" PRIu64 "\n  shifted: %" PRIu64
	    "\n  classes: {",
	    t->events, t->faults.lost, t->faults.late, t->faults.orphans,
	    t->faults.shifted);
	for (int i = 0; i < EVENT_CLASSES; i++)
		fprintf(f, "%s %s: %" PRIu64, i > 0 ? "," : "",
		    event_class_name[i], t->by_class[i]);
	fprintf(f, " }\n");
	if (r->finished)
		fprintf(f,
		    "receipt: { published: %" PRIu64 ", stored: %" PRIu64
		    ", lost: %" PRIu64 ", late: %" PRIu64 ", orphans: %" PRIu64
		    ", unknown: %" PRIu32 ", unattached: %" PRIu64
		    ", unrecorded: %" PRIu64 " }\n",
		    r->receipt.published, r->receipt.stored, r->receipt.lost,
		    r->receipt.late, r->receipt.orphans, r->receipt.unknown,
		    r->receipt.unattached, r->receipt.unrecorded);
}

static void
yaml_tasks(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	fprintf(f,
	    "tasks:\n  total: %" PRIu64 "\n  begun: %" PRIu64
	    "\n  ended: %" PRIu64
	    "\n  deepest_level: %zu\n  suspended: %" PRIu64
	    "\n  suspensions: %" PRIu64 "\n  levels: [",
	    t->tasks.known, t->tasks.begun, t->tasks.ended,
	    t->tasks.levels == 0 ? 0 : t->tasks.levels - 1, t->tasks.suspended,
	    t->tasks.suspensions);
	for (size_t i = 0; i < t->tasks.levels; i++)
		fprintf(f, "%s%" PRIu64, i > 0 ? ", " : "", t->tasks.level[i]);
	fprintf(f, "]\n  procedures:%s\n", t->nprocedures == 0 ? " []" : "");
	for (size_t i = 0; i < t->nprocedures; i++) {
		const struct tally_procedure *p = &t->procedures[i];

		fprintf(f, "    - { name: ");
		string(f, defs_name_text(r->defs, p->name));
		fprintf(f,
		    ", tasks: %" PRIu64 ", suspensions: %" PRIu64
		    ", run_ns: %" PRId64 " }\n",
		    p->tasks, p->suspensions, p->run_ns);
	}
	fprintf(f, "  pes:%s\n", t->npes == 0 ? " []" : "");
	for (size_t i = 0; i < t->npes; i++) {
		const struct tally_pe *pe = &t->pes[i];

		fprintf(f, "    - { po: ");
		string(f, report_po(r, pe->po, name));
		fprintf(f,
		    ", pe: %u, tasks: %" PRIu64 ", resumed: %" PRIu64
		    ", run_ns: %" PRId64 " }\n",
		    pe->pe, pe->tasks, pe->resumed, pe->run_ns);
	}
}

static void
yaml_messages(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	fprintf(f,
	    "messages:\n  sent: %" PRIu64 "\n  received: %" PRIu64
	    "\n  unmatched: %" PRIu64 "\n  bytes: %" PRIu64
	    "\n  between_nodes: %" PRIu64 "\n  pairs:%s\n",
	    t->sent, t->received, t->unmatched, t->bytes,
	    tally_between_nodes(t), t->npairs == 0 ? " []" : "");
	for (size_t i = 0; i < t->npairs; i++) {
		const struct tally_pair *p = &t->pairs[i];

		fprintf(f, "    - { from: ");
		string(f, report_po(r, p->from, name));
		fprintf(f, ", to: ");
		string(f, report_po(r, p->to, name));
		fprintf(f,
		    ", messages: %" PRIu64 ", bytes: %" PRIu64
		    ", way_ns: %" PRId64 " }\n",
		    p->messages, p->bytes, p->way_ns);
	}
}

static void
yaml_objects(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;

	fprintf(f,
	    "objects:\n  moves: %" PRIu64 "\n  arrivals: %" PRIu64
	    "\n  requests: %" PRIu64 "\n  orders: %" PRIu64
	    "\n  obeyed: %" PRIu64 "\n  classes:%s\n",
	    tally_departures(t), tally_arrivals(t), t->requests, t->orders,
	    t->obeyed, t->nclasses == 0 ? " []" : "");
	for (size_t i = 0; i < t->nclasses; i++) {
		const struct tally_class *c = &t->classes[i];

		fprintf(f, "    - { name: ");
		string(f, defs_name_text(r->defs, c->name));
		fprintf(f,
		    ", created: %" PRIu64 ", moves: %" PRIu64
		    ", arrivals: %" PRIu64 ", disposed: %" PRIu64
		    ", way_ns: %" PRId64 " }\n",
		    c->created, c->departures, c->arrivals, c->disposed,
		    c->way_ns);
	}
	fprintf(f, "  ways:%s\n", t->nways == 0 ? " []" : "");
	for (size_t i = 0; i < t->nways; i++) {
		fprintf(f, "    - { from: ");
		string(f, report_node(r, t->ways[i].from));
		fprintf(f, ", to: ");
		string(f, report_node(r, t->ways[i].to));
		fprintf(f, ", moves: %" PRIu64 " }\n", t->ways[i].moves);
	}
}

static void
yaml_threads(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	fprintf(f, "threads:\n");
	for (size_t i = 0; i < t->nthreads; i++) {
		const struct tally_thread *th = &t->threads[i];
		const struct def_thread *d = defs_thread(r->defs, th->location);

		if (d == NULL)
			continue;
		fprintf(f, "  - location: ");
		string(f, report_location(r, th->location, name));
		fprintf(f, "\n    name: ");
		string(f, d != NULL && d->name != NULL ? d->name : "");
		fprintf(f,
		    "\n    events: %" PRIu64 "\n    seen_ns: %" PRId64
		    "\n    states: {",
		    th->events, th->last_mon_ns - th->first_mon_ns);
		for (int j = 1; j < EVENT_SPANS; j++)
			fprintf(f, "%s %s: [%" PRId64 ", %" PRIu64 "]",
			    j > 1 ? "," : "", event_span_name[j],
			    th->span[j].total_ns, th->span[j].count);
		fprintf(f, " }\n");
	}
}

void
report_yaml(FILE *f, const struct report *r)
{
	yaml_run(f, r);
	yaml_tasks(f, r);
	yaml_messages(f, r);
	yaml_objects(f, r);
	yaml_threads(f, r);
}
