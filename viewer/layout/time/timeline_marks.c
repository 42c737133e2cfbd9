/*
 * What lies over the lanes at single instants: the symbols of an object's
 * life, and the marks of loss and doubt.  The latter are drawn at every zoom,
 * one a pixel and row; of rows that are out of sight, at the edge behind which
 * they are.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"

#define NOTE_PX    34 /* less says nothing */
#define NOTES_LOOK 64 /* marks, for the next one of a row */

static uint32_t
row_of(const struct timeline_draw *d, uint32_t lane)
{
	return (lane < d->l->nlanes ? d->l->lane_row[lane] : UINT32_MAX);
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
		{ EV_own, ITEM_DIAMOND, 4 },
		{ EV_thread_name, ITEM_DIAMOND, 2 },
		{ EV_stream_gap, ITEM_DIAMOND, 3 },
		{ EV_choice, ITEM_SQUARE_OPEN, 3 },
		{ EV_muted, ITEM_SQUARE_OPEN, 3 },
		{ EV_cond_signal, ITEM_DOT, 2 },
	};
	struct item *i;

	for (size_t s = 0; s < sizeof(symbol) / sizeof(*symbol); s++) {
		if (symbol[s].kind != k->kind)
			continue;
		i = scene_mark(d->s, (enum item_type)symbol[s].type,
		    (int32_t)(timeline_exact_x(d->v, k->t_mon_ns) * SCENE_ONE),
		    row_middle(r) * SCENE_ONE, symbol[s].half * SCENE_ONE,
		    k->kind == EV_own ? palette_on(d->pal, PALETTE_OWN)
		    : k->kind == EV_note || k->kind == EV_thread_name ||
			    k->kind == EV_choice || k->kind == EV_muted
			? d->pal->dim
		    : k->kind == EV_cond_signal ? d->pal->warn
						: d->pal->text);
		if (i == NULL)
			return;
		i->of = OF_MARK;
		i->id = k->lane;
		d->l->marks++;
	}
}

/* What a note says, or which kind an event is of, to the right of it, as far as
 * there is room. */
static void
note_draw(struct timeline_draw *d, const struct mark *k,
    const struct timeline_row *r, int32_t until)
{
	const char *text = model_name(d->m, k->c);
	int32_t x = timeline_x(d->v, k->t_mon_ns) + 6, y = row_middle(r), x1;
	char words[96];

	if ((k->kind != EV_note && k->kind != EV_own) || text == NULL ||
	    x < 0 || r->height < 12)
		return;
	if (k->kind == EV_own) /* of what it declares the kind alone */
		snprintf(words, sizeof(words), "%.*s", (int)strcspn(text, " "),
		    text);
	else
		snprintf(words, sizeof(words), "%s: %" PRId64, text,
		    (int64_t)k->a);
	x1 = x + (int32_t)strlen(words) * 6 + 8;
	x1 = x1 < until - 6 ? x1 : until - 6;
	if (x1 - x < NOTE_PX)
		return;
	scene_rect(d->s, x * SCENE_ONE, (y - 6) * SCENE_ONE, x1 * SCENE_ONE,
	    (y + 7) * SCENE_ONE, d->pal->panel);
	scene_text(d->s, (x + 3) * SCENE_ONE, (y + 4) * SCENE_ONE,
	    x1 * SCENE_ONE, 0, d->pal->text, words);
}

/* Where the next mark of that row is. */
static int32_t
next_mark(const struct timeline_draw *d, const struct mark *v, size_t n,
    size_t i)
{
	for (size_t k = i + 1; k < n && k < i + NOTES_LOOK; k++)
		if (v[k].lane == v[i].lane)
			return (timeline_x(d->v, v[k].t_mon_ns));
	return (d->v->width);
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
		if (d->l->rows[row].lane != v[i].lane &&
		    d->l->rows[row].shows != v[i].lane)
			continue;
		mark_draw(d, &v[i], &d->l->rows[row]);
		note_draw(d, &v[i], &d->l->rows[row], next_mark(d, v, n, i));
	}
	free(v);
}

/* 2: something is lost; 1: something is in doubt. */
static unsigned
alert_rank(const struct mark *k)
{
	return (k->kind == EV_lost ? 2 : 1);
}

/* One that is above or below what is in sight: half a diamond at the edge. */
static void
alert_edge(struct timeline_draw *d, const struct timeline_row *r, int32_t x,
    uint32_t rgb, int32_t *last)
{
	bool above = r->y + r->height <= r->top;
	int32_t *at = &last[d->l->nrows + !above];
	int32_t y = above ? r->top : d->v->height - 1;

	if (*at == x)
		return;
	*at = x;
	if (scene_mark(d->s, ITEM_DIAMOND, x * SCENE_ONE + SCENE_ONE,
		y * SCENE_ONE, 4 * SCENE_ONE, rgb) != NULL)
		d->l->marks++;
}

static void
alert_draw(struct timeline_draw *d, const struct mark *k, int32_t *last)
{
	uint32_t row = row_of(d, k->lane);
	int32_t x = timeline_x(d->v, k->t_mon_ns);
	uint32_t rgb = alert_rank(k) == 2 ? d->pal->error : d->pal->warn;
	const struct timeline_row *r;
	struct item *i;

	if (row == UINT32_MAX || last[row] == x)
		return;
	r = &d->l->rows[row];
	last[row] = x;
	if (!row_visible(d->v, r)) {
		alert_edge(d, r, x, rgb, last);
		return;
	}
	if (r->y < r->top) /* half under the pinned ones */
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
	int32_t *last = malloc((d->l->nrows + 2) * sizeof(*last));

	for (size_t i = 0; last != NULL && i < d->l->nrows + 2; i++)
		last[i] = INT32_MIN;
	if (v != NULL && last != NULL)
		alerts_in(d, d->v->t0_mon_ns, d->v->t1_mon_ns, v, last);
	free(v);
	free(last);
}

#define ALERTS_AT_ONCE 512

static void
pixels_in(const struct model *m, int64_t t0, int64_t t1, uint32_t from,
    uint32_t to, uint8_t *worst)
{
	struct mark v[ALERTS_AT_ONCE];
	uint32_t mid = from + (to - from) / 2, x;
	int64_t at;
	size_t n;

	if (from >= to || t1 <= t0)
		return;
	n = model_alerts(m, t0, t1, v, ALERTS_AT_ONCE);
	if (n > ALERTS_AT_ONCE && to - from > 1) {
		at = t0 +
		     (int64_t)((double)(t1 - t0) * (mid - from) / (to - from));
		pixels_in(m, t0, at, from, mid, worst);
		pixels_in(m, at, t1, mid, to, worst);
		return;
	}
	for (size_t i = 0; i < n && i < ALERTS_AT_ONCE; i++) {
		x = from + (uint32_t)((double)(v[i].t_mon_ns - t0) *
				      (to - from) / (double)(t1 - t0));
		x = x >= to ? to - 1 : x;
		if (alert_rank(&v[i]) > worst[x])
			worst[x] = (uint8_t)alert_rank(&v[i]);
	}
}

void
timeline_alert_pixels(const struct model *m, int64_t t0, int64_t t1, uint32_t n,
    uint8_t *worst)
{
	memset(worst, 0, n);
	pixels_in(m, t0, t1, 0, n, worst);
}
