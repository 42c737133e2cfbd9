/*
 * Trees of a single task: roots without children.  Servers make a million of
 * them, of which none says more than the next; so they are counted, by their
 * names, and the sums over blocks of roots (tree_wide.h) are of the other
 * trees alone.
 *
 * A task is counted here when its counters have been told upwards and it has
 * neither parent nor child; no longer once it gets the one or the other.  Of
 * each name the first one is known, which stands for all of them in a picture.
 * When it leaves, the next one is looked for behind it: all before have left,
 * too, so that no root is looked at twice.
 */
#include "model/tree/tree_forget.h"
#include "model/tree/tree_inside.h"
#include "model/tree/tree_wide.h"

struct task_single {
	_Atomic uint32_t tasks, gone; /* gone: were given up */
	_Atomic uint32_t first;       /* of those that are there */
	bool listed;
};

bool
tree_is_single(const struct model *m, uint32_t t)
{
	const struct task_hot *h;

	if (t >= SEE(shape_of(m)->count.told) || task_is_gone(m, t))
		return (false);
	h = hot_at(m, t);
	return (SEE(h->parent) == TASK_NONE && SEE(h->last) == TASK_NONE &&
		!is_summary(m, t));
}

/* NULL: ENOMEM. */
static struct task_single *
single_of(struct model *m, uint32_t name)
{
	struct task_singles *s = singles_of(m);
	struct task_single *of =
	    chunk_make(&s->by_name, name, &held_of(m)->bytes);
	uint32_t n = atomic_load_explicit(&s->nnames, memory_order_relaxed),
		 *at;

	if (of == NULL)
		return (out_of_memory(m));
	if (of->listed)
		return (of);
	at = chunk_make(&s->names, n, &held_of(m)->bytes);
	if (at == NULL)
		return (out_of_memory(m));
	atomic_store(&of->first, TASK_NONE);
	of->listed = true;
	PUT(*at, name);
	atomic_store_explicit(&s->nnames, n + 1, memory_order_release);
	return (of);
}

static void
count_one(_Atomic uint32_t *of, _Atomic uint32_t *all, uint32_t by)
{
	atomic_fetch_add_explicit(of, by, memory_order_relaxed);
	atomic_fetch_add_explicit(all, by, memory_order_relaxed);
}

void
tree_single_enter(struct model *m, uint32_t t)
{
	struct task_single *of = single_of(m, task_name(m, t));

	if (of == NULL)
		return;
	count_one(&of->tasks, &singles_of(m)->tasks, 1);
	if (t < atomic_load_explicit(&of->first, memory_order_relaxed))
		atomic_store_explicit(&of->first, t, memory_order_relaxed);
}

/* The first one has left, or is about to. */
static void
next_first(struct model *m, struct task_single *of, uint32_t t, uint32_t name)
{
	uint32_t n = model_root_places(m), next = TASK_NONE;

	for (uint32_t i = tree_roots_from(m, t + 1);
	     atomic_load(&of->tasks) > 0 && i < n && next == TASK_NONE; i++) {
		next = tree_root_at(m, i);
		if (next != TASK_NONE &&
		    (!tree_is_single(m, next) || task_name(m, next) != name))
			next = TASK_NONE;
	}
	atomic_store_explicit(&of->first, next, memory_order_relaxed);
}

/* One that is counted under this name is so no more. */
static struct task_single *
drop_one(struct model *m, uint32_t t, uint32_t name)
{
	struct task_single *of = single_of(m, name);

	if (of == NULL)
		return (NULL);
	count_one(&of->tasks, &singles_of(m)->tasks, -1u);
	if (atomic_load(&of->first) == t)
		next_first(m, of, t, name);
	return (of);
}

void
tree_single_leave(struct model *m, uint32_t t)
{
	drop_one(m, t, task_name(m, t));
	tree_wide_told(m, TASK_NONE, t, 1, 0);
}

void
tree_single_gone(struct model *m, uint32_t t)
{
	struct task_single *of = drop_one(m, t, task_name(m, t));

	tree_wide_told(m, TASK_NONE, t, 1, 0);
	if (of != NULL)
		count_one(&of->gone, &singles_of(m)->gone, 1);
}

void
tree_name(struct model *m, uint32_t t, uint32_t name)
{
	uint32_t was = task_name(m, t);
	bool single = was != name && tree_is_single(m, t);

	task_set_name(m, t, name);
	if (!single)
		return;
	drop_one(m, t, was);
	tree_single_enter(m, t);
}

void
tree_single_init(struct model *m)
{
	chunk_init(&singles_of(m)->by_name, sizeof(struct task_single), 4);
	chunk_init(&singles_of(m)->names, sizeof(uint32_t), 4);
}

void
tree_single_clear(struct model *m)
{
	chunk_clear(&singles_of(m)->by_name);
	chunk_clear(&singles_of(m)->names);
}

/* readers */

uint32_t
model_singles(const struct model *m, uint32_t *gone)
{
	const struct task_singles *s = singles_of(m);

	if (gone != NULL)
		*gone = atomic_load_explicit(&s->gone, memory_order_relaxed);
	return (atomic_load_explicit(&s->tasks, memory_order_relaxed));
}

bool
model_single(const struct model *m, uint32_t i, struct single_tasks *out)
{
	struct task_singles *s = singles_of(m);
	const struct task_single *of;

	if (i >= atomic_load_explicit(&s->nnames, memory_order_acquire))
		return (false);
	out->name = SEE(*(uint32_t *)chunk_known(&s->names, i));
	of = chunk_known(&s->by_name, out->name);
	out->tasks = atomic_load_explicit(&of->tasks, memory_order_relaxed);
	out->gone = atomic_load_explicit(&of->gone, memory_order_relaxed);
	out->first = atomic_load_explicit(&of->first, memory_order_relaxed);
	return (true);
}

bool
model_is_single(const struct model *m, uint32_t task)
{
	return (tree_is_single(m, task));
}

uint32_t
model_trees(const struct model *m)
{
	uint32_t roots = atomic_load_explicit(&shape_of(m)->roots_left,
		     memory_order_relaxed),
		 singles = model_singles(m, NULL);

	return (roots > singles ? roots - singles : 0);
}

uint32_t
model_trees_all(const struct model *m)
{
	return (atomic_load_explicit(&shape_of(m)->roots_left,
		    memory_order_relaxed) +
		atomic_load_explicit(&shape_of(m)->roots_joined,
		    memory_order_relaxed));
}

/* The first place from `place` on whose block has a tree in it. */
static uint32_t
pass_blocks(const struct wide_view *w, uint32_t place)
{
	unsigned level;
	uint32_t b;

	for (;;) {
		for (level = w->levels; level-- > 0;) {
			b = (uint32_t)((uint64_t)place >>
				       WIDE_BITS * (level + 1));
			if (b >= wide_blocks(w, level))
				return (place); /* not counted yet */
			if (WIDE_SEE(w->block[level][b].size) == 0)
				break;
		}
		if (level == UINT32_MAX)
			return (place);
		place = (uint32_t)((b + 1ull) << WIDE_BITS * (level + 1));
	}
}

uint32_t
model_tree_from(const struct model *m, uint32_t place)
{
	uint32_t n = model_root_places(m), t;
	struct wide_view w;
	bool wide = model_task_wide(m, TASK_NONE, &w);

	for (; place < n; place++) {
		if (wide && place % WIDE_KIDS == 0)
			place = pass_blocks(&w, place);
		if (place >= n)
			break;
		t = tree_root_at(m, place);
		if (t != TASK_NONE && !tree_is_single(m, t))
			return (place);
	}
	return (UINT32_MAX);
}

uint32_t
model_tree_number(const struct model *m, uint32_t root)
{
	uint32_t place = model_tree_from(m, 0), n = 0;

	for (; place != UINT32_MAX; place = model_tree_from(m, place + 1)) {
		n++;
		if (model_task_root(m, place) == root)
			return (n);
	}
	return (0);
}

uint32_t
model_tree_nth(const struct model *m, uint32_t n)
{
	uint32_t place = model_tree_from(m, 0);

	while (place != UINT32_MAX && n-- > 1)
		place = model_tree_from(m, place + 1);
	return (place == UINT32_MAX ? TASK_NONE : model_task_root(m, place));
}
