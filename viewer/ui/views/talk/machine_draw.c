/*
 * The machine: a square for each PO, node or thread, filled by what it is
 * doing, edged by its node; where they stand, and what frames them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine_inside.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define LARGE_MIN    200 /* px of height: with words and a legend */
#define SQUARE_FULL  30  /* px: half of the distance, up to so many; then */
#define SQUARE_PART  4   /* such a part of it, */
#define SQUARE_MOST  96  /* up to so many */
#define SQUARE_LEAST 5
#define TEXT_LEAST   13  /* px of a square with its number in it */
#define NAMED_LEAST  56  /* and with the name of its node */
#define APART_MOST   240 /* px from one square to the next */
#define EDGE_PX      30  /* around all of them */
#define NODES_NAMED  8

/* --- where they stand --- */

/* So many px wide and high for all of them, in the room there is. */
static void
extent(const struct machine_layout *l, uint32_t n, int32_t *w, int32_t *h)
{
	struct shape s = shape_for(&l->shape, n);
	double aspect = s.kind == SHAPE_OWN ? l->aspect : 1;
	int32_t apart;

	if (s.kind == SHAPE_GRID) {
		int32_t cols = s.cols > 1 ? (int32_t)s.cols - 1 : 1;
		int32_t rows = s.rows > 1 ? (int32_t)s.rows - 1 : 1;

		apart = *w / cols < *h / rows ? *w / cols : *h / rows;
		apart = apart < APART_MOST ? apart : APART_MOST;
		*w = *w / cols < apart * 3 / 2 ? *w : cols * apart * 3 / 2;
		*h = *h / rows < apart * 3 / 2 ? *h : rows * apart * 3 / 2;
		return;
	}
	if (*w > *h * aspect)
		*w = (int32_t)(*h * aspect);
	else
		*h = (int32_t)(*w / aspect);
}

/* From one square to its nearest: the larger of the two distances. */
static int32_t
nearest(const struct machine_plan *p, uint32_t n)
{
	int32_t least = INT32_MAX;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i + 1; j < n && p->at[i].there; j++) {
			int32_t dx = abs(p->at[i].x - p->at[j].x);
			int32_t dy = abs(p->at[i].y - p->at[j].y);

			dx = dx > dy ? dx : dy;
			if (p->at[j].there && dx < least)
				least = dx;
		}
	return (least);
}

static bool
plan_make(struct ui *ui, const struct machine *m, const struct rect *r,
    struct machine_plan *p)
{
	int32_t edge = r->y1 - r->y0 < LARGE_MIN ? EDGE_PX / 2 : EDGE_PX;
	int32_t w = r->x1 - r->x0 - 2 * edge, h = r->y1 - r->y0 - 2 * edge;
	int32_t x0, y0, near;
	double x, y;

	memset(p, 0, sizeof(*p));
	if (w < SQUARE_LEAST || h < SQUARE_LEAST)
		return (false);
	p->at = calloc(m->g.n, sizeof(*p->at));
	if (p->at == NULL)
		return (false);
	extent(&machine_figures(ui)->layout, m->g.n, &w, &h);
	x0 = (r->x0 + r->x1 - w) / 2;
	y0 = (r->y0 + r->y1 - h) / 2;
	for (uint32_t i = 0; i < m->g.n; i++) {
		if (!machine_place(ui, m, i, &x, &y))
			continue;
		p->at[i] = (struct machine_spot){ x0 + (int32_t)(x * w),
			y0 + (int32_t)(y * h), true };
		p->placed++;
	}
	near = nearest(p, m->g.n);
	p->side = near / 2 < SQUARE_FULL             ? near / 2
		  : near / SQUARE_PART < SQUARE_FULL ? SQUARE_FULL
		  : near / SQUARE_PART < SQUARE_MOST ? near / SQUARE_PART
						     : SQUARE_MOST;
	p->side = p->side < SQUARE_LEAST ? SQUARE_LEAST : p->side;
	return (true);
}

/* --- squares --- */

static void
draw_ground(struct ui *ui, struct canvas *c, const struct machine *m,
    const struct machine_plan *p)
{
	const struct shape *s = &machine_figures(ui)->layout.shape;

	for (uint32_t i = 0; i < m->g.n; i++)
		for (uint32_t j = i + 1; j < m->g.n; j++)
			if (p->at[i].there && p->at[j].there &&
			    shape_joined(s, m->g.n, i, j))
				canvas_line_aa(c, p->at[i].x * SCENE_ONE,
				    p->at[i].y * SCENE_ONE,
				    p->at[j].x * SCENE_ONE,
				    p->at[j].y * SCENE_ONE, SCENE_ONE,
				    ui->palette->grid, 255);
}

static void
hint_square(struct ui *ui, const struct machine *m, uint32_t i)
{
	const struct machine_square *q = &m->square[i];
	char name[96], words[120], since[32];

	talk_end_label(ui, &m->g.group[i], name, sizeof(name));
	snprintf(ui->spots.hint, sizeof(ui->spots.hint),
	    "%s\n%s%s%s\n%" PRIu32 " on the way to it, %" PRIu32 " from it",
	    name, machine_words(q, words, sizeof(words)),
	    q->since_ns != INT64_MIN ? "\nsince " : "",
	    q->since_ns != INT64_MIN
		? format_span(since, sizeof(since), m->t_ns - q->since_ns)
		: "",
	    q->to, q->from);
}

/* What stands in it: the number of a PO or thread, the end of a node's name. */
static void
draw_number(struct ui *ui, struct canvas *c, const struct talk_end *e,
    int32_t x, int32_t y, int32_t side, uint32_t rgb)
{
	const char *node = label_node(ui->model, e->node);
	size_t n = strlen(node);
	char text[16];

	if (e->lane != UINT32_MAX)
		snprintf(text, sizeof(text), "%" PRIu32,
		    model_lane(ui->model, e->lane)->thread);
	else if (e->po != 0)
		snprintf(text, sizeof(text), "%" PRIu32, e->po);
	else
		snprintf(text, sizeof(text), "%s", n > 4 ? node + n - 4 : node);
	if (side >= NAMED_LEAST && (e->po != 0 || e->lane != UINT32_MAX) &&
	    text_width(FONT_SMALL, node, n) <= side - 8) {
		draw_centre(c, FONT_SMALL, x, y + 12, rgb, "%s", node);
		y -= 5;
	}
	if (side >= TEXT_LEAST &&
	    text_width(FONT_SMALL, text, strlen(text)) <= side - 4)
		draw_centre(c, FONT_SMALL, x, y + 4, rgb, "%s", text);
}

static void
draw_queue(struct ui *ui, struct canvas *c, const struct machine_plan *p,
    uint32_t i, uint32_t n)
{
	const struct palette *q = ui->palette;
	uint32_t rgb = palette_on(q, q->state[LANE_wait_message]);
	int32_t x = p->at[i].x + p->side / 2, y = p->at[i].y - p->side / 2;
	char text[16];
	int32_t w;

	snprintf(text, sizeof(text), n > 99 ? "99+" : "%" PRIu32, n);
	w = text_width(FONT_SMALL, text, strlen(text)) + 4;
	if (p->side < TEXT_LEAST)
		return;
	canvas_fill(c, x - 3, y - 9, x - 3 + w, y + 3, rgb);
	canvas_fill(c, x - 2, y - 8, x - 4 + w, y + 2, q->background);
	draw_text(c, FONT_SMALL, x - 1, y + 1, palette_ink(q, rgb), "%s", text);
}

/* Not there yet: an empty one; over: crossed. */
static void
draw_square(struct ui *ui, struct canvas *c, const struct machine *m,
    const struct machine_plan *p, uint32_t i)
{
	const struct machine_square *q = &m->square[i];
	const struct talk_end *e = &m->g.group[i];
	const struct palette *k = ui->palette;
	int32_t x = p->at[i].x - p->side / 2, y = p->at[i].y - p->side / 2;
	int32_t s = p->side, edge = s >= TEXT_LEAST ? 2 : 1;
	unsigned class = machine_class(q);
	uint32_t node = palette_on(k, palette_of_node(ui->model, e->node));
	uint32_t rgb = class == LANE_idle ? k->line : k->state[class];
	bool chosen =
	    q->lane != UINT32_MAX && q->lane == ui->time.selected_lane;

	if (chosen)
		canvas_fill(c, x - 3, y - 3, x + s + 3, y + s + 3, k->accent);
	canvas_fill(c, x, y, x + s, y + s, node);
	if (q->live == 0)
		canvas_fill(c, x + edge, y + edge, x + s - edge, y + s - edge,
		    k->background);
	else if (lane_waits(class))
		canvas_hatch(c, x + edge, y + edge, x + s - edge, y + s - edge,
		    rgb, palette_mix(rgb, k->background, 110));
	else
		canvas_fill(c, x + edge, y + edge, x + s - edge, y + s - edge,
		    rgb);
	if (q->live == 0 && q->ended > 0)
		for (int t = -1; t <= 1; t += 2)
			canvas_line_aa(c, (x + 3) * SCENE_ONE,
			    (t < 0 ? y + 3 : y + s - 3) * SCENE_ONE,
			    (x + s - 3) * SCENE_ONE,
			    (t < 0 ? y + s - 3 : y + 3) * SCENE_ONE, SCENE_ONE,
			    k->faint, 255);
	draw_number(ui, c, e, p->at[i].x, p->at[i].y, s,
	    q->live == 0 ? k->dim : palette_text_on(rgb));
	if (q->to > 0)
		draw_queue(ui, c, p, i, q->to);
	if (q->lane != UINT32_MAX)
		spot_add(ui, x, y, x + s, y + s, "select-row %" PRIu32,
		    q->lane);
	if (hint_wanted(ui, x, y, x + s, y + s))
		hint_square(ui, m, i);
}

/* --- what frames it --- */

static void
draw_choices(struct ui *ui, struct canvas *c, const struct machine *m,
    struct words *w)
{
	static const char *const names[] = { "auto", "ring", "hypercube" };
	static const enum shape_kind kinds[] = { SHAPE_AUTO, SHAPE_RING,
		SHAPE_HYPERCUBE };
	const struct shape *s = &machine_figures(ui)->layout.shape;
	char text[64];

	words_say(ui, c, w, "shape:");
	for (int i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "machine-shape %s", names[i]);
		words_choice(ui, c, w, names[i], s->kind == kinds[i], text);
	}
	if (s->kind == SHAPE_GRID || s->kind == SHAPE_OWN)
		words_choice(ui, c, w,
		    shape_name(s, m->g.n, text, sizeof(text)), true,
		    "prompt > machine-shape ");
	else
		words_choice(ui, c, w, "rows x columns ...", false,
		    "prompt > machine-shape ");
	words_say(ui, c, w, "   of:");
	for (int i = 0; i < TALK_LEVELS; i++) {
		snprintf(text, sizeof(text), "communication %s",
		    talk_level_name[i]);
		words_choice(ui, c, w, talk_level_name[i],
		    ui->chosen.talk.level == i, text);
	}
}

static void
draw_states(struct ui *ui, struct canvas *c, const struct machine *m,
    struct words *w)
{
	static const uint8_t order[] = { LANE_running, LANE_overhead,
		LANE_wait_message, LANE_wait_lock, LANE_wait_sync,
		LANE_wait_cond, LANE_wait_rpc, LANE_lost, LANE_idle };
	uint32_t in[LANE_CLASSES] = { 0 };
	char text[80];

	for (uint32_t i = 0; i < m->g.n; i++)
		if (m->square[i].live > 0)
			in[machine_class(&m->square[i])]++;
	for (size_t i = 0; i < sizeof(order); i++) {
		if (in[order[i]] == 0)
			continue;
		snprintf(text, sizeof(text), "%s %" PRIu32,
		    label_class(order[i]), in[order[i]]);
		words_sign(ui, c, w,
		    order[i] == LANE_idle ? ui->palette->line
					  : ui->palette->state[order[i]],
		    lane_waits(order[i]), text);
	}
}

static void
draw_kinds(struct ui *ui, struct canvas *c, const struct machine *m,
    struct words *w)
{
	static const char *const kind[NOW_KINDS] = { "message, size: bytes",
		"call: setup", "runs there", "return" };
	char text[80];

	if (!m->links) {
		words_say(ui, c, w,
		    "single messages were given up for want of memory");
		return;
	}
	for (int i = 0; i < NOW_KINDS; i++) {
		if (i != NOW_MESSAGE && m->now.count[i] == 0)
			continue;
		snprintf(text, sizeof(text), "%s %s%" PRIu32, kind[i],
		    m->now.more ? ">" : "", m->now.count[i]);
		words_sign(ui, c, w,
		    machine_way_rgb(ui->palette, (enum now_kind)i), false,
		    text);
	}
	words_sign(ui, c, w,
	    palette_on(ui->palette, ui->palette->state[LANE_wait_message]),
	    false, "so many are on their way to it");
}

static void
draw_nodes(struct ui *ui, struct canvas *c, const struct machine *m,
    struct words *w)
{
	uint32_t named = 0, last = UINT32_MAX;
	char more[32];

	words_say(ui, c, w, "edge:");
	for (uint32_t i = 0; i < m->g.n; i++) {
		const struct talk_end *e = &m->g.group[i];

		if (e->node == last)
			continue;
		last = e->node;
		if (named++ >= NODES_NAMED)
			continue;
		words_sign(ui, c, w,
		    palette_on(ui->palette,
			palette_of_node(ui->model, e->node)),
		    false, label_node(ui->model, e->node));
	}
	snprintf(more, sizeof(more), "and %" PRIu32 " more",
	    named - NODES_NAMED);
	if (named > NODES_NAMED)
		words_say(ui, c, w, more);
}

/* What the colours mean, from its lower edge up; returns px above it. */
static int32_t
draw_legend(struct ui *ui, struct canvas *c, const struct machine *m,
    const struct rect *r, int32_t lines)
{
	struct rect at = { r->x0, r->y1 - lines * WORDS_PX, r->x1, r->y1 };
	struct words w;

	words_begin(&w, &at);
	draw_states(ui, c, m, &w);
	draw_kinds(ui, c, m, &w);
	draw_nodes(ui, c, m, &w);
	return (w.baseline);
}

static void
draw_title(struct ui *ui, struct canvas *c, const struct machine *m,
    const struct machine_plan *p, size_t heads, int32_t x, int32_t y)
{
	char at[40], text[200];
	const char *what;
	int n;

	(void)run_instant(ui, &what);
	n = snprintf(text, sizeof(text), "at %s, %s%s%" PRIu32 " on their way",
	    run_time(ui, m->t_ns, 1000, at, sizeof(at)), what,
	    m->now.more ? ", more than " : ", ", (uint32_t)m->now.n);
	if (p->placed < m->g.n)
		n += snprintf(text + n, sizeof(text) - (size_t)n,
		    "; %" PRIu32 " of %" PRIu32 " have no place in it",
		    m->g.n - p->placed, m->g.n);
	if (heads == HEADS_MOST)
		snprintf(text + n, sizeof(text) - (size_t)n,
		    "; the first %d are drawn", HEADS_MOST);
	draw_text(c, FONT_SMALL, x, y, ui->palette->dim, "%s%s", text,
	    m->about ? "; states are about right" : "");
}

static void
draw_all(struct ui *ui, struct canvas *c, const struct machine *m,
    const struct rect *r, const struct rect *title)
{
	struct machine_plan p;
	size_t heads;

	if (!plan_make(ui, m, r, &p))
		return;
	draw_ground(ui, c, m, &p);
	machine_ways_draw(ui, c, m, &p);
	for (uint32_t i = 0; i < m->g.n; i++)
		if (p.at[i].there)
			draw_square(ui, c, m, &p, i);
	heads = machine_heads_draw(ui, c, m, &p);
	if (title != NULL)
		draw_title(ui, c, m, &p, heads, title->x0, title->y0 + 12);
	free(p.at);
}

void
machine_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct machine *m = machine_now(ui);
	struct rect at = *r, title = *r;
	struct canvas was = *c, off = *c;
	struct words w;
	int32_t lines;

	if (!m->known || m->model != ui->model) {
		words_empty(ui, c, r,
		    machine_figures(ui)->busy ? "adding up ..."
					      : "no process has begun yet",
		    "");
		return;
	}
	if (r->y1 - r->y0 < LARGE_MIN) {
		draw_all(ui, c, m, r, NULL);
		return;
	}
	words_begin(&w, r);
	draw_choices(ui, c, m, &w);
	title.y0 = words_end(&w) + 2;
	/* how many lines the legend has, in as much room */
	canvas_clip(&off, 0, 0, 0, 0);
	lines = (draw_legend(ui, &off, m, r, 1) - (r->y1 - WORDS_PX + 12)) /
		    WORDS_PX +
		1;
	(void)draw_legend(ui, c, m, r, lines);
	at.y0 = title.y0 + WORDS_PX;
	at.y1 = r->y1 - lines * WORDS_PX;
	canvas_clip(c, r->x0, r->y0, r->x1, r->y1);
	draw_all(ui, c, m, &at, &title);
	*c = was;
}
