/*
 * A program that does nothing but publish events, at a chosen rate.
 *
 *	load [--threads N] [--rate EVENTS_PER_S] [--seconds S] [--events N]
 *	    [--wait] [--noise]
 *
 * The mix is that of the size figures: 60 % function enter and leave, 15 %
 * locks, 15 % messages to the neighbour thread, 10 % tasks.  Rate 0 is flat
 * out.  At the end it prints what it has published by its own count:
 * "published N seconds S".  --wait: starts only when a collector is there.
 * --noise: notes with random values instead, which nothing can compress.
 */
#include <getopt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"
#include "tests/rnd.h"

#define THREADS_MAX  256
#define BOX_SLOTS    1024
#define ROUND_EVENTS 40
#define LOCKS        4
#define FUNCTIONS    8

/* One writer, one reader: message ids on their way to a neighbour. */
struct box {
	_Alignas(64) _Atomic uint64_t head;
	_Alignas(64) _Atomic uint64_t tail;
	uint64_t id[BOX_SLOTS];
};

struct worker {
	pthread_t thread;
	unsigned number;
	uint64_t creation, published, lock_turn[LOCKS];
	struct box in;
};

static struct worker *workers;
static unsigned nthreads = 1;
static double rate, seconds = 1;
static uint64_t events_max;
static uint32_t functions[FUNCTIONS], lock_name, task_name;
static uint64_t lock_ids[THREADS_MAX][LOCKS];
static atomic_int stop;
static bool noise;

static double
now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec + (double)ts.tv_nsec * 1e-9);
}

/* 24 events: calls two deep. */
static unsigned
some_calls(unsigned salt)
{
	for (unsigned i = 0; i < 6; i++) {
		uint32_t outer = functions[(salt + i) % FUNCTIONS];
		uint32_t inner = functions[(salt + i * 3 + 1) % FUNCTIONS];

		probe_enter(NULL, outer);
		probe_enter(NULL, inner);
		probe_leave(NULL, inner);
		probe_leave(NULL, outer);
	}
	return (24);
}

/* 6 events: two critical sections of this thread's own locks. */
static unsigned
some_locks(struct worker *w, unsigned salt)
{
	for (unsigned i = 0; i < 2; i++) {
		unsigned l = (salt + i) % LOCKS;
		uint64_t id = lock_ids[w->number][l];

		probe_lock_wait(id, lock_name);
		probe_lock_acquire(id, w->lock_turn[l], lock_name);
		probe_lock_release(id, ++w->lock_turn[l], lock_name);
	}
	return (6);
}

/* At most 6 events: three messages to the neighbour, up to three from one. */
static unsigned
some_messages(struct worker *w, unsigned salt)
{
	struct box *out = &workers[(w->number + 1) % nthreads].in;
	uint64_t head = atomic_load(&out->head), tail;
	unsigned n = 0;

	for (unsigned i = 0; i < 3; i++) {
		uint64_t id = probe_message_id();

		if (head - atomic_load(&out->tail) >= BOX_SLOTS)
			break;
		probe_send(id, 64 + (salt & 0xff) * 8, 1);
		out->id[head % BOX_SLOTS] = id;
		atomic_store(&out->head, ++head);
		n++;
	}
	tail = atomic_load(&w->in.tail);
	for (unsigned i = 0; i < 3 && tail < atomic_load(&w->in.head); i++) {
		probe_receive(w->in.id[tail % BOX_SLOTS],
		    64 + (salt & 0xff) * 8, 1);
		atomic_store(&w->in.tail, ++tail);
		n++;
	}
	return (n);
}

/* 4 events: a task from spawn to join. */
static unsigned
some_tasks(struct worker *w)
{
	uint64_t task = probe_id();

	probe_task_spawn(task, 0, task_name);
	probe_task_begin(task, w->number, task_name);
	probe_task_end(task);
	probe_task_join(task);
	return (4);
}

/* So many events that a log of them is as long as can be. */
static unsigned
some_noise(uint64_t *random, uint32_t name)
{
	for (unsigned i = 0; i < ROUND_EVENTS; i++)
		probe_note(name, (int64_t)xorshift(random));
	return (ROUND_EVENTS);
}

/*
 * Sleeps until so many events are due as were told.  Who is a second behind, as
 * after it was stopped, does not tell them all at once: they are left out.
 */
static void
keep_pace(const struct worker *w, double mine, double *start)
{
	double ahead;

	while ((ahead = (double)w->published / mine - (now_s() - *start)) >
		   0.0005 &&
	       !atomic_load_explicit(&stop, memory_order_relaxed))
		usleep(ahead < 0.1 ? (useconds_t)(ahead * 1e6) : 100000);
	if (ahead < -1)
		*start -= ahead;
}

static void *
work(void *arg)
{
	struct worker *w = arg;
	double start, mine = rate / nthreads;
	unsigned salt = w->number;
	uint64_t random = 0x9e3779b97f4a7c15u + w->number;

	probe_thread_begin(w->creation, PROBE_NAME("worker"));
	w->published = 1;
	start = now_s();
	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		for (unsigned i = 0; i < 8; i++, salt++) {
			if (noise) {
				w->published += some_noise(&random, task_name);
				continue;
			}
			w->published += some_calls(salt);
			w->published += some_locks(w, salt);
			w->published += some_messages(w, salt);
			w->published += some_tasks(w);
		}
		if (events_max != 0 && w->published >= events_max / nthreads)
			break;
		if (mine == 0)
			continue;
		keep_pace(w, mine, &start);
	}
	return (NULL);
}

static int
usage(int code)
{
	fprintf(code == 0 ? stdout : stderr,
	    "usage: load [--threads N] [--rate EVENTS_PER_S] [--seconds S] "
	    "[--events N] [--wait] [--noise]\n");
	return (code);
}

static int
options(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "threads", 1, NULL, 't' },
		{ "rate", 1, NULL, 'r' },
		{ "seconds", 1, NULL, 's' },
		{ "events", 1, NULL, 'n' },
		{ "wait", 0, NULL, 'w' },
		{ "noise", 0, NULL, 'z' },
		{ "help", 0, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (c) {
		case 't':
			nthreads = (unsigned)atoi(optarg);
			break;
		case 'r':
			rate = atof(optarg);
			break;
		case 's':
			seconds = atof(optarg);
			break;
		case 'n':
			events_max = strtoull(optarg, NULL, 10);
			break;
		case 'w':
			while (!probe_attached()) {
				probe_note(0, 0);
				usleep(1000);
			}
			break;
		case 'z':
			noise = true;
			break;
		case 'h':
			exit(usage(0));
		default:
			return (-1);
		}
	}
	return (nthreads >= 1 && nthreads <= THREADS_MAX ? 0 : -1);
}

int
main(int argc, char **argv)
{
	uint64_t published = 0;
	double start, took;
	char name[16];

	if (options(argc, argv) == -1)
		return (usage(64));
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		snprintf(name, sizeof(name), "function%u", i);
		functions[i] = probe_name(name);
	}
	lock_name = probe_name("lock");
	task_name = probe_name("task");
	workers = aligned_alloc(64, nthreads * sizeof(*workers));
	if (workers == NULL)
		return (71);
	memset(workers, 0, nthreads * sizeof(*workers));
	start = now_s();
	for (unsigned i = 0; i < nthreads; i++) {
		struct worker *w = &workers[i];

		w->number = i;
		for (unsigned l = 0; l < LOCKS; l++) {
			lock_ids[i][l] = probe_id();
			w->lock_turn[l] = 0;
		}
		w->creation = probe_thread_create(PROBE_NAME("worker"));
		published++;
		if (pthread_create(&w->thread, NULL, work, w) != 0)
			return (71);
	}
	while (events_max == 0 && now_s() - start < seconds)
		usleep(2000);
	if (events_max == 0)
		atomic_store(&stop, 1);
	for (unsigned i = 0; i < nthreads; i++) {
		pthread_join(workers[i].thread, NULL);
		published += workers[i].published;
	}
	took = now_s() - start;
	printf("published %llu seconds %.3f\n", (unsigned long long)published,
	    took);
	free(workers);
	return (0);
}
