/*
 * A dating service: the first girl is given the number of the first boy, and he
 * hers; who comes first waits.  A monitor with two conditions, in a program
 * that knows nothing of Orrery.
 *
 *	datingservice
 *
 * With the compiler switch of calltree.c girl and boy are called three times
 * each, and date six times; six threads, three pairs.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "arguments.h"

#define PAIRS 3

enum who {
	GIRLS,
	BOYS
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t came[2];
	int came_n[2], numbers[2][PAIRS];
} service = { .lock = PTHREAD_MUTEX_INITIALIZER,
	.came = { PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER } };

/* What each was given, by the number that it has itself. */
static int given[2][PAIRS];

static int
date(enum who who, int number)
{
	int at, partner;

	pthread_mutex_lock(&service.lock);
	at = service.came_n[who]++;
	service.numbers[who][at] = number;
	pthread_cond_broadcast(&service.came[who]);
	while (service.came_n[!who] <= at)
		pthread_cond_wait(&service.came[!who], &service.lock);
	partner = service.numbers[!who][at];
	pthread_mutex_unlock(&service.lock);
	return (partner);
}

static void *
girl(void *arg)
{
	int number = (int)((int *)arg - given[GIRLS]);

	given[GIRLS][number] = date(GIRLS, number);
	return (NULL);
}

static void *
boy(void *arg)
{
	int number = (int)((int *)arg - given[BOYS]);

	nanosleep(&(struct timespec){ .tv_nsec = 1000000L * number }, NULL);
	given[BOYS][number] = date(BOYS, number);
	return (NULL);
}

int
main(void)
{
	pthread_t threads[2][PAIRS];
	int pairs = 0;

	for (int i = 0; i < PAIRS; i++)
		if (pthread_create(&threads[GIRLS][i], NULL, girl,
			&given[GIRLS][i]) != 0 ||
		    pthread_create(&threads[BOYS][i], NULL, boy,
			&given[BOYS][i]) != 0)
			errx(EX_OSERR, "no thread");
	for (int i = 0; i < PAIRS; i++) {
		pthread_join(threads[GIRLS][i], NULL);
		pthread_join(threads[BOYS][i], NULL);
	}
	for (int i = 0; i < PAIRS; i++)
		pairs += given[BOYS][given[GIRLS][i]] == i;
	printf("pairs %d\n", pairs);
	return (0);
}
