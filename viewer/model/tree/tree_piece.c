/*
 * The pieces that tasks lie in: making them, what they hold beside their
 * arrays, how large they are.
 */
#include "model/keep/memory.h"
#include "model/tree/tree_store.h"

static struct task_piece *
piece_make(struct model *m)
{
	size_t bytes = sizeof(struct task_piece) + sizeof(struct task_bases) +
		       PIECE_TASKS * sizeof(uint16_t);
	struct task_piece *p = memory_zero(1, bytes);
	void *hot = slab_take(&held_of(m)->slab, &held_of(m)->bytes);
	void *warm = slab_take(&held_of(m)->slab, &held_of(m)->bytes);

	_Static_assert(sizeof(p->hot[0]) * PIECE_TASKS == SLAB_BLOCK, "hot");
	_Static_assert(sizeof(p->warm[0]) * PIECE_TASKS == SLAB_BLOCK, "warm");
	if (p == NULL || hot == NULL || warm == NULL) {
		memory_free(p); /* the blocks stay with the slab */
		return (out_of_memory(m));
	}
	p->bases = (struct task_bases *)(p + 1);
	p->level = (uint16_t *)(p->bases + 1);
	p->hot = hot;
	p->warm = warm;
	for (unsigned g = 0; g < GROUPS; g++)
		p->bases->spawn[g] = p->bases->begin[g] = INT64_MIN;
	atomic_fetch_add(&held_of(m)->bytes, bytes);
	return (p);
}

/* Elements of its arrays. */
static size_t
piece_tasks(const struct task_piece *p)
{
	return (p->rank == NULL ? PIECE_TASKS : p->rank->n + 1u);
}

/* How many tasks there are up to its last one. */
static uint32_t
piece_end(const struct task_piece *p)
{
	return (atomic_load(&p->first) +
		(p->rank == NULL ? PIECE_TASKS : p->rank->n));
}

void
task_pieces_number(struct model *m)
{
	uint32_t n = store_of(m)->ntasks, first = 0;
	struct task_piece *p;

	for (uint32_t i = 0; i < n; i += PIECE_TASKS) {
		p = piece_of(m, i);
		atomic_store(&p->first, first);
		first = piece_end(p);
		if (n - i <= PIECE_TASKS)
			break;
	}
}

static size_t
wide_bytes(const struct task_piece *p)
{
	return (
	    sizeof(struct task_wide) + 3 * piece_tasks(p) * sizeof(uint16_t));
}

size_t
task_piece_bytes(const struct task_piece *p)
{
	size_t n = piece_tasks(p), bytes;

	bytes = sizeof(*p) + sizeof(*p->bases) + n * sizeof(*p->level);
	if (p->rank != NULL)
		bytes +=
		    sizeof(*p->rank) + n * (sizeof(*p->hot) + sizeof(*p->warm));
	if (atomic_load(&p->end) != NULL)
		bytes += n * sizeof(uint32_t);
	if (wide_of(p) != NULL)
		bytes += wide_bytes(p);
	return (bytes);
}

/* The piece of a task that is to be made. */
struct task_piece *
task_piece_reserve(struct model *m, uint32_t i)
{
	_Atomic(struct task_piece *) **at =
	    &store_of(m)->task_dir[i >> (PIECE_BITS + DIR_BITS)];
	size_t bytes = sizeof(**at) << DIR_BITS;
	struct task_piece *p;

	if (*at == NULL) {
		*at = memory_zero(1, bytes);
		if (*at == NULL)
			return (out_of_memory(m));
		atomic_fetch_add(&held_of(m)->bytes, bytes);
	}
	p = piece_of(m, i);
	if (p == NULL) {
		p = piece_make(m);
		if (p != NULL && i >= PIECE_TASKS)
			atomic_init(&p->first,
			    piece_end(piece_of(m, i - PIECE_TASKS)));
		atomic_store(&(*at)[i >> PIECE_BITS & ((1u << DIR_BITS) - 1)],
		    p);
	}
	return (p);
}

struct task_wide *
task_wide_make(struct model *m, struct task_piece *p)
{
	struct task_wide *w = wide_of(p);
	size_t n = piece_tasks(p), bytes = wide_bytes(p);

	if (w != NULL)
		return (w);
	w = memory_zero(1, bytes);
	if (w == NULL)
		return (out_of_memory(m));
	w->level = (uint16_t *)(w + 1);
	w->name = w->level + n;
	w->place = w->name + n;
	atomic_fetch_add(&held_of(m)->bytes, bytes);
	atomic_store_explicit(&p->wide, w, memory_order_release);
	return (w);
}

uint32_t *
task_end_make(struct model *m, struct task_piece *p)
{
	size_t bytes = piece_tasks(p) * sizeof(uint32_t);
	uint32_t *end = atomic_load_explicit(&p->end, memory_order_relaxed);

	if (end != NULL)
		return (end);
	end = memory_zero(1, bytes);
	if (end == NULL)
		return (out_of_memory(m));
	atomic_fetch_add(&held_of(m)->bytes, bytes);
	atomic_store_explicit(&p->end, end, memory_order_release);
	return (end);
}

uint32_t *
task_end_at(struct model *m, uint32_t i)
{
	struct task_piece *p = piece_of(m, i);

	return (task_end_make(m, p) == NULL ? NULL : end_at(p, i));
}

void
task_piece_free(struct task_piece *p)
{
	if (p == NULL)
		return;
	memory_free(atomic_load(&p->end));
	memory_free(atomic_load(&p->wide));
	memory_free(p);
}
