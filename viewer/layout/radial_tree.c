/*
 * The tree as it is shown, and its weights.
 *
 * Without condensing everything follows from the two counters that the model
 * keeps for each task: with ring = level - level0,
 *
 *	weight(n) = H * size(n) - sum of rings = (H + level0) * size - sumlevel
 *
 * With condensing only tasks of kept levels count, so size and sum of rings
 * are counted here, once for all tasks there are and then for new ones only.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/radial_inside.h"

struct condense
condense_levels(uint32_t levels, uint32_t h_max)
{
	struct condense c = { levels, levels, 1, levels };

	if (h_max == 0 || levels <= h_max)
		return (c);
	c.ratio = levels / h_max;
	c.t = c.ratio * (h_max - levels % h_max);
	c.rings = h_max;
	return (c);
}

bool
condense_keeps(const struct condense *c, uint32_t level)
{
	if (level < c->t)
		return (level % c->ratio == 0);
	return ((level - c->t) % (c->ratio + 1) == 0);
}

uint32_t
condense_ring(const struct condense *c, uint32_t level)
{
	if (level < c->t)
		return (level / c->ratio);
	return (c->t / c->ratio + (level - c->t) / (c->ratio + 1));
}

static uint32_t
shown_level(const struct radial_cache *k, const struct task *t)
{
	return (SEE(t->level) + k->above);
}

/* The nearest task at or above t that is kept; TASK_NONE: the centre. */
static uint32_t
kept_from(const struct radial_cache *k, uint32_t t)
{
	const struct task *x;

	while (t != TASK_NONE) {
		/* parents come first, but for those that were late */
		if (k->generation == 0)
			return (k->by[t].kept);
		x = model_task(k->model, t);
		if (condense_keeps(&k->condense, shown_level(k, x)))
			break;
		t = SEE_LINK(x->parent);
	}
	return (t);
}

/* Finds a task its place in the condensed tree, behind its elder siblings. */
static void
condense_task(struct radial_cache *k, uint32_t i)
{
	const struct task *x = model_task(k->model, i);
	uint32_t level = shown_level(k, x), up;
	struct radial_kept *t = &k->by[i];

	up = kept_from(k, SEE_LINK(x->parent));
	t->kept = t->up = up;
	if (!condense_keeps(&k->condense, level)) {
		if (up != TASK_NONE)
			k->by[up].absorbed++;
		return;
	}
	t->kept = i;
	t->size = 1;
	t->sumring = condense_ring(&k->condense, level);
	if (up == TASK_NONE)
		return;
	if (k->by[up].last == TASK_NONE)
		k->by[up].first = i;
	else
		k->by[k->by[up].last].next = i;
	k->by[up].last = i;
}

/*
 * Tasks from..to are new.  Many at once are added up from the last to the
 * first, a few are told to all above them.
 */
static void
condense_tasks(struct radial_cache *k, uint32_t from, uint32_t to)
{
	struct radial_kept *t, *up;

	/* all first: a parent that was late comes after its children */
	for (uint32_t i = from; i < to; i++)
		k->by[i] = (struct radial_kept){ .first = TASK_NONE,
			.last = TASK_NONE,
			.next = TASK_NONE };
	for (uint32_t i = from; i < to; i++)
		condense_task(k, i);
	if (from == 0 && k->generation == 0) {
		for (uint32_t i = to; i-- > 0;) {
			t = &k->by[i];
			if (t->kept != i || t->up == TASK_NONE)
				continue;
			up = &k->by[t->up];
			up->size += t->size;
			up->sumring += t->sumring;
		}
		return;
	}
	for (uint32_t i = from; i < to; i++) {
		uint32_t ring;

		if (k->by[i].kept != i)
			continue;
		ring = condense_ring(&k->condense,
		    shown_level(k, model_task(k->model, i)));
		for (uint32_t a = k->by[i].up; a != TASK_NONE;
		     a = k->by[a].up) {
			k->by[a].size++;
			k->by[a].sumring += ring;
		}
	}
}

static int
cache_reserve(struct radial_cache *k, uint32_t n)
{
	uint32_t cap = n + n / 4 + 1024;
	struct radial_kept *by;

	if (n <= k->cap)
		return (0);
	by = realloc(k->by, cap * sizeof(*by));
	if (by == NULL)
		return (-1);
	k->by = by;
	k->cap = cap;
	return (0);
}

static int
cache_update(struct radial_cache *k, const struct model *m,
    const struct condense *c, uint32_t above)
{
	uint32_t n = model_tasks(m), generation = model_tree_generation(m);
	int same = k->model == m && k->generation == generation &&
		   k->above == above && k->condense.levels == c->levels &&
		   k->condense.rings == c->rings && k->ntasks > 0;

	if (cache_reserve(k, n) == -1)
		return (-1);
	k->model = m;
	k->above = above;
	k->condense = *c;
	k->generation = generation;
	if (!same || n - k->ntasks > 20000 + k->ntasks / 8)
		k->ntasks = 0;
	condense_tasks(k, k->ntasks, n);
	k->ntasks = n;
	return (0);
}

/* Deepest level in a subtree: looked for once, then among new tasks. */
static uint32_t
subtree_deepest(struct radial_cache *k, const struct model *m, uint32_t root)
{
	uint32_t n = model_tasks(m), level0, t, level;
	const struct task *x;

	level0 = SEE(model_task(m, root)->level);
	if (k->model != m || k->root != root || k->seen == 0 ||
	    k->generation != model_tree_generation(m)) {
		k->model = m;
		k->root = root;
		k->generation = model_tree_generation(m);
		k->deepest = level0;
		k->seen = root; /* what is below it has a higher number */
		k->ntasks = 0;
		if (k->generation != 0)
			k->seen = 0;
	}
	for (uint32_t i = k->seen; i < n; i++) {
		level = SEE(model_task(m, i)->level);
		if (level <= k->deepest)
			continue;
		for (t = i; t != TASK_NONE && t != root;) {
			x = model_task(m, t);
			t = SEE(x->level) <= level0 ? TASK_NONE
						    : SEE_LINK(x->parent);
		}
		if (t == root)
			k->deepest = level;
	}
	k->seen = n;
	return (k->deepest);
}

static uint32_t
root_above(const struct model *m, uint32_t t)
{
	uint32_t up;

	while ((up = SEE_LINK(model_task(m, t)->parent)) != TASK_NONE)
		t = up;
	return (t);
}

static int
tree_roots(struct radial_tree *r)
{
	uint32_t n;

	r->nroots = model_task_roots(r->m, NULL, 0);
	r->roots = malloc((r->nroots + 1) * sizeof(*r->roots));
	if (r->roots == NULL)
		return (-1);
	n = model_task_roots(r->m, r->roots, r->nroots);
	if (n < r->nroots)
		r->nroots = n;
	return (0);
}

int
radial_tree_open(struct radial_tree *r, const struct model *m,
    const struct radial_view *v, struct radial_layout *l)
{
	int32_t room = v->width < v->height ? v->width : v->height;
	int32_t least = v->ring_px_min > 0 ? v->ring_px_min : 4;
	uint32_t levels = 0, n = model_tasks(m), one;

	memset(r, 0, sizeof(*r));
	r->m = m;
	r->root = v->root;
	if (n == 0 || (v->root != TASK_NONE && v->root >= n) || room <= 0)
		return (-1);
	if (l->cache == NULL &&
	    (l->cache = calloc(1, sizeof(*l->cache))) == NULL)
		return (-1);
	if (v->root == TASK_NONE) {
		if (tree_roots(r) == -1)
			return (-1);
		if (r->nroots == 1)
			r->root = r->roots[0];
	} else if (!v->subtree) {
		r->root = root_above(m, v->root);
	}
	if (r->root == TASK_NONE) {
		r->above = 1;
		for (uint32_t i = 0; i < r->nroots; i++) {
			one = model_task_levels(m, r->roots[i]);
			if (one > levels)
				levels = one;
		}
		levels++;
	} else if (v->subtree && v->root != TASK_NONE) {
		r->level0 = SEE(model_task(m, r->root)->level);
		levels = subtree_deepest(l->cache, m, r->root) - r->level0 + 1;
	} else {
		levels = model_task_levels(m, r->root);
	}
	r->condense = condense_levels(levels,
	    v->subtree ? 0 : (uint32_t)(room / (2 * least)));
	if (r->condense.rings < levels) {
		if (cache_update(l->cache, m, &r->condense, r->above) == -1)
			return (-1);
		r->cache = l->cache;
	}
	if (r->root != TASK_NONE)
		r->tasks = SEE(model_task(m, r->root)->size);
	for (uint32_t i = 0; r->root == TASK_NONE && i < r->nroots; i++)
		r->tasks += SEE(model_task(m, r->roots[i])->size);
	return (0);
}

void
radial_tree_close(struct radial_tree *r)
{
	free(r->roots);
	r->roots = NULL;
}

uint32_t
radial_size(const struct radial_tree *r, uint32_t t)
{
	uint32_t n = 0;

	if (t == TASK_NONE) {
		for (uint32_t i = 0; i < r->nroots; i++)
			n += radial_size(r, r->roots[i]);
		return (n);
	}
	if (r->cache != NULL)
		return (t < r->cache->ntasks ? r->cache->by[t].size : 0);
	return (SEE(model_task(r->m, t)->size));
}

double
radial_weight(const struct radial_tree *r, uint32_t t)
{
	const struct task *x;
	double sum = 0;

	if (t == TASK_NONE) {
		for (uint32_t i = 0; i < r->nroots; i++)
			sum += radial_weight(r, r->roots[i]);
		return (sum + r->condense.rings);
	}
	if (r->cache != NULL)
		return (t < r->cache->ntasks
			    ? (double)r->condense.rings * r->cache->by[t].size -
				  (double)r->cache->by[t].sumring
			    : 0);
	x = model_task(r->m, t);
	return (
	    ((double)r->condense.levels + r->level0 - r->above) * SEE(x->size) -
	    (double)SEE(x->sumlevel));
}

uint32_t
radial_absorbed(const struct radial_tree *r, uint32_t t)
{
	if (r->cache == NULL || t >= r->cache->ntasks)
		return (0);
	return (r->cache->by[t].absorbed);
}

uint32_t
radial_child(const struct radial_tree *r, uint32_t t, uint32_t last,
    uint32_t *at)
{
	uint32_t i;

	if (t == TASK_NONE) {
		i = (*at)++;
		return (i < r->nroots ? r->roots[i] : TASK_NONE);
	}
	if (r->cache != NULL && t >= r->cache->ntasks)
		return (TASK_NONE);
	if (r->cache != NULL)
		return (last == TASK_NONE ? r->cache->by[t].first
					  : r->cache->by[last].next);
	return (last == TASK_NONE
		    ? SEE_LINK(model_task(r->m, t)->first_child)
		    : SEE_LINK(model_task(r->m, last)->next_sibling));
}
