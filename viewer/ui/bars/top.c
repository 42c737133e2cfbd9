/*
 * The top of the window: how the run is doing, with every doubt in sight
 * (loss, lag, clock error), and the omnibox.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clockmap.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"
#include "ui/traffic/talk.h"

#define MEGABYTE 1000000u /* memory is told in these */

struct badge {
	char text[40];
	uint32_t rgb;
};

/* How far it is, and how long it will take. */
static struct badge
badge_reading(const struct feed_status *f, uint32_t rgb)
{
	struct badge b = { "READING", rgb };
	char *end = b.text + strlen(b.text);

	if (f->bytes >= f->bytes_total || f->bytes == 0)
		return (b);
	end += snprintf(end, 8, " %d %%",
	    (int)((double)f->bytes / (double)f->bytes_total * 100));
	if (f->left_s > 0)
		snprintf(end, 20, ", %" PRIu32 " s left", f->left_s);
	return (b);
}

static struct badge
badge_of(const struct ui *ui)
{
	const struct palette *p = ui->palette;
	const struct feed_status *f = &ui->feed;

	if (ui->play.paused)
		return ((struct badge){ "PAUSED", p->warn });
	if (ui->play.playing)
		return ((struct badge){ "REPLAY", p->accent });
	if (f->live && !f->connected && !f->finished)
		return ((struct badge){ "WAITING", p->error });
	if (f->finished || model_finished(ui->model))
		return ((struct badge){ "FINISHED", p->accent });
	if (f->live && f->state == 3)
		return ((struct badge){ "DISK FULL", p->error });
	if (f->reading)
		return (badge_reading(f, p->accent));
	if (!ui->play.follow && !ui->play.fit)
		return ((struct badge){ "LIVE, HELD", p->warn });
	return (
	    (struct badge){ "LIVE", palette_ink(p, p->state[LANE_running]) });
}

/* What can be typed; a click on one of them begins with it. */
static void
draw_hints(struct ui *ui, struct canvas *c, const struct rect *r)
{
	static const char *const hint[] = { "/ search", ": query",
		"> command" };
	int32_t x = r->x0 + 10, w;

	for (int i = 0; i < 3; i++, x += w + 12) {
		w = text_width(FONT_SMALL, hint[i], strlen(hint[i]));
		if (x + w > r->x1 - 4)
			return;
		draw_text(c, FONT_SMALL, x, 21, ui->palette->dim, "%s",
		    hint[i]);
		spot_add(ui, x - 6, r->y0, x + w + 6, r->y1, "prompt %c",
		    hint[i][0]);
	}
}

static void
draw_omnibox(struct ui *ui, struct canvas *c, int32_t x0, int32_t x1)
{
	const struct palette *p = ui->palette;
	struct rect r = { x0, 7, x1, 28 };

	canvas_fill(c, r.x0, r.y0, r.x1, r.y1, p->background);
	spot_add(ui, r.x0, r.y0, r.x1, r.y1, "prompt /");
	if (ui->prompt.kind != 0) {
		int32_t x;

		draw_frame(c, &r, p->accent);
		x = draw_text(c, FONT_NORMAL, x0 + 10, 22, p->accent, "%c",
		    ui->prompt.kind);
		x = draw_text(c, FONT_NORMAL, x + 6, 22, p->text, "%s",
		    ui->prompt.typed);
		canvas_fill(c, x + 1, 11, x + 2, 25, p->accent);
	} else if (ui->told.message[0] != '\0') {
		draw_cut(c, FONT_NORMAL, x0 + 10, 22, x1 - x0 - 20, p->text,
		    ui->told.message);
	} else if (ui->told.goes_on[0] != '\0') {
		draw_cut(c, FONT_NORMAL, x0 + 10, 22, x1 - x0 - 20, p->accent,
		    ui->told.goes_on);
		spot_add(ui, r.x0, r.y0, r.x1, r.y1, "export-stop");
	} else if (ui->feed.live && !ui->feed.connected &&
		   !model_finished(ui->model) && model_events(ui->model) > 0) {
		draw_cut(c, FONT_NORMAL, x0 + 10, 22, x1 - x0 - 20, p->warn,
		    ui->feed.message);
	} else {
		draw_hints(ui, c, &r);
	}
}

/* The clock that is worst by state, then by bound; its node's name. */
static const char *
worst_clock(const struct ui *ui, uint32_t nodes, struct node_health *out)
{
	const char *worst = "";
	struct node_health h;

	*out = (struct node_health){ .clock_state = CLOCK_LOCKED };
	for (uint32_t i = 1; i <= nodes; i++) {
		if (!model_node_told(ui->model, i))
			continue;
		model_node_health(ui->model, i, &h);
		if (health_rank(&h) < health_rank(out) ||
		    (health_rank(&h) == health_rank(out) &&
			h.error_ns <= out->error_ns))
			continue;
		*out = h;
		worst = label_node(ui->model, i);
	}
	return (worst);
}

/* Figures from the right, the least important last: they go first. */
struct figure {
	char text[48];
	uint32_t rgb;
};

static size_t
figures(const struct ui *ui, struct figure *out)
{
	const struct feed_status *f = &ui->feed;
	const struct palette *p = ui->palette;
	uint64_t lost = model_lost(ui->model);
	uint32_t nodes = model_nodes(ui->model), pos = processes_all(ui);
	struct node_health clock;
	int64_t error;
	const char *worst;
	char num[32], of[40];
	uint32_t rgb;
	size_t n = 0;

	if (f->have_pulse && f->lost > lost)
		lost = f->lost;
	worst = worst_clock(ui, nodes, &clock);
	/* monitord's word is newer than the log's, while there is a monitord */
	error = f->have_pulse && f->connected && health_rank(&clock) == 0
		    ? f->error_ns
		    : clock.error_ns;
	clock.error_ns = error;
	if (f->have_pulse && f->connected)
		nodes = f->nodes;
	out[n].rgb = model_detail_ns(ui->model) == INT64_MIN ? p->dim : p->warn;
	snprintf(out[n++].text, sizeof(out[0].text), "mem %" PRIu64 " MB",
	    (uint64_t)(model_bytes(ui->model) / MEGABYTE + 1));
	if (f->have_pulse && f->connected) {
		out[n].rgb = f->lag_ns > 1000000000 ? p->warn : p->dim;
		snprintf(out[n++].text, sizeof(out[0].text), "lag %s",
		    format_span(num, sizeof(num), f->lag_ns));
	}
	out[n].rgb =
	    lost > 0 ? p->error : palette_ink(p, p->state[LANE_running]);
	snprintf(out[n++].text, sizeof(out[0].text), "lost %s",
	    format_count(num, sizeof(num), lost));
	health_clock(ui, &clock, &rgb, of, sizeof(of));
	out[n].rgb = health_rank(&clock) == 0 ? p->dim : rgb;
	if (health_rank(&clock) == 0)
		snprintf(of, sizeof(of), "±%s",
		    format_span(num, sizeof(num), error));
	snprintf(out[n++].text, sizeof(out[0].text), "clock %.12s%s%.26s",
	    nodes > 1 ? worst : "", nodes > 1 && worst[0] != '\0' ? " " : "",
	    of);
	out[n].rgb = p->text;
	if (f->have_pulse && f->connected)
		snprintf(out[n++].text, sizeof(out[0].text), "%s ev/s",
		    format_short(num, sizeof(num), f->rate));
	else
		snprintf(out[n++].text, sizeof(out[0].text), "%s events",
		    format_count(num, sizeof(num), model_events(ui->model)));
	out[n].rgb = p->dim;
	snprintf(out[n++].text, sizeof(out[0].text),
	    "%" PRIu32 " node%s  %" PRIu32 " PO%s", nodes,
	    nodes == 1 ? "" : "s", pos, pos == 1 ? "" : "s");
	if (f->have_pulse && f->connected && !f->finished)
		snprintf(out[n - 1].text + strlen(out[n - 1].text),
		    sizeof(out[0].text) - strlen(out[n - 1].text),
		    ", %" PRIu32 " alive", f->pos);
	return (n);
}

/* What a figure is, by how it begins or ends. */
static const char *
about(const char *text)
{
	static const struct {
		const char *word, *what;
	} words[] = {
		{ "mem ", "memory that what is known of the run takes; "
			  "--memory says how much it may be" },
		{ "lag ", "how far what is shown is behind the programs" },
		{ "lost ", "events that had no room where they were made; red "
			   "marks show where" },
		{ "clock ", "the clock that is worst of all nodes, and by how "
			    "much it may be wrong" },
		{ " ev/s", "events that have come in the last second" },
		{ " events", "of the run so far" },
		{ " PO", "machines, and processes (POs) that there were" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(text, words[i].word) != NULL)
			return (words[i].what);
	return ("");
}

/* What a click on the badge does. */
static const char *
badge_command(const struct ui *ui)
{
	bool held = ui->feed.live && !ui->feed.finished && !ui->play.follow &&
		    !ui->play.fit;

	return (ui->play.paused || held ? "live" : "pause");
}

void
top_draw(struct ui *ui, struct canvas *c)
{
	const struct palette *p = ui->palette;
	struct badge badge = badge_of(ui);
	struct figure f[8];
	size_t n = figures(ui, f);
	int32_t x = ui->places.width - 14, left = 84, right, w;

	canvas_fill(c, 0, 0, ui->places.width, 34, p->panel);
	draw_text(c, FONT_BOLD, 14, 22, p->text, "Orrery");
	w = text_width(FONT_BOLD, badge.text, strlen(badge.text)) + 28;
	for (size_t i = 0; i < n; i++) {
		int32_t fw =
		    text_width(FONT_NORMAL, f[i].text, strlen(f[i].text));

		if (x - fw - 22 - w < left + 200)
			break;
		draw_text(c, FONT_NORMAL, x - fw, 22, f[i].rgb, "%s",
		    f[i].text);
		hint_add(ui, x - fw - 8, 0, x + 8, 34, "%s\n%s", f[i].text,
		    about(f[i].text));
		x -= fw + 22;
	}
	x -= w;
	canvas_fill(c, x, 9, x + w - 4, 26,
	    palette_mix(p->panel, badge.rgb, 70));
	canvas_disc(c, (x + 11) * 16, 17 * 16 + 8, 3 * 16 + 8, badge.rgb, 255);
	draw_text(c, FONT_BOLD, x + 19, 22, badge.rgb, "%s", badge.text);
	hint_add(ui, x, 0, x + w, 34, "%s%s%s", badge.text,
	    ui->feed.message[0] != '\0' ? "\n" : "", ui->feed.message);
	spot_add(ui, x, 9, x + w - 4, 26, "%s", badge_command(ui));
	right = x - 20 < left + 440 ? x - 20 : left + 440;
	draw_omnibox(ui, c, left, right);
}
