/*
 * monitorctl report: the figures of a run, from its log.
 */
#include "tools/report/report.h"

#include <errno.h>
#include <getopt.h>
#include <sysexits.h>

#include "log.h"
#include "monitorctl.h"
#include "tools/logs/argument.h"

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
