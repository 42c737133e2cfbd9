/*
 * A bathroom that women and men use, but not at the same time: a monitor with a
 * condition, in a program that knows nothing of Orrery.
 *
 *	bathroom
 *
 * Five users come five times each.  With the compiler switch of calltree.c
 * enter, wash and leave are called 25 times, by five threads.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "arguments.h"

#define USERS  5
#define VISITS 5

enum who {
	WOMEN,
	MEN
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t empty;
	int in[2], visits, mixed;
} room = { .lock = PTHREAD_MUTEX_INITIALIZER,
	.empty = PTHREAD_COND_INITIALIZER };

static void
enter(enum who who)
{
	pthread_mutex_lock(&room.lock);
	while (room.in[!who] > 0)
		pthread_cond_wait(&room.empty, &room.lock);
	room.in[who]++;
	room.visits++;
	if (room.in[!who] > 0)
		room.mixed++;
	pthread_mutex_unlock(&room.lock);
}

static void
wash(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static void
leave(enum who who)
{
	pthread_mutex_lock(&room.lock);
	if (--room.in[who] == 0)
		pthread_cond_broadcast(&room.empty);
	pthread_mutex_unlock(&room.lock);
}

static void *
user(void *arg)
{
	enum who who = arg == NULL ? WOMEN : MEN;

	for (int i = 0; i < VISITS; i++) {
		enter(who);
		wash();
		leave(who);
	}
	return (NULL);
}

int
main(void)
{
	pthread_t threads[USERS];

	for (int i = 0; i < USERS; i++)
		if (pthread_create(&threads[i], NULL, user,
			i % 2 == 0 ? NULL : &room) != 0)
			errx(EX_OSERR, "no thread");
	for (int i = 0; i < USERS; i++)
		pthread_join(threads[i], NULL);
	printf("visits %d, mixed %d\n", room.visits, room.mixed);
	return (0);
}
