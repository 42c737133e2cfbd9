/*
 * A lock at an instant: who holds it, in which function, since when, and who
 * waits for it; of a condition and the like, who waits.  Its lane keeps the
 * holder with each hold, each wait keeps the lock; the rest is asked of the
 * threads.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

static bool
waits_at(const struct span *s)
{
	return (s->kind == SPAN_wait_lock || s->kind == SPAN_wait_sync);
}

static void
find_waiters(const struct model *m, int64_t t, struct lock_then *k)
{
	struct span s;

	for (uint32_t i = 0; i < model_lanes(m); i++) {
		if (model_lane(m, i)->kind != LANE_THREAD ||
		    model_lane_span_at(m, i, t, &s) != 1 || !waits_at(&s) ||
		    s.id != (uint64_t)k->lock + 1)
			continue;
		if (k->nwaiters < LOCK_WAITERS)
			k->waiter[k->nwaiters] = i;
		k->nwaiters++;
	}
}

/* Of a lock, or a lane of a further holder: its own. */
static uint32_t
lock_of(const struct model *m, uint32_t lane)
{
	const struct lane *l = model_lane(m, lane);

	return (l->kind == LANE_LOCK && l->depth > 0 ? l->parent : lane);
}

size_t
lock_holders(const struct model *m, uint32_t lock, int64_t t,
    struct lock_holder *v, size_t max)
{
	uint32_t next = model_lane_first_child(m, lock);
	struct span hold;
	size_t n = 0, k;

	for (uint32_t i = lock; i < model_lanes(m);
	     i = next, next = next == UINT32_MAX
				  ? next
				  : model_lane_next_sibling(m, next)) {
		if (model_lane_span_at(m, i, t, &hold) != 1 || hold.id == 0 ||
		    hold.id > model_lanes(m))
			continue;
		for (k = n < max ? n
				 : max; /* of as many as there is room for */
		     k > 0 && v[k - 1].since_mon_ns > hold.t0_mon_ns; k--)
			if (k < max)
				v[k] = v[k - 1];
		if (k < max)
			v[k] = (struct lock_holder){ (uint32_t)hold.id - 1,
				hold.t0_mon_ns };
		n++;
	}
	return (n);
}

static void
find_holders(const struct model *m, int64_t t, struct lock_then *k)
{
	struct lock_holder v[LOCK_WAITERS];
	struct span own;

	k->nholders = (uint32_t)lock_holders(m, k->lock, t, v, LOCK_WAITERS);
	for (uint32_t i = 0; i < k->nholders && i < LOCK_WAITERS; i++)
		k->holds[i] = v[i].lane;
	if (k->nholders == 0) {
		k->untold = model_lane_span_at(m, k->lock, t, &own) == 1 &&
			    own.class == LANE_lost;
		k->since_mon_ns = k->untold ? own.t0_mon_ns : 0;
		return;
	}
	k->holder = v[0].lane;
	k->since_mon_ns = v[0].since_mon_ns;
	k->in = model_call_at(m, k->holder, k->since_mon_ns);
}

static int
by_lock(const void *a, const void *b)
{
	const struct lock_wait *x = a, *y = b;

	if (x->lock != y->lock)
		return (x->lock < y->lock ? -1 : 1);
	return ((x->lane > y->lane) - (x->lane < y->lane));
}

struct lock_wait *
lock_waits(const struct model *m, int64_t t, size_t *n)
{
	struct lock_wait *v = NULL, *more;
	size_t room = 0;
	struct span s;

	*n = 0;
	for (uint32_t i = 0; i < model_lanes(m); i++) {
		if (model_lane(m, i)->kind != LANE_THREAD ||
		    model_lane_span_at(m, i, t, &s) != 1 || !waits_at(&s) ||
		    s.id == 0)
			continue;
		if (*n == room) {
			room = room == 0 ? 64 : 2 * room;
			more = realloc(v, room * sizeof(*v));
			if (more == NULL)
				break;
			v = more;
		}
		v[(*n)++] = (struct lock_wait){ (uint32_t)s.id - 1, i };
	}
	if (*n > 0)
		qsort(v, *n, sizeof(*v), by_lock);
	return (v);
}

bool
lock_now(const struct ui *ui, uint32_t lock, int64_t t,
    const struct lock_wait *v, size_t n, struct lock_then *k)
{
	unsigned kind = model_lane(ui->model, lock)->kind;
	size_t from = 0, past = n, mid;

	if (kind != LANE_LOCK && kind != LANE_SYNC)
		return (false);
	*k = (struct lock_then){ .lock = lock_of(ui->model, lock),
		.holder = UINT32_MAX,
		.held = kind == LANE_LOCK };
	if (k->held)
		find_holders(ui->model, t, k);
	while (from < past) {
		mid = from + (past - from) / 2;
		if (v[mid].lock < k->lock)
			from = mid + 1;
		else
			past = mid;
	}
	for (; from < n && v[from].lock == k->lock; from++) {
		if (k->nwaiters < LOCK_WAITERS)
			k->waiter[k->nwaiters] = v[from].lane;
		k->nwaiters++;
	}
	return (true);
}

bool
lock_then(const struct ui *ui, uint32_t lane, const struct span *s, int64_t t,
    struct lock_then *k)
{
	const struct model *m = ui->model;
	unsigned kind = model_lane(m, lane)->kind;
	bool held = kind == LANE_LOCK || kind == LANE_SYNC;

	if (!held && (s == NULL || !waits_at(s)))
		return (false);
	*k = (struct lock_then){ .lock = held ? lock_of(m, lane)
					      : (uint32_t)s->id - 1,
		.holder = UINT32_MAX };
	if (k->lock >= model_lanes(m))
		return (false); /* a join, a sleep, or one lock too many */
	k->held = model_lane(m, k->lock)->kind == LANE_LOCK;
	if (k->held)
		find_holders(m, t, k);
	if (held && s != NULL && s->t1_mon_ns != INT64_MAX)
		t = s->t1_mon_ns - 1; /* all who came while it was held */
	find_waiters(m, t, k);
	return (true);
}

/* "3: worker-1, worker-4, worker-2" */
static void
put_names(const struct model *m, const uint32_t *lane, uint32_t lanes,
    char *buf, size_t n)
{
	size_t at = (size_t)snprintf(buf, n, "%" PRIu32, lanes);
	char name[96];

	for (uint32_t i = 0; i < lanes && i < LOCK_WAITERS && at < n; i++)
		at += (size_t)snprintf(buf + at, n - at, "%s %s",
		    i == 0 ? ":" : ",",
		    label_lane(m, model_lane(m, lane[i]), name, sizeof(name)));
	if (lanes > LOCK_WAITERS && at < n)
		snprintf(buf + at, n - at, ", ...");
}

const char *
lock_words(const struct ui *ui, const struct lock_then *k, unsigned i,
    char *buf, size_t n)
{
	const struct model *m = ui->model;
	uint32_t line = 0;
	const char *file, *base;
	char when[40];

	switch (k->held ? i : i + 3) {
	case 0:
		if (k->untold)
			snprintf(buf, n, "not told");
		else if (k->holder == UINT32_MAX)
			snprintf(buf, n, "nobody");
		else if (k->nholders > 1)
			put_names(m, k->holds, k->nholders, buf, n);
		else
			label_where(ui, k->holder, INT64_MIN, buf, n);
		return ("held by");
	case 1:
		snprintf(buf, n, "%s", k->in != 0 ? label_name(m, k->in) : "-");
		file = model_name_place(m, k->in, &line);
		if (k->in == 0 || file == NULL || file[0] == '\0')
			return ("held in");
		base = strrchr(file, '/');
		snprintf(buf + strlen(buf), n - strlen(buf), ", %s:%" PRIu32,
		    base != NULL ? base + 1 : file, line);
		return ("held in");
	case 2:
		snprintf(buf, n, "%s",
		    k->holder == UINT32_MAX && !k->untold
			? "-"
			: run_time(ui, k->since_mon_ns, 1000, when,
			      sizeof(when)));
		return (k->untold ? "not told since" : "held since");
	case 3:
		put_names(m, k->waiter, k->nwaiters, buf, n);
		return ("waiting");
	default:
		return (NULL);
	}
}
