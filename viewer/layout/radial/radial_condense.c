/*
 * Level condensing, and what must be counted for it.
 *
 * Only tasks of kept levels are part of a condensed tree, so the sizes and
 * sums that the model keeps do not serve: they are counted here, once for all
 * tasks there are and then for new ones only.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/radial/radial_inside.h"

#define WALK_TASKS 8192 /* are walked through in each frame */

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

uint32_t
condense_level(const struct condense *c, uint32_t ring)
{
	uint32_t full = c->t / c->ratio;

	return (ring < full ? ring * c->ratio
			    : c->t + (ring - full) * (c->ratio + 1));
}

/* Levels of tasks that are kept, ring by ring. */
static int
levels_make(struct radial_cache *k)
{
	const struct condense *c = &k->condense;
	uint32_t level, n = 0, *v;

	if (c->rings > k->kept_cap) {
		v = realloc(k->kept, c->rings * sizeof(*v));
		if (v == NULL)
			return (-1);
		k->kept = v;
		k->kept_cap = c->rings;
	}
	for (uint32_t ring = 0; ring < c->rings; ring++) {
		level = condense_level(c, ring);
		/* the first levels of the view are above those of the tasks */
		if (level >= k->above)
			k->kept[n++] = level + k->level0 - k->above;
	}
	k->nkept = n;
	return (0);
}

int
radial_cache_update(struct radial_cache *k, const struct model *m,
    const struct condense *c, uint32_t above, uint32_t level0)
{
	uint32_t generation = model_tree_generation(m);
	uint32_t epoch = model_tree_epoch(m);
	bool other =
	    k->model != m || k->generation != generation || k->epoch != epoch;
	bool same = !other && k->above == above && k->level0 == level0 &&
		    k->condense.levels == c->levels &&
		    k->condense.rings == c->rings;
	struct kept_levels kept;

	k->model = m;
	k->above = above;
	k->level0 = level0;
	k->condense = *c;
	k->generation = generation;
	k->epoch = epoch;
	if (!same)
		tree_levels_anew(&k->levels, other);
	if (!same && levels_make(k) == -1)
		return (-1);
	kept = (struct kept_levels){ k->kept, k->nkept, c->rings - k->nkept };
	return (tree_levels_update(&k->levels, m, &kept));
}

/* Next task of a subtree, depth first. */
static uint32_t
next_below(const struct model *m, uint32_t t, uint32_t root)
{
	uint32_t next = model_task_first(m, t);

	while (next == TASK_NONE && t != root) {
		next = model_task_next(m, t);
		t = model_task_parent(m, t);
	}
	return (next);
}

/* Of a task, or of those that it sums up. */
static uint32_t
deepest_in(const struct model *m, uint32_t t)
{
	struct task_sums sums;
	uint32_t level = model_task_level(m, t);

	if (!model_task_sums(m, t, &sums) || sums.levels == 0)
		return (level);
	return (level + sums.levels - 1);
}

/* The subtree is walked through: it is small, or a parent has come after its
 * children. */
static uint32_t
deepest_of(const struct model *m, uint32_t root)
{
	uint32_t deepest = 0, level;

	for (uint32_t t = root; t != TASK_NONE; t = next_below(m, t, root)) {
		level = deepest_in(m, t);
		deepest = level > deepest ? level : deepest;
	}
	return (deepest);
}

/* Without looking at all tasks, as long as that can be done. */
static bool
find_deepest(struct radial_cache *k, const struct model *m, uint32_t root,
    uint32_t n)
{
	uint32_t seen = root + 1, deepest = model_task_level(m, root);

	if (model_tasks_gone(m) > 0 ||
	    (k->of == m && k->root == root && k->seen > 0))
		return (false); /* they have been looked at */
	if (k->found.of == m && k->found.root == root && k->found.seen <= n) {
		seen = k->found.seen;
		deepest = k->found.deepest;
	}
	k->found.of = NULL;
	if (!model_subtree_deepest(m, root, seen, n, &deepest))
		return (false);
	k->found.of = m;
	k->found.root = root;
	k->found.seen = n;
	k->found.deepest = deepest;
	return (true);
}

/*
 * Parents come first, so a task is in the subtree when its parent is: one
 * pass over the tasks behind the root, and then over new ones.
 */
uint32_t
radial_cache_deepest(struct radial_cache *k, const struct model *m,
    uint32_t root)
{
	uint32_t n = model_tasks(m), words = n / 64 + 1, up, level;
	uint64_t *in, depths;

	if (model_tree_generation(m) != 0 ||
	    model_task_counts(m, root, &depths) <= WALK_TASKS)
		return (deepest_of(m, root));
	if (find_deepest(k, m, root, n))
		return (k->found.deepest);
	if (words > k->in_cap) {
		in = realloc(k->in, (words + words / 4) * sizeof(*in));
		if (in == NULL)
			return (deepest_of(m, root));
		memset(in + k->in_cap, 0,
		    (words + words / 4 - k->in_cap) * sizeof(*in));
		k->in = in;
		k->in_cap = words + words / 4;
	}
	if (k->of != m || k->root != root || k->seen == 0) {
		memset(k->in, 0, k->in_cap * sizeof(*k->in));
		k->of = m;
		k->root = root;
		k->in[root / 64] |= 1ull << root % 64;
		k->deepest = deepest_in(m, root);
		k->seen = root + 1;
	}
	if (model_tasks_gone(m) == 0) {
		k->deepest =
		    model_subtree_mark(m, k->in, k->seen, n, k->deepest);
		k->seen = n;
	}
	for (uint32_t i = k->seen; i < n; i++) {
		up = model_task_parent(m, i);
		if (up == TASK_NONE || !(k->in[up / 64] >> up % 64 & 1))
			continue;
		k->in[i / 64] |= 1ull << i % 64;
		level = deepest_in(m, i);
		k->deepest = level > k->deepest ? level : k->deepest;
	}
	k->seen = n;
	return (k->deepest);
}

void
radial_cache_free(struct radial_cache *k)
{
	if (k == NULL)
		return;
	tree_levels_clear(&k->levels);
	free(k->kept);
	free(k->kids.task);
	free(k->forest.group);
	radial_glide_free(&k->glide);
	free(k->in);
	free(k);
}
