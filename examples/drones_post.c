/*
 * Messages between the processes of drones.c: an inbox for each, and the ways
 * to all of them, which children inherit under fixed numbers.
 */
#include <sys/queue.h>
#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "drones.h"

#define FD_FIRST 3 /* in a child: its inbox, then the ways to all inboxes */

/* A message that has come and waits to be looked at. */
struct letter {
	TAILQ_ENTRY(letter) entry;
	struct message m;
};

static TAILQ_HEAD(, letter) letters = TAILQ_HEAD_INITIALIZER(letters);
static int inbox, read_end[NODES_MAX + 1];
static int way[NODES_MAX + 1]; /* the last is to the first process */

/* Puts the next message aside, if one comes within so many ms (-1: ever). */
static bool
take_in(int timeout_ms)
{
	struct pollfd p = { .fd = inbox, .events = POLLIN };
	struct letter *l;

	if (poll(&p, 1, timeout_ms) <= 0)
		return (false);
	if ((l = malloc(sizeof(*l))) == NULL)
		err(EX_OSERR, "message");
	if (recv(inbox, &l->m, sizeof(l->m), 0) != (ssize_t)sizeof(l->m) ||
	    l->m.subject >= SUBJECTS)
		errx(EX_PROTOCOL, "a message that makes no sense");
	TAILQ_INSERT_TAIL(&letters, l, entry);
	return (true);
}

/*
 * While the way is full we take in what comes, or two that tell each other
 * something would wait for ever.
 */
void
tell(int to, const struct message *m)
{
	while (send(way[to], m, sizeof(*m), MSG_NOSIGNAL | MSG_DONTWAIT) == -1)
		if (errno != EAGAIN)
			err(EX_IOERR, "cannot reach node %d", to + 1);
		else
			take_in(1);
}

bool
next_message(struct message *m, int timeout_ms)
{
	struct letter *l;

	if (TAILQ_EMPTY(&letters) && !take_in(timeout_ms))
		return (false);
	l = TAILQ_FIRST(&letters);
	TAILQ_REMOVE(&letters, l, entry);
	*m = l->m;
	free(l);
	return (true);
}

void
post_open(void)
{
	int fd[2];

	for (int i = 0; i <= nodes.n; i++) {
		if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd) == -1)
			err(EX_OSERR, "socketpair");
		/* out of the way of the numbers that they get in children */
		read_end[i] = fcntl(fd[0], F_DUPFD_CLOEXEC, 100);
		way[i] = fcntl(fd[1], F_DUPFD_CLOEXEC, 100);
		if (read_end[i] == -1 || way[i] == -1)
			err(EX_OSERR, "socketpair");
		close(fd[0]);
		close(fd[1]);
	}
	inbox = read_end[nodes.n];
}

void
post_give(posix_spawn_file_actions_t *actions, int node)
{
	posix_spawn_file_actions_adddup2(actions, read_end[node], FD_FIRST);
	for (int i = 0; i <= nodes.n; i++)
		posix_spawn_file_actions_adddup2(actions, way[i],
		    FD_FIRST + 1 + i);
}

void
post_in_child(void)
{
	inbox = FD_FIRST;
	for (int i = 0; i <= nodes.n; i++)
		way[i] = FD_FIRST + 1 + i;
}
