/*
 * A word is looked for in a text by several threads, in three ways, one better
 * than the other, in a program that knows nothing of Orrery.
 *
 *	textsearch [version]
 *
 *	1  the master hands a piece to a slave and waits for it: nearly all
 *	   of the time it only waits, and no two slaves work at once
 *	2  each slave has a share of its own, the last one of as much as the
 *	   others together: they wait for it
 *	3  each takes the next piece when it is done with one
 *
 * The word is there 676 times.  With the compiler switch of calltree.c search
 * is called 40 times, or four times (version 2).
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"

#define SLAVES 4
#define PIECES 40
#define BYTES  (PIECES * 6760)

static const char word[] = { 'o', 'r', 'r', 'e', 'r', 'y' };
static char text[BYTES + sizeof(word)];
static atomic_int next, found;
static int version = 3;

/* How often the word begins here. */
static void
search(int from, int to)
{
	int n = 0;

	for (int i = from; i < to; i++)
		n += memcmp(text + i, word, sizeof(word)) == 0;
	atomic_fetch_add(&found, n);
}

static void
piece(int i)
{
	search(i * (BYTES / PIECES), (i + 1) * (BYTES / PIECES));
}

static void *
slave(void *arg)
{
	int i = (int)((char *)arg - text);

	if (version == 1)
		piece(i);
	else if (version == 2)
		search(BYTES / 6 * i,
		    i == SLAVES - 1 ? BYTES : BYTES / 6 * (i + 1));
	else
		while ((i = atomic_fetch_add(&next, 1)) < PIECES)
			piece(i);
	return (NULL);
}

static pthread_t
start(int i)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, slave, text + i) != 0)
		errx(EX_OSERR, "no thread");
	return (thread);
}

/* 400 letters apart, the word, which no piece cuts. */
static void
write_text(void)
{
	for (int i = 0; i < BYTES; i++)
		text[i] = (char)('a' + i % 26);
	for (int i = 0; i + 400 <= BYTES; i += 400)
		memcpy(text + i, word, sizeof(word));
}

int
main(int argc, char **argv)
{
	pthread_t threads[SLAVES];

	if (argc > 1)
		version = (int)number_arg("version", argv[1], 1, 3);
	write_text();
	for (int i = 0; version == 1 && i < PIECES; i++)
		pthread_join(start(i), NULL);
	for (int i = 0; version != 1 && i < SLAVES; i++)
		threads[i] = start(i);
	for (int i = 0; version != 1 && i < SLAVES; i++)
		pthread_join(threads[i], NULL);
	printf("version %d: found %d\n", version, found);
	return (0);
}
