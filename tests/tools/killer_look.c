/*
 * Is all well?  What monitord says of its nodes, and which processes are there;
 * read again until it is so, or for too long.
 */
#include "tests/tools/killer.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/ask/ask.h"

#define DRAINED_MS 300 /* its heartbeat tells by then */

static struct ask ask = { .fd = -1 };
static char run[64];

/* --- what monitord says --- */

static void
seen_read(struct seen *s, char *text)
{
	char *save, *line, value[64];
	int node = -1;

	memset(s, 0, sizeof(*s));
	for (line = strtok_r(text, "\n", &save); line != NULL;
	     line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "run: %63s", s->run) == 1)
			continue;
		if (sscanf(line, " - name: %63s", value) == 1) {
			node = strstr(value, "n1") != NULL   ? 0
			       : strstr(value, "n2") != NULL ? 1
							     : -1;
			continue;
		}
		if (node == -1)
			continue;
		if (sscanf(line, " state: %63s", value) == 1)
			s->node[node].running = strcmp(value, "running") == 0;
		(void)sscanf(line, " received: %lu", &s->node[node].received);
		(void)sscanf(line, " connects: %lu", &s->node[node].connects);
		(void)sscanf(line, " pos: %lu", &s->node[node].pos);
	}
}

void
look_away(void)
{
	ask_close(&ask);
	ask.fd = -1;
}

bool
look(struct seen *s)
{
	struct msg_request request = { .verb = BYTES_STR("status") };
	struct msg_reply reply;
	struct buf text = { 0 };
	bool ok = false;

	if (ask.fd == -1 && ask_monitord(&ask, NULL) == -1) {
		ask.fd = -1;
		return (false);
	}
	if (ask_send(&ask, MSG_request, &request) == -1)
		goto out;
	do {
		if (ask_receive(&ask, MSG_reply, &reply, ASK_TIMEOUT_MS) ==
			-1 ||
		    buf_add(&text, reply.text.p, reply.text.n) == -1)
			goto out;
	} while (reply.more);
	if (buf_add(&text, "", 1) == -1)
		goto out;
	seen_read(s, (char *)text.p);
	ok = true;
out:
	buf_free(&text);
	if (!ok)
		look_away();
	return (ok);
}

int
look_at_receipt(FILE *f)
{
	struct msg_request request = { .verb = BYTES_STR("shutdown") };
	struct msg_reply reply;

	if (ask.fd == -1 && ask_monitord(&ask, NULL) == -1)
		fail("monitord does not answer");
	if (ask_send(&ask, MSG_request, &request) == -1)
		fail("monitord cannot be asked");
	do {
		if (ask_receive(&ask, MSG_reply, &reply, 600000) == -1)
			fail("no receipt");
		if (!reply.more)
			fwrite(reply.text.p, 1, reply.text.n, f);
	} while (reply.more);
	return (reply.code);
}

/* --- the collectors' processes --- */

static size_t
read_proc(const char *pid, const char *what, char *buf, size_t n)
{
	char path[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/%s", pid, what);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return (0);
	got = read(fd, buf, n - 1);
	close(fd);
	if (got < 0)
		got = 0;
	for (ssize_t i = 0; i < got; i++) {
		if (buf[i] == '\0')
			buf[i] = ' ';
	}
	buf[got] = '\0';
	return ((size_t)got);
}

/* Of this run: their command lines have the path of monitord's socket. */
void
collectors(struct pair *p, unsigned node)
{
	const char *dir = getenv("ORRERY_DIR");
	char line[2048], want[32];
	struct dirent *e;
	DIR *d = opendir("/proc");

	memset(p, 0, sizeof(*p));
	snprintf(want, sizeof(want), "--name n%u ", node + 1);
	while (d != NULL && (e = readdir(d)) != NULL) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9' || p->n == 8 ||
		    read_proc(e->d_name, "cmdline", line, sizeof(line)) == 0 ||
		    strstr(line, want) == NULL || strstr(line, dir) == NULL ||
		    strstr(line, "collector") == NULL)
			continue;
		p->pid[p->n] = (pid_t)atoi(e->d_name);
		p->worker[p->n] = strstr(line, "--internal=worker") != NULL;
		p->workers += p->worker[p->n++];
	}
	if (d != NULL)
		closedir(d);
}

/* --- waiting until all is well --- */

void
all_flows(const char *what, double since_ms)
{
	struct seen s, first = { 0 };
	bool have = false;

	for (;; nap(POLL_MS)) {
		if (now_ms() - since_ms > LIMIT_MS)
			fail("not all is well after %d s: %s", LIMIT_MS / 1000,
			    what);
		if (!look(&s))
			continue;
		if (run[0] == '\0')
			memcpy(run, s.run, sizeof(run));
		if (strcmp(run, s.run) != 0)
			fail("monitord has begun another run");
		if (!have) {
			first = s;
			have = true;
		}
		for (int i = 0; i < NODES; i++) {
			if (!s.node[i].running ||
			    s.node[i].received <= first.node[i].received)
				goto next;
		}
		return;
next:;
	}
}

void
node_flows(unsigned node, const struct seen *before, bool anew, double since_ms)
{
	uint64_t received = UINT64_MAX;
	struct pair p;
	struct seen s;

	for (;; nap(POLL_MS)) {
		if (now_ms() - since_ms > LIMIT_MS)
			fail("node n%u is not well after %d s", node + 1,
			    LIMIT_MS / 1000);
		if (!look(&s))
			fail("monitord does not answer");
		if (!s.node[node].running ||
		    (anew &&
			s.node[node].connects <= before->node[node].connects))
			continue;
		if (received == UINT64_MAX)
			received = s.node[node].received;
		if (s.node[node].received <= received)
			continue;
		collectors(&p, node);
		if (p.workers > 0 && p.n > p.workers)
			return;
	}
}

void
wait_for_drained(unsigned node)
{
	double since_ms = now_ms();
	struct seen s;

	nap(DRAINED_MS);
	while (!look(&s) || s.node[node].pos != 1) {
		if (now_ms() - since_ms > LIMIT_MS)
			fail("node n%u keeps programs that have ended",
			    node + 1);
		nap(POLL_MS);
	}
}
