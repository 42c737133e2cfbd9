/*
 * The reduction tree's pane: when the tree is laid out and drawn anew, and
 * what stands around it (treepane_*.c).
 */
#include "ui/panes/tree/treepane.h"

#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/panes/panes.h"
#include "ui/trees/grown.h"
#include "ui/views/details/card.h"

#define NEAR_PX   14  /* a node is hovered from this far */
#define MARKS_MAX 400 /* of what only one of two runs has */

#define WORDS_PX    420 /* of an empty tree: a line is no longer */
#define GLIDE_NS    250000000
#define TREE_FRAMES 3 /* between two drawings while it grows */

void
treepane_hover(struct ui *ui)
{
	const struct rect *a = &ui->places.tree;
	int32_t x = ui->mouse.x - a->x0, y = ui->mouse.y - a->y0;
	const struct radial_node *n;

	ui->mouse.task =
	    is_second(ui) ? ui->desks->desk[0]->mouse.task : TASK_NONE;
	if (is_second(ui) || !ui->mouse.in || card_hides(ui) ||
	    !rect_has(a, ui->mouse.x, ui->mouse.y) ||
	    (ui->drag.what == DRAG_TREE && ui->drag.moved))
		return;
	n = radial_nearest(&ui->treepane.nodes, &ui->tree, x, y, NEAR_PX);
	if (n != NULL)
		ui->mouse.task = n->task;
}

/* In the middle, over as many lines as they need, as far as there is room. */
static void
draw_words(struct canvas *c, const struct rect *a, int32_t y, uint32_t rgb,
    const char *words)
{
	int32_t width = a->x1 - a->x0 - 20;
	size_t n;

	width = width > WORDS_PX ? WORDS_PX : width;
	for (; *words != '\0' && y < a->y1 && width > 0; y += 16) {
		n = draw_line_end(FONT_SMALL, words, width);
		draw_centre(c, FONT_SMALL, (a->x0 + a->x1) / 2, y, rgb, "%.*s",
		    (int)n, words);
		words += n;
		words += strspn(words, " ");
	}
}

static void
draw_empty(struct ui *ui, struct canvas *c)
{
	const struct rect *a = &ui->places.tree;
	const struct rect *lanes = &ui->places.pane[PANE_TIME];
	int32_t x = (a->x0 + a->x1) / 2, y = (a->y0 + a->y1) / 2;

	if (model_events(ui->model) == 0 && lanes->x1 > lanes->x0)
		return; /* that pane says why */
	if (ui->trees.of == TREE_CALLS) {
		draw_centre(c, FONT_NORMAL, x, y, ui->palette->text,
		    ui->figures.sums.busy || ui->figures.tree_sums.busy
			? "Adding up calls ..."
			: "Nothing with a name runs in this time");
		return;
	}
	if (ui->trees.of == TREE_THREADS) {
		draw_centre(c, FONT_NORMAL, x, y, ui->palette->text,
		    "No threads so far");
		return;
	}
	draw_centre(c, FONT_NORMAL, x, y - 28, ui->palette->text, "No tasks %s",
	    model_finished(ui->model) ? "in this run" : "so far");
	draw_words(c, a, y - 8, ui->palette->dim,
	    "B shows threads and calls. The tree is made of tasks: "
	    "probe_task_spawn(), probe_task_begin() and probe_task_end(), "
	    "see probe(3) or examples/pascal");
}

/*
 * Which version of the tree is drawn.  It is drawn anew only when something
 * has happened to a task, and while it grows every few frames, since a tree
 * that grows moves as a whole; at once when the user moves it.
 */
static uint64_t
version_due(struct ui *ui, uint64_t drawn)
{
	uint64_t version = model_tree_version(tree_model(ui));

	if (ui->trees.of != TREE_TASKS)
		return (version);
	if (ui->tree.until_mon_ns != INT64_MAX) /* its tasks, not their ends */
		return (model_tasks(ui->model));
	if (version == drawn || !run_grows(ui))
		return (version);
	if (!picture_hasty(ui->picture) &&
	    ui->picture->frame >= ui->treepane.due)
		return (version);
	ui->picture->undone = true;
	return (drawn);
}

/* What is selected, by its id in this tree. */
static void
note_selected(struct ui *ui)
{
	uint32_t n = tree_selected(ui);
	struct task t = { .id = 0 };

	if (n != TASK_NONE)
		model_task_get(tree_model(ui), n, &t);
	ui->tree.selected_task = t.id;
}

/*
 * Who has just opened a run, or chosen another colouring, will choose one
 * more: then that is ready.
 */
static bool
keep_shapes(struct ui *ui)
{
	struct stop stop = draw_stop(ui);

	if (picture_hasty(ui->picture) || run_grows(ui)) {
		ui->picture->undone |= picture_hasty(ui->picture);
		return (true);
	}
	if (!layer_is_kept(&ui->treepane.layer, &ui->treepane.scene) &&
	    !layer_keep(&ui->treepane.layer, &ui->treepane.scene, &stop))
		return (false); /* later */
	ui->treepane.keep = false;
	return (true);
}

/* Other colourings have none, so that they need not be drawn anew for it. */
static void
set_span(struct ui *ui)
{
	if (two_runs(ui))
		return; /* compare_tree.c has one for both */
	if (ui->tree.colour == RADIAL_TIME || ui->tree.colour == RADIAL_PE_TIME)
		tree_span(ui);
	else
		ui->tree.span0_mon_ns = ui->tree.span1_mon_ns = 0;
}

/* Tasks that have been given other places are on their way there. */
static void
set_glide(struct ui *ui)
{
	int64_t since = ui->picture->now_ns - ui->treepane.jumped_ns;

	ui->tree.glides = ui->picture->now_ns != 0;
	ui->tree.glide = 0;
	if (ui->treepane.jumped_ns == 0 || since >= GLIDE_NS ||
	    !ui->tree.growing)
		ui->treepane.jumped_ns = 0;
	else
		ui->tree.glide = 1 - (double)since / GLIDE_NS;
}

bool
treepane_prepare(struct ui *ui)
{
	struct layer *l = &ui->treepane.layer;
	struct canvas layer;
	struct {
		struct radial_view view;
		uint64_t version, names;
		const void *palette, *model;
	} key;
	struct stop stop = draw_stop(ui);
	uint64_t made;
	bool first;

	tree_choose(ui);
	if (!grown_prepare(ui))
		return (false);
	note_selected(ui);
	set_span(ui);
	ui->tree.growing = run_grows(ui);
	set_glide(ui);
	ui->treepane.chosen &= ui->treepane.chosen_colour == ui->tree.colour;
	ui->tree.dims = tree_dims(ui);
	ui->tree.only = ui->tree.dims ? tree_only(ui) : 0;
	tree_order(ui);
	memset(&key, 0, sizeof(key));
	memcpy(&key.view, &ui->tree, sizeof(key.view));
	key.version = version_due(ui, l->version);
	key.names = model_names(tree_model(ui));
	key.palette = ui->palette;
	key.model = tree_model(ui);
	if (!layer_begin(l, ui->tree.width, ui->tree.height, &key, sizeof(key),
		&layer))
		return (!ui->treepane.keep || keep_shapes(ui));
	made = ui->treepane.scene.made;
	radial_layout(tree_model(ui), ui->palette, &ui->tree,
	    &ui->treepane.nodes, &ui->treepane.scene);
	if (ui->treepane.nodes.jumped)
		ui->treepane.jumped_ns = ui->picture->now_ns;
	ui->picture->undone |= ui->treepane.jumped_ns != 0;
	first = l->px == NULL;
	if (!layer_paint(l, &layer, &ui->treepane.scene,
		ui->palette->background, &stop))
		return (false);
	tree_names_draw(ui, &layer);
	l->version = key.version;
	ui->treepane.due = ui->picture->frame + TREE_FRAMES;
	ui->treepane.keep = (first || made == ui->treepane.scene.made) &&
			    !run_grows(ui) &&
			    !layer_is_kept(l, &ui->treepane.scene);
	ui->picture->undone |= ui->treepane.keep;
	return (true);
}

/* Nodes that the other run does not have, as long as they can be told. */
static void
mark_only_here(struct ui *ui, struct canvas *c)
{
	const struct rect *a = &ui->places.tree;
	const struct grown_node *g;
	uint32_t left = MARKS_MAX;
	int32_t radius = ui->treepane.nodes.ring_px > 14 ? 4 * 16 : 2 * 16;

	if (!two_runs(ui) || ui->tree.form != RADIAL_POLYGONS)
		return;
	for (size_t i = 0; i < ui->treepane.nodes.nnodes && left > 0; i++) {
		const struct radial_node *n = &ui->treepane.nodes.nodes[i];

		g = tree_node(ui, n->task);
		if (g == NULL || g->both || g->task == TASK_NONE)
			continue;
		left--;
		canvas_circle(c, a->x0 * 16 + n->x, a->y0 * 16 + n->y, radius,
		    18, ui->palette->warn, 255);
	}
}

void
treepane_draw(struct ui *ui, struct canvas *c)
{
	const struct rect *a = &ui->places.tree;
	const struct radial_node *n;
	struct canvas area = *c;

	draw_around(c, &ui->places.pane[PANE_TREE], &ui->treepane.layer, a->x0,
	    a->y0, ui->palette->background);
	layer_show(&ui->treepane.layer, c, a->x0, a->y0);
	tree_title_draw(ui, c);
	if (model_tasks(tree_model(ui)) == 0) {
		draw_empty(ui, c);
		return;
	}
	tree_legend_draw(ui, c);
	tree_account_draw(ui, c);
	canvas_clip(&area, a->x0, a->y0, a->x1, a->y1);
	mark_only_here(ui, &area);
	treepane_hover(ui);
	n = tree_asked(ui);
	if (n != NULL)
		tree_inquiry_draw(ui, &area, n);
}
