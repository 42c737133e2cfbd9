/*
 * The keeper.
 *
 * A loop around poll and a table of descriptors; no libevent, no protocol, no
 * memory mapped: as little as possible that could fail.
 * What it keeps is in keeper_kept.c, whom it keeps it for in keeper_worker.c.
 *
 * When a keeper dies, its worker starts another one (keeper_resume).  Whoever
 * started the first sees it die, and starts a second collector; that one asks
 * at keeper.sock, is given everything, and the orphan goes.
 */
#include "keeper.h"

#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "collector/shell/self/pass.h"
#include "collector/shell/self/rescue.h"
#include "door.h"
#include "keeper_inside.h"
#include "log.h"

#define STOP_LIMIT_MS   10000 /* for a worker that was asked to stop */
#define ORPHAN_GRACE_MS 5000  /* for a successor, when our starter has gone */

int64_t
keeper_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000);
}

static void
keeper_stop(struct keeper *k)
{
	struct pass stop = { .type = PASS_STOP };

	if (k->stopping)
		return;
	k->stopping = true;
	k->stop_ms = keeper_now_ms() + STOP_LIMIT_MS;
	if (k->worker_fd != -1)
		(void)pass_send(k->worker_fd, &stop, NULL);
}

static void
keeper_signal(struct keeper *k)
{
	struct signalfd_siginfo si;

	while (read(k->signal_fd, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		if (si.ssi_signo == SIGTERM || si.ssi_signo == SIGINT)
			keeper_stop(k);
	}
}

/* The starter has gone.  An orphan's has gone before: it waits a while. */
static void
keeper_stdin(struct keeper *k)
{
	char junk[256];
	ssize_t n = read(STDIN_FILENO, junk, sizeof(junk));

	if (n > 0 || (n == -1 && (errno == EINTR || errno == EAGAIN)))
		return;
	k->stdin_open = false;
	if (!k->orphan)
		keeper_stop(k);
	else
		k->stop_ms = keeper_now_ms() + ORPHAN_GRACE_MS;
}

static int
keeper_timeout(const struct keeper *k)
{
	int64_t at_ms = INT64_MAX, now = keeper_now_ms();

	if (k->worker_fd == -1)
		at_ms = k->restart_ms;
	if (k->stop_ms != 0 && k->stop_ms < at_ms)
		at_ms = k->stop_ms;
	if (at_ms == INT64_MAX)
		return (-1);
	return (at_ms <= now ? 0 : (int)(at_ms - now));
}

/* What is due by time. */
static void
keeper_due(struct keeper *k)
{
	if (k->worker_fd == -1 && !k->stopped &&
	    keeper_now_ms() >= k->restart_ms) {
		if (k->stopping && k->nkept == 0)
			k->stopped = true;
		else if (keeper_worker_start(k) == -1) {
			log_warn("worker");
			k->restart_ms = keeper_now_ms() + BACKOFF_MAX_MS;
		} else if (k->stopping) {
			k->stopping = false;
			keeper_stop(k);
		}
	}
	if (k->stop_ms == 0 || keeper_now_ms() < k->stop_ms)
		return;
	if (!k->stopping) {
		keeper_stop(k);
		return;
	}
	log_warnx("the worker does not stop; killing it");
	if (k->worker > 0)
		kill(k->worker, SIGKILL);
	k->stopped = true;
	k->code = EX_TEMPFAIL;
}

static int
keeper_loop(struct keeper *k)
{
	enum {
		WORKER,
		DOOR,
		SIGNAL,
		STDIN,
		FDS
	};
	struct pollfd p[FDS];

	while (!k->stopped || k->worker_fd != -1) {
		p[WORKER] = (struct pollfd){ k->worker_fd, POLLIN, 0 };
		p[DOOR] =
		    (struct pollfd){ k->told ? k->door_fd : -1, POLLIN, 0 };
		p[SIGNAL] = (struct pollfd){ k->signal_fd, POLLIN, 0 };
		p[STDIN] = (struct pollfd){ k->stdin_open ? 0 : -1, POLLIN, 0 };
		if (poll(p, FDS, keeper_timeout(k)) == -1 && errno != EINTR)
			return (EX_OSERR);
		if (p[SIGNAL].revents != 0)
			keeper_signal(k);
		if (p[STDIN].revents != 0)
			keeper_stdin(k);
		if (p[WORKER].revents != 0)
			keeper_worker_packet(k);
		if (p[DOOR].revents != 0 && keeper_hand_over(k))
			return (0); /* the successor has the sockets now */
		keeper_due(k);
		if (k->stopped && k->code == EX_TEMPFAIL)
			break;
	}
	keeper_wake_end(k);
	unlink(k->opt->socket);
	unlink(k->opt->keeper);
	return (k->code);
}

/* As far as we may. */
static void
raise_limit(__rlimit_resource_t which)
{
	struct rlimit l;

	if (getrlimit(which, &l) == 0 && l.rlim_cur != l.rlim_max) {
		l.rlim_cur = l.rlim_max;
		(void)setrlimit(which, &l);
	}
}

static void
keeper_signals(struct keeper *k)
{
	sigset_t set;

	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* EFBIG instead */
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	k->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (k->signal_fd == -1)
		fatal(EX_OSERR, "signalfd");
	raise_limit(RLIMIT_NOFILE); /* two descriptors a process */
	raise_limit(RLIMIT_FSIZE);  /* which holds for memory files, too */
	k->stdin_open = k->opt->stdin_exit;
}

int
keeper_run(const struct options *opt)
{
	struct keeper k = {
		.opt = opt,
		.worker_fd = -1,
		.listen_fd = -1,
	};
	bool before; /* a keeper that ends in good order removes its socket */
	int sock, code;

	keeper_signals(&k);
	before = access(opt->socket, F_OK) == 0;
	sock = door_knock(opt->keeper, opt->socket);
	if (sock == -1 || !keeper_take_over(&k, sock)) {
		if (k.listen_fd == -1)
			k.listen_fd = door_listen(opt->socket, SOCK_STREAM);
		if (before)
			rescue_scan(opt->tag, keeper_rescued, &k);
	}
	k.door_fd = door_listen(opt->keeper, SOCK_SEQPACKET);
	if (keeper_worker_start(&k) == -1)
		fatal(EX_OSERR, "worker");
	code = keeper_loop(&k);
	free(k.kept);
	return (code);
}

int
keeper_resume(const struct options *opt, int worker_fd, int listen_fd)
{
	struct keeper k = {
		.opt = opt,
		.worker_fd = worker_fd,
		.worker = getppid(),
		.listen_fd = listen_fd,
		.orphan = true,
		.ready = true, /* it was, and tells us all it has */
		.started_ms = keeper_now_ms(),
	};
	int code;

	keeper_signals(&k);
	k.door_fd = door_listen(opt->keeper, SOCK_SEQPACKET);
	code = keeper_loop(&k);
	free(k.kept);
	return (code);
}
