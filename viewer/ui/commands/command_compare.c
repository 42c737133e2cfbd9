/* Another run beside this one, or in its place. */
#include <string.h>

#include "command.h"
#include "menu.h"

static int
compare(struct ui *ui, const char *arg)
{
	char why[256] = "";

	if (arg[0] == '\0' && !two_runs(ui))
		return (desk_fail(ui, "compare wants the file of a run"));
	if (arg[0] == '\0' || strcmp(arg, "off") == 0) {
		if (ui->desks->host.compare_cb != NULL)
			ui->desks->host.compare_cb(ui->desks->host.export_arg,
			    NULL, why, sizeof(why));
		return (0);
	}
	if (ui->desks->host.compare_cb == NULL ||
	    ui->desks->host.compare_cb(ui->desks->host.export_arg, arg, why,
		sizeof(why)) == -1)
		return (desk_fail(ui, "%s",
		    why[0] != '\0' ? why : "another run cannot be opened"));
	return (0);
}

int
command_open_log(struct ui *ui, const char *file)
{
	const struct host *host = &ui->desks->host;
	char why[256] = "";

	if (host->open_cb == NULL ||
	    host->open_cb(host->export_arg, file, why, sizeof(why)) == -1)
		return (desk_fail(ui, "%s",
		    why[0] != '\0' ? why : "another log cannot be opened"));
	return (0);
}

static int
logs(struct ui *ui, const char *arg)
{
	(void)arg;
	if (!menu_logs(ui))
		return (desk_fail(ui, "no log is in the folder of this one"));
	return (0);
}

const struct command command_compare[] = {
	{ "logs", "",
	    "lists the logs in the folder of this one, to open another", logs },
	{ "compare", "[FILE]",
	    "shows another run beside this one; without a file, or with off, "
	    "it alone",
	    compare },
	{ 0 },
};
