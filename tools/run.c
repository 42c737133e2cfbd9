/*
 * monitorctl run: the environment that libprobe looks at, then the program.
 * It runs in any case; a monitor that is not there never stops a program.
 *
 * With a collector we stay, to say at the end what it has seen.  The program is
 * a child then, in our process group; what is sent to us it gets, its status is
 * ours, and it does not outlive us.
 */
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "badopt.h"
#include "log.h"
#include "monitorctl.h"
#include "tools/run/mapped.h"
#include "tools/run/run_auto.h"
#include "tools/run/run_place.h"
#include "tools/run/run_seen.h"

/* As env(1), nohup(1) and shells have it. */
#define EXIT_NOT_FOUND 127
#define EXIT_NOT_RUN   126

static volatile pid_t child;

/* discard, wait or wait:MILLISECONDS; lose is what discard was called. */
static bool
full_ok(const char *s)
{
	char *end;

	if (strcmp(s, "discard") == 0 || strcmp(s, "lose") == 0 ||
	    strcmp(s, "wait") == 0)
		return (true);
	if (strncmp(s, "wait:", 5) != 0 || s[5] < '0' || s[5] > '9')
		return (false);
	errno = 0;
	return (strtoul(s + 5, &end, 10) <= UINT32_MAX && *end == '\0' &&
		errno == 0);
}

static bool
is_one_of(const char *s, const char *const *words)
{
	while (*words != NULL && strcmp(s, *words) != 0)
		words++;
	return (*words != NULL);
}

/* What of its memory is told; see libprobe/auto/heap/heap.h. */
static bool
memory_ok(const char *s)
{
	static const char *const levels[] = { "counts", "sample", "all", "off",
		NULL };

	return (is_one_of(s, levels));
}

/* And of its locks; see libprobe/auto/locks/lock_count.h. */
static bool
locks_ok(const char *s)
{
	static const char *const levels[] = { "counts", "all", "contended",
		NULL };

	return (is_one_of(s, levels));
}

/* Becomes the program; else an exit code. */
static int
become(char **argv)
{
	int code;

	execvp(argv[0], argv);
	code = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
	log_warn("%s", argv[0]);
	return (code);
}

/* What somebody sends to us is meant for the program; a terminal tells both. */
static void
forward_cb(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code <= 0 && child > 0)
		kill(child, sig);
}

static const int forwarded[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1,
	SIGUSR2 };
#define FORWARDED (sizeof(forwarded) / sizeof(forwarded[0]))

static void
forward(struct sigaction *before)
{
	struct sigaction sa = { .sa_sigaction = forward_cb,
		.sa_flags = SA_SIGINFO | SA_RESTART };

	for (size_t i = 0; i < FORWARDED; i++) {
		sigaction(forwarded[i], NULL, &before[i]);
		/* nohup(1), or a shell's background: the program ignores it */
		if (before[i].sa_handler != SIG_IGN)
			sigaction(forwarded[i], &sa, NULL);
	}
}

static void
forward_no_more(const struct sigaction *before)
{
	for (size_t i = 0; i < FORWARDED; i++)
		sigaction(forwarded[i], &before[i], NULL);
}

/* As the program has ended, so do we. */
static int
end_as(int status)
{
	const struct rlimit none = { 0, 0 };

	if (!WIFSIGNALED(status))
		return (WEXITSTATUS(status));
	setrlimit(RLIMIT_CORE, &none); /* it has left one, if there is any */
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return (128 + WTERMSIG(status));
}

/* The run is over as well: its receipt, and a code if all else is well. */
static int
end_run(const struct globals *g)
{
	char *argv[] = { "shutdown", NULL };

	optind = 0; /* starts getopt anew */
	return (shutdown_run(g, 1, argv));
}

/* A process that waits for the end of our input, and then ends the program. */
static pid_t
watch_input(pid_t program)
{
	const struct timespec patience = { 3, 0 };
	pid_t self = getpid(), pid = fork();
	char text[512];
	ssize_t n;

	if (pid != 0)
		return (pid);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != self)
		_exit(0);
	do
		n = read(STDIN_FILENO, text, sizeof(text));
	while (n > 0 || (n == -1 && errno == EINTR));
	kill(program, SIGTERM);
	nanosleep(&patience, NULL);
	kill(program, SIGKILL);
	_exit(0);
}

/* The program's status; who watches our input is gone before its number is
 * free. */
static int
wait_for(pid_t pid, pid_t watcher)
{
	siginfo_t info;
	int status = 0;

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == -1 &&
	       errno == EINTR)
		;
	if (watcher > 0) {
		kill(watcher, SIGKILL);
		waitpid(watcher, NULL, 0);
	}
	while (waitpid(pid, &status, 0) == -1 && errno == EINTR)
		;
	return (status);
}

/* The input is not the program's. */
static void
no_input(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd != -1)
		dup2(fd, STDIN_FILENO);
}

/*
 * The program as a child, what was seen of it (NULL: nobody has looked), and,
 * if g is not NULL, the end of the run.
 */
static int
accompany(const struct run_before *before, const struct globals *g,
    bool with_input, char **argv)
{
	struct sigaction were[FORWARDED];
	sigset_t all, mask;
	pid_t self = getpid(), pid, watcher = 0;
	int status, ended = 0;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask); /* until we know whom to tell */
	forward(were);
	pid = fork();
	if (pid <= 0) {
		forward_no_more(were);
		if (pid == 0)
			prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigprocmask(SIG_SETMASK, &mask, NULL);
		if (pid == 0 && getppid() != self)
			_exit(EXIT_NOT_RUN);
		if (pid == 0 && with_input)
			no_input();
		return (become(argv));
	}
	child = pid;
	if (with_input)
		watcher = watch_input(pid);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	status = wait_for(pid, watcher);
	child = 0;
	forward_no_more(were);
	if (before != NULL &&
	    (!WIFEXITED(status) || (WEXITSTATUS(status) != EXIT_NOT_FOUND &&
				       WEXITSTATUS(status) != EXIT_NOT_RUN)))
		run_seen_after(before, pid, argv[0]);
	if (g != NULL)
		ended = end_run(g);
	return (status == 0 ? ended : end_as(status));
}

/* Words for others of us. */
#define HANDED_ON 12
struct handed_on {
	char *word[HANDED_ON + 1];
	size_t n; /* more than HANDED_ON: the last ones are not there */
};

static void
hand_on(struct handed_on *h, const char *option, char *value)
{
	char *w[] = { (char *)(uintptr_t)option, value };

	for (int i = 0; i < 2; i++)
		if (w[i] != NULL && h->n++ < HANDED_ON)
			h->word[h->n - 1] = w[i];
}

/* What the command line says. */
struct said {
	const char *node, *map; /* NULL: it is not said */
	bool automatic, then_end, with_input;
	struct handed_on on;
};

/* Is it one of the values that there are?  Then it is in the environment. */
static int
take_value(struct said *s, const char *option, char *value, bool ok,
    const char *expected, const char *variable)
{
	if (!ok) {
		log_warnx("run: %s %s: %s is expected", option, value,
		    expected);
		return (EX_USAGE);
	}
	setenv(variable, value, 1);
	hand_on(&s->on, option, value);
	return (0);
}

/* One of run's options; else an exit code. */
static int
take_option(struct said *s, int c, char **argv)
{
	switch (c) {
	case 'n':
		s->node = optarg;
		return (0);
	case 's':
		s->then_end = true;
		return (0);
	case 'M':
		s->map = optarg;
		return (badopt_text("--map", optarg, PATH_MAX - 1) == -1
			    ? EX_USAGE
			    : 0);
	case 'i':
		s->with_input = true;
		return (0);
	case 'f':
		return (take_value(s, "--full", optarg, full_ok(optarg),
		    "discard, wait or wait:MILLISECONDS", "ORRERY_FULL"));
	case 'm':
		return (take_value(s, "--memory", optarg, memory_ok(optarg),
		    "counts, sample, all or off", "ORRERY_MEMORY"));
	case 'l':
		return (take_value(s, "--locks", optarg, locks_ok(optarg),
		    "counts, all or contended", "ORRERY_LOCKS"));
	case 'y':
		setenv("ORRERY_PYTHON", "1", 1);
		hand_on(&s->on, "--python", NULL);
		s->automatic = true;
		return (0);
	case 'a':
	case 'p':
		hand_on(&s->on, c == 'a' ? "--auto" : "--plain", NULL);
		s->automatic = c == 'a';
		return (0);
	}
	return (option_of("run", c, argv));
}

/* What is not said together with --map; NULL: nothing of that. */
static const char *
against_map(const struct said *s)
{
	if (s->node != NULL)
		return ("--node and --map: the table says on which");
	if (s->with_input)
		return ("--with-input and --map: programs on several nodes "
			"have no input");
	if (s->on.n > HANDED_ON)
		return ("--map: too many options to be handed on");
	return (NULL);
}

static int
run_mapped(const struct globals *g, const struct said *s, char **program)
{
	const char *against = against_map(s);
	int code, ended;

	if (against != NULL) {
		log_warnx("run: %s", against);
		return (EX_USAGE);
	}
	code = mapped_run(s->map, s->on.word, program);
	ended = s->then_end ? end_run(g) : 0;
	return (code != 0 ? code : ended);
}

static int
run_here(const struct globals *g, const struct said *s, char **program)
{
	struct run_before before = { .socket = g->socket };
	char *node = NULL;
	bool seen = run_place(s->node,
	    "the program runs unobserved until one starts", &node);
	int code;

	if (s->automatic)
		program = run_auto(program);
	before.node = node;
	seen = seen && run_seen_before(&before) == 0;
	code = seen || s->then_end || s->with_input
		   ? accompany(seen ? &before : NULL, s->then_end ? g : NULL,
			 s->with_input, program)
		   : become(program);
	free(node);
	return (code);
}

int
run_run(const struct globals *g, int argc, char **argv)
{
	static const struct option options[] = {
		{ "node", required_argument, NULL, 'n' },
		{ "full", required_argument, NULL, 'f' },
		{ "auto", no_argument, NULL, 'a' },
		{ "plain", no_argument, NULL, 'p' },
		{ "memory", required_argument, NULL, 'm' },
		{ "locks", required_argument, NULL, 'l' },
		{ "python", no_argument, NULL, 'y' },
		{ "shutdown", no_argument, NULL, 's' },
		{ "map", required_argument, NULL, 'M' },
		{ "with-input", no_argument, NULL, 'i' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct said s = { .automatic = run_auto_usual() };
	int c, code;

	while ((c = getopt_long(argc, argv, "+h", options, NULL)) != -1) {
		code = take_option(&s, c, argv);
		if (code != 0 || c == 'h')
			return (code);
	}
	if (optind == argc)
		return (usage_of("run", false));
	return (s.map != NULL ? run_mapped(g, &s, argv + optind)
			      : run_here(g, &s, argv + optind));
}
