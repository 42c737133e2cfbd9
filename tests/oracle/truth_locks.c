/*
 * Locks that are waited for, held in a call and beyond it, and taken twice by
 * their holder, or shared by readers; some that are given up while locks are not
 * told of, or never; a condition, a semaphore, a barrier and a collective.
 */
#include "tests/oracle/truth.h"

#include <pthread.h>
#include <semaphore.h>

#include "probe_mutex.h"

#define USERS 3

static struct probe_mutex bath;
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t gate;
static uint64_t condition, semaphore, barrier, all, turn, passed;
static sem_t go;
static int ready, waiting;

static void
use(int n)
{
	PROBE_SCOPE();
	probe_mutex_lock(&bath);
	truth_rest(100000 * (n + 1));
	probe_mutex_unlock(&bath);
	truth_spin(5000);
}

/* A lock that readers share, and a writer that waits for all of them. */
static uint64_t shelf;
static pthread_barrier_t in;
static int reads;

static void
read_shelf(void)
{
	int n = __atomic_fetch_add(&reads, 1, __ATOMIC_RELAXED);

	PROBE_SCOPE();
	truth_rest(50000 * n); /* each begins to read by itself */
	probe_lock_acquire(shelf, 0, PROBE_NAME("shelf"));
	pthread_barrier_wait(&in);
	truth_rest(200000 * (USERS - n));
	probe_lock_release(shelf, (uint64_t)n + 1, PROBE_NAME("shelf"));
	__atomic_fetch_sub(&reads, 1, __ATOMIC_RELEASE);
}

static void *
writer(void *arg)
{
	uint64_t *creation = arg;

	probe_thread_begin(*creation, PROBE_NAME("writer"));
	pthread_barrier_wait(&in);
	probe_lock_wait(shelf, PROBE_NAME("shelf"));
	while (__atomic_load_n(&reads, __ATOMIC_ACQUIRE) > 0)
		truth_rest(20000);
	probe_lock_acquire(shelf, USERS, PROBE_NAME("shelf"));
	truth_rest(100000);
	return (NULL);
}

static void *
user(void *arg)
{
	uint64_t *creation = arg;

	probe_thread_begin(*creation, PROBE_NAME("user"));
	for (int i = 0; i < 4; i++) {
		use(i);
		/* of a thread that ends long before the run */
		probe_counter(PROBE_NAME("used"), i * i + 1);
	}
	read_shelf();
	probe_barrier_enter(barrier, 1, USERS);
	pthread_barrier_wait(&gate);
	probe_barrier_leave(barrier, 1, USERS);
	probe_collective_enter(all, 1, USERS);
	pthread_barrier_wait(&gate);
	probe_collective_leave(all, 1, USERS);
	probe_mutex_lock(
	    &bath); /* and a call that ends before it is given up */
	probe_enter(NULL, PROBE_NAME("holds"));
	truth_spin(3000);
	probe_leave(NULL, PROBE_NAME("holds"));
	probe_mutex_unlock(&bath);
	return (NULL);
}

/* Each wait of the consumer is one: who wakes it waits until it does so. */
static void
await_consumer(int waits)
{
	while (__atomic_load_n(&waiting, __ATOMIC_ACQUIRE) < waits)
		truth_rest(20000);
	truth_rest(300000);
}

static void
pass_semaphore(void)
{
	probe_sem_wait(semaphore, PROBE_NAME("dishes"));
	__atomic_add_fetch(&waiting, 1, __ATOMIC_RELEASE);
	while (sem_wait(&go) == -1)
		continue;
	probe_sem_acquire(semaphore, ++passed, PROBE_NAME("dishes"));
}

/* Waits within a call, and outside of all work. */
static void
await_date(void)
{
	PROBE_SCOPE();
	pthread_mutex_lock(&plain);
	while (!ready) {
		probe_cond_wait(condition, PROBE_NAME("dates"));
		__atomic_add_fetch(&waiting, 1, __ATOMIC_RELEASE);
		pthread_cond_wait(&full, &plain);
		probe_cond_wake(condition, turn, PROBE_NAME("dates"));
	}
	pthread_mutex_unlock(&plain);
}

static void *
consumer(void *arg)
{
	uint64_t *creation = arg;

	probe_thread_begin(*creation, PROBE_NAME("consumer"));
	await_date();
	probe_thread_name("consumer that woke");
	pass_semaphore();
	probe_enter(NULL, PROBE_NAME("consumes"));
	pass_semaphore();
	truth_spin(5000);
	probe_state(PROBE_NAME("idle"));
	pass_semaphore();
	probe_leave(NULL, PROBE_NAME("consumes"));
	return (NULL);
}

static void
signal_consumer(void)
{
	PROBE_SCOPE();
	/* nobody waits for these any more, or ever */
	probe_cond_signal(probe_id(), 1, PROBE_NAME("fogs"));
	await_consumer(1);
	pthread_mutex_lock(&plain);
	ready = 1;
	probe_cond_signal(condition, ++turn, PROBE_NAME("dates"));
	pthread_cond_signal(&full);
	pthread_mutex_unlock(&plain);
	for (uint64_t post = 1; post <= 3; post++) {
		await_consumer(1 + (int)post);
		probe_cond_signal(condition, ++turn, PROBE_NAME("dates"));
		probe_sem_post(semaphore, post, PROBE_NAME("dishes"));
		sem_post(&go);
	}
}

/* Taken twice, given up twice: held from the first to the last. */
static void
twice(void)
{
	uint64_t lock = probe_id();

	PROBE_SCOPE();
	probe_lock_acquire(lock, 0, PROBE_NAME("twice"));
	truth_spin(4000);
	probe_lock_acquire(lock, 0, PROBE_NAME("twice"));
	truth_spin(4000);
	probe_lock_release(lock, 0, PROBE_NAME("twice"));
	truth_spin(4000);
	probe_lock_release(lock, 1, PROBE_NAME("twice"));
}

/* Given up while nothing is told of locks; or after that. */
static void
untold(void)
{
	uint64_t lock = probe_id(), other = probe_id();

	PROBE_SCOPE();
	probe_lock_acquire(lock, 0, PROBE_NAME("dark"));
	probe_lock_acquire(other, 0, PROBE_NAME("dusk"));
	truth_spin(4000);
	probe_mute_class(PROBE_CLASS_lock);
	truth_spin(4000);
	probe_lock_release(lock, 1, PROBE_NAME("dark"));
	probe_unmute_class(PROBE_CLASS_lock);
	truth_spin(4000);
	probe_lock_release(other, 1, PROBE_NAME("dusk"));
	probe_lock_acquire(lock, 1, PROBE_NAME("dark"));
	truth_spin(4000);
	probe_stop();
	truth_spin(4000);
	probe_lock_release(lock, 2, PROBE_NAME("dark"));
	probe_start();
	probe_lock_acquire(probe_id(), 0, PROBE_NAME("for good"));
}

void
locks_all(void)
{
	uint64_t creation[USERS + 2];
	pthread_t t[USERS + 2];

	PROBE_SCOPE();
	condition = probe_id();
	semaphore = probe_id();
	barrier = probe_id();
	all = probe_id();
	sem_init(&go, 0, 0);
	shelf = probe_id();
	pthread_barrier_init(&gate, NULL, USERS);
	pthread_barrier_init(&in, NULL, USERS + 1);
	probe_mutex_init(&bath, PROBE_NAME("bath"));
	for (unsigned i = 0; i <= USERS + 1; i++) {
		creation[i] = probe_thread_create(PROBE_NAME("user"));
		pthread_create(&t[i], NULL,
		    i == USERS + 1 ? writer
		    : i == USERS   ? consumer
				   : user,
		    &creation[i]);
	}
	signal_consumer();
	for (unsigned i = 0; i <= USERS + 1; i++) {
		probe_thread_wait(creation[i]);
		pthread_join(t[i], NULL);
		probe_thread_join(creation[i]);
	}
	/* for the writer, which has not given it up */
	probe_lock_release(shelf, USERS + 1, PROBE_NAME("shelf"));
	twice();
	untold();
	truth_told("use", 4 * USERS);
	truth_told("read_shelf", USERS);
	truth_told("holds", USERS);
	truth_told("consumes", 1);
}
