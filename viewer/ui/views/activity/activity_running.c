/*
 * What Activity adds up only where it is seen or described: how many threads
 * run at once, and the time in which each PO and node has one that does.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "model/detail.h"
#include "ui/desk/desk.h"
#include "ui/views/asked.h"
#include "ui/views/flows.h"
#include "ui/views/view.h"

#define DESCRIBED 64 /* POs in words */

static void *
make(void)
{
	return (calloc(1, sizeof(struct running)));
}

static void
end(void *k)
{
	if (k != NULL)
		running_clear(k);
	free(k);
}

static void
begin(void *k, const struct ui *ui, const struct asked_of *of)
{
	(void)ui;
	running_begin(k, of->model, of->t0, of->t1);
}

static bool
step(void *k)
{
	return (running_step(k));
}

static const struct asked_how how = { make, end, begin, step, 2, 20 };

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

static const struct running *
shown(const struct ui *ui, enum asked_what what)
{
	static const struct running none;
	const struct running *r = asked_shown(ui, what);

	return (r == NULL ? &none : r);
}

const struct running *
activity_running(const struct ui *ui)
{
	return (shown(ui, ASKED_RUNNING));
}

const struct running *
activity_recent(const struct ui *ui)
{
	return (shown(ui, ASKED_RECENT));
}

bool
activity_add(struct ui *ui, enum asked_what what, const struct asked_of *want)
{
	return (asked_step(ui, what, &how, want));
}

bool
activity_view_prepare(struct ui *ui)
{
	struct asked_of want = wanted(ui);

	if (!activity_prepare(ui))
		return (false);
	count_prepare(ui);
	if (ui->chosen.talk.activity == ACTIVITY_ALL ||
	    ui->chosen.talk.activity == ACTIVITY_RADAR ||
	    ui->chosen.talk.activity == ACTIVITY_METERS)
		radar_prepare(ui);
	if (ui->chosen.talk.activity == ACTIVITY_SPEED)
		speed_prepare(ui);
	if (ui->chosen.talk.activity == ACTIVITY_PORTRAIT && !flow_prepare(ui))
		return (false);
	activity_add(ui, ASKED_RUNNING, &want);
	return (!draw_stopped(ui));
}

bool
activity_ran(struct ui *ui, uint32_t lane, int64_t t0, int64_t t1, int64_t *ns)
{
	const struct running *r = activity_running(ui);
	const struct lane *l;

	if (!running_known(r) || r->model != ui->model || r->t0 != t0 ||
	    r->t1 != t1 || lane >= r->lanes)
		return (false);
	l = model_lane(ui->model, lane);
	if (l->kind == LANE_NODE && l->node <= r->nodes)
		*ns = r->of_node[l->node];
	else if (l->kind == LANE_PO && r->place[lane] != UINT32_MAX)
		*ns = r->of_po[r->place[lane]];
	else
		return (false);
	return (true);
}

static void
describe_ran(const struct running *r, uint32_t lane, int64_t ns,
    const char *name, FILE *f)
{
	fprintf(f,
	    "  %s: at least one thread ran %" PRId64 " ns of a life of %" PRId64
	    " ns\n",
	    name, ns, running_life(r->model, lane, r->t0, r->t1));
}

static void
describe_pos(struct ui *ui, const struct running *r, FILE *f)
{
	uint32_t told = 0, all = 0, po;
	char name[160], of[120];

	for (uint32_t i = 0; i < r->lanes; i++) {
		const struct lane *l = model_lane(r->model, i);

		po = r->place[i];
		if (l->kind != LANE_PO || po == UINT32_MAX || ++all > DESCRIBED)
			continue;
		told++;
		snprintf(name, sizeof(name), "%s  %s",
		    label_node(r->model, l->node),
		    label_lane(ui->model, l, of, sizeof(of)));
		describe_ran(r, i, r->of_po[po], name, f);
	}
	if (told < all)
		fprintf(f, "  and %" PRIu32 " more\n", all - told);
}

static void
describe_running(struct ui *ui, FILE *f)
{
	const struct running *r = activity_running(ui);
	struct asked_of want = wanted(ui);

	if (!asked_current(ui, ASKED_RUNNING, &want)) {
		fprintf(f, "running: adding up\n");
		return;
	}
	if (!running_known(r)) {
		fprintf(f, "running: not known, single states are gone\n");
		return;
	}
	fprintf(f, "running: of %" PRId64 " ns\n", r->t1 - r->t0);
	for (uint32_t i = 0; i < r->lanes; i++) {
		const struct lane *l = model_lane(r->model, i);

		if (l->kind == LANE_NODE && l->node != 0 && l->node <= r->nodes)
			describe_ran(r, i, r->of_node[l->node],
			    label_node(r->model, l->node), f);
	}
	describe_pos(ui, r, f);
	fprintf(f, "concurrency:\n");
	for (uint32_t k = 0; k <= r->threads; k++)
		if (r->by_k[k] > 0)
			fprintf(f,
			    "  exactly %" PRIu32 " threads ran: %" PRId64
			    " ns\n",
			    k, r->by_k[k]);
}

void
activity_describe(struct ui *ui, FILE *f)
{
	struct share s;

	for (uint32_t i = 1; i <= model_nodes(ui->model); i++) {
		if (!model_node_told(ui->model, i))
			continue;
		activity_of(ui, i, &s);
		fprintf(f, "activity of %s: %s%" PRIu64 " spans",
		    label_node(ui->model, i), share_about(&s), s.spans);
		for (unsigned k = LANE_running; k < LANE_OBJECT_NODE; k++)
			if (s.by_class[k] != 0)
				fprintf(f, ", %s %" PRId64 " ns",
				    label_class(k), s.by_class[k]);
		if (s.by_class[LANE_running] > 0)
			fprintf(f, "; talk per running %.3f",
			    (double)share_talk_ns(&s) /
				(double)s.by_class[LANE_running]);
		fprintf(f, "\n");
	}
	count_describe(ui, f);
	describe_running(ui, f);
	speed_describe(ui, f);
	meters_describe(ui, f);
	portrait_describe(ui, f);
}
