/*
 * A program on several nodes.
 *
 * Each instance is a child: monitorctl itself, or the command that leads to
 * the other machine.  Here a child does not outlive us; over there monitorctl
 * ends its program when its input ends, which it does with our pipe, however
 * we end.  What all of them print comes through pipes, line by line.
 */
#include "mapped.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "paths.h"
#include "shellword.h"
#include "tools/ask/ask.h"
#include "tools/run/map.h"

#define LINE_BYTES 4096 /* longer ones come in pieces */
#define FILE_BYTES (1 << 20)
#define PATIENCE_S 3  /* so long they may take to end */
#define READS      64 /* two of them take LINE_BYTES or more */

/* What comes from one of them, until a line is whole. */
struct stream {
	int fd; /* -1: it has ended */
	size_t n;
	char text[LINE_BYTES];
};

struct instance {
	const struct map_node *node;
	size_t rank;
	pid_t pid;
	bool over;
	int status;
	int input; /* it ends with this; -1: it is on this machine */
	struct stream out, err;
};

static volatile sig_atomic_t told, all_told;

/* A terminal tells all of us, who of them are here. */
static void
signal_cb(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (sig == SIGCHLD) /* it only wakes us */
		return;
	told = sig;
	all_told = info->si_code > 0;
}

/* All of a file; NULL: it is said.  To be freed. */
static char *
read_file(const char *path)
{
	char *text = calloc(1, FILE_BYTES + 1);
	FILE *f = fopen(path, "re");
	size_t n = 0;

	if (f != NULL && text != NULL)
		n = fread(text, 1, FILE_BYTES + 1, f);
	if (f == NULL || text == NULL || ferror(f)) {
		log_warn("--map %s", path);
	} else if (n > FILE_BYTES || strlen(text) < n) {
		log_warnx("--map %s: this is no table of places", path);
	} else {
		fclose(f);
		return (text);
	}
	if (f != NULL)
		fclose(f);
	free(text);
	return (NULL);
}

/* A node without a way to it is to be here. */
static bool
is_here(const char *file, const struct map_node *node)
{
	char path[PATH_MAX];
	struct ask a;

	if (node->through != NULL)
		return (true);
	if (paths_collector(path, sizeof(path), node->name) == 0 &&
	    ask_connect(&a, path) == 0) {
		ask_close(&a);
		return (true);
	}
	log_warnx("%s:%u: no collector of node %s on this machine; if it is on "
		  "another one, say how to get there: %s ... through ssh HOST",
	    file, node->line, node->name, node->name);
	return (false);
}

struct words {
	const char **v;
	size_t n;
};

static void
add(struct words *w, const char *s)
{
	const char **v = realloc(w->v, (w->n + 2) * sizeof(*v));

	if (v == NULL)
		_exit(EX_OSERR);
	w->v = v;
	w->v[w->n++] = s;
	w->v[w->n] = NULL;
}

/* What a shell on the other machine is to run: in the same folder there. */
static char *
remote_line(const struct instance *k, size_t ranks, char *const *options,
    char *const *program)
{
	char *text = NULL, cwd[PATH_MAX];
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (f == NULL || getcwd(cwd, sizeof(cwd)) == NULL)
		_exit(EX_OSERR);
	fputs("env -C", f);
	shellword_put(f, cwd);
	fprintf(f,
	    " ORRERY_RANK=%zu ORRERY_RANKS=%zu monitorctl run "
	    "--with-input --node",
	    k->rank, ranks);
	shellword_put(f, k->node->name);
	for (; *options != NULL; options++)
		shellword_put(f, *options);
	fputs(" --", f);
	for (; *program != NULL; program++)
		shellword_put(f, *program);
	if (fclose(f) != 0)
		_exit(EX_OSERR);
	return (text);
}

/* In the child: never returns. */
static void
become(const struct instance *k, size_t ranks, char *const *options,
    char *const *program)
{
	char number[24], *save;
	struct words w = { 0 };

	if (k->node->through != NULL) {
		char *way = strdup(k->node->through);

		for (char *s = strtok_r(way, " ", &save); s != NULL;
		     s = strtok_r(NULL, " ", &save))
			add(&w, s);
		add(&w, remote_line(k, ranks, options, program));
	} else {
		snprintf(number, sizeof(number), "%zu", k->rank);
		setenv("ORRERY_RANK", number, 1);
		snprintf(number, sizeof(number), "%zu", ranks);
		setenv("ORRERY_RANKS", number, 1);
		add(&w, "/proc/self/exe");
		add(&w, "run");
		add(&w, "--node");
		add(&w, k->node->name);
		for (; *options != NULL; options++)
			add(&w, *options);
		add(&w, "--");
		for (; *program != NULL; program++)
			add(&w, *program);
	}
	execvp(w.v[0], (char *const *)(const void *)w.v);
	fprintf(stderr, "cannot run %s: %s\n", w.v[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* -1: it is said. */
static int
start(struct instance *k, size_t ranks, char *const *options,
    char *const *program)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 };
	pid_t self = getpid();
	sigset_t none;

	if (pipe2(in, O_CLOEXEC) == -1 || pipe2(out, O_CLOEXEC) == -1 ||
	    pipe2(err, O_CLOEXEC) == -1 || (k->pid = fork()) == -1) {
		log_warn("rank %zu on %s", k->rank, k->node->name);
		return (-1);
	}
	if (k->pid == 0) {
		int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

		prctl(PR_SET_PDEATHSIG, SIGTERM);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		signal(SIGPIPE, SIG_DFL);
		if (getppid() != self ||
		    dup2(k->node->through != NULL ? in[0] : null,
			STDIN_FILENO) == -1 ||
		    dup2(out[1], STDOUT_FILENO) == -1 ||
		    dup2(err[1], STDERR_FILENO) == -1)
			_exit(126);
		become(k, ranks, options, program);
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	if (k->node->through != NULL)
		k->input = in[1];
	else
		close(in[1]);
	k->out.fd = out[0];
	k->err.fd = err[0];
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	fcntl(err[0], F_SETFL, O_NONBLOCK);
	return (0);
}

/* A line of it, or the beginning of a long one. */
static void
say(const struct instance *k, FILE *f, const char *text, size_t n)
{
	fprintf(f, "[%s %zu] %.*s\n", k->node->name, k->rank, (int)n, text);
}

static void
take_lines(const struct instance *k, struct stream *s, FILE *f)
{
	char *at = s->text, *nl;
	size_t left = s->n;

	while ((nl = memchr(at, '\n', left)) != NULL) {
		say(k, f, at, (size_t)(nl - at));
		left -= (size_t)(nl + 1 - at);
		at = nl + 1;
	}
	if (left == sizeof(s->text)) {
		say(k, f, at, left);
		left = 0;
	}
	memmove(s->text, at, left);
	s->n = left;
	fflush(f);
}

/* It has ended, or it is not waited for: a line without its end, too. */
static void
end_stream(const struct instance *k, struct stream *s, FILE *f)
{
	if (s->n > 0)
		say(k, f, s->text, s->n);
	fflush(f);
	s->n = 0;
	if (s->fd != -1)
		close(s->fd);
	s->fd = -1;
}

/* What is there; false: there is no more now. */
static bool
hand_on(const struct instance *k, struct stream *s, FILE *f)
{
	ssize_t n;

	if (s->fd == -1)
		return (false);
	n = read(s->fd, s->text + s->n, sizeof(s->text) - s->n);
	if (n > 0) {
		s->n += (size_t)n;
		take_lines(k, s, f);
		return (true);
	}
	if (n == 0 || (errno != EAGAIN && errno != EINTR))
		end_stream(k, s, f);
	return (false);
}

/* As much as a pipe holds: who prints without end does not keep us from the
 * others, or from signals. */
static void
hand_on_all(struct instance *k, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (int t = 0; t < READS && hand_on(&k[i], &k[i].out, stdout);)
			t++;
		for (int t = 0; t < READS && hand_on(&k[i], &k[i].err, stderr);)
			t++;
	}
}

static size_t
reap(struct instance *k, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		if (!k[i].over && k[i].pid > 0 &&
		    waitpid(k[i].pid, &k[i].status, WNOHANG) > 0)
			k[i].over = true;
		left += k[i].pid > 0 && !k[i].over;
	}
	return (left);
}

/* To all; the second time they are not asked any more. */
static void
end_all(struct instance *k, size_t n, int sig)
{
	static bool before;

	for (size_t i = 0; i < n; i++) {
		if (k[i].input != -1)
			close(k[i].input);
		k[i].input = -1;
		if (k[i].pid <= 0 || k[i].over)
			continue;
		if (before)
			kill(k[i].pid, SIGKILL);
		else if (k[i].node->through == NULL && !all_told)
			kill(k[i].pid, sig);
	}
	before = true;
}

/* So long after a signal: who has not ended, and what to do about it. */
static void
tell_left(const struct instance *k, size_t n)
{
	size_t left = 0, last = 0;

	for (size_t i = 0; i < n; i++)
		if (k[i].pid > 0 && !k[i].over) {
			left++;
			last = i;
		}
	if (left > 0)
		log_warnx("%zu have not ended yet, as rank %zu on %s; the same "
			  "signal again kills them",
		    left, last, k[last].node->name);
}

/* Until all have ended, and what they have printed is told; p: room for two of
 * each. */
static void
watch(struct instance *k, size_t n, struct pollfd *p, const sigset_t *open)
{
	const struct timespec second = { 1, 0 };
	time_t asked = 0;
	sigset_t closed;

	while (reap(k, n) > 0) {
		for (size_t i = 0; i < n; i++) {
			p[2 * i] = (struct pollfd){ k[i].out.fd, POLLIN, 0 };
			p[2 * i + 1] =
			    (struct pollfd){ k[i].err.fd, POLLIN, 0 };
		}
		ppoll(p, 2 * n, &second, open);
		/* it lets no signal in while there is something to read */
		sigprocmask(SIG_SETMASK, open, &closed);
		sigprocmask(SIG_SETMASK, &closed, NULL);
		hand_on_all(k, n);
		if (told) {
			end_all(k, n, told);
			asked = time(NULL);
		}
		told = 0;
		if (asked != 0 && time(NULL) - asked > PATIENCE_S) {
			tell_left(k, n);
			asked = 0;
		}
	}
	hand_on_all(k, n);
	for (size_t i = 0; i < n; i++) {
		end_stream(&k[i], &k[i].out, stdout);
		end_stream(&k[i], &k[i].err, stderr);
	}
}

static int
code_of(int status)
{
	return (
	    WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/* A line about each that has failed; the first one's code. */
static int
tell(const struct instance *k, size_t n)
{
	size_t bad = 0;
	int code = 0;

	for (size_t i = 0; i < n; i++) {
		if (k[i].status == 0)
			continue;
		bad++;
		code = code != 0 ? code : code_of(k[i].status);
		if (WIFSIGNALED(k[i].status))
			log_warnx("rank %zu on %s was killed by signal %d (%s)",
			    i, k[i].node->name, WTERMSIG(k[i].status),
			    strsignal(WTERMSIG(k[i].status)));
		else
			log_warnx("rank %zu on %s has exited with %d", i,
			    k[i].node->name, WEXITSTATUS(k[i].status));
	}
	log_warnx("%zu of %zu instances have ended well", n - bad, n);
	return (code);
}

static int
run_all(const struct map *m, char *const *options, char *const *program)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
		SIGCHLD };
	struct instance *k = calloc(m->ranks, sizeof(*k));
	struct pollfd *p = calloc(2 * m->ranks, sizeof(*p));
	struct sigaction sa = { .sa_sigaction = signal_cb,
		.sa_flags = SA_SIGINFO };
	sigset_t closed, open;
	int code = 0;

	if (k == NULL || p == NULL) {
		log_warn("cannot start");
		free(k);
		free(p);
		return (EX_OSERR);
	}
	sigemptyset(&closed);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaddset(&closed, signals[i]);
		sigaction(signals[i], &sa, NULL);
	}
	sigprocmask(SIG_BLOCK, &closed, &open);
	for (size_t i = 0; i < m->ranks; i++)
		k[i] = (struct instance){ .node = &m->node[m->at[i]],
			.rank = i,
			.input = -1,
			.out.fd = -1,
			.err.fd = -1 };
	for (size_t i = 0; i < m->ranks && code == 0; i++)
		if (start(&k[i], m->ranks, options, program) == -1)
			code = EX_OSERR;
	if (code != 0)
		end_all(k, m->ranks, SIGTERM);
	watch(k, m->ranks, p, &open);
	code = code != 0 ? code : tell(k, m->ranks);
	sigprocmask(SIG_SETMASK, &open, NULL);
	free(k);
	free(p);
	return (code);
}

int
mapped_run(const char *file, char *const *options, char *const *program)
{
	char *text = read_file(file), why[160];
	struct map m = { 0 };
	int code = EX_DATAERR;

	if (text == NULL)
		return (EX_NOINPUT);
	if (map_parse(&m, text, why, sizeof(why)) == -1) {
		log_warnx("%s:%s", file, why);
	} else {
		code = 0;
		for (size_t i = 0; i < m.nodes && code == 0; i++)
			code = is_here(file, &m.node[i]) ? 0 : EX_DATAERR;
		if (code == 0)
			code = run_all(&m, options, program);
	}
	map_clear(&m);
	free(text);
	return (code);
}
