/*
 * Call stacks: what every living thread is in at one instant, outermost
 * first; a wait at its end is hatched.  The list is as long as there are
 * threads, and only what is in sight is asked for.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/detail.h"
#include "model/run/hand.h"
#include "streak.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define ROW_PX    17
#define LABEL_PX  190 /* at least; a fifth where there is more room */
#define LABEL_MAX 340
#define DEPTH_FEW 64  /* as a rule */
#define WIDE_PX   560 /* with streaks */

const struct legend_row stacks_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0,
	    "a call, the innermost at the right: the function's own colour" },
	{ ITEM_RECT, LEGEND_STATE(running), "running, of no name" },
	{ ITEM_RECT, LEGEND_AREA(state[LANE_running]),
	    "a short one: it lives, and is in nothing that it told of" },
	LEGEND_WAITS,
	{ ITEM_LINE, LEGEND_RGB, PALETTE_BLOCK,
	    "above and below a call: a block of tasks" },
	{ ITEM_RECT, LEGEND_STATE(running),
	    "beside the name, to the right: so long it has been busy without a "
	    "break" },
	{ ITEM_RECT, LEGEND_INK(dim), "to the left: waiting or idle" },
	{ ITEM_RECT, LEGEND_INK(selection), "the selected row" },
	{ 0 },
};

struct stack {
	struct span few[DEPTH_FEW];
	struct span *span; /* these, or all of them */
	size_t n;
	bool known; /* else only sums of that time are left */
};

bool
stacks_alive(const struct model *m, uint32_t lane, int64_t t)
{
	int64_t t0, t1, end;

	return (model_lane(m, lane)->kind == LANE_THREAD &&
		model_lane_life(m, lane, &t0, &t1) && t0 <= t &&
		!(model_lane_ended(m, lane, &end) && end <= t));
}

static void
stack_free(struct stack *st)
{
	if (st->span != st->few)
		free(st->span);
	st->span = st->few;
}

static void
stack_at(const struct ui *ui, uint32_t lane, int64_t t, struct stack *st)
{
	st->known = model_known(ui->model, t, t < INT64_MAX ? t + 1 : t);
	st->span = st->few;
	st->n = 0;
	if (st->known)
		st->n = model_stack_all(ui->model, lane, t, st->few, DEPTH_FEW,
		    &st->span);
}

static bool
is_wait(const struct span *s)
{
	return (s->kind >= SPAN_wait_message || lane_waits(s->class));
}

const char *
stacks_word(const struct ui *ui, const struct span *s)
{
	return (s->name != 0 && !is_wait(s) ? label_name(ui->model, s->name)
					    : label_state(s));
}

/* "queue lock, held by worker-03 in evict"; false: it waits for no lock. */
static bool
lock_of(const struct ui *ui, uint32_t lane, const struct span *s, int64_t t,
    char *buf, size_t n)
{
	struct lock_then k;
	char lock[64], name[64];
	size_t at = 0;
	const struct model *m = ui->model;

	if (!lock_then(ui, lane, s, t, &k) || !k.held)
		return (false);
	label_lane(m, model_lane(m, k.lock), lock, sizeof(lock));
	if (k.holder == UINT32_MAX)
		snprintf(buf, n, "%s, %s", lock,
		    k.untold ? "not told who holds it" : "held by nobody");
	else
		at = (size_t)snprintf(buf, n, "%s, held by %s%s%s", lock,
		    label_lane(m, model_lane(m, k.holder), name, sizeof(name)),
		    k.in != 0 ? " in " : "",
		    k.in != 0 ? label_name(m, k.in) : "");
	if (k.nholders > 1 && at < n)
		snprintf(buf + at, n - at, " and %" PRIu32 " more",
		    k.nholders - 1);
	return (true);
}

static int32_t
box_width(const struct ui *ui, const struct span *s)
{
	const char *word = stacks_word(ui, s);

	return (text_width(FONT_SMALL, word, strlen(word)) + 14);
}

/* One call or wait, up to x1; returns where the next one begins. */
static int32_t
draw_box(struct ui *ui, struct canvas *c, uint32_t lane, int64_t t,
    const struct span *s, int32_t x, int32_t y, int32_t x1)
{
	char lock[200];
	int32_t w = box_width(ui, s);
	uint32_t rgb = ui->palette->state[s->class];

	if (is_wait(s) || s->class == LANE_lost) {
		canvas_hatch(c, x, y, x + 10, y + ROW_PX - 3, rgb,
		    palette_mix(ui->palette->background, rgb, 140));
		draw_cut(c, FONT_SMALL, x + 15, y + 11, x1 - x - 15,
		    palette_ink(ui->palette, rgb), stacks_word(ui, s));
		x += w + 12;
		if (lock_of(ui, lane, s, t, lock, sizeof(lock)))
			draw_cut(c, FONT_SMALL, x, y + 11, x1 - x,
			    ui->palette->dim, lock);
		return (x);
	}
	w = w < x1 - x ? w : x1 - x;
	if (s->name != 0)
		rgb = palette_of_name(ui->model, s->name);
	canvas_fill(c, x, y, x + w, y + ROW_PX - 3, rgb);
	if (s->kind == SPAN_block) {
		canvas_fill(c, x, y, x + w, y + 2, PALETTE_BLOCK);
		canvas_fill(c, x, y + ROW_PX - 5, x + w, y + ROW_PX - 3,
		    PALETTE_BLOCK);
	}
	draw_cut(c, FONT_SMALL, x + 7, y + 11, w - 14, palette_text_on(rgb),
	    stacks_word(ui, s));
	return (x + w + 3);
}

/* The innermost calls are always in sight; how many are not is told. */
static void
draw_boxes(struct ui *ui, struct canvas *c, uint32_t lane, int64_t t,
    const struct stack *st, int32_t x, int32_t y, int32_t x1)
{
	size_t from = st->n;
	int32_t room = x1 - x - 40;

	while (from > 0 && room > 0) {
		room -= box_width(ui, &st->span[from - 1]) + 3;
		if (room > 0 || from == st->n)
			from--;
	}
	if (from > 0)
		x = draw_text(c, FONT_SMALL, x, y + 11, ui->palette->dim,
			"%zu … ", from) +
		    4;
	for (size_t i = from; i < st->n; i++)
		x = draw_box(ui, c, lane, t, &st->span[i], x, y, x1);
	if (!st->known)
		draw_text(c, FONT_SMALL, x, y + 11, ui->palette->dim, "?");
	else if (st->n == 0) { /* it lives and does nothing that it told of */
		canvas_fill(c, x, y + 4, x + 24, y + ROW_PX - 7,
		    palette_area(ui->palette,
			ui->palette->state[LANE_running]));
	}
}

static int32_t
label_px(const struct rect *r)
{
	int32_t px = (r->x1 - r->x0) / 5;

	return (px < LABEL_PX ? LABEL_PX : px > LABEL_MAX ? LABEL_MAX : px);
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct rect *r, int32_t y,
    uint32_t lane, int64_t t)
{
	const struct lane *l = model_lane(ui->model, lane);
	int32_t x = r->x0 + label_px(r);
	struct streak streak;
	struct stack st;
	char name[64], label[160];

	if (lane == ui->time.selected_lane)
		canvas_fill(c, r->x0 - 4, y - 1, r->x1, y + ROW_PX - 2,
		    ui->palette->selection);
	snprintf(label, sizeof(label), "%s  %s %" PRIu32 "  %s",
	    label_node(ui->model, l->node),
	    label_program(ui->model, l->node, l->po), l->po,
	    label_lane(ui->model, l, name, sizeof(name)));
	draw_cut(c, FONT_SMALL, r->x0, y + 11, label_px(r) - 10,
	    label_lane_rgb(ui, l), label);
	spot_add(ui, r->x0, y - 1, r->x1, y + ROW_PX - 2, "select-row %" PRIu32,
	    lane);
	if (r->x1 - r->x0 >= WIDE_PX) {
		streak = streak_until(ui, lane, t);
		streak_draw(ui, c, &streak, x, y, ROW_PX - 3);
		x += STREAK_PX;
	}
	stack_at(ui, lane, t, &st);
	draw_boxes(ui, c, lane, t, &st, x, y, r->x1);
	stack_free(&st);
}

/* The group that is selected; UINT32_MAX: none is. */
static uint32_t
of_group(const struct ui *ui)
{
	uint32_t lane = ui->time.selected_lane;

	return (lane >= HAND_LANE && model_lane_there(ui->model, lane)
		    ? lane
		    : UINT32_MAX);
}

/* A thread, and in the group that is selected, if one is. */
static bool
is_wanted(const struct ui *ui, uint32_t lane)
{
	uint32_t group = of_group(ui);

	return (
	    model_lane(ui->model, lane)->kind == LANE_THREAD &&
	    (group == UINT32_MAX || model_lane_within(ui->model, lane, group)));
}

bool
stacks_meant(const struct ui *ui, uint32_t lane, int64_t t)
{
	return (is_wanted(ui, lane) && stacks_alive(ui->model, lane, t));
}

static uint32_t
count_alive(const struct ui *ui, int64_t t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < model_lanes(ui->model); i++)
		n += stacks_meant(ui, i, t);
	return (n);
}

/* " of workers", where a group is selected */
static const char *
group_words(const struct ui *ui, char *buf, size_t n)
{
	uint32_t group = of_group(ui);
	char name[HAND_NAME];

	buf[0] = '\0';
	if (group != UINT32_MAX)
		snprintf(buf, n, " of %s",
		    label_lane(ui->model, model_lane(ui->model, group), name,
			sizeof(name)));
	return (buf);
}

/* Nobody lives then: when the last one ended, with a way to just before. */
static void
draw_none(struct ui *ui, struct canvas *c, const struct rect *r, int64_t t)
{
	int64_t last = INT64_MIN, end;
	int32_t x, y;
	char when[40];

	y = words_empty(ui, c, r, "no thread is alive at this instant", "");
	for (uint32_t i = 0; i < model_lanes(ui->model); i++)
		if (is_wanted(ui, i) && model_lane_ended(ui->model, i, &end) &&
		    end <= t)
			last = end > last ? end : last;
	if (last == INT64_MIN)
		return;
	x = draw_text(c, FONT_SMALL, r->x0, y, ui->palette->dim,
	    "the last one ended at ");
	x = draw_text(c, FONT_SMALL, x, y, ui->palette->accent, "%s",
	    run_time(ui, last, 100, when, sizeof(when)));
	spot_add(ui, r->x0, y - 12, x + 4, y + 4, "cursor %" PRId64 "ns",
	    last - 1 - run_origin(ui));
}

void
stacks_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct palette *p = ui->palette;
	const char *what;
	int64_t t = run_instant(ui, &what);
	uint32_t n = count_alive(ui, t);
	int32_t y = r->y0 + 14, rows = (r->y1 - r->y0 - 24) / ROW_PX, at = 0, x;
	char when[40], group[HAND_NAME + 8];

	x = draw_text(c, FONT_SMALL, r->x0, y, p->dim,
	    "%" PRIu32 " thread%s%s at ", n, n == 1 ? "" : "s",
	    group_words(ui, group, sizeof(group)));
	x = draw_text(c, FONT_SMALL, x, y, p->accent, "%s",
	    run_time(ui, t, 100, when, sizeof(when)));
	x = draw_text(c, FONT_SMALL, x + 6, y, p->dim, "(%s)", what);
	if (ui->chosen.cursor_mon_ns != INT64_MIN) {
		int32_t from = x + 14;

		x = draw_text(c, FONT_SMALL, from, y, p->accent, "now");
		spot_add(ui, from - 6, y - 12, x + 6, y + 4, "cursor now");
	}
	if (ui->lists.scroll[VIEW_STACKS] > (int32_t)n - rows)
		ui->lists.scroll[VIEW_STACKS] =
		    (int32_t)n > rows ? (int32_t)n - rows : 0;
	y += 9;
	if (n == 0) {
		struct rect below = { r->x0, y, r->x1, r->y1 };

		draw_none(ui, c, &below, t);
	}
	for (uint32_t i = 0; i < model_lanes(ui->model) && y < r->y1 - 2; i++) {
		if (!stacks_meant(ui, i, t) ||
		    at++ < ui->lists.scroll[VIEW_STACKS])
			continue;
		draw_row(ui, c, r, y, i, t);
		y += ROW_PX;
	}
}

void
stacks_describe(struct ui *ui, FILE *f)
{
	struct stack st;
	const char *what;
	int64_t t = run_instant(ui, &what);
	char name[96], lock[200], group[HAND_NAME + 8];

	fprintf(f, "stacks%s at %.9f s (%s)\n",
	    group_words(ui, group, sizeof(group)),
	    (double)(t - run_origin(ui)) / 1e9, what);
	for (uint32_t i = 0; i < model_lanes(ui->model); i++) {
		const struct lane *l = model_lane(ui->model, i);

		if (!stacks_meant(ui, i, t))
			continue;
		stack_at(ui, i, t, &st);
		fprintf(f,
		    "  %s PO %" PRIu32 " %s:", label_node(ui->model, l->node),
		    l->po, label_lane(ui->model, l, name, sizeof(name)));
		if (!st.known)
			fprintf(f, " ?");
		for (size_t k = 0; k < st.n; k++) {
			fprintf(f, "%s %s", k == 0 ? "" : " >",
			    stacks_word(ui, &st.span[k]));
			if (lock_of(ui, i, &st.span[k], t, lock, sizeof(lock)))
				fprintf(f, ": %s", lock);
		}
		fprintf(f, "\n");
		stack_free(&st);
	}
	streak_describe(ui, t, f);
}
