/*
 * See tree_bands.h.  Tasks of a kept level are found downwards from the band
 * above it; their kept parents upwards from band to band, and then by some
 * levels.  On the way up, each task of a band is told what is above it, so
 * that no way is gone twice.
 */
#include "model/levels/tree_bands.h"

#include <stdlib.h>
#include <string.h>

#include "model/tree/tree_store.h"

#define TABLE_LEAST 1024u
#define LEVELS_MORE 1024u /* whole bands */
#define COST        6u    /* of a task looked for, against one gone through */
#define AHEAD_TASKS 512u
#define LINE_TASKS  (64 / sizeof(struct task_hot))
#define CLOSE       8u  /* tasks gone through, against one gone to */
#define FAR_BANDS   16u /* see struct band_task */

/* To n elements at least, by halves. */
static int
reserve(uint32_t **p, uint32_t *cap, uint32_t n)
{
	uint32_t more = n + n / 2 + 1024, *q;

	if (n <= *cap)
		return (0);
	q = realloc(*p, more * sizeof(*q));
	if (q == NULL)
		return (-1);
	*p = q;
	*cap = more;
	return (0);
}

/* Room for so many, and for some more than that. */
static int
levels_reserve(struct tree_bands *b, uint32_t levels)
{
	uint32_t was = b->nlevels, bands, cap;
	struct band *band;

	levels = (levels / LEVELS_MORE + 1) * LEVELS_MORE;
	bands = levels / BAND_LEVELS;
	cap = bands + bands / 2;
	if (reserve(&b->count, &b->levels_cap, levels) == -1)
		return (-1);
	if (bands > b->bands_cap) {
		band = realloc(b->band, cap * sizeof(*band));
		if (band == NULL)
			return (-1);
		b->band = band;
		b->bands_cap = cap;
	}
	memset(b->count + was, 0, (levels - was) * sizeof(*b->count));
	for (uint32_t i = was / BAND_LEVELS; i < bands; i++)
		b->band[i] = (struct band){ KEPT_NONE, KEPT_NONE, 0 };
	b->nlevels = levels;
	return (0);
}

/* A task on a level of a band; returns its number, KEPT_NONE: no memory. */
static uint32_t
band_add(struct tree_bands *b, uint32_t task, uint32_t level, uint32_t up)
{
	uint32_t n = b->n, cap = b->cap + b->cap / 2 + 1024;
	uint32_t band = level / BAND_LEVELS;
	struct band_task *of;

	if (n == b->cap) {
		of = realloc(b->of, cap * sizeof(*of));
		if (of == NULL)
			return (KEPT_NONE);
		b->of = of;
		b->cap = cap;
	}
	b->of[n] = (struct band_task){ .task = task,
		.up = up,
		.far = up == KEPT_NONE || (band - 1) % FAR_BANDS == 0
			   ? up
			   : b->of[up].far,
		.next = KEPT_NONE };
	if (b->band[band].last == KEPT_NONE)
		b->band[band].first = n;
	else
		b->of[b->band[band].last].next = n;
	b->band[band].last = n;
	b->n = n + 1;
	return (n);
}

/* One new task; returns where it hangs, KEPT_NONE: no memory. */
static uint32_t
look_at(struct tree_bands *b, uint32_t task, uint32_t level, uint32_t up)
{
	uint32_t above = up == TASK_NONE ? KEPT_NONE : b->near[up];

	if (level >= b->nlevels && levels_reserve(b, level + 1) == -1)
		return (KEPT_NONE);
	b->count[level]++;
	b->band[level / BAND_LEVELS].end = task + 1;
	if (level % BAND_LEVELS == 0)
		above = band_add(b, task, level, above);
	return (above);
}

/* New tasks; parents come first. */
static int
look_at_new(struct tree_bands *b, const struct model *m, uint32_t n)
{
	const struct task_piece *p = NULL;
	uint32_t level, up, above, k;

	if (reserve(&b->near, &b->near_cap, n) == -1)
		return (-1);
	for (uint32_t i = b->ntasks; i < n; i++) {
		if (p == NULL || i % PIECE_TASKS == 0)
			p = piece_of(m, i);
		k = rank_in(p, i);
		level = task_level_in(p, k);
		up = SEE(p->hot[k].parent);
		above = look_at(b, i, level, up);
		if (above == KEPT_NONE)
			return (-1);
		b->near[i] = above;
	}
	b->ntasks = n;
	return (0);
}

/* How many tasks of a band are on a level or above it. */
static uint32_t
band_tasks(const struct tree_bands *b, uint32_t level)
{
	uint32_t n = 0;

	for (uint32_t l = level & ~(BAND_LEVELS - 1); l <= level; l++)
		n += b->count[l];
	return (n);
}

/* How many tasks would be looked at. */
static uint64_t
cost_of(const struct tree_bands *b, const struct kept_levels *k)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < k->n && k->level[i] < b->nlevels; i++)
		sum += band_tasks(b, k->level[i]);
	return (sum);
}

static uint32_t *
slot_of(const struct tree_bands *b, const struct tree_levels *l, uint32_t task)
{
	uint32_t i = task * 0x9e3779b1u & b->mask;

	while (b->table[i] != 0 && l->kept[b->table[i] - 1].task != task)
		i = (i + 1) & b->mask;
	return (&b->table[i]);
}

uint32_t
tree_bands_find(const struct tree_bands *b, const struct tree_levels *l,
    uint32_t task)
{
	return (*slot_of(b, l, task) - 1); /* 0: KEPT_NONE */
}

/* The next one on the way from a band to a level above it, and its band's
 * level; how far one may go at once is the same for all of a band. */
static inline uint32_t
step_up(const struct tree_bands *b, uint32_t s, uint32_t *level, uint32_t above)
{
	uint32_t band = *level / BAND_LEVELS;
	uint32_t far = (band - 1) / FAR_BANDS * FAR_BANDS * BAND_LEVELS;

	if (far < above) {
		*level -= BAND_LEVELS;
		return (b->of[s].up);
	}
	*level = far;
	return (b->of[s].far);
}

/* What is above task s of the band that begins on this level: of the kept
 * level `above`, which is not below it. */
static uint32_t
kept_above(struct tree_bands *b, const struct tree_levels *l,
    const struct model *m, uint32_t s, uint32_t level, uint32_t above)
{
	uint32_t at = s, from = level, kept, task;

	while (b->of[at].asked != b->asked && level >= above + BAND_LEVELS)
		at = step_up(b, at, &level, above);
	if (b->of[at].asked == b->asked) {
		kept = b->of[at].kept;
	} else {
		task = b->of[at].task;
		for (; level > above; level--)
			task = model_task_parent(m, task);
		kept = tree_bands_find(b, l, task);
		b->of[at].kept = kept;
		b->of[at].asked = b->asked;
	}
	for (; s != at && from > above; s = step_up(b, s, &from, above)) {
		b->of[s].kept = kept;
		b->of[s].asked = b->asked;
	}
	return (kept);
}

static int
keep(struct tree_levels *l, uint32_t task, uint32_t value)
{
	uint32_t cap = l->kept_cap == 0 ? 1024 : l->kept_cap * 2;
	struct kept_task *kept;

	if (l->nkept == l->kept_cap) {
		kept = realloc(l->kept, cap * sizeof(*kept));
		if (kept == NULL)
			return (-1);
		l->kept = kept;
		l->kept_cap = cap;
	}
	l->kept[l->nkept++] = (struct kept_task){ .task = task,
		.up = KEPT_NONE,
		.size = 1,
		.sum = value,
		.first = KEPT_NONE,
		.last = KEPT_NONE,
		.next = KEPT_NONE };
	return (0);
}

/* Those that lie so many levels below a task. */
static int
keep_below(const struct tree_bands *b, struct tree_levels *l,
    const struct model *m, uint32_t top, uint32_t depth, uint32_t value)
{
	uint32_t t = top, at = 0, next;

	for (;;) {
		if (at == depth && t < b->ntasks && keep(l, t, value) == -1)
			return (-1);
		next = at < depth ? model_task_first(m, t) : TASK_NONE;
		if (next != TASK_NONE) {
			at++;
			t = next;
			continue;
		}
		while (
		    t != top && (next = model_task_next(m, t)) == TASK_NONE) {
			t = model_task_parent(m, t);
			at--;
		}
		if (t == top)
			return (0);
		t = next;
	}
}

static int
by_task(const void *a, const void *b)
{
	const struct kept_task *x = a, *y = b;

	return ((x->task > y->task) - (x->task < y->task));
}

/* Those among tasks from..to that are on a level. */
static int
keep_among(struct tree_levels *l, const struct model *m, uint32_t from,
    uint32_t to, uint32_t level, uint32_t value)
{
	const struct task_piece *p;
	uint32_t end;

	for (uint32_t i = from; i < to;) {
		p = piece_of(m, i);
		end = (i | (PIECE_TASKS - 1)) + 1;
		end = end < to ? end : to;
		for (; i < end; i++)
			if (task_level_in(p, rank_in(p, i)) == level &&
			    keep(l, i, value) == -1)
				return (-1);
	}
	return (0);
}

/* The tasks of a level, in the order of their numbers. */
static int
keep_level(struct tree_bands *b, struct tree_levels *l, const struct model *m,
    uint32_t level, uint32_t value)
{
	const struct band *band = &b->band[level / BAND_LEVELS];
	uint32_t from = l->nkept, first;

	if (band->first == KEPT_NONE)
		return (0);
	first = b->of[band->first].task;
	if ((band->end - first) / CLOSE <= band_tasks(b, level))
		return (keep_among(l, m, first, band->end, level, value));
	for (uint32_t s = band->first; s != KEPT_NONE; s = b->of[s].next)
		if (keep_below(b, l, m, b->of[s].task, level % BAND_LEVELS,
			value) == -1)
			return (-1);
	for (uint32_t i = from + 1; i < l->nkept; i++)
		if (l->kept[i].task < l->kept[i - 1].task) {
			qsort(l->kept + from, l->nkept - from, sizeof(*l->kept),
			    by_task);
			break;
		}
	return (0);
}

/*
 * Asks the memory for what keep_level() will go through: tasks of neighbouring
 * levels were mostly made one after the other.
 */
static void
level_ahead(const struct tree_bands *b, const struct model *m, uint32_t level)
{
	uint32_t s = b->band[level / BAND_LEVELS].first, n, task, end;

	if (s == KEPT_NONE)
		return;
	n = band_tasks(b, level);
	task = b->of[s].task;
	end = task + (n < AHEAD_TASKS ? n : AHEAD_TASKS);
	end = end < b->ntasks ? end : b->ntasks;
	for (; task < end; task += LINE_TASKS)
		__builtin_prefetch(hot_at(m, task));
}

/* Grows the table, so that at least half of it stays empty. */
static int
table_reserve(struct tree_bands *b, const struct tree_levels *l, uint32_t known)
{
	uint32_t n = b->table == NULL ? TABLE_LEAST : b->mask + 1, *t;

	if (b->table != NULL && n / 2 >= l->nkept)
		return (0);
	while (n / 2 < l->nkept)
		n *= 2;
	t = calloc(n, sizeof(*t));
	if (t == NULL)
		return (-1);
	free(b->table);
	b->table = t;
	b->mask = n - 1;
	for (uint32_t i = 0; i < known; i++)
		*slot_of(b, l, l->kept[i].task) = i + 1;
	return (0);
}

/*
 * Kept tasks from `from` on are hung below those of the kept level before,
 * UINT32_MAX: there is none.  What is between them is part of the upper one.
 */
static int
hang_level(struct tree_bands *b, struct tree_levels *l, const struct model *m,
    uint32_t from, uint32_t level, uint32_t above)
{
	struct kept_task *k, *up;
	uint64_t depths;
	uint32_t size, s;

	if (table_reserve(b, l, from) == -1)
		return (-1);
	b->asked++;
	for (uint32_t i = from; i < l->nkept; i++) {
		k = &l->kept[i];
		size = model_task_counts(m, k->task, &depths);
		k->absorbed = size - 1;
		if (above != UINT32_MAX) {
			s = b->near[k->task];
			k->up = kept_above(b, l, m, s,
			    level & ~(BAND_LEVELS - 1), above);
		}
		if (k->up != KEPT_NONE) {
			up = &l->kept[k->up];
			up->absorbed -=
			    size < up->absorbed ? size : up->absorbed;
		}
	}
	for (uint32_t i = from; i < l->nkept; i++)
		*slot_of(b, l, l->kept[i].task) = i + 1;
	return (0);
}

int
tree_bands_keep(struct tree_bands *b, struct tree_levels *l,
    const struct model *m, uint32_t ntasks, const struct kept_levels *k)
{
	uint32_t above = UINT32_MAX, from;

	if (b->ntasks == 0)
		b->n = b->nlevels = b->asked = 0;
	if (look_at_new(b, m, ntasks) == -1) {
		b->ntasks = 0;
		return (-1);
	}
	if (cost_of(b, k) > ntasks / COST)
		return (0);
	l->nkept = 0;
	if (b->table != NULL)
		memset(b->table, 0, (b->mask + 1) * sizeof(*b->table));
	for (uint32_t i = 0; i < k->n && k->level[i] < b->nlevels; i++) {
		from = l->nkept;
		if (i + 1 < k->n && k->level[i + 1] < b->nlevels)
			level_ahead(b, m, k->level[i + 1]);
		if (keep_level(b, l, m, k->level[i], k->value0 + i) == -1 ||
		    hang_level(b, l, m, from, k->level[i], above) == -1)
			return (-1);
		above = k->level[i];
	}
	return (1);
}

uint32_t
tree_bands_above(const struct tree_bands *b, const struct model *m,
    uint32_t task, uint32_t level)
{
	uint32_t at = model_task_level(m, task), s;

	if (task >= b->ntasks || at < level)
		return (TASK_NONE);
	if ((at & ~(BAND_LEVELS - 1)) >= level) {
		s = b->near[task];
		at &= ~(BAND_LEVELS - 1);
		while (at >= level + BAND_LEVELS)
			s = step_up(b, s, &at, level);
		task = b->of[s].task;
	}
	for (; at > level && task != TASK_NONE; at--)
		task = model_task_parent(m, task);
	return (task);
}

bool
tree_bands_before(const struct tree_bands *b, const struct model *m, uint32_t x,
    uint32_t y)
{
	uint32_t sx = b->near[x], sy = b->near[y], up, other;

	/* from band to band, as long as they are below different ones */
	if (sx != sy) {
		while (b->of[sx].up != b->of[sy].up) {
			sx = b->of[sx].up;
			sy = b->of[sy].up;
		}
		x = b->of[sx].task;
		y = b->of[sy].task;
	}
	/* then to the siblings, of which the elder has the lower number */
	for (;;) {
		up = model_task_parent(m, x);
		other = model_task_parent(m, y);
		if (up == other || up == TASK_NONE || other == TASK_NONE)
			return (x < y);
		x = up;
		y = other;
	}
}

void
tree_bands_clear(struct tree_bands *b)
{
	free(b->near);
	free(b->of);
	free(b->band);
	free(b->count);
	free(b->table);
	memset(b, 0, sizeof(*b));
}
