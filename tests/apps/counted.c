/*
 * Locks that nobody has to wait for, each a number of times that is known: in
 * the thread of main and in two others, one after the other, more locks than a
 * thread, and a process, can count one by one among them; a lock that is taken
 * again while it is held, of which the mutex of a condition is one; semaphores
 * and conditions; calls that do not get what they ask for.  Prints how often
 * each was taken, passed, posted and signalled.
 *
 * counted [ROUNDS [LOCKS]]: of each sort of many locks so many, at most
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define MANY 300
#define MOST 20000

static long rounds = 1000, locks = MOST;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, many[MANY];
static pthread_mutex_t most[MOST]; /* each once */
static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static mtx_t c11;
static sem_t semaphore;
static unsigned long taken, passed, posted, signalled;

/* Both at once. */
#define TAKE(what, call)                                                       \
	do {                                                                   \
		if ((call) != 0) {                                             \
			perror(what);                                          \
			exit(1);                                               \
		}                                                              \
		taken++;                                                       \
	} while (0)

static void
each(long i)
{
	struct timespec now = { 0, 0 };

	TAKE("lock", pthread_mutex_lock(&mutex));
	if (pthread_mutex_trylock(&mutex) != EBUSY)
		abort();
	/* its time is over: the mutex is given up and taken again */
	if (i % 100 == 0) {
		if (pthread_cond_timedwait(&condition, &mutex, &now) !=
		    ETIMEDOUT)
			abort();
		taken++;
	}
	pthread_mutex_unlock(&mutex);
	TAKE("try",
	    pthread_mutex_trylock(&many[i % (locks < MANY ? locks : MANY)]));
	pthread_mutex_unlock(&many[i % (locks < MANY ? locks : MANY)]);
	TAKE("once", pthread_mutex_lock(&again));
	TAKE("again", pthread_mutex_lock(&again));
	pthread_mutex_unlock(&again);
	pthread_mutex_unlock(&again);
	TAKE("C11", mtx_lock(&c11));
	mtx_unlock(&c11);
	TAKE("read", pthread_rwlock_rdlock(&rwlock));
	TAKE("read again", pthread_rwlock_tryrdlock(&rwlock));
	pthread_rwlock_unlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	TAKE("write", pthread_rwlock_wrlock(&rwlock));
	pthread_rwlock_unlock(&rwlock);
	TAKE("spin", pthread_spin_lock(&spin));
	pthread_spin_unlock(&spin);
	sem_post(&semaphore);
	posted++;
	if (i % 2 == 0) {
		sem_wait(&semaphore);
		sem_post(&semaphore);
		posted++;
		passed++;
	}
	if (sem_trywait(&semaphore) != 0)
		abort();
	passed++;
	if (sem_trywait(&semaphore) == 0)
		abort();
	pthread_cond_signal(&condition);
	pthread_cond_broadcast(&condition);
	signalled += 2;
}

static void *
work(void *n)
{
	for (long i = 0; i < rounds * (long)n; i++)
		each(i);
	return (NULL);
}

int
main(int argc, char *argv[])
{
	pthread_t t;
	int status;
	pid_t child;

	if (argc > 1)
		rounds = atol(argv[1]);
	if (argc > 2)
		locks = atol(argv[2]);
	for (int i = 0; i < MANY; i++)
		pthread_mutex_init(&many[i], NULL);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	sem_init(&semaphore, 0, 0);
	mtx_init(&c11, mtx_plain);
	for (long n = 1; n <= 2; n++) {
		if (pthread_create(&t, NULL, work, (void *)n) != 0)
			return (1);
		pthread_join(t, NULL);
	}
	work((void *)1);
	for (int i = 0; i < MOST && i < locks; i++) {
		pthread_mutex_init(&most[i], NULL);
		TAKE("most", pthread_mutex_lock(&most[i]));
		pthread_mutex_unlock(&most[i]);
	}
	/* a child begins at nothing; what it does is its own */
	if ((child = fork()) == 0) {
		pthread_mutex_lock(&mutex);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status != 0)
		return (1);
	printf("taken %lu passed %lu posted %lu signalled %lu\n", taken, passed,
	    posted, signalled);
	return (0);
}
