/*
 * monitorctl measure: what being watched costs a program.
 *
 * It runs with and without, in pairs that begin now with the one, now with the
 * other, so that what the machine does meanwhile is the same for both; the
 * first pair brings it into the caches and does not count.  What may be said
 * of the times is in paired.h.
 */
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "monitorctl.h"
#include "tools/logs/argument.h"
#include "tools/run/paired.h"
#include "tools/run/run_auto.h"
#include "tools/run/run_place.h"

#define PAIRS_MAX    10000
#define EXIT_NOT_RUN 126 /* as env(1) has it */

struct side {
	const char *name;
	char **argv, **env;
	double *wall_ms, *cpu_ms; /* of each pair */
};

struct measuring {
	char **argv;
	uint64_t pairs;
	bool json, automatic;
	struct side without, with;
};

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6);
}

static double
ms_of(const struct timeval *t)
{
	return ((double)t->tv_sec * 1e3 + (double)t->tv_usec / 1e3);
}

/* A copy of the environment, as it is now; NULL: ENOMEM. */
static char **
environment(void)
{
	size_t n = 0;
	char **copy;

	while (environ[n] != NULL)
		n++;
	if ((copy = calloc(n + 1, sizeof(*copy))) == NULL)
		return (NULL);
	for (size_t i = 0; i < n; i++)
		if ((copy[i] = strdup(environ[i])) == NULL) {
			while (i > 0)
				free(copy[--i]);
			free(copy);
			return (NULL);
		}
	return (copy);
}

static void
environment_free(char **env)
{
	for (size_t i = 0; env != NULL && env[i] != NULL; i++)
		free(env[i]);
	free(env);
}

/* In the child: what it prints goes nowhere, what it complains of does not. */
static void
become(const struct measuring *m, const struct side *s, pid_t parent)
{
	int fd = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || fd == -1 || dup2(fd, 0) == -1 ||
	    dup2(fd, 1) == -1)
		_exit(EXIT_NOT_RUN);
	environ = s->env;
	execvp(s->argv[0], s->argv);
	log_warn("%s", m->argv[0]);
	_exit(errno == ENOENT ? 127 : EXIT_NOT_RUN);
}

/* An exit code: its own, when it does not end well. */
static int
run_once(const struct measuring *m, const struct side *s, double *wall_ms,
    double *cpu_ms)
{
	double begin = now_ms();
	pid_t parent = getpid(), pid = fork();
	struct rusage used = { 0 };
	int status = 0;

	if (pid == 0)
		become(m, s, parent);
	while (pid != -1 && wait4(pid, &status, 0, &used) == -1)
		if (errno != EINTR)
			pid = -1;
	if (pid == -1) {
		log_warn("measure");
		return (EX_OSERR);
	}
	*wall_ms = now_ms() - begin;
	*cpu_ms = ms_of(&used.ru_utime) + ms_of(&used.ru_stime);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return (EX_OK);
	if (WIFSIGNALED(status))
		log_warnx("measure: %s: ended by signal %d, run %s; expected "
			  "that it ends well",
		    m->argv[0], WTERMSIG(status), s->name);
	else if (WEXITSTATUS(status) != 127 &&
		 WEXITSTATUS(status) != EXIT_NOT_RUN)
		log_warnx("measure: %s: exited %d, run %s; expected 0",
		    m->argv[0], WEXITSTATUS(status), s->name);
	return (
	    WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

static int
run_pair(struct measuring *m, uint64_t i, bool counts)
{
	struct side *first = i % 2 == 0 ? &m->without : &m->with;
	struct side *second = i % 2 == 0 ? &m->with : &m->without;
	uint64_t at = counts ? i : 0;
	int code = run_once(m, first, &first->wall_ms[at], &first->cpu_ms[at]);

	return (code != EX_OK ? code
			      : run_once(m, second, &second->wall_ms[at],
				    &second->cpu_ms[at]));
}

/* --- what came out --- */

static const char *
verdict(const struct paired *p)
{
	return (p->verdict == PAIRED_MORE   ? "slower"
		: p->verdict == PAIRED_LESS ? "faster"
					    : "cannot tell");
}

static double
percent(double ratio)
{
	return (100 * (ratio - 1));
}

static void
put_side(const struct measuring *m, const struct side *s)
{
	size_t n = (size_t)m->pairs;

	printf("  %-8s %12.3f %10.3f %12.3f %12.3f\n", s->name,
	    mean_of(s->wall_ms, n), deviation_of(s->wall_ms, n),
	    least_of(s->wall_ms, n), mean_of(s->cpu_ms, n));
}

static void
put_text(const struct measuring *m, const struct paired *wall,
    const struct paired *cpu)
{
	printf("%s: %" PRIu64 " pairs of runs\n", m->argv[0], m->pairs);
	printf("  %-8s %12s %10s %12s %12s\n", "", "mean ms", "+- ms",
	    "least ms", "mean cpu ms");
	put_side(m, &m->without);
	put_side(m, &m->with);
	printf("slow-down %.2f %% (%.2f to %.2f with 95 %% confidence): %s\n",
	    percent(wall->ratio), percent(wall->low), percent(wall->high),
	    verdict(wall));
	printf("processor time %.2f %% more (%.2f to %.2f): %s\n",
	    percent(cpu->ratio), percent(cpu->low), percent(cpu->high),
	    verdict(cpu));
}

static void
put_json_side(const struct measuring *m, const struct side *s)
{
	size_t n = (size_t)m->pairs;

	printf("  \"%s\": { \"mean_ms\": %.6f, \"deviation_ms\": %.6f, "
	       "\"least_ms\": %.6f, \"mean_cpu_ms\": %.6f },\n",
	    s->name, mean_of(s->wall_ms, n), deviation_of(s->wall_ms, n),
	    least_of(s->wall_ms, n), mean_of(s->cpu_ms, n));
}

static void
put_json_paired(const char *name, const struct paired *p, const char *end)
{
	printf("  \"%s\": { \"ratio\": %.6f, \"low\": %.6f, \"high\": %.6f, "
	       "\"p\": %.6f, \"verdict\": \"%s\" }%s\n",
	    name, p->ratio, p->low, p->high, p->p, verdict(p), end);
}

static int
put(const struct measuring *m)
{
	struct paired wall, cpu;
	size_t n = (size_t)m->pairs;

	/* a program that takes none has taken less than can be told */
	for (size_t i = 0; i < n; i++) {
		m->with.cpu_ms[i] += 1e-3;
		m->without.cpu_ms[i] += 1e-3;
	}
	if (paired(m->without.wall_ms, m->with.wall_ms, n, &wall) == -1 ||
	    paired(m->without.cpu_ms, m->with.cpu_ms, n, &cpu) == -1) {
		log_warn("measure");
		return (EX_OSERR);
	}
	if (!m->json) {
		put_text(m, &wall, &cpu);
		return (EX_OK);
	}
	printf("{\n  \"pairs\": %" PRIu64 ",\n", m->pairs);
	put_json_side(m, &m->without);
	put_json_side(m, &m->with);
	put_json_paired("wall", &wall, ",");
	put_json_paired("cpu", &cpu, "\n}");
	return (EX_OK);
}

/* --- the command --- */

static int
prepare(struct measuring *m, const char *node)
{
	size_t n = (size_t)m->pairs + 1;
	struct side *sides[] = { &m->without, &m->with };
	char *place;

	for (size_t i = 0; i < 2; i++) {
		sides[i]->wall_ms = calloc(n, sizeof(double));
		sides[i]->cpu_ms = calloc(n, sizeof(double));
		if (sides[i]->wall_ms == NULL || sides[i]->cpu_ms == NULL)
			return (EX_OSERR);
	}
	setenv("ORRERY", "off", 1);
	m->without.env = environment();
	unsetenv("ORRERY");
	if (!run_place(node, "there is nothing to measure", &place)) {
		free(place);
		return (EX_UNAVAILABLE);
	}
	free(place);
	m->without.argv = m->with.argv = m->argv;
	if (m->automatic)
		m->with.argv = run_auto(m->argv);
	m->with.env = environment();
	return (
	    m->without.env == NULL || m->with.env == NULL ? EX_OSERR : EX_OK);
}

static int
measure(struct measuring *m, const char *node)
{
	int code = prepare(m, node);

	if (code == EX_OSERR)
		log_warnx("measure: out of memory");
	if (code == EX_OK)
		code = run_pair(m, 0, false);
	for (uint64_t i = 0; code == EX_OK && i < m->pairs; i++) {
		code = run_pair(m, i, true);
		if (isatty(STDERR_FILENO))
			fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 "%s", i + 1,
			    m->pairs, i + 1 < m->pairs ? "" : "\r\033[K");
	}
	return (code == EX_OK ? put(m) : code);
}

static void
side_clear(struct side *s)
{
	environment_free(s->env);
	free(s->wall_ms);
	free(s->cpu_ms);
}

static int
options(struct measuring *m, const char **node, int argc, char **argv,
    int *code)
{
	static const struct option known[] = {
		{ "pairs", required_argument, NULL, 'n' },
		{ "node", required_argument, NULL, 'N' },
		{ "plain", no_argument, NULL, 'p' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "+hn:", known, NULL)) != -1) {
		*code = EX_USAGE;
		if (c == 'n' &&
		    (number_arg(optarg, PAIRS_MAX, &m->pairs) == -1 ||
			m->pairs == 0)) {
			log_warnx("measure: --pairs: %s is no number from 1 to "
				  "%d; see monitorctl measure --help",
			    optarg, PAIRS_MAX);
			return (-1);
		}
		if (c == 'N' && text_arg("measure: --node", optarg) == -1)
			return (-1);
		if (c == 'N')
			*node = optarg;
		else if (c == 'p')
			m->automatic = false;
		else if (c == 'j')
			m->json = true;
		else if (c != 'n') {
			*code = option_of("measure", c, argv);
			return (-1);
		}
	}
	if (optind < argc)
		return (0);
	*code = usage_of("measure", false);
	return (-1);
}

int
measure_run(const struct globals *g, int argc, char **argv)
{
	struct measuring m = { .pairs = 10,
		.automatic = run_auto_usual(),
		.without = { .name = "without" },
		.with = { .name = "with" } };
	const char *node = NULL;
	int code;

	(void)g;
	if (options(&m, &node, argc, argv, &code) == 0) {
		m.argv = argv + optind;
		code = measure(&m, node);
	}
	side_clear(&m.without);
	side_clear(&m.with);
	return (code);
}
