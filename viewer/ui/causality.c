/*
 * What may have caused an event, and what it may have affected, shown over the
 * lanes: what is concurrent with it is dimmed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "feed/cone.h"
#include "ui/command.h"
#include "ui/desk.h"
#include "ui/draw/draw.h"
#include "ui/parse.h"

#define DIM_ALPHA    185
#define BYTES_MOST   ((uint64_t)1 << 30) /* when memory has no limit */
#define BYTES_PART   4                   /* of the memory there is */
/* A live run: at least so many frames from one answer to the next. */
#define AGAIN_FRAMES 30

const char *const causality_name[CAUSALITY_SHOWN] = { "off", "both", "before",
	"after" };

void
causality_clear(struct ui *ui)
{
	cone_close(ui->causality.cone);
	free(ui->causality.cut);
	memset(&ui->causality, 0, sizeof(ui->causality));
}

/* The thread of a row; UINT32_MAX: it stands for none, or for several. */
static uint32_t
thread_lane(const struct ui *ui, uint32_t lane)
{
	const struct lane *l;

	if (lane >= model_lanes(ui->model))
		return (UINT32_MAX);
	l = model_lane(ui->model, lane);
	if (l->kind == LANE_NODE || l->kind == LANE_PO)
		return (model_lane_only_thread(ui->model, lane));
	return (l->kind == LANE_THREAD  ? lane
		: l->kind == LANE_DEPTH ? l->parent
					: UINT32_MAX);
}

/* Ends of the cones by lane: of a heading, of all below it. */
static void
spread(struct ui *ui)
{
	struct causality *c = &ui->causality;
	uint32_t n = model_lanes(ui->model);

	free(c->cut);
	c->ncut = 0;
	c->cut = calloc(n + 1, sizeof(*c->cut));
	if (c->cut == NULL)
		return;
	c->ncut = n;
	for (uint32_t i = 0; i < n; i++)
		c->cut[i] = (struct causality_cut){ INT64_MIN, INT64_MAX };
	for (uint32_t i = 0; i < n; i++) {
		const struct lane *l = model_lane(ui->model, i);
		int64_t past, future;

		if (l->kind != LANE_THREAD && l->kind != LANE_DEPTH)
			continue;
		cone_cut(c->cone, l->location, &past, &future);
		for (uint32_t k = i; k < n;
		     k = model_lane(ui->model, k)->parent) {
			struct causality_cut *at = &c->cut[k];

			at->past = past > at->past ? past : at->past;
			at->future = future < at->future ? future : at->future;
		}
	}
}

bool
causality_go_on(struct ui *ui)
{
	struct causality *c = &ui->causality;
	char why[sizeof(c->why)];

	if (!cone_busy(c->cone) || !cone_step(c->cone))
		return (false);
	while (cone_busy(c->cone) && !draw_stopped(ui) &&
	       cone_percent(c->cone) == c->percent && cone_step(c->cone))
		continue;
	c->percent = cone_percent(c->cone);
	ui->dirty = true;
	if (cone_busy(c->cone))
		return (true);
	if (cone_why(c->cone)[0] != '\0') {
		snprintf(why, sizeof(why), "%s", cone_why(c->cone));
		causality_clear(ui);
		snprintf(c->why, sizeof(c->why), "%s", why);
		command_fail(ui, "%s", why);
	} else {
		spread(ui);
	}
	return (true);
}

bool
causality_busy(const struct ui *ui)
{
	return (cone_busy(ui->causality.cone));
}

static uint64_t
bytes_most(const struct ui *ui)
{
	uint64_t memory = model_memory(ui->model);

	return (memory > 0 ? memory / BYTES_PART : BYTES_MOST);
}

static int
ask(struct ui *ui, uint32_t lane, int64_t t)
{
	struct causality *c = &ui->causality;
	char why[300];

	if (c->cone == NULL)
		c->cone =
		    cone_open(ui->feed.log[0] != '\0' ? ui->feed.log : NULL,
			why, sizeof(why));
	if (c->cone == NULL)
		return (command_fail(ui, "%s", why));
	c->why[0] = '\0';
	c->lane = lane;
	c->t_mon_ns = t;
	free(c->cut);
	c->cut = NULL;
	c->ncut = 0;
	c->events = model_events(ui->model);
	cone_ask(c->cone, model_lane(ui->model, lane)->location, t,
	    bytes_most(ui));
	return (0);
}

void
causality_refresh(struct ui *ui)
{
	struct causality *c = &ui->causality;

	if (c->show == CAUSALITY_OFF || c->cut == NULL || cone_busy(c->cone) ||
	    !ui->feed.live || ui->frame < c->due ||
	    model_events(ui->model) == c->events)
		return;
	c->due = ui->frame + AGAIN_FRAMES;
	c->events = model_events(ui->model);
	cone_ask(c->cone, model_lane(ui->model, c->lane)->location, c->t_mon_ns,
	    bytes_most(ui));
}

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
		return (command_fail(ui,
		    "causes wants both, before, after or off, and perhaps a "
		    "row and a time"));
	if (show == CAUSALITY_OFF) {
		c->show = CAUSALITY_OFF;
		return (0);
	}
	t = ui->cursor_mon_ns != INT64_MIN ? ui->cursor_mon_ns
					   : view_instant(ui, &what);
	if (n == -3) {
		if (parse_number(row, &v) == -1 ||
		    v >= model_lanes(ui->model) || parse_time(time, &t) == -1)
			return (command_fail(ui, "there is no row %s at %s",
			    row, time));
		lane = (uint32_t)v;
		t += view_origin(ui);
	}
	if (thread_lane(ui, lane) == UINT32_MAX)
		return (command_fail(ui, "select a thread to ask for causes"));
	if (ask(ui, thread_lane(ui, lane), t) == -1)
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

/* drawing */

static int32_t
x_of(const struct ui *ui, int64_t t)
{
	if (t == INT64_MIN || t <= ui->time.t0_mon_ns)
		return (ui->lanes.x0);
	if (t == INT64_MAX || t >= ui->time.t1_mon_ns)
		return (ui->lanes.x1);
	return (ui->lanes.x0 + timeline_x(&ui->time, t));
}

static uint32_t
past_rgb(const struct ui *ui)
{
	return (ui->palette->state[LANE_overhead]);
}

static uint32_t
future_rgb(const struct ui *ui)
{
	return (ui->palette->accent);
}

/* A bracket where a cone ends on a row. */
static void
draw_end(struct ui *ui, struct canvas *c, const struct timeline_row *r,
    int64_t t, int way, uint32_t rgb)
{
	int32_t x = x_of(ui, t), y = ui->lanes.y0 + r->y, h = r->height - 1;

	if (t < ui->time.t0_mon_ns || t >= ui->time.t1_mon_ns)
		return;
	canvas_fill(c, x, y, x + 2, y + h, rgb);
	canvas_fill(c, way < 0 ? x - 3 : x, y, way < 0 ? x : x + 5, y + 2, rgb);
	canvas_fill(c, way < 0 ? x - 3 : x, y + h - 2, way < 0 ? x : x + 5,
	    y + h, rgb);
}

static void
draw_row(struct ui *ui, struct canvas *whole, const struct timeline_row *r)
{
	const struct causality *s = &ui->causality;
	const struct causality_cut *cut = &s->cut[r->lane];
	bool past = s->show != CAUSALITY_AFTER,
	     future = s->show != CAUSALITY_BEFORE;
	int32_t x0 = past ? x_of(ui, cut->past) : ui->lanes.x0;
	int32_t x1 = future ? x_of(ui, cut->future) : ui->lanes.x1;
	int32_t y = ui->lanes.y0 + r->y;
	struct canvas c = *whole;

	canvas_clip(&c, ui->lanes.x0, ui->lanes.y0 + r->top, ui->lanes.x1,
	    ui->lanes.y1);
	if (x0 < x1)
		canvas_blend(&c, x0, y, x1, y + r->height,
		    ui->palette->background, DIM_ALPHA);
	if (past)
		draw_end(ui, &c, r, cut->past, -1, past_rgb(ui));
	if (future)
		draw_end(ui, &c, r, cut->future, 1, future_rgb(ui));
}

void
causality_draw(struct ui *ui, struct canvas *c)
{
	const struct causality *s = &ui->causality;

	if (s->show == CAUSALITY_OFF || s->cut == NULL)
		return;
	for (size_t i = timepane_row(ui, 0); i < ui->rows.nrows;
	     i = timepane_row(ui, i + 1)) {
		const struct timeline_row *r = &ui->rows.rows[i];

		if (r->lane < s->ncut &&
		    model_lane(ui->model, r->lane)->kind <= LANE_DEPTH)
			draw_row(ui, c, r);
	}
}

int32_t
causality_title(struct ui *ui, struct canvas *c, int32_t x, int32_t y)
{
	const struct causality *s = &ui->causality;
	int32_t from = x, y0 = ui->pane[PANE_TIME].y0;
	char name[96], when[40];

	if (s->show == CAUSALITY_OFF)
		return (x);
	if (causality_busy(ui) && s->cut == NULL)
		return (draw_text(c, FONT_SMALL, x, y, ui->palette->accent,
		    "reading the log for causes: %u %%", s->percent));
	label_lane(ui->model, model_lane(ui->model, s->row), name,
	    sizeof(name));
	format_time(when, sizeof(when), s->t_mon_ns - view_origin(ui), 1000);
	x = draw_text(c, FONT_SMALL, x, y, ui->palette->accent,
	    "%s %s at %s  ×",
	    s->show == CAUSALITY_BOTH     ? "causes and effects of"
	    : s->show == CAUSALITY_BEFORE ? "causes of"
					  : "effects of",
	    name, when);
	spot_add(ui, from - 6, y0, x + 6, y0 + 22, "causes off");
	return (x + 16);
}

const char *
causality_word(const struct ui *ui, uint32_t lane, int64_t t0, int64_t t1)
{
	const struct causality *s = &ui->causality;

	if (s->show == CAUSALITY_OFF || s->cut == NULL || lane >= s->ncut ||
	    model_lane(ui->model, lane)->kind > LANE_DEPTH)
		return ("");
	return (t0 <= s->cut[lane].past     ? "may be a cause of it"
		: t1 >= s->cut[lane].future ? "may be an effect of it"
					    : "concurrent with it");
}

void
causality_describe(const struct ui *ui, FILE *f)
{
	const struct causality *s = &ui->causality;
	int64_t origin = view_origin(ui);
	char name[96];

	if (s->show == CAUSALITY_OFF || s->cut == NULL)
		return;
	fprintf(f, "causes: %s, row %" PRIu32 " at %" PRId64 " ns\n",
	    causality_name[s->show], s->lane, s->t_mon_ns - origin);
	for (uint32_t i = 0; i < s->ncut; i++) {
		const struct lane *l = model_lane(ui->model, i);

		if (l->kind != LANE_THREAD)
			continue;
		label_lane(ui->model, l, name, sizeof(name));
		fprintf(f,
		    "  location %" PRIu32 ", row %" PRIu32 ", %s:", l->location,
		    i, name);
		if (s->cut[i].past != INT64_MIN)
			fprintf(f, " before %" PRId64, s->cut[i].past - origin);
		if (s->cut[i].future != INT64_MAX)
			fprintf(f, " after %" PRId64,
			    s->cut[i].future - origin);
		fputc('\n', f);
	}
}
