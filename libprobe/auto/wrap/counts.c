/* See counts.h. */
#include "libprobe/auto/wrap/counts.h"

#include <sys/syscall.h>

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "libprobe/auto/wrap/auto.h"

static struct counts_line *
line(const struct counts *c, uint32_t i)
{
	return (
	    i == 0 ? c->first : (void *)((char *)c->more + (i - 1) * c->size));
}

struct counts_line *
counts_line(const struct counts *c, uint32_t i)
{
	return (i < PROBE_LOAD(&c->used) ? line(c, i) : NULL);
}

static bool
take(struct counts_line *l, uint32_t was, uint32_t tid)
{
	return (__atomic_compare_exchange_n(&l->owner, &was, tid, false,
	    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
}

/* One that nobody has ever had, but perhaps in the process that made this. */
static struct counts_line *
own(struct counts_line *l, uint32_t tid)
{
	PROBE_STORE(&l->owner, tid);
	return (l);
}

static bool
is_no_more(uint32_t tid)
{
	return (tid != 0 && syscall(SYS_tgkill, getpid(), (int)tid, 0) == -1 &&
		errno == ESRCH);
}

/* A line that nobody has, or whose thread is no more. */
static struct counts_line *
find(struct counts *c, uint32_t tid)
{
	uint32_t used = PROBE_LOAD(&c->used), at = PROBE_LOAD(&c->hint);

	for (uint32_t i = 0; i < used; i++) {
		struct counts_line *l = line(c, (at + i) % used);

		if (PROBE_LOAD(&l->owner) == 0 && take(l, 0, tid)) {
			PROBE_STORE(&c->hint, at + i + 1);
			return (l);
		}
	}
	while ((used = PROBE_LOAD(&c->used)) < COUNTS_LINES)
		if (__atomic_compare_exchange_n(&c->used, &used, used + 1,
			false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return (own(line(c, used), tid));
	for (uint32_t i = 0; i < COUNTS_LINES; i++) {
		struct counts_line *l = line(c, (at + i) % COUNTS_LINES);
		uint32_t was = PROBE_LOAD(&l->owner);

		if (is_no_more(was) && take(l, was, tid)) {
			PROBE_STORE(&c->hint, at + i + 1);
			c->bequeath(l);
			return (l);
		}
	}
	return (NULL);
}

void *
counts_take(struct counts *c)
{
	int saved_errno = errno;
	struct counts_line *l = find(c, (uint32_t)syscall(SYS_gettid));

	errno = saved_errno;
	return (l);
}

void
counts_begin(struct counts_line *l)
{
	PROBE_STORE(&l->calls, COUNTS_CALLS);
	PROBE_STORE(&l->until, COUNTS_CALLS);
	l->looked_ns = l->told_ns = 0;
}

void
counts_give(struct counts_line *l)
{
	__atomic_store_n(&l->owner, 0, __ATOMIC_RELEASE);
}

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (t.tv_sec * INT64_C(1000000000) + t.tv_nsec);
}

bool
counts_due(struct counts_line *l, int64_t apart_ns, bool now)
{
	int64_t t = now_ns(), since = t - l->looked_ns;

	if (l->until < 0 && since >= apart_ns)
		l->calls = l->calls / 2;
	else if (l->until < 0 && l->calls < COUNTS_CALLS)
		l->calls = l->calls * 2 + 1;
	l->until = l->calls;
	l->looked_ns = t;
	if (t - l->told_ns < apart_ns && !now)
		return (false);
	l->told_ns = t;
	return (true);
}

void
counts_after_fork(struct counts *c, struct counts_line *mine)
{
	if (mine == NULL) {
		c->used = c->hint = 0;
		return;
	}
	for (uint32_t i = 0; i < c->used; i++)
		if (line(c, i) != mine)
			line(c, i)->owner = 0;
	mine->owner = (uint32_t)syscall(SYS_gettid);
}
