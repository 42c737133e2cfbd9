/*
 * monitorctl check: is this log what it promises to be?  Shares nothing with
 * the code that ordered and stored it: frames are looked at by structure.c,
 * events and the receipt by proto/check/validate.h.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "check/validate.h"
#include "log.h"
#include "monitorctl.h"
#include "tools/logs/argument.h"
#include "tools/logs/structure.h"
#include "tools/report/report.h"

#define SHOWN_MAX 20

struct check {
	struct validate *validate;
	uint64_t violations;
	bool quiet;
	struct doc doc; /* form: how to say it */
};

static void
say(struct check *c, const char *text)
{
	if (c->doc.form != DOC_NONE) {
		if (c->violations++ < SHOWN_MAX && !c->quiet)
			doc_text(&c->doc, NULL, text);
		return;
	}
	if (c->violations++ < SHOWN_MAX && !c->quiet)
		printf("violation: %s\n", text);
	else if (c->violations == SHOWN_MAX + 1 && !c->quiet)
		printf("violation: and so on\n");
}

static void
structure_violation(void *arg, const char *text)
{
	char line[500];

	snprintf(line, sizeof(line), "structure: %s", text);
	say(arg, line);
}

static void
event_violation(void *arg, const struct violation *v)
{
	char text[700];

	snprintf(text, sizeof(text), "%s: %s", violation_name[v->kind],
	    v->text);
	say(arg, text);
}

static int
check_definition(void *arg, const struct frame *f)
{
	struct check *c = arg;

	if (validate_definition(c->validate, f) == 0)
		return (0);
	if (errno != EINVAL)
		return (-1);
	say(c, "structure: a definition that cannot be read");
	return (0);
}

static int
check_event(void *arg, const struct event *e)
{
	struct check *c = arg;

	return (validate_event(c->validate, e));
}

static void
check_receipt(const struct msg_receipt *r)
{
	printf("receipt: published %" PRIu64 " = stored %" PRIu64
	       " + lost %" PRIu64,
	    r->published, r->stored, r->lost);
	if (r->unknown > 0)
		printf("; of %" PRIu32 " threads nobody knows the count",
		    r->unknown);
	if (r->unattached > 0)
		printf("; %" PRIu64 " processes could not attach",
		    r->unattached);
	putchar('\n');
}

/* Effects that have no cause before them, or are said to have none. */
static void
check_pairs(const struct validate_counts *n, bool finished)
{
	printf("effects before their cause %" PRIu64
	       ", marked as orphans with it %" PRIu64 ", without it %" PRIu64
	       " (%" PRIu64 " not marked)",
	    n->early, n->marked, n->without, n->unmarked);
	if (!finished)
		printf("; the monitor has found %" PRIu64 " causes later",
		    n->found);
	putchar('\n');
}

/* receipt: NULL: there is none. */
static void
text_sums(struct check *c, const struct validate_counts *n,
    const struct msg_receipt *receipt)
{
	if (receipt != NULL)
		check_receipt(receipt);
	printf("events %" PRIu64 ", locations %" PRIu64
	       ", effects with their cause %" PRIu64 ", unverified %" PRIu64
	       ", shifted %" PRIu64 "\n",
	    n->events, n->locations, n->effects, n->unverified, n->shifted);
	check_pairs(n, receipt != NULL);
	if (n->ahead > 0)
		printf("ahead of time %" PRIu64
		       ": of more than a second to come, by the clock of their "
		       "node; they stand where they came\n",
		    n->ahead);
	if (n->backward > 0)
		printf("backward %" PRIu64
		       ": by the clock of their node before the event that "
		       "precedes them on their thread\n",
		    n->backward);
	printf("violations %" PRIu64 ", lost %" PRIu64 ", late %" PRIu64
	       ", orphans %" PRIu64 "\n",
	    c->violations, n->lost, n->late, n->orphans);
}

static void
doc_sums(struct check *c, const struct validate_counts *n,
    const struct msg_receipt *receipt)
{
	const struct {
		const char *key;
		uint64_t n;
	} rows[] = {
		{ "events", n->events },
		{ "locations", n->locations },
		{ "effects_with_cause", n->effects },
		{ "unverified", n->unverified },
		{ "shifted", n->shifted },
		{ "effects_before_cause", n->early },
		{ "orphans_with_cause", n->marked },
		{ "effects_without_cause", n->without },
		{ "effects_without_cause_unmarked", n->unmarked },
		{ "causes_found_later", n->found },
		{ "ahead", n->ahead },
		{ "backward", n->backward },
		{ "lost", n->lost },
		{ "late", n->late },
		{ "orphans", n->orphans },
	};

	doc_end(&c->doc); /* the violations that are shown */
	doc_count(&c->doc, "violations", c->violations);
	doc_bool(&c->doc, "finished", receipt != NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		doc_count(&c->doc, rows[i].key, rows[i].n);
	if (receipt != NULL)
		doc_receipt(&c->doc, receipt);
	doc_finish(&c->doc);
}

static int
check_file(struct check *c, struct tracefile *tf, bool unfinished)
{
	static const struct trace_sink sink = {
		.definition = check_definition,
		.event = check_event,
	};
	const struct validate_counts *n;
	struct msg_receipt receipt;
	struct structure s;
	bool finished;

	if (c->doc.form != DOC_NONE) {
		doc_begin(&c->doc, stdout, c->doc.form);
		doc_list(&c->doc, "shown", DOC_LINES);
	}
	validate_origin(c->validate, tracefile_run(tf)->start_mon_ns);
	finished = tracefile_receipt(tf, &receipt) == 1;
	if (!finished)
		validate_growing(c->validate);
	if (structure_check(tf, structure_violation, c, &s) == -1 ||
	    tracefile_each(tf, INT64_MIN, INT64_MAX, &sink, c) == -1) {
		log_warn("cannot check");
		return (errno == ENOMEM ? EX_OSERR : EX_IOERR);
	}
	validate_end(c->validate);
	n = validate_counts(c->validate);
	if (n->events != s.events)
		say(c,
		    "structure: blocks do not hold as many events as they say");
	if (finished)
		validate_receipt(c->validate, &receipt);
	else if (!unfinished)
		say(c,
		    "receipt: none: the run is not finished (--unfinished accepts "
		    "that)");
	if (c->doc.form != DOC_NONE)
		doc_sums(c, n, finished ? &receipt : NULL);
	else
		text_sums(c, n, finished ? &receipt : NULL);
	return (c->violations > 0 ? EX_DATAERR : EX_OK);
}

int
check_run(const struct globals *g, int argc, char **argv)
{
	static const struct option options[] = {
		{ "unfinished", no_argument, NULL, 'u' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "yaml", no_argument, NULL, 'y' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct check check = { 0 };
	bool unfinished = false;
	struct tracefile *tf;
	int c, code;

	(void)g;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'u':
			unfinished = true;
			break;
		case 'q':
			check.quiet = true;
			break;
		case 'y':
			check.doc.form = DOC_YAML;
			break;
		case 'j':
			check.doc.form = DOC_JSON;
			break;
		default:
			return (option_of("check", c, argv));
		}
	if (argc - optind != 1)
		return (usage_of("check", false));
	if ((tf = log_open(argv[optind], &code)) == NULL)
		return (code);
	check.validate = validate_new(event_violation, &check);
	if (check.validate == NULL) {
		log_warn("check");
		code = EX_OSERR;
	} else {
		code = check_file(&check, tf, unfinished);
	}
	validate_free(check.validate);
	tracefile_close(tf);
	return (code);
}
