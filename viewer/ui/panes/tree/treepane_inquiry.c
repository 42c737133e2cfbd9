/* The inquiry: the node under the mouse, or the selected one. */
#include <inttypes.h>
#include <math.h>

#include "treepane.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

#define BOX_W 196
#define BOX_H 92

/* What is said of a node under its name. */
struct inquiry {
	char line[3][96];
	uint32_t rgb[3];
};

/* The task asked about: under the mouse, else the selected one. */
const struct radial_node *
tree_asked(struct ui *ui)
{
	uint32_t task = ui->mouse.task;

	if (task == TASK_NONE)
		task = tree_selected(ui);
	/* one that is not drawn is in an ancestor that is */
	return (radial_find(&ui->treepane.nodes, tree_model(ui), task));
}

/* How many of w pixels stand for so much of a life; some: a pixel at least. */
static int32_t
part_of(int64_t ns, int64_t life_ns, int32_t w)
{
	double px = life_ns > 0 ? (double)ns / (double)life_ns * w : 0;

	return (px <= 0 ? 0 : px < 1 ? 1 : px > w ? w : (int32_t)lround(px));
}

/*
 * Where the task lies in the run, and how much of its life it was suspended:
 * the part at the right, as if that had been all at once.  Grey: nobody knows,
 * or it has not begun.
 */
static void
draw_life(struct ui *ui, struct canvas *c, const struct task *t, int32_t x,
    int32_t y, int32_t w)
{
	const struct palette *p = ui->palette;
	int64_t t0 = run_begin(ui), span = run_end(ui) - t0;
	int64_t begin = t->begin_mon_ns != INT64_MIN ? t->begin_mon_ns
						     : t->spawn_mon_ns,
		end = t->end_mon_ns, suspended;
	int32_t a, b, mid;

	canvas_fill(c, x, y, x + w, y + 6, p->line);
	if (span <= 0 || begin == INT64_MIN)
		return;
	if (end == INT64_MIN)
		end = run_now(ui);
	a = (int32_t)((double)(begin - t0) / (double)span * w);
	b = (int32_t)((double)(end - t0) / (double)span * w);
	a = a < 0 ? 0 : a > w - 3 ? w - 3 : a;
	b = b < a + 3 ? a + 3 : b > w ? w : b;
	suspended = task_suspended_until(t, end);
	mid = b - part_of(suspended, end - begin, b - a);
	canvas_fill(c, x + a, y, x + mid, y + 6,
	    suspended < 0 || t->begin_mon_ns == INT64_MIN
		? p->dim
		: p->state[LANE_running]);
	canvas_fill(c, x + mid, y, x + b, y + 6, p->state[LANE_wait_lock]);
}

/* Of tasks that were given up: how deep they went, which there were most. */
static void
inquire_summary(const struct ui *ui, const struct radial_node *n,
    const struct task *t, struct inquiry *q)
{
	unsigned door = model_enter(tree_model(ui));
	struct summary_name most = { 0 }, name;
	struct task_sums s;
	char tasks[32];

	if (model_task_sums(tree_model(ui), n->task, &s)) {
		for (uint32_t i = 0; i < s.nnames; i++) {
			name = model_task_sums_name(&s, i);
			if (name.tasks > most.tasks)
				most = name;
		}
		snprintf(q->line[0], sizeof(q->line[0]),
		    "given up: levels %" PRIu32 " to %" PRIu32, t->level,
		    t->level + s.levels - 1);
		if (most.tasks > 0)
			snprintf(q->line[1], sizeof(q->line[1]), "%s of %s",
			    format_count(tasks, sizeof(tasks), most.tasks),
			    most.name == 0
				? "no name"
				: label_name(tree_model(ui), most.name));
	}
	model_leave(tree_model(ui), door);
}

/* Trees of a single task: how many have this name. */
static void
inquire_group(const struct ui *ui, const struct radial_node *n,
    const struct task *t, struct inquiry *q)
{
	char some[32];

	snprintf(q->line[0], sizeof(q->line[0]), "%s tasks, each a tree",
	    format_count(some, sizeof(some), n->condensed));
	snprintf(q->line[1], sizeof(q->line[1]), "the first is task %" PRIu32,
	    n->task);
	if (t->spawn_mon_ns != INT64_MIN || t->begin_mon_ns != INT64_MIN)
		snprintf(q->line[2], sizeof(q->line[2]), "at %s",
		    run_time(ui,
			t->begin_mon_ns != INT64_MIN ? t->begin_mon_ns
						     : t->spawn_mon_ns,
			1000, some, sizeof(some)));
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

	if (ui->trees.of == TREE_CALLS) {
		snprintf(q->line[0], sizeof(q->line[0]),
		    "%s calls   %s, self %s",
		    format_count(count, sizeof(count), g->calls),
		    format_span(a, sizeof(a), g->total_ns),
		    format_span(b, sizeof(b), g->self_ns));
		snprintf(q->line[1], sizeof(q->line[1]), "waits %s, longest %s",
		    format_span(a, sizeof(a), g->waits_ns),
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
		snprintf(q->line[1], sizeof(q->line[1]), "%s below",
		    format_count(count, sizeof(count), t->size - 1));
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
	ns = ui->trees.of == TREE_CALLS ? g->total_ns : g->self_ns;
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
	const struct rect *a = &ui->places.tree;
	struct rect b = { a->x1 - BOX_W - 10, a->y1 - BOX_H - 44, 0, 0 };

	if (nx > b.x0 - 24 && ny > b.y0 - 24) /* not over the node */
		b.y0 = a->y0 + 12;
	if (b.x0 < a->x0 + 4)
		b.x0 = a->x0 + 4;
	b.x1 = b.x0 + BOX_W;
	b.y1 = b.y0 + BOX_H;
	return (b);
}

void
tree_inquiry_draw(struct ui *ui, struct canvas *c, const struct radial_node *n)
{
	const struct palette *p = ui->palette;
	const struct rect *a = &ui->places.tree;
	int32_t nx = a->x0 + n->x / SCENE_ONE, ny = a->y0 + n->y / SCENE_ONE;
	struct rect b = inquiry_box(ui, nx, ny);
	struct inquiry q = { .rgb = { p->dim, p->dim, p->dim } };
	struct task t;
	char name[96], some[32], small[32];

	if (n->task >= model_tasks(tree_model(ui)))
		return;
	tree_task_then(ui, tree_model(ui), n->task, &t);
	if (n->group)
		inquire_group(ui, n, &t, &q);
	else if (t.flags & TASK_SUMMARY)
		inquire_summary(ui, n, &t, &q);
	else if (ui->trees.of == TREE_TASKS)
		inquire_task(ui, n, &t, &q);
	else
		inquire_grown(ui, n, &t, &q);
	if (two_runs(ui))
		inquire_difference(ui, n, &q);
	else if (!n->group)
		snprintf(q.line[2], sizeof(q.line[2]),
		    "%s condensed, %s too small",
		    format_count(some, sizeof(some), n->condensed),
		    format_count(small, sizeof(small), n->pruned));
	canvas_line_aa(c, nx * 16 + 8, ny * 16 + 8, b.x0 * 16, (b.y0 + 12) * 16,
	    12, p->dim, 170);
	canvas_circle(c, nx * 16 + 8, ny * 16 + 8, 6 * 16, 20, p->text, 255);
	canvas_fill(c, b.x0, b.y0, b.x1, b.y1, p->panel);
	draw_frame(c, &b, p->line);
	draw_cut(c, FONT_BOLD, b.x0 + 9, b.y0 + 18, BOX_W - 18, p->text,
	    n->group && t.name != 0
		? label_name(tree_model(ui), t.name)
		: label_task(tree_model(ui), &t, name, sizeof(name)));
	for (int i = 0; i < 3; i++)
		draw_cut(c, FONT_SMALL, b.x0 + 9, b.y0 + 34 + 15 * i,
		    BOX_W - 18, q.rgb[i], q.line[i]);
	if (!n->group)
		draw_life(ui, c, &t, b.x0 + 9, b.y1 - 14, BOX_W - 18);
}
