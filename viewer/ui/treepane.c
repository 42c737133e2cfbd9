/*
 * The reduction tree's pane: title with the colourings, the tree, the legend
 * of the colouring, what was left out, and the inquiry about one task.
 */
#include <inttypes.h>
#include <string.h>

#include "model/calls.h"
#include "ui/draw.h"

#define NEAR_PX   14 /* a node is hovered from this far */
#define BOX_W     196
#define MARKS_MAX 400 /* of what only one of two runs has */
#define BOX_H     92

#define TREE_FRAMES 3 /* between two drawings while it grows */

/* What "PE" is in this tree. */
static const char *
colour_word(const struct ui *ui, int i)
{
	static const char *const pe[TREE_KINDS] = { "PE", "node", "thread" };
	static const char *const both[TREE_KINDS] = { "PE-time", "node-time",
		"thread-time" };
	static const char *const name[TREE_KINDS] = { "procedure", "name",
		"procedure" };

	return (i == RADIAL_PE          ? pe[ui->tree_of]
		: i == RADIAL_PE_TIME   ? both[ui->tree_of]
		: i == RADIAL_PROCEDURE ? name[ui->tree_of]
					: radial_colour_name[i]);
}

/* What there are trees of; the one that is shown stands out. */
static int32_t
draw_kinds(struct ui *ui, struct canvas *c, int32_t x, int32_t y)
{
	static const char *const titles[TREE_KINDS] = { "Reduction tree",
		"Threads", "Calls" };
	const struct palette *p = ui->palette;

	for (int i = 0; i < TREE_KINDS; i++) {
		bool on = ui->tree_of == (enum tree_of)i;
		int32_t x1 = draw_text(c, on ? FONT_BOLD : FONT_SMALL, x, y,
		    on ? p->text : p->dim, "%s", titles[i]);

		spot_add(ui, x - 5, y - 14, x1 + 5, y + 6, "tree-of %s",
		    tree_of_name[i]);
		x = x1 + 14;
	}
	return (x - 14);
}

/* The root of a subtree; of the tree of calls, the row it is of. */
static void
draw_root(struct ui *ui, struct canvas *c, int32_t x, int32_t y, int32_t room)
{
	const struct model *m = tree_model(ui);
	char name[96] = "";
	struct task t;

	if (ui->tree.subtree && ui->tree.root < model_tasks(m)) {
		model_task_get(m, ui->tree.root, &t);
		label_task(m, &t, name, sizeof(name));
	} else if (ui->tree_of == TREE_CALLS &&
		   ui->tree_lane < model_lanes(ui->model)) {
		label_lane(ui->model, model_lane(ui->model, ui->tree_lane),
		    name, sizeof(name));
	}
	if (room > 24)
		draw_cut(c, FONT_SMALL, x, y, room, ui->palette->accent, name);
}

/* Of the run beside this one: which it is, and away with it. */
static void
draw_other_title(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	const struct rect *r = &ui->pane[PANE_TREE];
	int32_t x = r->x1 - 40, y = r->y0 + 16;

	draw_cut(c, FONT_BOLD, r->x0 + 14, y, x - r->x0 - 30, p->text,
	    ui_run_name(ui));
	draw_text(c, FONT_SMALL, x, y, p->dim, "close");
	spot_add(ui, x - 6, r->y0 + 2, r->x1, r->y0 + 22, "compare off");
}

static void
draw_title(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	const struct rect *r = &ui->pane[PANE_TREE];
	int32_t x = r->x1 - 10, y = r->y0 + 16, left;

	if (ui->main != NULL) {
		draw_other_title(ui, c);
		return;
	}
	left = draw_kinds(ui, c, r->x0 + 14, y);
	for (int i = RADIAL_COLOURS - 1; i >= 0; i--) {
		if (i == RADIAL_DIFFERENCE && ui->other == NULL)
			continue;

		const char *name = colour_word(ui, i);
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
		    radial_colour_name[i]);
	}
	draw_root(ui, c, left + 12, y, x - left - 20);
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
	uint32_t n = ui->tree_of == TREE_TASKS ? model_pes(ui->model)
					       : ui->grown.ncolours;
	char name[96];

	for (uint32_t i = 0; i < n; i++) {
		tree_colour_label(ui, i, name, sizeof(name));
		if (x + 40 + text_width(FONT_SMALL, name, strlen(name)) > x1) {
			draw_text(c, FONT_SMALL, x, y, ui->palette->dim,
			    "+%" PRIu32, n - i);
			break;
		}
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
		const char *name = label_name(tree_model(ui), l->names[i].name);

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
	static const char *const words[TREE_KINDS][4] = {
		{ "running", "suspended", "done", "done, was suspended" },
		{ "alive", NULL, "ended", NULL },
		{ "goes on", NULL, "over",
		    "over, a twentieth or more of it in waits" }
	};
	const struct palette *p = ui->palette;
	const uint32_t rgb[4] = { p->state[LANE_running],
		p->state[LANE_wait_message], 0x4477aa, 0xcc79a7 };

	for (int i = 0; i < 4; i++)
		if (words[ui->tree_of][i] != NULL)
			x = legend_entry(c, p, x, y, rgb[i],
			    words[ui->tree_of][i]);
	if (ui->tree_of == TREE_TASKS)
		legend_entry(c, p, x, y, p->faint, "not begun");
}

static void
legend_difference(struct ui *ui, struct canvas *c, int32_t x, int32_t y)
{
	const struct palette *p = ui->palette;
	const struct ui *first = ui->main != NULL ? ui->main : ui;
	char text[32];

	if (first->other == NULL)
		return;
	snprintf(text, sizeof(text), "less in %.14s",
	    ui_run_name(first->other));
	x = legend_entry(c, p, x, y, DIFFERENCE_LESS, text);
	x = legend_entry(c, p, x, y, palette_mix(p->background, p->faint, 150),
	    "the same");
	x = legend_entry(c, p, x, y, DIFFERENCE_MORE, "more there");
	legend_entry(c, p, x, y,
	    ui->main != NULL ? DIFFERENCE_ONLY_B : DIFFERENCE_ONLY_A,
	    "only here");
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
	case RADIAL_DIFFERENCE:
		legend_difference(ui, c, x, y);
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

/* What sectors stand for, and of what time the calls are. */
static void
account_weight(const struct ui *ui, char *buf, size_t n)
{
	const struct sums *s =
	    ui->tree_lane == UINT32_MAX ? &ui->sums : &ui->tree_sums;
	const char *by = tree_weight_name[ui->weight[ui->tree_of]];
	char span[32];
	int64_t t0, t1;

	if (ui->tree_of != TREE_CALLS || s->shown == NULL)
		snprintf(buf, n, "    sectors: %s", by);
	else if (s->busy)
		snprintf(buf, n, "    sectors: %s    adding up: %.0f %%", by,
		    calls_done(s->next) * 100);
	else
		snprintf(buf, n, "    sectors: %s    %s, %s", by,
		    format_span(span, sizeof(span), s->of.t1 - s->of.t0),
		    view_panel_whole(ui)                ? "the whole run"
		    : view_selected_range(ui, &t0, &t1) ? "selected"
							: "in sight");
}

/* Of the tree of two runs, how many nodes are of this one. */
static uint32_t
own_nodes(const struct ui *ui)
{
	const struct ui *other = ui->main != NULL ? ui->main : ui->other;

	return (ui->grown.n - other->grown.only);
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
	    "%s %s    %s    %" PRIu32 " drawn, %s below one pixel%s",
	    format_count(tasks, sizeof(tasks), n->tasks),
	    tree_unit(ui, n->tasks != 1), levels, n->drawn,
	    format_count(small, sizeof(small), n->pruned), beside);
	if (ui->other != NULL || ui->main != NULL)
		snprintf(text, sizeof(text),
		    "%s %s, %" PRIu32 " only here    %s    %s below one pixel",
		    format_count(tasks, sizeof(tasks), own_nodes(ui)),
		    tree_unit(ui, true), ui->grown.only, levels, small);
	else if (ui->tree_of == TREE_TASKS)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
		    "    %" PRIu32 " PE%s", n->pes, n->pes == 1 ? "" : "s");
	else
		account_weight(ui, text + strlen(text),
		    sizeof(text) - strlen(text));
	draw_cut(c, FONT_SMALL, r->x0 + 18, r->y1 - 10, x1 - r->x0 - 28,
	    ui->palette->dim, text);
}

void
treepane_hover(struct ui *ui)
{
	const struct rect *a = &ui->tree_area;
	int32_t x = ui->mouse_x - a->x0, y = ui->mouse_y - a->y0;
	const struct radial_node *n;

	ui->hovered_task =
	    ui->main != NULL ? ui->main->hovered_task : TASK_NONE;
	if (ui->main != NULL || !ui->mouse_in ||
	    !rect_has(a, ui->mouse_x, ui->mouse_y) ||
	    (ui->drag == DRAG_TREE && ui->drag_moved))
		return;
	n = radial_nearest(&ui->nodes, &ui->tree, x, y, NEAR_PX);
	if (n != NULL)
		ui->hovered_task = n->task;
}

/* What is said of a node under its name. */
struct inquiry {
	char line[3][96];
	uint32_t rgb[3];
};

/* The task asked about: under the mouse, else the selected one. */
static const struct radial_node *
asked(struct ui *ui)
{
	uint32_t task = ui->hovered_task;

	if (task == TASK_NONE)
		task = tree_selected(ui);
	/* one that is not drawn is in an ancestor that is */
	return (radial_find(&ui->nodes, tree_model(ui), task));
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
		end = view_now(ui);
	a = (int32_t)((double)(begin - t0) / (double)span * w);
	b = (int32_t)((double)(end - t0) / (double)span * w);
	a = a < 0 ? 0 : a > w - 3 ? w - 3 : a;
	b = b < a + 3 ? a + 3 : b > w ? w : b;
	canvas_fill(c, x + a, y, x + b, y + 6, p->state[LANE_running]);
}

/* Three lines about a task: where and what it is, its fate, what is in it. */
static void
inquire_task(const struct ui *ui, const struct radial_node *n,
    const struct task *t, struct inquiry *q)
{
	snprintf(q->line[0], sizeof(q->line[0]),
	    "PE %u   level %" PRIu32 "   task %" PRIu32, t->pe, t->level,
	    n->task);
	label_fate(t, q->line[1], sizeof(q->line[1]));
	q->rgb[1] = t->suspensions > 0 ? ui->palette->state[LANE_wait_lock]
				       : ui->palette->dim;
}

/* The same about a place or a path. */
static void
inquire_grown(const struct ui *ui, const struct radial_node *n,
    const struct task *t, struct inquiry *q)
{
	const struct grown_node *g = tree_node(ui, n->task);
	char count[32], a[32], b[32];

	if (ui->tree_of == TREE_CALLS) {
		snprintf(q->line[0], sizeof(q->line[0]),
		    "%s calls   %s, self %s",
		    format_count(count, sizeof(count), g->calls),
		    format_span(a, sizeof(a), g->total_ns),
		    format_span(b, sizeof(b), g->self_ns));
		snprintf(q->line[1], sizeof(q->line[1]), "waits %s, longest %s",
		    format_span(a, sizeof(a), g->blocked_ns),
		    format_span(b, sizeof(b), g->longest_ns));
		return;
	}
	tree_colour_label(ui, t->pe, a, sizeof(a));
	snprintf(q->line[0], sizeof(q->line[0]), "%s   level %" PRIu32, a,
	    t->level);
	if (g->threads > 0)
		snprintf(q->line[1], sizeof(q->line[1]), "busy %s, waits %s",
		    format_span(a, sizeof(a), g->self_ns),
		    format_span(b, sizeof(b), g->blocked_ns));
	else
		snprintf(q->line[1], sizeof(q->line[1]), "%" PRIu32 " below",
		    t->size - 1);
}

/* What it took here and in the other run. */
static void
inquire_difference(const struct ui *ui, const struct radial_node *n,
    struct inquiry *q)
{
	const struct grown_node *g = tree_node(ui, n->task);
	int64_t ns;
	char a[32], b[32];

	if (g == NULL)
		return;
	if (g->task == TASK_NONE) {
		snprintf(q->line[0], sizeof(q->line[0]), "not in this run");
		q->line[1][0] = '\0';
	}
	ns = ui->tree_of == TREE_CALLS ? g->total_ns : g->self_ns;
	if (!g->both) {
		snprintf(q->line[2], sizeof(q->line[2]), "%s",
		    g->task == TASK_NONE ? "only in the other one"
					 : "not in the other one");
		q->rgb[2] = ui->palette->warn;
		return;
	}
	snprintf(q->line[2], sizeof(q->line[2]), "%s, there %s (%+.0f %%)",
	    format_span(a, sizeof(a), ns),
	    format_span(b, sizeof(b), g->other_ns),
	    ns > 0 ? 100.0 * (double)(g->other_ns - ns) / (double)ns : 0);
	q->rgb[2] = ui->palette->text;
}

static struct rect
inquiry_box(const struct ui *ui, int32_t nx, int32_t ny)
{
	const struct rect *a = &ui->tree_area;
	struct rect b = { a->x1 - BOX_W - 10, a->y1 - BOX_H - 44, 0, 0 };

	if (nx > b.x0 - 24 && ny > b.y0 - 24) /* not over the node */
		b.y0 = a->y0 + 12;
	if (b.x0 < a->x0 + 4)
		b.x0 = a->x0 + 4;
	b.x1 = b.x0 + BOX_W;
	b.y1 = b.y0 + BOX_H;
	return (b);
}

static void
draw_inquiry(struct ui *ui, struct canvas *c, const struct radial_node *n)
{
	const struct palette *p = ui->palette;
	const struct rect *a = &ui->tree_area;
	int32_t nx = a->x0 + n->x / SCENE_ONE, ny = a->y0 + n->y / SCENE_ONE;
	struct rect b = inquiry_box(ui, nx, ny);
	struct inquiry q = { .rgb = { p->dim, p->dim, p->dim } };
	struct task t;
	char name[96];

	if (n->task >= model_tasks(tree_model(ui)))
		return;
	tree_task_then(ui, tree_model(ui), n->task, &t);
	if (ui->tree_of == TREE_TASKS)
		inquire_task(ui, n, &t, &q);
	else
		inquire_grown(ui, n, &t, &q);
	if (ui->other != NULL || ui->main != NULL)
		inquire_difference(ui, n, &q);
	else
		snprintf(q.line[2], sizeof(q.line[2]),
		    "%" PRIu32 " condensed, %" PRIu32 " too small",
		    n->condensed, n->pruned);
	canvas_line_aa(c, nx * 16 + 8, ny * 16 + 8, b.x0 * 16, (b.y0 + 12) * 16,
	    12, p->dim, 170);
	canvas_circle(c, nx * 16 + 8, ny * 16 + 8, 6 * 16, 20, p->text, 255);
	canvas_fill(c, b.x0, b.y0, b.x1, b.y1, p->panel);
	draw_frame(c, &b, p->line);
	draw_cut(c, FONT_BOLD, b.x0 + 9, b.y0 + 18, BOX_W - 18, p->text,
	    label_task(tree_model(ui), &t, name, sizeof(name)));
	for (int i = 0; i < 3; i++)
		draw_cut(c, FONT_SMALL, b.x0 + 9, b.y0 + 34 + 15 * i,
		    BOX_W - 18, q.rgb[i], q.line[i]);
	draw_life(ui, c, &t, b.x0 + 9, b.y1 - 14, BOX_W - 18);
}

static void
draw_empty(struct ui *ui, struct canvas *c)
{
	const struct rect *a = &ui->tree_area;
	int32_t x = (a->x0 + a->x1) / 2, y = (a->y0 + a->y1) / 2;

	if (model_events(ui->model) == 0)
		return; /* the other pane says why */
	if (ui->tree_of == TREE_CALLS) {
		draw_centre(c, FONT_NORMAL, x, y, ui->palette->text,
		    ui->sums.busy || ui->tree_sums.busy
			? "Adding up calls ..."
			: "Nothing with a name runs in this time");
		return;
	}
	if (ui->tree_of == TREE_THREADS) {
		draw_centre(c, FONT_NORMAL, x, y, ui->palette->text,
		    "No threads so far");
		return;
	}
	draw_centre(c, FONT_NORMAL, x, y, ui->palette->text, "No tasks %s",
	    model_finished(ui->model) ? "in this run" : "so far");
	draw_centre(c, FONT_SMALL, x, y + 20, ui->palette->dim,
	    "The tree is made of tasks: probe_task_spawn(), "
	    "probe_task_begin()");
	draw_centre(c, FONT_SMALL, x, y + 36, ui->palette->dim,
	    "and probe_task_end(), see probe(3) or examples/pascal; "
	    "B shows threads and calls");
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

	if (ui->tree_of != TREE_TASKS)
		return (version);
	if (ui->tree.until_mon_ns != INT64_MAX) /* its tasks, not their ends */
		return (model_tasks(ui->model));
	if (version == drawn || !run_grows(ui))
		return (version);
	if (!ui->hasty && ui->frame >= ui->tree_due)
		return (version);
	ui->undone = true;
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

	if (!grown_prepare(ui))
		return (false);
	note_selected(ui);
	memset(&key, 0, sizeof(key));
	memcpy(&key.view, &ui->tree, sizeof(key.view));
	key.version = version_due(ui, l->version);
	key.names = model_names(tree_model(ui));
	key.palette = ui->palette;
	key.model = tree_model(ui);
	if (!layer_begin(l, ui->tree.width, ui->tree.height, &key, sizeof(key),
		&layer))
		return (true);
	radial_layout(tree_model(ui), ui->palette, &ui->tree, &ui->nodes,
	    &ui->tree_scene);
	canvas_fill(&layer, 0, 0, ui->tree.width, ui->tree.height,
	    ui->palette->background);
	if (!layer_paint(ui, l, &layer, &ui->tree_scene))
		return (false);
	l->version = key.version;
	ui->tree_due = ui->frame + TREE_FRAMES;
	return (true);
}

/* Nodes that the other run does not have, as long as they can be told. */
static void
mark_only_here(struct ui *ui, struct canvas *c)
{
	const struct rect *a = &ui->tree_area;
	const struct grown_node *g;
	uint32_t left = MARKS_MAX;
	int32_t radius = ui->nodes.ring_px > 14 ? 4 * 16 : 2 * 16;

	if ((ui->other == NULL && ui->main == NULL) ||
	    ui->tree.form != RADIAL_POLYGONS)
		return;
	for (size_t i = 0; i < ui->nodes.nnodes && left > 0; i++) {
		const struct radial_node *n = &ui->nodes.nodes[i];

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
	const struct rect *a = &ui->tree_area;
	const struct radial_node *n;
	struct canvas area = *c;

	draw_around(c, &ui->pane[PANE_TREE], &ui->tree_layer, a->x0, a->y0,
	    ui->palette->background);
	layer_show(&ui->tree_layer, c, a->x0, a->y0);
	draw_title(ui, c);
	if (model_tasks(tree_model(ui)) == 0) {
		draw_empty(ui, c);
		return;
	}
	draw_legend(ui, c);
	draw_account(ui, c);
	canvas_clip(&area, a->x0, a->y0, a->x1, a->y1);
	mark_only_here(ui, &area);
	treepane_hover(ui);
	n = asked(ui);
	if (n != NULL)
		draw_inquiry(ui, &area, n);
}
