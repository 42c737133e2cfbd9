/* Commands about the program's sources: where something is, and its editor. */
#include <stdlib.h>
#include <string.h>

#include "ui/commands/command.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/panes/panes.h"
#include "ui/views/source/source.h"

static int
source(struct ui *ui, const char *arg)
{
	if (source_ask(ui, arg) == -1)
		return (-1);
	if (view_place(ui, VIEW_SOURCE) == PANE_DOCK)
		ui->places.tab = VIEW_SOURCE;
	return (0);
}

static int
called_from(struct ui *ui, const char *arg)
{
	uint64_t n = 0;

	if (arg[0] != '\0' && (parse_number(arg, &n) == -1 || n == 0))
		return (desk_fail(ui, "called-from wants a number, from 1 on"));
	return (source_go_to_caller(ui, (size_t)n));
}

static int
declared(struct ui *ui, const char *arg)
{
	(void)arg;
	return (source_go_to_declaration(ui));
}

/* Without anything: which they are. */
static int
source_path(struct ui *ui, const char *arg)
{
	struct host *host = &ui->desks->host;
	char *own;

	if (arg[0] == '\0') {
		snprintf(ui->told.message, sizeof(ui->told.message),
		    "sources are looked for where they were built%s%.180s",
		    host->source_path != NULL ? ", then in " : "",
		    host->source_path != NULL ? host->source_path : "");
		return (0);
	}
	own = strcmp(arg, "none") == 0 ? NULL : strdup(arg);
	if (own == NULL && strcmp(arg, "none") != 0)
		return (desk_fail(ui, "out of memory"));
	free(host->source_path);
	host->source_path = own;
	for (int i = 0; i < 2; i++)
		if (ui->desks->desk[i] != NULL)
			source_again(ui->desks->desk[i]);
	return (0);
}

static int
editor(struct ui *ui, const char *arg)
{
	struct host *host = &ui->desks->host;
	char *own = strdup(arg);

	if (own == NULL)
		return (desk_fail(ui, "out of memory"));
	if (arg[0] == '\0') {
		free(own);
		return (-1);
	}
	free(host->editor);
	host->editor = own;
	return (0);
}

static int
edit(struct ui *ui, const char *arg)
{
	struct host *host = &ui->desks->host;
	char why[200] = "there is nobody here to open one";
	const char *path;
	uint32_t line;

	if (arg[0] != '\0' && source_ask(ui, arg) == -1)
		return (-1);
	if (source_where(ui, &path, &line) == -1)
		return (-1);
	if (host->edit_cb == NULL ||
	    host->edit_cb(host->editor, path, line, why, sizeof(why)) == -1)
		return (desk_fail(ui, "no editor: %s", why));
	snprintf(ui->told.message, sizeof(ui->told.message),
	    "opened in an editor: %.200s", path);
	return (0);
}

const struct command command_source[] = {
	{ "source", "[NAME|FILE:LINE]",
	    "shows where it is in the program's sources; without anything: "
	    "what is selected",
	    source },
	{ "called-from", "[N]",
	    "shows the place, or the N-th, from where that function is called; "
	    "once more: the next",
	    called_from },
	{ "declared", "", "shows where that function is declared", declared },
	{ "source-path", "[DIR:DIR...]",
	    "folders in which sources are looked for when they are not where "
	    "they were built; none: no others; without anything: which",
	    source_path },
	{ "edit", "[NAME|FILE:LINE]",
	    "opens that place, or the one that is shown, in an editor", edit },
	{ "editor", "COMMAND",
	    "which one: a program and its words, %f stands for the file and %l "
	    "for the line; else $VISUAL or $EDITOR in a terminal",
	    editor },
	{ 0 },
};
