/*
 * Blocks that nobody gives back: a program that knows nothing of Orrery.
 *
 *	leaks [blocks]
 *
 * Two threads ask for 100 blocks of 1,000 bytes, 60 and 40 of them.  The first
 * gives back all of its own but 4; the second all but 5, the last of them by
 * way of the first, and NULL as well.  So nine blocks, of 9,000 bytes, are left
 * when it ends, asked for at two places, and one was given back by another
 * thread than it was given to.
 *
 * With a number of blocks, 100 is that many.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES       1000
#define KEPT_FIRST  4
#define KEPT_SECOND 5

static long blocks = 100;
static void *handed; /* from the second to the first */

__attribute__((noinline)) static void *
fill(void *p)
{
	if (p == NULL)
		exit(1);
	return (memset(p, 'x', BYTES));
}

/* Asks for n and gives back all but some; returns the last of these. */
__attribute__((noinline)) static void *
careless(long n, long kept)
{
	/* NOLINTBEGIN(clang-analyzer-unix.Malloc): that is what it shows */
	void *p = NULL, *last = NULL;

	for (long i = 0; i < n; i++) {
		p = fill(malloc(BYTES));
		if (i < n - kept)
			free(p);
		else
			last = p;
	}
	return (last);
}

static void *
second(void *unused)
{
	(void)unused;
	/* one more, for the first */
	handed = careless(blocks - blocks * 6 / 10, KEPT_SECOND + 1);
	free(NULL);
	return (NULL);
}

int
main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 1)
		blocks = strtol(argv[1], NULL, 10);
	if (blocks < 20 || argc > 2) {
		fprintf(stderr, "usage: leaks [blocks, 20 at least]\n");
		return (64);
	}
	if (pthread_create(&thread, NULL, second, NULL) != 0)
		return (71);
	pthread_join(thread, NULL);
	free(handed);
	(void)careless(blocks * 6 / 10, KEPT_FIRST);
	printf("blocks %ld, left %d\n", blocks, KEPT_FIRST + KEPT_SECOND);
	return (0);
	/* NOLINTEND(clang-analyzer-unix.Malloc) */
}
