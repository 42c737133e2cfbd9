/* The line below the tree: how much of it is drawn, and its forms. */
#include <inttypes.h>
#include <string.h>

#include "model/calls/calls.h"
#include "treepane.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

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
	if (n->lc.ratio[0] == 1 && n->lc.levels[1] == 0)
		snprintf(buf, size, ", none condensed");
	else if (n->lc.ratio[0] == 1)
		snprintf(buf, size,
		    ": %" PRIu32 " as they are, %" PRIu32 " condensed %" PRIu32
		    " : 1",
		    n->lc.levels[0], n->lc.levels[1], n->lc.ratio[1]);
	else if (n->lc.levels[1] == 0)
		snprintf(buf, size, ", condensed %" PRIu32 " : 1",
		    n->lc.ratio[0]);
	else
		snprintf(buf, size,
		    ": %" PRIu32 " condensed %" PRIu32 " : 1, %" PRIu32
		    " %" PRIu32 " : 1",
		    n->lc.levels[0], n->lc.ratio[0], n->lc.levels[1],
		    n->lc.ratio[1]);
}

/* The forms that the tree has, at the right end of the last line. */
static int32_t
draw_forms(struct ui *ui, struct canvas *c, int32_t y)
{
	const struct rect *r = &ui->places.tree_words;
	const struct palette *p = ui->palette;
	bool all = r->x1 - r->x0 > 460; /* else the one in use */
	int32_t x = r->x1 - 10;

	for (int i = RADIAL_FORMS - 1; i >= 0; i--) {
		const char *name = radial_form_name[i];
		bool on = ui->tree.form == (enum radial_form)i;
		int32_t w = text_width(FONT_SMALL, name, strlen(name)) + 12;

		if (!all && !on)
			continue;
		x -= w;
		draw_text(c, FONT_SMALL, x + 6, y, on ? p->text : p->dim, "%s",
		    name);
		if (all)
			spot_add(ui, x, y - 12, x + w, y + 6, "form %s", name);
		else
			spot_add(ui, x, y - 12, x + w, y + 6, "form");
	}
	return (x);
}

/* What sectors stand for, and of what time the calls are. */
static void
account_weight(const struct ui *ui, char *buf, size_t n)
{
	const struct sums *s = ui->trees.lane == UINT32_MAX
				   ? &ui->figures.sums
				   : &ui->figures.tree_sums;
	const char *by = tree_weight_name[ui->trees.weight[ui->trees.of]];
	char span[32];
	int64_t t0, t1;

	if (ui->trees.of != TREE_CALLS || s->shown == NULL)
		snprintf(buf, n, "    sectors: %s", by);
	else if (s->busy)
		snprintf(buf, n, "    sectors: %s    adding up: %.0f %%", by,
		    calls_done(s->next) * 100);
	else
		snprintf(buf, n, "    sectors: %s    %s, %s", by,
		    format_span(span, sizeof(span), s->of.t1 - s->of.t0),
		    figures_whole(ui)             ? "the whole run"
		    : time_selected(ui, &t0, &t1) ? "selected"
						  : "in sight");
}

/* Of the tree of two runs, how many nodes are of this one. */
static uint32_t
own_nodes(const struct ui *ui)
{
	const struct ui *other = run_beside(ui);

	return (ui->trees.grown.n - other->trees.grown.only);
}

/* How many trees the tasks are in; "": one. */
static void
account_trees(const struct ui *ui, char *buf, size_t size)
{
	uint32_t trees = model_trees(ui->model);
	uint32_t alone = ui->treepane.nodes.singles.trees;
	char a[32], b[32];

	buf[0] = '\0';
	if (ui->trees.of != TREE_TASKS || two_runs(ui) ||
	    ui->tree.root != TASK_NONE || (trees < 2 && alone == 0))
		return;
	format_count(a, sizeof(a), trees);
	format_count(b, sizeof(b), alone);
	if (trees == 0)
		snprintf(buf, size, ", each alone, by name");
	else if (alone == 0)
		snprintf(buf, size, " in %s trees", a);
	else
		snprintf(buf, size, " in %s tree%s, %s alone", a,
		    trees == 1 ? "" : "s", b);
}

/* What was drawn and, as plainly, what was not. */
void
tree_account_draw(struct ui *ui, struct canvas *c)
{
	const struct radial_layout *n = &ui->treepane.nodes;
	const struct rect *r = &ui->places.tree_words;
	int32_t x1 = draw_forms(ui, c, r->y1 - 10);
	char levels[96], tasks[32], small[32], some[32], beside[64] = "",
							 trees[96], text[400];

	account_levels(n, levels, sizeof(levels));
	if (n->outside > 0)
		snprintf(beside, sizeof(beside), ", %s beside the window",
		    format_count(some, sizeof(some), n->outside));
	account_trees(ui, trees, sizeof(trees));
	snprintf(text, sizeof(text),
	    "%s %s%s    %s    %s drawn, %s below one pixel%s",
	    format_count(tasks, sizeof(tasks), n->tasks),
	    tree_unit(ui, n->tasks != 1), trees, levels,
	    format_count(some, sizeof(some), n->drawn),
	    format_count(small, sizeof(small), n->pruned), beside);
	if (two_runs(ui))
		snprintf(text, sizeof(text),
		    "%s %s, %s only here    %s    %s below one pixel",
		    format_count(tasks, sizeof(tasks), own_nodes(ui)),
		    tree_unit(ui, true),
		    format_count(some, sizeof(some), ui->trees.grown.only),
		    levels, small);
	else if (ui->trees.of == TREE_TASKS && n->singles.groups == 0)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
		    "    %" PRIu32 " PE%s", n->pes, n->pes == 1 ? "" : "s");
	else if (ui->trees.of != TREE_TASKS)
		account_weight(ui, text + strlen(text),
		    sizeof(text) - strlen(text));
	draw_cut(c, FONT_SMALL, r->x0 + 18, r->y1 - 10, x1 - r->x0 - 28,
	    ui->palette->dim, text);
}
