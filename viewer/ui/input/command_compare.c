/* Another run beside this one. */
#include <string.h>

#include "ui/input/command.h"

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

const struct command command_compare[] = {
	{ "compare", "[FILE]",
	    "shows another run beside this one; without a file, or with off, "
	    "it alone",
	    compare },
	{ 0 },
};
