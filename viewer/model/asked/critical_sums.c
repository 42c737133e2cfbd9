/*
 * What the critical path was in, and what was waited for: sums by a few words
 * each, in one table.
 */
#include <stdlib.h>
#include <string.h>

#include "model/asked/critical_inside.h"

static uint32_t
hash(const struct critical_cell *c)
{
	uint64_t h = (uint64_t)c->what << 32 | c->a;

	h = idmap_mix(h) ^ ((uint64_t)c->b << 32 | c->c);
	return ((uint32_t)idmap_mix(h));
}

static int
grow(struct critical *k)
{
	size_t cap = k->cell_cap == 0 ? 256 : k->cell_cap * 2;
	struct critical_cell *v = realloc(k->cell, cap * sizeof(*v));
	uint32_t *slot = v == NULL ? NULL : calloc(cap * 2, sizeof(*slot)), i;
	uint32_t mask = (uint32_t)cap * 2 - 1;

	if (v != NULL)
		k->cell = v;
	if (slot == NULL)
		return (-1);
	free(k->slot);
	k->slot = slot;
	k->cell_cap = cap;
	for (size_t j = 0; j < k->ncell; j++) {
		for (i = hash(&v[j]); slot[i & mask] != 0; i++)
			continue;
		slot[i & mask] = (uint32_t)j + 1;
	}
	return (0);
}

/* Where such a one is, or would be, in the table of slots. */
static uint32_t
slot_of(const struct critical *k, const struct critical_cell *key)
{
	uint32_t mask = (uint32_t)k->cell_cap * 2 - 1, i;
	const struct critical_cell *x;

	for (i = hash(key) & mask; k->slot[i] != 0; i = (i + 1) & mask) {
		x = &k->cell[k->slot[i] - 1];
		if (x->what == key->what && x->a == key->a && x->b == key->b &&
		    x->c == key->c)
			break;
	}
	return (i);
}

void
critical_add(struct critical *k, enum critical_what what, uint32_t a,
    uint32_t b, uint32_t c, int64_t ns)
{
	struct critical_cell key = { what, a, b, c, 0, 0, 0 }, *x;
	uint32_t i;

	if (k->ncell == k->cell_cap && grow(k) == -1) {
		k->failed = true;
		return;
	}
	i = slot_of(k, &key);
	if (k->slot[i] == 0) {
		k->cell[k->ncell] = key;
		k->slot[i] = (uint32_t)++k->ncell;
	}
	x = &k->cell[k->slot[i] - 1];
	x->ns += ns;
	x->n++;
}

/* --- what the pieces were in --- */

static void
look_at(struct critical *k, const struct critical_piece *x)
{
	const struct lod *l = span_row_lod(k->source.of, x->lane);
	const struct lod_state *st;
	struct lod_cursor c;
	struct lod_piece p;
	int64_t a, b;
	int found = l == NULL ? 0 : lod_seek(l, x->t0_mon_ns, &c);

	k->about = k->about || (found != 1 && x->t1_mon_ns > x->t0_mon_ns);
	while (found != 0) {
		if (!lod_next(l, &c, &p)) {
			k->about = k->about || span_row_gone(&c);
			return;
		}
		if (p.t0_ns >= x->t1_mon_ns)
			return;
		k->work++;
		st = &lanes_of(k->source.of)->states[p.state];
		a = p.t0_ns > x->t0_mon_ns ? p.t0_ns : x->t0_mon_ns;
		b = p.t1_ns < x->t1_mon_ns ? p.t1_ns : x->t1_mon_ns;
		if (b <= a)
			continue;
		critical_add(k, CELL_IN, (uint32_t)st->class << 8 | st->kind,
		    st->name, 0, b - a);
		critical_add(k, CELL_ON, (uint32_t)st->class << 8 | st->kind,
		    st->name, x->lane, b - a);
	}
}

bool
critical_look(struct critical *k)
{
	for (int i = 0; i < 64 && k->looked < k->n && !k->failed; i++) {
		k->work++;
		look_at(k, &k->piece[k->looked++]);
	}
	return (k->looked == k->n);
}

/* --- the end --- */

static int
by_length(const void *a, const void *b)
{
	const struct critical_part *x = a, *y = b;

	if (x->ns != y->ns)
		return (x->ns < y->ns ? 1 : -1);
	if (x->name != y->name)
		return (x->name < y->name ? -1 : 1);
	return ((x->class << 8 | x->kind) - (y->class << 8 | y->kind));
}

/* The part of this state and name; NULL: the path was not in it. */
static struct critical_part *
part_of(const struct critical *k, uint32_t state, uint32_t name)
{
	struct critical_cell key = { CELL_IN, state, name, 0, 0, 0, 0 };
	uint32_t at = k->ncell == 0 ? 0 : k->slot[slot_of(k, &key)];

	return (at == 0 ? NULL : &k->part[k->cell[at - 1].part]);
}

/* What all threads were in themselves. */
static void
add_all(struct critical *k)
{
	const struct self_sum *s;
	size_t n = self_sums_list(k->all_self, &s);
	struct critical_part *p;

	k->about = k->about || !self_sums_exact(k->all_self);
	for (size_t i = 0; i < n; i++) {
		p = part_of(k, LANE_running << 8 | s[i].kind, s[i].name);
		if (p != NULL)
			p->all_ns += s[i].ns;
	}
}

/* The thread with the most of each part, of equal ones the first. */
static void
add_lanes(struct critical *k)
{
	const struct critical_cell *c;
	struct critical_part *p;

	for (size_t i = 0; i < k->ncell; i++) {
		c = &k->cell[i];
		p = c->what == CELL_ON ? part_of(k, c->a, c->b) : NULL;
		if (p == NULL || c->ns < p->lane_ns ||
		    (c->ns == p->lane_ns && p->lane < c->c))
			continue;
		p->lane_ns = c->ns;
		p->lane = c->c;
	}
}

/* A sum of waits into what is told of them. */
static void
add_waited(struct critical_waited *w, const struct critical_cell *c)
{
	if (c->what == CELL_WAIT) {
		w->ns = c->ns;
		w->times = c->n;
	} else if (c->what == CELL_AT && c->ns > w->at_ns) {
		w->at_ns = c->ns;
		w->at = c->b;
	} else if (c->what == CELL_BY && c->ns > w->by_ns) {
		w->by_ns = c->ns;
		w->by = c->b;
		w->by_name = c->c;
	}
}

void
critical_finish(struct critical *k)
{
	for (int i = 0; i < CRITICAL_WAITS; i++)
		k->waited[i] = (struct critical_waited){ .by = UINT32_MAX };
	for (size_t i = 0; i < k->ncell; i++)
		if (k->cell[i].what >= CELL_WAIT)
			add_waited(&k->waited[k->cell[i].a], &k->cell[i]);
	free(k->part);
	k->nparts = 0;
	k->part = calloc(k->ncell + 1, sizeof(*k->part));
	if (k->part == NULL) {
		k->failed = true;
		return;
	}
	for (size_t i = 0; i < k->ncell; i++) {
		struct critical_cell *c = &k->cell[i];

		if (c->what != CELL_IN)
			continue;
		c->part = (uint32_t)k->nparts;
		k->part[k->nparts++] =
		    (struct critical_part){ .class = (uint8_t)(c->a >> 8),
			    .kind = (uint8_t)c->a,
			    .name = c->b,
			    .ns = c->ns,
			    .lane = UINT32_MAX };
	}
	add_lanes(k);
	add_all(k);
	if (k->nparts > 1)
		qsort(k->part, k->nparts, sizeof(*k->part), by_length);
}

size_t
critical_parts(const struct critical *k, const struct critical_part **out)
{
	*out = k->part;
	return (k->phase == CRITICAL_DONE ? k->nparts : 0);
}

void
critical_waited(const struct critical *k, enum critical_wait what,
    struct critical_waited *w)
{
	*w = k->waited[what];
}
