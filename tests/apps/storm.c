/*
 * A storm: processes that send to each other as fast as they can, or at a
 * pace, and know afterwards exactly what they did.
 *
 *	storm [--processes N] [--nodes n1,n2,...] [--messages N] [--seconds S]
 *	    [--rate N] [--round N] DIR
 *
 * Each process has a thread that sends and one that receives, and runs on the
 * next node of the list.  Messages go to a process by chance, a handful at a
 * time, through pipes; one in five or so is told as a task, a value or an
 * object instead.  Now and then a thread takes a lock that all processes
 * share, and after each round (of so many messages of each process) all wait
 * for all.  It ends after so many messages of each process, or seconds.
 *
 * The size of a message is a lie: it is the thread's own reading of
 * CLOCK_MONOTONIC_RAW just before the event, so that the time of each event
 * can be held against it.  What a process did goes to DIR/storm.N; for
 * tests/outside/ to compare with the log.  See tests/outside/storm.h.
 */
#include <sys/mman.h>
#include <sys/wait.h>

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"
#include "tests/outside/storm.h"
#include "tests/rnd.h"

#define HANDFUL     24 /* messages in one write, at most */
#define LOCK_EVERY  8  /* handfuls */
#define ATTACH_TRYS 2000

/* In memory that all processes share. */
struct storm {
	unsigned processes, nodes;
	uint64_t messages, round;
	double seconds, rate;
	char node[STORM_PROCESSES][64];
	char dir[512];
	int out[STORM_PROCESSES][STORM_PROCESSES]; /* [from][to] */
	int in[STORM_PROCESSES][STORM_PROCESSES];  /* [from][to] */
	pthread_barrier_t all;
	pthread_mutex_t lock[STORM_LOCKS];
	uint64_t turn[STORM_LOCKS];
	atomic_bool over;
};

static struct storm *storm;
static unsigned me;
static uint64_t sent[STORM_PROCESSES], received[STORM_PROCESSES];
static struct storm_said said[STORM_THREADS];
static uint64_t creation[STORM_THREADS];
static uint32_t name;

_Noreturn static void
die(const char *what)
{
	fprintf(stderr, "storm: ");
	perror(what);
	exit(71);
}

static uint64_t
raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ((uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec);
}

/* A thread's first words. */
static struct storm_said *
hello(unsigned thread)
{
	int64_t value = STORM_HELLO | (int64_t)(me * STORM_THREADS + thread);

	if (thread > 0)
		probe_thread_begin(creation[thread], name);
	probe_note(name, value);
	storm_say(&said[thread], STORM_note, (uint64_t)value, 0, 0);
	return (&said[thread]);
}

static void
tell_sent(struct storm_said *s, uint64_t id, uint64_t number)
{
	uint64_t now;
	uint32_t tag = (uint32_t)(number % STORM_TAGS);

	switch (storm_way(number)) {
	case STORM_MESSAGE:
		now = raw_ns();
		probe_send(id, now, tag);
		storm_say(s, STORM_send, id, now, tag);
		break;
	case STORM_TASK:
		probe_task_spawn(id, 0, name);
		storm_say(s, STORM_task_spawn, id, 0, 0);
		break;
	case STORM_FUTURE:
		probe_future_set(id, 0);
		storm_say(s, STORM_future_set, id, 0, 0);
		break;
	case STORM_OBJECT:
		probe_object_depart(id, 1, name);
		storm_say(s, STORM_object_depart, id, 1, 0);
		break;
	}
}

static void
tell_received(struct storm_said *s, uint64_t id, uint64_t number)
{
	uint64_t now;
	uint32_t tag = (uint32_t)(number % STORM_TAGS);

	switch (storm_way(number)) {
	case STORM_MESSAGE:
		now = raw_ns();
		probe_receive(id, now, tag);
		storm_say(s, STORM_receive, id, now, tag);
		break;
	case STORM_TASK:
		probe_task_begin(id, me, name);
		storm_say(s, STORM_task_begin, id, me, 0);
		probe_task_end(id);
		storm_say(s, STORM_task_end, id, 0, 0);
		break;
	case STORM_FUTURE:
		probe_future_get(id, 0);
		storm_say(s, STORM_future_get, id, 0, 0);
		break;
	case STORM_OBJECT:
		probe_object_arrive(id, 1, name);
		storm_say(s, STORM_object_arrive, id, 1, 0);
		break;
	}
}

static void
put(int fd, const uint64_t *ids, size_t n)
{
	const char *at = (const char *)ids;
	size_t left = n * sizeof(*ids);
	ssize_t k;

	while (left > 0) {
		k = write(fd, at, left);
		if (k == -1 && errno != EINTR)
			die("write");
		if (k > 0) {
			at += k;
			left -= (size_t)k;
		}
	}
}

/* Up to so many messages to one other process; returns how many. */
static uint64_t
send_some(struct storm_said *s, uint64_t most)
{
	uint64_t ids[HANDFUL], n = 1 + rnd() % HANDFUL;
	unsigned to = (unsigned)(rnd() % (storm->processes - 1));

	if (to >= me)
		to++;
	if (n > most)
		n = most;
	for (uint64_t i = 0; i < n; i++) {
		ids[i] = storm_id(me, to, sent[to]);
		tell_sent(s, ids[i], sent[to]++);
	}
	put(storm->out[me][to], ids, n);
	return (n);
}

static void
take_a_lock(struct storm_said *s)
{
	unsigned l = (unsigned)(rnd() % STORM_LOCKS);
	uint64_t id = STORM_LOCK_ID + l, turn;

	pthread_mutex_lock(&storm->lock[l]);
	turn = storm->turn[l];
	probe_lock_acquire(id, turn, name);
	storm_say(s, STORM_lock_acquire, id, turn, 0);
	storm->turn[l] = ++turn;
	probe_lock_release(id, turn, name);
	storm_say(s, STORM_lock_release, id, turn, 0);
	pthread_mutex_unlock(&storm->lock[l]);
}

/* All processes wait for all; the first of them says whether it is over. */
static bool
meet(struct storm_said *s, uint64_t turn, bool over)
{
	uint32_t parties = storm->processes;

	if (me == 0)
		atomic_store(&storm->over, over);
	probe_collective_enter(STORM_ALL_ID, turn, parties);
	storm_say(s, STORM_collective_enter, STORM_ALL_ID, turn, parties);
	pthread_barrier_wait(&storm->all);
	over = atomic_load(&storm->over);
	probe_collective_leave(STORM_ALL_ID, turn, parties);
	storm_say(s, STORM_collective_leave, STORM_ALL_ID, turn, parties);
	/* nobody says what is next before all have read this */
	pthread_barrier_wait(&storm->all);
	return (over);
}

/* Waits until `done` messages are due. */
static void
pace(uint64_t began, uint64_t done)
{
	double ahead_s;
	struct timespec ts = { 0 };

	if (storm->rate == 0)
		return;
	ahead_s = (double)done / storm->rate - (double)(raw_ns() - began) / 1e9;
	if (ahead_s <= 0)
		return;
	ts.tv_sec = (time_t)ahead_s;
	ts.tv_nsec = (long)((ahead_s - (double)ts.tv_sec) * 1e9);
	nanosleep(&ts, NULL);
}

static void *
sender(void *arg)
{
	struct storm_said *s = hello(1);
	uint64_t began = raw_ns(), done = 0, in_round, turn = 1;
	uint64_t limit_ns = (uint64_t)(storm->seconds * 1e9), nothing = 0;
	bool over = false;

	for (unsigned handful = 0; !over; turn++) {
		for (in_round = 0; in_round < storm->round; handful++) {
			pace(began, done + in_round);
			in_round += send_some(s, storm->round - in_round);
			if (handful % LOCK_EVERY == 0)
				take_a_lock(s);
		}
		done += in_round;
		over = meet(s, turn,
		    limit_ns != 0 ? raw_ns() - began >= limit_ns
				  : done >= storm->messages);
	}
	for (unsigned to = 0; to < storm->processes; to++)
		if (to != me)
			put(storm->out[me][to], &nothing, 1);
	return (arg);
}

/* What came through one pipe; false when that was all. */
static bool
take_some(struct storm_said *s, unsigned from)
{
	static uint64_t ids[512]; /* one thread receives */
	static size_t part[STORM_PROCESSES];
	static uint64_t kept[STORM_PROCESSES];
	unsigned by, to;
	uint64_t number;
	size_t n;
	ssize_t k;

	ids[0] = kept[from]; /* the bytes of an id that was cut in two */
	do
		k = read(storm->in[from][me], (char *)ids + part[from],
		    sizeof(ids) - part[from]);
	while (k == -1 && errno == EINTR);
	if (k <= 0)
		die("read");
	n = (part[from] + (size_t)k) / sizeof(*ids);
	part[from] = (part[from] + (size_t)k) % sizeof(*ids);
	for (size_t i = 0; i < n; i++) {
		if (ids[i] == 0)
			return (false);
		if (!storm_id_of(ids[i], &by, &to, &number) || by != from ||
		    to != me || number != received[from])
			die("a pipe has lost a message");
		tell_received(s, ids[i], number);
		received[from]++;
	}
	if (part[from] > 0)
		kept[from] = ids[n];
	return (true);
}

static void *
receiver(void *arg)
{
	struct storm_said *s = hello(2);
	struct pollfd fds[STORM_PROCESSES];
	unsigned left = storm->processes - 1;

	for (unsigned from = 0; from < storm->processes; from++) {
		fds[from].fd = from == me ? -1 : storm->in[from][me];
		fds[from].events = POLLIN;
	}
	while (left > 0) {
		if (poll(fds, storm->processes, -1) == -1 && errno != EINTR)
			die("poll");
		for (unsigned from = 0; from < storm->processes; from++) {
			if (fds[from].fd == -1 || fds[from].revents == 0 ||
			    take_some(s, from))
				continue;
			fds[from].fd = -1;
			left--;
		}
	}
	return (arg);
}

/* For the checker: what this process knows of itself. */
static void
write_down(void)
{
	char path[600];
	FILE *f;

	snprintf(path, sizeof(path), "%s/storm.%u", storm->dir, me);
	if ((f = fopen(path, "w")) == NULL)
		die(path);
	fprintf(f, "processes %u\nnode %s\n", storm->processes,
	    storm->node[me % storm->nodes]);
	for (unsigned t = 0; t < STORM_THREADS; t++)
		fprintf(f, "thread %u %llu %llx %llu\n", t,
		    (unsigned long long)said[t].events,
		    (unsigned long long)said[t].hash,
		    (unsigned long long)said[t].alone);
	for (unsigned p = 0; p < storm->processes; p++)
		if (p != me)
			fprintf(f, "pair %u %llu %llu\n", p,
			    (unsigned long long)sent[p],
			    (unsigned long long)received[p]);
	if (fclose(f) != 0)
		die(path);
}

/* Until a collector takes its events. */
static void
wait_until_attached(void)
{
	for (int i = 0; i < ATTACH_TRYS && !probe_attached(); i++) {
		probe_note(0, 0);
		said[0].alone++;
		usleep(10000);
	}
	if (!probe_attached()) {
		fprintf(stderr, "storm: process %u finds no collector\n", me);
		exit(69);
	}
}

static int
part(unsigned number)
{
	void *(*const run[])(void *) = { NULL, sender, receiver };
	pthread_t thread[STORM_THREADS];

	me = number;
	rnd_state = 88172645463325252u + me * UINT64_C(0x9e3779b97f4a7c15);
	for (unsigned from = 0; from < storm->processes; from++)
		for (unsigned to = 0; to < storm->processes; to++) {
			if (from != me && from != to)
				close(storm->out[from][to]);
			if (to != me && from != to)
				close(storm->in[from][to]);
		}
	wait_until_attached();
	name = PROBE_NAME("storm");
	hello(0);
	for (unsigned t = 1; t < STORM_THREADS; t++) {
		creation[t] = probe_thread_create(name);
		storm_say(&said[0], STORM_thread_create, creation[t], 0, 0);
		if (pthread_create(&thread[t], NULL, run[t], NULL) != 0)
			die("pthread_create");
	}
	for (unsigned t = 1; t < STORM_THREADS; t++) {
		pthread_join(thread[t], NULL);
		probe_thread_join(creation[t]);
		storm_say(&said[0], STORM_thread_join, creation[t], 0, 0);
	}
	write_down();
	return (0);
}

static void
share(void)
{
	pthread_barrierattr_t all;
	pthread_mutexattr_t one;

	pthread_barrierattr_init(&all);
	pthread_barrierattr_setpshared(&all, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&storm->all, &all, storm->processes);
	pthread_mutexattr_init(&one);
	pthread_mutexattr_setpshared(&one, PTHREAD_PROCESS_SHARED);
	for (unsigned l = 0; l < STORM_LOCKS; l++)
		pthread_mutex_init(&storm->lock[l], &one);
	for (unsigned from = 0; from < storm->processes; from++)
		for (unsigned to = 0; to < storm->processes; to++) {
			int ends[2];

			if (from == to)
				continue;
			if (pipe(ends) == -1)
				die("pipe");
			storm->in[from][to] = ends[0];
			storm->out[from][to] = ends[1];
		}
}

/* Starts them all, and waits; one that fails takes the others with it. */
static int
start(const char *self, int memory)
{
	pid_t child[STORM_PROCESSES], gone;
	char which[16], where[16];
	int status, code = 0;

	share();
	snprintf(where, sizeof(where), "%d", memory);
	for (unsigned p = 0; p < storm->processes; p++) {
		snprintf(which, sizeof(which), "%u", p);
		if ((child[p] = fork()) == -1)
			die("fork");
		if (child[p] != 0)
			continue;
		setenv("ORRERY_NODE", storm->node[p % storm->nodes], 1);
		execl("/proc/self/exe", self, "--part", which, where,
		    (char *)NULL);
		_exit(71);
	}
	for (unsigned left = storm->processes; left > 0; left--) {
		gone = wait(&status);
		for (unsigned p = 0; p < storm->processes; p++) {
			if (child[p] == gone)
				child[p] = 0;
			else if (status != 0 && child[p] != 0)
				kill(child[p], SIGKILL);
		}
		if (status != 0)
			code = 1;
	}
	return (code);
}

static struct storm *
map(int memory)
{
	void *p = mmap(NULL, sizeof(struct storm), PROT_READ | PROT_WRITE,
	    MAP_SHARED, memory, 0);

	if (p == MAP_FAILED)
		die("mmap");
	return (p);
}

static void
set_nodes(char *list)
{
	char *at;

	storm->nodes = 0;
	while (
	    (at = strsep(&list, ",")) != NULL && storm->nodes < STORM_PROCESSES)
		snprintf(storm->node[storm->nodes++], sizeof(storm->node[0]),
		    "%s", at);
}

static int
usage(void)
{
	fprintf(stderr,
	    "usage: storm [--processes N] [--nodes n1,n2,...] "
	    "[--messages N] [--seconds S]\n\t[--rate N] [--round N] DIR\n");
	return (64);
}

int
main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "processes", 1, NULL, 'p' },
		{ "nodes", 1, NULL, 'n' },
		{ "messages", 1, NULL, 'm' },
		{ "seconds", 1, NULL, 's' },
		{ "rate", 1, NULL, 'r' },
		{ "round", 1, NULL, 'o' },
		{ NULL, 0, NULL, 0 },
	};
	char all_nodes[] = "n1,n2,n3,n4";
	int c, memory;

	if (argc == 4 && strcmp(argv[1], "--part") == 0) {
		storm = map(atoi(argv[3]));
		return (part((unsigned)atoi(argv[2])));
	}
	memory = memfd_create("storm", 0);
	if (memory == -1 || ftruncate(memory, sizeof(*storm)) == -1)
		die("memory");
	storm = map(memory);
	storm->processes = 8;
	storm->round = 2000;
	storm->messages = 10000;
	set_nodes(all_nodes);
	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (c) {
		case 'p':
			storm->processes = (unsigned)atoi(optarg);
			break;
		case 'n':
			set_nodes(optarg);
			break;
		case 'm':
			storm->messages = strtoull(optarg, NULL, 10);
			break;
		case 's':
			storm->seconds = atof(optarg);
			break;
		case 'r':
			storm->rate = atof(optarg);
			break;
		case 'o':
			storm->round = strtoull(optarg, NULL, 10);
			break;
		default:
			return (usage());
		}
	}
	if (argc - optind != 1 || storm->processes < 2 ||
	    storm->processes > STORM_PROCESSES || storm->round == 0)
		return (usage());
	snprintf(storm->dir, sizeof(storm->dir), "%s", argv[optind]);
	return (start(argv[0], memory));
}
