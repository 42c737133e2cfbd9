/*
 * truth OTHER [FIFO]: a run with known answers, for tests/oracle/oracle.  OTHER
 * is the second program, which runs on node n2 and is called, written to and
 * moved to.  With a FIFO it stops half way, in the midst of calls, until
 * somebody writes into it, so that a run that grows can be looked at.
 */
#include "tests/oracle/truth.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEEP 4500

void
truth_told(const char *name, unsigned calls)
{
	printf("calls %s %u\n", name, calls);
}

/* Of this file; truth_same.c and other.c have others. */
static void
step(void)
{
	PROBE_SCOPE();
	truth_spin(20000);
}

static void
leaf(int n)
{
	PROBE_SCOPE();
	truth_spin(3000 * n);
}

static void
branch(int n)
{
	PROBE_SCOPE();
	for (int i = 1; i <= n; i++)
		leaf(i);
	truth_spin(5000);
}

static void
recursive(int n)
{
	PROBE_SCOPE();
	truth_spin(10000);
	if (n > 1)
		recursive(n - 1);
	else
		leaf(1);
}

static void odd_one(int);
static void
even_one(int n)
{
	PROBE_SCOPE();
	truth_spin(2000);
	if (n > 0)
		odd_one(n - 1);
}
static void
odd_one(int n)
{
	PROBE_SCOPE();
	truth_spin(4000);
	if (n > 0)
		even_one(n - 1);
}

static void
deep(int n)
{
	uint32_t name = PROBE_NAME("deep");

	probe_enter(NULL, name);
	if (n > 1)
		deep(n - 1);
	else
		truth_rest(300000);
	probe_leave(NULL, name);
}

static void
calls_all(void)
{
	PROBE_SCOPE();
	for (int i = 0; i < 10; i++)
		branch(i % 4);
	recursive(50);
	even_one(20);
	same_steps(10);
	for (int i = 0; i < 10; i++)
		step();
	deep(DEEP);
	truth_told("calls_all", 1);
	truth_told("branch", 10);
	truth_told("leaf", 13 + 1 + 5);
	truth_told("recursive", 50);
	truth_told("even_one", 11);
	truth_told("odd_one", 10);
	truth_told("deep", DEEP);
	truth_told("step", 20 + 15); /* of all three programs */
}

static void
put(int fd, struct wire w)
{
	if (write(fd, &w, sizeof(w)) != sizeof(w))
		err(1, "write");
}

static struct wire
get(int fd)
{
	struct wire w;

	if (read(fd, &w, sizeof(w)) != sizeof(w))
		err(1, "the other program has gone");
	return (w);
}

/* Remote calls: some with little to do, one within a call of ours. */
static void
rpcs_all(int fd)
{
	PROBE_SCOPE();
	for (uint32_t i = 0; i < 5; i++) {
		struct wire w = { probe_id(), 0, 0, WIRE_CALL, 100 * (i + 1) };

		probe_rpc_call(w.id, w.bytes, PROBE_NAME_HERE("remote"));
		put(fd, w);
		w = get(fd);
		probe_rpc_return(w.id, 16, PROBE_NAME("remote"));
		leaf(1);
	}
	truth_told("serve:remote", 5);
}

/* Messages there and back; one is never taken, one has no id. */
static void
messages_all(int fd)
{
	PROBE_SCOPE();
	for (uint32_t i = 0; i < 8; i++) {
		struct wire w = { probe_message_id(), 0, 0, WIRE_MESSAGE,
			1000 + i };

		probe_send(w.id, w.bytes, i);
		put(fd, w);
		probe_receive_wait(0, 0);
		w = get(fd);
		probe_receive(w.id, w.bytes, 7);
	}
	probe_send(probe_message_id(), 77, 0);
	probe_send(0, 5, 0);
	probe_receive(0, 5, 0);
}

/* As libprobe-auto tells of calls of the system. */
static void
waits_all(void)
{
	PROBE_SCOPE();
	for (uint64_t i = 0; i < 3; i++) {
		PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_io_wait,
		    PROBE_NAME("read pipe"), 5, 0);
		usleep(300);
		PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_io_done,
		    PROBE_NAME("read pipe"), 5, i);
		PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_system_wait,
		    PROBE_NAME("sleep"), 200000, 0);
		usleep(200);
		PROBE_EVENT(PROBE_CLASS_lock, 0, PROBE_system_done,
		    PROBE_NAME("sleep"), 200000, 0);
	}
	PROBE_EVENT(PROBE_CLASS_message, 0, PROBE_stream_gap,
	    PROBE_NAME("two read a stream at once"), 7, 1000);
}

/* Objects: one goes to the other program's node and comes back, twice. */
static void
objects_all(int fd)
{
	uint64_t request = probe_id(), pawn = probe_id(), order;
	uint64_t rook = probe_id();
	struct wire w;

	PROBE_SCOPE();
	probe_object_request(0, request, PROBE_NAME("pawn"));
	probe_object_create(pawn, request, PROBE_NAME("pawn"));
	probe_object_nickname(pawn, PROBE_NAME("scout"));
	probe_object_create(rook, 0, PROBE_NAME("rook"));
	for (uint64_t hop = 1; hop < 5; hop += 2) {
		order = probe_id();
		probe_object_wait(pawn, PROBE_NAME("order"));
		if (hop == 1)
			probe_object_orders(rook, order);
		probe_object_order(pawn, order, PROBE_NAME("n2"));
		truth_spin(1000000);
		probe_object_go(pawn);
		probe_object_obey(pawn, order, PROBE_NAME("n2"));
		probe_object_depart(pawn, hop, PROBE_NAME("n2"));
		put(fd, (struct wire){ 0, pawn, hop, WIRE_OBJECT, 0 });
		w = get(fd);
		probe_object_arrive(pawn, w.hop, PROBE_NAME("n2"));
	}
	probe_object_dispose(pawn);
	probe_object_wait(rook, PROBE_NAME("pawn"));
}

static void
memory_all(void)
{
	char *p[3];

	PROBE_SCOPE();
	for (int i = 0; i < 3; i++) {
		p[i] = malloc(100u << i);
		probe_mem_alloc(p[i], 100u << i, PROBE_NAME_HERE("block"));
	}
	probe_mem_free(p[1], PROBE_NAME("block"));
	free(p[1]);
	probe_mem_free(NULL, PROBE_NAME("nothing"));
	/* as those tell who are not asked */
	PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_mem_given, 0, (uintptr_t)p[2],
	    408);
	for (uint64_t i = 1; i < 9; i++) {
		PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_mem_sample,
		    PROBE_NAME("picked"), i * 4096, i * 100000);
		PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_heap_made, 0, i * 10,
		    i * 5000);
		PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_heap_asked, 0,
		    i * 4900, 0);
		PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_heap_freed,
		    (uint32_t)i, i * 2, i * i * 500);
		PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_heap_mapped, 0,
		    i << 20, i << 12);
	}
	probe_mem_free((void *)8192, 0);
	free(p[2]);
	free(
	    p[0]); /* these were not told of: a leak, as far as the log knows */
}

static pid_t
start_other(const char *program, int *fd)
{
	int sv[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv) == -1)
		err(1, "socketpair");
	if ((pid = fork()) == -1)
		err(1, "fork");
	if (pid == 0) {
		dup2(sv[1], 0);
		setenv("ORRERY_NODE", "n2", 1);
		execl(program, program, (char *)NULL);
		_exit(127);
	}
	close(sv[1]);
	*fd = sv[0];
	return (pid);
}

/* Until somebody writes, with calls and a wait open. */
static void
half_way(const char *fifo)
{
	PROBE_SCOPE();
	if (fifo != NULL) {
		char c;
		int fd;

		probe_receive_wait(0, 0);
		printf("half way\n");
		if ((fd = open(fifo, O_RDONLY | O_CLOEXEC)) == -1 ||
		    read(fd, &c, 1) != 1)
			err(1, "%s", fifo);
		close(fd);
		probe_receive(0, 0, 0);
	}
}

int
main(int argc, char **argv)
{
	pid_t other;
	int fd, status;

	if (argc < 2)
		errx(64, "usage: truth OTHER [FIFO]");
	setvbuf(stdout, NULL, _IOLBF, 0); /* children must not tell it again */
	probe_thread_name("leader");
	other = start_other(argv[1], &fd);
	probe_enter(NULL, PROBE_FUNCTION());
	calls_all();
	rpcs_all(fd);
	tasks_all();
	half_way(argc > 2 ? argv[2] : NULL);
	messages_all(fd);
	objects_all(fd);
	memory_all();
	waits_all();
	locks_all();
	odd_all();
	own_all();
	odd_exits();
	put(fd, (struct wire){ 0, 0, 0, WIRE_END, 0 });
	waitpid(other, &status, 0);
	probe_thread_name("leader at the end");
	probe_leave(NULL, PROBE_FUNCTION());
	return (WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}
