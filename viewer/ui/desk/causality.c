/*
 * What may have caused an event, and what it may have affected: asked of the
 * log, and answered lane by lane.
 */
#include <stdlib.h>
#include <string.h>

#include "feed/cone.h"
#include "ui/desk/desk.h"

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

uint32_t
causality_thread(const struct ui *ui, uint32_t lane)
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
	picture_changed(ui->picture);
	if (cone_busy(c->cone))
		return (true);
	if (cone_why(c->cone)[0] != '\0') {
		snprintf(why, sizeof(why), "%s", cone_why(c->cone));
		causality_clear(ui);
		snprintf(c->why, sizeof(c->why), "%s", why);
		desk_fail(ui, "%s", why);
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

int
causality_ask(struct ui *ui, uint32_t lane, int64_t t)
{
	struct causality *c = &ui->causality;
	char why[300];

	if (c->cone == NULL)
		c->cone =
		    cone_open(ui->feed.log[0] != '\0' ? ui->feed.log : NULL,
			why, sizeof(why));
	if (c->cone == NULL)
		return (desk_fail(ui, "%s", why));
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
	    !ui->feed.live || model_events(ui->model) == c->events)
		return;
	if (ui->picture->frame < c->due) {
		ui->picture->undone = true; /* these may be the last events */
		return;
	}
	c->due = ui->picture->frame + AGAIN_FRAMES;
	c->events = model_events(ui->model);
	cone_ask(c->cone, model_lane(ui->model, c->lane)->location, c->t_mon_ns,
	    bytes_most(ui));
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
