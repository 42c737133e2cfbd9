/*
 * Which nodes of two trees are in the same place of the program: below the same
 * parent, of the same name, the n-th of that name.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/trees/compare_inside.h"
#include "ui/trees/grown.h"

/* A child, by what it is told apart. */
struct kid {
	uint64_t name;
	uint32_t task, at, ord;
};

struct kids {
	struct kid *k;
	uint32_t n, cap;
};

const char *
side_name(const struct side *s, uint32_t task)
{
	uint32_t name = model_task_name(s->m, task);
	const char *text = name != 0 ? model_name_recorded(s->m, name) : NULL;

	return (text != NULL ? text : "");
}

/*
 * Tasks and calls are told apart by their names, processes by their programs:
 * their numbers are chance.  The root of what was made here is always one.
 */
static uint64_t
key_of(const struct side *s, uint32_t task)
{
	const char *name = side_name(s, task), *end;
	char program[128];

	if (s->own.model != NULL && task == 0)
		return (0);
	end = s->ui->trees.of == TREE_THREADS ? strstr(name, "  PO ") : NULL;
	if (end == NULL)
		return (forest_hash(0, name));
	snprintf(program, sizeof(program), "%.*s", (int)(end - name), name);
	return (forest_hash(1, program));
}

static int
by_name(const void *a, const void *b)
{
	const struct kid *x = a, *y = b;

	if (x->name != y->name)
		return (x->name < y->name ? -1 : 1);
	return ((x->at > y->at) - (x->at < y->at));
}

static bool
kid_add(struct kids *k, const struct side *s, uint32_t task)
{
	uint32_t cap = k->cap == 0 ? 64 : k->cap * 2;
	struct kid *p;

	if (k->n == k->cap) {
		p = realloc(k->k, cap * sizeof(*p));
		if (p == NULL)
			return (false);
		k->k = p;
		k->cap = cap;
	}
	k->k[k->n] = (struct kid){ key_of(s, task), task, k->n, 0 };
	k->n++;
	return (true);
}

/* Children of a task, or the roots, by name. */
static void
kids_of(struct kids *k, const struct side *s, uint32_t task, bool top)
{
	k->n = 0;
	if (top) { /* more may come meanwhile: they are in the next one */
		for (uint32_t i = 0; i < model_root_places(s->m); i++) {
			task = model_task_root(s->m, i);
			if (task != TASK_NONE)
				kid_add(k, s, task);
		}
	} else if (task != TASK_NONE) {
		for (task = model_task_first(s->m, task); task != TASK_NONE;
		     task = model_task_next(s->m, task))
			kid_add(k, s, task);
	}
	if (k->n > 1)
		qsort(k->k, k->n, sizeof(*k->k), by_name);
	for (uint32_t i = 1; i < k->n; i++)
		if (k->k[i].name == k->k[i - 1].name)
			k->k[i].ord = k->k[i - 1].ord + 1;
}

static void
pair_add(struct pairs *v, uint32_t a, uint32_t b, uint32_t up, uint32_t ord)
{
	uint32_t cap = v->cap == 0 ? 1024 : v->cap * 2;
	struct pair *p;

	if (v->n == PAIRS_MAX)
		v->full = true;
	if (v->full)
		return;
	if (v->n == v->cap) {
		p = realloc(v->p, cap * sizeof(*p));
		if (p == NULL) {
			v->full = true;
			return;
		}
		v->p = p;
		v->cap = cap;
	}
	v->p[v->n++] = (struct pair){ a, b, up, ord };
}

static int
kid_compare(const struct kid *x, const struct kid *y)
{
	if (x->name != y->name)
		return (x->name < y->name ? -1 : 1);
	return (x->ord < y->ord ? -1 : x->ord > y->ord);
}

/* What has a place among the children of a pair. */
struct match {
	uint32_t a, b, ord;
	uint32_t at, behind; /* place in a; else behind so many of b */
};

static int
by_place(const void *p, const void *q)
{
	const struct match *x = p, *y = q;

	if (x->at != y->at)
		return (x->at < y->at ? -1 : 1);
	return ((x->behind > y->behind) - (x->behind < y->behind));
}

/*
 * Those of a in their order; one that only b has stands behind the one before
 * it in b that a has too.
 */
static uint32_t
order_kids(struct match *m, uint32_t n, const struct kids *b, uint32_t *place)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < n; i++)
		if (m[i].b != TASK_NONE)
			place[m[i].behind] =
			    m[i].a == TASK_NONE ? UINT32_MAX : m[i].at + 1;
	for (uint32_t i = 0; i < b->n; i++) {
		if (place[i] == UINT32_MAX)
			place[i] = last;
		last = place[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		if (m[i].a == TASK_NONE)
			m[i].at = place[m[i].behind] * 2;
		else
			m[i].at = m[i].at * 2 + 1;
	}
	qsort(m, n, sizeof(*m), by_place);
	return (n);
}

static void
match_kids(struct pairs *v, uint32_t up, const struct kids *a,
    const struct kids *b)
{
	struct match *m = malloc((a->n + b->n + 1) * sizeof(*m));
	uint32_t *place = calloc(b->n + 1, sizeof(*place)), n = 0;
	uint32_t i = 0, j = 0;
	int by;

	while (m != NULL && place != NULL && (i < a->n || j < b->n)) {
		by = i == a->n   ? 1
		     : j == b->n ? -1
				 : kid_compare(&a->k[i], &b->k[j]);
		m[n++] = (struct match){ by <= 0 ? a->k[i].task : TASK_NONE,
			by >= 0 ? b->k[j].task : TASK_NONE,
			by <= 0 ? a->k[i].ord : b->k[j].ord,
			by <= 0 ? a->k[i].at : 0, by >= 0 ? b->k[j].at : 0 };
		i += by <= 0;
		j += by >= 0;
	}
	if (n > 1)
		order_kids(m, n, b, place);
	for (i = 0; i < n; i++)
		pair_add(v, m[i].a, m[i].b, up, m[i].ord);
	free(place);
	free(m);
}

/* Level by level: the list is its own queue. */
void
pairs_make(struct pairs *v, const struct side s[2])
{
	struct kids a = { 0 }, b = { 0 };

	kids_of(&a, &s[0], TASK_NONE, true);
	kids_of(&b, &s[1], TASK_NONE, true);
	match_kids(v, TASK_NONE, &a, &b);
	for (uint32_t i = 0; i < v->n && !v->full; i++) {
		kids_of(&a, &s[0], v->p[i].a, false);
		kids_of(&b, &s[1], v->p[i].b, false);
		if (a.n + b.n > 0)
			match_kids(v, i, &a, &b);
	}
	free(a.k);
	free(b.k);
}

uint32_t
compare_lane(const struct model *m, uint32_t lane, const struct model *other)
{
	const struct lane *l, *x;

	if (lane >= model_lanes(m))
		return (UINT32_MAX);
	l = model_lane(m, lane);
	for (uint32_t i = 0; i < model_lanes(other); i++) {
		x = model_lane(other, i);
		if (x->kind == l->kind && x->node == l->node &&
		    x->po == l->po && x->thread == l->thread &&
		    x->depth == l->depth && x->object == l->object)
			return (i);
	}
	return (UINT32_MAX);
}
