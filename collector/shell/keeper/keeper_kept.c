/*
 * What a keeper keeps: the descriptors of the memory that programs write to.
 *
 * A worker is told of all of it when it starts.  A keeper that has lost its
 * starter hands it over to the one that comes next, the listening socket with
 * it; what nobody hands over is found again in the programs (rescue.c).
 */
#include <sys/socket.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "collector/shell/self/pass.h"
#include "door.h"
#include "keeper_inside.h"
#include "log.h"

void
keeper_kept_add(struct keeper *k, const struct pass *m, const int fds[PASS_FDS])
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

void
keeper_kept_remove(struct keeper *k, uint32_t po)
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
int
keeper_kept_tell(const struct keeper *k, int sock)
{
	struct pass end = { .type = PASS_END };

	for (size_t i = 0; i < k->nkept; i++) {
		if (pass_send(sock, &k->kept[i].m, k->kept[i].fds) == -1)
			return (-1);
	}
	return (pass_send(sock, &end, NULL));
}

/*
 * Somebody asks for what we keep.  Only an orphan gives it away, and only when
 * it has everything; its worker goes the way of a crash, which is the one that
 * is always ready.
 */
bool
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
		keeper_worker_packet(k);
	close(k->door_fd); /* the successor's from here on */
	if (pass_send(sock, &listener, fds) == 0 &&
	    keeper_kept_tell(k, sock) == 0)
		return (true);
	close(sock); /* it is dead as well: go on */
	k->door_fd = door_listen(k->opt->keeper, SOCK_SEQPACKET);
	return (false);
}

/* What a keeper before us gives away.  true: we have it. */
bool
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
			keeper_kept_add(k, &m, fds);
			break;
		case PASS_END:
			close(sock);
			return (k->listen_fd != -1);
		}
	}
	close(sock);
	return (false);
}

void
keeper_rescued(void *arg, const struct pass *m, const int fds[PASS_FDS])
{
	struct keeper *k = arg;

	for (size_t i = 0; i < k->nkept; i++) {
		if (k->kept[i].m.po == m->po)
			return;
	}
	log_info("po %u found again in process %u", m->po, m->pid);
	keeper_kept_add(k, m, fds);
}
