/*
 * The critical path over its time, as three bands: the function that it was in,
 * on which node, in which state.  A pixel shows what it was in at its middle;
 * ways between threads are dim.
 */
#include <stdlib.h>

#include "layout/chart/axis.h"
#include "ui/draw/draw.h"
#include "ui/views/path/pathview.h"
#include "ui/views/view.h"

#define FUNCTION_PX 14
#define NODE_PX     8
#define STATE_PX    6
#define GAP_PX      3
#define LABEL_PX    58

/* The piece that has t; NULL: it is on the way then. */
static const struct critical_piece *
piece_at(const struct critical_piece *p, size_t n, int64_t t)
{
	size_t lo = 0, hi = n, mid;

	while (lo < hi) { /* the latest come first */
		mid = (lo + hi) / 2;
		if (p[mid].t0_mon_ns > t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo < n && t < p[lo].t1_mon_ns ? &p[lo] : NULL);
}

struct band {
	uint32_t function, node, state;
};

static void
colours(const struct ui *ui, const struct critical_piece *p, int64_t t,
    struct band *b)
{
	const struct palette *pal = ui->palette;
	struct span s;

	*b = (struct band){ pal->line, pal->line, pal->line };
	if (p == NULL)
		return;
	b->node =
	    palette_of_node(ui->model, model_lane(ui->model, p->lane)->node);
	if (model_lane_span_at(ui->model, p->lane, t, &s) != 1)
		return;
	b->state = pal->state[s.class];
	b->function = s.class == LANE_running && s.name != 0
			  ? palette_of_name(ui->model, s.name)
			  : pal->state[s.class];
}

static void
labels(struct ui *ui, struct canvas *c, int32_t x1, int32_t y)
{
	static const char *const word[] = { "function", "node", "state" };
	static const int32_t at[] = { FUNCTION_PX - 3,
		FUNCTION_PX + GAP_PX + NODE_PX, 0 };

	for (int i = 0; i < 2; i++)
		draw_right(c, FONT_SMALL, x1 - 8, y + at[i], ui->palette->dim,
		    "%s", word[i]);
	draw_right(c, FONT_SMALL, x1 - 8,
	    y + FUNCTION_PX + NODE_PX + STATE_PX + 2 * GAP_PX + 6,
	    ui->palette->dim, "%s", word[2]);
}

/* What the lanes show of it. */
static void
frame_in_sight(struct ui *ui, struct canvas *c, const struct rect *r,
    int64_t t0, int64_t t1)
{
	double px = (double)(r->x1 - r->x0) / (double)(t1 - t0);
	int64_t a = ui->time.t0_mon_ns, b = ui->time.t1_mon_ns;
	struct rect at = *r;

	if (a <= t0 && b >= t1)
		return;
	a = a < t0 ? t0 : a > t1 ? t1 : a;
	b = b < t0 ? t0 : b > t1 ? t1 : b;
	at.x0 = r->x0 + (int32_t)((double)(a - t0) * px);
	at.x1 = r->x0 + (int32_t)((double)(b - t0) * px) + 1;
	if (at.x1 > at.x0)
		draw_frame(c, &at, ui->palette->accent);
}

void
path_ribbon(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct critical *k = path_shown(ui);
	const struct critical_piece *p;
	struct rect in = { r->x0 + LABEL_PX, r->y0, r->x1, r->y0 + 40 };
	int32_t y = r->y0, w = in.x1 - in.x0;
	int64_t t0, t1, t;
	uint64_t all;
	size_t n;
	struct band b;
	char from[40], to[40];

	if (k == NULL || w < 40)
		return;
	n = critical_pieces(k, &p, &all);
	critical_range(k, &t0, &t1);
	if (n == 0 || t1 <= t0)
		return;
	labels(ui, c, in.x0, y);
	for (int32_t x = 0; x < w; x++) {
		t = t0 + (int64_t)((double)(t1 - t0) * ((double)x + 0.5) / w);
		colours(ui, piece_at(p, n, t), t, &b);
		canvas_fill(c, in.x0 + x, y, in.x0 + x + 1, y + FUNCTION_PX,
		    b.function);
		canvas_fill(c, in.x0 + x, y + FUNCTION_PX + GAP_PX,
		    in.x0 + x + 1, y + FUNCTION_PX + GAP_PX + NODE_PX, b.node);
		canvas_fill(c, in.x0 + x,
		    y + FUNCTION_PX + NODE_PX + 2 * GAP_PX, in.x0 + x + 1,
		    y + FUNCTION_PX + NODE_PX + STATE_PX + 2 * GAP_PX, b.state);
	}
	in.y1 = y + FUNCTION_PX + NODE_PX + STATE_PX + 2 * GAP_PX + 1;
	frame_in_sight(ui, c, &in, t0, t1);
	draw_text(c, FONT_SMALL, in.x0, y + PATH_RIBBON_PX - 4,
	    ui->palette->dim, "%s",
	    run_time(ui, t0, (t1 - t0) / 100 + 1, from, sizeof(from)));
	draw_right(c, FONT_SMALL, in.x1, y + PATH_RIBBON_PX - 4,
	    ui->palette->dim, "%s",
	    run_time(ui, t1, (t1 - t0) / 100 + 1, to, sizeof(to)));
}
