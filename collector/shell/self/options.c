/*
 * The command line of the collector, as a table.
 */
#include "options.h"

#include <sys/stat.h>

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "badopt.h"
#include "collector/sweep/measured/sampler.h"
#include "event.h"
#include "log.h"
#include "paths.h"

static const struct help {
	const char *option, *argument, *what;
} help[] = {
	{ "name", "NODE", "name of this node (required)" },
	{ "monitord", "ADDRESS",
	    "unix:/path or tcp:host:port (default: this user's monitord)" },
	{ "dir", "DIR", "runtime directory (default: $ORRERY_DIR, ...)" },
	{ "spool", "DIR", "where events wait for monitord" },
	{ "spool-limit", "SIZE", "of all events that wait (512M)" },
	{ "ring", "SIZE", "of each thread's ring (2M)" },
	{ "rings", "N", "threads with a ring at a time, per process (512)" },
	{ "flush", "TIME", "between batches (5ms)" },
	{ "sweep", "TIME", "between looks at the rings (1ms)" },
	{ "counters", "TIME",
	    "between readings of the system's counters; 0: none (100ms)" },
	{ "sched", "yes|no",
	    "record what the scheduler does with each thread (no)" },
	{ "sample", "HZ",
	    "look so often where each running thread is; 0: never (0)" },
	{ "mask", "CLASSES", "record these classes only, by name (all)" },
	{ "full", "POLICY", "discard, or wait:MS when a ring is full" },
	{ "test-clock", "S,PPM[,WANDER]", "for tests: a clock that is wrong" },
	{ "socket", "PATH", "of the attach and query port" },
	{ "stdin-exit", NULL, "stop when standard input closes" },
	{ "verbose", NULL, "say more (-v)" },
	{ "help", NULL, "print this (-h)" },
	{ "version", NULL, "print the version" },
};

static void
print_help(void)
{
	char left[64];

	printf("usage: collector --name NODE [options]\n\n"
	       "Collects the events of this node's programs and sends them to "
	       "monitord.\n\n");
	for (size_t i = 0; i < sizeof(help) / sizeof(*help); i++) {
		snprintf(left, sizeof(left), "--%s %s", help[i].option,
		    help[i].argument == NULL ? "" : help[i].argument);
		printf("  %-32s %s\n", left, help[i].what);
	}
	exit(0);
}

/* 256M, 2G, 4096 */
static uint64_t
parse_size(const char *option, const char *text)
{
	char *end;
	unsigned long long n;
	unsigned shift = 0;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (end != text && *end != '\0') {
		const char *unit = strchr("KMG", toupper((unsigned char)*end));

		if (unit != NULL) {
			shift = *unit == 'K' ? 10 : *unit == 'M' ? 20 : 30;
			end++;
		}
	}
	if (end == text || *end != '\0' || errno != 0 || !isdigit(*text) ||
	    n == 0 || n > UINT64_MAX >> shift)
		fatalx(EX_USAGE, "--%s %s: expected a size, like 2M", option,
		    text);
	return ((uint64_t)n << shift);
}

/* 5ms, 200us, 1s */
static int64_t
parse_time(const char *option, const char *text)
{
	static const struct {
		const char *unit;
		int64_t ns;
	} units[] = { { "us", 1000 }, { "ms", ENV_MS }, { "s", ENV_SEC } };
	char *end;
	unsigned long n;

	n = strtoul(text, &end, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (isdigit(*text) && strcmp(end, units[i].unit) == 0 &&
		    n > 0 && n <= 1000000)
			return ((int64_t)n * units[i].ns);
	}
	fatalx(EX_USAGE, "--%s %s: expected a time, like 5ms", option, text);
}

/* The same, or 0: never. */
static int64_t
parse_period(const char *option, const char *text)
{
	return (strcmp(text, "0") == 0 ? 0 : parse_time(option, text));
}

static bool
parse_yes(const char *option, const char *text)
{
	if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
		fatalx(EX_USAGE, "--%s %s: expected yes or no", option, text);
	return (text[0] == 'y');
}

/* How often in a second; 0: never. */
static uint32_t
parse_rate(const char *option, const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (!isdigit(*text) || *end != '\0' || n > SAMPLE_HZ_MAX)
		fatalx(EX_USAGE,
		    "--%s %s: expected how often in a second, from 0 to %d",
		    option, text, SAMPLE_HZ_MAX);
	return ((uint32_t)n);
}

static uint32_t
parse_mask(const char *arg)
{
	uint32_t mask = 0;
	char text[256], *name, *last = NULL;
	unsigned c;

	if (badopt_text("--mask", arg, sizeof(text) - 1) == -1)
		exit(EX_USAGE);
	if (strcmp(arg, "all") == 0)
		return (COLLECTOR_MASK_ALL);
	snprintf(text, sizeof(text), "%s", arg);
	for (name = strtok_r(text, ",", &last); name != NULL;
	     name = strtok_r(NULL, ",", &last)) {
		for (c = 0; c < EVENT_CLASSES; c++) {
			if (strcmp(name, event_class_name[c]) == 0)
				break;
		}
		if (c == EVENT_CLASSES)
			fatalx(EX_USAGE,
			    "--mask %s: no such class; see collector(8)", name);
		mask |= 1u << c;
	}
	/* without these nothing else can be understood, nor counted */
	return (mask | 1u << CLASS_life | 1u << CLASS_monitor);
}

static uint32_t
parse_full(const char *text)
{
	unsigned ms;
	int end = 0;

	if (strcmp(text, "discard") == 0)
		return (0);
	if (sscanf(text, "wait:%u%n", &ms, &end) != 1 || text[end] != '\0' ||
	    ms == 0 || ms > 60000)
		fatalx(EX_USAGE,
		    "--full %s: expected discard or wait:MS (at most 60000)",
		    text);
	return (ms);
}

static void
copy_text(const char *option, char *to, size_t size, const char *from)
{
	if (badopt_text(option, from, size - 1) == -1)
		exit(EX_USAGE);
	memcpy(to, from, strlen(from) + 1);
}

static void
check_name(const char *name)
{
	if (*name == '\0')
		fatalx(EX_USAGE, "--name is missing: which node is this?");
	if (*name == '.' || strpbrk(name, "/: \t\n") != NULL)
		fatalx(EX_USAGE,
		    "--name %s: a name may not hold '/', ':' or spaces, nor "
		    "start with '.'",
		    name);
}

/* Everything that follows from the runtime directory. */
static void
default_paths(struct options *o)
{
	const char *dir = paths_runtime_dir();
	struct stat st;
	char path[256];

	if (dir == NULL)
		fatalx(EX_CANTCREAT, "%s", paths_problem());
	snprintf(path, sizeof(path), "%s/%s", dir, o->name);
	if (mkdir(path, 0700) == -1 && errno != EEXIST)
		fatal(EX_CANTCREAT, "%s", path);
	if (stat(path, &st) == -1)
		fatal(EX_CANTCREAT, "%s", path);
	snprintf(o->tag, sizeof(o->tag), "orrery:%s:%llx.%llx", o->name,
	    (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
	if (*o->socket == '\0' &&
	    paths_collector(o->socket, sizeof(o->socket), o->name) == -1)
		fatal(EX_USAGE, "%s/%s/collector.sock", dir, o->name);
	if (snprintf(o->keeper, sizeof(o->keeper), "%s/%s/keeper.sock", dir,
		o->name) >= (int)sizeof(o->keeper))
		fatalx(EX_USAGE, "%s/%s: too long for a socket", dir, o->name);
	if (*o->spool == '\0' &&
	    paths_spool(o->spool, sizeof(o->spool), o->name) == -1)
		fatal(EX_USAGE, "%s/%s/spool", dir, o->name);
	copy_text("--dir", o->runtime, sizeof(o->runtime), dir);
	if (*o->monitord == '\0') {
		strcpy(o->monitord, "unix:");
		if (paths_monitord(o->monitord + 5, sizeof(o->monitord) - 5) ==
		    -1)
			fatal(EX_USAGE, "%s/monitord.sock", dir);
	}
}

static void
check_geometry(const struct options *o)
{
	struct segment_layout l;

	if (segment_layout(&l, SEGMENT_FIRST_BYTES, o->ring_bytes, o->rings,
		OPTIONS_NAMES_BYTES) == -1)
		fatalx(EX_USAGE, "--ring must be 4K to 1G and --rings 1 to %u",
		    SEGMENT_RINGS_MAX);
	if (strncmp(o->monitord, "unix:", 5) != 0 &&
	    strncmp(o->monitord, "tcp:", 4) != 0)
		fatalx(EX_USAGE,
		    "--monitord %s: expected unix:/path or tcp:host:port",
		    o->monitord);
	if (o->spool_limit_bytes < UINT64_C(16) << 20)
		fatalx(EX_USAGE, "--spool-limit must be 16M at least");
}

enum {
	OPT_NAME = 256,
	OPT_MONITORD,
	OPT_DIR,
	OPT_SPOOL,
	OPT_SPOOL_LIMIT,
	OPT_RING,
	OPT_RINGS,
	OPT_FLUSH,
	OPT_SWEEP,
	OPT_COUNTERS,
	OPT_SCHED,
	OPT_MASK,
	OPT_SAMPLE,
	OPT_FULL,
	OPT_TEST_CLOCK,
	OPT_SOCKET,
	OPT_STDIN_EXIT,
	OPT_INTERNAL,
	OPT_VERSION,
};

static const struct option long_options[] = {
	{ "name", required_argument, NULL, OPT_NAME },
	{ "monitord", required_argument, NULL, OPT_MONITORD },
	{ "dir", required_argument, NULL, OPT_DIR },
	{ "spool", required_argument, NULL, OPT_SPOOL },
	{ "spool-limit", required_argument, NULL, OPT_SPOOL_LIMIT },
	{ "ring", required_argument, NULL, OPT_RING },
	{ "rings", required_argument, NULL, OPT_RINGS },
	{ "flush", required_argument, NULL, OPT_FLUSH },
	{ "sweep", required_argument, NULL, OPT_SWEEP },
	{ "counters", required_argument, NULL, OPT_COUNTERS },
	{ "sched", required_argument, NULL, OPT_SCHED },
	{ "sample", required_argument, NULL, OPT_SAMPLE },
	{ "mask", required_argument, NULL, OPT_MASK },
	{ "full", required_argument, NULL, OPT_FULL },
	{ "test-clock", required_argument, NULL, OPT_TEST_CLOCK },
	{ "socket", required_argument, NULL, OPT_SOCKET },
	{ "stdin-exit", no_argument, NULL, OPT_STDIN_EXIT },
	{ "internal", required_argument, NULL, OPT_INTERNAL },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 },
};

static void
option_set(struct options *o, int opt, char *arg, char **argv)
{
	switch (opt) {
	case OPT_NAME:
		copy_text("--name", o->name, sizeof(o->name), arg);
		break;
	case OPT_MONITORD:
		copy_text("--monitord", o->monitord, sizeof(o->monitord), arg);
		break;
	case OPT_DIR:
		copy_text("--dir", o->runtime, sizeof(o->runtime), arg);
		if (setenv("ORRERY_DIR", arg, 1) == -1)
			fatal(EX_OSERR, "--dir");
		break;
	case OPT_SPOOL:
		copy_text("--spool", o->spool, sizeof(o->spool), arg);
		break;
	case OPT_SPOOL_LIMIT:
		o->spool_limit_bytes = parse_size("spool-limit", arg);
		break;
	case OPT_RING:
		o->ring_bytes = parse_size("ring", arg);
		break;
	case OPT_RINGS:
		o->rings = (uint32_t)parse_size("rings", arg);
		break;
	case OPT_FLUSH:
		o->flush_ns = parse_time("flush", arg);
		break;
	case OPT_SWEEP:
		o->sweep_ns = parse_time("sweep", arg);
		break;
	case OPT_COUNTERS:
		o->counters_ns = parse_period("counters", arg);
		break;
	case OPT_SCHED:
		o->sched = parse_yes("sched", arg);
		break;
	case OPT_SAMPLE:
		o->sample_hz = parse_rate("sample", arg);
		break;
	case OPT_MASK:
		o->mask = parse_mask(arg);
		break;
	case OPT_FULL:
		o->wait_ms = parse_full(arg);
		break;
	case OPT_TEST_CLOCK:
		o->test_clock = arg;
		break;
	case OPT_SOCKET:
		copy_text("--socket", o->socket, sizeof(o->socket), arg);
		break;
	case OPT_STDIN_EXIT:
		o->stdin_exit = true;
		break;
	case OPT_INTERNAL:
		o->internal = arg;
		break;
	case 'v':
		o->verbose++;
		break;
	case 'h':
		print_help();
		break;
	case OPT_VERSION:
		printf("collector %s\n", ORRERY_VERSION);
		exit(0);
	default:
		exit(badopt("collector", argv));
	}
}

void
options_parse(struct options *o, int argc, char **argv)
{
	char *counters = getenv("ORRERY_COUNTERS");
	int opt;

	*o = (struct options){
		.spool_limit_bytes = UINT64_C(512) << 20,
		.ring_bytes = UINT64_C(2) << 20,
		.rings = 512,
		.flush_ns = COLLECTOR_FLUSH_NS,
		.sweep_ns = COLLECTOR_SWEEP_NS,
		.mask = COLLECTOR_MASK_ALL,
		.counters_ns = SAMPLER_PERIOD_NS,
	};
	if (counters != NULL)
		o->counters_ns = parse_period("counters", counters);
	optind = 1;
	opterr = 0; /* badopt() says it */
	while ((opt = getopt_long(argc, argv, "vh", long_options, NULL)) != -1)
		option_set(o, opt, optarg, argv);
	if (optind < argc)
		fatalx(EX_USAGE, "%s: what is this?  See collector --help",
		    argv[optind]);
	check_name(o->name);
	default_paths(o);
	check_geometry(o);
}
