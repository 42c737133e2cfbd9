/*
 * What has not been read yet, behind the last event that has: for each thread,
 * or all below a folded heading, the classes of its events by the summaries of
 * the log's blocks.  It is faint, lower than the boxes are and without edges or
 * names, so that nobody takes it for what it stands for; where something may
 * have been lost there is a line below it.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"
#include "model/sketch.h"

#define INSET   2 /* px, above and below */
#define LOST_PX 2

/* Of one row. */
struct sketched {
	const struct sketch *from;
	int64_t t0_mon_ns;
	int32_t x0;      /* px: of t0 */
	unsigned n;      /* px from there on */
	unsigned lanes;  /* threads that it knows of in this row */
	float *sum;      /* see sketch_spread() */
	uint8_t *alert;  /* see sketch_alerts() */
	uint32_t *faint; /* colours by class */
};

static void
add_thread(const struct timeline_draw *d, struct sketched *k,
    const struct lane *l)
{
	uint32_t lane = sketch_lane(k->from, l->location);

	if (lane == SKETCH_NONE)
		return;
	sketch_spread(k->from, lane, k->t0_mon_ns, d->v->t1_mon_ns, k->n,
	    k->sum);
	sketch_alerts(k->from, lane, k->t0_mon_ns, d->v->t1_mon_ns, k->n,
	    k->alert);
	k->lanes++;
}

/* It, or all threads below it. */
static void
add_lane(const struct timeline_draw *d, struct sketched *k, uint32_t lane)
{
	const struct lane *l = model_lane(d->m, lane);
	uint32_t below;

	if (l->kind == LANE_THREAD)
		add_thread(d, k, l);
	for (uint32_t i = 0;
	     (below = model_group_member(d->m, lane, i)) != UINT32_MAX; i++)
		add_lane(d, k, below);
	if (l->kind != LANE_NODE && l->kind != LANE_PO)
		return;
	for (below = model_lane_first_child(d->m, lane); below != UINT32_MAX;
	     below = model_lane_next_sibling(d->m, below))
		add_lane(d, k, below);
}

/* Where the bands of a pixel end, above its foot. */
struct heap {
	int32_t top[LANE_OBJECT_NODE];
};

static struct heap
heap_of(const struct sketched *k, unsigned x, int32_t tall)
{
	const float *sum = k->sum + (size_t)x * LANE_CLASSES;
	struct heap h = { { 0 } };
	float all = 0;

	for (int c = 1; c < LANE_OBJECT_NODE; c++) {
		all += sum[c];
		h.top[c] = (int32_t)(all * (float)tall + .5f);
	}
	return (h);
}

static void
heap_draw(const struct timeline_draw *d, const struct sketched *k,
    const struct heap *h, unsigned from, unsigned to, int32_t foot)
{
	int32_t x0 = k->x0 + (int32_t)from, x1 = k->x0 + (int32_t)to;

	for (int c = 1; c < LANE_OBJECT_NODE; c++)
		if (h->top[c] > h->top[c - 1])
			scene_rect(d->s, x0 * SCENE_ONE,
			    (foot - h->top[c]) * SCENE_ONE, x1 * SCENE_ONE,
			    (foot - h->top[c - 1]) * SCENE_ONE, k->faint[c]);
}

/* Equal pixels make one rectangle a band. */
static void
draw_heaps(const struct timeline_draw *d, const struct sketched *k, int32_t y0,
    int32_t y1)
{
	struct heap now = heap_of(k, 0, y1 - y0), next;
	unsigned from = 0;

	for (unsigned x = 1; x < k->n; x++) {
		next = heap_of(k, x, y1 - y0);
		if (memcmp(&now, &next, sizeof(now)) == 0)
			continue;
		heap_draw(d, k, &now, from, x, y1);
		now = next;
		from = x;
	}
	heap_draw(d, k, &now, from, k->n, y1);
}

static void
draw_alerts(const struct timeline_draw *d, const struct sketched *k, int32_t y)
{
	for (unsigned from = 0, to; from < k->n; from = to) {
		to = from + 1;
		while (to < k->n && k->alert[to] == k->alert[from])
			to++;
		if (k->alert[from])
			scene_rect(d->s, (k->x0 + (int32_t)from) * SCENE_ONE,
			    y * SCENE_ONE, (k->x0 + (int32_t)to) * SCENE_ONE,
			    (y + LOST_PX) * SCENE_ONE, d->pal->error);
	}
}

void
timeline_sketch_row(struct timeline_draw *d, const struct timeline_row *r)
{
	uint32_t faint[LANE_OBJECT_NODE];
	int32_t y0 = r->y + row_pad(r), y1 = r->y + r->height - 1 - row_pad(r);
	struct sketched k = { .from = d->v->sketch, .faint = faint };

	if (k.from == NULL || r->shows == UINT32_MAX ||
	    d->final_mon_ns >= d->v->t1_mon_ns)
		return;
	if (d->final_mon_ns >= d->v->t0_mon_ns)
		k.x0 = timeline_x(d->v, d->final_mon_ns) + 1;
	if (k.x0 >= d->v->width)
		return;
	k.n = (unsigned)(d->v->width - k.x0);
	k.t0_mon_ns = timeline_time(d->v, k.x0);
	k.sum = calloc(SKETCH_SUMS(k.n), sizeof(*k.sum));
	k.alert = calloc(k.n, 1);
	if (k.sum != NULL && k.alert != NULL)
		add_lane(d, &k, r->shows);
	if (k.lanes > 0) {
		for (int c = 0; c < LANE_OBJECT_NODE; c++)
			faint[c] = palette_faint(d->pal, d->pal->state[c]);
		if (y1 - y0 >= 4 * INSET) {
			y0 += INSET;
			y1 -= INSET;
		}
		sketch_sums(k.n, k.lanes, k.sum);
		draw_heaps(d, &k, y0, y1);
		draw_alerts(d, &k, r->y + r->height - 1 - LOST_PX);
	}
	free(k.sum);
	free(k.alert);
}

/* How far it has been read. */
void
timeline_sketch_edge(struct timeline_draw *d)
{
	int32_t x;

	if (d->v->sketch == NULL || d->final_mon_ns < d->v->t0_mon_ns ||
	    d->final_mon_ns >= d->v->t1_mon_ns)
		return;
	x = timeline_x(d->v, d->final_mon_ns);
	scene_rect(d->s, x * SCENE_ONE, 0, (x + 1) * SCENE_ONE,
	    d->v->height * SCENE_ONE, d->pal->faint);
}
