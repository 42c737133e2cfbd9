/*
 * A program that knows nothing of Orrery: threads that wait for each other in
 * every way that the C library has.  It counts what it did and prints that;
 * tests/system/auto.sh runs it with libprobe-auto.so and without.
 *
 *	waits [rounds]
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4

static unsigned rounds = 200;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t inheriting;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinlock;
static mtx_t c11;
static pthread_barrier_t barrier;
static unsigned long counts[6];

static void
stay(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
}

/* Every kind of lock, held for a while, so that others have to wait. */
static void *
lock_all(void *arg)
{
	(void)arg;
	pthread_setname_np(pthread_self(), "locks");
	for (unsigned i = 0; i < rounds; i++) {
		pthread_mutex_lock(&mutex);
		counts[0]++;
		stay();
		pthread_mutex_unlock(&mutex);
		pthread_mutex_lock(&recursive);
		pthread_mutex_lock(&recursive);
		counts[1]++;
		pthread_mutex_unlock(&recursive);
		stay();
		pthread_mutex_unlock(&recursive);
		pthread_mutex_lock(&inheriting);
		counts[2]++;
		stay();
		pthread_mutex_unlock(&inheriting);
		pthread_rwlock_wrlock(&rwlock);
		counts[3]++;
		stay();
		pthread_rwlock_unlock(&rwlock);
		pthread_rwlock_rdlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
		pthread_spin_lock(&spinlock);
		counts[4]++;
		pthread_spin_unlock(&spinlock);
		mtx_lock(&c11);
		counts[5]++;
		stay();
		mtx_unlock(&c11);
		pthread_barrier_wait(&barrier);
	}
	return (NULL);
}

/* A queue of one place, and as much again by semaphores. */
static struct {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	unsigned value, sum;
	sem_t full, empty;
	unsigned there, taken;
} queue = { .mutex = PTHREAD_MUTEX_INITIALIZER,
	.changed = PTHREAD_COND_INITIALIZER };

static void *
consume(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < rounds; i++) {
		pthread_mutex_lock(&queue.mutex);
		while (queue.value == 0)
			pthread_cond_wait(&queue.changed, &queue.mutex);
		queue.sum += queue.value;
		queue.value = 0;
		pthread_cond_broadcast(&queue.changed);
		pthread_mutex_unlock(&queue.mutex);
		sem_wait(&queue.full);
		queue.taken += queue.there;
		sem_post(&queue.empty);
	}
	return ((void *)(uintptr_t)queue.sum);
}

static void
produce(void)
{
	for (unsigned i = 1; i <= rounds; i++) {
		pthread_mutex_lock(&queue.mutex);
		while (queue.value != 0)
			pthread_cond_wait(&queue.changed, &queue.mutex);
		queue.value = i;
		pthread_cond_signal(&queue.changed);
		pthread_mutex_unlock(&queue.mutex);
		sem_wait(&queue.empty);
		queue.there = i;
		sem_post(&queue.full);
	}
}

/* What ends without that which was waited for. */
static void
in_vain(void)
{
	struct timespec until;
	pthread_cond_t never = PTHREAD_COND_INITIALIZER;
	int e[5];

	clock_gettime(CLOCK_REALTIME, &until);
	e[0] = pthread_mutex_timedlock(&mutex, &until);
	pthread_mutex_lock(&checked);
	e[1] = pthread_mutex_lock(&checked);
	e[2] = pthread_cond_timedwait(&never, &checked, &until);
	e[3] = pthread_mutex_unlock(&checked);
	e[4] = sem_timedwait(&queue.full, &until) == -1 ? errno : 0;
	printf("in vain: %d %d %d %d %d\n", e[0], e[1], e[2], e[3], e[4]);
}

static void *
wait_for_ever(void *arg)
{
	sem_wait(arg);
	return (NULL);
}

static void *
leave(void *arg)
{
	pthread_exit(arg);
}

static int
c11_thread(void *arg)
{
	return (*(int *)arg);
}

/* Threads that end in other ways than by returning. */
static void
ends(void)
{
	pthread_t t;
	thrd_t c;
	sem_t never;
	void *r;
	int n = 7, got;

	sem_init(&never, 0, 0);
	pthread_create(&t, NULL, wait_for_ever, &never);
	usleep(2000);
	pthread_cancel(t);
	pthread_join(t, &r);
	printf("cancelled: %d\n", r == PTHREAD_CANCELED);
	pthread_create(&t, NULL, leave, &n);
	pthread_join(t, &r);
	printf("left with: %d\n", *(int *)r);
	thrd_create(&c, c11_thread, &n);
	thrd_join(c, &got);
	printf("C11 thread: %d\n", got);
}

int
main(int argc, char **argv)
{
	pthread_mutexattr_t attr;
	pthread_t t[THREADS], consumer;
	void *sum;

	if (argc > 1)
		rounds = (unsigned)strtoul(argv[1], NULL, 10);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&inheriting, &attr);
	pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
	mtx_init(&c11, mtx_plain);
	pthread_barrier_init(&barrier, NULL, THREADS);
	sem_init(&queue.full, 0, 0);
	sem_init(&queue.empty, 0, 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, lock_all, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 6; i++)
		printf("%lu\n", counts[i]);
	pthread_create(&consumer, NULL, consume, NULL);
	produce();
	pthread_join(consumer, &sum);
	printf("%lu %u\n", (unsigned long)(uintptr_t)sum, queue.taken);
	pthread_mutex_lock(&mutex);
	in_vain();
	pthread_mutex_unlock(&mutex);
	ends();
	return (0);
}
