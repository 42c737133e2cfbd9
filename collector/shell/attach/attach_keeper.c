/*
 * The keeper, as the worker sees it: what it hands over at the start, and
 * another one, given everything that we hold, when it has died.
 */
#include "attach_inside.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <unistd.h>

#include "collector/shell/self/spawn.h"
#include "log.h"

#define KEEPER_RETRY_MS 200 /* no keeper can be started, or it has ended */

int
attach_keeper_inherit(struct attach *at)
{
	struct pass m;
	int fds[PASS_FDS], rc;
	struct held *h;

	while ((rc = pass_receive(at->keeper_fd, &m, fds)) == 1) {
		if (m.type == PASS_END)
			return (0);
		if (m.type != PASS_SEGMENT)
			continue;
		h = held_map(&m, fds);
		if (h == NULL)
			log_warn("po %u", m.po);
		else
			held_enter(at, h);
	}
	if (rc == 0)
		errno = EPIPE;
	return (-1);
}

static void keeper_cb(evutil_socket_t, short, void *);

int
attach_keeper_watch(struct attach *at)
{
	at->keeper_ev = event_new(at->base, at->keeper_fd, EV_READ | EV_PERSIST,
	    keeper_cb, at);
	if (at->keeper_ev == NULL || event_add(at->keeper_ev, NULL) == -1)
		return (-1);
	return (0);
}

/* Starts a keeper and gives it all that the one before had. */
static int
keeper_replace(struct attach *at)
{
	struct pass ready = { .type = PASS_READY, .pid = (uint32_t)getpid() };
	int pair[2], fds[2];

	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	if (at->keeper_ev != NULL)
		event_free(at->keeper_ev);
	at->keeper_ev = NULL;
	if (at->keeper_fd != -1)
		close(at->keeper_fd);
	at->keeper_fd = -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == -1)
		return (-1);
	at->keeper_fd = pair[0];
	fds[0] = pair[1];
	fds[1] = at->listen_fd;
	if (spawn_self("keeper", fds, 2) == -1) {
		close(pair[1]);
		return (-1);
	}
	close(pair[1]);
	for (struct held *h = at->held; h != NULL; h = h->next) {
		if (pass_send(at->keeper_fd, &h->m, h->fds) == -1)
			return (-1);
	}
	if (pass_send(at->keeper_fd, &ready, NULL) == -1)
		return (-1);
	return (attach_keeper_watch(at));
}

static void
keeper_start(struct attach *at)
{
	static const struct timeval pause = { 0, KEEPER_RETRY_MS * 1000 };

	if (keeper_replace(at) == 0)
		return;
	log_warn("no keeper: a crash would lose events now; trying again");
	if (evtimer_add(at->retry, &pause) == -1)
		log_warn("keeper");
}

void
attach_keeper_retry_cb(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	keeper_start(arg);
}

/* The keeper wants us to stop, or is dead. */
static void
keeper_cb(evutil_socket_t fd, short what, void *arg)
{
	struct attach *at = arg;
	struct pass m;
	int fds[PASS_FDS], rc;

	(void)fd;
	(void)what;
	rc = pass_receive(at->keeper_fd, &m, fds);
	if (rc == 1 && m.type == PASS_STOP) {
		collector_core_stop(at->core);
		return;
	}
	if (rc == 1 || (rc == -1 && errno == EAGAIN))
		return;
	if (at->stopped)
		return;
	log_info("the keeper has died; starting another");
	keeper_start(at);
}
