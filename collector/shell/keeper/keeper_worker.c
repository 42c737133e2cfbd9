/*
 * The keeper's worker: started, listened to, and started again when it dies.
 *
 * Descriptors that a worker has sent are in our socket even when it dies the
 * moment after, so its word is read to the end before the next is started.
 */
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <sysexits.h>
#include <unistd.h>

#include "collector/shell/self/pass.h"
#include "collector/shell/self/spawn.h"
#include "keeper_inside.h"
#include "log.h"

#define QUICK_MS 200 /* a worker that lives no longer is unwell */

int
keeper_worker_start(struct keeper *k)
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
	k->started_ms = keeper_now_ms();
	/* an error means that it is dead: we shall read that soon */
	(void)keeper_kept_tell(k, k->worker_fd);
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
	int64_t lived_ms = keeper_now_ms() - k->started_ms;

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
	k->restart_ms = keeper_now_ms() + k->backoff_ms;
	k->backoff_ms = k->backoff_ms == 0 ? 10 : k->backoff_ms * 2;
	if (k->backoff_ms > BACKOFF_MAX_MS)
		k->backoff_ms = BACKOFF_MAX_MS;
}

/* One packet from the worker. */
void
keeper_worker_packet(struct keeper *k)
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
		keeper_kept_add(k, &m, fds);
		return;
	case PASS_GONE:
		keeper_kept_remove(k, m.po);
		break;
	case PASS_READY:
		k->worker = (pid_t)m.pid;
		k->ready = k->told = true;
		break;
	case PASS_OPEN:
		keeper_wake(k);
		break;
	case PASS_STOP:
		k->stopped = true;
		break;
	}
}
