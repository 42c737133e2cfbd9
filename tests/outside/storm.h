/*
 * What a storm (tests/apps/storm.c) and the checker of its log agree on: which
 * messages there are, and how they are counted.
 *
 * The programs know what they did without asking anybody: message number n
 * from process P to process Q has an id that says so, the ways in which it is
 * told take turns, and each thread keeps a count and a hash of its own events.
 * Nothing here comes from the sources that are checked, or is used by them.
 */
#ifndef TESTS_OUTSIDE_STORM_H
#define TESTS_OUTSIDE_STORM_H

#include <stdbool.h>
#include <stdint.h>

#define STORM_PROCESSES 16 /* at most */
#define STORM_THREADS   3  /* of each: the main one, who sends, who receives */
#define STORM_LOCKS     4
#define STORM_LOCK_ID   UINT64_C(0x10c4000000000000) /* and its number */
#define STORM_ALL_ID    UINT64_C(0xa110000000000000) /* the one collective */
#define STORM_TAGS      5

/* The value of a note that says who is speaking. */
#define STORM_HELLO    INT64_C(0x73746f726d000000)
#define STORM_HELLO_OF INT64_C(0xffff)

/* What a thread counts; each is called as dump prints it. */
enum storm_kind {
	STORM_note,
	STORM_thread_create,
	STORM_thread_join,
	STORM_send,
	STORM_receive,
	STORM_task_spawn,
	STORM_task_begin,
	STORM_task_end,
	STORM_future_set,
	STORM_future_get,
	STORM_object_depart,
	STORM_object_arrive,
	STORM_lock_acquire,
	STORM_lock_release,
	STORM_collective_enter,
	STORM_collective_leave,
	STORM_KINDS
};

/* How message number n is told: most as messages, the others one in 16. */
enum storm_way {
	STORM_MESSAGE,
	STORM_TASK,
	STORM_FUTURE,
	STORM_OBJECT
};

static inline enum storm_way
storm_way(uint64_t number)
{
	switch (number % 16) {
	case 3:
		return (STORM_TASK);
	case 7:
		return (STORM_FUTURE);
	case 11:
		return (STORM_OBJECT);
	default:
		return (STORM_MESSAGE);
	}
}

/*
 * Ids: those of some pairs count, as most programs' do; those of others have
 * no pattern at all.  The factor is odd, so it can be undone, and leaves the
 * lowest bit, which says which of the two it is.
 */
#define STORM_FACTOR UINT64_C(0xd1342543de82ef95)

static inline uint64_t
storm_id(unsigned from, unsigned to, uint64_t number)
{
	bool scattered = (from + 3 * to) % 4 == 1;
	uint64_t id = (uint64_t)(from + 1) << 56 | (uint64_t)(to + 1) << 48 |
		      number << 1 | scattered;

	return (scattered ? id * STORM_FACTOR : id);
}

/* False: no message of a storm has this id. */
static inline bool
storm_id_of(uint64_t id, unsigned *from, unsigned *to, uint64_t *number)
{
	uint64_t inverse = STORM_FACTOR; /* right in 3 bits, then in 96 */

	for (int i = 0; i < 5; i++)
		inverse *= 2 - STORM_FACTOR * inverse;
	if (id % 2 == 1)
		id *= inverse;
	*from = (unsigned)(id >> 56) - 1;
	*to = (unsigned)(id >> 48 & 0xff) - 1;
	*number = (id & ((UINT64_C(1) << 48) - 1)) >> 1;
	return (*from < STORM_PROCESSES && *to < STORM_PROCESSES &&
		*number < UINT64_C(1) << 32);
}

/* Reason of a loss, as orrery-log(5) numbers them: nobody listened yet. */
#define STORM_NOT_ATTACHED 5

/*
 * A thread's events so far, in their order; beside them the notes that it has
 * made until somebody listened, of which the last ones may be in the log and
 * the others are counted there.
 */
struct storm_said {
	uint64_t events, hash, alone;
};

static inline uint64_t
storm_mix(uint64_t hash, uint64_t x)
{
	hash = (hash ^ x) * UINT64_C(0xbf58476d1ce4e5b9);
	return (hash ^ hash >> 31);
}

static inline void
storm_say(struct storm_said *s, enum storm_kind kind, uint64_t a, uint64_t b,
    uint32_t c)
{
	s->events++;
	s->hash =
	    storm_mix(storm_mix(storm_mix(s->hash, (uint64_t)c << 8 | kind), a),
		b);
}

#endif
