/*
 * Titles: the marks that say where a view stands, and views that stand in the
 * place of the lanes or of the tree.
 */
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"
#include "ui/views/view.h"

#define MARK_W   14 /* px */
#define MARK_H   11
#define MARK_GAP 4
#define TITLE_PX 24

/* A small window of which a part is filled. */
static const struct {
	const char *word;
	enum pane place;        /* PANES: alone */
	int32_t x0, y0, x1, y1; /* of the filled part, px */
} marks[] = {
	{ "left", PANE_LEFT, 1, 1, 7, 10 },
	{ "right", PANE_RIGHT, 7, 1, 13, 10 },
	{ "alone", PANES, 1, 1, 13, 10 },
	{ "dock", PANE_DOCK, 1, 7, 13, 10 },
};
#define MARKS ((int32_t)(sizeof(marks) / sizeof(marks[0])))

/* Signs, and what they mean. */
static void
legend_mark(struct ui *ui, struct canvas *c, int32_t x, int32_t y,
    enum view_id v)
{
	const struct palette *p = ui->palette;
	bool on = ui->places.legend && ui->places.legend_of == v;
	uint32_t rgb = on ? p->accent : p->faint;

	for (int32_t i = 0; i < 3; i++) {
		canvas_fill(c, x + 1, y + 4 * i, x + 4, y + 4 * i + 3, rgb);
		canvas_fill(c, x + 6, y + 4 * i + 1, x + MARK_W - 1,
		    y + 4 * i + 2, rgb);
	}
	spot_add(ui, x - 2, y - 4, x + MARK_W + 2, y + MARK_H + 4, "legend %s",
	    views[v].name);
	hint_add(ui, x - 2, y - 4, x + MARK_W + 2, y + MARK_H + 4,
	    "%s: what its colours mean", views[v].name);
}

int32_t
place_marks(struct ui *ui, struct canvas *c, int32_t x1, int32_t y,
    enum view_id v)
{
	const struct palette *p = ui->palette;
	int32_t x0 = x1 - MARKS * (MARK_W + MARK_GAP), x = x0;

	legend_mark(ui, c, x0 - MARK_W - MARK_GAP, y, v);
	for (int32_t i = 0; i < MARKS; i++, x += MARK_W + MARK_GAP) {
		bool on = ui->places.maximised
			      ? marks[i].place == PANES
			      : marks[i].place == view_place(ui, v);
		struct rect at = { x, y, x + MARK_W, y + MARK_H };
		uint32_t rgb = on ? p->accent : p->faint;

		draw_frame(c, &at, rgb);
		canvas_fill(c, x + marks[i].x0, y + marks[i].y0,
		    x + marks[i].x1, y + marks[i].y1,
		    on ? rgb : palette_mix(p->background, rgb, 90));
		spot_add(ui, x - 2, y - 4, x + MARK_W + 2, y + MARK_H + 4,
		    "put %s %s", views[v].name, marks[i].word);
		hint_add(ui, x - 2, y - 4, x + MARK_W + 2, y + MARK_H + 4,
		    "%s: %s", views[v].name, marks[i].word);
	}
	return (x0 - MARK_W - MARK_GAP);
}

static void
place_draw(struct ui *ui, struct canvas *c, enum pane place)
{
	enum view_id v = view_at(ui, place);
	const struct palette *p = ui->palette;
	struct rect r = ui->places.pane[place];
	int32_t x, x1;

	canvas_fill(c, r.x0, r.y0, r.x1, r.y1, p->panel);
	x = draw_text(c, FONT_BOLD, r.x0 + 12, r.y0 + 16, p->text, "%s",
		views[v].name) +
	    16;
	x1 = ui->places.only == PANES
		 ? place_marks(ui, c, r.x1 - 8, r.y0 + 6, v)
		 : r.x1;
	draw_cut(c, FONT_SMALL, x, r.y0 + 16, x1 - x - 16, p->dim,
	    views[v].what);
	r = (struct rect){ r.x0 + 14, r.y0 + TITLE_PX, r.x1 - 12, r.y1 };
	canvas_clip(c, r.x0, r.y0, r.x1, r.y1);
	views[v].draw(ui, c, &r);
}

void
left_draw(struct ui *ui, struct canvas *c)
{
	place_draw(ui, c, PANE_LEFT);
}

void
right_draw(struct ui *ui, struct canvas *c)
{
	place_draw(ui, c, PANE_RIGHT);
}

static bool
place_prepare(struct ui *ui, enum view_id v)
{
	return (views[v].prepare(ui));
}

bool
left_prepare(struct ui *ui)
{
	return (place_prepare(ui, ui->places.left));
}

bool
right_prepare(struct ui *ui)
{
	return (place_prepare(ui, ui->places.right));
}
