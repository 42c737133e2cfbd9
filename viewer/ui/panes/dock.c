/*
 * The dock: tabs with figures on the left, and on the right, always in sight
 * when there is room, who talks to whom, how busy the nodes are and what is
 * waited for.
 */
#include "ui/panes/panes.h"

#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/traffic/talk.h"
#include "ui/views/talk/talkmatrix.h"
#include "ui/views/view.h"

#define MATRIX_PX    132
#define ACTIVITY_PX  420
#define WAITS_PX     150
#define TABS_APART   28
#define TABS_NEAR    8
#define TABS_MORE_PX 34
#define FREE_PX      72 /* at the end: to be clicked twice */
#define BELOW_PX     (DOCK_TABS_PX - 6)
#define GAP_PX       28 /* between the parts */

static int32_t
tab_px(enum font font, int i)
{
	return (text_width(font, views[i].name, strlen(views[i].name)));
}

/* What is left of the room beside the names of all tabs; *n is how many. */
static int32_t
room_beside(const struct ui *ui, enum font font, int32_t room, int32_t *n)
{
	*n = 0;
	room -= PLACE_MARKS_PX;
	for (int i = 0; i < VIEWS; i++)
		if (view_is_tab(ui, (enum view_id)i)) {
			room -= tab_px(font, i);
			++*n;
		}
	return (room);
}

/* How far tabs stand from each other in that room, names in this font. */
static int32_t
tabs_apart(const struct ui *ui, enum font font, int32_t room)
{
	int32_t n;

	room = room_beside(ui, font, room, &n);
	return (n == 0 || room / n > TABS_APART ? TABS_APART : room / n);
}

/* All tabs fit in that, if they have to. */
static bool
tabs_fit(const struct ui *ui, int32_t room)
{
	return (tabs_apart(ui, FONT_SMALL, room) >= TABS_NEAR);
}

/* The tab before or behind this one; -1: there is none. */
static int
tab_beside(const struct ui *ui, int i, int step)
{
	for (i += step; i >= 0 && i < VIEWS; i += step)
		if (view_is_tab(ui, (enum view_id)i))
			return (i);
	return (-1);
}

/*
 * Where there is no room for all: as many as fit around the one in front, which
 * is *first to *last; the next beside them on each side is a mark away.
 */
static void
tabs_around(const struct ui *ui, int32_t room, int *first, int *last)
{
	int i = (int)ui->places.tab, before, behind;
	bool grown = true;

	if (!view_is_tab(ui, ui->places.tab))
		i = tab_beside(ui, -1, 1);
	*first = *last = i;
	if (i == -1)
		return;
	room -= PLACE_MARKS_PX + 2 * TABS_MORE_PX + tab_px(FONT_SMALL, i);
	while (grown) {
		grown = false;
		behind = tab_beside(ui, *last, 1);
		if (behind != -1 &&
		    room >= TABS_NEAR + tab_px(FONT_SMALL, behind)) {
			room -= TABS_NEAR + tab_px(FONT_SMALL, behind);
			*last = behind;
			grown = true;
		}
		before = tab_beside(ui, *first, -1);
		if (before != -1 &&
		    room >= TABS_NEAR + tab_px(FONT_SMALL, before)) {
			room -= TABS_NEAR + tab_px(FONT_SMALL, before);
			*first = before;
			grown = true;
		}
	}
}

/* That there are more, and a way to the next of them. */
static int32_t
draw_more(struct ui *ui, struct canvas *c, const struct rect *r, int32_t x,
    int i, int step)
{
	int next = tab_beside(ui, i, step), n = 0;

	if (next == -1)
		return (x);
	while ((i = tab_beside(ui, i, step)) != -1)
		n++;
	draw_text(c, FONT_SMALL, x, r->y0 + 17, ui->palette->accent,
	    step < 0 ? "< %d" : "%d >", n);
	spot_add(ui, x - TABS_NEAR / 2, r->y0, x + TABS_MORE_PX - TABS_NEAR / 2,
	    r->y0 + DOCK_TABS_PX, "tab %s", views[next].name);
	return (x + TABS_MORE_PX);
}

/*
 * Tabs, and behind them where the one in front stands; up to x1, if that has
 * room: closer, then smaller, then not all of them.
 */
static void
draw_tabs(struct ui *ui, struct canvas *c, const struct rect *r, int32_t x1)
{
	const struct palette *p = ui->palette;
	int32_t x = r->x0 + 14, y = r->y0 + 17;
	int32_t apart = tabs_apart(ui, FONT_BOLD, x1 - x);
	bool small = apart < TABS_NEAR, some = !tabs_fit(ui, x1 - x);
	int first = 0, last = VIEWS - 1;

	if (small)
		apart = tabs_apart(ui, FONT_SMALL, x1 - x);
	apart = apart < TABS_NEAR ? TABS_NEAR : apart;
	if (some) {
		tabs_around(ui, x1 - x, &first, &last);
		x = draw_more(ui, c, r, x, first, -1);
	}
	for (int i = first; i != -1 && i <= last; i++) {
		bool on = ui->places.tab == (enum view_id)i;
		enum font font = small ? FONT_SMALL
				 : on  ? FONT_BOLD
				       : FONT_NORMAL;
		int32_t w = tab_px(small ? FONT_SMALL : FONT_BOLD, i);

		if (!view_is_tab(ui, (enum view_id)i))
			continue;
		draw_text(c, font, x, y, on ? p->text : p->dim, "%s",
		    views[i].name);
		if (on)
			canvas_fill(c, x, y + 6, x + w, y + 8, p->accent);
		spot_add(ui, x - apart / 2 + 1, r->y0, x + w + apart / 2,
		    r->y0 + DOCK_TABS_PX, "tab %s", views[i].name);
		x += w + apart;
	}
	if (some)
		x = draw_more(ui, c, r, x, last, 1);
	if (ui->places.only == PANES && views[ui->places.tab].pane == PANES)
		place_marks(ui, c, x + PLACE_MARKS_PX, r->y0 + 8,
		    ui->places.tab);
	else if (ui->places.tab == VIEW_LANES && !lanes_have_title(ui))
		lanes_title(ui, c,
		    &(struct rect){ x, r->y0, r->x1, r->y0 + DOCK_TABS_PX });
}

static const struct {
	unsigned class;
	const char *what;
} waits[] = {
	{ LANE_wait_message, "messages" },
	{ LANE_wait_lock, "locks" },
	{ LANE_wait_cond, "conditions" },
	{ LANE_wait_sync, "barriers, joins" },
	{ LANE_wait_rpc, "remote calls" },
	{ LANE_lost, "not known: lost" },
};

static void
draw_waits(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct palette *p = ui->palette;
	struct share all;
	int32_t y = r->y0 + 40;

	activity_of(ui, 0, &all);
	draw_text(c, FONT_SMALL, r->x0, r->y0 + 17, p->dim, "waits for");
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		int64_t ns = all.by_class[waits[i].class];
		int percent = share_percent(ns, all.threads_ns);

		if ((ns == 0 && waits[i].class == LANE_lost) || y > r->y1 - 4)
			continue;
		canvas_fill(c, r->x0, y - 8, r->x0 + 8, y,
		    p->state[waits[i].class]);
		draw_text(c, FONT_SMALL, r->x0 + 14, y, p->text, "%s",
		    waits[i].what);
		draw_right(c, FONT_SMALL, r->x1, y,
		    percent >= 25 ? palette_ink(p, p->state[LANE_wait_message])
				  : p->text,
		    "%s%d %%", share_about(&all), percent);
		y += 20;
	}
}

static void
draw_nodes(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct palette *p = ui->palette;
	uint32_t n = model_nodes(ui->model);
	int32_t room = r->y1 - r->y0 - 30, step, y = r->y0 + 28;
	int64_t t0, t1;

	draw_text(c, FONT_SMALL, r->x0, r->y0 + 17, p->dim,
	    "busy / overhead / waiting per node, %s",
	    time_selected(ui, &t0, &t1) ? "selected range" : "in sight");
	if (n == 0)
		return;
	step = room / (int32_t)n > 27 ? 27 : room / (int32_t)n;
	step = step < 12 ? 12 : step;
	for (uint32_t i = 1; i <= n && y + step <= r->y1; i++) {
		int32_t bar = step > 18 ? 14 : step - 3;
		struct share s;

		if (!model_node_told(ui->model, i))
			continue;
		activity_of(ui, i, &s);
		draw_cut(c, FONT_SMALL, r->x0, y + bar / 2 + 4, 60, p->text,
		    label_node(ui->model, i));
		activity_bar(ui, c, r->x0 + 64, y, r->x1 - r->x0 - 64 - 40, bar,
		    &s);
		draw_right(c, FONT_SMALL, r->x1, y + bar / 2 + 4, p->text,
		    "%s%d %%", share_about(&s),
		    share_percent(s.by_class[LANE_running], s.threads_ns));
		y += step;
	}
}

bool
dock_prepare(struct ui *ui)
{
	const struct view *v = &views[ui->places.tab];

	if (v->pane != PANES)
		return (true);
	return (messages_prepare(ui) && v->prepare(ui));
}

/* A part of so many pixels at the right end, *x1, if the dock is so wide. */
static bool
beside(const struct rect *r, int32_t *x1, struct rect *part, int32_t wide,
    int32_t px)
{
	if (*x1 - r->x0 <= wide)
		return (false);
	part->x1 = *x1;
	part->x0 = *x1 - px;
	*x1 = part->x0 - GAP_PX;
	return (true);
}

/* What is beside the tab in front; x1 0: it has no place. */
struct parts {
	struct rect waits, nodes, matrix;
	int32_t x1; /* of what is left */
};

/*
 * Where all tabs have no room beside them, they begin below the tabs.  A view
 * that is alone has all of the window; what is large somewhere need not be in
 * the corner as well.
 */
static void
place_parts(const struct ui *ui, const struct rect *r, struct parts *p)
{
	struct rect at = *r;

	*p = (struct parts){ .x1 = r->x1 - 12 };
	if (ui->places.maximised)
		return;
	if (beside(r, &p->x1, &at, 1300, WAITS_PX))
		p->waits = at;
	if (!places_show(&ui->places, VIEW_ACTIVITY) &&
	    beside(r, &p->x1, &at, 1100, ACTIVITY_PX * (p->x1 - r->x0) / 1400))
		p->nodes = at;
	if (!places_show(&ui->places, VIEW_COMMUNICATION) &&
	    beside(r, &p->x1, &at, 1000, MATRIX_PX))
		p->matrix = at;
	if (tabs_fit(ui, p->x1 - r->x0 - 14))
		return;
	p->waits.y0 += BELOW_PX;
	p->nodes.y0 += BELOW_PX;
	p->matrix.y0 += BELOW_PX;
}

static void
draw_matrix(struct ui *ui, struct canvas *c, struct rect r)
{
	int32_t right;

	draw_text(c, FONT_SMALL, r.x0, r.y0 + 17, ui->palette->dim,
	    ui->figures.messages.busy ? "adding up ..." : "who talks to whom");
	r.y0 += 26;
	r.y1 -= 6;
	talk_matrix_draw(ui, c, &r, false, &right);
}

void
dock_draw(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	struct rect r = ui->places.pane[PANE_DOCK], part;
	struct canvas saved = *c;
	struct parts parts;
	int32_t tabs;

	if (views[ui->places.tab].pane != PANES) /* which draws itself below */
		r.y1 = r.y0 + DOCK_TABS_PX;
	canvas_fill(c, r.x0, r.y0, r.x1, r.y1, p->panel);
	if (r.y1 - r.y0 <= DOCK_TABS_PX) {
		draw_tabs(ui, c, &r, r.x1 - FREE_PX);
		return;
	}
	place_parts(ui, &r, &parts);
	if (parts.waits.x1 > 0)
		draw_waits(ui, c, &parts.waits);
	if (parts.nodes.x1 > 0)
		draw_nodes(ui, c, &parts.nodes);
	if (parts.matrix.x1 > 0)
		draw_matrix(ui, c, parts.matrix);
	tabs = r.x1 - FREE_PX;
	if (parts.x1 < tabs && tabs_fit(ui, parts.x1 - r.x0 - 14))
		tabs = parts.x1;
	draw_tabs(ui, c, &r, tabs);
	part = (struct rect){ r.x0 + 14, r.y0 + DOCK_TABS_PX, parts.x1, r.y1 };
	canvas_clip(c, part.x0, part.y0, part.x1, part.y1);
	views[ui->places.tab].draw(ui, c, &part);
	*c = saved;
}
