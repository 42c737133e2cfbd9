/*
 * Merge sort by a tree of 15 processes on four nodes.
 *
 * Process 1 is the root; process i has the children 2i and 2i + 1.  The seven
 * inner ones split what they get, send the halves to their children, and merge
 * what comes back; the eight leaves sort.  Every process starts its children
 * (this very program) with ORRERY_NODE set, so that each belongs to the node
 * that the placement gives it, and talks to them over a socket.
 *
 * Two placements of the same program: `spread` puts every merging process on
 * another node than its parent, `packed` keeps subtrees together, which halves
 * the messages between nodes.
 */
#include <sys/socket.h>
#include <sys/wait.h>

#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "again.h"
#include "arguments.h"
#include "probe.h"

#define PROCESSES 15
#define MERGING   7
#define COUNT_MAX 10000000
#define PARENT_FD 3 /* in a child: the socket to its parent */

static const struct placement {
	const char *name;
	int node[PROCESSES + 1]; /* of process 1.. */
} placements[] = {
	{ "spread", { 0, 0, 1, 2, 3, 0, 1, 3, 3, 3, 0, 0, 1, 1, 3, 3 } },
	{ "packed", { 0, 0, 0, 2, 0, 1, 2, 3, 0, 0, 1, 1, 2, 2, 3, 3 } },
};

struct sent {
	uint32_t messages, between; /* of these, between nodes */
};

/* What goes before the numbers on a socket. */
struct head {
	uint64_t message; /* its id, told by both sides */
	uint64_t count;
	struct sent sent;
};

struct array {
	int32_t *v;
	size_t n;
};

struct child {
	int fd;
	pid_t pid;
};

static const struct placement *placement = &placements[0];
static struct nodes nodes;
static int self = 1; /* number of this process */
static struct sent sent;
static double pace_ms = 450;
static char **arguments;

static int
node_of(int process)
{
	return (placement->node[process] % nodes.n);
}

static void
pause_ms(double ms)
{
	struct timespec t = { (time_t)(ms / 1000), 0 };

	t.tv_nsec = (long)((ms - (double)t.tv_sec * 1000) * 1e6);
	nanosleep(&t, NULL);
}

static struct array
array_new(size_t n)
{
	struct array a = { malloc((n + 1) * sizeof(int32_t)), n };

	if (a.v == NULL)
		err(EX_OSERR, "%zu numbers", n);
	return (a);
}

/* Messages. */

static void
write_all(int fd, const void *p, size_t n)
{
	ssize_t w;

	for (; n > 0; n -= (size_t)w, p = (const char *)p + w)
		if ((w = send(fd, p, n, MSG_NOSIGNAL)) == -1)
			err(EX_IOERR, "process %d: send", self);
}

static void
read_all(int fd, void *p, size_t n)
{
	ssize_t r;

	for (; n > 0; n -= (size_t)r, p = (char *)p + r)
		if ((r = read(fd, p, n)) <= 0)
			errx(EX_IOERR, "process %d: the other side is gone",
			    self);
}

static void
send_array(int fd, int to, struct array a)
{
	struct head h = { .message = probe_message_id(), .count = a.n };
	size_t bytes = a.n * sizeof(*a.v);

	sent.messages++;
	sent.between += node_of(self) != node_of(to);
	if (to < self) /* the parent gets to know what the subtree has sent */
		h.sent = sent;
	probe_send(h.message, bytes, (uint32_t)to);
	write_all(fd, &h, sizeof(h));
	write_all(fd, a.v, bytes);
}

static struct array
receive_array(int fd)
{
	struct array a;
	struct head h;

	probe_receive_wait(0, (uint32_t)self);
	read_all(fd, &h, sizeof(h));
	if (h.count > COUNT_MAX)
		errx(EX_PROTOCOL, "process %d: %ju numbers", self,
		    (uintmax_t)h.count);
	a = array_new(h.count);
	read_all(fd, a.v, a.n * sizeof(*a.v));
	probe_receive(h.message, a.n * sizeof(*a.v), (uint32_t)self);
	sent.messages += h.sent.messages;
	sent.between += h.sent.between;
	return (a);
}

/* Processes. */

/* Starts this program as that process; its socket is PARENT_FD. */
static struct child
child_start(int process)
{
	posix_spawn_file_actions_t actions;
	struct child child;
	int fd[2];

	setenv("ORRERY_NODE", nodes.name[node_of(process)], 1);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) == -1)
		err(EX_OSERR, "socketpair");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd[1], PARENT_FD);
	child.pid = start_again(arguments, "--process", process, &actions);
	posix_spawn_file_actions_destroy(&actions);
	close(fd[1]);
	child.fd = fd[0];
	return (child);
}

static void
child_end(struct child c)
{
	int status;

	close(c.fd);
	if (waitpid(c.pid, &status, 0) == -1 || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != 0)
		errx(EX_SOFTWARE, "process %d: a child has failed", self);
}

/* Sorting. */

static void
split(struct array a, struct array half[2])
{
	PROBE_SCOPE();

	half[0] = (struct array){ a.v, a.n / 2 };
	half[1] = (struct array){ a.v + a.n / 2, a.n - a.n / 2 };
	pause_ms(pace_ms / 4);
}

static struct array
merge(struct array a, struct array b)
{
	struct array m = array_new(a.n + b.n);
	size_t i = 0, j = 0;
	PROBE_SCOPE();

	for (size_t k = 0; k < m.n; k++)
		if (j == b.n || (i < a.n && a.v[i] <= b.v[j]))
			m.v[k] = a.v[i++];
		else
			m.v[k] = b.v[j++];
	pause_ms(pace_ms);
	return (m);
}

static int
compare(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return ((x > y) - (x < y));
}

static void
sort(struct array a)
{
	PROBE_SCOPE();

	qsort(a.v, a.n, sizeof(*a.v), compare);
	pause_ms(2 * pace_ms);
}

/* What a process does: returns the same numbers sorted. */
static struct array
process(struct array a)
{
	struct array half[2], sorted[2], merged;
	struct child child[2];

	if (self > MERGING) {
		sort(a);
		return (a);
	}
	for (int i = 0; i < 2; i++)
		child[i] = child_start(2 * self + i);
	split(a, half);
	for (int i = 0; i < 2; i++)
		send_array(child[i].fd, 2 * self + i, half[i]);
	for (int i = 0; i < 2; i++)
		sorted[i] = receive_array(child[i].fd);
	for (int i = 0; i < 2; i++)
		child_end(child[i]);
	merged = merge(sorted[0], sorted[1]);
	free(sorted[0].v);
	free(sorted[1].v);
	free(a.v);
	return (merged);
}

/* The root: makes the numbers and looks at the result. */
static int
root(size_t count, uint32_t seed)
{
	struct array a = array_new(count);
	uint64_t x = seed, before = 0, after = 0;

	for (size_t i = 0; i < count; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		a.v[i] = (int32_t)(x >> 33);
		before += (uint64_t)a.v[i] * (uint64_t)a.v[i];
	}
	a = process(a);
	for (size_t i = 0; i < a.n; i++) {
		after += (uint64_t)a.v[i] * (uint64_t)a.v[i];
		if (i > 0 && a.v[i - 1] > a.v[i])
			errx(EX_SOFTWARE, "not in order at %zu", i);
	}
	if (a.n != count || before != after)
		errx(EX_SOFTWARE, "numbers are missing or changed");
	printf("sorted %zu numbers by %d processes, placement %s\n"
	       "messages %u, between nodes %u\n",
	    a.n, PROCESSES, placement->name, sent.messages, sent.between);
	free(a.v);
	return (0);
}

/* All others. */
static int
inner(void)
{
	struct array a = receive_array(PARENT_FD);

	a = process(a);
	send_array(PARENT_FD, self / 2, a);
	free(a.v);
	return (0);
}

/*
 * The nodes are n1 to n4, unless $ORRERY_NODE says that we run on another one:
 * then everything stays there.  The root must be on the first node, too.
 */
static void
place(const char *list)
{
	nodes_init(&nodes, list);
	if (nodes.here != NULL && !nodes.known && list == NULL) {
		nodes.n = 1;
		nodes.name[0] = nodes.here;
	}
	if (nodes.here == NULL ||
	    (self == 1 && strcmp(nodes.here, nodes.name[0]) != 0)) {
		setenv("ORRERY_NODE", nodes.name[0], 1);
		execv("/proc/self/exe", arguments);
		err(EX_OSERR, "cannot start again on %s", nodes.name[0]);
	}
}

static _Noreturn void
usage(FILE *to, int code)
{
	fputs("usage: mergesort [--placement spread|packed] [--count N]\n"
	      "           [--seed S] [--nodes LIST] [--pace MS]\n"
	      "Sorts N (20000) numbers by 15 processes on four nodes.\n"
	      "  --nodes LIST  names of nodes, n1,n2,n3,n4\n"
	      "  --pace MS     pause in every merge (450); 0: none\n",
	    to);
	exit(code);
}

static const struct placement *
placement_arg(const char *name)
{
	for (size_t i = 0; i < sizeof(placements) / sizeof(*placements); i++)
		if (strcmp(placements[i].name, name) == 0)
			return (&placements[i]);
	errx(EX_USAGE, "--placement is %s, must be spread or packed", name);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "placement", required_argument, NULL, 'p' },
		{ "count", required_argument, NULL, 'c' },
		{ "seed", required_argument, NULL, 's' },
		{ "nodes", required_argument, NULL, 'n' },
		{ "pace", required_argument, NULL, 'm' },
		{ "process", required_argument, NULL, 'i' }, /* for children */
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *list = NULL;
	size_t count = 20000;
	uint32_t seed = 1;
	char name[32];
	int c;

	arguments = argv;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'p':
			placement = placement_arg(optarg);
			break;
		case 'c':
			count =
			    (size_t)number_arg("--count", optarg, 1, COUNT_MAX);
			break;
		case 's':
			seed = (uint32_t)number_arg("--seed", optarg, 0, 4e9);
			break;
		case 'n':
			list = optarg;
			break;
		case 'm':
			pace_ms = number_arg("--pace", optarg, 0, 10000);
			break;
		case 'i':
			self =
			    (int)number_arg("--process", optarg, 2, PROCESSES);
			break;
		case 'h':
			usage(stdout, 0);
		default:
			usage(stderr, EX_USAGE);
		}
	if (optind < argc)
		usage(stderr, EX_USAGE);
	place(list);
	snprintf(name, sizeof(name), "%s %d", self > MERGING ? "sort" : "merge",
	    self);
	probe_thread_name(name);
	return (self == 1 ? root(count, seed) : inner());
}
