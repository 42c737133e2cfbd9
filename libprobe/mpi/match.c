/*
 * Ids of messages: of all with one sender, receiver, communicator and tag the
 * k-th has the same number at both ends.  The first of them is a hash with the
 * top bit set, as no id that libprobe gives has; the rest count up from there.
 */
#include "libprobe/mpi/inside.h"

#define COUNT_BITS 20

static struct table counts[2]; /* by side */
static uint32_t lock;

static uint64_t
key_of(const struct context *c, int from, int to, int tag)
{
	uint64_t who = (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
	uint64_t key = table_mix(
	    c->id ^ table_mix(who ^ table_mix((uint64_t)(uint32_t)tag)));

	return (key | (key == 0));
}

uint64_t
match_next(enum side side, const struct context *c, int from, int to, int tag)
{
	uint64_t key = key_of(c, from, to, tag);
	uint64_t *count, n = 0;

	table_hold(&lock);
	count = table_at(&counts[side], key);
	if (count != NULL)
		n = ++*count;
	table_let_go(&lock);
	if (n == 0)
		return (0); /* no memory: it pairs with nothing */
	return (UINT64_C(1) << 63 | ((key << COUNT_BITS) + n));
}

void
match_return(enum side side, const struct context *c, int from, int to, int tag)
{
	uint64_t *count;

	table_hold(&lock);
	count = table_find(&counts[side], key_of(c, from, to, tag));
	if (count != NULL && *count > 0)
		--*count;
	table_let_go(&lock);
}
