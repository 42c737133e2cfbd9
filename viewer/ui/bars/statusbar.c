/* The bottom line: playback, what is chosen, what is under the mouse. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"
#include "ui/views/view.h"

enum button {
	TO_START,
	STEP_BACK,
	HOLD,
	GO,
	TO_END,
	BUTTONS
};

static const char *const button_command[BUTTONS] = { "start", "step-back",
	"pause", "play", "end" };

static void
draw_button(struct ui *ui, struct canvas *c, enum button b, int32_t x,
    int32_t y)
{
	uint32_t rgb = ui->palette->text;

	if ((b == HOLD && ui->play.paused) || (b == GO && ui->play.playing))
		rgb = ui->palette->accent;
	switch (b) {
	case TO_START:
		canvas_fill(c, x - 5, y - 4, x - 3, y + 5, rgb);
		draw_triangle(c, TRIANGLE_LEFT, x + 1, y, 9, rgb);
		break;
	case STEP_BACK:
		draw_triangle(c, TRIANGLE_LEFT, x, y, 9, rgb);
		break;
	case HOLD:
		canvas_fill(c, x - 4, y - 4, x - 1, y + 5, rgb);
		canvas_fill(c, x + 2, y - 4, x + 5, y + 5, rgb);
		break;
	case GO:
		draw_triangle(c, TRIANGLE_RIGHT, x, y, 9, rgb);
		break;
	case TO_END:
		draw_triangle(c, TRIANGLE_RIGHT, x - 1, y, 9, rgb);
		canvas_fill(c, x + 4, y - 4, x + 6, y + 5, rgb);
		break;
	case BUTTONS:
		break;
	}
	spot_add(ui, x - 11, y - 13, x + 11, y + 13, "%s", button_command[b]);
}

/* How far the picture is what has happened. */
static int32_t
draw_reading(struct ui *ui, struct canvas *c, int32_t x, int32_t y)
{
	const struct feed_status *f = &ui->feed;

	if (ui->sketch == NULL || !run_grows(ui) || f->bytes_total == 0)
		return (x);
	return (draw_text(c, FONT_NORMAL, x, y, ui->palette->warn,
		    "reading %d %%, the rest is a sketch",
		    (int)((double)f->bytes / (double)f->bytes_total * 100)) +
		24);
}

/* From t0 to t1, which is no later than the playback stands. */
static void
selection_figures(struct ui *ui, int64_t t0, int64_t t1, char *buf, size_t n)
{
	int64_t waits = 0;
	uint64_t tasks;
	struct share s;
	char num[32];

	if (ui->sketch != NULL && t0 >= run_end(ui)) {
		snprintf(buf, n, "not read yet");
		return;
	}
	tasks = tasks_in(ui, t0, t1);
	ui->picture->undone |= ui->figures.tasks.busy;
	activity_of(ui, 0, &s);
	for (int i = LANE_wait_message; i <= LANE_wait_cond; i++)
		waits += s.by_class[i];
	snprintf(buf, n, "%s%s task%s   busy %s%d %%   waiting %s%d %%",
	    ui->figures.tasks.busy ? "> " : "",
	    format_count(num, sizeof(num), tasks), tasks == 1 ? "" : "s",
	    share_about(&s),
	    share_percent(s.by_class[LANE_running], s.threads_ns),
	    share_about(&s), share_percent(waits, s.threads_ns));
}

static int32_t
draw_selection(struct ui *ui, struct canvas *c, int32_t x, int32_t y,
    int32_t room)
{
	const struct palette *p = ui->palette;
	char a[40], b[40], d[32], what[128], text[256];
	int64_t t0, t1, step;
	int32_t wide;
	bool chosen = time_selected(ui, &t0, &t1);

	if (model_events(ui->model) == 0)
		return (x);
	step = (t1 - t0) / 100 + 1;
	if (t1 > ui->play.head_mon_ns)
		t1 = ui->play.head_mon_ns > t0 ? ui->play.head_mon_ns : t0;
	selection_figures(ui, t0, t1, what, sizeof(what));
	snprintf(text, sizeof(text), "%s %s – %s (%s)   %s",
	    chosen ? "selected" : "in sight",
	    run_time(ui, t0, step, a, sizeof(a)),
	    run_time(ui, t1, step, b, sizeof(b)),
	    format_span(d, sizeof(d), t1 - t0), what);
	draw_cut(c, FONT_NORMAL, x, y, room, chosen ? p->text : p->dim, text);
	wide = text_width(FONT_NORMAL, text, strlen(text));
	return (x + (wide < room ? wide : room));
}

void
status_draw(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	const struct rect *r = &ui->places.pane[PANE_STATUS];
	int32_t y = (r->y0 + r->y1) / 2, x = 18, base = y + 4, right;
	char what[256], *run = ui->feed.run;

	canvas_fill(c, r->x0, r->y0, r->x1, r->y1, p->panel);
	for (int i = 0; i < BUTTONS; i++, x += 26)
		draw_button(ui, c, (enum button)i, x, y);
	draw_text(c, FONT_NORMAL, x + 2, base, p->dim, "×%g",
	    ui->play.rush > 0 ? ui->play.rush / 1e9 : ui->play.speed);
	spot_add(ui, x - 2, r->y0, x + 34, r->y1, "speed");
	x += 48;
	right = draw_right(c, FONT_NORMAL, r->x1 - 14, base, p->dim, "? keys");
	spot_add(ui, right - 6, r->y0, r->x1, r->y1, "help");
	x = draw_reading(ui, c, x, base);
	x = draw_selection(ui, c, x, base, right - 20 - x) + 24;
	if (x > right - 40)
		return;
	label_hit(ui, what, sizeof(what));
	if (what[0] != '\0') {
		int32_t w = text_width(FONT_NORMAL, what, strlen(what));

		w = w > right - 24 - x ? right - 24 - x : w;
		draw_cut(c, FONT_NORMAL, right - 24 - w, base, w, p->text,
		    what);
	} else if (strlen(run) >= 8 && right - x > 120) {
		draw_right(c, FONT_NORMAL, right - 24, base, p->dim,
		    "run %.4s…%.2s", run, run + strlen(run) - 2);
	}
}
