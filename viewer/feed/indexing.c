/*
 * See indexing.h.  Each log has a process of its own: there is one region of
 * memory that can be kept (memory.h), and what goes wrong with one log is
 * nothing to the next.
 */
#include "feed/indexing.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "feed/cache.h"
#include "feed/feed.h"
#include "log.h"
#include "model/keep/memory.h"
#include "model/model.h"

#define TELL_S 0.2

struct progress {
	const char *log;
	const struct model *model;
	double from_s, told_s; /* told: 0: nothing is on the screen */
};

static double
now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec + (double)ts.tv_nsec / 1e9);
}

/* On one line of a terminal, over and over. */
static void
tell(void *arg, const struct feed_status *st)
{
	struct progress *p = arg;
	double now = now_s(), spent = now - p->from_s;
	double part = (double)st->bytes / (double)st->bytes_total;

	if (now - (p->told_s > 0 ? p->told_s : p->from_s) < TELL_S)
		return;
	p->told_s = now;
	fprintf(stderr, "\r%s: %.0f %%, %.1f M events, %.0f s left \033[K",
	    p->log, part * 100, (double)model_events(p->model) / 1e6,
	    part > 0 ? spent / part - spent + 0.5 : 0.0);
}

static void
told_enough(const struct progress *p)
{
	if (p->told_s > 0)
		fprintf(stderr, "\r\033[K");
}

static int
index_it(const char *log, uint64_t memory)
{
	struct progress p = { .log = log, .from_s = now_s() };
	struct cache_trouble trouble;
	struct feed_status st;
	struct model *m;
	char *base, odd[200];
	int code;

	if (!memory_region()) {
		log_warnx("%s: cannot be kept: the memory's place is taken",
		    log);
		return (EX_OSERR);
	}
	if ((m = model_new()) == NULL) {
		log_warnx("out of memory");
		return (EX_OSERR);
	}
	p.model = m;
	model_set_memory(m, memory);
	model_set_no_leaves(m);
	code = feed_read_telling(m, log, isatty(STDERR_FILENO) ? tell : NULL,
	    &p, &st);
	told_enough(&p);
	if (code != 0) {
		log_warnx("%s", st.message);
		return (code);
	}
	if (model_odd(m, odd, sizeof(odd)))
		log_warnx("%s %s", log, odd);
	if (cache_keep(m, log, &trouble) == -1) {
		log_warnx("%s: %s", log, trouble.why);
		return (trouble.code);
	}
	printf("%s: %" PRIu64 " events in %.1f s, %.1f MB kept\n", log,
	    model_events(m), now_s() - p.from_s,
	    (double)memory_extent(&base) / 1e6);
	return (0);
}

/* In a process of its own. */
static int
index_apart(const char *log, uint64_t memory)
{
	pid_t pid;
	int status;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing is left of it */
		status = index_it(log, memory);
		fflush(NULL);
		_exit(status);
	}
	if (pid == -1 || waitpid(pid, &status, 0) == -1) {
		log_warn("%s", log);
		return (EX_OSERR);
	}
	if (WIFEXITED(status))
		return (WEXITSTATUS(status));
	log_warnx("%s: ended by signal %d (%s)", log, WTERMSIG(status),
	    strsignal(WTERMSIG(status)));
	return (EX_SOFTWARE);
}

static int
index_all(char *const *logs, int n, uint64_t memory)
{
	struct cache_trouble trouble;
	int code = 0, one;

	for (int i = 0; i < n; i++) {
		switch (cache_look(logs[i], &trouble)) {
		case 1:
			printf("%s: is kept already\n", logs[i]);
			one = 0;
			break;
		case 0:
			one = index_apart(logs[i], memory);
			break;
		default:
			log_warnx("%s: %s", logs[i], trouble.why);
			one = trouble.code;
		}
		code = one != 0 ? one : code;
	}
	return (code);
}

/* In nobody's way: no directory, no terminal, no time that others want. */
static void
stand_back(void)
{
	const struct sched_param none = { 0 };
	int fd = open("/dev/null", O_RDWR);

	setsid();
	if (chdir("/") == -1 || setpriority(PRIO_PROCESS, 0, 19) == -1)
		errno = 0; /* it is as it is */
	sched_setscheduler(0, SCHED_IDLE, &none);
	for (int i = 0; i < 3 && fd != -1; i++)
		dup2(fd, i);
	close_range(3, ~0u, 0);
}

int
indexing(char *const *logs, int n, uint64_t memory, bool background)
{
	char **full;
	pid_t pid;
	int code;

	if (!background)
		return (index_all(logs, n, memory));
	full = calloc((size_t)n, sizeof(*full));
	for (int i = 0; i < n && full != NULL; i++)
		if ((full[i] = realpath(logs[i], NULL)) == NULL)
			fatal(EX_NOINPUT, "%s", logs[i]);
	pid = full == NULL ? -1 : fork();
	if (pid == -1)
		fatal(EX_OSERR, "cannot go to the background");
	if (pid == 0) {
		stand_back();
		code = index_all(full, n, memory);
		_exit(code);
	}
	for (int i = 0; i < n; i++)
		free(full[i]);
	free(full);
	return (0);
}
