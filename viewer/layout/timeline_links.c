/*
 * What lies over the lanes: arrows from cause to effect, the symbols of an
 * object's life, and the marks of loss and doubt, which are drawn at every
 * zoom, one a pixel and row.
 */
#include <stdlib.h>

#include "layout/timeline_inside.h"

/* A link whose effect has not come: so far to the right and down. */
#define SOON_PX      9
#define SOON_DOWN_PX 4

/* How the links of a cause look. */
static const struct link_look {
	uint16_t kind;
	uint8_t type, alpha;
	uint8_t rgb; /* 0 accent, 1 text, 2 place colour, 3 lock, 4 rpc */
	uint8_t upright;
} looks[] = {
	{ EV_send, ITEM_ARROW, 230, 0, 0 },
	{ EV_task_spawn, ITEM_LINE, 110, 1, 0 },
	{ EV_task_end, ITEM_LINE, 70, 1, 0 },
	{ EV_thread_create, ITEM_ARROW, 140, 1, 0 },
	{ EV_thread_end, ITEM_ARROW, 110, 1, 0 },
	{ EV_rpc_call, ITEM_ARROW, 230, 4, 0 },
	{ EV_rpc_end, ITEM_ARROW, 180, 4, 0 },
	{ EV_object_request, ITEM_ARROW, 220, 2, 1 },
	{ EV_object_order, ITEM_ARROW, 220, 2, 0 },
	{ EV_lock_release, ITEM_LINE, 130, 3, 0 },
	{ 0, ITEM_LINE, 110, 1, 0 },
};

static const struct link_look *
look_of(unsigned kind)
{
	const struct link_look *l = looks;

	while (l->kind != 0 && l->kind != kind)
		l++;
	return (l);
}

/* Keeps the part of a line that is near the view; 0: none is. */
static int
clip(double *x0, double *y0, double *x1, double *y1, double w)
{
	double lo = -w, hi = 2 * w;

	if (*x0 > hi || *x1 < lo)
		return (0);
	if (*x0 < lo) {
		*y0 += (*y1 - *y0) * (lo - *x0) / (*x1 - *x0);
		*x0 = lo;
	}
	if (*x1 > hi) {
		*y1 = *y0 + (*y1 - *y0) * (hi - *x0) / (*x1 - *x0);
		*x1 = hi;
	}
	return (1);
}

static double
exact_x(const struct timeline_view *v, int64_t t)
{
	return (((double)t - (double)v->t0_mon_ns) * v->width /
		(double)(v->t1_mon_ns - v->t0_mon_ns));
}

static uint32_t
row_of(const struct timeline_draw *d, uint32_t lane)
{
	return (lane < d->l->nlanes ? d->l->lane_row[lane] : UINT32_MAX);
}

/*
 * What an object is told is drawn from the object that told it.  When that is
 * not known the line begins at the heading of the objects, not at the thread
 * that lent its voice, which may be a screen away.
 */
static uint32_t
speaker(const struct model *m, const struct timeline_layout *l,
    const struct link *k)
{
	uint32_t lane = k->lane0, object;

	if ((k->kind0 != EV_object_order && k->kind0 != EV_object_request) ||
	    model_lane(m, lane)->kind == LANE_OBJECT)
		return (lane);
	object = model_lane_resident(m, lane);
	if (object < l->nlanes && object != k->lane1)
		return (object);
	if (k->lane1 < l->nlanes &&
	    model_lane(m, k->lane1)->kind == LANE_OBJECT)
		return (model_lane(m, k->lane1)->parent);
	return (lane);
}

void
timeline_link_rows(const struct model *m, const struct timeline_layout *l,
    const struct link *k, uint32_t *from, uint32_t *to)
{
	uint32_t lane = k->lane0 < l->nlanes ? speaker(m, l, k) : UINT32_MAX;

	*from = lane < l->nlanes ? l->lane_row[lane] : UINT32_MAX;
	*to = k->lane1 < l->nlanes ? l->lane_row[k->lane1] : UINT32_MAX;
}

static void
link_draw(struct timeline_draw *d, const struct link *k, unsigned fade)
{
	const struct link_look *look = look_of(k->kind0);
	const uint32_t rgb[5] = { d->pal->accent, d->pal->text, 0xccbb44,
		d->pal->state[LANE_wait_lock], d->pal->state[LANE_wait_rpc] };
	uint32_t r0, r1;
	double x0 = exact_x(d->v, k->t0_mon_ns), x1 = x0, y0, y1;
	struct item *i;

	timeline_link_rows(d->m, d->l, k, &r0, &r1);
	if (r0 == UINT32_MAX || r0 == r1)
		return;
	y0 = y1 = row_anchor(&d->l->rows[r0]) + 0.5;
	if (k->t1_mon_ns == INT64_MAX) { /* not there yet: a stub */
		x1 = x0 + SOON_PX;
		y1 += SOON_DOWN_PX;
	} else if (r1 != UINT32_MAX) {
		x1 = exact_x(d->v, k->t1_mon_ns);
		y1 = row_anchor(&d->l->rows[r1]) + 0.5;
		if (look->upright)
			x0 = x1;
	} else {
		return;
	}
	if ((y0 < 0 && y1 < 0) || (y0 > d->v->height && y1 > d->v->height) ||
	    !clip(&x0, &y0, &x1, &y1, d->v->width))
		return;
	i = scene_add(d->s,
	    k->t1_mon_ns == INT64_MAX ? ITEM_LINE : (enum item_type)look->type,
	    rgb[look->rgb]);
	if (i == NULL)
		return;
	i->x0 = (int32_t)(x0 * SCENE_ONE);
	i->y0 = (int32_t)(y0 * SCENE_ONE);
	i->x1 = (int32_t)(x1 * SCENE_ONE);
	i->y1 = (int32_t)(y1 * SCENE_ONE);
	i->w = look->type == ITEM_ARROW ? SCENE_ONE * 5 / 4 : SCENE_ONE;
	i->alpha = (uint8_t)(look->alpha * fade / 255);
	i->of = OF_LINK;
	i->id = k->id;
	d->l->links_drawn++;
}

void
timeline_links(struct timeline_draw *d)
{
	struct link *v = malloc(TIMELINE_LINKS * sizeof(*v));
	uint64_t total = 0;
	unsigned fade = 255;
	size_t n;

	if (v == NULL)
		return;
	n = model_links_sample(d->m, d->v->t0_mon_ns, d->v->t1_mon_ns, v,
	    TIMELINE_LINKS, &total);
	d->l->links_total = total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
	/* many lines must add up to a density, not to one white area; in
	 * steps, so that a few more do not change all of them */
	if (n > 400)
		fade = n > 8000 ? 24 : (unsigned)(255 * 400 / (n | 255)) + 12;
	for (size_t i = 0; i < n; i++)
		link_draw(d, &v[i], fade > 255 ? 255 : fade);
	free(v);
}

static void
mark_draw(struct timeline_draw *d, const struct mark *k,
    const struct timeline_row *r)
{
	static const struct {
		uint16_t kind;
		uint8_t type, half;
	} symbol[] = {
		{ EV_object_create, ITEM_SQUARE, 4 },
		{ EV_object_dispose, ITEM_SQUARE_OPEN, 4 },
		{ EV_object_depart, ITEM_DOT, 4 },
		{ EV_object_arrive, ITEM_DIAMOND, 5 },
		{ EV_note, ITEM_DIAMOND, 3 },
	};
	struct item *i;

	for (size_t s = 0; s < sizeof(symbol) / sizeof(*symbol); s++) {
		if (symbol[s].kind != k->kind)
			continue;
		i = scene_mark(d->s, (enum item_type)symbol[s].type,
		    (int32_t)(exact_x(d->v, k->t_mon_ns) * SCENE_ONE),
		    row_middle(r) * SCENE_ONE, symbol[s].half * SCENE_ONE,
		    k->kind == EV_note ? d->pal->dim : d->pal->text);
		if (i == NULL)
			return;
		i->of = OF_MARK;
		i->id = k->lane;
		d->l->marks++;
	}
}

void
timeline_marks(struct timeline_draw *d)
{
	struct mark *v = malloc(TIMELINE_MARKS * sizeof(*v));
	uint32_t row;
	size_t n;

	if (v == NULL)
		return;
	n = model_marks(d->m, d->v->t0_mon_ns, d->v->t1_mon_ns, v,
	    TIMELINE_MARKS);
	/* too many to be told apart: the lanes' colours must do */
	for (size_t i = 0; n <= TIMELINE_MARKS && i < n; i++) {
		row = row_of(d, v[i].lane);
		if (row == UINT32_MAX || !row_visible(d->v, &d->l->rows[row]))
			continue;
		if (d->l->rows[row].lane == v[i].lane ||
		    d->l->rows[row].shows == v[i].lane)
			mark_draw(d, &v[i], &d->l->rows[row]);
	}
	free(v);
}

static void
alert_draw(struct timeline_draw *d, const struct mark *k, int32_t *last)
{
	uint32_t row = row_of(d, k->lane);
	int32_t x = timeline_x(d->v, k->t_mon_ns);
	uint32_t rgb = k->kind == EV_lost || k->kind == EV_po_end
			   ? d->pal->error
			   : d->pal->warn;
	struct timeline_row *r;
	struct item *i;

	if (row == UINT32_MAX || last[row] == x)
		return;
	r = &d->l->rows[row];
	last[row] = x;
	if (!row_visible(d->v, r))
		return;
	scene_rect(d->s, x * SCENE_ONE, (r->y + 1) * SCENE_ONE,
	    (x + 2) * SCENE_ONE, (r->y + r->height - 1) * SCENE_ONE, rgb);
	i = scene_mark(d->s, ITEM_DIAMOND, x * SCENE_ONE + SCENE_ONE,
	    (r->y + 4) * SCENE_ONE, 4 * SCENE_ONE, rgb);
	if (i == NULL)
		return;
	i->of = OF_MARK;
	i->id = k->lane;
	d->l->marks++;
}

/* Halves the range until the alerts in it can be listed, or it is a pixel. */
static void
alerts_in(struct timeline_draw *d, int64_t t0, int64_t t1, struct mark *v,
    int32_t *last)
{
	size_t n = model_alerts(d->m, t0, t1, v, TIMELINE_MARKS);
	int64_t mid = t0 + (t1 - t0) / 2;

	if (n > TIMELINE_MARKS && mid > t0 &&
	    timeline_x(d->v, t0) != timeline_x(d->v, t1)) {
		alerts_in(d, t0, mid, v, last);
		alerts_in(d, mid, t1, v, last);
		return;
	}
	if (n > TIMELINE_MARKS)
		n = TIMELINE_MARKS;
	for (size_t i = 0; i < n; i++)
		alert_draw(d, &v[i], last);
}

void
timeline_alerts(struct timeline_draw *d)
{
	struct mark *v = malloc(TIMELINE_MARKS * sizeof(*v));
	int32_t *last = malloc((d->l->nrows + 1) * sizeof(*last));

	for (size_t i = 0; last != NULL && i < d->l->nrows; i++)
		last[i] = INT32_MIN;
	if (v != NULL && last != NULL)
		alerts_in(d, d->v->t0_mon_ns, d->v->t1_mon_ns, v, last);
	free(v);
	free(last);
}
