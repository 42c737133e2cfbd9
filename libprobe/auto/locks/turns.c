/*
 * See turns.h.  An address has at most 47 bits, and what is there begins at a
 * multiple of 4: 45 bits are hashed one to one, 13 of them choose the line and
 * the other 32 stand in it, with the number.
 */
#include "libprobe/auto/locks/turns.h"

#include "libprobe/auto/descriptors/attach.h"
#include "libprobe/auto/wrap/auto.h"
#include "libprobe/meet/bulk.h"

#define LINES_BITS 13
#define KEY_BITS   45
#define KEY_MASK   ((UINT64_C(1) << KEY_BITS) - 1)

static struct line {
	uint64_t word;  /* who, and its number in the lower half */
	uint64_t taken; /* of these, the last that was taken */
	uint32_t waiting;
	uint32_t held; /* after a wait, and not given up yet */
} lines[1u << LINES_BITS] BULK;

/* splitmix64's last step */
static uint64_t
mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (x ^ (x >> 31));
}

uint64_t
turns_id(const void *p)
{
	uint64_t who;

	auto_attach();
	who = (uint64_t)probe_node() << 32 | probe_po();
	return (mix(who + UINT64_C(0x9e3779b97f4a7c15)) ^ (uintptr_t)p);
}

static uint64_t
key_of(const void *p)
{
	/* odd, so that no two addresses become one */
	return (
	    (((uintptr_t)p >> 2) * UINT64_C(0x9e3779b97f4a7c15)) & KEY_MASK);
}

static struct line *
line_of(uint64_t key)
{
	return (&lines[key >> (KEY_BITS - LINES_BITS)]);
}

static bool
is_of(uint64_t word, uint64_t key)
{
	return (word >> 32 == (key & UINT32_MAX));
}

uint32_t
turns_now(const void *p)
{
	uint64_t key = key_of(p), word = PROBE_LOAD(&line_of(key)->word);

	return (is_of(word, key) ? (uint32_t)word : 0);
}

uint32_t
turns_next(const void *p)
{
	uint64_t key = key_of(p), was, word;
	struct line *l = line_of(key);
	uint32_t turn;

	was = PROBE_LOAD(&l->word);
	do {
		turn = (uint32_t)was + 1;
		if (turn == 0)
			turn = 1;
		word = key << 32 | turn;
	} while (!__atomic_compare_exchange_n(&l->word, &was, word, 0,
	    __ATOMIC_RELEASE, __ATOMIC_RELAXED));
	return (turn);
}

uint32_t
turns_take(const void *p, uint32_t before)
{
	uint64_t key = key_of(p), word, was;
	struct line *l = line_of(key);

	word = __atomic_load_n(&l->word, __ATOMIC_ACQUIRE);
	if (!is_of(word, key) || (uint32_t)word == before)
		return (0);
	was = PROBE_LOAD(&l->taken);
	if (was == word || !__atomic_compare_exchange_n(&l->taken, &was, word,
			       0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return (0);
	return ((uint32_t)word);
}

void
turns_wait_begin(const void *p)
{
	__atomic_fetch_add(&line_of(key_of(p))->waiting, 1, __ATOMIC_SEQ_CST);
}

void
turns_wait_end(const void *p, bool got)
{
	struct line *l = line_of(key_of(p));

	__atomic_fetch_sub(&l->waiting, 1, __ATOMIC_SEQ_CST);
	if (got)
		__atomic_fetch_add(&l->held, 1, __ATOMIC_RELAXED);
}

bool
turns_waited(const void *p)
{
	return (__atomic_load_n(&line_of(key_of(p))->waiting,
		    __ATOMIC_SEQ_CST) != 0);
}

bool
turns_given_up(const void *p)
{
	struct line *l = line_of(key_of(p));
	uint32_t n = PROBE_LOAD(&l->held);

	while (n > 0) {
		if (__atomic_compare_exchange_n(&l->held, &n, n - 1, 0,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return (true);
	}
	return (turns_waited(p));
}
