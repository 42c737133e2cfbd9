/* Plug-ins: views and metrics of the user's own. */
#include <string.h>

#include "ui/commands/command.h"
#include "ui/desk/desk.h"
#include "ui/panes/arrange.h"
#include "ui/panes/panes.h"
#include "ui/views/view.h"

/* "FILE", "NAME=FILE", with words behind it; or "NAME" */
static int
plugin(struct ui *ui, const char *arg)
{
	struct host *h = &ui->desks->host;
	struct plugged_spec spec;
	char why[512];
	enum view_id v;

	if (arg[0] == '\0' || h->plugin_add_cb == NULL)
		return (desk_fail(ui, "plugin wants the FILE of a plug-in"));
	if (h->plugin_add_cb(h->export_arg, arg, why, sizeof(why)) == -1)
		return (desk_fail(ui, "%s", why));
	v = view_named(arg, strlen(arg));
	if (v == VIEWS && plugged_spec_read(arg, &spec))
		v = view_named(spec.name, strlen(spec.name));
	if (v != VIEWS && view_is_tab(ui, v))
		ui->places.tab = v;
	ui_redo(ui);
	return (0);
}

/* Another view stands where it stood. */
static void
leave(struct ui *ui, enum view_id v)
{
	if (ui->places.maximised && view_focused(ui) == v)
		places_maximise(ui);
	if (view_place(ui, v) != PANE_DOCK)
		view_stand(ui, v, PANE_DOCK);
	if (ui->places.tab == v)
		ui->places.tab = view_is_tab(ui, VIEW_FUNCTIONS)
				     ? VIEW_FUNCTIONS
				     : view_next_tab(ui);
	ui->lists.scroll[v] = 0;
}

/* "NAME", or of the one that has the focus. */
static int
close_(struct ui *ui, const char *arg)
{
	struct host *h = &ui->desks->host;
	enum view_id v =
	    arg[0] != '\0' ? view_named(arg, strlen(arg)) : view_focused(ui);

	if (v < VIEW_PLUGIN_1 || v == VIEWS || !views[v].there(ui) ||
	    h->plugin_close_cb == NULL)
		return (desk_fail(ui,
		    "plugin-close wants the name of a plug-in's view"));
	for (int i = 0; i < 2; i++)
		if (ui->desks->desk[i] != NULL)
			leave(ui->desks->desk[i], v);
	h->plugin_close_cb(h->export_arg, (unsigned)v - VIEW_PLUGIN_1);
	ui_redo(ui);
	return (0);
}

/* "NAME WORD" */
static int
say(struct ui *ui, const char *arg)
{
	size_t n = strcspn(arg, " ");
	enum view_id v = view_named(arg, n);
	struct host *h = &ui->desks->host;

	if (v == VIEWS || v < VIEW_PLUGIN_1 || arg[n] == '\0' ||
	    strlen(arg + n + 1) >= PLUG_SAID)
		return (desk_fail(ui,
		    "say wants the name of a plug-in, and up to 63 bytes"));
	if (h->plugin_tell_cb == NULL ||
	    h->plugin_tell_cb(h->export_arg, (unsigned)v - VIEW_PLUGIN_1,
		arg + n + 1) == -1)
		return (desk_fail(ui,
		    "%.*s has not been shown, is over, has not yet heard 16 "
		    "words before, or this is no text",
		    (int)n, arg));
	return (0);
}

const struct command command_plugin[] = {
	{ "plugin", "[NAME=]FILE[,WORD ...]|NAME",
	    "loads a plug-in, whose view is a tab then, called like the file "
	    "or so, and says the words to it; by the name of one it is started "
	    "again",
	    plugin },
	{ "plugin-close", "[NAME]",
	    "ends that plug-in, or the one that has the focus, and its view is "
	    "gone",
	    close_ },
	{ "say", "NAME WORD", "says a word to a plug-in, as its buttons do",
	    say },
	{ 0 },
};
