/*
 * Threads: who has created whom, who waits for whose end, and their names as
 * they change.  libprobe notices by itself that a thread has ended.
 *
 * A new thread runs through begin() here, which gets what the program wanted
 * from one of a few slots; when all are in use the thread is not tied to its
 * creator.
 */
#include <string.h>

#include "libprobe/auto/created.h"
#include "libprobe/auto/descriptors/attach.h"
#include "libprobe/auto/heap/heap_stack.h"
#include "libprobe/auto/wrap/auto.h"
#include "libprobe/meet/bulk.h"

#define SLOTS 256u

static struct slot {
	uint32_t taken;
	void *(*begin)(void *);
	int (*begin_c11)(void *);
	void *arg;
	uint64_t creation;
} slots[SLOTS] BULK;

static struct slot *
slot_take(void)
{
	static uint32_t hint;
	uint32_t at = PROBE_LOAD(&hint);

	for (uint32_t i = 0; i < SLOTS; i++) {
		struct slot *s = &slots[(at + i) % SLOTS];

		if (PROBE_LOAD(&s->taken) == 0 &&
		    __atomic_exchange_n(&s->taken, 1, __ATOMIC_ACQUIRE) == 0) {
			PROBE_STORE(&hint, at + i + 1);
			s->begin = NULL;
			s->begin_c11 = NULL;
			return (s);
		}
	}
	return (NULL);
}

static void
slot_give(struct slot *s)
{
	__atomic_store_n(&s->taken, 0, __ATOMIC_RELEASE);
}

/* What the program wanted, and the slot is free again. */
static struct slot
slot_read(void *arg)
{
	struct slot s = *(struct slot *)arg;

	slot_give(arg);
	return (s);
}

static void *
begin(void *arg)
{
	struct slot s = slot_read(arg);

	heap_thread_begins();
	probe_thread_begin(s.creation, 0);
	return (s.begin(s.arg));
}

static int
begin_c11(void *arg)
{
	struct slot s = slot_read(arg);

	heap_thread_begins();
	probe_thread_begin(s.creation, 0);
	return (s.begin_c11(s.arg));
}

/* NULL: not told of. */
static struct slot *
slot_for(void *arg)
{
	struct slot *s = auto_says(PROBE_CLASS_life) ? slot_take() : NULL;

	if (s == NULL)
		return (NULL);
	s->arg = arg;
	auto_attach();
	s->creation = probe_thread_create(0);
	return (s);
}

WRAPPER int
pthread_create(pthread_t *thread, const pthread_attr_t *attr,
    void *(*start)(void *), void *arg)
{
	struct slot *s = slot_for(arg);
	uint64_t creation;
	int error;

	if (s == NULL)
		return (CALL(pthread_create)(thread, attr, start, arg));
	s->begin = start;
	creation = s->creation;
	error = CALL(pthread_create)(thread, attr, begin, s);
	if (error == 0)
		created_add(*thread, creation);
	else
		slot_give(s);
	return (error);
}

WRAPPER int
thrd_create(thrd_t *thread, thrd_start_t start, void *arg)
{
	struct slot *s = slot_for(arg);
	uint64_t creation;
	int rc;

	if (s == NULL)
		return (CALL(thrd_create)(thread, start, arg));
	s->begin_c11 = start;
	creation = s->creation;
	rc = CALL(thrd_create)(thread, begin_c11, s);
	if (rc == thrd_success)
		created_add((pthread_t)*thread, creation);
	else
		slot_give(s);
	return (rc);
}

/* Id 0 pairs with nothing: the wait has ended in another way. */
static void
cancelled_cb(void *unused)
{
	(void)unused;
	probe_thread_join(0);
}

#define TOLD(thread, call)                                                     \
	do {                                                                   \
		uint64_t creation_ =                                           \
		    auto_says(PROBE_CLASS_life) ? created_find(thread) : 0;    \
		int error_;                                                    \
		if (creation_ == 0)                                            \
			return (call);                                         \
		probe_thread_wait(creation_);                                  \
		pthread_cleanup_push(cancelled_cb, NULL);                      \
		error_ = (call);                                               \
		pthread_cleanup_pop(0);                                        \
		if (error_ == 0)                                               \
			created_forget(thread, creation_);                     \
		probe_thread_join(error_ == 0 ? creation_ : 0);                \
		return (error_);                                               \
	} while (0)

WRAPPER int
pthread_join(pthread_t thread, void **result)
{
	TOLD(thread, CALL(pthread_join)(thread, result));
}

WRAPPER int
pthread_timedjoin_np(pthread_t thread, void **result,
    const struct timespec *until)
{
	TOLD(thread, CALL(pthread_timedjoin_np)(thread, result, until));
}

WRAPPER int
pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
    const struct timespec *until)
{
	TOLD(thread, CALL(pthread_clockjoin_np)(thread, result, clock, until));
}

WRAPPER int
thrd_join(thrd_t thread, int *result)
{
	TOLD((pthread_t)thread, CALL(thrd_join)(thread, result));
}

/* It does not wait, so only its success is told. */
WRAPPER int
pthread_tryjoin_np(pthread_t thread, void **result)
{
	uint64_t creation =
	    auto_says(PROBE_CLASS_life) ? created_find(thread) : 0;
	int error = CALL(pthread_tryjoin_np)(thread, result);

	if (error == 0 && creation != 0) {
		created_forget(thread, creation);
		probe_thread_join(creation);
	}
	return (error);
}

WRAPPER int
pthread_detach(pthread_t thread)
{
	created_forget(thread, created_find(thread));
	return (CALL(pthread_detach)(thread));
}

WRAPPER int
thrd_detach(thrd_t thread)
{
	created_forget((pthread_t)thread, created_find((pthread_t)thread));
	return (CALL(thrd_detach)(thread));
}

WRAPPER int
pthread_setname_np(pthread_t thread, const char *name)
{
	int error = CALL(pthread_setname_np)(thread, name);

	if (error == 0 && !auto_mute && pthread_equal(thread, pthread_self()))
		probe_thread_name(name);
	return (error);
}
