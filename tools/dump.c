/*
 * monitorctl dump: the events of a log as text, one a line, through filters.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "monitorctl.h"

#define LINE_BYTES 4096

struct dump {
	struct defs *defs;
	int64_t origin_mon_ns;
	const char *node;    /* NULL: any */
	uint64_t po, thread; /* UINT64_MAX: any */
	bool some_kinds, raw, names;
	bool kind[EVENT_KINDS];
};

/* "send,receive": marks the kinds; -1 if one is unknown, having said so. */
static int
kinds_arg(struct dump *d, const char *list)
{
	char *copy = strdup(list), *at = copy, *name;
	const struct event_desc *desc;
	unsigned k;
	int r = copy == NULL ? -1 : 0;

	d->some_kinds = true;
	while (r == 0 && (name = strsep(&at, ",")) != NULL) {
		for (k = 1; k < EVENT_KINDS; k++)
			if ((desc = defs_kind(d->defs, k)) != NULL &&
			    strcmp(desc->name, name) == 0)
				break;
		if (k < EVENT_KINDS) {
			d->kind[k] = true;
		} else {
			log_warnx("no kind of event is called %s; "
				  "orrery-log(5) has them all",
			    name);
			r = -1;
		}
	}
	free(copy);
	return (r);
}

static bool
wanted(const struct dump *d, const struct event *e)
{
	const struct def_thread *t;
	const struct def_node *n;

	if (d->some_kinds && (e->kind >= EVENT_KINDS || !d->kind[e->kind]))
		return (false);
	if (d->node == NULL && d->po == UINT64_MAX && d->thread == UINT64_MAX)
		return (true);
	if ((t = defs_thread(d->defs, e->location)) == NULL)
		return (false);
	n = defs_node(d->defs, t->node);
	return (
	    (d->node == NULL || (n != NULL && strcmp(n->name, d->node) == 0)) &&
	    (d->po == UINT64_MAX || d->po == t->po) &&
	    (d->thread == UINT64_MAX || d->thread == t->thread));
}

static int
dump_event(void *arg, const struct event *e)
{
	const struct dump *d = arg;
	const struct event_desc *desc;
	char line[LINE_BYTES];

	if (!wanted(d, e))
		return (0);
	if (d->raw) {
		desc = defs_kind(d->defs, e->kind);
		printf("%" PRId64 "\t%" PRId64 "\t%" PRIu32 "\t%" PRIu64
		       "\t%s\t%u\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64
		       "\t%" PRIu32 "\n",
		    e->t_mon_ns, e->t_node_ns, e->location, e->seq,
		    desc != NULL ? desc->name : "?", e->flags, e->shift_ns,
		    e->a, e->b, e->c);
	} else {
		(d->names ? event_print_named : event_print)(line, sizeof(line),
		    e, d->defs, d->origin_mon_ns);
		puts(line);
	}
	return (ferror(stdout) ? EX_IOERR : 0);
}

static int
dump_file(struct dump *d, struct tracefile *tf, int64_t from_ns, int64_t to_ns)
{
	static const struct trace_sink sink = { .event = dump_event };
	int r;

	if (d->raw)
		puts("t_mon_ns\tt_node_ns\tlocation\tseq\tkind\tflags\t"
		     "shift_ns\ta\tb\tc");
	r = tracefile_each(tf, from_ns, to_ns, &sink, d);
	if (r == EX_IOERR)
		log_warn("cannot write");
	else if (r == -1)
		log_warn("cannot read the log");
	if (tracefile_damaged_bytes(tf) > 0)
		log_warnx("%" PRIu64 " damaged bytes were skipped",
		    tracefile_damaged_bytes(tf));
	return (r != 0                            ? EX_IOERR
		: tracefile_damaged_bytes(tf) > 0 ? EX_DATAERR
						  : EX_OK);
}

int
dump_run(const struct globals *g, int argc, char **argv)
{
	static const struct option options[] = {
		{ "from", required_argument, NULL, 'f' },
		{ "to", required_argument, NULL, 't' },
		{ "node", required_argument, NULL, 'n' },
		{ "po", required_argument, NULL, 'p' },
		{ "thread", required_argument, NULL, 'T' },
		{ "kind", required_argument, NULL, 'k' },
		{ "names", no_argument, NULL, 'N' },
		{ "raw", no_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct dump d = { .po = UINT64_MAX, .thread = UINT64_MAX };
	int64_t from_ns = INT64_MIN, to_ns = INT64_MAX;
	const char *kinds = NULL, *wrong = NULL, *of = NULL;
	struct tracefile *tf;
	int c, code, at = 0;

	(void)g;
	while ((c = getopt_long(argc, argv, "h", options, &at)) != -1) {
		if (wrong == NULL)
			of = options[at].name;
		switch (c) {
		case 'f':
			if (seconds_arg(optarg, &from_ns) == -1)
				wrong = optarg;
			break;
		case 't':
			if (seconds_arg(optarg, &to_ns) == -1)
				wrong = optarg;
			break;
		case 'n':
			d.node = optarg;
			break;
		case 'p':
			if (number_arg(optarg, UINT32_MAX, &d.po) == -1)
				wrong = optarg;
			break;
		case 'T':
			if (number_arg(optarg, UINT32_MAX, &d.thread) == -1)
				wrong = optarg;
			break;
		case 'k':
			kinds = optarg;
			break;
		case 'N':
			d.names = true;
			break;
		case 'r':
			d.raw = true;
			break;
		default:
			return (usage_of("dump", c == 'h'));
		}
	}
	if (wrong != NULL) {
		log_warnx("dump: --%s: %s is not a number; see monitorctl "
			  "dump --help",
		    of, wrong);
		return (EX_USAGE);
	}
	if (argc - optind != 1)
		return (usage_of("dump", false));
	if ((tf = log_open(argv[optind], &code)) == NULL)
		return (code);
	d.origin_mon_ns = tracefile_run(tf)->start_mon_ns;
	if (from_ns != INT64_MIN)
		from_ns += d.origin_mon_ns;
	if (to_ns != INT64_MAX)
		to_ns += d.origin_mon_ns;
	if ((d.defs = log_defs(tf)) == NULL)
		code = EX_OSERR;
	else if (kinds != NULL && kinds_arg(&d, kinds) == -1)
		code = EX_USAGE;
	else
		code = dump_file(&d, tf, from_ns, to_ns);
	defs_free(d.defs);
	tracefile_close(tf);
	return (code);
}
