/*
 * The life of a process: inert, waiting for a collector, refused by one,
 * attached.
 *
 * probe_switch says which, at the price of one load for the probes: it points
 * at a zero when nothing will ever be recorded, at the mask of the wake page
 * while there is no collector, and at the mask of the segment while there is
 * one.  All ones in the wake page and in a segment that has been given up
 * send the next event here, and so does every event of a process that has a
 * collector which does not take it.  There is no thread and no timer.
 *
 * A process that is inert (switched off, or with somebody else's privileges)
 * does nothing at all: no lock is taken, no signal touched, nothing mapped.
 *
 * A child after fork is a new process.  It finds out by `life`, which lies in
 * memory that is wiped by fork, however the fork is done.
 */
#include <sys/auxv.h>
#include <sys/mman.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach.h"
#include "choice.h"
#include "first.h"
#include "hooks.h"
#include "libprobe/meet/direct.h"
#include "libprobe/meet/place.h"
#include "libprobe/meet/refused.h"
#include "libprobe/meet/sandbox.h"
#include "lock.h"
#include "memory.h"
#include "wake.h"

struct life {
	_Atomic uint32_t state; /* LIFE_NONE after a fork */
};
enum {
	LIFE_NONE,
	LIFE_OURS
};

#define SIGCANCEL 32 /* glibc's */

static const uint32_t never; /* the switch of an inert process */
static uint32_t look = ~0u;  /* the switch of a child that has not looked */
static struct life life_boot = { LIFE_OURS };
static struct life *life = &life_boot;
static struct lock lock;
__thread bool held_here;

enum stage {
	STAGE_NEW,
	STAGE_STARTING, /* a thread is at it */
	STAGE_INERT,
	STAGE_ACTIVE
};
static _Atomic uint32_t stage;

static struct wake_page *wake; /* NULL: not needed so far, or none */
static _Atomic uint64_t tried; /* TRIED | generation of the last attempt */
#define TRIED ((uint64_t)1 << 32)
static uint32_t parent_po, serial_last, full_wait_ms;
static bool fresh = true; /* it begins: an answer is worth waiting for */
static bool debug;

/* By this a loaded file that has us in it can be told, also a stripped one. */
__asm__(".pushsection .note.orrery, \"a\", @note\n"
	".balign 4\n"
	".long 7, 0, 1\n"
	".asciz \"" PROCESS_NOTE "\"\n"
	".balign 4\n"
	".popsection");

struct attachment attachment;
const volatile uint32_t *probe_switch = &never;

void *
process_map(size_t bytes, bool wiped)
{
	void *p = direct_mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	if (p == MAP_FAILED)
		return (NULL);
	/* too old a kernel: pthread_atfork is left, which fork() honours */
	if (wiped)
		(void)direct_madvise(p, bytes, MADV_WIPEONFORK);
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
	__atomic_store_n(&attachment.choice, NULL, __ATOMIC_RELEASE);
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
	if (attachment.segment != NULL) {
		thread_strand();
		memory_forked(&attachment, thread_records());
	}
	forget_segment();
	ids_forked();
	thread_forked();
	refused_forked();
	fresh = true;
	switch_to(&look);
	atomic_store_explicit(&life->state, LIFE_OURS, memory_order_release);
}

/*
 * Also the signal by which glibc cancels a thread, which pthread_sigmask()
 * leaves out: it may come long after the thread has been marked as cancelled,
 * and its handler ends the thread in any system call that waits, whatever the
 * state of cancellation is; then the lock would stay with it.
 */
static void
signals_off(sigset_t *before)
{
	sigset_t all;
	uint64_t bits;

	sigfillset(&all); /* leaves out those of the C library */
	memcpy(&bits, &all, sizeof(bits));
	bits |= UINT64_C(1) << (SIGCANCEL - 1);
	memcpy(&all, &bits, sizeof(bits));
	(void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, before,
	    sizeof(uint64_t));
}

static void
signals_back(const sigset_t *before)
{
	(void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, before, NULL,
	    sizeof(uint64_t));
}

void
hold(struct hold *h)
{
	h->saved_errno = errno;
	cancel_off(&h->cancel);
	signals_off(&h->signals);
	if (process_is_child())
		lock_reset(&lock); /* who holds it is not in this process */
	lock_take(&lock);
	held_here = true;
	if (process_is_child())
		forked(); /* before anything of the parent's is written to */
}

void
let_go(const struct hold *h)
{
	held_here = false;
	lock_give(&lock);
	signals_back(&h->signals);
	errno = h->saved_errno;
	cancel_back(&h->cancel); /* and if that ends us, as it would have */
}

/*
 * The collector has given us up: every thread leaves its ring.  The segment
 * stays mapped for those who are in there just now, but without memory.
 */
static void
detach(void)
{
	process_debug("given up by the collector of", attachment.node_name);
	switch_to(&look);
	forget_segment();
	for (uint32_t i = 0; i < attachment.nrings; i++) {
		limits_close(&attachment.threads[i]);
	}
	memory_give_up(&attachment);
}

/* Others read node, po and choice at any time, the rest with the lock held. */
static void
publish(const struct attachment *a)
{
	attachment.rings_offset = a->rings_offset;
	attachment.names_offset = a->names_offset;
	attachment.names_bytes = a->names_bytes;
	attachment.records_offset = a->records_offset;
	attachment.ring_bytes = a->ring_bytes;
	__atomic_store_n(&attachment.choice,
	    a->choice_offset == 0
		? NULL
		: (void *)((char *)a->segment + a->choice_offset),
	    __ATOMIC_RELEASE);
	attachment.nrings = a->nrings;
	attachment.ring_first = a->ring_first;
	attachment.generations = a->generations;
	attachment.reserve_records = a->reserve_records;
	attachment.threads = a->threads;
	attachment.records = a->records;
	attachment.hint = 0;
	memcpy(attachment.node_name, a->node_name, sizeof(a->node_name));
	atomic_store(&a->segment->taken, 1);
	PROBE_STORE(&attachment.node, a->node);
	PROBE_STORE(&attachment.po, a->po);
	__atomic_store_n(&attachment.segment, a->segment, __ATOMIC_RELEASE);
	__atomic_store_n(&attachment.serial, a->serial, __ATOMIC_SEQ_CST);
}

static enum attach_result
attach(void)
{
	struct attachment new = { 0 };
	const struct attach_request rq = {
		.parent_po = parent_po,
		.clock = (uint8_t)clock_kind(),
		.wait_ms = fresh ? ATTACH_WAIT_MS : refused_wait_ms(),
		.unrecorded = refused_sum(),
		.known = names_known(),
	};
	enum attach_result result = attach_open(&new, &rq);

	if (result != ATTACH_DONE)
		return (result);
	new.threads = process_map(new.nrings * sizeof(struct thread), true);
	if (new.threads == NULL) {
		memory_close(&new);
		return (ATTACH_NO_ROOM);
	}
	new.serial = ++serial_last;
	names_publish(&new);
	choice_attached(&new);
	publish(&new);
	names_choose();
	switch_to((const volatile uint32_t *)&new.segment->mask);
	process_debug("attached to the collector of", new.node_name);
	return (result);
}

/*
 * Nobody is there.  The wake page is cleared, so that probes are cheap again,
 * unless a collector of another node needs it: then this process knows by the
 * generation that it need not try again.
 */
static void
wait_for_one(uint32_t generation)
{
	atomic_store(&tried, TRIED | generation);
	if (atomic_load(&wake->mask) != 0 && !attach_any()) {
		atomic_store(&wake->mask, 0);
		/* one that has begun to listen in between */
		if (attach_any()) {
			atomic_store(&wake->mask, ~0u);
			atomic_store(&tried, 0);
		}
	}
	switch_to((const volatile uint32_t *)&wake->mask);
}

/* A wake page is not asked for under a filter that we do not know. */
static bool
has_wake_page(void)
{
	if (wake == NULL && !sandbox_inherited())
		wake = wake_find();
	return (wake != NULL);
}

static void
attach_or_wait(void)
{
	uint32_t generation = 0;
	bool woken = wake != NULL &&
		     probe_switch == (const volatile uint32_t *)&wake->mask;
	bool again;
	enum attach_result result;

	do {
		again = wake == NULL;
		if (wake != NULL)
			generation = atomic_load(&wake->generation);
		if (woken && atomic_load(&tried) == (TRIED | generation))
			return;
		result = attach();
		/* one may begin before there is a page that it could find */
	} while (result == ATTACH_NOBODY && has_wake_page() && again);
	fresh = false;
	switch (result) {
	case ATTACH_DONE:
		refused_end();
		break;
	case ATTACH_NOBODY:
		refused_end();
		if (wake != NULL)
			wait_for_one(generation);
		else
			switch_to(&never);
		break;
	case ATTACH_REFUSED:
		refused_begin();
		switch_to(&look);
		break;
	case ATTACH_NO_ROOM:
		refused_for_good();
		switch_to(&look);
		break;
	}
}

/* The program has shut itself in since: we stay where we are. */
static bool
may_look(void)
{
	if (!sandbox_closed())
		return (true);
	switch_to(&never);
	return (false);
}

/* Not while another node's collector is there and ours is not, say. */
static bool
look_is_due(void)
{
	const volatile uint32_t *word = PROBE_LOAD(&probe_switch);

	if (word == &look)
		return (refused_may_ask());
	return (wake == NULL || atomic_load(&tried) !=
				    (TRIED | atomic_load(&wake->generation)));
}

void
process_look(void)
{
	struct hold h;

	if (held_here ||
	    (!process_is_child() && process_serial() == 0 && !look_is_due()))
		return;
	hold(&h);
	if (process_gone())
		detach();
	if (attachment.segment == NULL && probe_switch != &never && may_look())
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

	/* a page that a child reads and then writes faults twice: written now,
	 * it is copied at once */
	(void)atomic_fetch_or(&life->state, LIFE_NONE);
	hold(&h); /* does it */
	let_go(&h);
}

static void
read_environment(void)
{
	const char *s = getenv("ORRERY_FULL");

	if (s != NULL && strncmp(s, "wait", 4) == 0) {
		full_wait_ms = 1000;
		if (s[4] == ':')
			full_wait_ms = (uint32_t)strtoul(s + 5, NULL, 10);
	}
}

/* Not if it is not wanted; with somebody else's privileges, not a word. */
static bool
is_wanted(void)
{
	const char *off = getenv("ORRERY");

	if (getauxval(AT_SECURE) != 0 || is_second())
		return (false);
	debug = getenv("ORRERY_DEBUG") != NULL;
	if (off != NULL && strcmp(off, "off") == 0) {
		process_debug("nothing is recorded:", "ORRERY=off");
		return (false);
	}
	if (!process_may_start())
		return (false);
	if (place_start())
		return (true);
	process_debug("cannot be used as the runtime directory:",
	    place_directory());
	return (false);
}

static void
start(void)
{
	struct life *own;
	struct hold h;

	hold(&h);
	read_environment();
	own = process_map(sizeof(*own), true);
	if (own != NULL) {
		atomic_store(&own->state, LIFE_OURS);
		life = own;
	}
	thread_start();
	pthread_atfork(NULL, NULL, after_fork_child);
	sandbox_start();
	switch_to(&look);
	atomic_store(&stage, STAGE_ACTIVE);
	if (process_attaches_first())
		attach_or_wait();
	let_go(&h);
}

bool
process_start(void)
{
	uint32_t now = atomic_load_explicit(&stage, memory_order_acquire);
	int saved_errno = errno;

	if (now == STAGE_NEW &&
	    atomic_compare_exchange_strong(&stage, &now, STAGE_STARTING)) {
		if (is_wanted())
			start();
		else
			atomic_store(&stage, STAGE_INERT);
		now = atomic_load(&stage);
		errno = saved_errno;
	}
	return (now == STAGE_ACTIVE);
}

__attribute__((constructor)) static void
process_constructor(void)
{
	(void)process_start();
}

/* What it could not say is told in a word, for which nobody waits. */
static void
say_unheard(void)
{
	struct hold h;

	hold(&h);
	if (attachment.segment == NULL && refused_sum() > 0 &&
	    !sandbox_closed())
		attach_unheard(refused_take());
	let_go(&h);
}

/* exit() and return from main; not relied upon. */
__attribute__((destructor)) static void
process_stop(void)
{
	struct ring_segment *s =
	    __atomic_load_n(&attachment.segment, __ATOMIC_ACQUIRE);

	if (atomic_load(&stage) != STAGE_ACTIVE || process_is_child())
		return;
	if (s == NULL) {
		if (refused_sum() > 0)
			say_unheard();
		return;
	}
	hooks_end();
	process_ends();
	/* counted just when another thread attached */
	atomic_fetch_add(&s->lost_no_ring, refused_take());
	atomic_store_explicit(&s->bye, 1, memory_order_release);
}

int
probe_attached(void)
{
	if (is_second())
		return (probe_first.attached());
	return (!process_is_child() && process_serial() != 0);
}

uint32_t
probe_po(void)
{
	if (is_second())
		return (probe_first.po());
	return (process_is_child() ? 0 : PROBE_LOAD(&attachment.po));
}

uint32_t
probe_node(void)
{
	if (is_second())
		return (probe_first.node());
	return (process_is_child() ? 0 : PROBE_LOAD(&attachment.node));
}

const char *
probe_node_name(void)
{
	if (is_second())
		return (probe_first.node_name());
	return (probe_attached() ? attachment.node_name : "");
}
