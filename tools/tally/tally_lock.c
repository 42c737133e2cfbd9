/*
 * Figures of locks, conditions and semaphores.
 *
 * A wait is said only when there is one, so what is waited for is contended.
 * A thread that takes a lock again holds it until it has given it up as often.
 * Who gives up what it has not been said to hold, such as a reader that did not
 * have to wait, does so for who has held it for longest.
 *
 * What is not given up is held until its holder's process ends, or until nobody
 * would be told: records of the thread are missing, or it makes none of locks.
 */
#include "tally_inside.h"

/* A lock in the hands of a thread, or waited for by it. */
struct tally_use {
	uint32_t lock, thread; /* indices */
	uint32_t function;     /* in which it was taken, index + 1 */
	uint32_t held;         /* so many times */
	bool waits;
	int64_t wait_mon_ns, held_mon_ns;
	struct tally_use *next; /* who has taken it later, and holds it */
	struct tally_use *also; /* of the same thread */
};

static enum tally_lock_sort
sort_of(unsigned kind)
{
	switch (kind) {
	case EV_cond_wait:
	case EV_cond_wake:
	case EV_cond_signal:
	case EV_cond_signalled:
		return (TALLY_CONDITION);
	case EV_sem_wait:
	case EV_sem_acquire:
	case EV_sem_post:
	case EV_sem_passed:
	case EV_sem_posted:
		return (TALLY_SEMAPHORE);
	default:
		return (TALLY_LOCK);
	}
}

/* Those that are not told apart have no id: one row for each sort. */
static struct tally_lock *
lock_of(struct tally *t, const struct event *e)
{
	struct tally_lock *lock;
	bool fresh;

	lock = tally_row(&t->inside->lock,
	    e->a != 0 ? e->a : UINT64_MAX - sort_of(e->kind), &t->locks,
	    &t->nlocks, sizeof(*lock), &fresh);
	if (lock == NULL)
		return (NULL);
	if (fresh) {
		lock->id = e->a;
		lock->sort = sort_of(e->kind);
	}
	if (lock->name == 0)
		lock->name = e->c;
	return (lock);
}

static struct tally_use *
use_of(struct tally *t, const struct event *e)
{
	struct tally_lock *lock = lock_of(t, e);
	struct tally_use *use;
	uint32_t row;
	bool fresh;

	if (lock == NULL)
		return (NULL);
	row = (uint32_t)(lock - t->locks);
	use = tally_thing(t->inside, &t->inside->uses,
	    tally_key(row, (uint32_t)t->inside->last_thread), sizeof(*use),
	    &fresh);
	if (use != NULL && fresh) {
		use->lock = row;
		use->thread = (uint32_t)t->inside->last_thread;
		use->also = t->threads[use->thread].uses;
		t->threads[use->thread].uses = use;
	}
	return (use);
}

static void
waited(struct tally *t, const struct tally_use *use, int64_t now)
{
	struct tally_lock *lock = &t->locks[use->lock];
	uint64_t ns = tally_span_ns(use->wait_mon_ns, now);

	lock->wait_ns += ns;
	if (ns > lock->longest_wait_ns)
		lock->longest_wait_ns = ns;
}

static void
was_held(struct tally *t, const struct tally_use *use, int64_t now)
{
	struct tally_lock *lock = &t->locks[use->lock];
	uint64_t ns = tally_span_ns(use->held_mon_ns, now);

	lock->hold_ns += ns;
	if (lock->holder != 0 && ns <= lock->longest_hold_ns)
		return; /* of equal ones the first */
	lock->longest_hold_ns = ns;
	lock->holder = t->threads[use->thread].location;
	lock->holder_mon_ns = use->held_mon_ns;
	lock->holder_in = use->function;
}

int
tally_lock_wait(struct tally *t, const struct event *e)
{
	struct tally_use *use = use_of(t, e);

	if (use == NULL)
		return (-1);
	use->waits = true;
	use->wait_mon_ns = e->t_mon_ns;
	return (0);
}

int
tally_lock_acquire(struct tally *t, const struct event *e)
{
	struct tally_use *use = use_of(t, e), **last;

	if (use == NULL)
		return (-1);
	t->locks[use->lock].acquisitions++;
	if (use->waits) {
		t->locks[use->lock].contended++;
		waited(t, use, e->t_mon_ns);
		use->waits = false;
	}
	if (sort_of(e->kind) != TALLY_LOCK || use->held++ > 0)
		return (0);
	use->held_mon_ns = e->t_mon_ns;
	use->function = tally_scope_function(tally_this(t));
	use->next = NULL;
	last = &t->locks[use->lock].holds;
	while (*last != NULL)
		last = &(*last)->next;
	*last = use;
	return (0);
}

/* So many times more, without a wait that would have been told. */
int
tally_lock_counted(struct tally *t, const struct event *e)
{
	struct tally_lock *lock = lock_of(t, e);

	if (lock == NULL)
		return (-1);
	if (e->kind == EV_lock_taken || e->kind == EV_sem_passed)
		lock->acquisitions += e->b;
	else
		lock->signals += e->b;
	return (0);
}

int
tally_lock_signal(struct tally *t, const struct event *e)
{
	struct tally_lock *lock = lock_of(t, e);

	if (lock == NULL)
		return (-1);
	lock->signals++;
	return (0);
}

/* The wait is over, and the thread has not got what it waited for. */
int
tally_lock_giveup(struct tally *t, const struct event *e)
{
	struct tally_use *use;

	if (e->a == 0 || intmap_find(&t->inside->lock, e->a) == NULL)
		return (0); /* its wait was not told */
	if ((use = use_of(t, e)) == NULL)
		return (-1);
	if (use->waits)
		waited(t, use, e->t_mon_ns);
	use->waits = false;
	return (0);
}

/* It is in nobody's hands, or in those of others, from then on. */
static void
let_go(struct tally *t, struct tally_use *use, int64_t now)
{
	struct tally_use **of = &t->locks[use->lock].holds;

	while (*of != use)
		of = &(*of)->next;
	*of = use->next;
	use->held = 0;
	was_held(t, use, now);
}

int
tally_lock_release(struct tally *t, const struct event *e)
{
	struct tally_use *use = use_of(t, e);

	if (use == NULL)
		return (-1);
	if (use->held == 0)
		use = t->locks[use->lock].holds;
	if (use == NULL || --use->held > 0)
		return (0);
	let_go(t, use, e->t_mon_ns);
	return (0);
}

void
tally_locks_lost(struct tally *t, const struct tally_thread *th)
{
	for (struct tally_use *use = th->uses; use != NULL; use = use->also) {
		if (use->waits)
			waited(t, use, th->last_mon_ns);
		use->waits = false;
		if (use->held > 0)
			let_go(t, use, th->last_mon_ns);
	}
}

static void
let_all_go(struct tally *t, const struct tally_thread *th, int64_t now)
{
	for (struct tally_use *use = th->uses; use != NULL; use = use->also)
		if (use->held > 0)
			let_go(t, use, now);
}

int
tally_lock_untold(struct tally *t, const struct event *e)
{
	uint64_t lock = UINT64_C(1) << CLASS_lock;
	bool muted = e->kind == EV_muted;
	int64_t po;

	if ((muted ? e->a & ~e->b & lock : e->b & ~e->a & lock) == 0)
		return (0);
	if (muted && e->c == 0) {
		let_all_go(t, tally_this(t), e->t_mon_ns);
		return (0);
	}
	if ((po = tally_po(t, e->location)) == -1)
		return (-1);
	for (size_t i = 0; i < t->nthreads; i++)
		if (tally_po(t, t->threads[i].location) == po)
			let_all_go(t, &t->threads[i], e->t_mon_ns);
	return (0);
}

/* With its process, or with the run. */
static int64_t
hold_ends(struct tally *t, const struct tally_use *use)
{
	const struct tally_thread *th = &t->threads[use->thread];
	int64_t po = tally_po(t, th->location), end = t->last_mon_ns;

	if (po != -1 && t->pos[po].ended)
		end = t->pos[po].end_mon_ns;
	return (end > th->last_mon_ns ? end : th->last_mon_ns);
}

void
tally_locks_end(struct tally *t)
{
	const struct intmap *m = &t->inside->uses;

	for (size_t i = 0; m->n > 0 && i <= m->mask; i++) {
		const struct tally_use *use = m->slot[i].p;
		int64_t end;

		if (use == NULL)
			continue;
		end = tally_thread_end(t, &t->threads[use->thread]);
		if (use->waits) {
			t->locks[use->lock].waiting++;
			waited(t, use, end);
		}
		if (use->held > 0) {
			t->locks[use->lock].held++;
			was_held(t, use, hold_ends(t, use));
		}
	}
}
