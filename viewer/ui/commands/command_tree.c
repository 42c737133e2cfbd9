/*
 * Commands of the reduction tree: what of it is drawn, in which form and
 * order, and what its colours mean.
 */
#include "command.h"

#include <string.h>
#include <strings.h>

#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/panes/tree/treepane.h"

/* The place of a word in a list; -1: it is not one of them. */
static int
word_in(const char *arg, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		if (strcasecmp(arg, names[i]) == 0)
			return (i);
	return (-1);
}

/* The word's place, or without a word the next one; -1 and a message. */
static int
chosen(struct ui *ui, const char *what, const char *arg,
    const char *const *names, int n, int now)
{
	char list[128] = "";
	int i = arg[0] == '\0' ? (now + 1) % n : word_in(arg, names, n);

	if (i >= 0)
		return (i);
	for (i = 0; i < n; i++) {
		size_t at = strlen(list);

		snprintf(list + at, sizeof(list) - at, "%s%s",
		    i == 0 ? "" : ", ", names[i]);
	}
	return (desk_fail(ui, "%s is one of %s", what, list));
}

static int
colour(struct ui *ui, const char *arg)
{
	int i = chosen(ui, "colour", arg, radial_colour_name, RADIAL_COLOURS,
	    (int)ui->tree.colour);

	if (i < 0)
		return (-1);
	if (i == RADIAL_DIFFERENCE && !two_runs(ui)) {
		if (arg[0] != '\0')
			return (desk_fail(ui,
			    "there is no other run; see compare"));
		i = RADIAL_PE;
	}
	ui->tree.colour = (enum radial_colour)i;
	return (0);
}

static int
form(struct ui *ui, const char *arg)
{
	int i = chosen(ui, "form", arg, radial_form_name, RADIAL_FORMS,
	    (int)ui->tree.form);

	if (i < 0)
		return (-1);
	ui->tree.form = (enum radial_form)i;
	return (0);
}

static int
order(struct ui *ui, const char *arg)
{
	int i = chosen(ui, "order", arg, radial_order_name, RADIAL_ORDERS,
	    (int)ui->tree.order);

	if (i < 0)
		return (-1);
	ui->tree.order = (enum radial_order)i;
	ui->trees.order_asked = true;
	return (0);
}

static int
scale(struct ui *ui, const char *arg)
{
	int i = chosen(ui, "scale", arg, palette_scale_name, SCALES,
	    (int)ui->tree.scale);

	if (i < 0)
		return (-1);
	ui->tree.scale = (enum palette_scale)i;
	return (0);
}

static int
rings(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->tree.all_rings = !ui->tree.all_rings;
	return (0);
}

static int
values(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->tree.edges = !ui->tree.edges;
	return (0);
}

/* "tasks", "threads"; "calls" of all threads, of a row, of the one selected. */
static int
tree_of(struct ui *ui, const char *arg)
{
	size_t n = strcspn(arg, " ");
	char word[16];
	uint64_t lane = UINT32_MAX;
	int i;

	snprintf(word, sizeof(word), "%.*s", (int)n, arg);
	arg += n + strspn(arg + n, " ");
	i = chosen(ui, "a tree", word, tree_of_name, TREE_KINDS,
	    (int)ui->trees.of);
	if (i < 0)
		return (-1);
	if (arg[0] != '\0' && i != TREE_CALLS)
		return (desk_fail(ui, "only calls are of some row"));
	if (strcmp(arg, "selected") == 0)
		lane = ui->time.selected_lane;
	else if (arg[0] != '\0' && parse_number(arg, &lane) == -1)
		lane = UINT32_MAX;
	if (arg[0] != '\0' && lane >= model_lanes(ui->model))
		return (desk_fail(ui,
		    "tree-of calls wants the number of a row, or: selected"));
	if (arg[0] != '\0' &&
	    model_lane(ui->model, (uint32_t)lane)->kind > LANE_DEPTH)
		return (desk_fail(ui, "nothing is called in this row"));
	history_add(ui, 0);
	ui->trees.asked = true;
	if (i == TREE_CALLS && ui->trees.lane != (uint32_t)lane) {
		ui->trees.lane = (uint32_t)lane;
		ui->tree.subtree =
		    ui->trees.of == TREE_CALLS ? false : ui->tree.subtree;
		ui->trees.put_by[TREE_CALLS].zoom = 1;
	}
	tree_show(ui, (enum tree_of)i);
	return (0);
}

static int
weigh(struct ui *ui, const char *arg)
{
	enum tree_weight *w = &ui->trees.weight[ui->trees.of];
	int i = chosen(ui, "a weight", arg, tree_weight_name, TREE_WEIGHTS,
	    (int)*w);

	if (i < 0)
		return (-1);
	if (ui->trees.of == TREE_TASKS && i != WEIGHT_EVEN)
		return (desk_fail(ui, "tasks are weighed by their number "
				      "and height; see tree-of"));
	*w = (enum tree_weight)i;
	return (0);
}

/* All but the tasks of this PE, procedure or state are dimmed; again, or
 * without a word, none. */
static int
only(struct ui *ui, const char *arg)
{
	bool was = ui->treepane.chosen;
	char text[144];
	uint32_t class, number = ui->treepane.chosen_class;
	size_t n = strlen(arg);

	ui->treepane.chosen = false;
	if (n == 0)
		return (0);
	if (ui->trees.of != TREE_TASKS || two_runs(ui))
		return (desk_fail(ui, "only is about the tree of tasks"));
	for (uint32_t i = 0;
	     tree_legend_entry(ui, i, &class, text, sizeof(text)); i++) {
		if (strncmp(text, arg, n) != 0 ||
		    (text[n] != '\0' && text[n] != ' ') ||
		    strspn(text + n, " 0123456789,") != strlen(text + n))
			continue;
		ui->treepane.chosen = !was || number != class;
		ui->treepane.chosen_class = class;
		ui->treepane.chosen_colour = ui->tree.colour;
		return (0);
	}
	return (desk_fail(ui, "only wants what stands in the legend, as in: %s",
	    tree_legend_entry(ui, 0, &class, text, sizeof(text)) ? text
								 : "PE 0"));
}

/* "all" of them, "next", "previous", the one of what is pointed at, or N. */
static int
tree(struct ui *ui, const char *arg)
{
	uint32_t trees, now = tree_number(ui, &trees), task;
	uint64_t n = UINT64_MAX;

	if (ui->trees.of != TREE_TASKS || two_runs(ui))
		return (desk_fail(ui, "this is one tree; see tree-of"));
	if (strcmp(arg, "all") == 0)
		n = 0;
	else if (strcmp(arg, "here") == 0)
		n = 1;
	else if (trees == 0)
		return (desk_fail(ui, "there are no trees of several tasks"));
	else if (arg[0] == '\0' || strcmp(arg, "next") == 0)
		n = (now + 1) % (trees + 1);
	else if (strcmp(arg, "previous") == 0)
		n = (now + trees) % (trees + 1);
	else if (parse_number(arg, &n) == -1 || n < 1 || n > trees)
		return (desk_fail(ui,
		    "tree is a number from 1 to %u, next, previous, here or "
		    "all",
		    trees));
	task = n == 0 ? TASK_NONE : model_tree_nth(ui->model, (uint32_t)n);
	if (strcmp(arg, "here") == 0) {
		task = ui->mouse.task != TASK_NONE ? ui->mouse.task
						   : tree_selected(ui);
		if (task == TASK_NONE)
			return (desk_fail(ui,
			    "select a task to see its tree alone"));
	}
	history_add(ui, 0);
	ui->tree.root = task;
	ui->tree.subtree = false;
	ui->trees.nopened = 0;
	return (0);
}

/* As it is now, to come back to. */
static void
open_remember(struct ui *ui)
{
	if (!ui->tree.subtree)
		ui->trees.nopened = 0;
	if (ui->trees.nopened == OPENED_MAX) {
		memmove(ui->trees.opened, ui->trees.opened + 1,
		    (OPENED_MAX - 1) * sizeof(ui->trees.opened[0]));
		ui->trees.nopened--;
	}
	ui->trees.opened[ui->trees.nopened++] =
	    (struct opened){ ui->tree.root, ui->tree.subtree, ui->tree.colour,
		    ui->tree.zoom, ui->tree.centre_x, ui->tree.centre_y,
		    ui->tree.rotate_rad, ui->tree.form };
}

static int
reroot(struct ui *ui, const char *arg)
{
	uint32_t n = ui->mouse.task;

	(void)arg;
	if (n == TASK_NONE)
		n = tree_selected(ui);
	if (n == TASK_NONE)
		return (desk_fail(ui, "select a %s to make it the root",
		    tree_unit(ui, false)));
	history_add(ui, 0);
	open_remember(ui);
	ui->tree.root = n;
	ui->tree.subtree = true;
	ui->tree.zoom = 1;
	ui->tree.centre_x = ui->tree.centre_y = 0;
	return (0);
}

int
command_reroot(struct ui *ui)
{
	return (reroot(ui, ""));
}

/* Back to what was shown before, as it was. */
static int
up(struct ui *ui, const char *arg)
{
	struct opened o;

	(void)arg;
	if (!ui->tree.subtree)
		return (desk_fail(ui, "this is the whole tree already"));
	history_add(ui, 0);
	if (ui->trees.nopened == 0) {
		ui->tree.subtree = false;
		return (0);
	}
	o = ui->trees.opened[--ui->trees.nopened];
	ui->tree.root = o.root;
	ui->tree.subtree = o.subtree;
	ui->tree.colour = o.colour;
	ui->tree.zoom = o.zoom;
	ui->tree.centre_x = o.centre_x;
	ui->tree.centre_y = o.centre_y;
	ui->tree.rotate_rad = o.rotate_rad;
	return (0);
}

/* The subtree of which this one is a part. */
static int
parent(struct ui *ui, const char *arg)
{
	struct task t;

	(void)arg;
	if (!ui->tree.subtree)
		return (desk_fail(ui, "this is the whole tree already"));
	model_task_get(tree_model(ui), ui->tree.root, &t);
	history_add(ui, 0);
	if (t.parent == TASK_NONE)
		ui->tree.subtree = false;
	else
		ui->tree.root = t.parent;
	return (0);
}

static int
centre(struct ui *ui, const char *arg)
{
	int x = ui->mouse.x, y = ui->mouse.y;

	if (arg[0] != '\0' && sscanf(arg, "%d %d", &x, &y) != 2)
		return (desk_fail(ui,
		    "centre wants a place, as in: centre 900 400"));
	history_add(ui, STEP_TREE);
	ui->tree.centre_x = x - ui->places.tree.x0 - ui->tree.width / 2.0;
	ui->tree.centre_y = y - ui->places.tree.y0 - ui->tree.height / 2.0;
	return (0);
}

static int
reset_tree(struct ui *ui, const char *arg)
{
	(void)arg;
	history_add(ui, 0);
	ui->tree.zoom = 1;
	ui->tree.centre_x = ui->tree.centre_y = ui->tree.rotate_rad = 0;
	ui->tree.subtree = false;
	ui->tree.root = TASK_NONE;
	ui->trees.nopened = 0;
	return (0);
}

const struct command command_tree[] = {
	{ "colour", "[NAME]",
	    "colours the tree by PE, time, PE-time, procedure "
	    "or state",
	    colour },
	{ "form", "[NAME]", "draws it as polygons, sunburst or icicle", form },
	{ "order", "[NAME]",
	    "puts siblings in the order of time, or of their "
	    "path in the program",
	    order },
	{ "scale", "[NAME]", "shows time as viridis, cividis or spectrum",
	    scale },
	{ "rings", "", "shows every ring of the tree, or some", rings },
	{ "values", "",
	    "shows or hides whose values the selected task had, "
	    "and who had its own",
	    values },
	{ "tree", "[N]",
	    "shows one tree of the log: the N-th, next, previous, here (of "
	    "the task pointed at or selected), or all",
	    tree },
	{ "only", "[WHAT]",
	    "dims all tasks but those of a PE, procedure or state of the "
	    "legend, or none",
	    only },
	{ "tree-of", "[WHAT [ROW]]",
	    "shows tasks, threads (who started whom) or calls (in what "
	    "procedures; of a row, or: selected)",
	    tree_of },
	{ "weigh", "[BY]",
	    "sectors of threads and calls: even, by calls or by time", weigh },
	{ "reroot", "", "makes the task the root of the tree", reroot },
	{ "up", "", "goes back from a subtree to what was shown before", up },
	{ "parent", "", "goes one level up from a subtree", parent },
	{ "centre", "[X Y]", "puts the tree's centre there", centre },
	{ "reset-tree", "", "shows the tree as at first", reset_tree },
	{ 0 },
};
