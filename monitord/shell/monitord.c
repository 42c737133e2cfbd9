/*
 * The program: options, signals, and what is started in which order.
 *
 * Everything that can be wrong with the command line and the cluster file is
 * said before anything is touched.
 */
#include "monitord.h"

#include <sys/stat.h>

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include <event2/event.h>

#include "badopt.h"
#include "conf.h"
#include "env.h"
#include "indexer.h"
#include "launch.h"
#include "log.h"
#include "logname.h"
#include "monitord/core.h"
#include "paths.h"

#define SIGNAL_TWICE_NS (200 * ENV_MS)
#define NAME_BYTES      255 /* of options */
#define PATH_BYTES      4095

struct monitord {
	/* options */
	const char *file, *log, *index, *name, *listen, *dir;
	int verbose;
	bool check_only, insecure, signalled;

	uint64_t index_events; /* so many are indexed at the end */
	struct conf *conf;
	char socket_address[128];
	char log_name[LOGNAME_BYTES]; /* when nobody has named the log */
	struct env *env;
	struct event_base *base;
	struct monitord_core *core;
	struct launch *launch;
	struct event *signals[2];
	int64_t signal_ns; /* when the last one came, 0: never */
	int code;
};

/* --- options --- */

enum {
	OPT_LOG = 256,
	OPT_INDEX,
	OPT_NAME,
	OPT_LISTEN,
	OPT_INSECURE,
	OPT_DIR,
	OPT_VERSION
};

static const struct option options[] = {
	{ "log", required_argument, NULL, OPT_LOG },
	{ "index", required_argument, NULL, OPT_INDEX },
	{ "name", required_argument, NULL, OPT_NAME },
	{ "listen", required_argument, NULL, OPT_LISTEN },
	{ "insecure-loopback", no_argument, NULL, OPT_INSECURE },
	{ "dir", required_argument, NULL, OPT_DIR },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 },
};

static const char usage_text[] =
    "usage: monitord [-hnv] [--log FILE] [--index WHEN] [--name NAME]\n"
    "                [--listen ADDRESS] [--insecure-loopback]\n"
    "                [--dir DIRECTORY] [CLUSTER.yaml]\n"
    "Collects, orders and stores what a parallel program tells.  With no file\n"
    "it monitors this machine.\n"
    "\n"
    "  -n                 check the options and the cluster file, no more\n"
    "  -v                 say more; twice: much more\n"
    "  --log FILE         the consolidated log; one that is not finished is\n"
    "                     continued (default run-1.orr, run-2.orr and so on,\n"
    "                     with run.orr a link to the newest)\n"
    "  --index WHEN       have the finished log read by a viewer in the\n"
    "                     background, so that it opens at once: yes\n"
    "                     (default: if they are ten million or more),\n"
    "                     no, or from so many events on\n"
    "  --name NAME        name of the run\n"
    "  --listen ADDRESS   listen there too: unix:PATH or tcp:127.0.0.1:PORT\n"
    "  --insecure-loopback  have tcp: addresses, although every user of this\n"
    "                     machine can then read all and end the run\n"
    "  --dir DIRECTORY    runtime directory (default $ORRERY_DIR, else\n"
    "                     $XDG_RUNTIME_DIR/orrery)\n"
    "  -h, --help, --version\n"
    "\n"
    "`monitorctl status' asks it how things are, `monitorctl shutdown' ends "
    "the run.\n";

/* Those whose value is a name or a path. */
static int
set_text(const char **to, const char *option, size_t bytes_max)
{
	*to = optarg;
	return (badopt_text(option, optarg, bytes_max));
}

/* -1: go on; else exit with this. */
static int
read_options(struct monitord *m, int argc, char **argv)
{
	int c;

	opterr = 0; /* badopt() says it */
	while ((c = getopt_long(argc, argv, "hnv", options, NULL)) != -1) {
		switch (c) {
		case 'n':
			m->check_only = true;
			break;
		case 'v':
			m->verbose++;
			break;
		case OPT_LOG:
			if (set_text(&m->log, "--log", PATH_BYTES) == -1)
				return (EX_USAGE);
			break;
		case OPT_INDEX:
			m->index = optarg;
			break;
		case OPT_NAME:
			if (set_text(&m->name, "--name", NAME_BYTES) == -1)
				return (EX_USAGE);
			break;
		case OPT_LISTEN:
			m->listen = optarg;
			break;
		case OPT_INSECURE:
			m->insecure = true;
			break;
		case OPT_DIR:
			if (set_text(&m->dir, "--dir", PATH_BYTES) == -1)
				return (EX_USAGE);
			break;
		case 'h':
			fputs(usage_text, stdout);
			return (fflush(stdout) == 0 ? EX_OK : EX_IOERR);
		case OPT_VERSION:
			printf("monitord %s\n", ORRERY_VERSION);
			return (fflush(stdout) == 0 ? EX_OK : EX_IOERR);
		default:
			return (badopt("monitord", argv));
		}
	}
	if (argc - optind > 1) {
		log_warnx("one cluster file, not %d; see monitord --help",
		    argc - optind);
		return (EX_USAGE);
	}
	m->file = argv[optind];
	return (-1);
}

/* --- the cluster file and what the options change in it --- */

static void
report(void *arg, const char *line)
{
	(void)arg;
	fprintf(stderr, "%s\n", line);
}

static int
read_conf(struct monitord *m)
{
	const char *problem;
	int code = EX_OSERR;

	m->conf = m->file != NULL ? conf_read(m->file, report, NULL, &code)
				  : conf_local();
	if (m->conf == NULL)
		return (code);
	if (m->listen == NULL)
		m->listen = m->conf->listen; /* checked already */
	else if ((problem = conf_address_problem(m->listen)) != NULL) {
		log_warnx("--listen %s: %s", m->listen, problem);
		return (EX_USAGE);
	}
	if (m->listen != NULL && strncmp(m->listen, "tcp:", 4) == 0 &&
	    !m->insecure) {
		log_warnx("%s: every user of this machine could read all that "
			  "the programs say there, and end the run; use "
			  "unix:PATH, or say --insecure-loopback if that is "
			  "meant",
		    m->listen);
		return (m->listen == m->conf->listen ? EX_CONFIG : EX_USAGE);
	}
	if (m->index == NULL)
		m->index =
		    m->conf->index != NULL ? m->conf->index : INDEXER_DEFAULT;
	if (!indexer_when(m->index, &m->index_events)) {
		log_warnx("--index %s: yes, no or a number of events was "
			  "expected",
		    m->index);
		return (EX_USAGE);
	}
	if (m->log == NULL)
		m->log = m->conf->log;
	if (m->name == NULL)
		m->name = m->conf->name != NULL ? m->conf->name : "run";
	return (EX_OK);
}

/* --- the end --- */

static void
leave(struct monitord *m, int code)
{
	m->code = code;
	event_base_loopbreak(m->base);
}

static void
ended_cb(void *arg, int code)
{
	leave(arg, code);
}

/*
 * The first one ends the run in good order, the second one at once; but what
 * comes twice in a moment was meant once (timeout(1), a terminal).
 */
static void
signal_cb(evutil_socket_t sig, short what, void *arg)
{
	struct monitord *m = arg;
	int64_t now = m->env->ops->now_ns(m->env);

	(void)what;
	if (m->signal_ns != 0 && now - m->signal_ns < SIGNAL_TWICE_NS)
		return;
	m->signal_ns = now;
	if (core_finishing(m->core)) {
		log_warnx("stopped at once by signal %d; %s can be continued",
		    (int)sig, m->log);
		leave(m, EX_TEMPFAIL);
		return;
	}
	m->signalled = true;
	log_info("signal %d: ending the run; once more stops at once",
	    (int)sig);
	core_finish(m->core);
}

static void
note_cb(void *arg, const char *node, const char *note)
{
	struct monitord *m = arg;

	core_node_note(m->core, node, note);
}

static bool
ending_cb(void *arg)
{
	struct monitord *m = arg;

	return (core_finishing(m->core));
}

static bool
connected_cb(void *arg, const char *node)
{
	struct monitord *m = arg;

	return (core_node_connected(m->core, node));
}

static unsigned
connects_cb(void *arg, const char *node)
{
	struct monitord *m = arg;

	return (core_node_connects(m->core, node));
}

/* --- starting --- */

/* A finished log is no obstacle when nobody has named it. */
static void
new_core(struct monitord *m, struct core_settings *set, struct store_error *err)
{
	bool named = m->log != NULL;

	err->finished = false;
	if (!named) {
		logname_newest(m->log_name);
		m->log = m->log_name;
	}
	set->log_path = m->log;
	m->core = core_new(m->env, set, ended_cb, m, err);
	if (m->core == NULL && !named && err->finished) {
		if (logname_next(m->log_name) == -1) {
			store_fail(err, EX_CANTCREAT, "%s: %s", LOGNAME_LINK,
			    strerror(errno));
			return;
		}
		m->core = core_new(m->env, set, ended_cb, m, err);
	}
	if (m->core != NULL && !named && logname_link(m->log) == -1)
		log_warn("%s is no link to %s", LOGNAME_LINK, m->log);
}

static int
start_core(struct monitord *m)
{
	struct core_settings set = { .run_name = m->name,
		.open = m->file == NULL };
	const char *addresses[2], **names;
	struct store_error err;

	names = calloc(m->conf->nnodes + 1, sizeof(*names));
	if (names == NULL)
		return (EX_OSERR);
	for (size_t i = 0; i < m->conf->nnodes; i++)
		names[i] = m->conf->nodes[i].name;
	addresses[set.nlisten++] = m->socket_address;
	if (m->listen != NULL)
		addresses[set.nlisten++] = m->listen;
	set.listen = addresses;
	set.nodes = names;
	set.choice = m->conf->probe;
	set.nnodes = m->conf->nnodes;
	new_core(m, &set, &err);
	free(names);
	if (m->core != NULL)
		return (EX_OK);
	log_warnx("%s", err.text);
	return (err.code);
}

static int
start_signals(struct monitord *m)
{
	static const int which[2] = { SIGTERM, SIGINT };

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* EFBIG instead */
	for (size_t i = 0; i < 2; i++) {
		m->signals[i] = evsignal_new(m->base, which[i], signal_cb, m);
		if (m->signals[i] == NULL ||
		    event_add(m->signals[i], NULL) == -1)
			return (EX_OSERR);
	}
	return (EX_OK);
}

static int
start_env(struct monitord *m)
{
	char path[108];

	if (m->dir != NULL && setenv("ORRERY_DIR", m->dir, 1) == -1)
		return (EX_OSERR);
	m->dir = paths_runtime_dir();
	if (m->dir == NULL) {
		log_warnx("%s", paths_problem());
		return (EX_CANTCREAT);
	}
	if (paths_monitord(path, sizeof(path)) == -1) {
		log_warn("%s/monitord.sock; name another directory with --dir",
		    m->dir);
		return (EX_CANTCREAT);
	}
	snprintf(m->socket_address, sizeof(m->socket_address), "unix:%s", path);
	m->env = env_event_new(NULL);
	if (m->env == NULL)
		return (EX_OSERR);
	m->base = env_event_base(m->env);
	return (EX_OK);
}

static int
start_launch(struct monitord *m)
{
	static const struct launch_ops ops = { note_cb, ending_cb, connected_cb,
		connects_cb };

	m->launch = launch_new(m->base, m->conf, m->socket_address + 5,
	    m->verbose, &ops, m);
	if (m->launch != NULL)
		return (EX_OK);
	log_warn("cannot start the collectors");
	return (EX_OSERR);
}

static void
stop(struct monitord *m)
{
	core_free(m->core);
	launch_free(m->launch);
	for (size_t i = 0; i < 2; i++)
		if (m->signals[i] != NULL)
			event_free(m->signals[i]);
	if (m->env != NULL)
		env_event_free(m->env);
	conf_free(m->conf);
}

int
monitord_main(int argc, char **argv)
{
	/* in this order: what may fail without a trace comes first */
	static int (*const starts[])(struct monitord *) = {
		start_env,
		start_core,
		start_launch,
		start_signals,
	};
	struct monitord m = { 0 };
	uint64_t events = 0;
	int rv;

	log_init("monitord", 0);
	rv = read_options(&m, argc, argv);
	if (rv != -1)
		return (rv);
	log_init("monitord", m.verbose);
	rv = read_conf(&m);
	if (rv != EX_OK || m.check_only) {
		conf_free(m.conf);
		return (rv);
	}
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		rv = starts[i](&m);
		if (rv != EX_OK)
			break;
	}
	if (rv == EX_OK) {
		log_info("run %s, log %s, at %s", m.name, m.log,
		    m.socket_address);
		event_base_dispatch(m.base);
		rv = m.code;
		events = core_finished_events(m.core);
		/* nobody else hears of it */
		if (m.signalled && core_receipt(m.core) != NULL) {
			fputs(core_receipt(m.core), stdout);
			(void)fflush(stdout);
		}
	}
	stop(&m);
	if (events > 0 && events >= m.index_events)
		indexer_start(m.log);
	return (rv);
}
