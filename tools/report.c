/*
 * monitorctl report: the figures of a run, from its log.
 */
#include "report.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "monitorctl.h"

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

static int
add_event(void *arg, const struct event *e)
{
	return (tally_event(arg, e));
}

static int
report_file(struct tracefile *tf, enum doc_form form)
{
	static const struct trace_sink sink = { .event = add_event };
	struct report r = { .run = tracefile_run(tf) };
	struct tally *t = NULL;
	struct defs *defs;
	int code = EX_OSERR;

	if ((defs = log_defs(tf)) == NULL)
		return (EX_OSERR);
	if ((t = tally_new(defs)) == NULL ||
	    tracefile_each(tf, INT64_MIN, INT64_MAX, &sink, t) == -1 ||
	    tally_end(t) == -1) {
		log_warn("report");
		code = errno == ENOMEM ? EX_OSERR : EX_IOERR;
		goto out;
	}
	r.tally = t;
	r.defs = defs;
	r.finished = tracefile_receipt(tf, &r.receipt) == 1;
	r.damaged_bytes = tracefile_damaged_bytes(tf);
	if (form == DOC_NONE)
		report_text(stdout, &r);
	else
		report_doc(stdout, &r, form);
	code = r.damaged_bytes > 0 ? EX_DATAERR : EX_OK;
out:
	tally_free(t);
	defs_free(defs);
	return (code);
}

int
report_run(const struct globals *g, int argc, char **argv)
{
	static const struct option options[] = {
		{ "yaml", no_argument, NULL, 'y' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct tracefile *tf;
	enum doc_form form = DOC_NONE;
	int c, code;

	(void)g;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'y':
			form = DOC_YAML;
			break;
		case 'j':
			form = DOC_JSON;
			break;
		default:
			return (option_of("report", c, argv));
		}
	if (argc - optind != 1)
		return (usage_of("report", false));
	if ((tf = log_open(argv[optind], &code)) == NULL)
		return (code);
	code = report_file(tf, form);
	tracefile_close(tf);
	return (code);
}
