/* The title of the tree: what it is a tree of, its root, the colourings. */
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"
#include "ui/panes/tree/treepane.h"

/* What "PE" is in this tree. */
const char *
tree_colour_word(const struct ui *ui, int i)
{
	static const char *const pe[TREE_KINDS] = { "PE", "node", "thread" };
	static const char *const both[TREE_KINDS] = { "PE-time", "node-time",
		"thread-time" };
	static const char *const name[TREE_KINDS] = { "procedure", "name",
		"procedure" };

	return (i == RADIAL_PE          ? pe[ui->trees.of]
		: i == RADIAL_PE_TIME   ? both[ui->trees.of]
		: i == RADIAL_PROCEDURE ? name[ui->trees.of]
					: radial_colour_name[i]);
}

static const char *const titles[TREE_KINDS] = { "Reduction tree", "Threads",
	"Calls" };

static enum font
title_font(const struct ui *ui, int i)
{
	return (ui->trees.of == (enum tree_of)i ? FONT_BOLD : FONT_SMALL);
}

/*
 * What there are trees of; the one that is shown stands out.  Where the others
 * have no room it leads to the next one.
 */
static int32_t
draw_kinds(struct ui *ui, struct canvas *c, int32_t x, int32_t y, int32_t room)
{
	const struct palette *p = ui->palette;
	int32_t x1 = x, w = -14;
	bool all;

	for (int i = 0; i < TREE_KINDS; i++)
		w += text_width(title_font(ui, i), titles[i],
			 strlen(titles[i])) +
		     14;
	all = w <= room;
	for (int i = 0; i < TREE_KINDS; i++) {
		bool on = ui->trees.of == (enum tree_of)i;

		if (!all && !on)
			continue;
		x1 = draw_text(c, title_font(ui, i), x, y,
		    on ? p->text : p->dim, "%s", titles[i]);
		spot_add(ui, x - 5, y - 14, x1 + 5, y + 6, "tree-of %s",
		    all ? tree_of_name[i] : tree_of_name[(i + 1) % TREE_KINDS]);
		x = x1 + 14;
	}
	return (x1);
}

/* Which of the log's trees, and to the others; returns where that ends. */
static int32_t
draw_which(struct ui *ui, struct canvas *c, int32_t x, int32_t y, int32_t room)
{
	uint32_t trees, now = tree_number(ui, &trees);
	uint32_t alone = model_singles(ui->model, NULL);
	char words[80], a[32], b[32];
	const char *command = "tree next";
	int32_t w;

	if (ui->trees.of != TREE_TASKS || two_runs(ui) || trees + alone < 2)
		return (x);
	if (now > 0)
		snprintf(words, sizeof(words), "tree %s of %s",
		    format_count(a, sizeof(a), now),
		    format_count(b, sizeof(b), trees));
	else if (ui->tree.root != TASK_NONE)
		snprintf(words, sizeof(words), "one task");
	else
		snprintf(words, sizeof(words), "all %s tree%s",
		    format_count(a, sizeof(a), trees + alone),
		    trees + alone == 1 ? "" : "s");
	w = text_width(FONT_SMALL, words, strlen(words));
	if (w + 44 > room)
		return (x);
	if (ui->tree.root != TASK_NONE) {
		draw_text(c, FONT_SMALL, x, y, ui->palette->accent, "<");
		spot_add(ui, x - 5, y - 14, x + 10, y + 6, "tree previous");
		x += 14;
		command = "tree all";
	}
	draw_text(c, FONT_SMALL, x, y, ui->palette->accent, "%s", words);
	spot_add(ui, x - 3, y - 14, x + w + 3, y + 6, "%s", command);
	x += w + 8;
	if (trees == 0)
		return (x);
	draw_text(c, FONT_SMALL, x, y, ui->palette->accent, ">");
	spot_add(ui, x - 5, y - 14, x + 12, y + 6, "tree next");
	return (x + 20);
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
	} else if (ui->trees.of == TREE_CALLS &&
		   ui->trees.lane < model_lanes(ui->model)) {
		label_lane(ui->model, model_lane(ui->model, ui->trees.lane),
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
	const struct rect *r = &ui->places.tree_words;
	int32_t x = r->x1 - 40, y = r->y0 + 16;

	draw_cut(c, FONT_BOLD, r->x0 + 14, y, x - r->x0 - 30, p->text,
	    ui_run_name(ui));
	draw_text(c, FONT_SMALL, x, y, p->dim, "close");
	spot_add(ui, x - 6, r->y0 + 2, r->x1, r->y0 + 22, "compare off");
}

/* Of the words for all colourings. */
static int32_t
colours_width(const struct ui *ui)
{
	int32_t w = 0;

	for (int i = 0; i < RADIAL_COLOURS; i++)
		if (i != RADIAL_DIFFERENCE || two_runs(ui))
			w += text_width(FONT_SMALL, tree_colour_word(ui, i),
				 strlen(tree_colour_word(ui, i))) +
			     16;
	return (w);
}

/*
 * A colouring's word, which ends at x; returns where it begins.  Alone, for
 * want of room, it leads to the next one.
 */
static int32_t
draw_colour(struct ui *ui, struct canvas *c, int32_t x, int32_t x0, int32_t y,
    int i, bool all)
{
	const struct palette *p = ui->palette;
	const char *name = tree_colour_word(ui, i);
	bool on = ui->tree.colour == (enum radial_colour)i;
	int32_t w = text_width(FONT_SMALL, name, strlen(name)) + 16;

	if (x - w < x0)
		return (x);
	x -= w;
	if (on)
		canvas_fill(c, x, y - 12, x + w, y + 5,
		    palette_mix(p->background, p->accent, 60));
	draw_text(c, FONT_SMALL, x + 8, y, on ? p->text : p->dim, "%s", name);
	if (all)
		spot_add(ui, x, y - 14, x + w, y + 6, "colour %s",
		    radial_colour_name[i]);
	else
		spot_add(ui, x, y - 14, x + w, y + 6, "colour");
	return (x);
}

void
tree_title_draw(struct ui *ui, struct canvas *c)
{
	const struct rect *r = &ui->places.tree_words;
	int32_t x = r->x1 - 10, y = r->y0 + 16, left;
	bool all;

	if (is_second(ui)) {
		draw_other_title(ui, c);
		return;
	}
	if (has_marks(ui))
		x = place_marks(ui, c, x, r->y0 + 6, VIEW_TREE) - 8;
	left = draw_kinds(ui, c, r->x0 + 14, y, x - r->x0 - 22);
	all = colours_width(ui) < x - left - 8;
	for (int i = RADIAL_COLOURS - 1; i >= 0; i--)
		if ((i != RADIAL_DIFFERENCE || two_runs(ui)) &&
		    (all || ui->tree.colour == (enum radial_colour)i))
			x = draw_colour(ui, c, x, left + 8, y, i, all);
	left = draw_which(ui, c, left + 12, y, x - left - 20);
	draw_root(ui, c, left, y, x - left - 8);
}
