/* Asking for causes and effects. */
#include <string.h>

#include "ui/commands/moving/moving.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"

/* "[WHICH [ROW TIME]]"; without a name: on, or off again. */
static int
causes(struct ui *ui, const char *arg)
{
	struct causality *c = &ui->causality;
	char which[16] = "", time[40] = "", row[16] = "";
	const char *what;
	uint32_t lane = ui->time.selected_lane;
	enum causality_show show =
	    c->show == CAUSALITY_OFF ? CAUSALITY_BOTH : CAUSALITY_OFF;
	int64_t t;
	uint64_t v;
	int n = sscanf(arg, "%15s %15s %39s", which, row, time);

	for (int i = 0; n > 0 && i < CAUSALITY_SHOWN; i++)
		if (strcmp(which, causality_name[i]) == 0) {
			show = (enum causality_show)i;
			n = -n;
		}
	if (n > 0 || n == -2)
		return (desk_fail(ui,
		    "causes wants both, before, after or off, and perhaps a "
		    "row and a time"));
	if (show == CAUSALITY_OFF) {
		c->show = CAUSALITY_OFF;
		return (0);
	}
	t = ui->chosen.cursor_mon_ns != INT64_MIN ? ui->chosen.cursor_mon_ns
						  : run_instant(ui, &what);
	if (n == -3) {
		if (parse_number(row, &v) == -1 ||
		    v >= model_lanes(ui->model) || parse_time(time, &t) == -1)
			return (desk_fail(ui, "there is no row %s at %s", row,
			    time));
		lane = (uint32_t)v;
		t += run_origin(ui);
	}
	if (causality_thread(ui, lane) == UINT32_MAX)
		return (desk_fail(ui, "select a thread to ask for causes"));
	if (causality_ask(ui, causality_thread(ui, lane), t) == -1)
		return (-1);
	c->row = lane;
	c->show = show;
	return (0);
}

const struct command command_causes[] = {
	{ "causes", "[WHICH [ROW TIME]]",
	    "shows what may have caused what is selected at the cursor, and what "
	    "it may have affected: both, before, after, or off",
	    causes },
	{ 0 },
};
