/*
 * See stream.h and proto/streamtable.h.  One writer and one reader work at a
 * time, each for itself; the head of the marks is the writer's, their tail the
 * reader's.
 */
#include "libprobe/auto/descriptors/stream.h"

#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "probe.h"

#define WINDOW      16u /* places where a key may be */
#define PATIENCE_NS (100 * INT64_C(1000000))

/* in stream.inside */
enum {
	INSIDE_NOBODY,
	INSIDE_CALL,
	INSIDE_LOOKS
};

/*
 * Waits for another process, of which nothing is known: it makes a few system
 * calls, may have to wait for a processor, or has been killed.  False: this has
 * lasted for PATIENCE_NS since the first time, when *until_ns was 0.
 */
static bool
wait_a_turn(int64_t *until_ns)
{
	struct timespec ts;
	int64_t now_ns;

	sched_yield();
	clock_gettime(CLOCK_MONOTONIC, &ts);
	now_ns = ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
	if (*until_ns == 0)
		*until_ns = now_ns + PATIENCE_NS;
	return (now_ns < *until_ns);
}

static bool
lock(struct streamtable *t)
{
	int64_t until_ns = 0;
	uint32_t free_ = 0;

	while (!__atomic_compare_exchange_n(&t->lock, &free_, 1, 0,
	    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		if (!wait_a_turn(&until_ns))
			return (false);
		free_ = 0;
	}
	return (true);
}

static void
unlock(struct streamtable *t)
{
	__atomic_store_n(&t->lock, 0, __ATOMIC_RELEASE);
}

static void
make(struct stream *s, uint64_t key)
{
	PROBE_STORE(&s->key, 0);
	memset((char *)s + sizeof(s->key), 0,
	    offsetof(struct stream, mark) - sizeof(s->key));
	__atomic_store_n(&s->key, key, __ATOMIC_RELEASE);
}

struct stream *
stream_find(struct streamtable *t, uint64_t key)
{
	struct stream *oldest = NULL, *s;

	if (!lock(t)) {
		unlock(t); /* whoever had it was killed */
		return (NULL);
	}
	for (unsigned i = 0; i < WINDOW; i++) {
		s = &t->stream[(key / 2 + i) % STREAMTABLE_STREAMS];
		if (s->key == key)
			goto found;
		if (oldest == NULL ||
		    (oldest->key != 0 &&
			(s->key == 0 || s->stamp < oldest->stamp)))
			oldest = s;
	}
	s = oldest;
	make(s, key);
found:
	s->stamp = ++t->clock;
	unlock(t);
	return (s);
}

void
stream_renew(struct stream *s, enum stream_end end, uint64_t cookie)
{
	if (s->cookie[end] != 0 && s->cookie[end] != cookie)
		make(s, s->key);
	s->cookie[end] = cookie;
}

/* Of those who look where a stream stands it is known that they go soon. */
static bool
come_in(struct stream *s, enum stream_end end, uint32_t as, bool patient)
{
	uint32_t who = INSIDE_NOBODY;
	int64_t until_ns = 0;

	if (PROBE_LOAD(&s->gap) != STREAM_OK)
		return (false);
	while (!__atomic_compare_exchange_n(&s->inside[end], &who, as, 0,
	    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		if (!patient || who != INSIDE_LOOKS || !wait_a_turn(&until_ns))
			return (false);
		who = INSIDE_NOBODY;
	}
	return (true);
}

bool
stream_enter(struct stream *s, enum stream_end end)
{
	return (come_in(s, end, INSIDE_CALL, true));
}

bool
stream_look(struct stream *s, enum stream_end end)
{
	return (come_in(s, end, INSIDE_LOOKS, true));
}

bool
stream_look_beside(struct stream *s, enum stream_end end)
{
	return (come_in(s, end, INSIDE_LOOKS, false));
}

void
stream_leave(struct stream *s, enum stream_end end)
{
	__atomic_store_n(&s->inside[end], 0, __ATOMIC_RELEASE);
}

bool
stream_give_up(struct stream *s, enum stream_gap gap)
{
	uint32_t ok = STREAM_OK;

	return (__atomic_compare_exchange_n(&s->gap, &ok, gap, 0,
	    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* What was told of and never came has no mark any more. */
static void
take_back(struct stream *s)
{
	uint64_t head = PROBE_LOAD(&s->head), written = PROBE_LOAD(&s->written);

	while (head - PROBE_LOAD(&s->tail) - 1 < STREAMTABLE_MARKS &&
	       s->mark[(head - 1) % STREAMTABLE_MARKS].end > written)
		PROBE_STORE(&s->head, --head);
	PROBE_STORE(&s->asked, written);
}

uint64_t
stream_write(struct stream *s, uint64_t process, uint64_t n, uint64_t *start)
{
	uint64_t written = PROBE_LOAD(&s->written), end = written + n;

	if (PROBE_LOAD(&s->asked) > written && PROBE_LOAD(&s->asker) != process)
		take_back(s);
	*start = PROBE_LOAD(&s->asked);
	if (*start < written)
		*start = written;
	if (end <= *start)
		return (0);
	PROBE_STORE(&s->asker, process);
	__atomic_store_n(&s->asked, end, __ATOMIC_RELEASE);
	return (end - *start);
}

bool
stream_mark(struct stream *s, uint64_t start, uint64_t n, uint64_t id)
{
	uint64_t head = PROBE_LOAD(&s->head);
	struct stream_mark *m = &s->mark[head % STREAMTABLE_MARKS];

	if (head - __atomic_load_n(&s->tail, __ATOMIC_ACQUIRE) >=
	    STREAMTABLE_MARKS)
		return (false);
	m->start = start;
	m->end = start + n;
	m->id = id;
	__atomic_store_n(&s->head, head + 1, __ATOMIC_RELEASE);
	return (true);
}

void
stream_wrote(struct stream *s, uint64_t n)
{
	__atomic_fetch_add(&s->written, n, __ATOMIC_RELEASE);
}

void
stream_read(struct stream *s, uint64_t n)
{
	__atomic_fetch_add(&s->read, n, __ATOMIC_RELAXED);
}

bool
stream_next(struct stream *s, struct stream_mark *to)
{
	uint64_t tail = PROBE_LOAD(&s->tail);
	uint64_t head = __atomic_load_n(&s->head, __ATOMIC_ACQUIRE);

	if (head - tail > STREAMTABLE_MARKS) { /* nonsense */
		PROBE_STORE(&s->tail, head);
		return (false);
	}
	if (head == tail)
		return (false);
	*to = s->mark[tail % STREAMTABLE_MARKS];
	if (to->end > PROBE_LOAD(&s->read))
		return (false);
	__atomic_store_n(&s->tail, tail + 1, __ATOMIC_RELEASE);
	return (true);
}

bool
stream_unseen(const struct stream *s)
{
	uint64_t asked = __atomic_load_n(&s->asked, __ATOMIC_ACQUIRE);

	return (PROBE_LOAD(&s->read) > asked);
}

bool
stream_set_written(struct stream *s, uint64_t written)
{
	if (PROBE_LOAD(&s->written) == written)
		return (false);
	PROBE_STORE(&s->written, written);
	take_back(s);
	return (true);
}

bool
stream_set_read(struct stream *s, uint64_t read)
{
	struct stream_mark gone;
	bool changed = PROBE_LOAD(&s->read) != read;

	PROBE_STORE(&s->read, read);
	while (changed && stream_next(s, &gone))
		;
	return (changed);
}

bool
stream_set(struct stream *s, uint64_t written, uint64_t read)
{
	bool changed = stream_set_written(s, written);

	return (stream_set_read(s, read) || changed);
}
