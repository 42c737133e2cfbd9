/*
 * A report as people read it: a headline per subject, a table below.  What
 * did not occur is left out.
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "plain.h"
#include "report.h"

#define PAIRS_MAX 24 /* of processes; the YAML has them all */
#define NODES_MAX 16 /* for a matrix */

static double
ms(int64_t ns)
{
	return ((double)ns / 1e6);
}

static double
mean_ms(int64_t ns, uint64_t n)
{
	return (n == 0 ? 0 : ms(ns) / (double)n);
}

static void
text_run(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	time_t start = (time_t)(r->run->start_real_ns / 1000000000);
	char when[40], name[PLAIN_BYTES(256)];
	struct tm tm;

	strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S",
	    gmtime_r(&start, &tm));
	plain(name, sizeof(name), r->run->name.p, r->run->name.n);
	fprintf(f, "run %s, started %s UTC, %s\n", name, when,
	    r->finished ? "finished" : "NOT FINISHED");
	if (t->events > 0)
		fprintf(f, "duration %.3f s, from %.3f s after the start\n",
		    (double)(t->last_mon_ns - t->first_mon_ns) / 1e9,
		    (double)(t->first_mon_ns - r->run->start_mon_ns) / 1e9);
	fprintf(f, "events %" PRIu64, t->events);
	for (int i = 0; i < EVENT_CLASSES; i++)
		if (t->by_class[i] > 0)
			fprintf(f, ", %s %" PRIu64, event_class_name[i],
			    t->by_class[i]);
	fprintf(f,
	    "\nlost %" PRIu64 ", late %" PRIu64 ", orphans %" PRIu64
	    ", shifted %" PRIu64 "\n",
	    t->faults.lost, t->faults.late, t->faults.orphans,
	    t->faults.shifted);
	for (int i = 0; i < LOST_REASONS; i++)
		if (t->faults.lost_by[i] > 0)
			fprintf(f, "  lost, %s: %" PRIu64 "\n",
			    lost_reason_name[i] != NULL ? lost_reason_name[i]
							: "?",
			    t->faults.lost_by[i]);
	if (r->finished)
		fprintf(f,
		    "receipt: published %" PRIu64 " = stored %" PRIu64
		    " + lost %" PRIu64 "%s\n",
		    r->receipt.published, r->receipt.stored, r->receipt.lost,
		    r->receipt.published == r->receipt.stored + r->receipt.lost
			? ""
			: ": NOT TRUE");
	if (r->damaged_bytes > 0)
		fprintf(f, "DAMAGED: %" PRIu64 " bytes were skipped\n",
		    r->damaged_bytes);
}

static void
text_pes(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char name[REPORT_NAME_BYTES];

	fprintf(f, "  %-16s %4s %10s %10s %14s\n", "process", "PE", "begun",
	    "resumed", "running ms");
	for (size_t i = 0; i < t->npes; i++) {
		const struct tally_pe *pe = &t->pes[i];

		fprintf(f, "  %-16s %4u %10" PRIu64 " %10" PRIu64 " %14.3f\n",
		    report_po(r, pe->po, name), pe->pe, pe->tasks, pe->resumed,
		    ms(pe->run_ns));
	}
}

static void
text_tasks(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;

	if (t->tasks.known == 0)
		return;
	fprintf(f,
	    "\ntasks %" PRIu64 ", deepest level %zu, suspended %" PRIu64
	    " (%" PRIu64 " times), PEs %zu\n",
	    t->tasks.known, t->tasks.levels - 1, t->tasks.suspended,
	    t->tasks.suspensions, t->npes);
	if (t->tasks.ended != t->tasks.known)
		fprintf(f, "  begun %" PRIu64 ", ended %" PRIu64 "\n",
		    t->tasks.begun, t->tasks.ended);
	fprintf(f, "  %-20s %10s %10s %14s %12s\n", "procedure", "tasks",
	    "suspended", "running ms", "mean ms");
	for (size_t i = 0; i < t->nprocedures; i++) {
		const struct tally_procedure *p = &t->procedures[i];

		fprintf(f,
		    "  %-20s %10" PRIu64 " %10" PRIu64 " %14.3f %12.6f\n",
		    defs_name_text(r->defs, p->name), p->tasks, p->suspensions,
		    ms(p->run_ns), mean_ms(p->run_ns, p->tasks));
	}
	text_pes(f, r);
	fprintf(f, "  tasks by level, from 0:");
	for (size_t i = 0; i < t->tasks.levels; i++)
		fprintf(f, "%s%" PRIu64, i % 16 == 0 ? "\n    " : " ",
		    t->tasks.level[i]);
	putc('\n', f);
}

/* The nodes by their names; returns how many. */
static uint32_t
nodes_by_name(const struct report *r, uint32_t node[NODES_MAX])
{
	uint32_t nodes = defs_nodes(r->defs), n = 0, i;

	if (nodes > NODES_MAX)
		return (0);
	for (uint32_t next = 1; next <= nodes; next++) {
		for (i = n++; i > 0 && strcmp(report_node(r, node[i - 1]),
					   report_node(r, next)) > 0;
		     i--)
			node[i] = node[i - 1];
		node[i] = next;
	}
	return (n);
}

/* A number for each pair of nodes. */
static void
text_node_matrix(FILE *f, const struct report *r)
{
	uint64_t count[NODES_MAX + 1][NODES_MAX + 1] = { 0 };
	const struct tally *t = r->tally;
	uint32_t node[NODES_MAX], nodes = nodes_by_name(r, node);

	if (nodes < 2)
		return;
	for (size_t i = 0; i < t->npairs; i++) {
		uint32_t from = t->pos[t->pairs[i].from].node;
		uint32_t to = t->pos[t->pairs[i].to].node;

		/* a thread may name a node that is not defined */
		if (from <= NODES_MAX && to <= NODES_MAX)
			count[from][to] += t->pairs[i].messages;
	}
	fprintf(f, "  %-16s", "from \\ to node");
	for (uint32_t to = 0; to < nodes; to++)
		fprintf(f, " %10s", report_node(r, node[to]));
	for (uint32_t from = 0; from < nodes; from++) {
		fprintf(f, "\n  %-16s", report_node(r, node[from]));
		for (uint32_t to = 0; to < nodes; to++)
			fprintf(f, " %10" PRIu64, count[node[from]][node[to]]);
	}
	putc('\n', f);
}

static void
text_messages(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;
	char from[REPORT_NAME_BYTES], to[REPORT_NAME_BYTES];

	if (t->sent + t->received == 0)
		return;
	fprintf(f,
	    "\nmessages %" PRIu64 ", received %" PRIu64 ", bytes %" PRIu64
	    ", between nodes %" PRIu64 "\n",
	    t->sent, t->received, t->bytes, tally_between_nodes(t));
	if (t->unmatched > 0)
		fprintf(f, "  received without a send: %" PRIu64 "\n",
		    t->unmatched);
	text_node_matrix(f, r);
	fprintf(f, "  %-16s %-16s %10s %14s %12s\n", "from", "to", "messages",
	    "bytes", "mean ms");
	for (size_t i = 0; i < t->npairs && i < PAIRS_MAX; i++) {
		const struct tally_pair *p = &t->pairs[i];

		fprintf(f, "  %-16s %-16s %10" PRIu64 " %14" PRIu64 " %12.6f\n",
		    report_po(r, p->from, from), report_po(r, p->to, to),
		    p->messages, p->bytes, mean_ms(p->way_ns, p->messages));
	}
	if (t->npairs > PAIRS_MAX)
		fprintf(f, "  and %zu pairs more; --yaml has them all\n",
		    t->npairs - PAIRS_MAX);
}

static void
text_objects(FILE *f, const struct report *r)
{
	const struct tally *t = r->tally;

	if (t->nclasses == 0)
		return;
	fprintf(f,
	    "\nobjects: moves %" PRIu64 ", arrivals %" PRIu64
	    ", requests %" PRIu64 ", orders %" PRIu64 ", obeyed %" PRIu64 "\n",
	    tally_departures(t), tally_arrivals(t), t->requests, t->orders,
	    t->obeyed);
	fprintf(f, "  %-16s %10s %10s %10s %10s %12s\n", "class", "created",
	    "moves", "arrivals", "disposed", "mean ms");
	for (size_t i = 0; i < t->nclasses; i++) {
		const struct tally_class *c = &t->classes[i];

		fprintf(f,
		    "  %-16s %10" PRIu64 " %10" PRIu64 " %10" PRIu64
		    " %10" PRIu64 " %12.6f\n",
		    c->name == 0 ? "?" : defs_name_text(r->defs, c->name),
		    c->created, c->departures, c->arrivals, c->disposed,
		    mean_ms(c->way_ns, c->arrivals));
	}
	fprintf(f, "  ways:");
	for (size_t i = 0; i < t->nways; i++)
		fprintf(f, "%s%s-%s %" PRIu64, i % 8 == 0 ? "\n    " : "  ",
		    report_node(r, t->ways[i].from),
		    report_node(r, t->ways[i].to), t->ways[i].moves);
	putc('\n', f);
}

static void
text_thread(FILE *f, const struct report *r, const struct tally_thread *th)
{
	char name[REPORT_NAME_BYTES];
	int n = 0;

	fprintf(f, "  %-16s %-16s %-16s %12.6f%1s %10" PRIu64 " %12.3f ",
	    report_location(r, th->location, name),
	    r->tally->programs[th->program], report_thread(r, th),
	    (double)report_begin_ns(r, th) / 1e9,
	    tally_thread_ended(r->tally, th) ? "" : "+", th->events,
	    ms(th->last_mon_ns - th->first_mon_ns));
	for (int i = 0; i < EVENT_SPANS; i++)
		if (th->span[i].count > 0)
			fprintf(f, "%s %s %.3f ms (%" PRIu64 ")",
			    n++ > 0 ? "," : "", event_span_name[i],
			    ms(th->span[i].total_ns), th->span[i].count);
	putc('\n', f);
}

static void
text_threads(FILE *f, const struct report *r)
{
	struct report_lives n = report_lives(r);

	fprintf(f,
	    "\nprocesses %" PRIu64 ", ended %" PRIu64 "; threads %" PRIu64
	    ", ended %" PRIu64 " (+: has not)\n",
	    n.processes, n.processes_ended, n.threads, n.threads_ended);
	fprintf(f, "  %-16s %-16s %-16s %12s  %10s %12s  %s\n", "thread",
	    "program", "name", "begin s", "events", "seen ms",
	    "states: time (times)");
	for (size_t i = 0; i < r->tally->nthreads; i++) {
		const struct tally_thread *th = &r->tally->threads[i];
		const struct def_thread *d = defs_thread(r->defs, th->location);

		/* thread 0 is the collector's word about the process */
		if (th->events > 0 && d != NULL && d->thread != 0)
			text_thread(f, r, th);
	}
}

void
report_text(FILE *f, const struct report *r)
{
	text_run(f, r);
	text_tasks(f, r);
	text_messages(f, r);
	text_objects(f, r);
	text_code(f, r);
	text_counters(f, r);
	text_own(f, r);
	text_samples(f, r);
	text_sched(f, r);
	text_threads(f, r);
}
