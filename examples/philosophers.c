/*
 * Five philosophers, who think and eat with the forks of both sides, and know
 * nothing of Orrery.
 *
 *	philosophers [meals]
 *
 * Each eats three times, or so many: so with the compiler switch of calltree.c
 * think, take, eat and put are called 15 times, by five threads that have
 * names.  A fork is a mutex, which one holds at a time; the last philosopher
 * takes the right one first, or all could starve.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "arguments.h"

#define SEATS 5

static pthread_mutex_t forks[SEATS];
static int meals = 3, eaten[SEATS];

static void
pause_ns(long ns)
{
	nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

static void
think(int seat)
{
	pause_ns(100000L * (seat + 1));
}

static void
take(int first, int second)
{
	pthread_mutex_lock(&forks[first]);
	pthread_mutex_lock(&forks[second]);
}

static void
eat(int seat)
{
	pause_ns(1000000);
	eaten[seat]++;
}

static void
put(int first, int second)
{
	pthread_mutex_unlock(&forks[second]);
	pthread_mutex_unlock(&forks[first]);
}

static void *
philosopher(void *arg)
{
	int seat = (int)((pthread_mutex_t *)arg - forks), next;
	char name[] = "philosopher 1";

	name[sizeof(name) - 2] += (char)seat;
	pthread_setname_np(pthread_self(), name);
	next = (seat + 1) % SEATS;
	for (int i = 0; i < meals; i++) {
		int first = seat < next ? seat : next;
		int second = seat < next ? next : seat;

		think(seat);
		take(first, second);
		eat(seat);
		put(first, second);
	}
	return (NULL);
}

int
main(int argc, char **argv)
{
	pthread_t threads[SEATS];
	int all = 0;

	if (argc > 1)
		meals = (int)number_arg("meals", argv[1], 1, 1000);
	for (int i = 0; i < SEATS; i++)
		pthread_mutex_init(&forks[i], NULL);
	for (int i = 0; i < SEATS; i++)
		if (pthread_create(&threads[i], NULL, philosopher, &forks[i]) !=
		    0)
			errx(EX_OSERR, "no thread");
	for (int i = 0; i < SEATS; i++) {
		pthread_join(threads[i], NULL);
		all += eaten[i];
	}
	printf("philosophers %d, meals %d\n", SEATS, all);
	return (0);
}
