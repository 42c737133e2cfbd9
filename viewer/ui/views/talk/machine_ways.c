/*
 * What is on its way in the machine: curves, with a head where it is by now and
 * a tail behind it.  The head's size goes by bytes.  Of what has no effect yet
 * nobody knows where it goes: it stands beside its sender.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "machine_inside.h"
#include "ui/draw/draw.h"
#include "ui/views/view.h"

#define BEND       0.16
#define PIECES     16 /* of a curve */
#define WAYS_NEAR  8  /* px: the pointer is on a head */
#define BEND_MOST  44 /* px */
#define LOOPS_MOST 64 /* squares; with more there are no loops to itself */

struct curve {
	double x[3], y[3];
};

static struct curve
curve_of(const struct machine_plan *p, uint32_t from, uint32_t to)
{
	const struct machine_spot *a = &p->at[from], *b = &p->at[to];
	double dx = b->x - a->x, dy = b->y - a->y, bend = BEND;

	if (from == to) /* a loop at the upper left of its square */
		return ((struct curve){
		    { a->x, a->x - 1.8 * p->side, a->x - p->side / 2.0 },
		    { a->y - p->side / 2.0, a->y - 1.8 * p->side, a->y } });
	if (bend * hypot(dx, dy) > BEND_MOST)
		bend = BEND_MOST / hypot(dx, dy);
	return ((struct curve){ { a->x, (a->x + b->x) / 2.0 - dy * bend, b->x },
	    { a->y, (a->y + b->y) / 2.0 + dx * bend, b->y } });
}

static void
curve_at(const struct curve *k, double part, double *x, double *y)
{
	double a = (1 - part) * (1 - part), b = 2 * part * (1 - part),
	       c = part * part;

	*x = a * k->x[0] + b * k->x[1] + c * k->x[2];
	*y = a * k->y[0] + b * k->y[1] + c * k->y[2];
}

static void
curve_draw(struct canvas *c, const struct curve *k, double from, double to,
    int32_t width_q, uint32_t rgb, unsigned alpha, bool dotted)
{
	double x0, y0, x1, y1;

	curve_at(k, from, &x0, &y0);
	for (int i = 1; i <= PIECES; i++, x0 = x1, y0 = y1) {
		curve_at(k, from + (to - from) * i / PIECES, &x1, &y1);
		if (dotted && i % 2 == 0)
			continue;
		canvas_line_aa(c, (int32_t)(x0 * SCENE_ONE),
		    (int32_t)(y0 * SCENE_ONE), (int32_t)(x1 * SCENE_ONE),
		    (int32_t)(y1 * SCENE_ONE), width_q, rgb, (uint8_t)alpha);
	}
}

uint32_t
machine_way_rgb(const struct palette *p, enum now_kind kind)
{
	return (kind == NOW_SETUP    ? palette_on(p, PALETTE_RPC_OUT)
		: kind == NOW_REMOTE ? palette_on(p, PALETTE_RPC_WORK)
		: kind == NOW_RETURN ? palette_on(p, PALETTE_RPC_BACK)
				     : p->text);
}

/* How far it is by now; of what has no end yet half of the way. */
static double
way_part(const struct machine *m, const struct link *l)
{
	if (l->t1_mon_ns == INT64_MAX || l->t1_mon_ns <= l->t0_mon_ns)
		return (0.5);
	return ((double)(m->t_ns - l->t0_mon_ns) /
		(double)(l->t1_mon_ns - l->t0_mon_ns));
}

static double
head_px(const struct machine_plan *p, const struct now_item *x)
{
	double most = p->side / 4.0 > 2 ? p->side / 4.0 : 2;
	double px =
	    2 + (x->link.bytes > 0 ? log10((double)x->link.bytes) * 0.6 : 0);

	return (px < most ? px : most);
}

/* Where its two ends are; false: not both have a place. */
static bool
way_ends(const struct machine *m, const struct machine_plan *p,
    const struct now_item *x, uint32_t *from, uint32_t *to)
{
	*from = machine_end(m, x->from);
	*to = machine_end(m, x->to);
	if (x->kind == NOW_RETURN) { /* it goes back */
		uint32_t was = *from;

		*from = *to;
		*to = was;
	}
	return (*from != UINT32_MAX && *to != UINT32_MAX &&
		p->at[*from].there && p->at[*to].there &&
		(*from != *to || m->g.n <= LOOPS_MOST));
}

/* Each pair and kind once, however much is on that way. */
void
machine_ways_draw(struct ui *ui, struct canvas *c, const struct machine *m,
    const struct machine_plan *p)
{
	uint32_t n = m->g.n, from, to;
	uint8_t *seen = calloc((size_t)n * n, 1);

	for (size_t i = 0; m->links && seen != NULL && i < m->now.n; i++) {
		const struct now_item *x = &m->now.item[i];
		uint32_t rgb = machine_way_rgb(ui->palette, x->kind);
		struct curve k;
		uint8_t *is;

		if (!way_ends(m, p, x, &from, &to))
			continue;
		is = &seen[(size_t)from * n + to];
		if (*is >> x->kind & 1)
			continue;
		*is |= (uint8_t)(1u << x->kind);
		k = curve_of(p, from, to);
		curve_draw(c, &k, 0, 1, SCENE_ONE, rgb, 120,
		    x->kind == NOW_REMOTE);
	}
	free(seen);
}

static void
hint_way(struct ui *ui, const struct machine *m, const struct now_item *x)
{
	uint32_t end[2] = { machine_end(m, x->from), machine_end(m, x->to) };
	char name[2][64], size[32] = "", ago[32];

	for (int i = 0; i < 2; i++) {
		snprintf(name[i], sizeof(name[i]), "nobody knows yet");
		if (end[i] != UINT32_MAX)
			talk_end_spell(ui, &m->g.group[end[i]], name[i],
			    sizeof(name[i]));
	}
	if (x->kind == NOW_MESSAGE)
		format_bytes(size, sizeof(size), x->link.bytes);
	snprintf(ui->spots.hint, sizeof(ui->spots.hint),
	    "%s%s\nfrom %s\nto %s\nsince %s%s%s",
	    x->kind == NOW_MESSAGE ? "" : "call: ", now_word[x->kind], name[0],
	    name[1], format_span(ago, sizeof(ago), m->t_ns - x->link.t0_mon_ns),
	    size[0] != '\0' ? "\n" : "", size);
}

/* The head at a place, and what it does there. */
static void
draw_head(struct ui *ui, struct canvas *c, const struct machine *m,
    const struct machine_plan *p, size_t i, double x, double y)
{
	const struct now_item *k = &m->now.item[i];
	double r = head_px(p, k);
	int32_t px = (int32_t)x, py = (int32_t)y;

	if (k->link.t1_mon_ns == INT64_MAX && k->kind != NOW_REMOTE)
		canvas_circle(c, (int32_t)(x * SCENE_ONE),
		    (int32_t)(y * SCENE_ONE), (int32_t)(r * SCENE_ONE),
		    SCENE_ONE, machine_way_rgb(ui->palette, k->kind), 255);
	else
		canvas_disc(c, (int32_t)(x * SCENE_ONE),
		    (int32_t)(y * SCENE_ONE), (int32_t)(r * SCENE_ONE),
		    machine_way_rgb(ui->palette, k->kind), 255);
	if (!hint_wanted(ui, px - WAYS_NEAR, py - WAYS_NEAR, px + WAYS_NEAR,
		py + WAYS_NEAR))
		return;
	hint_way(ui, m, k);
	spot_add(ui, px - WAYS_NEAR, py - WAYS_NEAR, px + WAYS_NEAR,
	    py + WAYS_NEAR, "on-the-way %zu", i + 1);
}

/* Heads with their tails, over the squares; returns how many were drawn. */
size_t
machine_heads_draw(struct ui *ui, struct canvas *c, const struct machine *m,
    const struct machine_plan *p)
{
	size_t drawn = 0;
	uint32_t from, to;
	double x, y;

	for (size_t i = 0; m->links && i < m->now.n && drawn < HEADS_MOST;
	     i++) {
		const struct now_item *k = &m->now.item[i];
		uint32_t at =
		    machine_end(m, k->kind == NOW_RETURN ? k->to : k->from);
		struct curve way;
		double part = way_part(m, &k->link);

		if (way_ends(m, p, k, &from, &to)) {
			way = curve_of(p, from, to);
			curve_at(&way, part, &x, &y);
			curve_draw(c, &way, part > 0.14 ? part - 0.14 : 0, part,
			    2 * SCENE_ONE,
			    machine_way_rgb(ui->palette, k->kind), 255, false);
		} else if (at != UINT32_MAX && p->at[at].there && from != to) {
			/* nobody knows where it goes */
			x = p->at[at].x + p->side / 2.0 + 5;
			y = p->at[at].y + p->side / 2.0 + 5;
		} else {
			continue;
		}
		draw_head(ui, c, m, p, i, x, y);
		drawn++;
	}
	return (drawn);
}
