/* Asks for flows (asked.h), and for links that are open. */
#include "flows.h"

#include <stdlib.h>

#include "model/detail.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/asked.h"

#define STEPS 6 /* pieces of time in a frame */

/* Those that are open count in every range. */
struct flow_asked {
	struct flow flow;
	struct open_links *open;
};

struct open_links *
flow_open(struct ui *ui)
{
	static struct open_links none;

	if (ui->figures.open == NULL)
		ui->figures.open = calloc(1, sizeof(*ui->figures.open));
	return (ui->figures.open == NULL ? &none : ui->figures.open);
}

void
flow_forget_open(struct ui *ui)
{
	if (ui->figures.open != NULL)
		open_links_clear(ui->figures.open);
	free(ui->figures.open);
	ui->figures.open = NULL;
}

static void *
make(void)
{
	return (calloc(1, sizeof(struct flow_asked)));
}

static void
end(void *k)
{
	struct flow_asked *a = k;

	if (a != NULL)
		flow_clear(&a->flow);
	free(a);
}

static void
begin(void *k, const struct ui *ui, const struct asked_of *of)
{
	struct flow_asked *a = k;

	flow_begin(&a->flow, ui, of->t0, of->t1);
	a->open = ui->figures.open;
}

static bool
step(void *k)
{
	struct flow_asked *a = k;

	return (a->open == NULL || flow_step(&a->flow, a->open));
}

static const struct asked_how how = { make, end, begin, step, STEPS, 20 };

static struct asked_of
wanted(const struct ui *ui)
{
	struct asked_of of = { .model = ui->model,
		.events = model_events(ui->model),
		.rewritten = model_details(ui->model) };

	if (!figures_range(ui, &of.t0, &of.t1))
		of.t1 = of.t0;
	return (of);
}

/* All of the run has been looked at for those that are open. */
bool
flow_find_open(struct ui *ui)
{
	for (int i = 0; ui->picture->stop_cb == NULL || i < STEPS; i++) {
		if (open_links_step(flow_open(ui), ui->model))
			return (true);
		if (draw_stopped(ui) || draw_late(ui))
			break;
	}
	ui->picture->undone = true;
	return (false);
}

bool
flow_prepare(struct ui *ui)
{
	struct asked_of want = wanted(ui);

	if (flow_find_open(ui))
		asked_step(ui, ASKED_FLOW, &how, &want);
	return (!draw_stopped(ui));
}

const struct flow *
flow_shown(const struct ui *ui)
{
	static const struct flow none;
	const struct flow_asked *a = asked_shown(ui, ASKED_FLOW);

	return (a == NULL ? &none : &a->flow);
}

bool
flow_busy(const struct ui *ui)
{
	return (ui->figures.asked[ASKED_FLOW].busy);
}

bool
flow_current(const struct ui *ui)
{
	struct asked_of want = wanted(ui);

	return (asked_current(ui, ASKED_FLOW, &want));
}
