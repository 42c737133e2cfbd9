/*
 * Words in a tree of polygons: the levels of circles; names of the largest
 * branches, where a branch begins
 * that is called otherwise than what it hangs below; and of what is a node of
 * many tasks, how many.  The widest come first; one that would lie upon another
 * name is left out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "treepane.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

#define BRANCH_PX  20.0 /* along its ring: narrower ones have no name */
#define BRANCHES   18   /* names at most */
#define SAME       3    /* of which so many are the same */
#define LEVELS     24   /* numbers at circles */
#define PLACED     (BRANCHES + LEVELS)
#define LEVEL      UINT32_MAX
#define CANDIDATES 512
#define HIGH_PX    12
#define ROUND_PX   12 /* from the point of a group to its name */
#define UNIT       4096

struct branch {
	const struct radial_node *n;
	double px; /* along its ring */
};

struct branches {
	const struct ui *ui;
	tree_piece_fn *fn;
	void *arg;
	struct branch of[CANDIDATES];
	struct rect at[PLACED];
	uint32_t name[PLACED]; /* LEVEL: it is none */
	unsigned n, placed, names;
};

static bool
is_free(const struct branches *b, const struct rect *r)
{
	const struct radial_view *v = &b->ui->tree;

	if (r->x0 < 0 || r->y0 < 0 || r->x1 > v->width || r->y1 > v->height)
		return (false);
	for (unsigned i = 0; i < b->placed; i++)
		if (r->x0 < b->at[i].x1 && b->at[i].x0 < r->x1 &&
		    r->y0 < b->at[i].y1 && b->at[i].y0 < r->y1)
			return (false);
	return (true);
}

static bool
is_told_enough(const struct branches *b, uint32_t name)
{
	unsigned same = 0;

	for (unsigned i = 0; i < b->placed; i++)
		same += b->name[i] == name;
	return (same >= SAME || b->names == BRANCHES);
}

/* Around a place; side: 0, or 1 and -1 for right and left of it. */
static void
put(struct branches *b, int32_t x, int32_t y, int side, uint32_t name,
    const char *text)
{
	const struct palette *pal = b->ui->palette;
	struct tree_piece p = { .dx = UNIT,
		.rgb = name == LEVEL ? pal->dim : pal->text };
	int32_t w;

	snprintf(p.text, sizeof(p.text), "%s", text);
	p.n = strlen(p.text);
	p.upon = true;
	p.ground = pal->background;
	w = text_width(FONT_SMALL, p.text, p.n);
	x = side == 0 ? x - w / 2 : side > 0 ? x + ROUND_PX : x - ROUND_PX - w;
	struct rect r = { x - 2, y - HIGH_PX / 2 - 1, x + w + 2,
		y + HIGH_PX / 2 + 1 };

	if (!is_free(b, &r))
		return;
	b->at[b->placed] = r;
	b->name[b->placed++] = name;
	b->names += name != LEVEL;
	p.x_q = x * SCENE_ONE;
	p.y_q = (y + 4) * SCENE_ONE;
	b->fn(b->arg, &p);
}

static void
put_node(struct branches *b, const struct radial_node *n)
{
	const struct model *m = tree_model(b->ui);
	uint32_t name = model_task_name(m, n->task);
	const char *text = name == 0 ? "no name" : model_name(m, name);
	int32_t x = n->x / SCENE_ONE, y = n->y / SCENE_ONE;
	char words[64], number[32];

	if (text == NULL || text[0] == '\0' || is_told_enough(b, name))
		return;
	if (!n->group) {
		put(b, x, y, 0, name, text);
		return;
	}
	/* the nodes of two runs are those that either of them has */
	snprintf(words, sizeof(words), "%.36s ×%s%s", text,
	    format_count(number, sizeof(number), n->condensed),
	    two_runs(b->ui) ? " in either" : "");
	put(b, x, y,
	    x * 2 >= b->ui->tree.width + (int32_t)(2 * b->ui->tree.centre_x)
		? 1
		: -1,
	    name, words);
}

/* Over the centre, at the circles that have room. */
static void
put_levels(struct branches *b)
{
	const struct radial_layout *l = &b->ui->treepane.nodes;
	const struct radial_view *v = &b->ui->tree;
	int32_t x = (int32_t)(v->width / 2.0 + v->centre_x);
	double y = v->height / 2.0 + v->centre_y, last = 0;
	char text[16];
	uint32_t level;

	for (uint32_t k = 1; k < l->rings && b->placed < LEVELS; k++) {
		level = radial_ring_level(l, k);
		if (level == UINT32_MAX ||
		    (k - last) * l->ring_px < 3 * HIGH_PX)
			continue;
		last = k;
		snprintf(text, sizeof(text), "%u", level);
		put(b, x, (int32_t)(y - k * l->ring_px), 0, LEVEL, text);
	}
}

static int
by_px(const void *a, const void *b)
{
	const struct branch *x = a, *y = b;

	if (x->n->group != y->n->group)
		return (x->n->group ? -1 : 1);
	if (x->px < y->px || x->px > y->px)
		return (x->px < y->px ? 1 : -1);
	return ((x->n > y->n) - (x->n < y->n));
}

/* The children of a node that begin a branch of their own. */
static void
gather(struct branches *b, const struct radial_layout *l,
    const struct radial_node *up)
{
	const struct model *m = tree_model(b->ui);
	uint32_t above =
	    up->task == TASK_NONE ? 0 : model_task_name(m, up->task);
	const struct radial_node *n;
	double px;

	for (uint32_t i = up->kids; i < up[1].kids && b->n < CANDIDATES; i++) {
		n = &l->nodes[i];
		px = (double)n->arc_rad * l->ring_px * n->ring;
		if (n->summary || (!n->group && px < BRANCH_PX))
			continue;
		if (n->group || (n[1].kids > n->kids &&
				    model_task_name(m, n->task) != above))
			b->of[b->n++] = (struct branch){ n, px };
	}
}

void
tree_branches_each(const struct ui *ui, tree_piece_fn *fn, void *arg)
{
	const struct radial_layout *l = &ui->treepane.nodes;
	const struct model *m = tree_model(ui);
	struct branches *b = calloc(1, sizeof(*b));
	unsigned door;

	if (b == NULL)
		return;
	b->ui = ui;
	b->fn = fn;
	b->arg = arg;
	door = model_enter(m);
	for (size_t i = 0; i < l->nnodes && b->n < CANDIDATES; i++)
		gather(b, l, &l->nodes[i]);
	qsort(b->of, b->n, sizeof(b->of[0]), by_px);
	put_levels(b);
	for (unsigned i = 0; i < b->n; i++)
		put_node(b, b->of[i].n);
	model_leave(m, door);
	free(b);
}
