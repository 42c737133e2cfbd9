/*
 * The reduction tree's pane: title with the colourings, the tree, the legend
 * of the colouring, what was left out, and the inquiry about one task.
 */
#include <inttypes.h>
#include <string.h>

#include "ui/draw.h"

#define NEAR_PX 14 /* a node is hovered from this far */
#define BOX_W   184
#define BOX_H   92

#define TREE_FRAMES 3 /* between two drawings while it grows */

static void
draw_title(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	const struct rect *r = &ui->pane[PANE_TREE];
	int32_t x = r->x1 - 10, y = r->y0 + 16, left;

	left =
	    draw_text(c, FONT_BOLD, r->x0 + 14, y, p->text, "Reduction tree");
	for (int i = RADIAL_COLOURS - 1; i >= 0; i--) {
		const char *name = radial_colour_name[i];
		bool on = ui->tree.colour == (enum radial_colour)i;
		int32_t w = text_width(FONT_SMALL, name, strlen(name)) + 16;

		x -= w;
		if (x < left + 8)
			break;
		if (on)
			canvas_fill(c, x, r->y0 + 4, x + w, r->y0 + 21,
			    palette_mix(p->background, p->accent, 60));
		draw_text(c, FONT_SMALL, x + 8, y, on ? p->text : p->dim, "%s",
		    name);
		spot_add(ui, x, r->y0 + 2, x + w, r->y0 + 22, "colour %s",
		    name);
	}
	if (ui->tree.subtree && x > left + 120) {
		const struct task *t = model_task(ui->model, ui->tree.root);
		char name[64];

		if (t != NULL)
			draw_cut(c, FONT_SMALL, left + 12, y, x - left - 20,
			    p->accent,
			    label_task(ui->model, t, name, sizeof(name)));
	}
}

static int32_t
legend_entry(struct canvas *c, const struct palette *p, int32_t x, int32_t y,
    uint32_t rgb, const char *name)
{
	canvas_fill(c, x, y - 9, x + 11, y + 1, rgb);
	return (draw_text(c, FONT_SMALL, x + 16, y, p->text, "%s", name) + 14);
}

static void
legend_pe(struct ui *ui, struct canvas *c, int32_t x, int32_t y, int32_t x1)
{
	uint32_t n = model_pes(ui->model);
	char name[24];

	for (uint32_t i = 0; i < n; i++) {
		if (x > x1 - 60) {
			draw_text(c, FONT_SMALL, x, y, ui->palette->dim,
			    "+%" PRIu32, n - i);
			break;
		}
		snprintf(name, sizeof(name), "PE %" PRIu32, i);
		x = legend_entry(c, ui->palette, x, y, palette_pe(i), name);
	}
}

static int32_t
legend_time(struct ui *ui, struct canvas *c, int32_t x, int32_t y)
{
	int64_t span = ui->nodes.t1_mon_ns - ui->nodes.t0_mon_ns;
	char buf[32];

	if (span <= 0 || ui->nodes.tasks == 0)
		return (x);
	format_time(buf, sizeof(buf), ui->nodes.t0_mon_ns - view_origin(ui),
	    span / 50);
	x = draw_text(c, FONT_SMALL, x, y, ui->palette->dim, "%s", buf) + 8;
	for (int i = 0; i < 160; i++)
		canvas_fill(c, x + i, y - 9, x + i + 1, y + 1,
		    palette_scale(ui->tree.scale, i / 159.0));
	format_time(buf, sizeof(buf), ui->nodes.t1_mon_ns - view_origin(ui),
	    span / 50);
	return (
	    draw_text(c, FONT_SMALL, x + 168, y, ui->palette->dim, "%s", buf) +
	    20);
}

/* The procedures of the tasks drawn, most frequent first. */
static void
legend_procedure(struct ui *ui, struct canvas *c, int32_t x, int32_t y,
    int32_t x1)
{
	const struct radial_layout *l = &ui->nodes;

	for (uint32_t i = 0; i < l->nnames; i++) {
		const char *name = label_name(ui->model, l->names[i].name);

		if (l->names[i].name == 0)
			name = "no name";
		if (x + 30 + text_width(FONT_SMALL, name, strlen(name)) > x1) {
			draw_text(c, FONT_SMALL, x, y, ui->palette->dim,
			    "+%" PRIu32, l->nnames - i);
			break;
		}
		x = legend_entry(c, ui->palette, x, y,
		    l->names[i].name == 0
			? ui->palette->faint
			: palette_name(l->names[i].name, name),
		    name);
	}
}

static void
legend_state(struct ui *ui, struct canvas *c, int32_t x, int32_t y)
{
	const struct palette *p = ui->palette;

	x = legend_entry(c, p, x, y, p->state[LANE_running], "running");
	x = legend_entry(c, p, x, y, p->state[LANE_wait_message], "suspended");
	x = legend_entry(c, p, x, y, 0x4477aa, "done");
	x = legend_entry(c, p, x, y, 0xcc79a7, "done, was suspended");
	legend_entry(c, p, x, y, p->faint, "not begun");
}

static void
draw_legend(struct ui *ui, struct canvas *c)
{
	const struct rect *r = &ui->pane[PANE_TREE];
	int32_t x = r->x0 + 18, y = r->y1 - 28, x1 = r->x1 - 10;

	switch (ui->tree.colour) {
	case RADIAL_PE:
		legend_pe(ui, c, x, y, x1);
		break;
	case RADIAL_TIME:
		legend_time(ui, c, x, y);
		break;
	case RADIAL_PE_TIME:
		x = legend_time(ui, c, x, y);
		legend_pe(ui, c, x, y, x1);
		break;
	case RADIAL_PROCEDURE:
		legend_procedure(ui, c, x, y, x1);
		break;
	case RADIAL_STATE:
	case RADIAL_COLOURS:
		legend_state(ui, c, x, y);
		break;
	}
}

/* "57 levels", or how many of them are kept. */
static void
account_levels(const struct radial_layout *n, char *buf, size_t size)
{
	int at = snprintf(buf, size, "%" PRIu32 " level%s", n->levels,
	    n->levels == 1 ? "" : "s");

	if (at < 0 || (size_t)at >= size)
		return;
	buf += at;
	size -= (size_t)at;
	if (n->ratio_1 == 1 && n->levels_2 == 0)
		snprintf(buf, size, ", none condensed");
	else if (n->ratio_1 == 1)
		snprintf(buf, size,
		    ": %" PRIu32 " as they are, %" PRIu32 " condensed %" PRIu32
		    " : 1",
		    n->levels_1, n->levels_2, n->ratio_2);
	else if (n->levels_2 == 0)
		snprintf(buf, size, ", condensed %" PRIu32 " : 1", n->ratio_1);
	else
		snprintf(buf, size,
		    ": %" PRIu32 " condensed %" PRIu32 " : 1, %" PRIu32
		    " %" PRIu32 " : 1",
		    n->levels_1, n->ratio_1, n->levels_2, n->ratio_2);
}

/* The forms that the tree has, at the right end of the last line. */
static int32_t
draw_forms(struct ui *ui, struct canvas *c, int32_t y)
{
	const struct rect *r = &ui->pane[PANE_TREE];
	const struct palette *p = ui->palette;
	int32_t x = r->x1 - 10;

	for (int i = RADIAL_FORMS - 1; i >= 0; i--) {
		const char *name = radial_form_name[i];
		bool on = ui->tree.form == (enum radial_form)i;
		int32_t w = text_width(FONT_SMALL, name, strlen(name)) + 12;

		if (x - w < r->x0 + 280)
			return (x);
		x -= w;
		draw_text(c, FONT_SMALL, x + 6, y, on ? p->text : p->faint,
		    "%s", name);
		spot_add(ui, x, y - 12, x + w, y + 6, "form %s", name);
	}
	return (x);
}

/* What was drawn and, as plainly, what was not. */
static void
draw_account(struct ui *ui, struct canvas *c)
{
	const struct radial_layout *n = &ui->nodes;
	const struct rect *r = &ui->pane[PANE_TREE];
	int32_t x1 = draw_forms(ui, c, r->y1 - 10);
	char levels[96], tasks[32], small[32], beside[48] = "", text[320];

	account_levels(n, levels, sizeof(levels));
	if (n->outside > 0)
		snprintf(beside, sizeof(beside),
		    ", %" PRIu32 " beside the window", n->outside);
	snprintf(text, sizeof(text),
	    "%s task%s    %s    %" PRIu32 " drawn, %s below one pixel%s    "
	    "%" PRIu32 " PE%s",
	    format_count(tasks, sizeof(tasks), n->tasks),
	    n->tasks == 1 ? "" : "s", levels, n->drawn,
	    format_count(small, sizeof(small), n->pruned), beside, n->pes,
	    n->pes == 1 ? "" : "s");
	draw_cut(c, FONT_SMALL, r->x0 + 18, r->y1 - 10, x1 - r->x0 - 28,
	    ui->palette->dim, text);
}

void
treepane_hover(struct ui *ui)
{
	const struct rect *a = &ui->tree_area;
	int32_t x = ui->mouse_x - a->x0, y = ui->mouse_y - a->y0;
	const struct radial_node *n;

	ui->hovered_task = TASK_NONE;
	if (!ui->mouse_in || !rect_has(a, ui->mouse_x, ui->mouse_y) ||
	    (ui->drag == DRAG_TREE && ui->drag_moved))
		return;
	n = radial_nearest(&ui->nodes, &ui->tree, x, y, NEAR_PX);
	if (n != NULL)
		ui->hovered_task = n->task;
}

/* The task asked about: under the mouse, else the selected one. */
static const struct radial_node *
asked(struct ui *ui)
{
	uint32_t task = ui->hovered_task;

	if (task == TASK_NONE && ui->time.selected_task != 0)
		task = model_task_by_id(ui->model, ui->time.selected_task);
	/* one that is not drawn is in an ancestor that is */
	return (radial_find(&ui->nodes, ui->model, task));
}

/* Where the task lies in the run, and when it did not run. */
static void
draw_life(struct ui *ui, struct canvas *c, const struct task *t, int32_t x,
    int32_t y, int32_t w)
{
	const struct palette *p = ui->palette;
	int64_t t0 = ui->nodes.t0_mon_ns, span = ui->nodes.t1_mon_ns - t0;
	int64_t begin = t->begin_mon_ns != INT64_MIN ? t->begin_mon_ns
						     : t->spawn_mon_ns,
		end = t->end_mon_ns;
	int32_t a, b;

	canvas_fill(c, x, y, x + w, y + 6, p->line);
	if (span <= 0 || begin == INT64_MIN)
		return;
	if (end == INT64_MIN)
		end = view_end(ui);
	a = (int32_t)((double)(begin - t0) / (double)span * w);
	b = (int32_t)((double)(end - t0) / (double)span * w);
	a = a < 0 ? 0 : a > w - 3 ? w - 3 : a;
	b = b < a + 3 ? a + 3 : b > w ? w : b;
	canvas_fill(c, x + a, y, x + b, y + 6, p->state[LANE_running]);
}

static void
draw_inquiry(struct ui *ui, struct canvas *c, const struct radial_node *n)
{
	const struct palette *p = ui->palette;
	const struct rect *a = &ui->tree_area;
	const struct task *t = model_task(ui->model, n->task);
	int32_t nx = a->x0 + n->x / SCENE_ONE, ny = a->y0 + n->y / SCENE_ONE;
	struct rect b = { a->x1 - BOX_W - 10, a->y1 - BOX_H - 44, 0, 0 };
	char name[96];
	int32_t y;

	if (t == NULL)
		return;
	if (nx > b.x0 - 24 && ny > b.y0 - 24) /* not over the node */
		b.y0 = a->y0 + 12;
	if (b.x0 < a->x0 + 4)
		b.x0 = a->x0 + 4;
	b.x1 = b.x0 + BOX_W;
	b.y1 = b.y0 + BOX_H;
	canvas_line_aa(c, nx * 16 + 8, ny * 16 + 8, b.x0 * 16, (b.y0 + 12) * 16,
	    12, p->dim, 170);
	canvas_circle(c, nx * 16 + 8, ny * 16 + 8, 6 * 16, 20, p->text, 255);
	canvas_fill(c, b.x0, b.y0, b.x1, b.y1, p->panel);
	draw_frame(c, &b, p->line);
	draw_cut(c, FONT_BOLD, b.x0 + 9, b.y0 + 18, BOX_W - 18, p->text,
	    label_task(ui->model, t, name, sizeof(name)));
	y = b.y0 + 34;
	draw_text(c, FONT_SMALL, b.x0 + 9, y, p->dim,
	    "PE %u   level %" PRIu32 "   task %" PRIu32, t->pe, t->level,
	    n->task);
	y += 15;
	draw_text(c, FONT_SMALL, b.x0 + 9, y,
	    t->suspensions > 0 ? p->state[LANE_wait_lock] : p->dim, "%s",
	    label_fate(t, name, sizeof(name)));
	y += 15;
	draw_text(c, FONT_SMALL, b.x0 + 9, y, p->dim,
	    "%" PRIu32 " condensed, %" PRIu32 " too small", n->condensed,
	    n->pruned);
	draw_life(ui, c, t, b.x0 + 9, b.y1 - 14, BOX_W - 18);
}

static void
draw_empty(struct ui *ui, struct canvas *c)
{
	const struct rect *a = &ui->tree_area;
	int32_t x = (a->x0 + a->x1) / 2, y = (a->y0 + a->y1) / 2;

	if (model_events(ui->model) == 0)
		return; /* the other pane says why */
	draw_centre(c, FONT_NORMAL, x, y, ui->palette->text, "No tasks %s",
	    model_finished(ui->model) ? "in this run" : "so far");
	draw_centre(c, FONT_SMALL, x, y + 20, ui->palette->dim,
	    "The tree is made of tasks: probe_task_spawn(), "
	    "probe_task_begin()");
	draw_centre(c, FONT_SMALL, x, y + 36, ui->palette->dim,
	    "and probe_task_end(), see probe(3) or examples/pascal");
}

/*
 * Which version of the tree is drawn.  It is drawn anew only when something
 * has happened to a task, and while it grows every few frames, since a tree
 * that grows moves as a whole; at once when the user moves it.
 */
static uint64_t
version_due(struct ui *ui, uint64_t drawn)
{
	uint64_t version = model_tree_version(ui->model);

	if (ui->tree.until_mon_ns != INT64_MAX) /* its tasks, not their ends */
		return (model_tasks(ui->model));
	if (version == drawn || !run_grows(ui))
		return (version);
	if (!ui->hasty && ui->frame >= ui->tree_due)
		return (version);
	ui->undone = true;
	return (drawn);
}

bool
treepane_prepare(struct ui *ui)
{
	struct layer *l = &ui->tree_layer;
	struct canvas layer;
	struct {
		struct radial_view view;
		uint64_t version, names;
		const void *palette, *model;
	} key;

	memset(&key, 0, sizeof(key));
	memcpy(&key.view, &ui->tree, sizeof(key.view));
	key.version = version_due(ui, l->version);
	key.names = model_names(ui->model);
	key.palette = ui->palette;
	key.model = ui->model;
	if (!layer_begin(l, ui->tree.width, ui->tree.height, &key, sizeof(key),
		&layer))
		return (true);
	radial_layout(ui->model, ui->palette, &ui->tree, &ui->nodes,
	    &ui->tree_scene);
	canvas_fill(&layer, 0, 0, ui->tree.width, ui->tree.height,
	    ui->palette->background);
	if (!layer_paint(ui, l, &layer, &ui->tree_scene))
		return (false);
	l->version = key.version;
	ui->tree_due = ui->frame + TREE_FRAMES;
	return (true);
}

void
treepane_draw(struct ui *ui, struct canvas *c)
{
	const struct rect *a = &ui->tree_area;
	const struct radial_node *n;
	struct canvas area = *c;

	draw_around(c, &ui->pane[PANE_TREE], &ui->tree_layer, a->x0, a->y0,
	    ui->palette->background);
	layer_show(&ui->tree_layer, c, a->x0, a->y0);
	draw_title(ui, c);
	if (model_tasks(ui->model) == 0) {
		draw_empty(ui, c);
		return;
	}
	draw_legend(ui, c);
	draw_account(ui, c);
	canvas_clip(&area, a->x0, a->y0, a->x1, a->y1);
	treepane_hover(ui);
	n = asked(ui);
	if (n != NULL)
		draw_inquiry(ui, &area, n);
}
