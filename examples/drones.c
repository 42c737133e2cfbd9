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
#include <sys/wait.h>

#include <getopt.h>
#include <signal.h>

#include "arguments.h"
#include "drones.h"

#define OBJECTS_MAX 64

struct nodes nodes;
int self = -1, nobjects = 7, hops = 20;
double pace_ms = 120;
uint64_t seed = 1;
static bool elsewhere; /* all processes belong to $ORRERY_NODE */
static char **arguments;

/*
 * Starts this program as the process of a node.  If $ORRERY_NODE says that we
 * run on a node that is none of these, all processes stay there, whatever they
 * are called.
 */
static pid_t
node_start(int node)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;

	if (!elsewhere)
		setenv("ORRERY_NODE", nodes.name[node], 1);
	posix_spawn_file_actions_init(&actions);
	post_give(&actions, node);
	pid = start_again(arguments, "--node", node, &actions);
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
	for (int i = 0; i < nodes.n; i++)
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
	for (int i = 0; i < nodes.n; i++) {
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
	pid_t pid[NODES_MAX] = { 0 };
	struct account a;

	post_open();
	for (int i = 0; i < nodes.n; i++)
		pid[i] = node_start(i);
	a = accounts_of_all(pid);
	printf("objects %u, disposed %u, nodes %d\n"
	       "departures %u, arrivals %u\n"
	       "orders %u, obeyed %u\n",
	    a.created, a.disposed, nodes.n, a.departures, a.arrivals, a.orders,
	    a.obeyed);
	if (a.created != a.disposed || a.departures != a.arrivals ||
	    a.orders != a.obeyed)
		errx(EX_SOFTWARE, "the accounts do not agree");
	return (0);
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
	const char *list = NULL;
	int c;

	arguments = argv;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'k':
			nobjects = (int)number_arg("--objects", optarg, 1,
			    OBJECTS_MAX);
			break;
		case 'n':
			list = optarg;
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
	nodes_init(&nodes, list);
	elsewhere = !nodes.known && list == NULL;
	if (self == -1)
		return (first_main());
	post_in_child();
	node_main();
}
