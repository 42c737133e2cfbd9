/*
 * Lanes of what threads wait for: a lock, which tells who holds it, and a
 * condition, a semaphore, a barrier or a collective operation, which tell how
 * many wait there.
 */
#include "events_inside.h"
#include "model/measured/eventlist.h"

/* The waits that have such a lane. */
static const struct {
	uint16_t event; /* by which they begin */
	uint8_t sort;
	bool named;
} syncs[] = {
	{ EV_cond_wait, SYNC_condition, true },
	{ EV_sem_wait, SYNC_semaphore, true },
	{ EV_barrier_enter, SYNC_barrier, false },
	{ EV_collective_enter, SYNC_collective, false },
	{ EV_rooted_enter, SYNC_collective, false },
};
#define SYNCS (sizeof(syncs) / sizeof(syncs[0]))

/* How each looks while somebody waits. */
static const uint8_t sync_class[SYNC_SORTS] = {
	[SYNC_condition] = LANE_wait_cond,
	[SYNC_semaphore] = LANE_wait_lock,
	[SYNC_barrier] = LANE_wait_sync,
	[SYNC_collective] = LANE_wait_sync,
};

/* Of this id; made, as the n-th, when it is new.  UINT32_MAX: it has none. */
static uint32_t
lane_by_id(struct model *m, struct idmap *map, struct lane *pub, uint32_t *n)
{
	uint32_t lane = idmap_find(map, pub->object);

	if (fetched_of(m)->whole != NULL)
		return (lane != IDMAP_NONE && lane < model_lanes(m)
			    ? lane
			    : UINT32_MAX);
	if (lane != IDMAP_NONE)
		return (lane);
	if (*n >= LOCK_LANES_MAX)
		return (UINT32_MAX);
	pub->thread = *n;
	pub->parent = group_lane(m, &objects_of(m)->locks_lane, 1);
	if (pub->parent == UINT32_MAX)
		return (UINT32_MAX);
	lane = lane_add(m, pub, 1);
	if (lane == UINT32_MAX ||
	    idmap_add(map, pub->object, lane, &held_of(m)->retired,
		&held_of(m)->bytes) == -1)
		return (UINT32_MAX);
	++*n;
	return (lane);
}

static uint32_t
lock_lane(struct model *m, const struct event *e)
{
	struct lane pub = { .kind = LANE_LOCK, .object = e->a, .name = e->c };
	struct objects *o = objects_of(whole_of(m));

	return (lane_by_id(m, &o->lock_map, &pub, &o->nlocks));
}

/*
 * Is it that of a block in which the thread is, or was last?  Regions of OpenMP
 * have one each, which is no thing of its own: there may be thousands.
 */
static bool
is_of_block(const struct location *l, const struct event *e)
{
	bool it_is = l->last_block == e->a;

	for (uint32_t i = 0; i < l->top && !it_is; i++)
		it_is =
		    l->stack[i].span == SPAN_block && l->stack[i].id == e->a;
	return (it_is);
}

uint32_t
wait_lane(struct model *m, const struct location *l, const struct event *e)
{
	struct lane pub = { .kind = LANE_SYNC, .object = e->a };
	struct objects *o = objects_of(whole_of(m));
	size_t i = 0;

	if (e->kind == EV_lock_wait)
		return (lock_lane(m, e));
	while (i < SYNCS && syncs[i].event != e->kind)
		i++;
	if (i == SYNCS || e->a == 0 ||
	    (e->kind == EV_barrier_enter && is_of_block(l, e)))
		return (UINT32_MAX);
	pub.depth = syncs[i].sort;
	pub.name = syncs[i].named ? e->c : 0;
	return (lane_by_id(m, &o->sync_map[pub.depth], &pub,
	    &o->nsyncs[pub.depth]));
}

/*
 * How many wait is what the lane's last change says: so a checkpoint has it,
 * and it is what the threads' spans are, whatever has ended those.
 */
void
wait_lane_count(struct model *m, uint32_t lane, int64_t t, int by)
{
	const struct lane_data *d;
	const struct lod *lod;
	uint32_t n = 0;

	if (lane >= model_lanes(m) ||
	    (d = lane_at(m, lane))->pub.kind != LANE_SYNC)
		return;
	lod = atomic_load_explicit(&d->lod, memory_order_relaxed);
	if (!lod_empty(lod))
		lod_last(lod, &n);
	if (by < 0 && n == 0)
		return;
	n = by < 0 ? n - 1 : n + 1;
	if (n == 0)
		lane_change(m, lane, t, lane_state(m, LANE_idle, 0, 0, 0), 0);
	else
		lane_change(m, lane, t,
		    lane_state(m, sync_class[d->pub.depth], 0, d->pub.name,
			by > 0),
		    n);
}

/* How many wait for that condition. */
static uint32_t
waiting(const struct model *m, uint64_t condition)
{
	const struct objects *o = objects_of(whole_of(m));
	uint32_t lane = idmap_find(&o->sync_map[SYNC_condition], condition);
	const struct lod *lod;
	uint32_t n = 0;

	if (lane == IDMAP_NONE || lane >= model_lanes(m))
		return (0);
	lod =
	    atomic_load_explicit(&lane_at(m, lane)->lod, memory_order_relaxed);
	if (!lod_empty(lod))
		lod_last(lod, &n);
	return (n);
}

/* --- who holds a lock: its own lane, and one more for each further holder ---
 */

/* Lanes of the first, and of who holds it beside others. */
static uint32_t
next_holder(const struct model *m, uint32_t lock, uint32_t lane)
{
	uint32_t next = lane == lock
			    ? model_lane_first_child(whole_of(m), lock)
			    : model_lane_next_sibling(whole_of(m), lane);

	return (next < model_lanes(m) ? next : UINT32_MAX);
}

static bool
is_held(const struct model *m, const struct lane_data *d)
{
	return (d->turn > 0 && d->holder < model_lanes(m));
}

/* The thread that holds it; NULL: there is none. */
static struct location *
holder_of(struct model *m, const struct lane_data *d)
{
	return (is_held(m, d) ? chunk_at(&defs_of(m)->locations,
				    lane_at(m, d->holder)->pub.location)
			      : NULL);
}

/* Its holder's no more. */
static void
hold_ends(struct model *m, struct lane_data *d)
{
	struct location *l = holder_of(m, d);

	if (l != NULL && l->holds > 0)
		l->holds--;
	d->turn = 0;
}

/* Where this thread holds it; UINT32_MAX: it does not. */
static uint32_t
held_by(const struct model *m, uint32_t lock, uint32_t thread)
{
	const struct lane_data *d;

	for (uint32_t i = lock; i != UINT32_MAX; i = next_holder(m, lock, i)) {
		d = lane_at(m, i);
		if (d->holder == thread && is_held(m, d))
			return (i);
	}
	return (UINT32_MAX);
}

/* The one that has been held for longest; UINT32_MAX: nobody holds it. */
static uint32_t
held_longest(const struct model *m, uint32_t lock)
{
	uint32_t found = UINT32_MAX;
	const struct lane_data *d;

	for (uint32_t i = lock; i != UINT32_MAX; i = next_holder(m, lock, i)) {
		d = lane_at(m, i);
		if (is_held(m, d) &&
		    (found == UINT32_MAX ||
			d->held_ns < lane_at(m, found)->held_ns))
			found = i;
	}
	return (found);
}

/* For one more holder; beyond so many the last one gives way. */
static uint32_t
holder_lane(struct model *m, uint32_t lock)
{
	struct lane pub = lane_at(m, lock)->pub;
	uint32_t n = 0, last = lock;

	for (uint32_t i = lock; i != UINT32_MAX; i = next_holder(m, lock, i)) {
		if (!is_held(m, lane_at(m, i)))
			return (i);
		last = i;
		n++;
	}
	if (n >= LOCK_HOLDERS_MAX || fetched_of(m)->whole != NULL)
		return (last);
	pub.parent = lock;
	pub.depth = (uint16_t)n;
	last = lane_add(m, &pub, 1);
	return (last == UINT32_MAX ? lock : last);
}

/* Nobody is known to hold it from t on; class lost: but somebody may. */
static void
show_free(struct model *m, uint32_t lane, int64_t t, uint8_t class)
{
	lane_change(m, lane, t, lane_state(m, class, 0, 0, 0), 0);
}

/* Something is told of the lock: where nobody knew of it, it is free. */
static void
is_told(struct model *m, uint32_t lock, int64_t t)
{
	const struct lane_data *d = lane_at(m, lock);
	const struct lod *lod = atomic_load(&d->lod);
	uint32_t id;

	if (!is_held(m, d) && !lod_empty(lod) &&
	    lanes_of(m)->states[lod_last(lod, &id)].class == LANE_lost)
		show_free(m, lock, t, LANE_idle);
}

static void
lock_taken(struct model *m, struct location *l, uint32_t lock,
    const struct event *e)
{
	uint32_t lane = held_by(m, lock, l->lane);
	struct lane_data *d;

	if (lane != UINT32_MAX) {
		d = lane_at(m, lane);
		d->turn += d->turn < UINT8_MAX;
		return;
	}
	lane = holder_lane(m, lock);
	d = lane_at(m, lane);
	hold_ends(m, d);
	d->turn = 1;
	d->holder = l->lane;
	l->holds++;
	lane_change(m, lane, e->t_mon_ns,
	    lane_state(m, LANE_running, 0, e->c, 1), l->lane + 1);
	/* as a checkpoint has it: a late one is not before the last change */
	d->held_ns = lod_last_ns(atomic_load(&d->lod));
}

static void
lock_given_up(struct model *m, const struct location *l, uint32_t lock,
    const struct event *e)
{
	uint32_t lane = held_by(m, lock, l->lane);
	struct lane_data *d;

	if (lane == UINT32_MAX)
		lane = held_longest(m, lock);
	if (lane == UINT32_MAX)
		return;
	d = lane_at(m, lane);
	if (d->turn > 1) {
		d->turn--;
		return;
	}
	hold_ends(m, d);
	show_free(m, lane, e->t_mon_ns, LANE_idle);
}

/*
 * A signal for which nobody waits is lost, and marked.
 *
 * Whoever has a lock may take it again, and then gives it up as often.  Who
 * gives it up without having been said to hold it, such as a reader that did
 * not have to wait, does so for who has held it for longest.
 */
void
lock_event(struct model *m, struct location *l, const struct event *e)
{
	uint32_t lock;

	if (e->kind == EV_cond_signal && waiting(m, e->a) == 0)
		mark_add(m, l->lane, e);
	if (e->kind >= EV_lock_taken && e->kind <= EV_cond_signalled)
		event_list_add(m, lock_counts_of(m), e);
	if ((e->kind != EV_lock_acquire && e->kind != EV_lock_release) ||
	    (lock = lock_lane(m, e)) == UINT32_MAX)
		return;
	is_told(m, lock, e->t_mon_ns);
	if (e->kind == EV_lock_acquire)
		lock_taken(m, l, lock, e);
	else
		lock_given_up(m, l, lock, e);
}

void
lock_is_held(struct model *m, uint32_t lane)
{
	const struct lane_data *d = lane_at(m, lane);
	struct location *l;

	if (d->pub.kind == LANE_LOCK && (l = holder_of(m, d)) != NULL)
		l->holds++;
}

void
locks_let_go(struct model *m, const struct location *l, int64_t t, bool untold)
{
	uint32_t lock, lane;

	if (l == NULL || l->holds == 0)
		return;
	lock = model_lane_first_child(whole_of(m),
	    objects_of(whole_of(m))->locks_lane);
	for (; lock < model_lanes(m) && l->holds > 0;
	     lock = model_lane_next_sibling(whole_of(m), lock)) {
		if (lane_at(m, lock)->pub.kind != LANE_LOCK ||
		    (lane = held_by(m, lock, l->lane)) == UINT32_MAX)
			continue;
		hold_ends(m, lane_at(m, lane));
		show_free(m, lane, t, LANE_idle);
		if (untold && !is_held(m, lane_at(m, lock)))
			show_free(m, lock, t, LANE_lost);
	}
}

void
locks_untold(struct model *m, const struct location *l, const struct event *e)
{
	uint64_t lock = UINT64_C(1) << CLASS_lock;
	uint32_t lane = l->lane;

	if ((e->kind == EV_muted ? e->a & ~e->b & lock : e->b & ~e->a & lock) ==
	    0)
		return;
	if (e->kind == EV_muted && e->c == 0) {
		locks_let_go(m, l, e->t_mon_ns, true);
		return;
	}
	if (l->runs)
		lane = lane_at(m, lane)->pub.parent;
	for (lane = model_lane_first_child(m, lane); lane < model_lanes(m);
	     lane = model_lane_next_sibling(m, lane))
		if (lane_at(m, lane)->pub.kind == LANE_THREAD)
			locks_let_go(m,
			    chunk_at(&defs_of(m)->locations,
				lane_at(m, lane)->pub.location),
			    e->t_mon_ns, true);
}
