/*
 * Who is talking to whom at the instant that all views are of: messages in
 * flight, calls in their phase, and which POs live, as a matrix.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/matrix.h"
#include "talklife.h"
#include "talklook.h"
#include "talkparts.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/traffic/talkcount.h"
#include "ui/views/words.h"

#define DESCRIBED 16
#define LARGE_PX  30
#define NAMES_PX  150
#define HEAD_PX   50
#define BELOW_PX  44

/* --- drawn --- */

struct cells {
	struct talk_groups g;
	uint32_t *place; /* row, of each lane */
	uint16_t *of;    /* kinds in each square, as bits */
	uint8_t *lives;  /* enum life of each row */
	uint32_t lanes;
};

static void
cells_free(struct cells *k)
{
	talk_groups_clear(&k->g);
	free(k->place);
	free(k->of);
	free(k->lives);
}

static bool
cells_make(const struct ui *ui, const struct now *w, uint32_t most,
    struct cells *k)
{
	uint32_t po;

	memset(k, 0, sizeof(*k));
	k->lanes = model_lanes(ui->model);
	k->place = malloc((k->lanes + 1) * sizeof(*k->place));
	if (k->place == NULL ||
	    !talk_groups_make(ui, talk_level_of(ui), most, &k->g) ||
	    !talk_places(ui->model, k->lanes,
		talk_level_of(ui) == TALK_BY_THREAD, k->place)) {
		talk_groups_clear(&k->g);
		free(k->place);
		return (false);
	}
	k->of = calloc((size_t)k->g.n * k->g.n, sizeof(*k->of));
	for (uint32_t i = 0; i < k->lanes; i++) {
		po = k->place[i];
		k->place[i] = po < k->g.nof ? k->g.of[po] : UINT32_MAX;
	}
	for (size_t i = 0; k->of != NULL && i < w->n; i++) {
		const struct now_item *x = &w->item[i];

		if (x->from < k->lanes && x->to < k->lanes &&
		    k->place[x->from] != UINT32_MAX &&
		    k->place[x->to] != UINT32_MAX)
			k->of[(size_t)k->place[x->from] * k->g.n +
			      k->place[x->to]] |= (uint16_t)(1u << x->kind);
	}
	k->lives = lives_of(ui, &k->g, w->t_ns);
	if (k->of == NULL || k->lives == NULL) {
		cells_free(k);
		return (false);
	}
	return (true);
}

static uint32_t
phase_rgb(unsigned phases)
{
	return (phases == 1u << NOW_SETUP    ? PALETTE_RPC_OUT
		: phases == 1u << NOW_REMOTE ? PALETTE_RPC_WORK
		: phases == 1u << NOW_RETURN ? PALETTE_RPC_BACK
					     : PALETTE_SEVERAL);
}

static void
draw_cell(struct ui *ui, struct canvas *c, const struct matrix *m, uint32_t row,
    uint32_t col, unsigned kinds)
{
	unsigned phases = kinds & ~(1u << NOW_MESSAGE);
	int32_t x = m->x + (int32_t)col * m->cell, mid = m->cell / 2;
	int32_t y = m->y + (int32_t)row * m->cell, half = m->cell / 5 + 1;

	if (phases != 0)
		canvas_fill(c, x, y, x + m->cell - m->gap, y + m->cell - m->gap,
		    phase_rgb(phases));
	if ((kinds & 1u << NOW_MESSAGE) != 0)
		canvas_fill(c, x + mid - half, y + mid - half, x + mid + half,
		    y + mid + half, ui->palette->text);
}

/* Nothing of what is not made yet. */
static void
draw_life(struct canvas *c, int32_t x, int32_t y, enum life life, uint32_t rgb)
{
	int32_t q = SCENE_ONE, r = 4 * q;

	if (life == LIFE_NONE)
		return;
	if (life == LIFE_ALIVE) {
		canvas_disc(c, x * q, y * q, r, rgb, 255);
		return;
	}
	canvas_circle(c, x * q, y * q, r, q, rgb, 255);
	if (life == LIFE_ENDED) {
		canvas_line_aa(c, (x - 3) * q, (y - 3) * q, (x + 3) * q,
		    (y + 3) * q, q, rgb, 255);
		canvas_line_aa(c, (x - 3) * q, (y + 3) * q, (x + 3) * q,
		    (y - 3) * q, q, rgb, 255);
	}
}

static void
draw_names(struct ui *ui, struct canvas *c, const struct matrix *m,
    const struct talk_groups *g, const uint8_t *lives)
{
	char name[160];

	for (uint32_t i = 0; i < g->n && m->cell >= 9; i++) {
		int32_t at = (int32_t)i * m->cell + m->cell / 2;
		uint32_t rgb = palette_on(ui->palette,
		    palette_of_node(ui->model, g->group[i].node));
		int32_t half = m->cell / 2;

		draw_cut_middle(c, FONT_SMALL, m->x - NAMES_PX, m->y + at + 4,
		    NAMES_PX - 18, ui->palette->dim,
		    talk_end_label(ui, &g->group[i], name, sizeof(name)));
		draw_life(c, m->x - 9, m->y + at, lives[i], rgb);
		draw_life(c, m->x + at, m->y - 9, lives[i], rgb);
		spot_add(ui, m->x - NAMES_PX, m->y + at - half, m->x - 15,
		    m->y + at + half, "select-row %" PRIu32, g->row[i]);
		spot_add(ui, m->x - 15, m->y + at - half, m->x - 2,
		    m->y + at + half, "open-row %" PRIu32, g->row[i]);
		spot_add(ui, m->x + at - half, m->y - 28, m->x + at + half,
		    m->y - 2, "open-row %" PRIu32, g->row[i]);
		if (g->group[i].po != 0 && m->cell >= 14)
			draw_centre(c, FONT_SMALL, m->x + at, m->y - 18,
			    ui->palette->dim, "%" PRIu32, g->group[i].po);
	}
}

static void
draw_legend(struct ui *ui, struct canvas *c, const struct rect *r, int32_t y,
    const struct now *w)
{
	const struct palette *p = ui->palette;
	struct rect line = { r->x0, y, r->x1, y + WORDS_PX };
	char text[64];
	struct words k;

	words_begin(&k, &line);
	snprintf(text, sizeof(text), "%" PRIu32 " messages in flight",
	    w->count[NOW_MESSAGE]);
	words_sign(ui, c, &k, p->text, false, text);
	snprintf(text, sizeof(text), "call: setup %" PRIu32,
	    w->count[NOW_SETUP]);
	words_sign(ui, c, &k, PALETTE_RPC_OUT, false, text);
	snprintf(text, sizeof(text), "runs there %" PRIu32,
	    w->count[NOW_REMOTE]);
	words_sign(ui, c, &k, PALETTE_RPC_WORK, false, text);
	snprintf(text, sizeof(text), "return %" PRIu32, w->count[NOW_RETURN]);
	words_sign(ui, c, &k, PALETTE_RPC_BACK, false, text);
	words_sign(ui, c, &k, PALETTE_SEVERAL, false, "several");
	for (int i = LIFE_MADE; i < LIVES; i++) {
		if (k.x + 90 > k.x1)
			words_say(ui, c, &k, "");
		draw_life(c, k.x + 6, k.baseline - 4, i, p->dim);
		k.x += 14;
		words_say(ui, c, &k, life_word[i]);
	}
}

static void
hint_cell(struct ui *ui, const struct cells *k, const struct now *w,
    uint32_t row, uint32_t col)
{
	char a[160], b[160], span[32], *to = ui->spots.hint;
	size_t max = sizeof(ui->spots.hint);

	snprintf(to, max, "%.70s to %.70s",
	    talk_end_label(ui, &k->g.group[row], a, sizeof(a)),
	    talk_end_label(ui, &k->g.group[col], b, sizeof(b)));
	for (size_t i = 0; i < w->n && strlen(to) + 60 < max; i++) {
		const struct now_item *x = &w->item[i];

		if (x->from >= k->lanes || x->to >= k->lanes ||
		    k->place[x->from] != row || k->place[x->to] != col)
			continue;
		snprintf(to + strlen(to), max - strlen(to), "\n%s%s, for %s",
		    x->kind == NOW_MESSAGE ? "" : "call: ", now_word[x->kind],
		    format_span(span, sizeof(span),
			w->t_ns - x->link.t0_mon_ns));
	}
}

static void
draw_cells(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct cells *k, const struct now *w)
{
	uint32_t n = k->g.n, row, col;
	struct shades shades = { 0 };
	double *none = calloc((size_t)n * n, sizeof(*none));
	struct scene s = { 0 };
	struct matrix m;

	if (none == NULL ||
	    !matrix_fit(&m, n, n, r->x0 + NAMES_PX, r->y0 + HEAD_PX,
		r->x1 - r->x0 - NAMES_PX, r->y1 - r->y0 - HEAD_PX - BELOW_PX,
		LARGE_PX, 0)) {
		free(none);
		return;
	}
	matrix_scene(&m, none, &shades, ui->palette, &s);
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
	free(none);
	for (uint32_t i = 0; i < n * n; i++)
		if (k->of[i] != 0)
			draw_cell(ui, c, &m, i / n, i % n, k->of[i]);
	draw_names(ui, c, &m, &k->g, k->lives);
	draw_legend(ui, c, r, m.y + (int32_t)n * m.cell + 6, w);
	if (hint_wanted(ui, r->x0, r->y0, r->x1, r->y1) &&
	    matrix_hit(&m, ui->mouse.x, ui->mouse.y, &row, &col))
		hint_cell(ui, k, w, row, col);
}

void
now_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	int32_t px = r->y1 - r->y0 - HEAD_PX - BELOW_PX;
	const char *what;
	struct cells k;
	struct now w;
	char at[40];

	if (!now_look(ui, run_instant(ui, &what), &w)) {
		draw_text(c, FONT_SMALL, r->x0, r->y0 + 16, ui->palette->dim,
		    "single messages were given up for want of memory");
		return;
	}
	draw_text(c, FONT_SMALL, r->x0, r->y0 + 10, ui->palette->dim,
	    "now: at %s, from row to column",
	    run_time(ui, w.t_ns, 1000, at, sizeof(at)));
	if (cells_make(ui, &w, px < 6 ? 1 : (uint32_t)px / 3, &k)) {
		draw_cells(ui, c, r, &k, &w);
		cells_free(&k);
	}
	free(w.item);
}

static void
describe_lives(struct ui *ui, FILE *f, int64_t t)
{
	uint32_t in[LIVES] = { 0 };
	struct talk_groups g;
	char name[160];
	uint8_t *lives;

	if (!talk_groups_make(ui, talk_level_of(ui), TALK_GROUPS_MAX, &g))
		return;
	lives = lives_of(ui, &g, t);
	for (uint32_t i = 0; lives != NULL && i < g.n; i++)
		in[lives[i]]++;
	fprintf(f, "%s then:", talk_level_name[g.level]);
	for (int i = 0; i < LIVES; i++)
		fprintf(f, "%s %s %" PRIu32, i == 0 ? "" : ",", life_word[i],
		    in[i]);
	fprintf(f, "\n");
	for (uint32_t i = 0; lives != NULL && i < g.n && i < DESCRIBED; i++)
		fprintf(f, "  %s: %s\n",
		    talk_end_label(ui, &g.group[i], name, sizeof(name)),
		    life_word[lives[i]]);
	free(lives);
	talk_groups_clear(&g);
}

static void
describe_item(struct ui *ui, const struct now_item *x, FILE *f)
{
	struct talk_end e = { 0, 1, 0, UINT32_MAX };
	uint32_t lane[2] = { x->from, x->to };
	char name[2][160];

	for (int i = 0; i < 2; i++) {
		snprintf(name[i], sizeof(name[i]), "?");
		if (lane[i] >= model_lanes(ui->model))
			continue;
		e.node = model_lane(ui->model, lane[i])->node;
		e.po = model_lane(ui->model, lane[i])->po;
		talk_end_label(ui, &e, name[i], sizeof(name[i]));
	}
	fprintf(f, "  %s to %s: %s%s since %" PRId64 " ns\n", name[0], name[1],
	    x->kind == NOW_MESSAGE ? "" : "call, ", now_word[x->kind],
	    x->link.t0_mon_ns - run_origin(ui));
}

void
now_describe(struct ui *ui, FILE *f)
{
	const char *what;
	struct now w;

	if (!now_look(ui, run_instant(ui, &what), &w)) {
		fprintf(f, "now: not known\n");
		return;
	}
	fprintf(f,
	    "now: at %" PRId64 " ns, %" PRIu32
	    " messages in flight, calls: setup %" PRIu32 ", remote %" PRIu32
	    ", return %" PRIu32 "\n",
	    w.t_ns - run_origin(ui), w.count[NOW_MESSAGE], w.count[NOW_SETUP],
	    w.count[NOW_REMOTE], w.count[NOW_RETURN]);
	for (size_t i = 0; i < w.n && i < DESCRIBED; i++)
		describe_item(ui, &w.item[i], f);
	describe_lives(ui, f, w.t_ns);
	free(w.item);
}
