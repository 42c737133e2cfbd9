/*
 * See process.h.  A process is asked one thing at a time.  How long it may
 * think is counted in time of the processor that it has used, so that a busy
 * machine is not its fault; one that uses none is given much longer.
 */
#include "plugin/process/process.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugin/host/host.h"

#define CPU_NS   ((int64_t)1000000000)
#define STILL_NS ((int64_t)10000000000) /* it waits for something */
#define OPEN_NS  ((int64_t)60000000000) /* for the log, before it begins */

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

static int64_t
cpu_ns(const struct plug_process *p)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(p->pid, &clock) != 0 ||
	    clock_gettime(clock, &ts) == -1)
		return (0);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

void
plug_reap(struct plug_process *p)
{
	if (p->pid > 0) {
		kill(p->pid, SIGKILL);
		while (waitpid(p->pid, NULL, 0) == -1 && errno == EINTR)
			;
		close(p->fd);
	}
	p->pid = 0;
	p->fd = -1;
	p->got = 0;
	free(p->body);
	p->body = NULL;
}

void
plug_over(struct plug_process *p, const char *why)
{
	snprintf(p->why, sizeof(p->why), "%s", why);
	plug_reap(p);
	p->state = PLUG_OVER;
	p->drawn = false;
	plug_picture_clear(&p->picture);
	p->news = true;
}

/* It has hung up: how, if the kernel can say so. */
static void
gone(struct plug_process *p)
{
	struct timespec moment = { 0, 1000000 };
	char why[120] = "it has closed what it is asked through";
	siginfo_t si = { 0 };

	/* its end may be a moment behind that of its connection */
	for (int i = 0; i < 100 && si.si_pid == 0; i++) {
		if (waitid(P_PID, (id_t)p->pid, &si,
			WEXITED | WNOHANG | WNOWAIT) == -1)
			break;
		if (si.si_pid == 0)
			nanosleep(&moment, NULL);
	}
	if (si.si_pid != 0 && si.si_code == CLD_EXITED)
		snprintf(why, sizeof(why), "it has ended itself, with %d",
		    si.si_status);
	else if (si.si_pid != 0)
		snprintf(why, sizeof(why), "it has crashed: %s",
		    strsignal(si.si_status));
	plug_over(p, why);
}

/* -1 with errno. */
static int
spawn(struct plug_process *p, int theirs)
{
	char *argv[] = { (char *)"viewer", (char *)PLUGIN_HOST, p->path, p->log,
		NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none;
	int error;

	sigemptyset(&none);
	posix_spawnattr_init(&how);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, theirs, PLUGIN_HOST_FD);
	posix_spawn_file_actions_adddup2(&files, 2, 1);
	posix_spawn_file_actions_addclosefrom_np(&files, PLUGIN_HOST_FD + 1);
	error =
	    posix_spawn(&p->pid, "/proc/self/exe", &files, &how, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&how);
	errno = error;
	return (error == 0 ? 0 : -1);
}

void
plug_begin(struct plug_process *p, const char *log)
{
	int pair[2];
	char why[160];

	snprintf(p->log, sizeof(p->log), "%s", log);
	p->got = 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == -1) {
		snprintf(why, sizeof(why), "it has no process: %s",
		    strerror(errno));
		plug_over(p, why);
		return;
	}
	p->fd = pair[0];
	if (spawn(p, pair[1]) == -1) {
		snprintf(why, sizeof(why), "it has no process: %s",
		    strerror(errno));
		close(pair[0]);
		p->pid = 0;
		plug_over(p, why);
	} else {
		p->state = PLUG_OPENING;
		p->asked_ns = now_ns();
		p->seq = p->ask.seq = 0;
	}
	close(pair[1]);
}

void
plug_ask(struct plug_process *p, const struct plug_ask *what)
{
	p->ask = *what;
	p->ask.magic = PLUG_MAGIC;
	p->ask.seq = ++p->seq;
	p->asked_ns = now_ns();
	p->cpu_ns = cpu_ns(p);
	p->state = PLUG_ASKED;
	/* one that reads nothing must not make us wait */
	if (send(p->fd, &p->ask, sizeof(p->ask), MSG_NOSIGNAL | MSG_DONTWAIT) !=
	    (ssize_t)sizeof(p->ask))
		gone(p);
	p->ask.said[0] = '\0'; /* once */
}

/* A whole answer is there. */
static void
take(struct plug_process *p)
{
	const char *wrong;

	if (p->head.over != 0) {
		plug_over(p,
		    p->head.why[0] != '\0' ? p->head.why : "it says no more");
		return;
	}
	wrong = plug_picture_take(&p->picture, &p->head,
	    p->body != NULL ? p->body : "");
	if (wrong == NULL)
		wrong = plug_picture_heavy(&p->picture, p->ask.width,
		    p->ask.height);
	free(p->body);
	p->body = NULL;
	p->got = 0;
	if (wrong != NULL) {
		plug_over(p, wrong);
		return;
	}
	p->drawn |= p->state == PLUG_ASKED;
	p->state = PLUG_IDLE;
	p->again_ns = now_ns() + PLUG_AGAIN_NS;
	snprintf(p->why, sizeof(p->why), "%s", p->picture.head.why);
	p->news = true;
}

/* Room for what is still to come; 0: nothing is. */
static size_t
place(struct plug_process *p, char **to)
{
	size_t head = sizeof(p->head), body;

	if (p->got < head) {
		*to = (char *)&p->head + p->got;
		return (head - p->got);
	}
	body = plug_body_bytes(&p->head);
	*to = p->body + (p->got - head);
	return (body - (p->got - head));
}

/* The head is there. */
static void
look_at_head(struct plug_process *p)
{
	const char *wrong = plug_head_wrong(&p->head, p->seq);

	if (wrong == NULL && plug_body_bytes(&p->head) > 0 &&
	    (p->body = malloc(plug_body_bytes(&p->head))) == NULL)
		wrong = "there is no memory for its picture";
	if (wrong != NULL)
		plug_over(p, wrong);
}

/* What has come of an answer. */
void
plug_receive(struct plug_process *p)
{
	size_t room;
	ssize_t n;
	char *to;

	while (p->state == PLUG_OPENING || p->state == PLUG_ASKED) {
		room = place(p, &to);
		n = recv(p->fd, to, room, MSG_DONTWAIT);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (n <= 0) {
			gone(p);
			return;
		}
		p->got += (size_t)n;
		if (p->got == sizeof(p->head))
			look_at_head(p);
		if (p->state != PLUG_OVER && p->got >= sizeof(p->head) &&
		    place(p, &to) == 0)
			take(p);
	}
}

void
plug_watch(struct plug_process *p)
{
	int64_t now = now_ns(), cpu = p->state == PLUG_ASKED ? cpu_ns(p) : 0;

	if (cpu != p->cpu_seen_ns)
		p->moved_ns = now;
	p->cpu_seen_ns = cpu;
	if (p->state == PLUG_OPENING && now - p->asked_ns > OPEN_NS)
		plug_over(p, "the log could not be opened in a minute");
	else if (p->state == PLUG_ASKED && cpu - p->cpu_ns > CPU_NS)
		plug_over(p,
		    "it has computed for a second without an answer: it hangs");
	else if (p->state == PLUG_ASKED && now - p->asked_ns > STILL_NS &&
		 now - p->moved_ns > STILL_NS)
		plug_over(p, "it has not moved for 10 seconds: it hangs");
}

bool
plug_waits(const struct plug_process *p)
{
	return (p->state == PLUG_OPENING || p->state == PLUG_ASKED);
}
