/*
 * Children of a task with very many of them, and the roots of a log with very
 * many trees, by blocks (model/tree_wide.h).  A block is passed over where each
 * child of it would be counted with the one before, or lies beside the window;
 * so the work is bounded by the pixels of the view and not by the children
 * there are.
 */
#include "layout/radial/radial_divide_inside.h"

static uint32_t
first_kid(const struct division *d, const struct wide_task *k, uint32_t b)
{
	if (k->task == TASK_NONE)
		return (model_task_root(d->r->tree.m, b << WIDE_BITS));
	return (WIDE_SEE(k->view.block[0][b].first));
}

/* The first child behind a block; of the last one: its parent's last. */
static uint32_t
kid_behind(const struct division *d, const struct wide_task *k, unsigned level,
    uint32_t b)
{
	uint64_t next = (uint64_t)(b + 1) << WIDE_BITS * level;
	struct task t;

	if (next < wide_blocks(&k->view, 0))
		return (first_kid(d, k, (uint32_t)next));
	if (k->task == TASK_NONE)
		return (model_task_root(d->r->tree.m, k->view.kids - 1));
	return (model_task_get(d->r->tree.m, k->task, &t)->last_child);
}

/*
 * Would all that begins here be counted with the last one that is drawn?
 * What ends within half a pixel of its middle is none of it a pixel wide on
 * the next ring, which is at most twice as long.
 */
static bool
is_hidden(const struct division *d, double from, double arc)
{
	return ((from + arc - d->from) * d->wide - d->seen < SEEN_PX &&
		radial_is_inside(d, from, arc));
}

/* The child behind c, the i-th of block b; roots may be TASK_NONE. */
static uint32_t
next_kid(const struct division *d, const struct wide_task *k, uint32_t b,
    uint32_t i, uint32_t c)
{
	if (k->task == TASK_NONE)
		return (model_task_root(d->r->tree.m, (b << WIDE_BITS) + i));
	return (c == TASK_NONE ? c : model_task_next(d->r->tree.m, c));
}

/* Are a block's children leaves with numbers in a row? */
static bool
is_run(const struct wide_task *k, uint32_t b)
{
	const struct wide_block *at = &k->view.block[0][b];

	return (k->task != TASK_NONE && k->view.in_order &&
		b + 1 < wide_blocks(&k->view, 0) &&
		WIDE_SEE(at[1].first) - WIDE_SEE(at->first) == WIDE_KIDS &&
		WIDE_SEE(at->size) == WIDE_KIDS);
}

/* Those of a block, which weigh w; the rest as soon as it is hidden. */
static int
divide_kids(struct division *d, const struct wide_task *k, uint32_t b, double w)
{
	uint32_t n = wide_kids(&k->view, 0, b), c = first_kid(d, k, b), size;
	uint32_t left = WIDE_SEE(k->view.block[0][b].size);
	bool run = is_run(k, b), all = d->r->v->until_mon_ns == INT64_MAX;
	double end = d->given + w, from, arc;
	const struct radial_node *last = NULL;

	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			c = run ? c + 1 : next_kid(d, k, b, i, c);
		if (all && d->last != last) { /* so it is one */
			arc = radial_next_sector(d, end - d->given, &from);
			if (is_hidden(d, from, arc)) {
				d->last->pruned += left;
				break;
			}
			last = d->last;
		}
		if (c == TASK_NONE ||
		    (k->task == TASK_NONE && radial_is_summed(&d->r->tree, c)))
			continue;
		size = 1;
		w = run ? d->rings : radial_weigh(d, c, &size);
		left -= size;
		if (radial_place_child(d, c, size, w) == -1)
			return (-1);
	}
	return (0);
}

/*
 * Passes over a block if that comes to the same as looking at each of its
 * children.
 */
static bool
pass_over(struct division *d, const struct wide_task *k, unsigned level,
    uint32_t b, double from, double arc, uint32_t size)
{
	if (d->r->v->until_mon_ns != INT64_MAX) {
		if (!d->in_order)
			return (false);
		if (radial_is_late(d, first_kid(d, k, b << WIDE_BITS * level)))
			return (true);
		if (radial_is_late(d, kid_behind(d, k, level, b)))
			return (false);
	}
	if (radial_is_outside(d, from, arc)) {
		d->r->l->outside += size;
		return (true);
	}
	if (d->last == NULL || !is_hidden(d, from, arc))
		return (false);
	d->last->pruned += size;
	return (true);
}

static int
divide_block(struct division *d, const struct wide_task *k, unsigned level,
    uint32_t b)
{
	const struct wide_block *at = &k->view.block[level][b];
	uint32_t size = WIDE_SEE(at->size), last;
	double w = d->rings * size - (double)WIDE_SEE(at->depths), from, arc;
	double given = d->given + w;

	arc = radial_next_sector(d, w, &from);
	if (w <= 0 || arc < 0)
		return (0);
	if (!pass_over(d, k, level, b, from, arc, size)) {
		if (level == 0 && divide_kids(d, k, b, w) == -1)
			return (-1);
		last = (b + 1) << WIDE_BITS;
		if (level > 0 && last > wide_blocks(&k->view, level - 1))
			last = wide_blocks(&k->view, level - 1);
		for (uint32_t i = b << WIDE_BITS; level > 0 && i < last; i++)
			if (divide_block(d, k, level - 1, i) == -1)
				return (-1);
	}
	d->given = given;
	return (0);
}

/* Has it so many children?  Only VISTA's weights are known by blocks. */
bool
radial_is_wide(const struct radial_drawing *r, uint32_t task,
    struct wide_task *k)
{
	k->task = task;
	/* blocks of roots are of trees of several tasks only */
	if (task == TASK_NONE && !r->tree.sums &&
	    model_singles(r->tree.m, NULL) > 0)
		return (false);
	return (r->tree.cache == NULL && r->tree.weights == NULL &&
		model_task_wide(r->tree.m, task, &k->view));
}

int
radial_divide_wide(struct division *d, const struct wide_task *k)
{
	unsigned top = k->view.levels - 1;
	uint32_t n = wide_blocks(&k->view, top);

	d->in_order = model_tree_in_order(d->r->tree.m);
	for (uint32_t b = 0; b < n; b++)
		if (divide_block(d, k, top, b) == -1)
			return (-1);
	return (0);
}

double
radial_wide_before(const struct radial_drawing *r, const struct wide_task *w,
    uint32_t c)
{
	uint32_t b = model_wide_find(r->tree.m, w->task, c), k = TASK_NONE,
		 size = 0;
	bool roots = w->task == TASK_NONE;
	uint64_t depths = 0;
	double sum;

	for (unsigned l = 0; l < w->view.levels; l++) {
		uint32_t at = b >> WIDE_BITS * l;
		uint32_t from =
		    l + 1 < w->view.levels ? at & ~(WIDE_KIDS - 1) : 0;

		for (; from < at; from++) {
			size += WIDE_SEE(w->view.block[l][from].size);
			depths += WIDE_SEE(w->view.block[l][from].depths);
		}
	}
	sum = (radial_rings_from(&r->tree, w->task) - !roots) * size -
	      (double)depths;
	for (uint32_t i = 0; i < wide_kids(&w->view, 0, b); i++) {
		if (roots)
			k = model_task_root(r->tree.m, (b << WIDE_BITS) + i);
		else
			k = i == 0 ? WIDE_SEE(w->view.block[0][b].first)
				   : model_task_next(r->tree.m, k);
		if (k == c)
			return (sum);
		if (k == TASK_NONE && !roots)
			break;
		if (k != TASK_NONE && !(roots && radial_is_summed(&r->tree, k)))
			sum += radial_weight(&r->tree, k);
	}
	return (-1);
}
