/*
 * monitorctl dump: the events of a log as text, one a line, through filters.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

#include "log.h"
#include "monitorctl.h"
#include "tools/logs/argument.h"
#include "tools/logs/wanted.h"

#define LINE_BYTES 4096
#define BEFORE_NS  INT64_C(1000000000)

struct dump {
	struct defs *defs;
	struct own *own;
	struct wanted wanted;
	int64_t origin_mon_ns;
	bool raw, names, utc;
	int64_t from_mon_ns;
	int64_t real_ns; /* UTC at 0 of the monitor's clock */
};

/* The line with the day and the time of day instead of the time of the run. */
static void
put_utc(const struct dump *d, const struct event *e, const char *line)
{
	int64_t t = d->real_ns + e->t_mon_ns, second = 1000000000;
	int64_t ns = (t % second + second) % second;
	time_t s = (time_t)((t - ns) / second);
	char when[32];
	struct tm tm;

	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%S", gmtime_r(&s, &tm));
	printf("%s.%09" PRId64 "Z%s\n", when, ns, line + strcspn(line, " "));
}

static void
put_raw(const struct dump *d, const struct event *e)
{
	const struct event_desc *desc = defs_kind(d->defs, e->kind);

	printf("%" PRId64 "\t%" PRId64 "\t%" PRIu32 "\t%" PRIu64
	       "\t%s\t%u\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu32 "\n",
	    e->t_mon_ns, e->t_node_ns, e->location, e->seq,
	    desc != NULL ? desc->name : "?", e->flags, e->shift_ns, e->a, e->b,
	    e->c);
}

static int
dump_event(void *arg, const struct event *e)
{
	const struct dump *d = arg;
	enum own_part part = OWN_NOT;
	struct own_event own;
	char line[LINE_BYTES];

	if (!d->raw && (part = own_event(d->own, e, &own)) == OWN_FAILED)
		return (EX_OSERR);
	if (part == OWN_MORE_FOLLOWS || e->t_mon_ns < d->from_mon_ns ||
	    !wanted_event(&d->wanted, e))
		return (0);
	if (d->raw) {
		put_raw(d, e);
		return (ferror(stdout) ? EX_IOERR : 0);
	}
	if (part == OWN_WHOLE)
		event_print_own(line, sizeof(line), e, &own, d->defs,
		    d->origin_mon_ns, d->names);
	else
		(d->names ? event_print_named : event_print)(line, sizeof(line),
		    e, d->defs, d->origin_mon_ns);
	if (d->utc)
		put_utc(d, e, line);
	else
		puts(line);
	return (ferror(stdout) ? EX_IOERR : 0);
}

/*
 * Where reading begins: events of declared kinds may have parts from before the
 * range, some ns, or as long as their thread had no processor in between.
 */
static int64_t
read_from(const struct dump *d)
{
	struct own_kind kind;

	if (d->raw || d->from_mon_ns < INT64_MIN + BEFORE_NS)
		return (d->from_mon_ns);
	for (uint32_t i = 1; i <= defs_names(d->defs); i++) {
		const struct def_name *n = defs_name(d->defs, i);

		if (n != NULL && own_parse(&kind, n->text) == NULL &&
		    own_more(&kind) > 0)
			return (d->from_mon_ns - BEFORE_NS);
	}
	return (d->from_mon_ns);
}

static int
dump_file(struct dump *d, struct tracefile *tf, int64_t from_ns, int64_t to_ns)
{
	static const struct trace_sink sink = { .event = dump_event };
	int r;

	if (d->raw)
		puts("t_mon_ns\tt_node_ns\tlocation\tseq\tkind\tflags\t"
		     "shift_ns\ta\tb\tc");
	d->from_mon_ns = from_ns;
	r = tracefile_each(tf, read_from(d), to_ns, &sink, d);
	if (r == EX_IOERR)
		log_warn("cannot write");
	else if (r == EX_OSERR)
		log_warnx("dump: out of memory");
	else if (r == -1)
		log_warn("cannot read the log");
	if (tracefile_damaged_bytes(tf) > 0)
		log_warnx("%" PRIu64 " damaged bytes were skipped",
		    tracefile_damaged_bytes(tf));
	return (r == EX_OSERR                     ? r
		: r != 0                          ? EX_IOERR
		: tracefile_damaged_bytes(tf) > 0 ? EX_DATAERR
						  : EX_OK);
}

/* -1 with *code: that is all. */
static int
dump_options(struct dump *d, int argc, char **argv, int *code)
{
	static const struct option options[] = {
		WANTED_OPTIONS,
		{ "names", no_argument, NULL, 'N' },
		{ "utc", no_argument, NULL, 'u' },
		{ "raw", no_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int c, taken;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		taken = wanted_option(&d->wanted, "dump", c, optarg);
		if (taken == -1) {
			*code = EX_USAGE;
			return (-1);
		}
		if (taken == 1)
			continue;
		if (c == 'N')
			d->names = true;
		else if (c == 'u')
			d->utc = true;
		else if (c == 'r')
			d->raw = true;
		else {
			*code = option_of("dump", c, argv);
			return (-1);
		}
	}
	if (argc - optind == 1)
		return (0);
	*code = usage_of("dump", false);
	return (-1);
}

int
dump_run(const struct globals *g, int argc, char **argv)
{
	struct dump d = { .wanted = WANTED_ALL };
	struct tracefile *tf;
	int64_t from_ns, to_ns;
	int code;

	(void)g;
	if (dump_options(&d, argc, argv, &code) == -1 ||
	    (tf = log_open(argv[optind], &code)) == NULL)
		return (code);
	d.origin_mon_ns = tracefile_run(tf)->start_mon_ns;
	d.real_ns = tracefile_run(tf)->start_real_ns - d.origin_mon_ns;
	d.defs = log_defs(tf);
	if (d.defs == NULL || (d.own = defs_own(d.defs)) == NULL)
		code = EX_OSERR;
	else
		code = wanted_in(&d.wanted, "dump", d.defs, d.origin_mon_ns,
		    &from_ns, &to_ns);
	if (code == EX_OK)
		code = dump_file(&d, tf, from_ns, to_ns);
	own_free(d.own);
	defs_free(d.defs);
	tracefile_close(tf);
	return (code);
}
