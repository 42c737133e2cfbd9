/* See holds.h. */
#include "tools/export/holds.h"

#include <stdlib.h>

#include "intmap.h"

struct hold {
	struct hold *next; /* taken later */
	int64_t from_mon_ns;
	uint32_t location, name, times;
};

struct lock {
	uint64_t id;
	struct hold *first; /* who has it, in turn */
};

struct holds {
	const struct defs *defs;
	void (*tell)(void *arg, const struct story_hold *);
	void *arg;
	struct intmap locks;
	size_t held; /* of all of them */
};

struct holds *
holds_new(const struct defs *defs,
    void (*tell)(void *arg, const struct story_hold *), void *arg)
{
	struct holds *h = calloc(1, sizeof(*h));

	if (h != NULL)
		*h = (struct holds){ .defs = defs, .tell = tell, .arg = arg };
	return (h);
}

static void
hold_over(struct holds *h, const struct lock *lock, struct hold **at, int64_t t)
{
	struct hold *gone = *at;
	struct story_hold told = { .lock = lock->id,
		.location = gone->location,
		.name = gone->name,
		.from_mon_ns = gone->from_mon_ns,
		.to_mon_ns = t };

	*at = gone->next;
	free(gone);
	h->held--;
	if (h->tell != NULL)
		h->tell(h->arg, &told);
}

void
holds_free(struct holds *h)
{
	if (h == NULL)
		return;
	h->tell = NULL;
	holds_end(h, 0);
	for (size_t i = 0; h->locks.n > 0 && i <= h->locks.mask; i++)
		free(h->locks.slot[i].p);
	intmap_free(&h->locks);
	free(h);
}

static struct lock *
lock_of(struct holds *h, uint64_t id)
{
	struct lock *lock = intmap_find(&h->locks, id);

	if (lock != NULL)
		return (lock);
	if (intmap_reserve(&h->locks) == -1 ||
	    (lock = calloc(1, sizeof(*lock))) == NULL)
		return (NULL);
	lock->id = id;
	intmap_put(&h->locks, id, lock);
	return (lock);
}

static int
acquire(struct holds *h, const struct event *e)
{
	struct lock *lock = lock_of(h, e->a);
	struct hold **at;

	if (lock == NULL)
		return (-1);
	for (at = &lock->first; *at != NULL; at = &(*at)->next)
		if ((*at)->location == e->location) {
			(*at)->times++;
			return (0);
		}
	if ((*at = calloc(1, sizeof(**at))) == NULL)
		return (-1);
	**at = (struct hold){ .from_mon_ns = e->t_mon_ns,
		.location = e->location,
		.name = e->c,
		.times = 1 };
	h->held++;
	return (0);
}

static void
release(struct holds *h, const struct event *e)
{
	struct lock *lock = intmap_find(&h->locks, e->a);
	struct hold **at;

	if (lock == NULL || lock->first == NULL)
		return;
	for (at = &lock->first; *at != NULL; at = &(*at)->next)
		if ((*at)->location == e->location)
			break;
	if (*at == NULL)
		at = &lock->first;
	if (--(*at)->times == 0)
		hold_over(h, lock, at, e->t_mon_ns);
}

/* Those of a thread; or of its process, whole; 0: of all. */
static void
let_go(struct holds *h, uint32_t location, bool whole, int64_t t)
{
	const struct def_thread *of = defs_thread(h->defs, location), *by;
	struct lock *lock;

	for (size_t i = 0; h->held > 0 && i <= h->locks.mask; i++) {
		if ((lock = h->locks.slot[i].p) == NULL)
			continue;
		for (struct hold **at = &lock->first; *at != NULL;) {
			by = defs_thread(h->defs, (*at)->location);
			if (location == 0 || (*at)->location == location ||
			    (whole && of != NULL && by != NULL &&
				of->node == by->node && of->po == by->po))
				hold_over(h, lock, at, t);
			else
				at = &(*at)->next;
		}
	}
}

int
holds_event(struct holds *h, const struct event *e, int64_t before_mon_ns)
{
	const uint64_t lock = UINT64_C(1) << CLASS_lock;

	switch (e->kind) {
	case EV_lock_acquire:
		return (acquire(h, e));
	case EV_lock_release:
		release(h, e);
		break;
	case EV_lost:
		if (e->location != 0)
			let_go(h, e->location, false, before_mon_ns);
		break;
	case EV_po_end:
		if (e->location != 0)
			let_go(h, e->location, true, e->t_mon_ns);
		break;
	case EV_choice:
		if ((e->b & ~e->a & lock) != 0)
			let_go(h, e->location, true, e->t_mon_ns);
		break;
	case EV_muted:
		if ((e->a & ~e->b & lock) != 0)
			let_go(h, e->location, e->c != 0, e->t_mon_ns);
		break;
	default:
		break;
	}
	return (0);
}

void
holds_end(struct holds *h, int64_t t_mon_ns)
{
	let_go(h, 0, true, t_mon_ns);
}
