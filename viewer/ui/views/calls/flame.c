/*
 * Makes frames out of call paths.
 *
 * Paths come with parents first, so what hangs below whom is one
 * walk; names of one parent stand in the order of the alphabet, so that they
 * stay where they are while a run grows.
 */
#include "ui/views/calls/flame.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/forest.h"
#include "model/measured/scheds.h"
#include "ui/desk/parse.h"
#include "ui/views/view.h"

/* A path while frames are made of them. */
struct node {
	uint64_t id;
	uint32_t path, parent, level;
	const char *name;
	int64_t ns;
	uint32_t first, next, last; /* nodes below, and beside; FLAME_NONE */
};

static struct flame_own *
own(struct ui *ui)
{
	return (view_own(ui, VIEW_FLAME, sizeof(struct flame_own)));
}

static const char *
name_of(const struct ui *ui, const struct call *c)
{
	return (c->name != 0 ? label_name(ui->model, c->name)
			     : label_kind(c->kind));
}

static void
nodes_make(const struct ui *ui, const struct flame *f, struct node *v, size_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct call *c = &f->path[i];
		bool top = c->parent == CALL_NONE;

		v[i] = (struct node){ .path = i,
			.parent = top ? FLAME_NONE : c->parent,
			.level = top ? 1 : v[c->parent].level + 1,
			.name = name_of(ui, c),
			.ns = f->cpu ? c->cpu_ns : c->total_ns,
			.first = FLAME_NONE,
			.next = FLAME_NONE,
			.last = FLAME_NONE };
		v[i].id = forest_hash((top ? 1 : v[c->parent].id) + c->kind,
		    v[i].name);
	}
}

static int
by_place(const void *a, const void *b)
{
	const struct node *x = a, *y = b;
	int by_name;

	if (x->level != y->level)
		return (x->level < y->level ? -1 : 1);
	if (x->parent != y->parent)
		return (x->parent < y->parent ? -1 : 1);
	by_name = strcmp(x->name, y->name);
	return (
	    by_name != 0 ? by_name : (x->path > y->path) - (x->path < y->path));
}

/* Sorted ones hang below their parents; at: where which path is. */
static void
nodes_hang(struct node *v, size_t n, const uint32_t *at, uint32_t *top)
{
	uint32_t last = FLAME_NONE;

	*top = n > 0 ? 0 : FLAME_NONE;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t up = v[i].parent;

		if (up == FLAME_NONE) {
			if (last != FLAME_NONE)
				v[last].next = i;
			last = i;
			continue;
		}
		v[i].parent = up = at[up];
		if (v[up].last == FLAME_NONE)
			v[up].first = i;
		else
			v[v[up].last].next = i;
		v[up].last = i;
	}
}

/* The frame of node i, behind those that stand before it. */
static uint32_t
frame_add(struct flame *f, const struct node *x, uint32_t parent,
    int64_t *used_ns)
{
	struct flame_frame *to = &f->frame[f->n];

	*to = (struct flame_frame){ .id = x->id,
		.path = x->path,
		.parent = parent,
		.level = x->level,
		.at_ns = *used_ns,
		.ns = x->ns };
	*used_ns += x->ns;
	return ((uint32_t)f->n++);
}

/* In the order of what is inside what.  used: by frame; how: by node. */
static void
frames_make(struct flame *f, struct node *v, uint32_t top, int64_t *used,
    uint32_t *how)
{
	uint32_t i = top;
	int64_t all = 0;

	while (i != FLAME_NONE) {
		uint32_t up =
		    v[i].parent == FLAME_NONE ? FLAME_NONE : how[v[i].parent];

		how[i] = frame_add(f, &v[i], up,
		    up == FLAME_NONE ? &all : &used[up]);
		used[how[i]] = f->frame[how[i]].at_ns;
		if (v[i].first != FLAME_NONE) {
			i = v[i].first;
			continue;
		}
		while (i != FLAME_NONE && v[i].next == FLAME_NONE)
			i = v[i].parent;
		i = i == FLAME_NONE ? FLAME_NONE : v[i].next;
	}
}

/* Those with anything; wide enough if the root is so wide.  How many. */
static size_t
nodes_choose(struct flame *f, struct node *v, size_t n, uint32_t *at,
    int64_t least_ns)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		const struct call *c = &f->path[i];

		at[i] = FLAME_NONE;
		if (v[i].ns < least_ns || (c->calls == 0 && c->total_ns == 0) ||
		    (v[i].parent != FLAME_NONE &&
			at[v[i].parent] == FLAME_NONE))
			continue;
		at[i] = 0; /* it is there: the next pass says where */
		v[to++] = v[i];
	}
	if (to > 1)
		qsort(v, to, sizeof(*v), by_place);
	for (uint32_t i = 0; i < to; i++)
		at[v[i].path] = i;
	return (to);
}

/* What is shown, and how wide all is; before frames are made. */
static void
find_root(struct flame *f, const struct node *v, size_t n, uint64_t root)
{
	f->all_ns = 0;
	f->cpu_known = true;
	for (size_t i = 0; i < n; i++) {
		f->all_ns += v[i].parent == FLAME_NONE ? v[i].ns : 0;
		f->cpu_known &= !f->path[i].cpu_unknown;
	}
	f->ns = f->all_ns;
	for (size_t i = 0; root != 0 && i < n; i++)
		if (v[i].id == root && v[i].ns > 0)
			f->ns = v[i].ns;
}

static void
set_root(struct flame *f, uint64_t root)
{
	f->root = FLAME_NONE;
	for (uint32_t i = 0; root != 0 && i < f->n; i++)
		if (f->frame[i].id == root && f->frame[i].ns == f->ns) {
			f->root = i;
			f->at_ns = f->frame[i].at_ns;
			return;
		}
	f->ns = f->all_ns;
}

int
flame_make(struct ui *ui, struct flame *f, int32_t px)
{
	const struct sums *s = &ui->figures.sums;
	const struct flame_own *o = own(ui);
	uint32_t *at, *how, top;
	struct node *v;
	int64_t *used;
	size_t n, few;

	*f = (struct flame){ .root = FLAME_NONE };
	if (s->shown == NULL || s->of.model != ui->model || o == NULL)
		return (-1);
	f->cpu = o->cpu;
	n = calls_paths(s->shown, &f->path);
	v = calloc(n + 1, sizeof(*v));
	at = malloc((n + 1) * sizeof(*at));
	how = malloc((n + 1) * sizeof(*how));
	used = malloc((n + 1) * sizeof(*used));
	f->frame = calloc(n + 1, sizeof(*f->frame));
	if (v != NULL && at != NULL && how != NULL && used != NULL &&
	    f->frame != NULL) {
		nodes_make(ui, f, v, n);
		find_root(f, v, n, o->root);
		few = nodes_choose(f, v, n, at,
		    px == 0 ? INT64_MIN : f->ns / (2 * (int64_t)px) + 1);
		nodes_hang(v, few, at, &top);
		frames_make(f, v, top, used, how);
		set_root(f, o->root);
	} else {
		flame_clear(f);
	}
	free(v);
	free(at);
	free(how);
	free(used);
	return (f->frame == NULL ? -1 : 0);
}

void
flame_clear(struct flame *f)
{
	free(f->frame);
	f->frame = NULL;
}

/* --- what it is told --- */

/* The frame of that number, or of that id, "0x..."; f->n: there is none. */
static size_t
frame_said(const struct flame *f, const char *arg)
{
	size_t i = 0;
	uint64_t v;
	char *end;

	if (strncmp(arg, "0x", 2) != 0)
		return (parse_number(arg, &v) == 0 && v >= 1 && v <= f->n
			    ? (size_t)v - 1
			    : f->n);
	v = strtoull(arg + 2, &end, 16);
	while (i < f->n && f->frame[i].id != v)
		i++;
	return (*end == '\0' ? i : f->n);
}

static int
go_to(struct ui *ui, const char *arg)
{
	struct flame f;
	size_t i;
	int r = 0;

	if (flame_make(ui, &f, 0) == -1)
		return (desk_fail(ui, "flame: no call is known yet"));
	i = frame_said(&f, arg);
	if (i < f.n)
		own(ui)->root = f.frame[i].id;
	else
		r = desk_fail(ui,
		    "flame wants time, cpu, all, out, or a frame, from 1 to "
		    "%zu",
		    f.n);
	flame_clear(&f);
	return (r);
}

static void
go_out(struct ui *ui)
{
	struct flame f;
	uint32_t up;

	if (flame_make(ui, &f, 0) == -1)
		return;
	up = f.root == FLAME_NONE ? FLAME_NONE : f.frame[f.root].parent;
	own(ui)->root = up == FLAME_NONE ? 0 : f.frame[up].id;
	flame_clear(&f);
}

int
flame_command(struct ui *ui, const char *arg)
{
	bool cpu = strcmp(arg, "cpu") == 0, out = strcmp(arg, "out") == 0;

	if (own(ui) == NULL)
		return (desk_fail(ui, "out of memory"));
	if (cpu && model_scheds(ui->model) == 0)
		return (desk_fail(ui,
		    "no CPU times: what the scheduler did is not recorded "
		    "(sched: yes)"));
	if (cpu || strcmp(arg, "time") == 0)
		own(ui)->cpu = cpu;
	else if (arg[0] == '\0' || strcmp(arg, "all") == 0)
		own(ui)->root = 0;
	else if (out)
		go_out(ui);
	else if (go_to(ui, arg) == -1)
		return (-1);
	picture_changed(ui->picture);
	return (0);
}
