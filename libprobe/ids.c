/*
 * Ids that are unique in the run, made without asking anybody.
 *
 * A thread takes blocks of 65,535 ids and counts through them.  An attached
 * process numbers its blocks, so that an id is
 *
 *	0	node (11 bits)	PO (20)	   block (16)	count from 1 (16)
 *
 * and no two are the same.  When that does not fit, or before there is a
 * collector, a block is a random number with the top bit set.  In a process
 * that is inert every id is one, since there is no lock to number blocks with.
 */
#include "internal.h"

#include <sys/auxv.h>

#include <stdatomic.h>
#include <string.h>

#include "first.h"

#define COUNT_BITS 16
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)

enum {
	IDS_ANY,
	IDS_MESSAGE,
	IDS
};

static __thread struct {
	uint64_t next[IDS];
	uint32_t serial; /* of the attachment whose blocks these are */
} self;
static uint32_t blocks; /* taken in all attachments; with the lock held */

/* *p + 1, safe from handlers of this thread; returns what was there. */
static inline uint64_t
count(uint64_t *p)
{
#if defined(__x86_64__) && !defined(PROBE_PLAIN_ATOMICS)
	uint64_t v = 1;

	__asm__ __volatile__("xaddq %0, %1" : "+r"(v), "+m"(*p) : : "memory");
	return (v);
#else
	return (__atomic_fetch_add(p, 1, __ATOMIC_RELAXED));
#endif
}

/* splitmix64 */
static uint64_t
mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (x ^ (x >> 31));
}

/*
 * A random number with the top bit set.  A child goes on with its parent's
 * seed and count, but not in the same nanosecond.
 */
static uint64_t
random_id(void)
{
	static _Atomic uint64_t made;
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel says so */
	const void *random = (const void *)getauxval(AT_RANDOM);
	uint64_t seed = 0;

	if (random != NULL)
		memcpy(&seed, random, sizeof(seed));
	seed ^= mix(probe_clock()) ^ mix(~atomic_fetch_add(&made, 1));
	return (UINT64_C(1) << 63 | mix(seed));
}

/* For one counter, or for both when the attachment is another. */
static void
new_blocks(int which)
{
	struct hold h;
	uint32_t serial;

	hold(&h);
	serial = process_serial();
	for (int i = 0; i < IDS; i++) {
		uint64_t node = attachment.node, po = attachment.po, base;

		if (serial == self.serial && i != which)
			continue;
		if (serial != 0 && node < 1u << 11 && po < 1u << 20 &&
		    blocks < 1u << 16)
			base = node << 52 | po << 32 |
			       (uint64_t)blocks++ << COUNT_BITS;
		else
			base = random_id() & ~COUNT_MASK;
		self.next[i] = base | 1;
	}
	self.serial = serial;
	let_go(&h);
}

void
ids_forked(void)
{
	memset(&self, 0, sizeof(self));
}

static uint64_t
take(int which)
{
	uint64_t id;

	if (held_here || !process_start())
		return (random_id());
	if (process_is_child())
		process_look();
	for (;;) {
		if (self.serial == process_serial()) {
			id = count(&self.next[which]);
			if ((id & COUNT_MASK) != 0)
				return (id);
		}
		new_blocks(which);
	}
}

uint64_t
probe_id(void)
{
	if (is_second())
		return (probe_first.id());
	return (take(IDS_ANY));
}

uint64_t
probe_message_id(void)
{
	if (is_second())
		return (probe_first.message_id());
	return (take(IDS_MESSAGE));
}
