/*
 * Things that are drawn: found from what is selected, from a word, and again
 * in the model and in the views.
 */
#include "ui/thing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/command.h"
#include "ui/draw.h"
#include "ui/parse.h"

#define SPANS_LOOK 64
#define LINKS_LOOK 2400
#define MARKS_LOOK 64

/* finding */

/* The lane whose spans a row shows: of a folded one its only thread. */
static uint32_t
shown_lane(const struct ui *ui, uint32_t lane)
{
	uint32_t row =
	    lane < ui->rows.nlanes ? ui->rows.lane_row[lane] : UINT32_MAX;

	if (row < ui->rows.nrows && ui->rows.rows[row].lane == lane)
		return (ui->rows.rows[row].shows);
	return (lane);
}

static void
selected_in_lanes(const struct ui *ui, struct thing *k)
{
	const struct timeline_hit *h = &ui->chosen;

	k->lane = ui->time.selected_lane;
	if (k->lane == ui->mark_lane && k->lane < model_lanes(ui->model)) {
		k->kind = THING_MARK;
		k->mark = ui->mark;
	} else if (h->of == OF_LINK && h->lane == k->lane) {
		k->kind = THING_LINK;
		k->link = h->link;
	} else if (h->of == OF_SPAN && h->lane == k->lane) {
		k->kind = THING_SPAN;
		k->span = h->span;
		k->of = shown_lane(ui, k->lane);
	} else {
		k->kind = THING_ROW;
	}
}

void
thing_selected(const struct ui *ui, struct thing *k)
{
	memset(k, 0, sizeof(*k));
	k->lane = UINT32_MAX;
	if (ui->tree_of == TREE_CALLS && tree_selected(ui) != TASK_NONE) {
		k->kind = THING_PATH;
		k->id = ui->selected_path;
	} else if (ui->time.selected_task != 0 &&
		   model_task_by_id(ui->model, ui->time.selected_task) !=
		       TASK_NONE) {
		k->kind = THING_TASK;
		k->id = ui->time.selected_task;
	} else if (ui->time.selected_lane < model_lanes(ui->model) ||
		   (ui->chosen.of == OF_LINK &&
		       ui->chosen.lane == ui->time.selected_lane)) {
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

static bool
same_link(const struct link *a, const struct link *b)
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
		return (same_link(&a->link, &b->link));
	case THING_MARK:
		return (a->mark.lane == b->mark.lane &&
			a->mark.kind == b->mark.kind &&
			a->mark.t_mon_ns == b->mark.t_mon_ns);
	}
	return (false);
}

/* like NULL: the last one that has begun, so the innermost. */
static bool
find_span(const struct model *m, uint32_t lane, int64_t t,
    const struct span *like, struct span *out)
{
	struct span v[SPANS_LOOK];
	size_t n;
	bool found = false;

	if (lane >= model_lanes(m))
		return (false);
	n = model_lane_spans(m, lane, t, t + 1, v, SPANS_LOOK);
	for (size_t i = 0; n <= SPANS_LOOK && i < n; i++)
		if (v[i].t0_mon_ns <= t &&
		    (like == NULL || same_span(&v[i], like))) {
			*out = v[i];
			found = true;
		}
	return (found);
}

/* like NULL: whichever leaves the row then. */
static bool
find_link(const struct model *m, uint32_t lane, int64_t t,
    const struct link *like, struct link *out)
{
	struct link *v = malloc(LINKS_LOOK * sizeof(*v));
	size_t n = v != NULL ? model_links(m, t, t + 1, v, LINKS_LOOK) : 0;
	bool found = false;

	for (size_t i = 0; !found && i < n && i < LINKS_LOOK; i++)
		if (like != NULL ? same_link(&v[i], like)
				 : v[i].t0_mon_ns == t && v[i].lane0 == lane) {
			*out = v[i];
			found = true;
		}
	free(v);
	return (found);
}

static bool
find_mark(const struct model *m, uint32_t lane, int64_t t, struct mark *out)
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
		return (ui->tree_of == TREE_CALLS &&
			tree_node(ui,
			    model_task_by_id(tree_model(ui), k->id)) != NULL);
	case THING_SPAN:
		if (k->span.t1_mon_ns == INT64_MAX)
			find_span(m, k->of, k->span.t0_mon_ns, &k->span,
			    &k->span);
		break;
	case THING_LINK:
		if (k->link.t1_mon_ns == INT64_MAX)
			find_link(m, k->link.lane0, k->link.t0_mon_ns, &k->link,
			    &k->link);
		return (true);
	case THING_ROW:
	case THING_MARK:
		break;
	case THING_RUN:
		return (true);
	}
	return (k->lane < model_lanes(m));
}

/* words */

static int64_t
thing_time(const struct thing *k)
{
	return (k->kind == THING_SPAN   ? k->span.t0_mon_ns
		: k->kind == THING_LINK ? k->link.t0_mon_ns
					: k->mark.t_mon_ns);
}

char *
thing_spell(const struct ui *ui, const struct thing *k, char *buf, size_t n)
{
	int64_t t = thing_time(k) - view_origin(ui);

	switch (k->kind) {
	case THING_TASK:
		snprintf(buf, n, "task 0x%" PRIx64, k->id);
		break;
	case THING_PATH:
		snprintf(buf, n, "path 0x%" PRIx64, k->id);
		break;
	case THING_ROW:
		snprintf(buf, n, "row %" PRIu32, k->lane);
		break;
	case THING_SPAN:
		snprintf(buf, n, "span %" PRIu32 " %" PRId64 "ns", k->of, t);
		break;
	case THING_LINK:
		snprintf(buf, n, "link %" PRIu32 " %" PRId64 "ns 0x%" PRIx64,
		    k->link.lane0, t, k->link.id);
		break;
	case THING_MARK:
		snprintf(buf, n, "mark %" PRIu32 " %" PRId64 "ns", k->mark.lane,
		    t);
		break;
	case THING_RUN:
		snprintf(buf, n, "run");
		break;
	}
	return (buf);
}

static int
parse_task(const struct ui *ui, const char *word, struct thing *k)
{
	uint64_t v;

	if (parse_number(word, &v) == -1)
		return (-1);
	k->kind = THING_TASK;
	if (word[0] == '0' && word[1] == 'x') {
		k->id = v;
	} else {
		if (v >= model_tasks(ui->model) ||
		    model_task_gone(ui->model, (uint32_t)v))
			return (-1);
		k->id = model_task(ui->model, (uint32_t)v)->id;
	}
	return (model_task_by_id(ui->model, k->id) == TASK_NONE ? -1 : 0);
}

/* A link of that row and time; with an id only that. */
static int
parse_link(const struct ui *ui, const char *id, int64_t t, struct thing *k)
{
	struct link like = { .t0_mon_ns = t, .lane0 = k->lane }, *v;
	uint64_t wanted;
	bool found = false;
	size_t n;

	k->kind = THING_LINK;
	if (id[0] == '\0')
		return (
		    find_link(ui->model, k->lane, t, NULL, &k->link) ? 0 : -1);
	if (parse_number(id, &wanted) == -1 ||
	    (v = malloc(LINKS_LOOK * sizeof(*v))) == NULL)
		return (-1);
	n = model_links(ui->model, t, t + 1, v, LINKS_LOOK);
	for (size_t i = 0; !found && i < n && i < LINKS_LOOK; i++) {
		like.id = wanted;
		like.kind0 = v[i].kind0;
		found = same_link(&v[i], &like);
		if (found)
			k->link = v[i];
	}
	free(v);
	return (found ? 0 : -1);
}

int
thing_parse(const struct ui *ui, const char *text, struct thing *k)
{
	char kind[8] = "", a[24] = "", b[40] = "", id[24] = "";
	int n = sscanf(text, "%7s %23s %39s %23s", kind, a, b, id);
	uint64_t v;
	int64_t t;

	memset(k, 0, sizeof(*k));
	k->lane = UINT32_MAX;
	if (n == 2 && strcmp(kind, "task") == 0)
		return (parse_task(ui, a, k));
	if (n < 2 || parse_number(a, &v) == -1)
		return (-1);
	if (n == 2 && strcmp(kind, "path") == 0) {
		k->kind = THING_PATH;
		k->id = v;
		return (thing_refresh(ui, k) ? 0 : -1);
	}
	if (v >= model_lanes(ui->model))
		return (-1);
	k->lane = (uint32_t)v;
	if (n == 2 && strcmp(kind, "row") == 0) {
		k->kind = THING_ROW;
		return (0);
	}
	if (n < 3 || parse_time(b, &t) == -1)
		return (-1);
	t += view_origin(ui);
	if (n == 3 && strcmp(kind, "span") == 0) {
		k->kind = THING_SPAN;
		k->of = shown_lane(ui, k->lane);
		if (!find_span(ui->model, k->of, t, NULL, &k->span))
			return (-1);
		if (k->span.kind != SPAN_task)
			return (0);
		k->kind = THING_TASK;
		k->id = k->span.id;
		return (0);
	}
	if (n == 3 && strcmp(kind, "mark") == 0) {
		k->kind = THING_MARK;
		return (find_mark(ui->model, k->lane, t, &k->mark) ? 0 : -1);
	}
	return (strcmp(kind, "link") == 0 ? parse_link(ui, id, t, k) : -1);
}

/* the views */

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
	view_select_task(ui, n);
	ui->time.selected_lane = lane;
	ui->mark_lane = UINT32_MAX;
	memset(&ui->chosen, 0, sizeof(ui->chosen));
	ui->chosen.lane = lane;
	if (k->kind == THING_PATH) {
		ui->selected_path = k->id;
	} else if (k->kind == THING_SPAN) {
		ui->chosen.of = OF_SPAN;
		ui->chosen.span = k->span;
	} else if (k->kind == THING_LINK) {
		ui->chosen.of = OF_LINK;
		ui->chosen.link = k->link;
	} else if (k->kind == THING_MARK) {
		ui->chosen.of = OF_MARK;
		ui->mark = ui->chosen.mark = k->mark;
		ui->mark_lane = lane;
	}
	ui->dirty = true;
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
		*t1 = view_now(ui);
	return (true);
}

void
thing_show(struct ui *ui, const struct thing *k)
{
	int64_t t0, t1;

	thing_select(ui, k);
	if (ui->time.selected_lane < model_lanes(ui->model))
		command_show_row(ui, ui->time.selected_lane);
	if (thing_times(ui, k, &t0, &t1) &&
	    (t1 < ui->time.t0_mon_ns || t0 >= ui->time.t1_mon_ns))
		command_in_sight(ui, t0);
}

/* The middle of a lane's row, if that is in sight. */
static bool
row_place(const struct ui *ui, uint32_t lane, int32_t *y)
{
	const struct timeline_row *r;
	uint32_t row =
	    lane < ui->rows.nlanes ? ui->rows.lane_row[lane] : UINT32_MAX;

	if (row >= ui->rows.nrows || ui->pane[PANE_TIME].x1 == 0)
		return (false);
	r = &ui->rows.rows[row];
	*y = ui->lanes.y0 + r->y + r->height / 2;
	return (*y >= ui->lanes.y0 + r->top && *y < ui->lanes.y1);
}

/* In the lanes: the middle of what is in sight of it. */
static bool
place_in_lanes(const struct ui *ui, const struct thing *k,
    struct thing_place *at)
{
	int64_t t0, t1;
	uint32_t lane = k->lane, n;

	if (k->kind == THING_LINK)
		lane = k->link.lane0;
	if (k->kind == THING_TASK) {
		n = model_task_by_id(ui->model, k->id);
		lane = n == TASK_NONE ? UINT32_MAX
				      : model_location_lane(ui->model,
					    model_task(ui->model, n)->location);
	}
	if (!row_place(ui, lane, &at->y))
		return (false);
	if (k->kind == THING_ROW) {
		at->x = ui->lanes.x0;
		return (true);
	}
	if (!thing_times(ui, k, &t0, &t1) || t1 < ui->time.t0_mon_ns ||
	    t0 >= ui->time.t1_mon_ns)
		return (false);
	if (k->kind == THING_LINK) { /* where it leaves */
		at->x = ui->lanes.x0 + timeline_x(&ui->time, t0);
		return (t0 >= ui->time.t0_mon_ns);
	}
	t0 = t0 < ui->time.t0_mon_ns ? ui->time.t0_mon_ns : t0;
	t1 = t1 > ui->time.t1_mon_ns ? ui->time.t1_mon_ns : t1;
	at->x = ui->lanes.x0 + timeline_x(&ui->time, t0 + (t1 - t0) / 2);
	return (true);
}

static bool
place_in_tree(const struct ui *ui, const struct thing *k,
    struct thing_place *at)
{
	const struct radial_node *n;
	uint32_t number = TASK_NONE;

	if (ui->pane[PANE_TREE].x1 == 0 || ui->other != NULL)
		return (false);
	if (k->kind == (ui->tree_of == TREE_CALLS ? THING_PATH : THING_TASK) &&
	    ui->tree_of != TREE_THREADS)
		number = model_task_by_id(tree_model(ui), k->id);
	else if (k->kind == THING_ROW && ui->tree_of == TREE_THREADS)
		number =
		    model_task_by_id(tree_model(ui), (uint64_t)k->lane + 1);
	if (number == TASK_NONE)
		return (false);
	n = radial_find(&ui->nodes, tree_model(ui), number);
	if (n == NULL)
		return (false);
	at->x = ui->tree_area.x0 + n->x / SCENE_ONE;
	at->y = ui->tree_area.y0 + n->y / SCENE_ONE;
	return (rect_has(&ui->tree_area, at->x, at->y));
}

int
thing_places(const struct ui *ui, const struct thing *k,
    struct thing_place at[THING_PLACES])
{
	int n = 0;

	n += place_in_lanes(ui, k, &at[n]);
	n += place_in_tree(ui, k, &at[n]);
	return (n);
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
			    : palette_pe(model_task(ui->model, n)->pe));
	case THING_ROW:
		return (k->lane < model_lanes(ui->model)
			    ? label_lane_rgb(ui, model_lane(ui->model, k->lane))
			    : p->dim);
	case THING_SPAN:
		return (k->span.class < LANE_OBJECT_NODE
			    ? p->state[k->span.class]
			    : palette_node(k->span.name));
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
