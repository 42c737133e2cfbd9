/*
 * One table: what it is called, and how often it was seen.
 */
#include "tests/outside/wrong.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define SHOWN 5 /* of each */

static struct {
	const char *what;
	uint64_t n;
} wrongs[WRONGS] = {
	[WRONG_ORDER] = { "out of order", 0 },
	[WRONG_SEQUENCE] = { "out of sequence", 0 },
	[WRONG_TIME] = { "before the event before it on its thread", 0 },
	[WRONG_NODE_TIME] = { "node time falls on a thread", 0 },
	[WRONG_EARLY] = { "node time before a reading made before", 0 },
	[WRONG_LATER] = { "node time after a reading made after", 0 },
	[WRONG_BEFORE_CAUSE] = { "effects before their causes", 0 },
	[WRONG_WITHOUT_CAUSE] = { "effects without a cause", 0 },
	[WRONG_ORPHAN] = { "orphans whose cause is in the log", 0 },
	[WRONG_NO_ORPHAN] = { "no orphans, without a cause", 0 },
	[WRONG_NOT_FOUND] = { "orphans' causes told wrongly", 0 },
	[WRONG_TWICE] = { "there twice", 0 },
	[WRONG_UNKNOWN] = { "done by nobody", 0 },
	[WRONG_COUNT] = { "counts", 0 },
	[WRONG_HASH] = { "contents", 0 },
};

void
wrong_row(enum wrong w, const struct row *r)
{
	if (wrongs[w].n++ < SHOWN)
		printf("%s: location %" PRIu64 " event %" PRIu64
		       ": %s a=%#" PRIx64 " b=%#" PRIx64 " flags %" PRIu64
		       " at %" PRId64 "\n",
		    wrongs[w].what, r->location, r->seq, r->kind, r->a, r->b,
		    r->flags, r->t_mon_ns);
}

void
wrong_say(enum wrong w, const char *fmt, ...)
{
	va_list ap;

	if (wrongs[w].n++ >= SHOWN)
		return;
	printf("%s: ", wrongs[w].what);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

uint64_t
wrong_count(enum wrong w)
{
	return (wrongs[w].n);
}

void
wrong_forget(void)
{
	for (int w = 0; w < WRONGS; w++)
		wrongs[w].n = 0;
}

uint64_t
wrong_sum(void)
{
	uint64_t n = 0;

	for (int w = 0; w < WRONGS; w++) {
		n += wrongs[w].n;
		if (wrongs[w].n > 0 || w == WRONG_BEFORE_CAUSE ||
		    w == WRONG_WITHOUT_CAUSE || w == WRONG_ORPHAN)
			printf("%" PRIu64 " %s\n", wrongs[w].n, wrongs[w].what);
	}
	return (n);
}
