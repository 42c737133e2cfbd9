/*
 * Who is meant, in words: the names of nodes, processes, threads; and how many
 * of them there were.
 */
#include "report.h"

#include <string.h>

const char *
report_node(const struct report *r, uint32_t node)
{
	const struct def_node *n = defs_node(r->defs, node);

	return (n != NULL && n->name[0] != '\0' ? n->name
		: node == 0                     ? "monitord"
						: "?");
}

const char *
report_po(const struct report *r, uint32_t po_index,
    char name[REPORT_NAME_BYTES])
{
	const struct tally_po *po = &r->tally->pos[po_index];

	snprintf(name, REPORT_NAME_BYTES, "%s/%u", report_node(r, po->node),
	    po->po);
	return (name);
}

const char *
report_location(const struct report *r, uint32_t location,
    char name[REPORT_NAME_BYTES])
{
	const struct def_thread *d = defs_thread(r->defs, location);

	if (d == NULL || d->node == 0)
		snprintf(name, REPORT_NAME_BYTES, "%s",
		    location == 0 || d != NULL ? "monitord" : "?");
	else
		snprintf(name, REPORT_NAME_BYTES, "%s/%u.%u",
		    report_node(r, d->node), d->po, d->thread);
	return (name);
}

const char *
report_thread(const struct report *r, const struct tally_thread *th)
{
	const struct def_thread *d = defs_thread(r->defs, th->location);

	const char *system = d != NULL && d->name != NULL ? d->name : "";
	const char *own = defs_name_text(r->defs, th->name);

	if (th->renamed != 0)
		return (defs_name_text(r->defs, th->renamed));
	/* "worker 3" says more than "worker" */
	return (strncmp(system, own, strlen(own)) == 0 ? system : own);
}

struct report_lives
report_lives(const struct report *r)
{
	struct report_lives n = { 0 };

	for (size_t i = 0; i < r->tally->nthreads; i++) {
		const struct tally_thread *th = &r->tally->threads[i];
		const struct def_thread *d = defs_thread(r->defs, th->location);
		bool ended = tally_thread_ended(r->tally, th);

		if (d == NULL || d->po == 0 || th->events == 0)
			continue;
		/* thread 0 is the collector's word about the process */
		n.processes += d->thread == 0;
		n.processes_ended += d->thread == 0 && ended;
		n.threads += d->thread != 0;
		n.threads_ended += d->thread != 0 && ended;
	}
	return (n);
}

int64_t
report_begin_ns(const struct report *r, const struct tally_thread *th)
{
	return (th->first_mon_ns - r->run->start_mon_ns);
}
