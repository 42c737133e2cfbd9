/*
 * Everything that can be done, by name.  Keys, buttons, the omnibox and
 * scripts all come through these tables, so all of them can do all of it.
 */
#include "command.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/desk/macro.h"
#include "ui/desk/parse.h"
#include "ui/out/out.h"
#include "ui/out/outfile.h"
#include "ui/panes/arrange.h"
#include "ui/panes/panes.h"
#include "ui/views/asked/callers.h"
#include "ui/views/asked/lockview.h"
#include "ui/views/asked/processors.h"
#include "ui/views/asked/top.h"
#include "ui/views/path/pathview.h"
#include "ui/views/view.h"

static bool
is_list(const char *path)
{
	size_t n = strlen(path);

	return (n > 4 && strcmp(path + n - 4, ".tsv") == 0);
}

static int
export_list(struct ui *ui, const char *path, const char *view)
{
	enum view_id v = strcmp(view, "all") == 0
			     ? VIEW_SPANS
			     : view_named(view, strlen(view));

	if (v == VIEWS || !views[v].there(ui))
		return (desk_fail(ui, "there is no view %s", view));
	return (
	    v == VIEW_SPANS ? list_write(ui, path) : table_write(ui, v, path));
}

static int
export_(struct ui *ui, const char *arg)
{
	char file[200], view[24] = "all";
	const char *path = ui->desks->host.export_to;

	if (sscanf(arg, "%199s %23s", file, view) >= 1)
		path = file;
	if (is_list(path))
		return (export_list(ui, path, view));
	if (ui->desks->host.export_cb == NULL ||
	    ui->desks->host.export_cb(ui->desks->host.export_arg, path, view) ==
		-1)
		return (desk_fail(ui, "cannot write %.120s: %s", path,
		    outfile_trouble(errno)));
	snprintf(ui->told.message, sizeof(ui->told.message),
	    "written to %.200s", path);
	return (0);
}

static int
export_stop(struct ui *ui, const char *arg)
{
	(void)arg;
	return (list_stop(ui));
}

static int
help(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->desks->help.open = !ui->desks->help.open;
	return (0);
}

static int
quit(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->desks->host.quit = true;
	return (0);
}

static int
reconnect(struct ui *ui, const char *arg)
{
	(void)arg;
	if (!ui->feed.live)
		return (desk_fail(ui, "this run is a file"));
	if (ui->feed.connected)
		return (desk_fail(ui, "monitord is there"));
	ui->desks->host.reconnect = true;
	return (0);
}

static const struct command command_window[] = {
	{ "export", "[FILE [VIEW]]",
	    "writes the window, or a view by its name, as PNG or .svg, or the "
	    "table of a view, without a name the list Spans, as .tsv",
	    export_ },
	{ "export-stop", "", "stops a list that is being written",
	    export_stop },
	{ "reconnect", "", "asks for monitord now, not when its time has come",
	    reconnect },
	{ "probe", "[RULE ...]",
	    "what is recorded from now on, by rules as monitorctl probe has "
	    "them; without any, what is recorded now",
	    command_probe },
	{ "help", "", "shows or hides keys and mouse", help },
	{ "quit", "", "quits", quit },
	{ 0 },
};

/* In the order of the manual page. */
static const struct command *const tables[] = { command_move, command_play,
	command_marker, command_note, command_rows, command_group, command_link,
	command_causes, command_show, command_talk, command_machine,
	command_card, command_pane, command_tree, command_compare, command_find,
	command_asked, command_source, command_classes, command_copy,
	command_plugin, command_macro, command_window };

#define NTABLES (sizeof(tables) / sizeof(tables[0]))

bool
command_each(unsigned i, const char **name, const char **arguments,
    const char **what)
{
	for (size_t k = 0; k < NTABLES; k++) {
		for (const struct command *c = tables[k]; c->name != NULL;
		     c++) {
			if (i-- > 0)
				continue;
			*name = c->name;
			*arguments = c->arguments;
			*what = c->what;
			return (true);
		}
	}
	return (false);
}

const char *
command_view(const struct ui *ui, unsigned i)
{
	(void)ui;
	return (i < VIEWS && views[i].name[0] != '\0' ? views[i].name : NULL);
}

command_word *
command_words(const char *name, size_t n)
{
	static const struct {
		const char *name;
		command_word *word;
	} known[] = { { "activity", command_activity_word },
		{ "callers", callers_word }, { "arrange", arrange_name },
		{ "communication", command_talk_word },
		{ "legend", command_view }, { "locks", locks_by_name },
		{ "only-state", count_state }, { "states", states_by_name },
		{ "stays", stays_state }, { "put", command_view },
		{ "tab", command_view }, { "path", path_word },
		{ "top", topten_by_word } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].name) == n &&
		    strncmp(known[i].name, name, n) == 0)
			return (known[i].word);
	return (NULL);
}

int
command_fail_words(struct ui *ui, const char *what, command_word *word)
{
	char all[sizeof(ui->told.message)];
	const char *w, *sep = " ";
	size_t at;

	snprintf(all, sizeof(all), "%s", what);
	for (unsigned i = 0; (w = word(ui, i)) != NULL; i++) {
		at = strlen(all);
		snprintf(all + at, sizeof(all) - at, "%s%s", sep, w);
		sep = ", ";
	}
	return (desk_fail(ui, "%s", all));
}

/* The whole name, or a beginning that only one has. */
static const struct command *
find(const char *name, size_t n)
{
	const struct command *found = NULL;
	bool several = false;

	for (size_t k = 0; k < NTABLES; k++) {
		for (const struct command *c = tables[k]; c->name != NULL;
		     c++) {
			if (strncmp(c->name, name, n) != 0)
				continue;
			if (c->name[n] == '\0')
				return (c);
			several = found != NULL;
			found = c;
		}
	}
	return (several ? NULL : found);
}

bool
command_is(const struct ui *ui, const char *name, size_t n, bool begun)
{
	const struct command *c = n > 0 ? find(name, n) : NULL;

	return ((c != NULL && (begun || c->name[n] == '\0')) ||
		macro_find(ui, name, n) != NULL);
}

/* What every command refuses; what it wants instead, if it says nothing. */
static int
run(struct ui *ui, const struct command *cmd, const char *arg)
{
	char *message = ui->told.message, was = message[0];
	int rc;

	if (!parse_text_ok(arg))
		return (desk_fail(ui, "%s: what follows is no UTF-8 text",
		    cmd->name));
	if (cmd->arguments[0] == '\0' && arg[0] != '\0')
		return (desk_fail(ui, "%s takes nothing more", cmd->name));
	picture_changed(ui->picture);
	ui->told.did = cmd->name;
	message[0] = '\0';
	rc = cmd->run(ui, arg);
	if (rc == -1 && message[0] == '\0')
		return (
		    desk_fail(ui, "%s wants %s", cmd->name, cmd->arguments));
	if (message[0] == '\0')
		message[0] = was;
	return (rc);
}

static const char *
past_blanks(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return (s);
}

int
command_run_ours(struct ui *ui, const char *line)
{
	const struct command *cmd;
	size_t n;

	line = past_blanks(line);
	n = strcspn(line, " \t");
	cmd = n > 0 ? find(line, n) : NULL;
	if (cmd == NULL)
		return (desk_fail(ui,
		    parse_text_ok(line) ? "no such command: %.*s"
					: "no such command%.*s",
		    parse_text_ok(line) ? (int)(n < 40 ? n : 40) : 0, line));
	return (run(ui, cmd, past_blanks(line + n)));
}

int
command_run(struct ui *ui, const char *line)
{
	const struct macro *own;
	size_t n;

	line = past_blanks(line);
	n = strcspn(line, " \t");
	own = macro_find(ui, line, n);
	return (own != NULL ? command_macro_run(ui, own, past_blanks(line + n))
			    : command_run_ours(ui, line));
}
