/*
 * What a lane has been in so far, to the integer.  The levels collect it: a
 * leaf's sum goes up when it is closed, and stays in the lowest level whose
 * next node is not whole yet.  So what all levels hold, and the open leaf, is
 * all there ever was, also when the leaves and nodes have been given up.
 */
#include <string.h>

#include "model/keep/memory.h"
#include "model/lod/lodtree.h"

void
lod_sum_add(struct lod_sum *to, const struct lod_sum *s)
{
	for (int p = 0; p < LOD_PLACES; p++)
		to->ns[p] += s->ns[p];
	to->begun += s->begun;
}

void
lod_sum_take(struct lod_sum *from, const struct lod_sum *s)
{
	for (int p = 0; p < LOD_PLACES; p++)
		from->ns[p] -= s->ns[p];
	from->begun -= s->begun;
}

/* Of the open leaf, but for how long its last change has lasted. */
static int64_t
sum_open(const struct lod *l, const struct lod_state *states,
    struct lod_sum *sum)
{
	const struct lod_raw *r = l->open;
	const uint16_t *state = raw_states(r);
	const struct lod_state *st;
	uint32_t n = atomic_load_explicit(&r->n, memory_order_relaxed);

	for (uint32_t i = 0; i < n; i++) {
		st = &states[state[i]];
		sum->begun += st->fresh != 0;
		if (i + 1 < n)
			sum->ns[lod_place(l->kind, st->class)] +=
			    r->off[i + 1] - r->off[i];
	}
	return (r->t0_ns + r->off[n - 1]);
}

int64_t
lod_so_far(const struct lod *l, const struct lod_state *states,
    struct lod_sum *sum)
{
	const struct lod_before *before = atomic_load(&l->before);
	const struct lod_level *v;

	memset(sum, 0, sizeof(*sum));
	if (before != NULL)
		*sum = before->sum;
	if (l->open == NULL)
		return (INT64_MIN);
	for (int k = 0; k < LOD_LEVELS && (v = lod_level_at(l, k)) != NULL; k++)
		lod_sum_add(sum, &v->sum);
	return (sum_open(l, states, sum));
}

int64_t
lod_last_ns(const struct lod *l)
{
	return (l->last_ns);
}

uint32_t
lod_last_nth(const struct lod *l)
{
	return (l->last_nth);
}

unsigned
lod_last_place(const struct lod *l, const struct lod_state *states)
{
	return (lod_place(l->kind, states[l->last_state].class));
}

uint16_t
lod_last(const struct lod *l, uint32_t *id)
{
	*id = l->last_id;
	return (l->last_state);
}

int
lod_begin_late(struct lod *l, int64_t t, const struct lod_sum *sum,
    _Atomic uint64_t *bytes)
{
	struct lod_before *b = memory_alloc(sizeof(*b));

	if (b == NULL)
		return (-1);
	*b = (struct lod_before){ t, *sum };
	atomic_store(&l->before, b);
	atomic_fetch_add_explicit(bytes, sizeof(*b), memory_order_relaxed);
	return (0);
}
