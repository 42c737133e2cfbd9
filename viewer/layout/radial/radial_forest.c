/*
 * All trees of a log at once.  Those of a single task are not drawn each: a
 * server has a million of them, which would leave no room for the others.  They
 * are a node for each name, as wide as a leaf, behind the trees of several
 * tasks.
 *
 * At an instant of a playback only some of them are there; then they are
 * counted, in the order of their numbers, which mostly is that of time.
 */
#include <stdlib.h>

#include "layout/radial/radial_inside.h"

static struct single_tasks *
group_of(struct radial_forest *f, uint32_t name)
{
	struct single_tasks *s;
	uint32_t i, cap = f->cap == 0 ? 16 : f->cap * 2;

	for (i = 0; i < f->n && f->group[i].name != name; i++)
		;
	if (i < f->n)
		return (&f->group[i]);
	if (f->n == f->cap) {
		s = realloc(f->group, cap * sizeof(*s));
		if (s == NULL)
			return (NULL);
		f->group = s;
		f->cap = cap;
	}
	s = &f->group[f->n++];
	*s = (struct single_tasks){ .name = name, .first = TASK_NONE };
	return (s);
}

/* Those that the model has counted. */
static int
gather(struct radial_forest *f, const struct model *m)
{
	struct single_tasks s, *to;

	for (uint32_t i = 0; model_single(m, i, &s); i++) {
		if (s.tasks == 0 || s.first == TASK_NONE)
			continue;
		to = group_of(f, s.name);
		if (to == NULL)
			return (-1);
		*to = s;
		f->tasks += s.tasks;
	}
	return (0);
}

/* Those that were there at an instant. */
static int
gather_until(struct radial_forest *f, const struct model *m, int64_t until_ns)
{
	bool in_order = model_tree_in_order(m);
	uint32_t n = model_root_places(m), t;
	struct single_tasks *to;
	int64_t at;

	for (uint32_t i = 0; i < n; i++) {
		t = model_task_root(m, i);
		if (t == TASK_NONE || !model_is_single(m, t))
			continue;
		at = model_task_spawn(m, t);
		at = at == INT64_MIN ? model_task_begin(m, t) : at;
		if (at > until_ns && in_order)
			break;
		if (at > until_ns)
			continue;
		to = group_of(f, model_task_name(m, t));
		if (to == NULL)
			return (-1);
		to->first = to->first == TASK_NONE ? t : to->first;
		to->tasks++;
		f->tasks++;
	}
	return (0);
}

int
radial_forest_open(struct radial_tree *r, const struct radial_view *v,
    struct radial_forest *f)
{
	const struct tree_levels *l;

	f->n = f->tasks = f->alone = 0;
	r->forest = f;
	r->sums = v->sum_singles && r->root == TASK_NONE && r->weights == NULL;
	if (!r->sums)
		return (0);
	if (r->cache != NULL && model_singles(r->m, NULL) > 0) {
		l = &r->cache->levels;
		for (uint32_t i = l->first; i != KEPT_NONE; i = l->kept[i].next)
			f->alone += radial_is_alone(r, &l->kept[i]);
	}
	return (v->until_mon_ns == INT64_MAX
		    ? gather(f, r->m)
		    : gather_until(f, r->m, v->until_mon_ns));
}

bool
radial_is_summed(const struct radial_tree *r, uint32_t t)
{
	return (r->sums && model_is_single(r->m, t));
}

bool
radial_is_alone(const struct radial_tree *r, const struct kept_task *k)
{
	return (r->sums && k->size == 1 && k->absorbed == 0 &&
		model_task_level(r->m, k->task) == 0);
}

double
radial_leaf(const struct radial_tree *r)
{
	return (r->condense.rings > 1 ? r->condense.rings - 1.0 : 1);
}

double
radial_group_before(const struct radial_tree *r, double total, uint32_t t)
{
	const struct radial_forest *f = r->forest;
	uint32_t name = model_task_name(r->m, t);

	for (uint32_t i = 0; i < f->n; i++)
		if (f->group[i].name == name)
			return (total - (f->n - i) * radial_leaf(r));
	return (-1);
}
