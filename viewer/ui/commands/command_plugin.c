/* Plug-ins: views and metrics of the user's own. */
#include <string.h>

#include "ui/commands/command.h"
#include "ui/desk/desk.h"
#include "ui/panes/panes.h"
#include "ui/views/view.h"

/* "FILE" or "NAME" */
static int
plugin(struct ui *ui, const char *arg)
{
	struct host *h = &ui->desks->host;
	char why[512], name[PLUGGED_NAME];
	enum view_id v;

	if (arg[0] == '\0' || h->plugin_add_cb == NULL)
		return (desk_fail(ui, "plugin wants the FILE of a plug-in"));
	if (h->plugin_add_cb(h->export_arg, arg, why, sizeof(why)) == -1)
		return (desk_fail(ui, "%s", why));
	plugged_name_of(arg, name);
	v = view_named(name, strlen(name));
	if (v != VIEWS && view_is_tab(ui, v))
		ui->places.tab = v;
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
	{ "plugin", "FILE|NAME",
	    "loads a plug-in, whose view is a tab then; by the name of one it "
	    "is started again",
	    plugin },
	{ "say", "NAME WORD", "says a word to a plug-in, as its buttons do",
	    say },
	{ 0 },
};
