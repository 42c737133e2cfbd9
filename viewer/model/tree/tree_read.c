/* What readers are told of the task tree. */
#include "model/tree/tree_forget.h"
#include "model/tree/tree_inside.h"

#define AHEAD_ROWS  16
#define AHEAD_STEPS 256 /* more would not stay in the cache */

uint32_t
model_tasks(const struct model *m)
{
	return (
	    atomic_load_explicit(&store_of(m)->ntasks, memory_order_acquire));
}

unsigned
model_enter(const struct model *m)
{
	return (retired_enter((struct retired *)&held_of(m)->retired));
}

void
model_leave(const struct model *m, unsigned door)
{
	retired_leave((struct retired *)&held_of(m)->retired, door);
}

uint32_t
model_task_parent(const struct model *m, uint32_t task)
{
	return (__atomic_load_n(&hot_at(m, task)->parent, __ATOMIC_ACQUIRE));
}

/*
 * The last one's next.  While a new one is hung, that may be this one already
 * although it is not the last one yet.
 */
uint32_t
model_task_first(const struct model *m, uint32_t task)
{
	const struct task_hot *t = hot_at(m, task);
	uint32_t last, first, hanging;

	do {
		last = __atomic_load_n(&t->last, __ATOMIC_ACQUIRE);
		if (last == TASK_NONE)
			return (TASK_NONE);
		first =
		    __atomic_load_n(&hot_at(m, last)->next, __ATOMIC_ACQUIRE);
		hanging = atomic_load_explicit(&store_of(m)->hanging,
		    memory_order_acquire);
	} while (__atomic_load_n(&t->last, __ATOMIC_ACQUIRE) != last);
	return (first == hanging ? SEE(hot_at(m, first)->next) : first);
}

uint32_t
model_task_next(const struct model *m, uint32_t task)
{
	const struct task_hot *t = hot_at(m, task);
	uint32_t parent = __atomic_load_n(&t->parent, __ATOMIC_ACQUIRE), next;

	if (parent == TASK_NONE ||
	    __atomic_load_n(&hot_at(m, parent)->last, __ATOMIC_ACQUIRE) == task)
		return (TASK_NONE);
	next = __atomic_load_n(&t->next, __ATOMIC_ACQUIRE);
	return (next == task ? TASK_NONE : next);
}

/* One step along each of the rows, then the next: they wait side by side. */
void
model_task_ahead(const struct model *m, const uint32_t *task, unsigned n)
{
	uint32_t at[AHEAD_ROWS], last[AHEAD_ROWS];
	unsigned rows = 0;

	for (unsigned i = 0; i < n && rows < AHEAD_ROWS; i++) {
		last[rows] = at[rows] =
		    __atomic_load_n(&hot_at(m, task[i])->last,
			__ATOMIC_ACQUIRE);
		if (last[rows] == TASK_NONE)
			continue;
		__builtin_prefetch(hot_at(m, last[rows++]));
	}
	for (int step = 0; step < AHEAD_STEPS && rows > 0; step++)
		for (unsigned i = 0; i < rows; i++) {
			at[i] = __atomic_load_n(&hot_at(m, at[i])->next,
			    __ATOMIC_ACQUIRE);
			if (at[i] == last[i] || at[i] == TASK_NONE) {
				at[i] = at[--rows];
				last[i--] = last[rows];
				continue;
			}
			__builtin_prefetch(hot_at(m, at[i]));
		}
}

void
model_task_ahead_drawn(const struct model *m, uint32_t task)
{
	const struct task_piece *p = piece_of(m, task);
	unsigned g = task >> GROUP_BITS & (GROUPS - 1);
	uint32_t k = rank_in(p, task);

	__builtin_prefetch(&p->hot[k]);
	__builtin_prefetch(&p->warm[k]);
	__builtin_prefetch(&p->bases->spawn[g]);
	__builtin_prefetch(&p->bases->begin[g]);
	__builtin_prefetch(&p->level[k]);
}

uint32_t
model_task_level(const struct model *m, uint32_t task)
{
	return (task_level(m, task));
}

/*
 * Of a piece that is whole and whose levels count from 0: tasks from..to, whose
 * arrays begin with number `base`.  Who is in is hard to guess: nothing
 * depends on it.
 */
static uint32_t
mark_piece(const struct task_piece *p, uint64_t *in, uint32_t base,
    uint32_t from, uint32_t to)
{
	const struct task_hot *hot = p->hot;
	const uint16_t *levels = p->level;
	uint32_t deepest = 0, up, level;
	uint64_t bit;

	for (uint32_t t = from; t < to; t++) {
		up = SEE(hot[t - base].parent);
		bit = up == TASK_NONE ? 0 : in[up / 64] >> up % 64 & 1;
		in[t / 64] |= bit << t % 64;
		level = SEE(levels[t - base]) & -(uint32_t)bit;
		deepest = level > deepest ? level : deepest;
	}
	return (deepest);
}

uint32_t
model_subtree_mark(const struct model *m, uint64_t *in, uint32_t from,
    uint32_t to, uint32_t deepest)
{
	const struct task_piece *p;
	uint32_t up, level, end, k;
	uint64_t bit;

	for (uint32_t i = from; i < to; i = end) {
		p = piece_of(m, i);
		end = (i | (PIECE_TASKS - 1)) + 1;
		end = end < to ? end : to;
		if (p->rank == NULL && wide_of(p) == NULL && p->level0 == 0) {
			level =
			    mark_piece(p, in, i & ~(PIECE_TASKS - 1), i, end);
			deepest = level > deepest ? level : deepest;
			continue;
		}
		for (uint32_t t = i; t < end; t++) {
			k = rank_in(p, t);
			up = SEE(p->hot[k].parent);
			bit = up == TASK_NONE ? 0 : in[up / 64] >> up % 64 & 1;
			in[t / 64] |= bit << t % 64;
			level = task_level_in(p, k) & -(uint32_t)bit;
			deepest = level > deepest ? level : deepest;
		}
	}
	return (deepest);
}

uint32_t
model_task_name(const struct model *m, uint32_t task)
{
	return (task_name(m, task));
}

uint32_t
model_task_counts(const struct model *m, uint32_t task, uint64_t *depths)
{
	return (task_counts(m, task, depths));
}

int64_t
model_task_begin(const struct model *m, uint32_t task)
{
	return (task_begin_ns(m, task));
}

bool
model_task_ended(const struct model *m, uint32_t task)
{
	return (task_end(m, task) != 0);
}

int64_t
model_task_spawn(const struct model *m, uint32_t task)
{
	return (task_spawn_ns(m, task));
}

uint32_t
model_task_pe(const struct model *m, uint32_t task)
{
	uint32_t pe;

	if (task_begin_ns(m, task) == INT64_MIN)
		return (UINT32_MAX);
	pe = task_place(m, task).pe;
	return (pe == PLACE_NO_PE ? UINT32_MAX : pe);
}

bool
model_task_suspended(const struct model *m, uint32_t task)
{
	return ((SEE(warm_at(m, task)->place) & PLACE_SUSPENDED) != 0);
}

bool
model_task_gone(const struct model *m, uint32_t task)
{
	return (task_is_gone(m, task));
}

uint32_t
model_tasks_gone(const struct model *m)
{
	return (SEE(gone_of(m)->tasks_gone));
}

/* As many as are there before it. */
uint32_t
model_task_place(const struct model *m, uint32_t task)
{
	const struct task_piece *p = piece_of(m, task);

	return (atomic_load_explicit(&p->first, memory_order_relaxed) +
		rank_in(p, task));
}

uint32_t
model_task_places(const struct model *m)
{
	return (model_tasks(m) - model_tasks_gone(m));
}

uint32_t
model_tree_epoch(const struct model *m)
{
	return (atomic_load(&gone_of(m)->tree_epoch));
}

bool
model_task_sums(const struct model *m, uint32_t task, struct task_sums *out)
{
	const struct task_summary *s = summary_of(m, task);

	if (s == NULL)
		return (false);
	summary_read(s, out);
	return (true);
}

static void
get_odd(const struct task_odd *odd, struct task *out)
{
	out->suspensions = SEE(odd->suspensions);
	out->suspended_ns = SEE(odd->suspended_ns);
	out->since_mon_ns = SEE(odd->since_ns);
	if (out->since_mon_ns != INT64_MIN)
		out->flags |= TASK_SUSPENDED;
}

static void
get(const struct model *m, uint32_t task, struct task *out)
{
	const struct task_odd *odd;
	struct task_place place;
	struct task_sums sums;
	uint64_t depths;

	if (task_is_gone(m, task)) {
		out->flags = TASK_GONE_UP;
		return;
	}
	out->id = ids_of_word(m, SEE(warm_at(m, task)->id));
	out->parent = model_task_parent(m, task);
	out->first_child = model_task_first(m, task);
	out->next_sibling = model_task_next(m, task);
	out->last_child = SEE(hot_at(m, task)->last);
	out->level = task_level(m, task);
	out->size = task_counts(m, task, &depths);
	out->sumlevel = depths + (uint64_t)out->level * out->size;
	out->name = task_name(m, task);
	out->spawn_mon_ns = task_spawn_ns(m, task);
	out->begin_mon_ns = task_begin_ns(m, task);
	out->end_mon_ns = task_end_ns(m, task);
	out->busy_ns = task_busy_ns(m, task);
	if (out->begin_mon_ns != INT64_MIN)
		out->flags |= TASK_BEGUN;
	if (out->end_mon_ns != INT64_MIN)
		out->flags |= TASK_ENDED;
	place = task_place(m, task);
	if (place.pe != PLACE_NO_PE) {
		out->pe = (uint16_t)place.pe;
		out->location = place.location;
	}
	odd = task_odd(m, task);
	if (odd != NULL)
		get_odd(odd, out);
	if (model_task_sums(m, task, &sums)) {
		out->flags = TASK_BEGUN | TASK_ENDED | TASK_SUMMARY;
		out->id = 0;
		out->begin_mon_ns = sums.t0_mon_ns;
		out->end_mon_ns = sums.t1_mon_ns;
		out->busy_ns = sums.busy_ns;
	}
}

struct task *
model_task_get(const struct model *m, uint32_t task, struct task *out)
{
	unsigned door;

	*out = (struct task){ .parent = TASK_NONE,
		.first_child = TASK_NONE,
		.next_sibling = TASK_NONE,
		.last_child = TASK_NONE,
		.spawn_mon_ns = INT64_MIN,
		.begin_mon_ns = INT64_MIN,
		.end_mon_ns = INT64_MIN,
		.since_mon_ns = INT64_MIN };
	if (task >= model_tasks(m))
		return (out);
	door = model_enter(m);
	get(m, task, out);
	model_leave(m, door);
	return (out);
}

uint32_t
model_root_places(const struct model *m)
{
	return (
	    atomic_load_explicit(&shape_of(m)->nroots, memory_order_acquire));
}

uint32_t
model_task_root(const struct model *m, uint32_t place)
{
	return (tree_root_at(m, place));
}

uint32_t
model_task_roots(const struct model *m, uint32_t *out, uint32_t max)
{
	uint32_t all = model_root_places(m), n = 0, task;
	uint32_t there = atomic_load_explicit(&shape_of(m)->roots_left,
	    memory_order_relaxed);

	for (uint32_t i = 0; i < all && n < max; i++) {
		task = model_task_root(m, i);
		if (task != TASK_NONE)
			out[n++] = task;
	}
	return (n == max && there > n ? there : max > 0 ? n : there);
}

uint32_t
model_task_levels(const struct model *m, uint32_t root)
{
	const struct task_root *r;
	uint32_t i, levels = 0;
	struct retired *ret = (struct retired *)&held_of(m)->retired;
	unsigned door;

	if (root == TASK_NONE)
		return (atomic_load(&shape_of(m)->levels));
	door = retired_enter(ret);
	i = idmap_find(&shape_of(m)->root_map, root);
	if (i != IDMAP_NONE) {
		r = chunk_known(&shape_of(m)->roots, i);
		levels = atomic_load_explicit(&r->levels, memory_order_relaxed);
	}
	retired_leave(ret, door);
	return (levels);
}

uint32_t
model_pes(const struct model *m)
{
	return (atomic_load_explicit(&shape_of(m)->npes, memory_order_relaxed));
}

uint64_t
model_tree_version(const struct model *m)
{
	return (atomic_load_explicit(&shape_of(m)->tree_version,
	    memory_order_acquire));
}

bool
model_tree_in_order(const struct model *m)
{
	return (
	    !atomic_load(&shape_of(m)->unordered) && model_tasks_gone(m) == 0);
}

uint32_t
model_tree_generation(const struct model *m)
{
	return (atomic_load(&shape_of(m)->generation));
}

_Static_assert(ID_NONE == TASK_NONE, "no task");

uint32_t
tree_find(const struct model *m, uint64_t id)
{
	uint32_t found = ids_look(m, id);

	return (found == ID_GONE ? TASK_NONE : found);
}

uint32_t
model_task_by_id(const struct model *m, uint64_t id)
{
	struct retired *r = (struct retired *)&held_of(m)->retired;
	uint32_t found;
	unsigned door;

	door = retired_enter(r);
	found = tree_find(m, id);
	if (found != TASK_NONE &&
	    ids_of_word(m, SEE(warm_at(m, found)->id)) != id)
		found = TASK_NONE; /* it is just being given up */
	retired_leave(r, door);
	return (found);
}
