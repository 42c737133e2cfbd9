/*
 * See tree_levels.h.  Parents have lower numbers than their children, so one
 * pass upwards tells each task its nearest one.  Where a parent came late, what
 * is above a task is looked at first; then the order is put right in the end.
 */
#include "model/levels/tree_levels.h"

#include <stdlib.h>
#include <string.h>

#include "model/levels/tree_bands.h"
#include "model/tree/tree_forget.h"

#define NEAR_UNKNOWN (UINT32_MAX - 1)

/* Of a place, or that it is not known. */
static inline uint32_t
near_at(const struct tree_levels *l, uint32_t place)
{
	if (place < l->near_cap && l->near[place] == NEAR_UNKNOWN)
		return (NEAR_UNKNOWN);
	return (tree_levels_at(l, place));
}

static inline void
near_put(struct tree_levels *l, uint32_t place, uint32_t near)
{
	if (place < l->near_cap)
		l->near[place] = near;
}

struct pass {
	struct tree_levels *l;
	const struct model *m;
	const uint32_t *value;
	uint32_t nvalues;
};

static inline uint32_t
value_of(const struct pass *p, uint32_t level)
{
	return (level < p->nvalues ? p->value[level] : UINT32_MAX);
}

/* How many of a summary's tasks are kept, and the sum of their values. */
static uint32_t
summed(const struct pass *p, const struct task_sums *s, uint32_t level,
    uint64_t *sum)
{
	uint32_t n = 0, v, tasks;

	*sum = 0;
	for (uint32_t d = 0; d < s->levels; d++) {
		v = value_of(p, level + d);
		tasks = SEE(s->level[s->levels - 1 - d]);
		if (v == UINT32_MAX)
			continue;
		n += tasks;
		*sum += (uint64_t)v * tasks;
	}
	return (n);
}

/* Returns its number, or NEAR_UNKNOWN: no memory. */
static uint32_t
keep(struct tree_levels *l, const struct kept_task *k)
{
	uint32_t cap = l->kept_cap == 0 ? 1024 : l->kept_cap * 2;
	struct kept_task *kept;

	if (l->nkept == l->kept_cap) {
		kept = realloc(l->kept, cap * sizeof(*kept));
		if (kept == NULL)
			return (NEAR_UNKNOWN);
		l->kept = kept;
		l->kept_cap = cap;
	}
	if (l->nkept > 0 && l->kept[l->nkept - 1].task > k->task)
		l->unsorted = true;
	l->kept[l->nkept] = *k;
	return (l->nkept++);
}

/* A task below the kept one `up`; returns what its own nearest one is. */
static uint32_t
place_task(const struct pass *p, uint32_t task, uint32_t level, uint32_t up,
    const struct task_sums *s)
{
	uint32_t v = value_of(p, level);
	struct kept_task k = { .task = task,
		.up = up,
		.size = v != UINT32_MAX,
		.sum = v != UINT32_MAX ? v : 0,
		.first = KEPT_NONE,
		.last = KEPT_NONE,
		.next = KEPT_NONE };
	uint32_t tasks = 1;

	if (s != NULL) {
		tasks = s->tasks;
		k.size = summed(p, s, level, &k.sum);
	}
	if (k.size == 0) {
		if (up != KEPT_NONE)
			p->l->kept[up].absorbed += tasks;
		return (up);
	}
	k.absorbed = tasks - k.size;
	return (keep(p->l, &k));
}

static uint32_t
near_of(const struct pass *p, uint32_t task)
{
	uint32_t up = model_task_parent(p->m, task), above = KEPT_NONE, near;
	struct task_sums s;

	if (up != TASK_NONE)
		above = near_at(p->l, model_task_place(p->m, up));
	above = above == NEAR_UNKNOWN ? KEPT_NONE : above;
	near = place_task(p, task, task_level(p->m, task), above,
	    model_task_sums(p->m, task, &s) ? &s : NULL);
	near_put(p->l, model_task_place(p->m, task), near);
	return (near);
}

/* All above a task that are not known yet, from the uppermost down. */
static int
place_above(const struct pass *p, uint32_t task)
{
	struct tree_levels *l = p->l;
	uint32_t n = 0, cap, *path;

	for (; task != TASK_NONE &&
	       near_at(l, model_task_place(p->m, task)) == NEAR_UNKNOWN;
	     task = model_task_parent(p->m, task)) {
		if (n == l->path_cap) {
			cap = n * 2 + 64;
			path = realloc(l->path, cap * sizeof(*path));
			if (path == NULL)
				return (-1);
			l->path = path;
			l->path_cap = cap;
		}
		l->path[n++] = task;
	}
	while (n-- > 0)
		if (near_of(p, l->path[n]) == NEAR_UNKNOWN)
			return (-1);
	return (0);
}

/* The pass over tasks from..to, piece by piece. */
static int
place_tasks(const struct pass *p, uint32_t from, uint32_t to)
{
	uint32_t k, at, up, above, near;
	const struct task_piece *piece = NULL, *other;
	struct task_sums sums, *s;
	bool late = model_tree_generation(p->m) != 0;
	const uint32_t *end = NULL;

	for (uint32_t i = from; i < to; i++) {
		if (piece == NULL || i % PIECE_TASKS == 0) {
			piece = piece_of(p->m, i);
			end = atomic_load(&piece->end);
		}
		k = rank_in(piece, i);
		if (piece->rank != NULL && k == piece->rank->n)
			continue; /* it was given up */
		at = piece->first + k;
		if (late && near_at(p->l, at) != NEAR_UNKNOWN)
			continue;
		above = KEPT_NONE;
		up = SEE(piece->hot[k].parent);
		if (up != TASK_NONE) {
			other =
			    (up ^ i) < PIECE_TASKS ? piece : piece_of(p->m, up);
			above =
			    near_at(p->l, other->first + rank_in(other, up));
			if (late && above == NEAR_UNKNOWN) {
				if (place_above(p, i) == -1)
					return (-1);
				continue;
			}
		}
		s = NULL;
		if (end != NULL && SEE(end[k]) == END_SUMMARY)
			s = model_task_sums(p->m, i, &sums) ? &sums : NULL;
		near = place_task(p, i, task_level_in(piece, k), above, s);
		if (near == NEAR_UNKNOWN)
			return (-1);
		near_put(p->l, at, near);
	}
	return (0);
}

static int
by_task(const void *a, const void *b)
{
	const struct kept_task *x = a, *y = b;

	return ((x->task > y->task) - (x->task < y->task));
}

/* By number, whatever came late. */
static void
put_in_order(struct tree_levels *l, uint32_t places)
{
	uint32_t *near = l->near;

	/* who is above is told by his task while they move */
	for (uint32_t i = 0; i < l->nkept; i++)
		l->kept[i].next = l->kept[i].up == KEPT_NONE
				      ? TASK_NONE
				      : l->kept[l->kept[i].up].task;
	for (uint32_t t = 0; t < places; t++)
		if (near[t] < l->nkept)
			near[t] = l->kept[near[t]].task;
	qsort(l->kept, l->nkept, sizeof(*l->kept), by_task);
	for (uint32_t t = 0; t < places; t++) {
		struct kept_task key = { .task = near[t] }, *found;

		found = near[t] == KEPT_NONE ? NULL
					     : bsearch(&key, l->kept, l->nkept,
						   sizeof(key), by_task);
		near[t] =
		    found == NULL ? KEPT_NONE : (uint32_t)(found - l->kept);
	}
	for (uint32_t i = 0; i < l->nkept; i++) {
		struct kept_task key = { .task = l->kept[i].next }, *found;

		found = l->kept[i].next == TASK_NONE
			    ? NULL
			    : bsearch(&key, l->kept, l->nkept, sizeof(key),
				  by_task);
		l->kept[i].up =
		    found == NULL ? KEPT_NONE : (uint32_t)(found - l->kept);
		l->kept[i].next = KEPT_NONE;
	}
	l->unsorted = false;
}

/* Kept tasks from.. are hung behind their siblings. */
static void
hang_kept(struct tree_levels *l, uint32_t from)
{
	uint32_t up, *first, *last;

	if (from == 0)
		l->first = l->last = KEPT_NONE;
	for (uint32_t i = from; i < l->nkept; i++) {
		up = l->kept[i].up;
		first = up == KEPT_NONE ? &l->first : &l->kept[up].first;
		last = up == KEPT_NONE ? &l->last : &l->kept[up].last;
		if (*last == KEPT_NONE)
			*first = i;
		else
			l->kept[*last].next = i;
		*last = i;
	}
}

/* All at once, the last first: parents come before their children. */
static void
add_up_all(struct tree_levels *l)
{
	struct kept_task *k, *up;

	for (uint32_t i = l->nkept; i-- > 0;) {
		k = &l->kept[i];
		if (k->up == KEPT_NONE) {
			l->size += k->size;
			l->sum += k->sum;
			continue;
		}
		up = &l->kept[k->up];
		up->size += k->size;
		up->sum += k->sum;
	}
}

/* Each is told to all above it: those have had their own part before. */
static int
add_up_each(struct tree_levels *l, uint32_t from)
{
	uint32_t n = l->nkept - from;
	struct kept_task *own = malloc((n + 1) * sizeof(*own)), *up;

	if (own == NULL)
		return (-1);
	memcpy(own, l->kept + from, n * sizeof(*own));
	for (uint32_t i = 0; i < n; i++) {
		l->size += own[i].size;
		l->sum += own[i].sum;
		for (uint32_t a = own[i].up; a != KEPT_NONE; a = up->up) {
			up = &l->kept[a];
			up->size += own[i].size;
			up->sum += own[i].sum;
		}
	}
	free(own);
	return (0);
}

static int
near_reserve(struct tree_levels *l, uint32_t n)
{
	uint32_t cap = n + n / 4 + 1024, *near;

	if (n <= l->near_cap)
		return (0);
	near = realloc(l->near, cap * sizeof(*near));
	if (near == NULL)
		return (-1);
	l->near = near;
	l->near_cap = cap;
	return (0);
}

/* What the pass asks of each task's level. */
static int
values_make(struct tree_levels *l, const struct kept_levels *k)
{
	uint32_t n = k->n == 0 ? 0 : k->level[k->n - 1] + 1, *v;

	if (n > l->value_cap) {
		v = realloc(l->value, (n + n / 2) * sizeof(*v));
		if (v == NULL)
			return (-1);
		l->value = v;
		l->value_cap = n + n / 2;
	}
	if (n > 0)
		memset(l->value, 0xff, n * sizeof(*l->value));
	for (uint32_t i = 0; i < k->n; i++)
		l->value[k->level[i]] = k->value0 + i;
	return (0);
}

static int
update_by_pass(struct tree_levels *l, const struct model *m,
    const struct kept_levels *k)
{
	struct pass p = { l, m, NULL, 0 };
	uint32_t n = model_tasks(m), places = model_task_places(m), from;
	bool anew = l->ntasks == 0, late = model_tree_generation(m) != 0;

	if (anew) {
		l->nkept = l->size = 0;
		l->sum = 0;
	}
	if ((anew && values_make(l, k) == -1) ||
	    near_reserve(l, places + 1) == -1)
		return (-1);
	p.value = l->value;
	p.nvalues = k->n == 0 ? 0 : k->level[k->n - 1] + 1;
	from = l->nkept;
	for (uint32_t i = anew ? 0 : model_task_place(m, l->ntasks - 1) + 1;
	     late && i < places; i++)
		near_put(l, i, NEAR_UNKNOWN);
	if (place_tasks(&p, l->ntasks, n) == -1) {
		l->ntasks = 0;
		return (-1);
	}
	if (l->unsorted)
		put_in_order(l, places);
	hang_kept(l, from);
	l->ntasks = n;
	if (anew && !late)
		add_up_all(l);
	else if (add_up_each(l, from) == -1)
		l->ntasks = 0;
	return (l->ntasks == 0 ? -1 : 0);
}

/* Are they, and is each task below one with a lower number? */
static bool
may_be_banded(const struct model *m, const struct kept_levels *k)
{
	return (k->n >= 2 && k->level[1] - k->level[0] >= BAND_LEVELS &&
		model_tree_generation(m) == 0 && model_tasks_gone(m) == 0);
}

/* As tree_bands_keep(). */
static int
update_by_bands(struct tree_levels *l, const struct model *m,
    const struct kept_levels *k)
{
	uint32_t n = model_tasks(m);
	int r;

	if (l->by_bands && l->ntasks == n)
		return (1); /* nothing is new */
	if (l->bands == NULL &&
	    (l->bands = calloc(1, sizeof(*l->bands))) == NULL)
		return (-1);
	r = tree_bands_keep(l->bands, l, m, n, k);
	l->ntasks = r == 1 ? n : 0;
	l->by_bands = r == 1;
	if (r != 1)
		return (r);
	l->size = 0;
	l->sum = 0;
	hang_kept(l, 0);
	add_up_all(l);
	return (1);
}

int
tree_levels_update(struct tree_levels *l, const struct model *m,
    const struct kept_levels *k)
{
	int r = may_be_banded(m, k) ? update_by_bands(l, m, k) : 0;

	if (r != 0)
		return (r == 1 ? 0 : -1);
	if (l->by_bands)
		l->ntasks = 0;
	l->by_bands = false;
	return (update_by_pass(l, m, k));
}

void
tree_levels_anew(struct tree_levels *l, bool other)
{
	l->ntasks = 0;
	if (other && l->bands != NULL)
		l->bands->ntasks = 0;
}

const struct kept_task *
tree_levels_find_banded(const struct tree_levels *l, uint32_t task)
{
	uint32_t i = tree_bands_find(l->bands, l, task);

	return (i == KEPT_NONE ? NULL : &l->kept[i]);
}

uint32_t
tree_levels_near(const struct tree_levels *l, const struct model *m,
    const struct kept_levels *k, uint32_t task)
{
	uint32_t level, lo = 0, hi = k->n, mid;

	if (task >= l->ntasks)
		return (KEPT_NONE);
	if (!l->by_bands)
		return (tree_levels_at(l, model_task_place(m, task)));
	level = model_task_level(m, task);
	while (lo < hi) { /* the last one that is not below it */
		mid = lo + (hi - lo) / 2;
		if (k->level[mid] <= level)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return (KEPT_NONE);
	task = tree_bands_above(l->bands, m, task, k->level[lo - 1]);
	return (
	    task == TASK_NONE ? KEPT_NONE : tree_bands_find(l->bands, l, task));
}

void
tree_levels_clear(struct tree_levels *l)
{
	free(l->near);
	free(l->kept);
	free(l->path);
	free(l->value);
	if (l->bands != NULL)
		tree_bands_clear(l->bands);
	free(l->bands);
	memset(l, 0, sizeof(*l));
}
