/*
 * See swept.h.  A cell holds what one thread did in one path; a part's are
 * found by both and put to those that are there (calls_cell_add()), which must
 * not be open any more when the part had nothing of them.
 */
#include "model/calls/swept.h"

#include <stdlib.h>
#include <string.h>

#include "model/calls/calls_inside.h"

#define CELLS_PART  16 /* of the memory allowed */
#define CELLS_LEAST (UINT64_C(1) << 16)
#define SLOTS_LEAST 1024

struct sweep {
	struct model *m;
	int64_t t0, t1;
	int64_t at_ns;   /* so far */
	int64_t part_ns; /* end of what is being read */
	uint64_t remade, rewritten;
	uint32_t losses; /* those before do not touch it */
	struct calls *k; /* what reads the lanes; paths are its */
	struct call_cell *cell;
	uint32_t *part; /* of each cell: the last in which it was */
	uint32_t ncells, cap, parts;
	uint32_t *slot, mask; /* cell + 1, by lane and path */
	int8_t *pe;           /* by lane; -1: not known */
	uint32_t lanes;
	uint64_t bytes;
};

static void
bytes_add(struct sweep *s, size_t n)
{
	s->bytes += n;
	atomic_fetch_add_explicit(&fetched_of(s->m)->detail_bytes, n,
	    memory_order_relaxed);
}

struct sweep *
sweep_new(struct model *m, int64_t t0, int64_t t1)
{
	struct sweep *s = calloc(1, sizeof(*s));
	int64_t first = model_first_ns(m);

	if (s == NULL)
		return (NULL);
	s->m = m;
	s->t0 = t0;
	s->t1 = t1;
	s->at_ns = t0 > first ? t0 : first;
	s->remade = atomic_load(&facts_of(m)->remade);
	s->rewritten = model_rewritten(m);
	s->losses = interval_count(&marks_of(m)->losses);
	s->k = calls_new();
	if (s->k == NULL) {
		sweep_free(s);
		return (NULL);
	}
	calls_begin(s->k, m, 0, 0, UINT32_MAX);
	s->k->swept = NULL;
	s->k->sweep = s;
	s->k->about = false;
	return (s);
}

void
sweep_free(struct sweep *s)
{
	if (s == NULL)
		return;
	atomic_fetch_sub_explicit(&fetched_of(s->m)->detail_bytes, s->bytes,
	    memory_order_relaxed);
	calls_free(s->k);
	free(s->cell);
	free(s->part);
	free(s->slot);
	free(s->pe);
	free(s);
}

/* From here on all is in memory, or there is nothing more. */
static int64_t
until(const struct sweep *s)
{
	int64_t t = model_detail_ns(s->m), last = model_last_ns(s->m) + 1;

	t = t == INT64_MIN ? s->t0 : t + 1;
	t = t < last ? t : last;
	return (t < s->t1 ? t : s->t1);
}

bool
sweep_missing(const struct sweep *s, int64_t *from, int64_t *until_ns)
{
	*from = s->at_ns;
	*until_ns = until(s);
	return (s->at_ns < *until_ns);
}

void
sweep_part(struct sweep *s, int64_t until_ns)
{
	s->part_ns = until_ns;
}

/* A byte for each lane, of which there may be more now. */
static int
pes_reserve(struct sweep *s, uint32_t lane)
{
	uint32_t n = model_lanes(s->m);
	int8_t *pe;

	if (lane < s->lanes)
		return (0);
	pe = realloc(s->pe, n);
	if (pe == NULL)
		return (-1);
	memset(pe + s->lanes, -1, n - s->lanes);
	bytes_add(s, n - s->lanes);
	s->pe = pe;
	s->lanes = n;
	return (0);
}

static uint32_t
cell_hash(uint32_t lane, uint32_t path)
{
	return ((uint32_t)idmap_mix((uint64_t)lane << 32 | path));
}

static int
slots_grow(struct sweep *s)
{
	uint32_t size = s->slot == NULL ? SLOTS_LEAST : (s->mask + 1) * 2, at;
	uint32_t *slot = calloc(size, sizeof(*slot));

	if (slot == NULL)
		return (-1);
	for (uint32_t i = 0; i < s->ncells; i++) {
		at = cell_hash(s->cell[i].lane, s->cell[i].path);
		while (slot[at & (size - 1)] != 0)
			at++;
		slot[at & (size - 1)] = i + 1;
	}
	bytes_add(s, (s->slot == NULL ? size : size / 2) * sizeof(*slot));
	free(s->slot);
	s->slot = slot;
	s->mask = size - 1;
	return (0);
}

static uint64_t
cells_most(const struct sweep *s)
{
	uint64_t n = model_memory(s->m) / CELLS_PART / sizeof(*s->cell);

	return (n > CELLS_LEAST ? n : CELLS_LEAST);
}

static int
cells_reserve(struct sweep *s)
{
	uint32_t cap = s->cap == 0 ? 256 : s->cap * 2;
	struct call_cell *c;
	uint32_t *part;

	if (s->slot == NULL || s->ncells * 2 > s->mask)
		if (slots_grow(s) == -1)
			return (-1);
	if (s->ncells < s->cap)
		return (0);
	if (s->ncells >= cells_most(s))
		return (-1);
	c = realloc(s->cell, cap * sizeof(*c));
	if (c != NULL)
		s->cell = c;
	part = realloc(s->part, cap * sizeof(*part));
	if (part != NULL)
		s->part = part;
	if (c == NULL || part == NULL)
		return (-1);
	bytes_add(s, (cap - s->cap) * (sizeof(*c) + sizeof(*part)));
	s->cap = cap;
	return (0);
}

/* A part's cell to those that are there. */
static int
cell_put(struct sweep *s, const struct call_cell *c)
{
	struct call_cell *was;
	uint32_t at, i;

	if (cells_reserve(s) == -1)
		return (-1);
	for (at = cell_hash(c->lane, c->path); s->slot[at & s->mask] != 0;
	     at++) {
		i = s->slot[at & s->mask] - 1;
		was = &s->cell[i];
		if (was->lane != c->lane || was->path != c->path)
			continue;
		was->open &= s->part[i] + 1 == s->parts;
		calls_cell_add(s->k, was, c);
		s->part[i] = s->parts;
		return (0);
	}
	s->cell[s->ncells] = *c;
	s->part[s->ncells] = s->parts;
	s->slot[at & s->mask] = ++s->ncells;
	return (0);
}

int
sweep_cells(struct sweep *s, uint32_t lane, int pe, const struct call_cell *c,
    uint32_t n)
{
	if (pes_reserve(s, lane) == -1)
		return (-1);
	if (pe >= 0)
		s->pe[lane] = (int8_t)(pe > 15 ? 15 : pe);
	for (uint32_t i = 0; i < n; i++)
		if (cell_put(s, &c[i]) == -1)
			return (-1);
	return (0);
}

static int
by_lane(const void *a, const void *b)
{
	const struct call_cell *x = a, *y = b;

	if (x->lane != y->lane)
		return (x->lane < y->lane ? -1 : 1);
	return ((x->path > y->path) - (x->path < y->path));
}

int
sweep_take(struct sweep *s, const struct model *d)
{
	struct calls *k = s->k;

	calls_part(k, d, s->at_ns, s->part_ns);
	while (!calls_step(k))
		continue;
	if (k->failed)
		return (-1);
	s->at_ns = s->part_ns;
	s->parts++;
	return (0);
}

/* Nothing more will come: what one thread did lies together. */
static void
sweep_close(struct sweep *s)
{
	for (uint32_t i = 0; i < s->ncells; i++)
		s->cell[i].open &= s->part[i] + 1 == s->parts;
	if (s->ncells > 1)
		qsort(s->cell, s->ncells, sizeof(*s->cell), by_lane);
}

/* --- the reader --- */

void
model_set_sweep(struct model *m, struct sweep *s)
{
	struct sweep *old = fetched_of(m)->sweep;

	if (s != NULL)
		sweep_close(s);
	fetched_of(m)->sweep = s;
	fetched_of(m)->details++;
	sweep_free(old);
}

/* What was told of that time has been told anew since. */
static bool
is_stale(const struct model *m, const struct sweep *s)
{
	const struct loss *k;

	if (s->remade != atomic_load(&facts_of(m)->remade) ||
	    s->rewritten != model_rewritten(m))
		return (true);
	for (uint32_t i = s->losses; i < interval_count(&marks_of(m)->losses);
	     i++) {
		k = interval_at(&marks_of(m)->losses, i);
		if (k->t0_ns < s->at_ns)
			return (true);
	}
	return (false);
}

const struct sweep *
sweep_for(const struct model *m, int64_t t0, int64_t t1)
{
	const struct sweep *s = fetched_of(m)->sweep;

	return (s != NULL && s->t0 == t0 && s->at_ns <= t1 &&
			detail_for(m, t0, t1) == m && !is_stale(m, s)
		    ? s
		    : NULL);
}

int64_t
sweep_until(const struct sweep *s)
{
	return (s->at_ns);
}

void
sweep_rest(const struct sweep *s, struct calls *k)
{
	k->about |= s->k->about;
	if (k->lane != UINT32_MAX)
		return;
	for (uint32_t i = 0; i < s->k->rows && i < k->rows; i++)
		k->row[i].suspended_ns += s->k->row[i].suspended_ns;
	calls_lasted_add(k, s->k);
}

size_t
sweep_lane(const struct sweep *s, uint32_t lane, const struct call_cell **out)
{
	uint32_t lo = 0, hi = s->ncells, mid, n = 0;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s->cell[mid].lane < lane)
			lo = mid + 1;
		else
			hi = mid;
	}
	*out = s->cell + lo;
	while (lo + n < s->ncells && s->cell[lo + n].lane == lane)
		n++;
	return (n);
}

int
sweep_pe(const struct sweep *s, uint32_t lane)
{
	return (lane < s->lanes ? s->pe[lane] : -1);
}

uint32_t
sweep_path(const struct sweep *s, struct calls *k, uint32_t path)
{
	const struct call *c = &s->k->path[path];
	uint32_t up = CALL_NONE;

	if (c->parent != CALL_NONE) {
		up = sweep_path(s, k, c->parent);
		if (up == CALL_NONE)
			return (CALL_NONE);
	}
	return (calls_path_of(k, up, c->name, c->kind));
}
