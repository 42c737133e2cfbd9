/*
 * The rows in sight, each drawn by itself.  Two threads may share them out:
 * each takes the next one, draws it into a display list of its own, and at the
 * end they are put together in the order of the rows.  Who comes first draws
 * the links, which have a list for themselves.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "layout/time/timeline_inside.h"

/* One row, and where it is in the display list of who drew it. */
struct piece {
	const struct timeline_row *row;
	bool keep; /* the first whose columns are kept in that place */
	int who;
	size_t item, text; /* where it begins */
	size_t items, bytes;
};

struct rows {
	struct piece *piece;
	size_t n;
	uint64_t *in_sight;  /* places of kept columns, bit by bit */
	_Atomic size_t next; /* 0: the links; then the rows */
	_Atomic bool stopped;
	struct timeline_draw part[2];
};

/* The first or last moment of a thread: [ or ]. */
static void
draw_bracket(struct timeline_draw *d, const struct timeline_row *r, int64_t t,
    int way)
{
	int32_t x = timeline_x(d->v, t), pad = row_pad(r);
	int32_t y0 = r->y + pad - 1, y1 = r->y + r->height - pad;
	int32_t x0 = way > 0 ? x - 1 : x - 2, x1 = x0 + 4;

	if (x < -4 || x > d->v->width + 4 || r->height < 12)
		return;
	scene_rect(d->s, x0 * SCENE_ONE, y0 * SCENE_ONE, x1 * SCENE_ONE,
	    (y0 + 1) * SCENE_ONE, d->pal->text);
	scene_rect(d->s, x0 * SCENE_ONE, (y1 - 1) * SCENE_ONE, x1 * SCENE_ONE,
	    y1 * SCENE_ONE, d->pal->text);
	x0 = way > 0 ? x0 : x1 - 1;
	scene_rect(d->s, x0 * SCENE_ONE, y0 * SCENE_ONE, (x0 + 1) * SCENE_ONE,
	    y1 * SCENE_ONE, d->pal->text);
}

/* A thin line while it lived, seen where it did nothing. */
static void
draw_life(struct timeline_draw *d, const struct timeline_row *r)
{
	uint32_t lane = r->shows != UINT32_MAX ? r->shows : r->lane;
	int32_t y = row_middle(r), x0, x1;
	int64_t t0, t1;

	if (model_lane(d->m, r->lane)->kind == LANE_NODE ||
	    !model_lane_life(d->m, lane, &t0, &t1) || t1 < d->v->t0_mon_ns ||
	    t0 > d->v->t1_mon_ns)
		return;
	x0 = timeline_x(d->v, t0);
	x1 = timeline_x(d->v, t1) + 1;
	x0 = x0 < 0 ? 0 : x0;
	x1 = x1 > d->v->width ? d->v->width : x1;
	scene_rect(d->s, x0 * SCENE_ONE, y * SCENE_ONE, x1 * SCENE_ONE,
	    (y + 1) * SCENE_ONE, d->pal->faint);
}

static void
draw_ends(struct timeline_draw *d, const struct timeline_row *r)
{
	int64_t t0, t1;

	if (r->shows == UINT32_MAX ||
	    model_lane(d->m, r->shows)->kind != LANE_THREAD ||
	    !model_lane_life(d->m, r->shows, &t0, &t1))
		return;
	draw_bracket(d, r, t0, 1);
	if (model_lane_ended(d->m, r->shows, &t1))
		draw_bracket(d, r, t1, -1);
}

static void
draw_row(struct timeline_draw *d, const struct piece *p)
{
	draw_life(d, p->row);
	if (p->row->shows != UINT32_MAX)
		timeline_lane(d, p->row, p->keep);
	timeline_sketch_row(d, p->row);
	draw_ends(d, p->row);
}

static void
rows_job(void *arg, int who)
{
	struct rows *rows = arg;
	struct timeline_draw *d = &rows->part[who];
	struct piece *p;
	size_t i;

	if (d->spans == NULL)
		return;
	while ((i = atomic_fetch_add(&rows->next, 1)) <= rows->n) {
		if (who == 0 && d->l->stop != NULL &&
		    d->l->stop(d->l->stop_arg))
			rows->stopped = true;
		if (rows->stopped)
			return;
		if (i == 0) {
			struct timeline_draw links = *d;

			links.s = &d->l->links;
			timeline_links(&links);
			continue;
		}
		p = &rows->piece[i - 1];
		p->who = who;
		p->item = d->s->n;
		p->text = d->s->ntext;
		draw_row(d, p);
		p->items = d->s->n - p->item;
		p->bytes = d->s->ntext - p->text;
	}
}

/* Those in sight; lines between them are drawn at once. */
static void
rows_collect(struct timeline_draw *d, struct rows *rows, bool pinned)
{
	uint64_t taken[TIMELINE_KEPT / 64] = { 0 };
	int32_t w = d->v->width * SCENE_ONE, y;
	size_t i = pinned ? 0 : timeline_first_row(d->l);
	size_t end = pinned ? d->l->npinned : d->l->nrows;

	for (; i < end && d->l->rows[i].y < d->v->height; i++) {
		const struct timeline_row *r = &d->l->rows[i];
		unsigned at = r->shows % TIMELINE_KEPT;
		uint64_t bit = 1ull << at % 64;

		if (!row_visible(d->v, r))
			continue;
		y = (r->y + r->height - 1) * SCENE_ONE;
		if (r->lane == d->v->selected_lane)
			scene_rect(d->s, 0, r->y * SCENE_ONE, w, y,
			    d->pal->panel);
		scene_rect(d->s, 0, y, w, y + SCENE_ONE, d->pal->line);
		rows->piece[rows->n++] = (struct piece){ .row = r,
			.keep = (taken[at / 64] & bit) == 0 };
		if (r->shows != UINT32_MAX)
			taken[at / 64] |= bit;
	}
	for (size_t k = 0; k < TIMELINE_KEPT / 64; k++)
		rows->in_sight[k] |= taken[k];
}

static void
part_begin(struct timeline_draw *part, const struct timeline_draw *d,
    struct scene *s)
{
	*part = *d;
	part->s = s;
	part->spare = NULL;
	part->spans_max = (size_t)d->v->width / 2 + 16;
	part->spans = malloc(part->spans_max * sizeof(*part->spans));
}

static void
part_end(struct timeline_draw *part, struct timeline_layout *l)
{
	l->spans_drawn += part->spans_drawn;
	l->pixels_drawn += part->pixels_drawn;
	free(part->spans);
	free(part->spare);
}

static void
draw_some(struct timeline_draw *d, bool pinned, uint64_t *in_sight)
{
	struct rows rows = { .in_sight = in_sight,
		.next = pinned || !d->v->links || d->v->by_node };

	/* a row is a pixel high at least */
	rows.piece = malloc(((size_t)d->v->height + 1) * sizeof(*rows.piece));
	if (rows.piece == NULL)
		return;
	rows_collect(d, &rows, pinned);
	if (d->l->both == NULL) {
		part_begin(&rows.part[0], d, d->s);
		rows_job(&rows, 0);
		d->l->stopped |= rows.stopped;
		part_end(&rows.part[0], d->l);
		free(rows.piece);
		return;
	}
	for (int i = 0; i < 2; i++) {
		scene_clear(&d->l->part[i]);
		part_begin(&rows.part[i], d, &d->l->part[i]);
	}
	d->l->both(rows_job, &rows);
	d->l->stopped |= rows.stopped;
	for (size_t i = 0; i < rows.n && !rows.stopped; i++) {
		const struct piece *p = &rows.piece[i];

		scene_append(d->s, &d->l->part[p->who], p->item, p->items,
		    p->text, p->bytes);
	}
	for (int i = 0; i < 2; i++)
		part_end(&rows.part[i], d->l);
	free(rows.piece);
}

/* Those that scroll go below the pinned ones. */
void
timeline_draw_rows(struct timeline_draw *d)
{
	int32_t w = d->v->width * SCENE_ONE, y = d->l->pinned_height;
	uint64_t in_sight[TIMELINE_KEPT / 64] = { 0 };

	draw_some(d, false, in_sight);
	if (d->l->npinned > 0) {
		scene_rect(d->s, 0, 0, w, y * SCENE_ONE, d->pal->panel);
		draw_some(d, true, in_sight);
		scene_rect(d->s, 0, (y - 2) * SCENE_ONE, w, y * SCENE_ONE,
		    d->pal->faint);
	}
	timeline_columns_thin(d->l, in_sight);
}
