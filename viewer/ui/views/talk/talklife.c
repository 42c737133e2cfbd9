/*
 * Tells what is made, alive or over at an instant.
 *
 * A PO is being made from what its collector says of its begin
 * until one of its threads makes an event, a thread from its creation until its
 * first event; a node is as its POs are.  A PO has ended when its collector
 * says so; of one that no collector has told of, when its threads have.
 */
#include "talklife.h"

#include <stdlib.h>

#include "event.h"
#include "ui/traffic/talkcount.h"

#define LINKS_LOOK 256 /* at an instant */

const char *const life_word[LIVES] = { "not yet", "being made", "alive",
	"ended" };

struct lived {
	int64_t made, begun, ended; /* INT64_MAX, INT64_MIN: not known */
};

static void
widen(struct lived *k, int64_t made, int64_t begun, int64_t ended)
{
	k->made = made < k->made ? made : k->made;
	k->begun = begun < k->begun ? begun : k->begun;
	k->ended = ended > k->ended ? ended : k->ended;
}

/* When somebody has created a thread that begins then; else that. */
static int64_t
created(const struct model *m, uint32_t lane, int64_t begun)
{
	struct link v[LINKS_LOOK];
	size_t n = model_links(m, begun, begun + 1, v, LINKS_LOOK);

	for (size_t i = 0; i < n && i < LINKS_LOOK; i++)
		if (v[i].kind0 == EV_thread_create && v[i].lane1 == lane &&
		    v[i].t1_mon_ns == begun)
			return (v[i].t0_mon_ns);
	return (begun);
}

static void
add_threads(const struct model *m, const struct talk_groups *g, int64_t t,
    const uint32_t *place, uint32_t lanes, struct lived *v)
{
	bool alone = g->level == TALK_BY_THREAD;
	int64_t begun, ended, made;

	for (uint32_t i = 0; i < lanes; i++) {
		uint32_t of = place[i] < g->nof ? g->of[place[i]] : UINT32_MAX;

		if (of == UINT32_MAX || model_lane(m, i)->kind != LANE_THREAD ||
		    !model_lane_life(m, i, &begun, &ended))
			continue;
		if (!model_lane_ended(m, i, &ended))
			ended = INT64_MAX;
		made = alone && t < begun ? created(m, i, begun) : begun;
		widen(&v[of], made, begun, ended);
	}
}

static void
add_processes(const struct model *m, const struct talk_groups *g,
    struct lived *v)
{
	struct po_life k;

	for (uint32_t i = 0; i < g->nof; i++) {
		model_po_life(m, i, &k);
		if (g->of[i] == UINT32_MAX || k.begin_mon_ns == INT64_MAX)
			continue;
		widen(&v[g->of[i]], k.begin_mon_ns, INT64_MAX, k.end_mon_ns);
	}
}

uint8_t *
lives_of(const struct ui *ui, const struct talk_groups *g, int64_t t)
{
	const struct model *m = ui->model;
	bool threads = talk_level_of(ui) == TALK_BY_THREAD;
	uint32_t lanes = model_lanes(m);
	uint32_t *place = malloc(((size_t)lanes + 1) * sizeof(*place));
	struct lived *v = calloc((size_t)g->n + 1, sizeof(*v));
	uint8_t *out = malloc((size_t)g->n + 1);

	if (place == NULL || v == NULL || out == NULL ||
	    !talk_places(m, lanes, threads, place)) {
		free(place);
		free(v);
		free(out);
		return (NULL);
	}
	for (uint32_t i = 0; i < g->n; i++)
		v[i] = (struct lived){ INT64_MAX, INT64_MAX, INT64_MIN };
	add_threads(m, g, t, place, lanes, v);
	if (!threads)
		add_processes(m, g, v);
	for (uint32_t i = 0; i < g->n; i++)
		out[i] = v[i].ended != INT64_MIN && t >= v[i].ended ? LIFE_ENDED
			 : t >= v[i].begun                          ? LIFE_ALIVE
			 : t >= v[i].made                           ? LIFE_MADE
								    : LIFE_NONE;
	free(place);
	free(v);
	return (out);
}
