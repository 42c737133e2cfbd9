/*
 * The keeper.
 *
 * A loop around poll and a table of descriptors; no libevent, no protocol, no
 * memory mapped but the wake page: as little as possible that could fail.
 * Descriptors that a worker has sent are in our socket even when it dies the
 * moment after, so its word is read to the end before the next is started.
 *
 * When a keeper dies, its worker starts another one (keeper_resume).  Whoever
 * started the first sees it die, and starts a second collector; that one asks
 * at keeper.sock, is given everything, and the orphan goes.
 */
#include "keeper.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "door.h"
#include "log.h"
#include "pass.h"
#include "rescue.h"
#include "spawn.h"

#define QUICK_MS        200 /* a worker that lives no longer is unwell */
#define BACKOFF_MAX_MS  1000
#define STOP_LIMIT_MS   10000 /* for a worker that was asked to stop */
#define ORPHAN_GRACE_MS 5000  /* for a successor, when our starter has gone */

struct kept {
	struct pass m;
	int fds[PASS_FDS];
};

struct keeper {
	const struct options *opt;
	struct kept *kept;
	size_t nkept;
	int worker_fd; /* -1: none now */
	pid_t worker;  /* 0: not known */
	bool child;    /* it is ours to wait for */
	int listen_fd, door_fd, signal_fd;
	bool orphan, stopping, stopped;
	bool ready; /* some worker was */
	bool told;  /* this one: we have all that it has */
	int64_t started_ms, stop_ms, restart_ms;
	int backoff_ms, code;
	struct ring_wake *wake;
	bool stdin_open;
};

static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000);
}

static void
kept_add(struct keeper *k, const struct pass *m, const int fds[PASS_FDS])
{
	struct kept *p = realloc(k->kept, (k->nkept + 1) * sizeof(*p));

	if (p == NULL) {
		log_warn("po %u", m->po);
		return;
	}
	k->kept = p;
	p[k->nkept].m = *m;
	memcpy(p[k->nkept].fds, fds, sizeof(p->fds));
	k->nkept++;
}

static void
kept_remove(struct keeper *k, uint32_t po)
{
	for (size_t i = 0; i < k->nkept; i++) {
		if (k->kept[i].m.po != po)
			continue;
		for (int j = 0; j < PASS_FDS; j++) {
			if (k->kept[i].fds[j] != -1)
				close(k->kept[i].fds[j]);
		}
		k->kept[i] = k->kept[--k->nkept];
		return;
	}
}

/* Everything we have, as a worker or a successor wants it. */
static int
kept_tell(const struct keeper *k, int sock)
{
	struct pass end = { .type = PASS_END };

	for (size_t i = 0; i < k->nkept; i++) {
		if (pass_send(sock, &k->kept[i].m, k->kept[i].fds) == -1)
			return (-1);
	}
	return (pass_send(sock, &end, NULL));
}

/* Processes that found no collector are waiting for this. */
static void
wake_up(struct keeper *k)
{
	int fd;

	if (k->wake == NULL) {
		fd = open(k->opt->wake,
		    O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd == -1 || ftruncate(fd, 4096) == -1) {
			log_warn("%s", k->opt->wake);
			if (fd != -1)
				close(fd);
			return;
		}
		k->wake =
		    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		close(fd);
		if (k->wake == MAP_FAILED) {
			k->wake = NULL;
			return;
		}
	}
	atomic_fetch_add(&k->wake->generation, 1);
	atomic_store(&k->wake->mask, ~0u);
}

static int
worker_start(struct keeper *k)
{
	int pair[2], fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == -1)
		return (-1);
	fds[0] = pair[1];
	fds[1] = k->listen_fd;
	k->worker = spawn_self("worker", fds, 2);
	close(pair[1]);
	if (k->worker == -1) {
		k->worker = 0;
		close(pair[0]);
		return (-1);
	}
	k->child = true;
	k->worker_fd = pair[0];
	k->told = false;
	k->started_ms = now_ms();
	/* an error means that it is dead: we shall read that soon */
	(void)kept_tell(k, k->worker_fd);
	return (0);
}

/* How it ended; worth another try? */
static bool
worker_may_restart(struct keeper *k)
{
	int status = 0;

	if (!k->child || waitpid(k->worker, &status, 0) != k->worker)
		return (true);
	if (WIFSIGNALED(status)) {
		log_warnx("worker %d was killed by signal %d; starting another",
		    (int)k->worker, WTERMSIG(status));
		return (true);
	}
	/* it has said why it cannot start */
	if (!k->ready && WEXITSTATUS(status) >= EX__BASE) {
		k->code = WEXITSTATUS(status);
		return (false);
	}
	log_warnx("worker %d ended with code %d; starting another",
	    (int)k->worker, WEXITSTATUS(status));
	return (true);
}

static void
worker_died(struct keeper *k)
{
	int64_t lived_ms = now_ms() - k->started_ms;

	close(k->worker_fd);
	k->worker_fd = -1;
	if (k->stopped || !worker_may_restart(k)) {
		if (k->child && k->stopped)
			(void)waitpid(k->worker, NULL, 0);
		k->stopped = true;
		return;
	}
	if (lived_ms >= QUICK_MS)
		k->backoff_ms = 0;
	k->restart_ms = now_ms() + k->backoff_ms;
	k->backoff_ms = k->backoff_ms == 0 ? 10 : k->backoff_ms * 2;
	if (k->backoff_ms > BACKOFF_MAX_MS)
		k->backoff_ms = BACKOFF_MAX_MS;
}

/* One packet from the worker. */
static void
worker_packet(struct keeper *k)
{
	struct pass m;
	int fds[PASS_FDS], rc;

	rc = pass_receive(k->worker_fd, &m, fds);
	if (rc == 0 || (rc == -1 && errno != EAGAIN && errno != EPROTO)) {
		worker_died(k);
		return;
	}
	if (rc == -1)
		return;
	switch (m.type) {
	case PASS_SEGMENT:
		kept_add(k, &m, fds);
		return;
	case PASS_GONE:
		kept_remove(k, m.po);
		break;
	case PASS_READY:
		k->worker = (pid_t)m.pid;
		k->ready = k->told = true;
		wake_up(k);
		break;
	case PASS_STOP:
		k->stopped = true;
		break;
	}
}

static void
keeper_stop(struct keeper *k)
{
	struct pass stop = { .type = PASS_STOP };

	if (k->stopping)
		return;
	k->stopping = true;
	k->stop_ms = now_ms() + STOP_LIMIT_MS;
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
		k->stop_ms = now_ms() + ORPHAN_GRACE_MS;
}

/*
 * Somebody asks for what we keep.  Only an orphan gives it away, and only when
 * it has everything; its worker goes the way of a crash, which is the one that
 * is always ready.
 */
static bool
keeper_hand_over(struct keeper *k)
{
	struct pass busy = { .type = PASS_BUSY, .pid = (uint32_t)getpid() };
	struct pass listener = { .type = PASS_LISTENER };
	int fds[PASS_FDS] = { k->listen_fd, -1 };
	int sock = door_accept(k->door_fd);

	if (sock == -1)
		return (false);
	if (!k->orphan || k->stopping) {
		(void)pass_send(sock, &busy, NULL);
		close(sock);
		return (false);
	}
	log_info("a new collector takes over");
	if (k->worker_fd != -1 && k->worker > 0)
		kill(k->worker, SIGKILL);
	while (k->worker_fd != -1)
		worker_packet(k);
	close(k->door_fd); /* the successor's from here on */
	if (pass_send(sock, &listener, fds) == 0 && kept_tell(k, sock) == 0)
		return (true);
	close(sock); /* it is dead as well: go on */
	k->door_fd = door_listen(k->opt->keeper, SOCK_SEQPACKET);
	return (false);
}

static int
keeper_timeout(const struct keeper *k)
{
	int64_t at_ms = INT64_MAX, now = now_ms();

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
	if (k->worker_fd == -1 && !k->stopped && now_ms() >= k->restart_ms) {
		if (k->stopping && k->nkept == 0)
			k->stopped = true;
		else if (worker_start(k) == -1) {
			log_warn("worker");
			k->restart_ms = now_ms() + BACKOFF_MAX_MS;
		} else if (k->stopping) {
			k->stopping = false;
			keeper_stop(k);
		}
	}
	if (k->stop_ms == 0 || now_ms() < k->stop_ms)
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
		p[DOOR] = (struct pollfd){ k->told ? k->door_fd : -1, POLLIN,
			0 };
		p[SIGNAL] = (struct pollfd){ k->signal_fd, POLLIN, 0 };
		p[STDIN] = (struct pollfd){ k->stdin_open ? 0 : -1, POLLIN, 0 };
		if (poll(p, FDS, keeper_timeout(k)) == -1 && errno != EINTR)
			return (EX_OSERR);
		if (p[SIGNAL].revents != 0)
			keeper_signal(k);
		if (p[STDIN].revents != 0)
			keeper_stdin(k);
		if (p[WORKER].revents != 0)
			worker_packet(k);
		if (p[DOOR].revents != 0 && keeper_hand_over(k))
			return (0); /* the successor has the sockets now */
		keeper_due(k);
		if (k->stopped && k->code == EX_TEMPFAIL)
			break;
	}
	if (k->wake != NULL)
		atomic_store(&k->wake->mask, 0);
	unlink(k->opt->socket);
	unlink(k->opt->keeper);
	return (k->code);
}

static void
keeper_signals(struct keeper *k)
{
	struct rlimit files;
	sigset_t set;

	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	k->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (k->signal_fd == -1)
		fatal(EX_OSERR, "signalfd");
	/* two descriptors a process */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &files);
	}
	k->stdin_open = k->opt->stdin_exit;
}

/* What a keeper before us gives away.  true: we have it. */
static bool
keeper_take_over(struct keeper *k, int sock)
{
	struct pass m;
	int fds[PASS_FDS];

	while (pass_receive(sock, &m, fds) == 1) {
		switch (m.type) {
		case PASS_BUSY:
			fatalx(EX_UNAVAILABLE,
			    "the collector of %s runs already (process %u)",
			    k->opt->name, m.pid);
		case PASS_LISTENER:
			k->listen_fd = fds[0];
			break;
		case PASS_SEGMENT:
			kept_add(k, &m, fds);
			break;
		case PASS_END:
			close(sock);
			return (k->listen_fd != -1);
		}
	}
	close(sock);
	return (false);
}

static void
rescued_cb(void *arg, const struct pass *m, const int fds[PASS_FDS])
{
	struct keeper *k = arg;

	for (size_t i = 0; i < k->nkept; i++) {
		if (k->kept[i].m.po == m->po)
			return;
	}
	log_info("po %u found again in process %u", m->po, m->pid);
	kept_add(k, m, fds);
}

int
keeper_run(const struct options *opt)
{
	struct keeper k = {
		.opt = opt,
		.worker_fd = -1,
		.listen_fd = -1,
	};
	int sock, code;

	keeper_signals(&k);
	sock = door_knock(opt->keeper, opt->socket);
	if (sock == -1 || !keeper_take_over(&k, sock)) {
		if (k.listen_fd == -1)
			k.listen_fd = door_listen(opt->socket, SOCK_STREAM);
		rescue_scan(opt->tag, rescued_cb, &k);
	}
	k.door_fd = door_listen(opt->keeper, SOCK_SEQPACKET);
	if (worker_start(&k) == -1)
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
		.started_ms = now_ms(),
	};
	int code;

	keeper_signals(&k);
	k.door_fd = door_listen(opt->keeper, SOCK_SEQPACKET);
	code = keeper_loop(&k);
	free(k.kept);
	return (code);
}
