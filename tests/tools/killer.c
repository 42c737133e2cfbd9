/*
 * A campaign of kills.
 *
 *	killer [--seed S] [--application N] [--collector N] [--monitord N]
 *	    [--viewer N] [--rate EVENTS_PER_S] --load PROGRAM --show PROGRAM
 *	    --receipt FILE -- MONITORD ARGUMENTS...
 *
 * Starts monitord, whose cluster has the nodes n1 and n2, and a program on
 * each that publishes all the while.  Then it sends SIGKILL, in an order and
 * at moments that the seed says: to programs of its own, to the collectors
 * (keeper, worker, or both at a time), to monitord, to viewers.  After each
 * kill it waits until all is well again:
 *
 *	collector	the node is connected (anew, if its worker was hit),
 *			keeper and worker are there and events come in
 *	monitord	from its start on: both nodes are connected and events
 *			of both come in; the run is the same
 *
 * Before keeper and worker are hit at a time, programs that have ended must
 * have been drained: their memory would be gone with the last who held it, and
 * what they published last is unknown then, as the receipt would rightly say.
 *
 * At last the run is shut down.  It prints a line for each kind with the time
 * until then, and exits with 1 and a sentence when something was not well
 * within LIMIT_MS, a program was harmed, or the receipt is not good.
 */
#include <sys/prctl.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/rnd.h"
#include "tests/tools/killer.h"

enum kind {
	APPLICATION,
	COLLECTOR,
	MONITORD,
	VIEWER,
	KINDS
};
static const char *const kind_name[KINDS] = { "application", "collector",
	"monitord", "viewer" };

struct times {
	double *ms;
	size_t n;
};

static uint64_t seed = 1;
static unsigned wanted[KINDS];
static unsigned done[KINDS];
static struct times back[KINDS];
static const char *load_program, *viewer_program, *receipt_path;
static const char *base_rate = "20000";
static char **monitord_argv;
static pid_t monitord, loads[NODES];
static char last[200];

static unsigned
below(unsigned n)
{
	return ((unsigned)(xorshift(&seed) >> 33) % n);
}

void
fail(const char *fmt, ...)
{
	va_list ap;

	printf("killer: ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\nkiller: after");
	for (int k = 0; k < KINDS; k++)
		printf(" %s %u", kind_name[k], done[k]);
	printf("; the last was: %s\n", last);
	exit(1);
}

/* Programs of ours end with us. */
static pid_t
start(char *const argv[], const char *node, bool quiet)
{
	pid_t pid = fork();
	int null;

	if (pid == -1)
		fail("fork: %s", strerror(errno));
	if (pid != 0)
		return (pid);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (node != NULL)
		setenv("ORRERY_NODE", node, 1);
	null = open("/dev/null", O_RDWR);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	if (quiet)
		dup2(null, STDERR_FILENO);
	execvp(argv[0], argv);
	_exit(127);
}

static pid_t
start_load(unsigned node, const char *threads, const char *rate, bool wait)
{
	char name[8], program[512];
	char *argv[] = { program, "--seconds", "1000000", "--threads", NULL,
		"--rate", NULL, wait ? "--wait" : NULL, NULL };

	snprintf(name, sizeof(name), "n%u", node + 1);
	snprintf(program, sizeof(program), "%s", load_program);
	argv[4] = (char *)(uintptr_t)threads;
	argv[6] = (char *)(uintptr_t)rate;
	return (start(argv, name, true));
}

/* --- kills --- */

static void
note(enum kind k, double ms)
{
	struct times *t = &back[k];
	double *p = realloc(t->ms, (t->n + 1) * sizeof(*p));

	if (p == NULL)
		fail("out of memory");
	t->ms = p;
	t->ms[t->n++] = ms;
}

static void
unharmed(void)
{
	for (int i = 0; i < NODES; i++) {
		if (waitpid(loads[i], NULL, WNOHANG) != 0)
			fail("a program was harmed");
	}
}

static void
start_monitord(void)
{
	double since_ms = now_ms();

	monitord = start(monitord_argv, NULL, false);
	all_flows("monitord was started", since_ms);
	if (done[MONITORD] > 0)
		note(MONITORD, now_ms() - since_ms);
}

static void
kill_application(void)
{
	char threads[16], rate[16];
	pid_t pid;

	snprintf(threads, sizeof(threads), "%u", 1 + below(3));
	snprintf(rate, sizeof(rate), "%u", 1000 + below(300) * 1000);
	pid = start_load(below(NODES), threads, rate, false);
	nap(3 + (double)below(50000) / 1000);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void
kill_collector(void)
{
	static const char *const who[] = { "keeper", "worker", "both" };
	unsigned node = below(NODES), what = below(3), victims = 0;
	struct seen before;
	struct pair p;
	double since_ms;
	bool anew = false;

	if (what == 2)
		wait_for_drained(node);
	if (!look(&before))
		fail("monitord does not answer");
	collectors(&p, node);
	since_ms = now_ms();
	for (int i = 0; i < p.n; i++) {
		if ((what == 0 && p.worker[i]) || (what == 1 && !p.worker[i]))
			continue;
		kill(p.pid[i], SIGKILL);
		anew |= p.worker[i];
		victims++;
	}
	snprintf(last, sizeof(last), "collector of n%u, %s, %u processes",
	    node + 1, who[what], victims);
	node_flows(node, &before, anew, since_ms);
	note(COLLECTOR, now_ms() - since_ms);
	nap((double)below(100));
}

static void
kill_monitord(void)
{
	kill(monitord, SIGKILL);
	waitpid(monitord, NULL, 0);
	look_away();
	nap((double)below(100));
	start_monitord();
	nap((double)below(100));
}

static void
kill_viewer(void)
{
	char program[512];
	char *argv[] = { program, NULL };
	pid_t pid;

	snprintf(program, sizeof(program), "%s", viewer_program);
	pid = start(argv, NULL, true);
	nap((double)(50 + below(400)));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void (*const killers[KINDS])(
    void) = { kill_application, kill_collector, kill_monitord, kill_viewer };

/* In an order by chance, each kind as often as is wanted. */
static void
campaign(void)
{
	unsigned left = 0, at;
	int k;

	for (k = 0; k < KINDS; k++)
		left += wanted[k];
	for (; left > 0; left--) {
		at = below(left);
		for (k = 0; at >= wanted[k] - done[k]; k++)
			at -= wanted[k] - done[k];
		snprintf(last, sizeof(last), "%s", kind_name[k]);
		done[k]++;
		killers[k]();
		unharmed();
	}
}

/* --- the end --- */

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return ((x > y) - (x < y));
}

static void
print_times(enum kind k)
{
	struct times *t = &back[k];

	if (done[k] == 0)
		return;
	printf("%s: %u killed", kind_name[k], done[k]);
	if (t->n > 0) {
		qsort(t->ms, t->n, sizeof(*t->ms), by_size);
		printf("; back after p50 %.0f p99 %.0f max %.0f ms",
		    t->ms[t->n / 2], t->ms[t->n * 99 / 100], t->ms[t->n - 1]);
	}
	printf("\n");
}

/* The rest is monitorctl's; how it goes is in the receipt. */
static int
shut_down(void)
{
	FILE *f = fopen(receipt_path, "w");
	double since_ms = now_ms();
	int status;

	if (f == NULL)
		fail("%s: %s", receipt_path, strerror(errno));
	status = look_at_receipt(f);
	fclose(f);
	if (waitpid(monitord, NULL, 0) == -1)
		fail("monitord: %s", strerror(errno));
	printf("shut down in %.1f s\n", (now_ms() - since_ms) / 1e3);
	return (status);
}

static int
options(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "application", 1, NULL, APPLICATION },
		{ "collector", 1, NULL, COLLECTOR },
		{ "monitord", 1, NULL, MONITORD },
		{ "viewer", 1, NULL, VIEWER },
		{ "seed", 1, NULL, 's' },
		{ "rate", 1, NULL, 'r' },
		{ "load", 1, NULL, 'l' },
		{ "show", 1, NULL, 'v' },
		{ "receipt", 1, NULL, 'R' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (c) {
		case APPLICATION:
		case COLLECTOR:
		case MONITORD:
		case VIEWER:
			wanted[c] = (unsigned)atoi(optarg);
			break;
		case 's':
			seed = strtoull(optarg, NULL, 10) * 2654435761u + 1;
			break;
		case 'r':
			base_rate = optarg;
			break;
		case 'l':
			load_program = optarg;
			break;
		case 'v':
			viewer_program = optarg;
			break;
		case 'R':
			receipt_path = optarg;
			break;
		default:
			return (-1);
		}
	}
	monitord_argv = argv + optind;
	return (optind < argc && load_program != NULL && receipt_path != NULL &&
			getenv("ORRERY_DIR") != NULL
		    ? 0
		    : -1);
}

int
main(int argc, char **argv)
{
	int code;

	if (options(argc, argv) == -1) {
		fprintf(stderr,
		    "usage: killer [--seed S] [--KIND N]... [--rate R] --load "
		    "PROGRAM --show PROGRAM --receipt FILE -- MONITORD ...\n");
		return (64);
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGPIPE, SIG_IGN);
	for (unsigned i = 0; i < NODES; i++)
		loads[i] = start_load(i, i == 0 ? "2" : "1", base_rate, true);
	start_monitord();
	campaign();
	for (int k = 0; k < KINDS; k++)
		print_times(k);
	kill(loads[0], SIGKILL);
	kill(loads[1], SIGTERM);
	for (int i = 0; i < NODES; i++)
		waitpid(loads[i], NULL, 0);
	code = shut_down();
	if (code != 0)
		fail("the receipt is not good (code %d)", code);
	return (0);
}
