/*
 * Functions that are left in other ways than by a return; the only argument
 * says which.  Made with -finstrument-functions by tests/system/functions.sh,
 * which knows what must come out of it.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static jmp_buf back;
static volatile int sink;

static NOINLINE void
far_away(int n)
{
	char room[400];

	memset(room, n, sizeof(room));
	sink += room[n % 400];
	if (n == 0)
		longjmp(back, 1);
	far_away(n - 1);
	sink++;
}

static NOINLINE void
after(void)
{
	char room[2000];

	memset(room, sink, sizeof(room));
	sink += room[7];
}

/* 100 times: 5 of far_away are left at once, then after is called. */
static NOINLINE void
jumps(void)
{
	for (volatile int i = 0; i < 100; i++) {
		if (setjmp(back) == 0)
			far_away(4);
		after();
	}
}

/* The compiler puts some of these into each other. */
static int
fib(int n)
{
	return (n < 2 ? n : fib(n - 1) + fib(n - 2));
}

static NOINLINE void
ends(void)
{
	exit(3);
}

static NOINLINE void
deep(int n)
{
	if (n > 0)
		deep(n - 1);
	sink++;
}

static void
handler(int sig)
{
	(void)sig;
	ends();
}

/* What these two do last is to tell that they are left, by a jump. */
static NOINLINE void
small(void)
{
	sink++;
}

static NOINLINE void
large(int n)
{
	after();
	if (n > 0)
		large(n - 1);
	after();
	small();
}

/* And so nothing is called within small(), and all after it as deep as before.
 */
static NOINLINE void
voids(void)
{
	for (volatile int i = 0; i < 10; i++) {
		small();
		large(2);
	}
	small();
}

static NOINLINE void *
thread(void *arg)
{
	deep(3);
	if (arg != NULL)
		pthread_exit(NULL);
	return (NULL);
}

static NOINLINE void
threads(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, i % 2 ? back : NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static NOINLINE void
alternate(void)
{
	static char stack[65536];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	sigaltstack(&other, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
}

int
main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	if (strcmp(way, "jumps") == 0)
		jumps();
	else if (strcmp(way, "voids") == 0)
		voids();
	else if (strcmp(way, "fib") == 0)
		printf("%d\n", fib(15));
	else if (strcmp(way, "exit") == 0)
		ends();
	else if (strcmp(way, "threads") == 0)
		threads();
	else if (strcmp(way, "deep") == 0)
		deep(6000);
	else if (strcmp(way, "handler") == 0)
		alternate();
	return (0);
}
