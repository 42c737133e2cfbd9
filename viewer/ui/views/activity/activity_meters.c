/*
 * A gauge for each PO, or for each node: what its threads did just before the
 * instant that all views are of, as shares of the time that they lived then;
 * and a mark for how much of it at least one of them ran (efficiency).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "meters.h"
#include "model/detail.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/traffic/talkcount.h"
#include "ui/views/words.h"

#define CELL_PX   170 /* of a gauge */
#define ROW_PX    38
#define BAR_PX    11
#define NUMBER_PX 40
#define DESCRIBED 64

void
meters_clear(struct meters *k)
{
	talk_groups_clear(&k->g);
	free(k->of);
	memset(k, 0, sizeof(*k));
}

static void
add_thread(struct ui *ui, const struct meters *k, uint32_t lane,
    struct share *s)
{
	int64_t by_class[LANE_CLASSES] = { 0 },
		life = running_life(ui->model, lane, k->t0, k->t1);

	if (life <= 0)
		return;
	if (!model_lane_totals(ui->model, lane, k->t0, k->t1, by_class, NULL)) {
		ui_rough(ui, SUMS_LANES, k->t0, k->t1);
		s->rough = true;
	}
	for (int i = 0; i < LANE_CLASSES; i++)
		s->by_class[i] = span_add(s->by_class[i], by_class[i]);
	s->threads++;
	s->threads_ns = span_add(s->threads_ns, life);
}

/* A PO, or one of its nodes: how long one of its threads at least ran. */
static void
add_ran(const struct ui *ui, struct meters *k, const struct running *r,
    uint32_t lane, struct meter *m)
{
	const struct lane *l = model_lane(ui->model, lane);

	if (m->lane == UINT32_MAX)
		m->lane = lane;
	if (!k->ran || lane >= r->lanes)
		return;
	m->life =
	    span_add(m->life, running_life(ui->model, lane, k->t0, k->t1));
	if (l->kind == LANE_NODE && l->node <= r->nodes)
		m->ran = span_add(m->ran, r->of_node[l->node]);
	else if (l->kind == LANE_PO && r->place[lane] != UINT32_MAX)
		m->ran = span_add(m->ran, r->of_po[r->place[lane]]);
}

static uint32_t
group_of(const struct talk_groups *g, const struct lane *l)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (talk_end_has(&g->group[i], l))
			return (i);
	return (UINT32_MAX);
}

/* All of them anew. */
static void
meters_make(struct ui *ui, struct meters *k)
{
	const struct running *r = activity_recent(ui);
	uint32_t lanes = model_lanes(ui->model), *place, at;

	k->ran = running_known(r);
	place = malloc((lanes + 1) * sizeof(*place));
	if (place == NULL ||
	    !talk_groups_make(ui, k->by_node ? TALK_BY_NODE : TALK_BY_PO,
		TALK_GROUPS_MAX, &k->g) ||
	    !talk_places(ui->model, lanes, false, place) ||
	    (k->of = calloc(k->g.n, sizeof(*k->of))) == NULL) {
		free(place);
		meters_clear(k);
		return;
	}
	for (uint32_t i = 0; i < k->g.n; i++)
		k->of[i].lane = UINT32_MAX;
	for (uint32_t i = 0; i < lanes; i++) {
		const struct lane *l = model_lane(ui->model, i);

		at = place[i] < k->g.nof ? k->g.of[place[i]] : UINT32_MAX;
		if (l->kind == LANE_THREAD && l->thread != 0 &&
		    at != UINT32_MAX)
			add_thread(ui, k, i, &k->of[at].share);
		if (l->kind !=
			(k->g.level == TALK_BY_NODE ? LANE_NODE : LANE_PO) ||
		    (k->g.level != TALK_BY_NODE && l->po == 0))
			continue;
		at = group_of(&k->g, l);
		if (at != UINT32_MAX)
			add_ran(ui, k, r, i, &k->of[at]);
	}
	free(place);
}

/* As they were just before the instant; NULL: there are none, or no memory. */
static const struct meters *
meters_now(struct ui *ui)
{
	const struct running *r = activity_recent(ui);
	struct meters *k = activity_meters(ui);
	struct meters want = { .model = ui->model,
		.t0 = r->t0,
		.t1 = r->t1,
		.events = r->events,
		.details = model_details(ui->model),
		.by_node = talk_level_of(ui) == TALK_BY_NODE };

	if (r->model != ui->model || r->t1 <= r->t0)
		return (NULL);
	if (k->model == want.model && k->t0 == want.t0 && k->t1 == want.t1 &&
	    k->events == want.events && k->details == want.details &&
	    k->by_node == want.by_node)
		return (k);
	meters_clear(k);
	*k = want;
	meters_make(ui, k);
	return (k->model == NULL ? NULL : k);
}

static int64_t
waits_of(const struct share *s)
{
	int64_t ns = 0;

	for (unsigned i = 0; i < LANE_CLASSES; i++)
		if (lane_waits(i))
			ns = span_add(ns, s->by_class[i]);
	return (ns);
}

static void
draw_meter(struct ui *ui, struct canvas *c, const struct meters *k, uint32_t i,
    int32_t x, int32_t y)
{
	const struct palette *p = ui->palette;
	const struct meter *m = &k->of[i];
	int32_t w = CELL_PX - NUMBER_PX - 16, at;
	char name[160];

	canvas_fill(c, x, y, x + 2, y + 26,
	    palette_on(p, palette_of_node(ui->model, k->g.group[i].node)));
	x += 6;
	draw_cut_middle(c, FONT_SMALL, x, y + 9, CELL_PX - 20, p->dim,
	    talk_end_label(ui, &k->g.group[i], name, sizeof(name)));
	y += 14;
	activity_bar(ui, c, x, y, w, BAR_PX, &m->share);
	if (k->ran && m->life > 0) {
		at =
		    x + (int32_t)((double)w * (double)m->ran / (double)m->life);
		canvas_fill(c, at, y - 2, at + 2, y + BAR_PX + 2, p->text);
	}
	draw_right(c, FONT_SMALL, x + w + NUMBER_PX, y + 9, p->text, "%s%d %%",
	    share_about(&m->share),
	    share_percent(m->share.by_class[LANE_running],
		m->share.threads_ns));
	if (m->lane != UINT32_MAX)
		spot_add(ui, x, y - 14, x + CELL_PX - 12, y + 16,
		    "select-row %" PRIu32, m->lane);
}

static void
draw_title(struct ui *ui, struct canvas *c, const struct meters *k,
    struct words *w)
{
	const struct palette *p = ui->palette;
	char at[40], text[120];

	snprintf(text, sizeof(text),
	    "the last %" PRId64 " ms before %s, of the time of threads:   ",
	    (k->t1 - k->t0 + 500000) / 1000000,
	    run_time(ui, k->t1, 1000, at, sizeof(at)));
	words_say(ui, c, w, text);
	words_sign(ui, c, w, p->state[LANE_running], false, "busy");
	words_sign(ui, c, w, p->state[LANE_wait_message], true,
	    "waiting, as in Machine and lanes");
	words_sign(ui, c, w, p->text, false,
	    "mark: at least one thread ran (efficiency)");
}

void
meters_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	int32_t *scroll = &ui->lists.scroll[VIEW_ACTIVITY];
	int32_t cols = (r->x1 - r->x0) / CELL_PX, top, rows, first;
	char shown[48];
	const struct meters *k = meters_now(ui);
	struct words w;

	if (k == NULL) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 12, ui->palette->dim,
		    "nothing has been told yet");
		return;
	}
	words_begin(&w, r);
	draw_title(ui, c, k, &w);
	cols = cols < 1 ? 1 : cols;
	/* how many there are in sight is told in a line that may be another */
	top = words_end(&w) + 10;
	rows = (r->y1 - top) / ROW_PX;
	rows = rows < 0 ? 0 : rows;
	if ((uint32_t)(rows * cols) < k->g.n) {
		snprintf(shown, sizeof(shown), "%d of %" PRIu32 " shown",
		    rows * cols, k->g.n);
		words_say(ui, c, &w, shown);
		top = words_end(&w) + 10;
	}
	first = ((int32_t)k->g.n + cols - 1) / cols - rows;
	*scroll = *scroll > first ? first : *scroll;
	*scroll = *scroll < 0 ? 0 : *scroll;
	for (int32_t i = 0; i < rows * cols; i++) {
		uint32_t n = (uint32_t)(*scroll * cols + i);

		if (n < k->g.n)
			draw_meter(ui, c, k, n, r->x0 + i % cols * CELL_PX,
			    top + i / cols * ROW_PX);
	}
}

void
meters_describe(struct ui *ui, FILE *f)
{
	const struct meters *k;
	const char *what;
	char name[160];

	radar_whole(ui);
	k = meters_now(ui);
	if (k == NULL || k->t1 != run_instant(ui, &what)) {
		fprintf(f, "meters: nothing before this\n");
		return;
	}
	fprintf(f, "meters: %" PRId64 " ns before %" PRId64 " ns\n",
	    k->t1 - k->t0, k->t1 - run_origin(ui));
	for (uint32_t i = 0; i < k->g.n && i < DESCRIBED; i++) {
		const struct share *s = &k->of[i].share;

		fprintf(f,
		    "  meter of %s: %s%" PRId64 " ns busy, %" PRId64
		    " ns waiting of %" PRId64 " ns",
		    talk_end_label(ui, &k->g.group[i], name, sizeof(name)),
		    share_about(s), s->by_class[LANE_running], waits_of(s),
		    s->threads_ns);
		if (k->ran)
			fprintf(f, "; ran %" PRId64 " ns of %" PRId64 " ns",
			    k->of[i].ran, k->of[i].life);
		fprintf(f, "\n");
	}
	if (k->g.n > DESCRIBED)
		fprintf(f, "  and %" PRIu32 " more\n", k->g.n - DESCRIBED);
}
