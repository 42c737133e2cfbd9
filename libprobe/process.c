/*
 * The life of a process: inert, waiting for a collector, attached.
 *
 * probe_switch says which, at the price of one load for the probes: it points
 * at a zero when nothing will ever be recorded, at the mask of the wake page
 * while there is no collector, and at the mask of the segment while there is
 * one.  All ones in the wake page and in a segment that has been given up
 * send the next event here.  There is no thread and no timer.
 *
 * A child after fork is a new process.  It finds out by `life`, which lies in
 * memory that is wiped by fork, however the fork is done.
 */
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "attach.h"

struct life {
	_Atomic uint32_t state; /* LIFE_NONE after a fork */
};
enum {
	LIFE_NONE,
	LIFE_OURS
};

static const uint32_t never; /* the switch of an inert process */
static uint32_t look = ~0u;  /* the switch of a child that has not looked */
static struct life life_boot = { LIFE_OURS };
static struct life *life = &life_boot;
static _Atomic uint32_t lock; /* thread that holds it */
static _Atomic uint32_t started;

static struct ring_wake *wake; /* NULL: there can be none */
static _Atomic uint64_t tried; /* TRIED | generation of the last attempt */
#define TRIED ((uint64_t)1 << 32)
static uint32_t parent_po, serial_last, full_wait_ms;
static bool debug;

struct attachment attachment;
const volatile uint32_t *probe_switch = &never;

void *
process_map(size_t bytes, bool wiped)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return (NULL);
	/* too old a kernel: pthread_atfork is left, which fork() honours */
	if (wiped)
		(void)madvise(p, bytes, MADV_WIPEONFORK);
	return (p);
}

void
process_debug(const char *what, const char *detail)
{
	char line[256];
	size_t n = 0;

	if (!debug)
		return;
	for (const char *const *s = (const char *const[]){ "probe: ", what, " ",
		 detail, "\n", NULL };
	     *s != NULL; s++) {
		size_t len = strnlen(*s, sizeof(line) - n);

		memcpy(line + n, *s, len);
		n += len;
	}
	if (write(STDERR_FILENO, line, n) == -1)
		debug = false;
}

static void
lock_take(void)
{
	uint32_t none = 0, self = (uint32_t)syscall(SYS_gettid);

	while (!atomic_compare_exchange_weak_explicit(&lock, &none, self,
	    memory_order_acquire, memory_order_relaxed)) {
		none = 0;
		nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
	}
}

static void
lock_give(void)
{
	atomic_store_explicit(&lock, 0, memory_order_release);
}

bool
process_is_child(void)
{
	return (atomic_load_explicit(&life->state, memory_order_acquire) !=
		LIFE_OURS);
}

bool
process_gone(void)
{
	struct ring_segment *s =
	    __atomic_load_n(&attachment.segment, __ATOMIC_ACQUIRE);

	return (s != NULL &&
		atomic_load_explicit(&s->gone, memory_order_acquire) != 0);
}

uint32_t
process_serial(void)
{
	return (__atomic_load_n(&attachment.serial, __ATOMIC_SEQ_CST));
}

uint32_t
process_full_wait_ms(void)
{
	struct ring_segment *s =
	    __atomic_load_n(&attachment.segment, __ATOMIC_ACQUIRE);
	uint32_t ms = s == NULL ? 0 : PROBE_LOAD((uint32_t *)&s->wait_ms);

	return (ms > full_wait_ms ? ms : full_wait_ms);
}

static void
switch_to(const volatile uint32_t *word)
{
	__atomic_store_n(&probe_switch, word, __ATOMIC_RELEASE);
}

/* These are called with the lock held. */

static void
forget_segment(void)
{
	__atomic_store_n(&attachment.serial, 0, __ATOMIC_SEQ_CST);
	__atomic_store_n(&attachment.segment, NULL, __ATOMIC_RELEASE);
	PROBE_STORE(&attachment.node, 0);
	PROBE_STORE(&attachment.po, 0);
	atomic_store(&tried, 0);
}

/*
 * We are a child.  The parent's segment is covered with memory of our own: an
 * event that a handler which forks has interrupted may still write there.
 */
static void
forked(void)
{
	parent_po = attachment.po;
	if (attachment.segment != NULL &&
	    mmap(attachment.segment, attachment.segment_bytes,
		PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
		0) == MAP_FAILED)
		process_debug("cannot cover the memory of", "the parent");
	forget_segment();
	ids_forked();
	thread_forked();
	if (probe_switch != &never)
		switch_to(&look);
	atomic_store_explicit(&life->state, LIFE_OURS, memory_order_release);
}

void
hold(struct hold *h)
{
	sigset_t all;

	h->saved_errno = errno;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &h->signals);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &h->cancel);
	if (process_is_child())
		lock_give(); /* held by a thread that is not in this process */
	lock_take();
	if (process_is_child())
		forked(); /* before anything of the parent's is written to */
}

void
let_go(const struct hold *h)
{
	lock_give();
	pthread_setcancelstate(h->cancel, NULL);
	pthread_sigmask(SIG_SETMASK, &h->signals, NULL);
	errno = h->saved_errno;
}

/*
 * The collector has given us up: every thread leaves its ring.  The segment
 * stays mapped for those who are in there just now, but without memory.
 */
static void
detach(void)
{
	char *segment = (char *)attachment.segment;

	process_debug("given up by the collector of", attachment.node_name);
	switch_to(wake == NULL ? &never : &look);
	forget_segment();
	for (uint32_t i = 0; i < attachment.nrings; i++) {
		struct probe_thread *t = &attachment.threads[i].hot;

		__atomic_store_n(&t->limit, 0, __ATOMIC_SEQ_CST);
		__atomic_store_n(&t->limit_hard, 0, __ATOMIC_SEQ_CST);
	}
	madvise(segment + attachment.rings_offset,
	    attachment.ring_bytes * attachment.nrings, MADV_REMOVE);
}

/* Others read node and po at any time, the rest with the lock held. */
static void
publish(const struct attachment *a)
{
	attachment.segment_bytes = a->segment_bytes;
	attachment.rings_offset = a->rings_offset;
	attachment.ring_bytes = a->ring_bytes;
	attachment.names_offset = a->names_offset;
	attachment.names_bytes = a->names_bytes;
	attachment.nrings = a->nrings;
	attachment.ring_records = a->ring_records;
	attachment.reserve_records = a->reserve_records;
	attachment.threads = a->threads;
	attachment.hint = 0;
	memcpy(attachment.node_name, a->node_name, sizeof(a->node_name));
	PROBE_STORE(&attachment.node, a->node);
	PROBE_STORE(&attachment.po, a->po);
	__atomic_store_n(&attachment.segment, a->segment, __ATOMIC_RELEASE);
	__atomic_store_n(&attachment.serial, a->serial, __ATOMIC_SEQ_CST);
}

static bool
attach(void)
{
	struct attachment fresh = { 0 };

	if (!attach_open(&fresh, parent_po, (uint8_t)clock_kind()))
		return (false);
	fresh.threads = process_map(fresh.nrings * sizeof(struct thread), true);
	if (fresh.threads == NULL) {
		munmap(fresh.segment, fresh.segment_bytes);
		return (false);
	}
	fresh.serial = ++serial_last;
	names_publish(&fresh);
	publish(&fresh);
	switch_to((const volatile uint32_t *)&fresh.segment->mask);
	process_debug("attached to the collector of", fresh.node_name);
	return (true);
}

/*
 * Nobody answers.  The wake page is cleared, so that probes are cheap again,
 * unless a collector of another node needs it: then this process knows by the
 * generation that it need not try again.
 */
static bool
attach_or_wait(void)
{
	uint32_t generation = wake == NULL ? 0 : atomic_load(&wake->generation);

	if (atomic_load(&tried) == (TRIED | generation))
		return (false);
	if (attach())
		return (true);
	atomic_store(&tried, TRIED | generation);
	if (wake == NULL) {
		switch_to(&never);
		return (false);
	}
	if (atomic_load(&wake->mask) != 0 && !attach_any()) {
		atomic_store(&wake->mask, 0);
		/* one that has begun to listen in between */
		if (attach_any()) {
			atomic_store(&wake->mask, ~0u);
			atomic_store(&tried, 0);
		}
	}
	switch_to((const volatile uint32_t *)&wake->mask);
	return (false);
}

void
process_look(void)
{
	uint64_t before = atomic_load(&tried);
	struct hold h;

	/* the usual case: another node's collector is there, ours is not */
	if (!process_is_child() && process_serial() == 0 &&
	    (before & TRIED) != 0 &&
	    (wake == NULL ||
		(before & UINT32_MAX) == atomic_load(&wake->generation)))
		return;
	hold(&h);
	if (process_gone())
		detach();
	if (attachment.segment == NULL && probe_switch != &never)
		attach_or_wait();
	let_go(&h);
}

/*
 * The lock is not held across fork: other people's handlers may make events.
 * What another thread had begun is never half visible, and begun again here.
 */
static void
after_fork_child(void)
{
	struct hold h;

	hold(&h); /* does it */
	let_go(&h);
}

static void
read_environment(void)
{
	const char *s = getenv("ORRERY_FULL");

	debug = getenv("ORRERY_DEBUG") != NULL;
	if (s != NULL && strncmp(s, "wait", 4) == 0) {
		full_wait_ms = 1000;
		if (s[4] == ':')
			full_wait_ms = (uint32_t)strtoul(s + 5, NULL, 10);
	}
}

/* Before main, or at the first name or id if that is even earlier. */
__attribute__((constructor)) void
process_start(void)
{
	const char *off = getenv("ORRERY");
	struct life *own;
	struct hold h;

	if (atomic_exchange(&started, 1) != 0)
		return;
	/* somebody else's privileges: not a word */
	if ((off != NULL && strcmp(off, "off") == 0) || getauxval(AT_SECURE))
		return;
	hold(&h);
	read_environment();
	own = process_map(sizeof(*own), true);
	if (own != NULL) {
		atomic_store(&own->state, LIFE_OURS);
		life = own;
	}
	thread_start();
	pthread_atfork(NULL, NULL, after_fork_child);
	if (attach_places()) {
		wake = attach_wake_page();
		switch_to(&look);
		attach_or_wait();
	}
	let_go(&h);
}

/* exit() and return from main; not relied upon. */
__attribute__((destructor)) static void
process_stop(void)
{
	struct ring_segment *s =
	    __atomic_load_n(&attachment.segment, __ATOMIC_ACQUIRE);

	if (s != NULL && !process_is_child())
		atomic_store_explicit(&s->bye, 1, memory_order_release);
}

int
probe_attached(void)
{
	return (!process_is_child() && process_serial() != 0);
}

uint32_t
probe_po(void)
{
	return (process_is_child() ? 0 : PROBE_LOAD(&attachment.po));
}

uint32_t
probe_node(void)
{
	return (process_is_child() ? 0 : PROBE_LOAD(&attachment.node));
}

const char *
probe_node_name(void)
{
	return (probe_attached() ? attachment.node_name : "");
}
