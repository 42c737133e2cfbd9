/*
 * monitorctl export: a log in a format of others.  The file appears under its
 * name when it is whole, not before; without a name it goes to stdout.
 */
#include "export/export.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "monitorctl.h"
#include "tools/export/exportto.h"
#include "tools/logs/argument.h"
#include "tools/logs/wanted.h"

#define LOOK_EVERY 65536 /* events between two looks at the clock */

struct export
{
	const struct exporter *exporter;
	struct wanted wanted;
	struct export_of of;
	struct tracefile *tf;
	struct exportto to;
	struct msg_receipt receipt;
	int64_t from_mon_ns, to_mon_ns;
	bool *places;
	struct out out;
	void *format;
	/* what a terminal is told */
	uint64_t events, all;
	int64_t told_ns;
};

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((int64_t)t.tv_sec * 1000000000 + t.tv_nsec);
}

/* Once a second, in the place of what was said before. */
static void
tell_progress(struct export *x)
{
	int64_t now;

	if (x->told_ns == 0 || x->events % LOOK_EVERY != 0 ||
	    (now = now_ns()) < x->told_ns + 1000000000)
		return;
	x->told_ns = now;
	fprintf(stderr, "\rexport: %" PRIu64 " events", x->events);
	if (x->all > 0)
		fprintf(stderr, ", %u %%",
		    (unsigned)(100 * x->events / x->all));
	fflush(stderr);
}

static void
begin_progress(struct export *x)
{
	const struct tracefile_entry *entry;
	size_t n = 0;

	if (!isatty(STDERR_FILENO))
		return;
	x->told_ns = now_ns();
	if (tracefile_has_index(x->tf) != 1 ||
	    (entry = tracefile_index(x->tf, &n)) == NULL)
		return;
	for (size_t i = 0; i < n; i++)
		x->all += entry[i].events;
}

static int
export_event(void *arg, const struct event *e)
{
	struct export *x = arg;

	x->events++;
	tell_progress(x);
	if (!wanted_event(&x->wanted, e))
		return (0);
	return (x->exporter->event(x->format, e) == -1 ? EX_IOERR : 0);
}

static int
failed(const struct export *x)
{
	int code = errno == ENOMEM ? EX_OSERR : EX_IOERR;

	log_warn("%s", x->to.path != NULL ? x->to.path : "cannot write");
	return (code);
}

static int
open_out(struct export *x)
{
	bool own = x->exporter->to != EXPORT_STREAM;
	int code = exportto_open(&x->to, tracefile_mode(x->tf));

	if (code != EX_OK)
		return (code);
	x->of.path = x->to.part;
	if (!own && out_open(&x->out, x->to.fd) == -1)
		return (failed(x));
	x->format = x->exporter->begin(&x->of, own ? NULL : &x->out);
	return (x->format == NULL ? failed(x) : EX_OK);
}

/* On disk and under its name, if nobody has taken that meanwhile. */
static int
finish(struct export *x)
{
	if (x->exporter->end(x->format) == -1 || exportto_finish(&x->to) == -1)
		return (failed(x));
	return (EX_OK);
}

static int
look_at_event(void *arg, const struct event *e)
{
	struct export *x = arg;

	if (!wanted_event(&x->wanted, e))
		return (0);
	return (x->exporter->look(x->format, e) == -1 ? EX_IOERR : 0);
}

static int
write_events(struct export *x)
{
	static const struct trace_sink look = { .event = look_at_event };
	static const struct trace_sink sink = { .event = export_event };
	uint64_t damaged;
	int r = 0;

	begin_progress(x);
	if (x->exporter->look != NULL)
		r = tracefile_each(x->tf, x->from_mon_ns, x->to_mon_ns, &look,
		    x);
	if (r == EX_IOERR)
		return (failed(x));
	if (r == 0)
		r = tracefile_each(x->tf,
		    x->exporter->spans ? INT64_MIN : x->from_mon_ns,
		    x->to_mon_ns, &sink, x);
	if (x->told_ns != 0 && x->events >= LOOK_EVERY)
		fputs("\r\033[K", stderr);
	if (r == EX_IOERR)
		return (failed(x));
	if (r == -1) {
		log_warn("cannot read the log");
		return (errno == ENOMEM ? EX_OSERR : EX_IOERR);
	}
	if ((r = finish(x)) != EX_OK)
		return (r);
	if ((damaged = tracefile_damaged_bytes(x->tf)) > 0)
		log_warnx("%" PRIu64 " damaged bytes were skipped", damaged);
	return (damaged > 0 ? EX_DATAERR : EX_OK);
}

/* The definitions are the log's. */
static int
export_events(struct export *x, const struct defs *defs)
{
	const struct msg_run *run = tracefile_run(x->tf);
	uint32_t last = defs_locations(defs);
	int code = wanted_in(&x->wanted, "export", defs, run->start_mon_ns,
	    &x->from_mon_ns, &x->to_mon_ns);

	if (code != EX_OK)
		return (code);
	x->places = calloc((size_t)last + 1, sizeof(*x->places));
	if (x->places == NULL)
		return (failed(x));
	for (uint32_t i = 0; i <= last; i++)
		x->places[i] = wanted_place(&x->wanted, i);
	x->of = (struct export_of){ .defs = defs,
		.run = run,
		.from_mon_ns = x->from_mon_ns,
		.wanted = x->places };
	if (tracefile_receipt(x->tf, &x->receipt) == 1)
		x->of.receipt = &x->receipt;
	code = open_out(x);
	return (code == EX_OK ? write_events(x) : code);
}

static int
export_log(struct export *x)
{
	struct defs *defs = log_defs(x->tf);
	int code;

	if (defs == NULL)
		return (EX_OSERR);
	code = export_events(x, defs);
	if (x->format != NULL)
		x->exporter->free(x->format);
	out_close(&x->out);
	exportto_close(&x->to);
	free(x->places);
	defs_free(defs);
	return (code);
}

static void
list_formats(void)
{
	const struct exporter *e;

	puts("formats, and how the name of OUT ends for each:");
	for (size_t i = 0; (e = exporter_at(i)) != NULL; i++)
		printf("  %-11s %-17s %s\n", e->name, e->suffix, e->what);
}

/* -1 with *code: that is all. */
static int
find_format(struct export *x, const char *format, int *code)
{
	*code = EX_USAGE;
	if (format != NULL)
		x->exporter = exporter_named(format);
	else if (x->to.path != NULL)
		x->exporter = exporter_for(x->to.path);
	if (x->exporter == NULL && format != NULL)
		log_warnx("export: there is no format %s; monitorctl export "
			  "--help lists them",
		    format);
	else if (x->exporter == NULL)
		log_warnx("export: which format?  Say --format, or -o OUT with "
			  "a name that ends as monitorctl export --help says");
	else if (x->exporter->spans && x->wanted.kinds != NULL)
		log_warnx("export: --kind: %s is made of spans, of which no "
			  "kind can be left out; csv takes it",
		    x->exporter->name);
	else if (x->exporter->to != EXPORT_STREAM && x->to.path == NULL)
		log_warnx("export: %s is no stream; say -o OUT",
		    x->exporter->name);
	else
		return (0);
	return (-1);
}

/* -1 with *code: that is all. */
static int
export_options(struct export *x, int argc, char **argv, int *code)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'F' },
		WANTED_OPTIONS,
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *format = NULL;
	int c, taken;

	while ((c = getopt_long(argc, argv, "ho:", options, NULL)) != -1) {
		taken = wanted_option(&x->wanted, "export", c, optarg);
		if (taken == -1) {
			*code = EX_USAGE;
			return (-1);
		}
		if (taken == 1)
			continue;
		if (c == 'F')
			format = optarg;
		else if (c == 'o')
			x->to.path = optarg;
		else {
			*code = option_of("export", c, argv);
			if (c == 'h')
				list_formats();
			return (-1);
		}
	}
	*code = EX_USAGE;
	if (x->to.path != NULL &&
	    text_arg("export: --output", x->to.path) == -1)
		return (-1);
	if (argc - optind != 1) {
		*code = usage_of("export", false);
		return (-1);
	}
	if (find_format(x, format, code) == -1)
		return (-1);
	x->to.to = x->exporter->to;
	return (0);
}

int
export_run(const struct globals *g, int argc, char **argv)
{
	struct export x = { .wanted = WANTED_ALL };
	int code;

	(void)g;
	if (export_options(&x, argc, argv, &code) == -1 ||
	    (x.tf = log_open(argv[optind], &code)) == NULL)
		return (code);
	code = export_log(&x);
	tracefile_close(x.tf);
	return (code);
}
