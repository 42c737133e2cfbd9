/* Commands about structs and classes: which is chosen, how they are shown. */
#include <string.h>

#include "ui/commands/command.h"
#include "ui/desk/desk.h"
#include "ui/panes/panes.h"
#include "ui/views/classes/classes.h"
#include "ui/views/source/source.h"

static void
in_sight(struct ui *ui, enum view_id v)
{
	if (view_place(ui, v) == PANE_DOCK)
		ui->places.tab = v;
}

static int
classes(struct ui *ui, const char *arg)
{
	if (classes_select(ui, arg) == -1)
		return (-1);
	in_sight(ui, VIEW_CLASSES);
	return (0);
}

static int
step(struct ui *ui, int by)
{
	struct classes *c = ui->model == NULL ? NULL : classes_get(ui);
	uint32_t to = c == NULL ? CLASS_NONE : class_step(c, c->selected, by);

	in_sight(ui, VIEW_CLASSES);
	if (to != CLASS_NONE)
		c->selected = to;
	else
		snprintf(ui->told.message, sizeof(ui->told.message),
		    "no class is known");
	return (0);
}

static int
class_next(struct ui *ui, const char *arg)
{
	(void)arg;
	return (step(ui, 1));
}

static int
class_previous(struct ui *ui, const char *arg)
{
	(void)arg;
	return (step(ui, -1));
}

static int
class_source(struct ui *ui, const char *arg)
{
	char place[SOURCE_NAME_BYTES + 16];
	const char *at = classes_place(ui, arg, place, sizeof(place));

	if (at == NULL || source_ask(ui, at) == -1)
		return (-1);
	in_sight(ui, VIEW_SOURCE);
	return (0);
}

/* One of two words; -1: it is neither. */
static int
either(struct ui *ui, const char *arg, const char *no, const char *yes,
    bool *to)
{
	if (strcmp(arg, no) != 0 && strcmp(arg, yes) != 0)
		return (desk_fail(ui, "%s or %s", no, yes));
	*to = strcmp(arg, yes) == 0;
	return (0);
}

static int
classes_as(struct ui *ui, const char *arg)
{
	struct classes *c = classes_get(ui);

	return (c == NULL ? desk_fail(ui, "out of memory")
			  : either(ui, arg, "graph", "list", &c->list));
}

static int
classes_of(struct ui *ui, const char *arg)
{
	struct classes *c = classes_get(ui);

	return (c == NULL ? desk_fail(ui, "out of memory")
			  : either(ui, arg, "own", "all", &c->libraries));
}

const struct command command_classes[] = {
	{ "classes", "[NAME]",
	    "shows structs and classes, and of that one what lies in it; "
	    "without a name: none is chosen",
	    classes },
	{ "class-next", "", "chooses the next class", class_next },
	{ "class-previous", "", "chooses the class before", class_previous },
	{ "class-source", "[#N|@N]",
	    "shows where the chosen class, class N or function N of them is "
	    "declared",
	    class_source },
	{ "classes-as", "graph|list", "how classes are shown", classes_as },
	{ "classes-of", "own|all",
	    "of the programs' own sources, or also of what they include",
	    classes_of },
	{ 0 },
};
