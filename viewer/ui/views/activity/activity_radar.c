/*
 * A spoke for each PO, or for each node where there are too many: for how much
 * of its life at least one of its threads ran, just before the instant that all
 * views are of, and in all of the range.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/radar.h"
#include "model/detail.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define SPOKES    32
#define RECENT_NS INT64_C(30000000)
#define NAMES_PX  60

/* The lane of each spoke; returns how many, 0: there are none. */
static size_t
spokes(const struct ui *ui, const struct running *r, uint32_t *lane)
{
	uint32_t n, *of = activity_processes(ui, &n);
	size_t pos = 0, nodes = 0;

	for (uint32_t i = 0; of != NULL && i < n; i++) {
		if (of[i] >= r->lanes || r->place[of[i]] == UINT32_MAX)
			continue;
		if (pos < SPOKES)
			lane[pos] = of[i];
		pos++;
	}
	free(of);
	if (pos <= SPOKES)
		return (pos);
	for (uint32_t i = 0; i < r->lanes; i++) {
		const struct lane *l = model_lane(ui->model, i);

		if (l->kind == LANE_NODE && l->node != 0 && nodes < SPOKES)
			lane[nodes++] = i;
	}
	return (nodes);
}

static double
share_of(const struct ui *ui, const struct running *r, uint32_t lane)
{
	const struct lane *l = model_lane(ui->model, lane);
	int64_t life = running_life(ui->model, lane, r->t0, r->t1), ns = 0;

	if (lane >= r->lanes || life <= 0)
		return (0);
	if (l->kind == LANE_NODE)
		ns = l->node <= r->nodes ? r->of_node[l->node] : 0;
	else if (r->place[lane] != UINT32_MAX)
		ns = r->of_po[r->place[lane]];
	return ((double)ns / (double)life);
}

void
radar_prepare(struct ui *ui)
{
	const struct asked *a = &ui->figures.asked[ASKED_RECENT];
	struct asked_of want = { .model = ui->model,
		.events = model_events(ui->model),
		.rewritten = model_details(ui->model) };
	const char *what;

	want.t1 = run_instant(ui, &what);
	want.t0 = want.t1 - RECENT_NS;
	if (want.t0 < run_begin(ui))
		want.t0 = run_begin(ui);
	if (want.t1 <= want.t0)
		return;
	/* its range is another one in each frame of a run that grows */
	if (ui->picture->stop_cb != NULL && run_grows(ui) && !a->busy &&
	    running_known(activity_recent(ui)) && ui->picture->frame < a->due)
		ui->picture->undone = true;
	else
		activity_add(ui, ASKED_RECENT, &want);
}

void
radar_whole(struct ui *ui)
{
	bool (*stop_cb)(void *) = ui->picture->stop_cb;

	ui->picture->stop_cb = NULL;
	radar_prepare(ui);
	ui->picture->stop_cb = stop_cb;
}

static void
hint_spoke(struct ui *ui, uint32_t lane, double now, double all)
{
	char name[120];

	label_lane(ui->model, model_lane(ui->model, lane), name, sizeof(name));
	snprintf(ui->spots.hint, sizeof(ui->spots.hint),
	    "%.60s %.80s\n%.0f %% of the last 30 ms\n%.0f %% of its life",
	    label_node(ui->model, model_lane(ui->model, lane)->node), name,
	    now * 100, all * 100);
}

static void
draw_names(struct ui *ui, struct canvas *c, const struct radar *k,
    const uint32_t *lane)
{
	int32_t x, y, q = SCENE_ONE;
	char name[64];

	for (size_t i = 0; i < k->n; i++) {
		const struct lane *l = model_lane(ui->model, lane[i]);

		radar_at(k, i, 1 + 8.0 / k->r, &x, &y);
		canvas_disc(c, x, y, 3 * q,
		    palette_on(ui->palette,
			palette_of_node(ui->model, l->node)),
		    255);
		snprintf(name, sizeof(name), "%.40s%s%.0" PRIu32,
		    label_node(ui->model, l->node),
		    l->kind == LANE_PO ? "/" : "",
		    l->kind == LANE_PO ? l->po : 0);
		radar_at(k, i, 1 + 20.0 / k->r, &x, &y);
		if (2 * i == k->n || i == 0)
			draw_centre(c, FONT_SMALL, x / q,
			    y / q + (i == 0 ? 0 : 8), ui->palette->dim, "%s",
			    name);
		else if (2 * i < k->n)
			draw_text(c, FONT_SMALL, x / q - 4, y / q + 4,
			    ui->palette->dim, "%s", name);
		else
			draw_right(c, FONT_SMALL, x / q + 4, y / q + 4,
			    ui->palette->dim, "%s", name);
	}
}

static void
draw_shares(struct ui *ui, struct canvas *c, const struct radar *k,
    const uint32_t *lane)
{
	double now[SPOKES], all[SPOKES];
	const struct running *recent = activity_recent(ui);
	bool known = running_known(recent) && recent->model == ui->model;
	struct scene scene = { 0 };
	size_t hit;

	for (size_t i = 0; i < k->n; i++) {
		now[i] = known ? share_of(ui, recent, lane[i]) : 0;
		all[i] = share_of(ui, activity_running(ui), lane[i]);
	}
	radar_ground_scene(k, ui->palette, &scene);
	if (known)
		radar_area_scene(k, now, ui->palette->state[LANE_running], true,
		    &scene);
	radar_area_scene(k, all, ui->palette->text, false, &scene);
	paint_items(c, &scene, 0, scene.n);
	scene_free(&scene);
	if (!hint_wanted(ui, k->x - k->r, k->y - k->r, k->x + k->r,
		k->y + k->r))
		return;
	hit = radar_hit(k, ui->mouse.x, ui->mouse.y);
	if (hit < k->n)
		hint_spoke(ui, lane[hit], now[hit], all[hit]);
}

void
radar_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct running *s = activity_running(ui);
	int32_t w = r->x1 - r->x0 - 2 * NAMES_PX, h = r->y1 - r->y0 - 76;
	uint32_t lane[SPOKES];
	struct radar k;
	struct words words;

	words_begin(&words, r);
	words_say(ui, c, &words, "radar:   ");
	words_sign(ui, c, &words, ui->palette->state[LANE_running], false,
	    "ran in the last 30 ms");
	words_sign(ui, c, &words, ui->palette->text, false, "of its life");
	words_say(ui, c, &words, "rings: 25 %");
	k = (struct radar){ (r->x0 + r->x1) / 2, 0, (w < h ? w : h) / 2, 0 };
	k.y = words_end(&words) + 24 + k.r;
	if (!running_known(s) || k.r < 16)
		return;
	k.n = spokes(ui, s, lane);
	if (k.n == 0)
		return;
	draw_shares(ui, c, &k, lane);
	draw_names(ui, c, &k, lane);
}
