/*
 * Launchers: processes are started, watched, and started again.
 *
 * local: the collector is a child of ours, in a session of its own, so that a
 * Ctrl-C at our terminal is ours alone.  ssh: the child is ssh; it forwards
 * our socket to the other side, where the collector finds it, and the
 * collector stops when ssh's input ends.  none: nothing to do.
 *
 * A child that exits is started again, at once when it had joined, and ever
 * more slowly when it does not get so far.  A local collector that has outlived
 * an earlier monitord is left alone: it comes back by itself.
 */
#include "launch.h"

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "launch_inside.h"
#include "launch_words.h"
#include "log.h"
#include "paths.h"

#define DELAY_FIRST_MS 10
#define DELAY_MAX_MS   1000
#define DELAY_SSH_MS   60000 /* a machine that is off, a key that is missing */
#define ALIVE_MS       100   /* between looks at one that is not ours */
#define CONNECTED_MS   1000  /* and while it is here */

static void
find_collector(struct launch *la)
{
	static const char *const beside[] = { "/../collector/collector",
		"/../libexec/orrery/collector", "/collector" };
	char self[PATH_MAX], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	snprintf(la->collector, sizeof(la->collector), "collector");
	if (n <= 0)
		return;
	self[n] = '\0';
	slash = strrchr(self, '/');
	if (slash == NULL)
		return;
	*slash = '\0';
	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		if (snprintf(la->collector, sizeof(la->collector), "%s%s", self,
			beside[i]) < (int)sizeof(la->collector) &&
		    access(la->collector, X_OK) == 0)
			return;
	}
	snprintf(la->collector, sizeof(la->collector), "collector");
}

/* Whether a collector of that name answers on this machine. */
static bool
is_alive(const char *node)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int fd, rv;

	if (paths_collector(sun.sun_path, sizeof(sun.sun_path), node) == -1)
		return (false);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd == -1)
		return (false);
	rv = connect(fd, (struct sockaddr *)&sun, sizeof(sun));
	close(fd);
	return (rv == 0);
}

static void
note(struct child *ch, const char *text)
{
	struct launch *la = ch->launch;

	la->ops->note(la->arg, ch->node->name, text);
}

static void
start_later(struct child *ch, int ms)
{
	struct timeval tv = { ms / 1000, (ms % 1000) * 1000 };

	evtimer_add(ch->timer, &tv);
}

/* In the child: never returns.  words -1: says them where we do. */
static void
run(const struct args *a, int input, int words)
{
	sigset_t none;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (dup2(input, STDIN_FILENO) == -1 ||
	    (words != -1 && dup2(words, STDERR_FILENO) == -1))
		_exit(126);
	execvp(a->v[0], a->v);
	fprintf(stderr, "monitord: cannot run %s: %s\n", a->v[0],
	    strerror(errno));
	_exit(127);
}

static void
words_end(struct child *ch)
{
	launch_words_free(ch->words);
	ch->words = NULL;
}

static void
start(struct child *ch)
{
	struct args a = { .n = 0 };
	int in[2] = { -1, -1 }, words = -1;

	if (ch->node->launch == CONF_SSH) {
		launch_args_ssh(ch, &a);
		if (pipe2(in, O_CLOEXEC) == -1)
			in[0] = -1;
		/* without, they come as they are */
		ch->words =
		    launch_words_new(ch->launch->base, ch->node->name, &words);
	} else {
		launch_args_local(ch, &a);
		in[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
	if (a.n == 0 || in[0] == -1 || (ch->pid = fork()) == -1) {
		log_warn("node %s: cannot start its collector", ch->node->name);
		ch->pid = 0;
		start_later(ch, DELAY_MAX_MS);
	} else if (ch->pid == 0) {
		run(&a, in[0], words);
	}
	if (words != -1)
		close(words);
	if (ch->pid == 0)
		words_end(ch);
	if (in[0] != -1)
		close(in[0]);
	if (ch->pid == 0 && in[1] != -1)
		close(in[1]);
	else
		ch->input = in[1];
	launch_args_free(&a);
	ch->connects =
	    ch->launch->ops->connects(ch->launch->arg, ch->node->name);
}

/* One that an earlier monitord has started will find us. */
static bool
is_left_alone(struct child *ch)
{
	struct launch *la = ch->launch;
	bool connected;

	if (ch->node->launch != CONF_LOCAL || ch->node->dir != NULL)
		return (false);
	connected = la->ops->connected(la->arg, ch->node->name);
	if (!connected && !is_alive(ch->node->name))
		return (false);
	if (connected)
		note(ch, ""); /* our child has ended, and nobody minds */
	start_later(ch, connected ? CONNECTED_MS : ALIVE_MS);
	return (true);
}

static void
timer_cb(evutil_socket_t fd, short what, void *arg)
{
	struct child *ch = arg;

	(void)fd;
	(void)what;
	if (!ch->launch->ops->ending(ch->launch->arg) && !is_left_alone(ch))
		start(ch);
}

static void
say_exit(struct child *ch, int status)
{
	char text[160], whole[800];
	const char *what =
	    ch->node->launch == CONF_SSH ? "its ssh" : "its collector";
	const char *last =
	    ch->words != NULL ? launch_words_last(ch->words) : "";

	if (WIFSIGNALED(status))
		snprintf(text, sizeof(text), "%s was killed by signal %d (%s)",
		    what, WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(text, sizeof(text), "%s has exited with %d%s", what,
		    WEXITSTATUS(status),
		    WEXITSTATUS(status) == 127 ? " (no such program there)"
					       : "");
	log_warnx("node %s: %s; starting it again in %d ms", ch->node->name,
	    text, ch->delay_ms);
	snprintf(whole, sizeof(whole), "%s%s%s", text,
	    *last != '\0' ? ": " : "", last);
	note(ch, whole);
}

/* It is tried again after longer and longer pauses. */
static void
pause_longer(struct child *ch)
{
	int most = ch->node->launch == CONF_SSH ? DELAY_SSH_MS : DELAY_MAX_MS;

	ch->delay_ms = ch->delay_ms * 2 < most ? ch->delay_ms * 2 : most;
}

static void
child_gone(struct child *ch, int status)
{
	struct launch *la = ch->launch;

	ch->pid = 0;
	if (ch->input != -1)
		close(ch->input);
	ch->input = -1;
	if (la->ops->ending(la->arg)) {
		words_end(ch);
		return;
	}
	/* it was well: what has befallen it need not befall the next */
	if (la->ops->connects(la->arg, ch->node->name) != ch->connects)
		ch->delay_ms = DELAY_FIRST_MS;
	say_exit(ch, status);
	words_end(ch);
	start_later(ch, ch->delay_ms);
	pause_longer(ch);
}

static void
sigchld_cb(evutil_socket_t sig, short what, void *arg)
{
	struct launch *la = arg;
	int status;

	(void)sig;
	(void)what;
	for (size_t i = 0; i < la->n; i++)
		if (la->children[i].pid > 0 &&
		    waitpid(la->children[i].pid, &status, WNOHANG) > 0)
			child_gone(&la->children[i], status);
}

struct launch *
launch_new(struct event_base *base, const struct conf *conf, const char *socket,
    int verbose, const struct launch_ops *ops, void *arg)
{
	struct launch *la = calloc(1, sizeof(*la));
	struct child *ch;

	if (la == NULL)
		return (NULL);
	*la = (struct launch){ .base = base,
		.socket = socket,
		.verbose = verbose,
		.ops = ops,
		.arg = arg };
	find_collector(la);
	la->children = calloc(conf->nnodes + 1, sizeof(*la->children));
	la->sigchld = evsignal_new(base, SIGCHLD, sigchld_cb, la);
	if (la->children == NULL || la->sigchld == NULL ||
	    event_add(la->sigchld, NULL) == -1)
		goto fail;
	for (size_t i = 0; i < conf->nnodes; i++) {
		if (conf->nodes[i].launch == CONF_NONE)
			continue;
		ch = &la->children[la->n];
		*ch = (struct child){ .launch = la,
			.input = -1,
			.node = &conf->nodes[i],
			.delay_ms = DELAY_FIRST_MS };
		ch->timer = evtimer_new(base, timer_cb, ch);
		if (ch->timer == NULL)
			goto fail;
		la->n++;
		start_later(ch, 0);
	}
	return (la);

fail:
	launch_free(la);
	return (NULL);
}

void
launch_free(struct launch *la)
{
	if (la == NULL)
		return;
	for (size_t i = 0; la->children != NULL && i < la->n; i++) {
		if (la->children[i].pid > 0)
			kill(la->children[i].pid, SIGTERM);
		if (la->children[i].input != -1)
			close(la->children[i].input);
		launch_words_free(la->children[i].words);
		event_free(la->children[i].timer);
	}
	if (la->sigchld != NULL)
		event_free(la->sigchld);
	free(la->children);
	free(la);
}
