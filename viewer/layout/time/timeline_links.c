/*
 * Arrows from cause to effect.  Up to TIMELINE_LINKS each is drawn; of more,
 * some that are evenly chosen, and where they begin and end is shaded by how
 * many do.  The phases of a remote call are drawn into the row of its caller:
 * on the way out, worked on, on the way back.
 */
#include <math.h>
#include <stdlib.h>

#include "layout/time/timeline_inside.h"

/* A link whose effect has not come: so far to the right and down. */
#define SOON_PX      9
#define SOON_DOWN_PX 4

#define HEADS_FADE 128 /* in a crowd fainter than that arrows have no heads */

#define SHADE_PX 3 /* where more begin and end than can be drawn */

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
	{ EV_task_suspend, ITEM_ARROW, 170, 1, 0 },
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

/*
 * What an object is told is drawn from the object that told it, as it says, or
 * because no other speaks through that thread.  When that is not known the line
 * begins at the heading of the objects, not at the thread that lent its voice,
 * which may be a screen away.
 */
static uint32_t
speaker(const struct model *m, const struct timeline_layout *l,
    const struct link *k)
{
	uint32_t lane = k->lane0, object;

	if ((k->kind0 != EV_object_order && k->kind0 != EV_object_request) ||
	    model_lane(m, lane)->kind == LANE_OBJECT)
		return (lane);
	object = UINT32_MAX;
	if (k->kind0 == EV_object_order)
		object = model_object_lane(m, model_order_by(m, k->id));
	if (object >= l->nlanes)
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

/* A link that has not arrived, this long after it left, is told by colour. */
#define OVERDUE_NS ((int64_t)1000000000)

static uint32_t
stub_rgb(const struct timeline_draw *d, const struct link *k, uint32_t rgb)
{
	bool young =
	    d->v->grows && k->t0_mon_ns + OVERDUE_NS > model_last_ns(d->m);

	return (young ? rgb : d->pal->warn);
}

/* In px: from, to.  0: there is nothing to be seen of it. */
static int
link_place(const struct timeline_draw *d, const struct link *k,
    const struct link_look *look, double *x0, double *y0, double *x1,
    double *y1)
{
	uint32_t r0, r1;

	timeline_link_rows(d->m, d->l, k, &r0, &r1);
	if (r0 == UINT32_MAX || r0 == r1)
		return (0);
	*x0 = *x1 = timeline_exact_x(d->v, k->t0_mon_ns);
	*y0 = *y1 = row_anchor(&d->l->rows[r0]) + 0.5;
	if (k->t1_mon_ns == INT64_MAX) { /* not there yet: a stub */
		*x1 += SOON_PX;
		*y1 += SOON_DOWN_PX;
	} else if (r1 != UINT32_MAX) {
		*x1 = timeline_exact_x(d->v, k->t1_mon_ns);
		*y1 = row_anchor(&d->l->rows[r1]) + 0.5;
		if (look->upright)
			*x0 = *x1;
	} else {
		return (0);
	}
	return ((*y0 >= 0 || *y1 >= 0) &&
		(*y0 <= d->v->height || *y1 <= d->v->height) &&
		clip(x0, y0, x1, y1, d->v->width));
}

/* What is drawn at the same pixels is one line, the brighter for it. */
struct pile {
	uint64_t key; /* 0: free */
	uint32_t item;
};

static uint64_t
pile_key(const struct item *i)
{
	uint64_t h =
	    (uint64_t)(uint32_t)(i->x0 >> 4) << 32 | (uint32_t)(i->x1 >> 4);

	h = h * 0x9e3779b97f4a7c15u ^ (uint64_t)(uint32_t)i->y0 << 24 ^
	    (uint64_t)(uint32_t)i->y1 ^ (uint64_t)i->rgb << 40;
	h *= 0xff51afd7ed558ccdu;
	return ((h ^ h >> 31) | 1);
}

static bool
pile_up(struct timeline_draw *d, struct pile *piles, const struct item *i)
{
	uint64_t key = pile_key(i);
	uint32_t at = (uint32_t)(key >> 8) % TIMELINE_PILES;
	struct item *below;
	unsigned alpha;

	while (piles[at].key != 0 && piles[at].key != key)
		at = (at + 1) % TIMELINE_PILES;
	if (piles[at].key == 0) {
		piles[at].key = key;
		piles[at].item = (uint32_t)d->s->n;
		return (false);
	}
	below = &d->s->items[piles[at].item];
	alpha = below->alpha + (255u - below->alpha) * i->alpha / 255;
	below->alpha = (uint8_t)alpha;
	below->w = i->w > below->w ? i->w : below->w;
	return (true);
}

/* A px up to 64 bytes, one more for eight times as many each. */
#define WIDE_FROM 64.0
#define WIDE_MOST (6 * SCENE_ONE)

static int32_t
link_width(uint64_t bytes, int32_t plain)
{
	double w = SCENE_ONE;

	if ((double)bytes > WIDE_FROM)
		w += SCENE_ONE * log2((double)bytes / WIDE_FROM) / 3;
	w = w > WIDE_MOST ? WIDE_MOST : w;
	return ((int32_t)w > plain ? (int32_t)w : plain);
}

uint32_t
timeline_tag_rgb(const struct palette *p, uint32_t tag)
{
	return (tag == LINK_TAG_OTHER ? p->dim : palette_pe_on(p, tag));
}

static void
link_draw(struct timeline_draw *d, struct pile *piles,
    const struct timeline_crowd *crowd, const struct link *k)
{
	const struct link_look *look = look_of(k->kind0);
	const uint32_t rgb[5] = { d->pal->accent, d->pal->text, PALETTE_OBJECT,
		d->pal->state[LANE_wait_lock], d->pal->state[LANE_wait_rpc] };
	bool open = k->t1_mon_ns == INT64_MAX;
	bool tagged =
	    d->v->links_as.by_tag && k->kind0 == EV_send && k->tag != 0;
	uint32_t is =
	    tagged ? timeline_tag_rgb(d->pal, k->tag) : rgb[look->rgb];
	double x0, y0, x1, y1;
	unsigned fade;
	struct item i = { .of = OF_LINK, .id = k->id }, *new;

	if (!link_place(d, k, look, &x0, &y0, &x1, &y1))
		return;
	i.type = open ? ITEM_LINE : look->type;
	i.rgb = open ? stub_rgb(d, k, is) : is;
	i.x0 = (int32_t)floor(x0 * SCENE_ONE);
	i.y0 = (int32_t)(y0 * SCENE_ONE);
	i.x1 = (int32_t)floor(x1 * SCENE_ONE);
	i.y1 = (int32_t)(y1 * SCENE_ONE);
	fade = timeline_crowd_fade(crowd, x0, y0, x1, y1);
	if (i.type == ITEM_ARROW && fade < HEADS_FADE)
		i.type = ITEM_LINE;
	i.w = i.type == ITEM_ARROW ? SCENE_ONE * 5 / 4 : SCENE_ONE;
	if (d->v->links_as.wide)
		i.w = link_width(k->bytes, i.w);
	i.alpha = (uint8_t)(look->alpha * fade / 255);
	d->l->links_drawn++;
	if (pile_up(d, piles, &i))
		return;
	new = scene_add(d->s, (enum item_type)i.type, i.rgb);
	if (new != NULL)
		*new = i;
}

/* What has not come is waited for as long as there is somebody who waits. */
static int64_t
phase_end(const struct timeline_draw *d, uint32_t lane, int64_t t1)
{
	int64_t end;

	if (t1 != INT64_MAX)
		return (t1);
	return (model_lane_ended(d->m, lane, &end) ? end : model_last_ns(d->m));
}

/* Where a phase of a remote call is drawn; the row must be the caller's own. */
static void
phase_draw(struct timeline_draw *d, uint32_t lane, int64_t t0, int64_t t1,
    uint32_t rgb)
{
	const struct timeline_row *r;
	int32_t x0, x1, y0, y1;

	if (lane >= d->l->nlanes || d->l->lane_row[lane] == UINT32_MAX)
		return;
	r = &d->l->rows[d->l->lane_row[lane]];
	if (r->shows != lane || !row_visible(d->v, r))
		return;
	x0 = timeline_x(d->v, t0);
	x1 = timeline_x(d->v, phase_end(d, lane, t1));
	x0 = x0 < -1 ? -1 : x0;
	x1 = x1 > d->v->width + 1 ? d->v->width + 1 : x1;
	if (x1 <= x0)
		return;
	timeline_phase_band(r, &y0, &y1);
	y0 = y0 < r->top ? r->top : y0;
	if (y1 > y0)
		scene_rect(d->s, x0 * SCENE_ONE, y0 * SCENE_ONE, x1 * SCENE_ONE,
		    y1 * SCENE_ONE, rgb);
}

static void
phases_draw(struct timeline_draw *d, const struct link *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].kind0 == EV_rpc_call)
			phase_draw(d, v[i].lane0, v[i].t0_mon_ns,
			    v[i].t1_mon_ns, PALETTE_RPC_OUT);
		else if (v[i].kind0 == EV_rpc_end)
			phase_draw(d, v[i].lane1, v[i].t0_mon_ns,
			    v[i].t1_mon_ns, PALETTE_RPC_BACK);
	}
}

/* Eight steps of brightness at the foot of a row. */
static void
shade_row(struct timeline_draw *d, const struct timeline_row *r,
    const uint16_t *count, unsigned most)
{
	int32_t y1 = r->y + r->height - 1, from = 0, w = d->v->width;
	unsigned now = 0, next;
	struct item *i;

	for (int32_t x = 0; x <= w; x++) {
		next = x == w || count[x] == 0 ? 0 : 1 + count[x] * 7u / most;
		if (x < w && next == now)
			continue;
		if (now != 0 && y1 - SHADE_PX >= r->top &&
		    (i = scene_add(d->s, ITEM_RECT, d->pal->accent)) != NULL) {
			i->x0 = from * SCENE_ONE;
			i->x1 = x * SCENE_ONE;
			i->y0 = (y1 - SHADE_PX) * SCENE_ONE;
			i->y1 = y1 * SCENE_ONE;
			i->alpha = (uint8_t)(now * 31);
		}
		now = next;
		from = x;
	}
}

/* Place of a row among those in sight; SIZE_MAX: it is not. */
static size_t
place_in_sight(const struct timeline_draw *d, uint32_t row, size_t first)
{
	if (row >= d->l->nrows || !row_visible(d->v, &d->l->rows[row]))
		return (SIZE_MAX);
	return (row < d->l->npinned ? row : d->l->npinned + row - first);
}

/* Where links begin and end, by row and column, of those that were chosen. */
static void
links_shade(struct timeline_draw *d, const struct link *v, size_t n)
{
	size_t w = (size_t)d->v->width, first = timeline_first_row(d->l);
	size_t places = d->l->npinned + (size_t)d->v->height + 1, at;
	uint16_t *count = calloc(places * w, sizeof(*count));
	unsigned most = 1;

	for (size_t i = 0; count != NULL && i < 2 * n; i++) {
		const struct link *k = &v[i / 2];
		uint32_t row[2];
		int32_t x =
		    timeline_x(d->v, i % 2 == 0 ? k->t0_mon_ns : k->t1_mon_ns);
		uint16_t *c;

		timeline_link_rows(d->m, d->l, k, &row[0], &row[1]);
		at = place_in_sight(d, row[i % 2], first);
		if (at >= places || x < 0 || x >= d->v->width)
			continue;
		c = &count[at * w + (size_t)x];
		*c += *c < UINT16_MAX;
		most = *c > most ? *c : most;
	}
	for (size_t i = 0; count != NULL && i < d->l->npinned; i++)
		shade_row(d, &d->l->rows[i], count + i * w, most);
	for (size_t i = first;
	     count != NULL && i < d->l->nrows && d->l->rows[i].y < d->v->height;
	     i++)
		shade_row(d, &d->l->rows[i],
		    count + (d->l->npinned + i - first) * w, most);
	free(count);
}

static void
links_draw(struct timeline_draw *d, const struct link *v, size_t n,
    size_t stride)
{
	struct pile *piles = calloc(TIMELINE_PILES, sizeof(*piles));
	struct timeline_crowd crowd;
	double x0, y0, x1, y1;

	timeline_crowd_init(&crowd, d->v);
	for (size_t i = 0; i < n; i += stride)
		if (link_place(d, &v[i], look_of(v[i].kind0), &x0, &y0, &x1,
			&y1))
			timeline_crowd_add(&crowd, x0, y0, x1, y1);
	timeline_crowd_ready(&crowd);
	for (size_t i = 0; piles != NULL && i < n; i += stride)
		link_draw(d, piles, &crowd, &v[i]);
	timeline_crowd_clear(&crowd);
	free(piles);
}

bool
timeline_link_tells(const struct timeline_view *v, const struct link *k)
{
	return (!(k->flags & LINK_FREE) || v->selected_lane == k->lane0 ||
		v->selected_lane == k->lane1);
}

/* Of n links those that tell something stay; returns how many. */
static size_t
telling(const struct timeline_draw *d, struct link *v, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (timeline_link_tells(d->v, &v[i]))
			v[kept++] = v[i];
	return (kept);
}

void
timeline_links(struct timeline_draw *d)
{
	struct link *v = malloc(TIMELINE_LINKS * sizeof(*v));
	size_t sample = d->v->coarse ? TIMELINE_COARSE
			: d->v->few  ? TIMELINE_FEW
				     : TIMELINE_SAMPLE;
	size_t n, kept, stride = 1;
	uint64_t total = 0;
	bool some; /* are in v, of more */

	if (v == NULL)
		return;
	n = model_links_sample(d->m, d->v->t0_mon_ns, d->v->t1_mon_ns, v,
	    sample, &total);
	if (!d->v->coarse && !d->v->few && total > n &&
	    total <= TIMELINE_LINKS * 5 / 4) /* it is a guess */
		n = model_links_sample(d->m, d->v->t0_mon_ns, d->v->t1_mon_ns,
		    v, TIMELINE_LINKS, &total);
	some = total > n;
	kept = telling(d, v, n);
	d->l->links_free =
	    n == 0 ? 0
		   : (uint32_t)((double)total * (double)(n - kept) / (double)n);
	total -= d->l->links_free;
	n = kept;
	d->l->links_total = total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
	if (d->v->coarse) {
		stride = 1;
	} else if (some) {
		links_shade(d, v, n);
		stride = n / TIMELINE_DENSE + 1;
	} else {
		phases_draw(d, v, n);
	}
	links_draw(d, v, n, stride);
	free(v);
}
