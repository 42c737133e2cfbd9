/*
 * What locks say.  Each kind of mutex that there is (type, robust or not,
 * protocol), each way of taking it: held by oneself, by another one, by one
 * who has died, given up in that state, and in the wait of a condition.  Locks
 * that readers share and semaphores: taken, and asked for with a time or a
 * clock that there is not.  What it prints is the same with and without
 * monitorctl run.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct kind {
	int type, robust, protocol;
};

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t has_it;

static struct timespec
soon(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += 2000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return (t);
}

/* Ways of taking it. */
static int
lock(void)
{
	return (pthread_mutex_lock(&m));
}

static int
timed(void)
{
	struct timespec t = soon(CLOCK_REALTIME);

	return (pthread_mutex_timedlock(&m, &t));
}

static int
clocked(void)
{
	struct timespec t = soon(CLOCK_MONOTONIC);

	return (pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &t));
}

static int (*const ways[])(void) = { lock, timed, clocked };
#define WAYS (sizeof(ways) / sizeof(ways[0]))

static void *
die_holding(void *unused)
{
	(void)unused;
	lock();
	return (NULL);
}

static void *
die_later(void *unused)
{
	lock();
	sem_post(&has_it);
	usleep(5000);
	return (unused);
}

/* Takes it in a way, gives it up. */
static void *
try_it(void *way)
{
	int (*const take)(void) = ways[*(unsigned *)way];
	int error = take();

	printf(" %d", error);
	if (error == 0 || error == EOWNERDEAD)
		printf("/%d", pthread_mutex_unlock(&m));
	return (NULL);
}

static void
in_thread(void *(*run)(void *), void *p)
{
	pthread_t t;

	if (pthread_create(&t, NULL, run, p) != 0)
		exit(1);
	pthread_join(t, NULL);
}

static int
make(const struct kind *k)
{
	pthread_mutexattr_t a;
	int error;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, k->type);
	pthread_mutexattr_setrobust(&a, k->robust);
	pthread_mutexattr_setprotocol(&a, k->protocol);
	error = pthread_mutex_init(&m, &a);
	pthread_mutexattr_destroy(&a);
	return (error);
}

/* Held by this thread: by itself again, and by others, in each way. */
static void
held(const struct kind *k, int (*take)(void))
{
	int error = take();

	printf(" %d", error);
	if (error != 0)
		return;
	printf(" again %d", pthread_mutex_trylock(&m));
	if (k->type == PTHREAD_MUTEX_RECURSIVE ||
	    k->type == PTHREAD_MUTEX_ERRORCHECK)
		printf("+%d", take());
	for (unsigned i = 1; i < WAYS; i++)
		in_thread(try_it, &i);
	for (int i = 0; i < 4; i++)
		printf(" -%d", i > 0 && k->type != PTHREAD_MUTEX_RECURSIVE &&
				       k->type != PTHREAD_MUTEX_ERRORCHECK
				   ? 0
				   : pthread_mutex_unlock(&m));
}

/* Whoever has it dies: before it is wanted, or while it is waited for. */
static void
left(int (*take)(void), void *(*run)(void *), int mend)
{
	pthread_t t;
	int error;

	if (pthread_create(&t, NULL, run, NULL) != 0)
		exit(1);
	if (run == die_holding)
		pthread_join(t, NULL);
	else
		sem_wait(&has_it);
	error = take();
	printf(" %d",
	    run == die_later && error == ETIMEDOUT ? EOWNERDEAD : error);
	if (run == die_later)
		pthread_join(t, NULL);
	if (error == ETIMEDOUT && run == die_later)
		error = lock();
	if (error == EOWNERDEAD && mend)
		printf(" mended %d", pthread_mutex_consistent(&m));
	if (error == 0 || error == EOWNERDEAD)
		printf(" -%d", pthread_mutex_unlock(&m));
	printf(" then %d", take());
	printf(" -%d;", pthread_mutex_unlock(&m));
}

static void *
die_after_signal(void *unused)
{
	lock();
	pthread_cond_signal(&c);
	return (unused);
}

/* The mutex of a condition comes back from one who has died. */
static void
waits(int robust)
{
	struct timespec t;
	pthread_t thread;
	int error = lock();

	if (error != 0 || !robust) {
		printf(" %d", error);
		t = soon(CLOCK_REALTIME);
		if (error == 0) {
			printf(" %d", pthread_cond_timedwait(&c, &m, &t));
			printf(" -%d", pthread_mutex_unlock(&m));
		}
		return;
	}
	if (pthread_create(&thread, NULL, die_after_signal, NULL) != 0)
		exit(1);
	error = pthread_cond_wait(&c, &m);
	printf(" %d mended %d", error, pthread_mutex_consistent(&m));
	printf(" -%d", pthread_mutex_unlock(&m));
	pthread_join(thread, NULL);
}

static void
all_of(const struct kind *k)
{
	const int robust = k->robust == PTHREAD_MUTEX_ROBUST;

	printf("type %d%s protocol %d:", k->type, robust ? " robust" : "",
	    k->protocol);
	for (unsigned i = 0; i < WAYS && make(k) == 0; i++) {
		printf("\n\tway %u: free", i);
		held(k, ways[i]);
		for (int mend = 0; robust && mend < 2; mend++) {
			make(k);
			printf("\n\t\tleft");
			left(ways[i], die_holding, mend);
			make(k);
			printf(" leaves");
			left(ways[i], die_later, mend);
		}
		make(k);
		printf("\n\t\tcondition");
		waits(robust);
	}
	printf("\n");
}

/* One that is free, asked for in ways that are refused all the same. */
static void
refused(void)
{
	const struct timespec bad = { .tv_nsec = 2000000000 },
			      less = { .tv_nsec = -1 }, good = { .tv_sec = 1 };
	pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

	printf("read %d %d %d,", pthread_rwlock_timedrdlock(&l, &bad),
	    pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &less),
	    pthread_rwlock_clockrdlock(&l, 77, &good));
	printf(" write %d %d %d,", pthread_rwlock_timedwrlock(&l, &less),
	    pthread_rwlock_clockwrlock(&l, CLOCK_REALTIME, &bad),
	    pthread_rwlock_clockwrlock(&l, 77, &good));
	printf(" free %d", pthread_rwlock_timedwrlock(&l, &good));
	printf(" itself %d %d", pthread_rwlock_rdlock(&l),
	    pthread_rwlock_wrlock(&l));
	printf(" mutex %d %d\n",
	    pthread_mutex_clocklock(&(pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER,
		77, &good),
	    pthread_mutex_timedlock(&(pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER,
		&bad));
}

static void
semaphore(const char *name, int rc)
{
	printf(" %s %d %s", name, rc, rc == -1 ? strerror(errno) : "");
}

static void
semaphores(void)
{
	const struct timespec bad = { .tv_nsec = 2000000000 },
			      good = { .tv_sec = 1 };
	sem_t s;
	int left = 0;

	sem_init(&s, 0, 3);
	semaphore("time", sem_timedwait(&s, &bad));
	semaphore("clock", sem_clockwait(&s, 77, &good));
	semaphore("free", sem_clockwait(&s, CLOCK_MONOTONIC, &good));
	sem_wait(&s);
	sem_wait(&s);
	semaphore("past", sem_timedwait(&s, &good));
	sem_getvalue(&s, &left);
	printf(" left %d\n", left);
}

int
main(void)
{
	static const int types[] = { PTHREAD_MUTEX_NORMAL,
		PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
		PTHREAD_MUTEX_ADAPTIVE_NP };
	static const int protocols[] = { PTHREAD_PRIO_NONE,
		PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT };
	struct kind k;

	sem_init(&has_it, 0, 0);
	refused();
	semaphores();
	for (int i = 0; i < 24; i++) {
		k.type = types[i % 4];
		k.robust = i / 4 % 2 == 0 ? PTHREAD_MUTEX_STALLED
					  : PTHREAD_MUTEX_ROBUST;
		k.protocol = protocols[i / 8];
		all_of(&k);
	}
	return (0);
}
