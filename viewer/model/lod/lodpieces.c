/*
 * Leaves of one lane of many, where most pieces lie in other pixels than the
 * one before: piece by piece to the steps (lodsteps.c), whatever pixel is being
 * collected.  Names go pixel by pixel still, but only where no lane before has
 * had one for all of the pixel.
 */
#include "model/lod/lodpixel.h"

/* Where the changes to a state go; NULL: it is idle. */
static inline struct lod_step *
class_row(const struct pixels *p, const struct lod_state *st)
{
	unsigned class = lod_class(p->l->kind, p->place[st->class]);

	p->steps->classes |= 1u << class;
	return (class == 0 ? NULL : lod_steps_row(p->steps, class));
}

/* All of pixels first to until - 1 have this name. */
static void
names_full(struct pixels *p, uint32_t name, unsigned first, unsigned until)
{
	if (p->name == NULL || name == 0)
		return;
	for (unsigned i = first; i < until; i++)
		if (p->many.weight[i] < p->many.most) {
			p->many.weight[i] = UINT64_MAX;
			p->name[i] = name;
		}
}

void
pixels_full(struct pixels *p, const struct lod_state *st, unsigned first,
    unsigned until)
{
	const struct lod_steps *s = p->steps;
	struct lod_step *row = class_row(p, st);

	if (first >= until)
		return;
	lod_step_piece(lod_steps_known(s), first, s->edge[first], until,
	    s->edge[until]);
	if (row != NULL)
		lod_step_piece(row, first, s->edge[first], until,
		    s->edge[until]);
	names_full(p, st->name, first, until);
}

/* So much of pixel i has a name. */
static inline void
name_part(struct pixels *p, unsigned i, uint32_t name, uint64_t ns)
{
	if (p->many.weight[i] >= p->many.most || ns == 0)
		return;
	if (i > p->at)
		pixels_go(p, i);
	top_add(p, name, ns);
}

/* A piece that is not idle. */
static inline void
piece_steps(struct pixels *p, struct lod_step *row, uint32_t name, int64_t a,
    int64_t b)
{
	const int64_t *edge = p->steps->edge;
	unsigned i = lod_steps_at(p->steps, a), j;

	if (b <= edge[i + 1]) {
		row[i].ns -= (uint64_t)(b - a);
		if (name != 0)
			name_part(p, i, name, (uint64_t)(b - a));
		return;
	}
	j = lod_steps_at(p->steps, b);
	lod_step_piece(row, i, a, j, b);
	if (name == 0)
		return;
	name_part(p, i, name, (uint64_t)(edge[i + 1] - a));
	names_full(p, name, i + 1, j);
	if (j < p->until)
		name_part(p, j, name, (uint64_t)(b - edge[j]));
}

static inline uint32_t
name_asked(const struct pixels *p, const struct lod_state *st)
{
	return (p->name == NULL ? 0 : st->name);
}

static void
known_steps(const struct pixels *p, int64_t a, int64_t b)
{
	if (a < b)
		lod_step_piece(lod_steps_known(p->steps),
		    lod_steps_at(p->steps, a), a, lod_steps_at(p->steps, b), b);
}

void
pixels_opened(struct pixels *p, int64_t end)
{
	const struct lod_opened *o = &p->leaf;
	const struct lod_state *st;
	struct lod_step *row;
	int64_t a, b;

	known_steps(p, o->t0_ns > p->from ? o->t0_ns : p->from, end);
	for (uint32_t j = lod_entry_at(o, p->from); j < o->n; j++) {
		a = o->t0_ns + o->off[j];
		a = a > p->from ? a : p->from;
		b = j + 1 < o->n ? o->t0_ns + o->off[j + 1] : end;
		b = b < end ? b : end;
		st = &p->states[o->state[j]];
		row = class_row(p, st);
		if (row != NULL && a < b)
			piece_steps(p, row, name_asked(p, st), a, b);
	}
}

void
pixels_packed(struct pixels *p, const struct lod_leaf *leaf, int64_t t,
    int64_t end)
{
	struct lod_reader r;
	struct lod_step *row[LOD_LEAF];
	uint32_t name[LOD_LEAF], ns;
	int64_t next;
	unsigned k, n;
	const uint16_t *state = lod_leaf_states(p->l, leaf, &n);

	lod_reader_init(&r, leaf);
	known_steps(p, t, end);
	for (k = 0; k < n; k++) {
		row[k] = class_row(p, &p->states[state[k]]);
		name[k] = name_asked(p, &p->states[state[k]]);
	}
	for (unsigned i = 0; i < leaf->n; i++, t = next) {
		k = lod_reader_next(&r, i, &ns);
		next = i + 1u < leaf->n ? t + ns : end;
		if (row[k] != NULL)
			piece_steps(p, row[k], name[k], t, next);
	}
}
