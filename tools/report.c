/*
 * monitorctl report: the figures of a run, from its log.
 */
#include "tools/report/report.h"

#include <errno.h>
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
	struct tracefile *tf;
	enum doc_form form;
	const char *file;
	int code;

	(void)g;
	if ((file = file_of("report", argc, argv, &form, &code)) == NULL ||
	    (tf = log_open(file, &code)) == NULL)
		return (code);
	code = report_file(tf, form);
	tracefile_close(tf);
	return (code);
}
