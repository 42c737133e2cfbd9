/*
 * See created.h.  Lines of eight.  An entry is marked while it is written, and
 * a reader looks at it twice, since it may have been given to another thread.
 */
#include "libprobe/auto/created.h"

#include "libprobe/meet/bulk.h"
#include "probe.h"

#define LINES 512u
#define WIDTH 8u
#define TAKEN 1u /* no thread is called that */

static struct entry {
	uintptr_t thread; /* 0: free */
	uint64_t creation;
} table[LINES][WIDTH] BULK;

static struct entry *
line_of(uintptr_t thread)
{
	return (table[(thread >> 12) * 2654435761u % LINES]);
}

static int
take(struct entry *e, uintptr_t from)
{
	return (__atomic_compare_exchange_n(&e->thread, &from, TAKEN, 0,
	    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
}

void
created_add(pthread_t thread, uint64_t creation)
{
	static uint32_t turn;
	uintptr_t t = (uintptr_t)thread, any;
	struct entry *line = line_of(t), *e = NULL;

	/* the name is used again: that thread has ended and was not joined */
	for (uint32_t i = 0; i < WIDTH && e == NULL; i++)
		if (PROBE_LOAD(&line[i].thread) == t && take(&line[i], t))
			e = &line[i];
	for (uint32_t i = 0; i < WIDTH && e == NULL; i++)
		if (PROBE_LOAD(&line[i].thread) == 0 && take(&line[i], 0))
			e = &line[i];
	if (e == NULL) {
		e = &line[__atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED) %
			  WIDTH];
		any = PROBE_LOAD(&e->thread);
		if (any == TAKEN || !take(e, any))
			return;
	}
	PROBE_STORE(&e->creation, creation);
	PROBE_PUBLISH(&e->thread, t);
}

uint64_t
created_find(pthread_t thread)
{
	uintptr_t t = (uintptr_t)thread;
	struct entry *line = line_of(t);

	for (uint32_t i = 0; i < WIDTH; i++) {
		uint64_t creation;

		if (__atomic_load_n(&line[i].thread, __ATOMIC_ACQUIRE) != t)
			continue;
		creation = __atomic_load_n(&line[i].creation, __ATOMIC_ACQUIRE);
		if (PROBE_LOAD(&line[i].thread) == t)
			return (creation);
	}
	return (0);
}

void
created_forget(pthread_t thread, uint64_t creation)
{
	uintptr_t t = (uintptr_t)thread;
	struct entry *line = line_of(t);

	for (uint32_t i = 0; i < WIDTH && creation != 0; i++) {
		if (PROBE_LOAD(&line[i].thread) != t || !take(&line[i], t))
			continue;
		/* another creation: a newer thread has the same name */
		PROBE_PUBLISH(&line[i].thread,
		    PROBE_LOAD(&line[i].creation) == creation ? 0 : t);
	}
}
