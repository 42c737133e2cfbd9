/* Threads: small, short, many, cancelled. */
#include "harm.h"

#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void *
short_life(void *arg)
{
	work(1);
	return (arg);
}

static int
many(void)
{
	pthread_t t[20];
	int joined = 0;

	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 20; i++)
			pthread_create(&t[i], NULL, short_life, NULL);
		for (int i = 0; i < 20; i++)
			joined += pthread_join(t[i], NULL) == 0;
	}
	say("joined %d", joined);
	say_facts();
	return (0);
}

/* As little on the stack as can be: the events and names of the thread. */
static void *
little_life(void *arg)
{
	static const char *const text[] = { "small", "smaller" };

	probe_note(1, 1);
	probe_send(probe_id(), 1, probe_name(text[arg != NULL]));
	return (arg);
}

static int
small_stacks(void)
{
	pthread_attr_t attr;
	pthread_t t;
	void *out;
	int good = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN);
	for (int i = 0; i < 20; i++) {
		if (pthread_create(&t, &attr, little_life, &good) != 0)
			continue;
		pthread_join(t, &out);
		good += out == &good;
	}
	say("good %d", good);
	say_facts();
	return (0);
}

static void *
for_ever(void *asynchronously)
{
	int before;

	if (asynchronously != NULL)
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
	for (volatile unsigned i = 0;; i++) {
		probe_note(1, i);
		if (asynchronously == NULL) {
			work(1);
			pthread_testcancel();
		}
	}
	return (NULL);
}

static int
cancelled(void *how)
{
	pthread_t t[4];
	void *out;
	int n = 0;

	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, for_ever, how);
		nanosleep(&(struct timespec){ .tv_nsec = 300000 }, NULL);
		for (int i = 0; i < 4; i++)
			pthread_cancel(t[i]);
		for (int i = 0; i < 4; i++) {
			pthread_join(t[i], &out);
			n += out == PTHREAD_CANCELED;
		}
	}
	say("cancelled %d", n);
	work(5);
	say_facts();
	return (0);
}

static int
cancelled_at_points(void)
{
	return (cancelled(NULL));
}

static int
cancelled_anywhere(void)
{
	static int anywhere;

	return (cancelled(&anywhere));
}

/* No call of ours is a place at which a thread ends. */
static void *
never_at_ours(void *arg)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_cancel(pthread_self());
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
	for (int i = 0; i < 50; i++) {
		char text[32];

		snprintf(text, sizeof(text), "point %d", i);
		probe_note(probe_name(text), (int64_t)probe_id());
	}
	*(int *)arg = 1;
	pthread_testcancel();
	return (NULL);
}

static int
not_a_point(void)
{
	pthread_t t;
	void *out;
	int passed = 0;

	pthread_create(&t, NULL, never_at_ours, &passed);
	pthread_join(t, &out);
	say("passed %d, cancelled %d", passed, out == PTHREAD_CANCELED);
	return (0);
}

static pthread_key_t key;

static void
last_words(void *round)
{
	probe_note(1, 1);
	if ((uintptr_t)round < 3)
		pthread_setspecific(key, (char *)round + 1);
	else
		say("the last round");
}

static void *
with_a_key(void *arg)
{
	pthread_setspecific(key, arg);
	probe_note(1, 1);
	return (NULL);
}

static int
destructors(void)
{
	pthread_t t;
	static char *const one = (char *)1;

	pthread_key_create(&key, last_words);
	for (int i = 0; i < 5; i++) {
		pthread_create(&t, NULL, with_a_key, one);
		pthread_join(t, NULL);
	}
	say_facts();
	return (0);
}

static int
keys(void)
{
	pthread_key_t k;
	int n = 0;

	work(1);
	while (n < 1000 && pthread_key_create(&k, NULL) == 0)
		n++;
	say("keys %d", n);
	return (0);
}

static void *
outlives_main(void *arg)
{
	nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	work(5);
	say("the last");
	return (arg);
}

static int
main_ends_first(void)
{
	pthread_t t;

	work(2);
	pthread_create(&t, NULL, outlives_main, NULL);
	pthread_detach(t);
	pthread_exit(NULL);
}

static void *
works_on(void *arg)
{
	for (;;)
		work(1);
	return (arg);
}

static int
exit_amid_threads(void)
{
	pthread_t t;

	for (int i = 0; i < 4; i++)
		pthread_create(&t, NULL, works_on, NULL);
	work(20);
	return (3);
}

const struct situation harm_threads[] = {
	{ "four hundred threads", many, NULL, 0 },
	{ "the smallest stacks", small_stacks, NULL, NOT_WATCHED },
	{ "threads cancelled", cancelled_at_points, NULL, NOT_WATCHED },
	{ "threads cancelled anywhere", cancelled_anywhere, NULL, NOT_WATCHED },
	{ "no point of cancellation", not_a_point, NULL, NOT_WATCHED },
	{ "destructors of threads", destructors, NULL, 0 },
	{ "a thousand keys", keys, NULL, 0 },
	{ "main ends first", main_ends_first, NULL, 0 },
	{ "exit while threads work", exit_amid_threads, NULL, 0 },
	{ NULL, NULL, NULL, 0 },
};
