/*
 * everything FILE: a finished log, made up, with an instant (500 us after its
 * start) at which all goes on that a view can show, so that each of its colours
 * and signs is in some picture.  Rows are events: who, when, what.
 */
#include "tests/unit/make_log.h"

#include <string.h>

#define US    1000ll
#define START (1000 * US)

/* Threads of two processes on two nodes, each with its collector. */
enum who {
	RUNS,
	RUNTIME,
	RECEIVES,
	LOCKS, /* waits for HOLDS, which waits for AWAITED, which waits for it
		*/
	HOLDS,
	AWAITED,
	MEETS,
	CONDITION,
	CALLS_OUT,
	CALLS_REMOTE,
	CALLS_BACK,
	LOSES,
	BLOCK,
	MEMBER,
	SERVES_LATE,
	SERVES,
	SERVED,
	TASKS,
	MANY, /* one after the other */
	ENDED,
	TAKES,
	LOCAL, /* the collectors' own */
	REMOTE,
	THREADS
};

static const struct {
	uint32_t node, po, thread;
	const char *name;
} threads[THREADS] = {
	{ 1, 1, 1, "runs" },
	{ 1, 1, 2, "runtime" },
	{ 1, 1, 3, "receives" },
	{ 1, 1, 4, "locks" },
	{ 1, 1, 5, "holds" },
	{ 1, 1, 6, "awaited" },
	{ 1, 1, 7, "meets" },
	{ 1, 1, 8, "condition" },
	{ 1, 1, 9, "calls out" },
	{ 1, 1, 10, "calls remote" },
	{ 1, 1, 11, "calls back" },
	{ 1, 1, 12, "loses" },
	{ 1, 1, 13, "block" },
	{ 1, 1, 14, "member" },
	{ 2, 2, 1, "serves late" },
	{ 2, 2, 2, "serves" },
	{ 2, 2, 3, "served" },
	{ 2, 2, 4, "tasks" },
	{ 1, 1, 15, "many" },
	{ 1, 1, 16, "ended" },
	{ 2, 2, 5, "takes" },
	{ 1, 1, 0, "" },
	{ 2, 2, 0, "" },
};

static const struct {
	uint8_t who;
	uint16_t kind;
	int16_t t_us;
	uint64_t a, b;
	const char *c; /* a name; NULL: the number below */
	uint32_t number;
} rows[] = {
	{ LOCAL, EV_po_begin, 0, 101, 0, "program", 0 },
	{ REMOTE, EV_po_begin, 0, 102, 0, "program", 0 },
	{ LOCAL, EV_sched_from, 1, 101, 0, "perf_event", 0 },
	{ LOCAL, EV_sample_from, 1, 999, 1, "perf_event", 0 },
	{ RUNS, EV_thread_create, 20, 77, 0, "runtime", 0 },
	{ RUNTIME, EV_thread_begin, 30, 77, 12, "runtime", 0 },
	{ RUNS, EV_phase_begin, 50, 0, 0, "phase", 0 },
	{ RUNS, EV_enter, 100, 0x1000, 0, "compute", 0 },
	{ RUNS, EV_counter, 120, 5, 0, "counter", 0 },
	{ RUNS, EV_note, 150, 7, 0, "a note", 0 },
	{ RUNS, EV_own_more, 699, 3, 4, "Ada", 0 },
	{ RUNS, EV_own, 700, 1, 2,
	    "order n:number m:number a:ns b:value:EUR client:name", 0 },
	{ RUNS, EV_mem_alloc, 160, 0x7000, 4096, "compute", 0 },
	{ SERVES, EV_mem_alloc, 160, 0x8000, 8192, "answer", 0 },
	{ RUNS, EV_mem_free, 170, 0, 0, NULL, 0 },
	{ RUNS, EV_send, 400, 1, 64, NULL, 1 },
	{ RUNS, EV_counter, 600, 9, 0, "counter", 0 },
	{ RUNS, EV_mem_free, 800, 0x7000, 0, "compute", 0 },
	{ RUNS, EV_leave, 900, 0x1000, 0, "compute", 0 },
	{ RUNS, EV_phase_end, 950, 100, 0, "phase", 0 },
	{ RUNTIME, EV_state, 100, 0, 0, "runtime", 0 },
	{ RUNTIME, EV_thread_end, 960, 77, 0, NULL, 0 },
	{ RUNS, EV_thread_wait, 955, 77, 0, NULL, 0 },
	{ RUNS, EV_thread_join, 970, 77, 0, NULL, 0 },
	{ RECEIVES, EV_receive_wait, 200, 1, 0, NULL, 1 },
	{ RECEIVES, EV_receive, 800, 1, 64, NULL, 1 },
	{ HOLDS, EV_enter, 90, 0x2000, 0, "transfer", 0 },
	{ HOLDS, EV_lock_acquire, 150, 51, 1, "lock", 0 },
	{ AWAITED, EV_lock_acquire, 150, 52, 1, "other", 0 },
	{ LOCKS, EV_enter, 90, 0x2000, 0, "transfer", 0 },
	{ LOCKS, EV_lock_wait, 300, 51, 0, "lock", 0 },
	{ HOLDS, EV_lock_wait, 350, 52, 0, "other", 0 },
	{ AWAITED, EV_lock_wait, 360, 51, 0, "lock", 0 },
	{ AWAITED, EV_lock_giveup, 700, 51, 0, "lock", 0 },
	{ AWAITED, EV_lock_release, 710, 52, 2, "other", 0 },
	{ HOLDS, EV_lock_acquire, 720, 52, 2, "other", 0 },
	{ HOLDS, EV_lock_release, 740, 51, 2, "lock", 0 },
	{ HOLDS, EV_lock_release, 750, 52, 3, "other", 0 },
	{ LOCKS, EV_lock_acquire, 760, 51, 2, "lock", 0 },
	{ LOCKS, EV_lock_release, 780, 51, 3, "lock", 0 },
	{ LOCKS, EV_leave, 800, 0x2000, 0, "transfer", 0 },
	{ HOLDS, EV_leave, 800, 0x2000, 0, "transfer", 0 },
	{ MEETS, EV_barrier_enter, 200, 61, 1, NULL, 1 },
	{ MEETS, EV_barrier_leave, 850, 61, 1, NULL, 1 },
	{ CONDITION, EV_cond_wait, 200, 71, 0, "condition", 0 },
	{ MEETS, EV_cond_signal, 860, 71, 1, "condition", 0 },
	{ CONDITION, EV_cond_wake, 870, 71, 1, "condition", 0 },
	{ MEETS, EV_cond_signal, 880, 73, 1, "condition", 0 },
	{ CALLS_OUT, EV_rpc_call, 450, 81, 16, "ask", 0 },
	{ SERVES_LATE, EV_rpc_begin, 550, 81, 16, "ask", 0 },
	{ SERVES_LATE, EV_rpc_end, 650, 81, 16, "ask", 0 },
	{ CALLS_OUT, EV_rpc_return, 700, 81, 16, "ask", 0 },
	{ CALLS_REMOTE, EV_rpc_call, 200, 82, 16, "ask", 0 },
	{ SERVES, EV_rpc_begin, 300, 82, 16, "ask", 0 },
	{ SERVES, EV_rpc_end, 700, 82, 16, "ask", 0 },
	{ CALLS_REMOTE, EV_rpc_return, 750, 82, 16, "ask", 0 },
	{ CALLS_BACK, EV_rpc_call, 100, 83, 16, "ask", 0 },
	{ SERVED, EV_rpc_begin, 150, 83, 16, "ask", 0 },
	{ SERVED, EV_rpc_end, 400, 83, 16, "ask", 0 },
	{ CALLS_BACK, EV_rpc_return, 620, 83, 16, "ask", 0 },
	{ LOSES, EV_enter, 100, 0x3000, 0, "lost", 0 },
	{ LOSES, EV_lost, 600, 4096, 4096, NULL, LOST_RING_FULL },
	{ BLOCK, EV_block_begin, 100, 91, 1, "block", 0 },
	{ MEMBER, EV_member_begin, 150, 91, 0, "block", 0 },
	{ MEMBER, EV_member_end, 800, 91, 0, NULL, 1 },
	{ BLOCK, EV_block_end, 900, 91, 0, NULL, 1 },
	{ TASKS, EV_task_spawn, 100, 201, 0, "root", 0 },
	{ TASKS, EV_task_begin, 110, 201, 1, "root", 0 },
	{ TASKS, EV_task_spawn, 120, 202, 201, "leaf", 0 },
	{ TASKS, EV_task_spawn, 130, 203, 201, "leaf", 0 },
	{ TASKS, EV_task_spawn, 140, 204, 201, "taker", 0 },
	{ TASKS, EV_task_suspend, 200, 201, 202, NULL, 0 },
	{ TAKES, EV_task_begin, 210, 202, 2, "leaf", 0 },
	{ TAKES, EV_future_set, 290, 301, 202, NULL, 0 },
	{ TAKES, EV_future_set, 295, 302, 202, NULL, 0 },
	{ TAKES, EV_task_end, 300, 202, 0, NULL, 0 },
	{ TASKS, EV_task_resume, 310, 201, 1, "root", 0 },
	{ TASKS, EV_future_get, 320, 301, 201, NULL, 0 },
	{ TASKS, EV_task_end, 330, 201, 0, NULL, 0 },
	{ TASKS, EV_task_begin, 340, 203, 3, "leaf", 0 },
	{ TASKS, EV_future_get, 345, 302, 203, NULL, 0 },
	{ TASKS, EV_task_end, 350, 203, 0, NULL, 0 },
	{ TASKS, EV_task_begin, 360, 204, 3, "taker", 0 },
	{ TASKS, EV_task_end, 900, 204, 0, NULL, 0 },
	{ RUNS, EV_object_request, 60, 0, 401, "pawn", 0 },
	{ MEETS, EV_object_create, 110, 501, 401, "pawn", 0 },
	{ RUNS, EV_object_order, 180, 501, 402, "n1", 0 },
	{ MEETS, EV_object_obey, 190, 501, 402, "n1", 0 },
	{ MEETS, EV_object_depart, 195, 501, 1, "n1", 0 },
	{ SERVED, EV_object_arrive, 700, 501, 1, "n0", 0 },
	{ SERVED, EV_object_dispose, 900, 501, 0, NULL, 0 },
	{ MANY, EV_state, 5, 0, 0, "runtime", 0 },
	{ MANY, EV_enter, 10, 0x5000, 0, "many", 0 },
	{ MANY, EV_receive_wait, 12, 9, 0, NULL, 1 },
	{ MANY, EV_receive, 20, 9, 8, NULL, 1 },
	{ MANY, EV_lock_wait, 21, 53, 0, "short", 0 },
	{ MANY, EV_lock_acquire, 30, 53, 1, "short", 0 },
	{ MANY, EV_lock_release, 31, 53, 2, "short", 0 },
	{ MANY, EV_barrier_enter, 32, 63, 1, NULL, 1 },
	{ MANY, EV_barrier_leave, 40, 63, 1, NULL, 1 },
	{ MANY, EV_cond_wait, 41, 72, 0, "condition", 0 },
	{ RUNS, EV_cond_signal, 48, 72, 1, "condition", 0 },
	{ MANY, EV_cond_wake, 49, 72, 1, "condition", 0 },
	{ MANY, EV_rpc_call, 50, 84, 16, "ask", 0 },
	{ SERVES, EV_rpc_begin, 53, 84, 16, "ask", 0 },
	{ SERVES, EV_rpc_end, 57, 84, 16, "ask", 0 },
	{ MANY, EV_rpc_return, 60, 84, 16, "ask", 0 },
	{ MANY, EV_enter, 62, 0x6000, 0, "again", 0 },
	{ MANY, EV_enter, 63, 0x6000, 0, "again", 0 },
	{ MANY, EV_leave, 64, 0x6000, 0, "again", 0 },
	{ MANY, EV_leave, 65, 0x6000, 0, "again", 0 },
	{ MANY, EV_leave, 70, 0x5000, 0, "many", 0 },
	{ MANY, EV_enter, 95, 0x9000, 0, NULL, 0 },
	{ CONDITION, EV_enter, 150, 0x5000, 0, "many", 0 },
	{ MEETS, EV_thread_create, 15, 78, 0, "ended", 0 },
	{ ENDED, EV_thread_begin, 25, 78, 13, "ended", 0 },
	{ ENDED, EV_thread_end, 45, 78, 0, NULL, 0 },
	{ LOCAL, EV_sched_new, 40, 12, 0, NULL, 0 },
	{ LOCAL, EV_sched_in, 100, 12, 2, NULL, 0 },
	{ LOCAL, EV_sched_out, 300, 12, 2, NULL, 1 },
	{ LOCAL, EV_sched_in, 500, 12, 3, NULL, 0 },
	{ LOCAL, EV_sched_out, 600, 12, 3, NULL, 0 },
	{ LOCAL, EV_sched_in, 900, 12, 2, NULL, 0 },
	{ LOCAL, EV_sched_gone, 965, 12, 2, NULL, 0 },
	{ LOCAL, EV_sample_stack, 200, 1, 0, "compute", 0 },
	{ LOCAL, EV_sample_found, 250, 12, 100000, NULL, 1 },
	{ LOCAL, EV_sample_found, 550, 12, 100000, NULL, 1 },
	{ RUNS, EV_send, 980, 2, 64, NULL, 1 },
};

/* The number of a name, each made once. */
static uint32_t
name_of(struct make_log *l, const char *text)
{
	static struct {
		const char *text;
		uint32_t number;
	} made[64];
	size_t i = 0;

	while (made[i].text != NULL && strcmp(made[i].text, text) != 0)
		i++;
	if (made[i].text == NULL) {
		made[i].text = text;
		made[i].number = make_log_name(l, text);
	}
	return (made[i].number);
}

/* The file that the first process is run from. */
static void
program(struct make_log *l, const char *path)
{
	struct msg_module m = { .node = 1,
		.po = 1,
		.end = 4096,
		.build_id = BYTES_STR(""),
		.path = BYTES_STR(path) };

	assert(frame_append(&l->out, MSG_module, &m) == 0);
}

int
main(int argc, char **argv)
{
	struct make_log l = { .level = 1,
		.start_mon_ns = START,
		.start_real_ns = 1000000000000000000 };
	uint32_t location[THREADS];
	FILE *f;

	if (argc != 2 && argc != 3) {
		fprintf(stderr, "usage: everything file [program]\n");
		return (64);
	}
	make_log_head(&l, "everything");
	make_log_node(&l, 1, "n0");
	make_log_node(&l, 2, "n1");
	make_log_po(&l, 1, 1, "program");
	make_log_po(&l, 2, 2, "program");
	if (argc == 3)
		program(&l, argv[2]);
	for (size_t i = 0; i < THREADS; i++)
		location[i] = make_log_thread(&l, threads[i].node,
		    threads[i].po, threads[i].thread, threads[i].name);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		make_log_event(&l, location[rows[i].who], rows[i].kind,
		    START + rows[i].t_us * US, rows[i].a, rows[i].b,
		    rows[i].c == NULL ? rows[i].number
				      : name_of(&l, rows[i].c));
	make_log_blocks(&l, 0);
	make_log_finish(&l);
	f = fopen(argv[1], "wb");
	if (f == NULL || fwrite(l.out.p, 1, l.out.n, f) != l.out.n ||
	    fclose(f) != 0) {
		perror(argv[1]);
		return (74);
	}
	make_log_free(&l);
	return (0);
}
