/*
 * Objects that move between nodes, after CMVS.
 *
 * One process per node is where objects live.  To move, an object says that it
 * departs, its state is sent to the process of another node, and there it says
 * that it has arrived: one departure and one arrival a move, and never two of
 * the same object.
 *
 *	drone		tours the nodes as it likes
 *	pawn		moves when the controller orders it to
 *	controller	stays, and orders the pawns about
 *	factory		stays, and has machines made on the other nodes
 *	machine		has one product made on the next node, flies home
 *	product		flies home
 *
 * Who is done is disposed of.  The first process starts the others, waits for
 * the last object's end and compares the accounts.
 */
#include <sys/prctl.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "arguments.h"
#include "probe.h"

#define NODES_MAX     16
#define OBJECTS_MAX   64
#define ARGUMENTS_MAX 20
#define FD_FIRST      3 /* in a child: its inbox, then the ways to all inboxes */

enum class {
	CONTROLLER,
	DRONE,
	FACTORY,
	PAWN,
	MACHINE,
	PRODUCT,
	CLASSES
};

/* All that an object is, and all that is sent when it moves. */
struct object {
	uint64_t id, random;
	enum class class;
	int number;      /* among those of the beginning */
	int home;        /* node where it was made, or that it flies to */
	int from, at;    /* nodes */
	int hops;        /* moves so far */
	int left;        /* things still to do: moves, pawns, machines */
	int destination; /* where a pawn has been ordered */
	int visits[NODES_MAX];
};

struct account {
	uint32_t departures, arrivals, orders, obeyed, created, disposed;
};

enum subject {
	MOVE,
	ORDER,
	READY,
	REQUEST,
	GONE,
	STOP,
	ACCOUNT,
	SUBJECTS
};

struct message {
	enum subject subject;
	uint64_t token; /* of an order or a request */
	struct object object;
	struct account account;
};

/* A message that has come and waits to be looked at. */
struct letter {
	TAILQ_ENTRY(letter) entry;
	struct message m;
};

/* An object that lives here. */
struct resident {
	TAILQ_ENTRY(resident) entry;
	struct object o;
	int64_t due_ns; /* when it acts next; INT64_MAX: when told to */
};

static TAILQ_HEAD(, resident) residents = TAILQ_HEAD_INITIALIZER(residents);
static TAILQ_HEAD(, letter) letters = TAILQ_HEAD_INITIALIZER(letters);
static struct account account;
static const char *node_name[NODES_MAX];
static int nnodes, self = -1; /* node of this process; -1: the first one */
static int nobjects = 7, hops = 20;
static double pace_ms = 120;
static uint64_t seed = 1;
static char **arguments, *names;
static bool elsewhere; /* all processes belong to $ORRERY_NODE */
static int inbox,
    way[NODES_MAX + 1]; /* sockets; the last is the first process */
extern char **environ;
static uint32_t node_probe[NODES_MAX], class_probe[CLASSES];
static const char *const class_name[CLASSES] = { "controller", "drone",
	"factory", "pawn", "machine", "product" };

/* Class of the i-th object that is there from the beginning. */
static enum class class_of(int i) {
	static const enum class pattern[] = { DRONE, PAWN, FACTORY, DRONE, PAWN,
		DRONE };

	    return (i == 0 ? CONTROLLER : pattern[(i - 1) % 6]);
}

static int count_of(enum class class)
{
	int n = 0;

	for (int i = 0; i < nobjects; i++)
		n += class_of(i) == class;
	return (n);
}

static int
machines_of_a_factory(void)
{
	return (hops / 5 + 1);
}

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (t.tv_sec * INT64_C(1000000000) + t.tv_nsec);
}

static uint32_t
random_of(struct object *o)
{
	o->random = o->random * 6364136223846793005u + 1442695040888963407u;
	return ((uint32_t)(o->random >> 33));
}

static int
another_node(struct object *o)
{
	if (nnodes == 1)
		return (0);
	return ((o->at + 1 + (int)(random_of(o) % (uint32_t)(nnodes - 1))) %
		nnodes);
}

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
 * To nnodes is to the first process.  While the way is full we take in what
 * comes, or two that tell each other something would wait for ever.
 */
static void
tell(int to, const struct message *m)
{
	while (send(way[to], m, sizeof(*m), MSG_NOSIGNAL | MSG_DONTWAIT) == -1)
		if (errno != EAGAIN)
			err(EX_IOERR, "cannot reach node %d", to + 1);
		else
			take_in(1);
}

/* An object takes a while before it acts again. */
static void
rest(struct resident *r)
{
	double share = 0.5 + random_of(&r->o) % 1000 / 1000.0;

	r->due_ns = now_ns() + (int64_t)(pace_ms * share * 1e6);
}

static struct resident *
settle(const struct object *o)
{
	struct resident *r;

	if ((r = calloc(1, sizeof(*r))) == NULL)
		err(EX_OSERR, "object");
	r->o = *o;
	r->o.at = self;
	r->o.visits[self]++;
	TAILQ_INSERT_TAIL(&residents, r, entry);
	rest(r);
	return (r);
}

static void
create(enum class class, int number, int home, uint64_t request,
    uint64_t random)
{
	struct message ready = { .subject = READY };
	struct object o = { .id = probe_id(),
		.class = class,
		.number = number,
		.home = home,
		.random = random,
		.left = hops };
	struct resident *r;

	if (class == CONTROLLER)
		o.left = count_of(PAWN);
	else if (class == FACTORY)
		o.left = machines_of_a_factory();
	else if (class == MACHINE)
		o.left = 1;
	account.created++;
	probe_object_create(o.id, request, class_probe[class]);
	r = settle(&o);
	if (class == PAWN) {
		r->due_ns = INT64_MAX;
		ready.object = r->o;
		tell(0, &ready);
	} else if (class == CONTROLLER && o.left > 0) {
		r->due_ns = INT64_MAX;
	}
}

static void
dispose(struct resident *r)
{
	struct message gone = { .subject = GONE, .object = r->o };

	account.disposed++;
	probe_object_dispose(r->o.id);
	TAILQ_REMOVE(&residents, r, entry);
	free(r);
	if (gone.object.class == PAWN)
		tell(0, &gone);
	tell(nnodes, &gone);
}

static void
depart(struct resident *r, int destination)
{
	struct message move = { .subject = MOVE };

	r->o.hops++;
	r->o.from = self;
	move.object = r->o;
	account.departures++;
	probe_object_depart(r->o.id, (uint64_t)r->o.hops,
	    node_probe[destination]);
	TAILQ_REMOVE(&residents, r, entry);
	free(r);
	tell(destination, &move);
}

/* Has an object made at another node, which will fly to home. */
static void
request(struct object *creator, enum class class, int where, int home)
{
	struct message m = { .subject = REQUEST, .token = probe_id() };

	m.object.class = class;
	m.object.home = home;
	m.object.random = random_of(creator);
	probe_object_request(creator->id, m.token, class_probe[class]);
	tell(where, &m);
}

/* What an object does when its rest is over. */
static void
act(struct resident *r)
{
	struct object *o = &r->o;

	switch (o->class) {
	case DRONE:
	case PAWN:
		if (o->hops == hops)
			dispose(r);
		else
			depart(r, o->class == PAWN ? o->destination
						   : another_node(o));
		return;
	case FACTORY:
	case MACHINE:
		if (o->left > 0) {
			o->left--;
			request(o, o->class == FACTORY ? MACHINE : PRODUCT,
			    o->class == FACTORY ? another_node(o)
						: (self + 1) % nnodes,
			    o->home);
			rest(r);
			return;
		}
		/* fall through */
	default:
		if (o->at == o->home || o->class == CONTROLLER)
			dispose(r);
		else
			depart(r, o->home);
	}
}

/* Messages. */

static struct resident *
find(enum class class, int number)
{
	struct resident *r;

	TAILQ_FOREACH (r, &residents, entry)
		if (r->o.class == class && r->o.number == number)
			return (r);
	errx(EX_SOFTWARE, "%s: no such %s", node_name[self], class_name[class]);
}

/* An object has come. */
static void
on_move(const struct message *m)
{
	struct message ready = { .subject = READY };
	struct resident *r;

	account.arrivals++;
	probe_object_arrive(m->object.id, (uint64_t)m->object.hops,
	    node_probe[m->object.from]);
	r = settle(&m->object);
	if (r->o.class == PAWN && r->o.hops < hops) {
		r->due_ns = INT64_MAX;
		ready.object = r->o;
		tell(0, &ready);
	}
}

/* A pawn awaits the controller's order. */
static void
on_ready(const struct message *m)
{
	struct message order = { .subject = ORDER,
		.token = probe_id(),
		.object = m->object };
	struct object *pawn = &order.object;

	pawn->random += random_of(&find(CONTROLLER, 0)->o);
	pawn->destination = another_node(pawn);
	account.orders++;
	probe_object_order(pawn->id, order.token,
	    node_probe[pawn->destination]);
	tell(pawn->at, &order);
}

static void
on_order(const struct message *m)
{
	struct resident *r = find(PAWN, m->object.number);

	account.obeyed++;
	probe_object_obey(r->o.id, m->token, node_probe[m->object.destination]);
	r->o.destination = m->object.destination;
	rest(r);
}

static void
on_request(const struct message *m)
{
	create(m->object.class, -1, m->object.home, m->token, m->object.random);
}

/* A pawn is no more. */
static void
on_gone(const struct message *m)
{
	struct resident *controller = find(CONTROLLER, 0);

	(void)m;
	if (--controller->o.left == 0)
		rest(controller);
}

static void
on_stop(const struct message *m)
{
	struct message answer = { .subject = ACCOUNT, .account = account };

	(void)m;
	tell(nnodes, &answer);
	exit(0);
}

static void (*const handlers[SUBJECTS])(const struct message *) = {
	[MOVE] = on_move,
	[ORDER] = on_order,
	[READY] = on_ready,
	[REQUEST] = on_request,
	[GONE] = on_gone,
	[STOP] = on_stop,
};

/* The next message, or false after so many ms (-1: never). */
static bool
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

/* The process of a node: never returns. */
static _Noreturn void
node_main(void)
{
	struct resident *r, *next;
	struct message m;
	int64_t wait_ns;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	for (int i = self; i < nobjects; i += nnodes)
		create(class_of(i), i, self, 0, seed * 1000 + (uint64_t)i);
	for (;;) {
		next = TAILQ_FIRST(&residents);
		TAILQ_FOREACH (r, &residents, entry)
			if (r->due_ns < next->due_ns)
				next = r;
		wait_ns = 1000000000;
		if (next != NULL && next->due_ns != INT64_MAX)
			wait_ns = next->due_ns - now_ns();
		if (wait_ns <= 0)
			act(next);
		else if (next_message(&m, (int)(wait_ns / 1000000) + 1) &&
			 handlers[m.subject] != NULL)
			handlers[m.subject](&m);
	}
}

/* The first process. */

static void
sockets_new(int *read_end)
{
	int fd[2];

	for (int i = 0; i <= nnodes; i++) {
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
	inbox = read_end[nnodes];
}

/* Starts this program as the process of a node. */
static pid_t
node_start(int node, int read_end)
{
	posix_spawn_file_actions_t actions;
	char number[16], *argv[ARGUMENTS_MAX + 3];
	int n, error;
	pid_t pid;

	for (n = 0; arguments[n] != NULL; n++) {
		if (n == ARGUMENTS_MAX)
			errx(EX_USAGE, "too many arguments");
		argv[n] = arguments[n];
	}
	snprintf(number, sizeof(number), "%d", node);
	argv[n++] = (char[]){ "--node" };
	argv[n++] = number;
	argv[n] = NULL;
	if (!elsewhere)
		setenv("ORRERY_NODE", node_name[node], 1);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, read_end, FD_FIRST);
	for (int i = 0; i <= nnodes; i++)
		posix_spawn_file_actions_adddup2(&actions, way[i],
		    FD_FIRST + 1 + i);
	error =
	    posix_spawn(&pid, "/proc/self/exe", &actions, NULL, argv, environ);
	if (error != 0)
		errx(EX_OSERR, "node %d: %s", node, strerror(error));
	posix_spawn_file_actions_destroy(&actions);
	return (pid);
}

/* A process that ends before it is told to has failed. */
static void
check_nodes(const pid_t pid[])
{
	int status;

	if (waitpid(-1, &status, WNOHANG) <= 0)
		return;
	for (int i = 0; i < nnodes; i++)
		kill(pid[i], SIGTERM);
	errx(EX_SOFTWARE, "a node has failed");
}

static struct account
accounts_of_all(const pid_t pid[])
{
	int left = nobjects + 2 * count_of(FACTORY) * machines_of_a_factory();
	struct message stop = { .subject = STOP }, m;
	struct account sum = { 0 };
	uint32_t *to = (uint32_t *)&sum;

	while (left > 0)
		if (next_message(&m, 200))
			left -= m.subject == GONE;
		else
			check_nodes(pid);
	for (int i = 0; i < nnodes; i++) {
		tell(i, &stop);
		while (!next_message(&m, -1) || m.subject != ACCOUNT)
			;
		for (size_t j = 0; j < sizeof(sum) / sizeof(*to); j++)
			to[j] += ((const uint32_t *)&m.account)[j];
		waitpid(pid[i], NULL, 0);
	}
	return (sum);
}

static int
first_main(void)
{
	int read_end[NODES_MAX + 1] = { 0 };
	pid_t pid[NODES_MAX] = { 0 };
	struct account a;

	sockets_new(read_end);
	for (int i = 0; i < nnodes; i++)
		pid[i] = node_start(i, read_end[i]);
	a = accounts_of_all(pid);
	printf("objects %u, disposed %u, nodes %d\n"
	       "departures %u, arrivals %u\n"
	       "orders %u, obeyed %u\n",
	    a.created, a.disposed, nnodes, a.departures, a.arrivals, a.orders,
	    a.obeyed);
	if (a.created != a.disposed || a.departures != a.arrivals ||
	    a.orders != a.obeyed)
		errx(EX_SOFTWARE, "the accounts do not agree");
	return (0);
}

/*
 * If $ORRERY_NODE says that we run on a node that is none of these, all
 * processes stay there, whatever they are called.
 */
static void
nodes_init(const char *list)
{
	const char *here = getenv("ORRERY_NODE");
	char *s;

	elsewhere = here != NULL && list == NULL;
	if ((names = strdup(list != NULL ? list : "n1,n2,n3,n4")) == NULL)
		err(EX_OSERR, "nodes");
	for (s = strtok(names, ","); s != NULL; s = strtok(NULL, ",")) {
		if (nnodes == NODES_MAX)
			errx(EX_USAGE, "more than %d nodes", NODES_MAX);
		if (here != NULL && strcmp(here, s) == 0)
			elsewhere = false;
		node_name[nnodes++] = s;
	}
	if (nnodes == 0)
		errx(EX_USAGE, "--nodes is empty");
}

static _Noreturn void
usage(FILE *to, int code)
{
	fprintf(to,
	    "usage: drones [--objects K] [--nodes LIST] [--hops N] [--seed S]\n"
	    "           [--pace MS]\n"
	    "Lets K (7) objects move between nodes.\n"
	    "  --nodes LIST  names of nodes, n1,n2,n3,n4; at most %d\n"
	    "  --hops N      moves of a drone or a pawn (20)\n"
	    "  --pace MS     mean rest between moves (120); 0: none\n",
	    NODES_MAX);
	exit(code);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "objects", required_argument, NULL, 'k' },
		{ "nodes", required_argument, NULL, 'n' },
		{ "hops", required_argument, NULL, 'l' },
		{ "seed", required_argument, NULL, 's' },
		{ "pace", required_argument, NULL, 'm' },
		{ "node", required_argument, NULL, 'i' }, /* for children */
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *nodes = NULL;
	int c;

	arguments = argv;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'k':
			nobjects = (int)number_arg("--objects", optarg, 1,
			    OBJECTS_MAX);
			break;
		case 'n':
			nodes = optarg;
			break;
		case 'l':
			hops = (int)number_arg("--hops", optarg, 1, 1e6);
			break;
		case 's':
			seed = (uint64_t)number_arg("--seed", optarg, 0, 1e9);
			break;
		case 'm':
			pace_ms = number_arg("--pace", optarg, 0, 10000);
			break;
		case 'i':
			self =
			    (int)number_arg("--node", optarg, 0, NODES_MAX - 1);
			break;
		case 'h':
			usage(stdout, 0);
		default:
			usage(stderr, EX_USAGE);
		}
	if (optind < argc)
		usage(stderr, EX_USAGE);
	nodes_init(nodes);
	if (self == -1)
		return (first_main());
	inbox = FD_FIRST;
	for (c = 0; c <= nnodes; c++)
		way[c] = FD_FIRST + 1 + c;
	for (c = 0; c < nnodes; c++)
		node_probe[c] = probe_name(node_name[c]);
	for (c = 0; c < CLASSES; c++)
		class_probe[c] = probe_name(class_name[c]);
	probe_thread_name(node_name[self]);
	node_main();
}
