/* Places in time and tree that were left, to go back to and forward again. */
#include <string.h>

#include "ui/desk/desk.h"

static struct place
here(const struct ui *ui)
{
	return ((struct place){ ui->time.t0_mon_ns, ui->time.t1_mon_ns,
	    ui->tree.zoom, ui->tree.centre_x, ui->tree.centre_y, ui->tree.root,
	    ui->tree.subtree, ui->play.follow, ui->trees.of });
}

void
history_add(struct ui *ui, unsigned kind)
{
	if (kind != 0 && kind == ui->history.kind)
		return;
	ui->history.kind = kind;
	ui->history.n = ui->history.now;
	if (ui->history.n == PLACES_MAX) {
		memmove(ui->history.place, ui->history.place + 1,
		    (PLACES_MAX - 1) * sizeof(ui->history.place[0]));
		ui->history.n--;
	}
	ui->history.place[ui->history.n++] = here(ui);
	ui->history.now = ui->history.n;
}

bool
history_step(struct ui *ui, int step)
{
	struct place p;

	if (step < 0 && ui->history.now == 0)
		return (false);
	if (step > 0 && ui->history.now + 1 >= ui->history.n)
		return (false);
	if (step < 0 &&
	    ui->history.now == ui->history.n) { /* to come back to */
		if (ui->history.n == PLACES_MAX)
			ui->history.n--;
		ui->history.place[ui->history.n++] = here(ui);
		ui->history.now = ui->history.n - 1;
		if (ui->history.now == 0)
			return (false);
	}
	ui->history.now += step < 0 ? -1u : 1u;
	p = ui->history.place[ui->history.now];
	ui->play.follow = false;
	time_range(ui, p.t0_mon_ns, p.t1_mon_ns);
	ui->play.follow = p.follow && !ui->play.paused;
	tree_show(ui, p.tree_of);
	ui->tree.zoom = p.zoom;
	ui->tree.centre_x = p.centre_x;
	ui->tree.centre_y = p.centre_y;
	ui->tree.root = p.root;
	ui->tree.subtree = p.subtree;
	ui->history.kind = 0;
	return (true);
}
