/*
 * monitorctl status: how the run is.  monitord answers in YAML; what people
 * look at is a page, a line a node.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

#include "log.h"
#include "monitorctl.h"
#include "plain.h"
#include "tools/ask/ask.h"
#include "tools/doc/doc.h"
#include "tools/doc/yaml.h"
#include "tools/doc/yaml_json.h"
#include "tools/logs/argument.h"

#define CLEAR_SCREEN "\033[H\033[J"
#define SILENT_MS    3000 /* at rest a node tells of itself each second */

/* "ok" in green, what needs a look in red; padded to a width. */
static void
put_state(const char *what, const char *state, int width, bool good)
{
	const char *on = "", *off = "";

	if (colours()) {
		on = good ? "\033[32m" : "\033[31m";
		off = "\033[0m";
	}
	printf("  %s: %s%-*s%s", what, on, width, state, off);
}

static void
put_bytes(double bytes)
{
	static const char *const unit[] = { "B", "KB", "MB", "GB", "TB" };
	size_t i = 0;

	for (; bytes >= 10000 && i < 4; i++)
		bytes /= 1000;
	printf("%.0f %s", bytes, unit[i]);
}

#define NEVER_NS ((int64_t)1 << 62)

/* How its machine is, as far as its counters tell. */
static void
put_host(const struct yaml *y, unsigned i)
{
	if (*yaml_get(y, "nodes.%u.host.age_ms", i) == '\0')
		return;
	printf("  %-12s  machine:", "");
	if (*yaml_get(y, "nodes.%u.host.cpu_percent", i) != '\0')
		printf(" cpu %.0f %%,",
		    yaml_number(y, "nodes.%u.host.cpu_percent", i));
	printf(" load %.2f, memory ", yaml_number(y, "nodes.%u.host.load", i));
	put_bytes(yaml_number(y, "nodes.%u.host.memory_bytes", i));
	printf(", network in ");
	put_bytes(yaml_number(y, "nodes.%u.host.received_bytes_per_s", i));
	printf("/s, out ");
	put_bytes(yaml_number(y, "nodes.%u.host.sent_bytes_per_s", i));
	printf("/s\n");
}

static void
put_node(const struct yaml *y, unsigned i, bool resting)
{
	const char *state = yaml_get(y, "nodes.%u.state", i);
	const char *clock = yaml_get(y, "nodes.%u.clock.state", i);
	const char *note = yaml_get(y, "nodes.%u.note", i);
	double lag_ms = yaml_number(y, "nodes.%u.lag_ms", i);
	double heard_ms = yaml_number(y, "nodes.%u.heard_ms", i);
	double error_ns = yaml_number(y, "nodes.%u.clock.error_ns", i);
	double pair_ns = yaml_number(y, "nodes.%u.clock.pair_error_ns", i);

	printf("  %-12s", yaml_get(y, "nodes.%u.name", i));
	put_state("state", state, 8, strcmp(state, "running") == 0);
	put_state("clock", clock, 8, strcmp(clock, "locked") == 0);
	if (error_ns >= (double)NEVER_NS)
		printf("+-       ? us"); /* it was never measured */
	else
		printf("+-%8.2f us", error_ns / 1e3);
	if (pair_ns > 0 && pair_ns < error_ns)
		printf(", %.2f us (messages)", pair_ns / 1e3);
	printf("  %8.0f events/s  ", yaml_number(y, "nodes.%u.rate", i));
	if (lag_ms < 0)
		printf("lag      - ms");
	else if (resting && heard_ms > SILENT_MS)
		printf("silent %4.0f s", heard_ms / 1e3);
	else if (resting)
		printf("      at rest");
	else
		printf("lag %6.1f ms", lag_ms);
	printf("  lost %.0f  POs %.0f  threads %.0f  spool ",
	    yaml_number(y, "nodes.%u.lost", i),
	    yaml_number(y, "nodes.%u.pos", i),
	    yaml_number(y, "nodes.%u.threads", i));
	put_bytes(yaml_number(y, "nodes.%u.spool_bytes", i));
	printf("%s%s\n", *note != '\0' ? "  " : "", note);
	put_host(y, i);
	if (yaml_number(y, "nodes.%u.lost", i) > 0)
		printf("  %-12s  EVENTS ARE LOST for want of room: a larger "
		       "`ring', `full: wait:MS' or a `mask' would keep them\n",
		    "");
	if (yaml_number(y, "nodes.%u.unattached", i) > 0)
		printf("  %-12s  %s processes COULD NOT ATTACH; the last: %s\n",
		    "", yaml_get(y, "nodes.%u.unattached", i),
		    yaml_get(y, "nodes.%u.unattached_why", i));
}

static void
put_page(const struct yaml *y)
{
	bool resting = strcmp(yaml_get(y, "order.resting"), "true") == 0;

	printf("run: %s\n", yaml_get(y, "run.uuid"));
	printf("name: %s, %s for %.1f s, %s viewers\n", yaml_get(y, "run.name"),
	    yaml_get(y, "run.state"), yaml_number(y, "run.seconds"),
	    yaml_get(y, "viewers"));
	printf("log: %s, ", yaml_get(y, "log.path"));
	put_bytes(yaml_number(y, "log.bytes"));
	printf(", %s events, %s events/s%s%s\n", yaml_get(y, "log.events"),
	    yaml_get(y, "log.rate"),
	    strcmp(yaml_get(y, "log.writable"), "false") == 0
		? ", CANNOT BE WRITTEN: "
		: "",
	    yaml_get(y, "log.why"));
	printf("events: published %s = stored %s + lost %s + under way %s; "
	       "late %s, orphans %s; the monitor's own %s\n",
	    yaml_get(y, "events.published"), yaml_get(y, "events.stored"),
	    yaml_get(y, "events.lost"), yaml_get(y, "events.under_way"),
	    yaml_get(y, "order.late"), yaml_get(y, "order.orphans"),
	    yaml_get(y, "events.monitor"));
	printf("order: %s%s%s, shifted %s, waiting %s, stalled nodes %s\n",
	    resting ? "at rest" : "lag ",
	    resting ? "" : yaml_get(y, "order.lag_ms"), resting ? "" : " ms",
	    yaml_get(y, "order.shifted"), yaml_get(y, "order.parked"),
	    yaml_get(y, "order.stalled_nodes"));
	printf(
	    "between nodes: %s messages, %s reversed by clock errors, mended "
	    "in the order\n",
	    yaml_get(y, "messages.between_nodes"),
	    yaml_get(y, "messages.reversed"));
	printf("nodes:\n");
	for (unsigned i = 0; *yaml_get(y, "nodes.%u.name", i) != '\0'; i++)
		put_node(y, i, resting);
}

static int
put_answer(const struct buf *text, int code, enum doc_form form)
{
	struct yaml y;

	if (form == DOC_YAML || code != EX_OK) {
		plain_print(code == EX_OK ? stdout : stderr, text->p, text->n);
		return (code);
	}
	if (yaml_parse(&y, (const char *)text->p, text->n) == -1) {
		log_warn("answer");
		code = EX_OSERR;
	} else if (form == DOC_JSON) {
		yaml_json(stdout, &y);
	} else {
		put_page(&y);
	}
	yaml_clear(&y);
	return (code);
}

/* How status is asked for. */
struct wanted {
	int64_t every_ns; /* 0: once */
	enum doc_form form;
};

/* 0; else it is over, with *code. */
static int
take_options(struct wanted *w, int argc, char **argv, int *code)
{
	static const struct option options[] = {
		{ "watch", optional_argument, NULL, 'w' },
		{ "yaml", no_argument, NULL, 'y' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'w':
			if (seconds_arg(optarg != NULL ? optarg : "1",
				&w->every_ns) == 0 &&
			    w->every_ns >= 10000000)
				break;
			log_warnx("--watch is %s, must be a number of "
				  "seconds, at least 0.01",
			    optarg);
			*code = EX_USAGE;
			return (-1);
		case 'y':
			w->form = DOC_YAML;
			break;
		case 'j':
			w->form = DOC_JSON;
			break;
		default:
			*code = option_of("status", c, argv);
			return (-1);
		}
	if (optind == argc)
		return (0);
	*code = usage_of("status", false);
	return (-1);
}

/* Asks and prints; more: for how the run is then. */
static int
status_once(const struct wanted *w, struct ask *a, struct buf *text, bool *more)
{
	int code;

	*more = false;
	if (status_ask(a, text, &code) == -1) {
		if (!a->may_end || a->code != EX_UNAVAILABLE)
			return (a->code);
		if (w->form == DOC_NONE)
			puts("the run has ended");
		return (EX_OK);
	}
	a->may_end = w->every_ns > 0;
	if (w->every_ns > 0 && w->form == DOC_NONE && colours())
		fputs(CLEAR_SCREEN, stdout);
	code = put_answer(text, code, w->form);
	fflush(stdout);
	*more = w->every_ns > 0 && code == EX_OK;
	return (code);
}

int
status_run(const struct globals *g, int argc, char **argv)
{
	struct wanted w = { .form = DOC_NONE };
	struct buf text = { 0 };
	struct timespec nap;
	struct ask a;
	bool more;
	int code;

	if (take_options(&w, argc, argv, &code) == -1)
		return (code);
	nap = (struct timespec){ w.every_ns / 1000000000,
		w.every_ns % 1000000000 };
	if (ask_monitord(&a, g->socket) == -1)
		return (a.code);
	while (code = status_once(&w, &a, &text, &more), more)
		nanosleep(&nap, NULL);
	buf_free(&text);
	ask_close(&a);
	return (code);
}
