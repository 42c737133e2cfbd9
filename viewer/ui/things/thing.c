/*
 * Things that are drawn: found from what is selected, and again in the model
 * and in the views.
 */
#include "thing_inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/desk/parse.h"

#define SPANS_LOOK 64
#define MARKS_LOOK 64

/* finding */

uint32_t
thing_shown_lane(const struct ui *ui, uint32_t lane)
{
	uint32_t row = lane < ui->timepane.rows.nlanes
			   ? ui->timepane.rows.lane_row[lane]
			   : UINT32_MAX;

	if (row < ui->timepane.rows.nrows &&
	    ui->timepane.rows.rows[row].lane == lane)
		return (ui->timepane.rows.rows[row].shows);
	return (lane);
}

static void
selected_in_lanes(const struct ui *ui, struct thing *k)
{
	const struct timeline_hit *h = &ui->chosen.clicked;

	k->lane = ui->time.selected_lane;
	if (k->lane == ui->chosen.mark_lane &&
	    k->lane < model_lanes(ui->model)) {
		k->kind = THING_MARK;
		k->mark = ui->chosen.mark;
	} else if (h->of == OF_LINK && h->lane == k->lane) {
		k->kind = THING_LINK;
		k->link = h->link;
	} else if (h->of == OF_SPAN && h->lane == k->lane) {
		k->kind = THING_SPAN;
		k->span = h->span;
		k->of = thing_shown_lane(ui, k->lane);
	} else {
		k->kind = THING_ROW;
	}
}

void
thing_selected(const struct ui *ui, struct thing *k)
{
	memset(k, 0, sizeof(*k));
	k->lane = UINT32_MAX;
	if (ui->trees.of == TREE_CALLS && tree_selected(ui) != TASK_NONE) {
		k->kind = THING_PATH;
		k->id = ui->trees.selected_path;
	} else if (ui->time.selected_task != 0 &&
		   model_task_by_id(ui->model, ui->time.selected_task) !=
		       TASK_NONE) {
		k->kind = THING_TASK;
		k->id = ui->time.selected_task;
	} else if (model_lane_there(ui->model, ui->time.selected_lane) ||
		   (ui->chosen.clicked.of == OF_LINK &&
		       ui->chosen.clicked.lane == ui->time.selected_lane)) {
		selected_in_lanes(ui, k);
	}
	thing_refresh(ui, k);
}

static bool
same_span(const struct span *a, const struct span *b)
{
	return (a->t0_mon_ns == b->t0_mon_ns && a->depth == b->depth &&
		a->kind == b->kind && a->id == b->id);
}

bool
thing_same_link(const struct link *a, const struct link *b)
{
	return (a->id == b->id && a->t0_mon_ns == b->t0_mon_ns &&
		a->lane0 == b->lane0 && a->kind0 == b->kind0);
}

bool
thing_same(const struct thing *a, const struct thing *b)
{
	if (a->kind != b->kind)
		return (false);
	switch (a->kind) {
	case THING_RUN:
		return (true);
	case THING_TASK:
	case THING_PATH:
		return (a->id == b->id);
	case THING_ROW:
		return (a->lane == b->lane);
	case THING_SPAN:
		return (a->of == b->of && same_span(&a->span, &b->span));
	case THING_LINK:
		return (thing_same_link(&a->link, &b->link));
	case THING_MARK:
		return (a->mark.lane == b->mark.lane &&
			a->mark.kind == b->mark.kind &&
			a->mark.t_mon_ns == b->mark.t_mon_ns);
	}
	return (false);
}

bool
thing_find_span(const struct model *m, uint32_t lane, int64_t t,
    const struct span *like, struct span *out)
{
	struct span v[SPANS_LOOK];
	size_t n;
	bool found = false;

	if (lane >= model_lanes(m))
		return (false);
	if (like == NULL && model_lane_span_at(m, lane, t, out) == 1)
		return (true);
	n = model_lane_spans(m, lane, t, t + 1, v, SPANS_LOOK);
	for (size_t i = 0; n <= SPANS_LOOK && i < n; i++)
		if (v[i].t0_mon_ns <= t &&
		    (like == NULL || same_span(&v[i], like))) {
			*out = v[i];
			found = true;
		}
	return (found);
}

bool
thing_find_link(const struct model *m, uint32_t lane, int64_t t,
    const struct link *like, struct link *out)
{
	struct link *v = malloc(LINKS_LOOK * sizeof(*v));
	size_t n = v != NULL ? model_links(m, t, t + 1, v, LINKS_LOOK) : 0;
	bool found = false;

	for (size_t i = 0; !found && i < n && i < LINKS_LOOK; i++)
		if (like != NULL ? thing_same_link(&v[i], like)
				 : v[i].t0_mon_ns == t && v[i].lane0 == lane) {
			*out = v[i];
			found = true;
		}
	free(v);
	return (found);
}

bool
thing_find_mark(const struct model *m, uint32_t lane, int64_t t,
    struct mark *out)
{
	struct mark v[MARKS_LOOK];
	size_t n;

	for (int alerts = 1; alerts >= 0; alerts--) {
		n = (alerts ? model_alerts : model_marks)(m, t, t + 1, v,
		    MARKS_LOOK);
		for (size_t i = 0; i < n && i < MARKS_LOOK; i++)
			if (v[i].lane == lane && v[i].t_mon_ns == t) {
				*out = v[i];
				return (true);
			}
	}
	return (false);
}

bool
thing_refresh(const struct ui *ui, struct thing *k)
{
	const struct model *m = ui->model;

	switch (k->kind) {
	case THING_TASK:
		return (model_task_by_id(m, k->id) != TASK_NONE);
	case THING_PATH:
		return (ui->trees.of == TREE_CALLS &&
			tree_node(ui,
			    model_task_by_id(tree_model(ui), k->id)) != NULL);
	case THING_SPAN:
		if (k->span.t1_mon_ns == INT64_MAX)
			thing_find_span(m, k->of, k->span.t0_mon_ns, &k->span,
			    &k->span);
		break;
	case THING_LINK:
		if (k->link.t1_mon_ns == INT64_MAX)
			thing_find_link(m, k->link.lane0, k->link.t0_mon_ns,
			    &k->link, &k->link);
		return (true);
	case THING_ROW:
	case THING_MARK:
		break;
	case THING_RUN:
		return (true);
	}
	return (model_lane_there(m, k->lane));
}

/* the views */

int64_t
thing_time(const struct thing *k)
{
	return (k->kind == THING_SPAN   ? k->span.t0_mon_ns
		: k->kind == THING_LINK ? k->link.t0_mon_ns
					: k->mark.t_mon_ns);
}

void
thing_select(struct ui *ui, const struct thing *k)
{
	uint32_t n = TASK_NONE, lane = k->lane;

	if (k->kind == THING_TASK) {
		n = model_task_by_id(ui->model, k->id);
		lane = n != TASK_NONE ? model_location_lane(ui->model,
					    model_task(ui->model, n)->location)
				      : UINT32_MAX;
	}
	if (k->kind == THING_PATH)
		tree_show(ui, TREE_CALLS);
	select_task(ui, n);
	ui->time.selected_lane = lane;
	ui->chosen.mark_lane = UINT32_MAX;
	memset(&ui->chosen.clicked, 0, sizeof(ui->chosen.clicked));
	ui->chosen.clicked.lane = lane;
	if (k->kind == THING_PATH) {
		ui->trees.selected_path = k->id;
	} else if (k->kind == THING_SPAN) {
		ui->chosen.clicked.of = OF_SPAN;
		ui->chosen.clicked.span = k->span;
	} else if (k->kind == THING_LINK) {
		ui->chosen.clicked.of = OF_LINK;
		ui->chosen.clicked.link = k->link;
	} else if (k->kind == THING_MARK) {
		ui->chosen.clicked.of = OF_MARK;
		ui->chosen.mark = ui->chosen.clicked.mark = k->mark;
		ui->chosen.mark_lane = lane;
	}
	picture_changed(ui->picture);
}

bool
thing_times(const struct ui *ui, const struct thing *k, int64_t *t0,
    int64_t *t1)
{
	uint32_t n;

	*t0 = *t1 = thing_time(k);
	if (k->kind == THING_SPAN) {
		*t1 = k->span.t1_mon_ns;
	} else if (k->kind == THING_LINK) {
		*t1 = k->link.t1_mon_ns;
	} else if (k->kind == THING_TASK) {
		struct task t;

		n = model_task_by_id(ui->model, k->id);
		if (n == TASK_NONE)
			return (false);
		model_task_get(ui->model, n, &t);
		*t0 = t.begin_mon_ns;
		*t1 = t.end_mon_ns == INT64_MIN ? INT64_MAX : t.end_mon_ns;
		if (*t0 == INT64_MIN)
			return (false);
	} else if (k->kind != THING_MARK) {
		return (false);
	}
	if (*t1 == INT64_MAX)
		*t1 = run_now(ui);
	return (true);
}

void
thing_show(struct ui *ui, const struct thing *k)
{
	int64_t t0, t1;

	thing_select(ui, k);
	if (ui->time.selected_lane < model_lanes(ui->model))
		time_show_row(ui, ui->time.selected_lane);
	if (thing_times(ui, k, &t0, &t1) &&
	    (t1 < ui->time.t0_mon_ns || t0 >= ui->time.t1_mon_ns))
		time_in_sight(ui, t0);
}

uint32_t
thing_rgb(const struct ui *ui, const struct thing *k)
{
	const struct palette *p = ui->palette;
	uint32_t n;

	switch (k->kind) {
	case THING_TASK:
		n = model_task_by_id(ui->model, k->id);
		return (n == TASK_NONE
			    ? p->dim
			    : palette_pe_on(p, model_task(ui->model, n)->pe));
	case THING_ROW:
		return (model_lane_there(ui->model, k->lane)
			    ? label_lane_rgb(ui, model_lane(ui->model, k->lane))
			    : p->dim);
	case THING_SPAN:
		return (k->span.class < LANE_OBJECT_NODE
			    ? p->state[k->span.class]
			    : palette_of_node(ui->model, k->span.name));
	case THING_MARK:
		return (k->mark.kind == EV_po_end || k->mark.kind >= EV_lost
			    ? p->warn
			    : p->accent);
	case THING_RUN:
	case THING_PATH:
	case THING_LINK:
		break;
	}
	return (p->accent);
}
