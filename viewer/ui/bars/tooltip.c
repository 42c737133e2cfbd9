/*
 * What is under the mouse in the process-time view, in a small box beside it:
 * over the picture, never cut by an edge of the window, tied to its place by
 * a line.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/panes.h"
#include "ui/things/counters.h"
#include "ui/views/details/card.h"

#define TIP_COUNTERS 4
#define LINES_MAX    14
#define LINE_PX      15
#define WIDTH_MAX    360
#define AWAY_PX      18 /* from the pointer */

struct tip {
	const struct ui *ui;
	char line[LINES_MAX][192];
	uint32_t rgb[LINES_MAX];
	int n;
};

static void tip_add(struct tip *, uint32_t rgb, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
tip_add(struct tip *t, uint32_t rgb, const char *fmt, ...)
{
	va_list ap;

	if (t->n == LINES_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(t->line[t->n], sizeof(t->line[0]), fmt, ap);
	va_end(ap);
	t->rgb[t->n++] = rgb;
}

/* A long sentence, over several lines. */
static void
tip_words(struct tip *t, uint32_t rgb, const char *s)
{
	size_t n;

	for (; *s != '\0'; s += n) {
		s += strspn(s, " ");
		n = draw_line_end(FONT_SMALL, s, WIDTH_MAX - 24);
		if (n == 0)
			return;
		tip_add(t, rgb, "%.*s", (int)n, s);
	}
}

/* "PE 3, pascal PO 1, node n1"; of an object where it is then */
static void
tip_place(struct tip *t, uint32_t id, int64_t at)
{
	char where[192];

	tip_add(t, t->ui->palette->dim, "%s",
	    label_where(t->ui, id, at, where, sizeof(where)));
}

static void
tip_times(struct tip *t, int64_t t0, int64_t t1)
{
	const struct ui *ui = t->ui;
	int64_t step = (ui->time.t1_mon_ns - ui->time.t0_mon_ns) / 1000 + 1;
	char a[40], b[40];

	run_time(ui, t0, step, a, sizeof(a));
	if (t1 == INT64_MAX)
		tip_add(t, ui->palette->dim, "from %s, not over", a);
	else
		tip_add(t, ui->palette->dim, "%s – %s", a,
		    run_time(ui, t1, step, b, sizeof(b)));
}

/* Who holds it, and who waits. */
static void
tip_lock(struct tip *t, uint32_t lane, const struct span *s, int64_t at)
{
	const struct ui *ui = t->ui;
	struct lock_then k;
	const char *title;
	char words[200];

	if (s != NULL && s->t1_mon_ns != INT64_MAX && at >= s->t1_mon_ns)
		at = s->t1_mon_ns - 1;
	if (s != NULL && at < s->t0_mon_ns)
		at = s->t0_mon_ns;
	if (!lock_then(ui, lane, s, at, &k))
		return;
	for (unsigned i = 0;
	     (title = lock_words(ui, &k, i, words, sizeof(words))) != NULL; i++)
		tip_add(t, i == 0 ? ui->palette->text : ui->palette->dim,
		    "%s %s", title, words);
}

static void
tip_remote(struct tip *t, uint32_t lane, const struct span *s)
{
	struct remote_then k;
	const char *title;
	char words[160];

	if (!remote_then(t->ui, lane, s, &k))
		return;
	for (unsigned i = 0;
	     (title = remote_words(t->ui, &k, i, words, sizeof(words))) != NULL;
	     i++)
		tip_add(t, t->ui->palette->dim, "%s %s", title, words);
}

/* For whom it was made, and where it is. */
static void
tip_object(struct tip *t, uint32_t lane, const struct span *s, int64_t at)
{
	const struct ui *ui = t->ui;
	struct object_then k;
	const char *title;
	char words[160];

	if (s != NULL && s->t1_mon_ns != INT64_MAX && at >= s->t1_mon_ns)
		at = s->t1_mon_ns - 1;
	if (s != NULL && at < s->t0_mon_ns)
		at = s->t0_mon_ns;
	if (!object_then(ui, lane, at, &k))
		return;
	for (unsigned i = 0;
	     (title = object_words(ui, &k, i, words, sizeof(words))) != NULL;
	     i++)
		tip_add(t, ui->palette->dim, "%s %s", title, words);
}

static void
tip_span(struct tip *t, const struct timeline_hit *h)
{
	const struct ui *ui = t->ui;
	struct span then = run_span_then(ui, &h->span), *s = &then;
	const struct palette *p = ui->palette;
	int64_t end = s->t1_mon_ns == INT64_MAX ? run_now(ui) : s->t1_mon_ns;
	bool object = s->class >= LANE_OBJECT_NODE;
	int64_t at =
	    timeline_time(&ui->time, ui->mouse.x - ui->places.lanes.x0);
	uint32_t task = s->kind == SPAN_task
			    ? model_task_by_id(ui->model, s->id)
			    : TASK_NONE;
	char span[32], fate[96], on[64];

	if (object || s->class == LANE_transit)
		tip_add(t, p->text, object ? "on node %s" : "from node %s",
		    label_node(ui->model, s->name));
	else
		tip_add(t, p->text, "%s",
		    s->name != 0 ? label_name(ui->model, s->name)
				 : label_state(s));
	tip_place(t, h->lane, INT64_MIN);
	format_span(span, sizeof(span), end - s->t0_mon_ns);
	tip_add(t,
	    object || s->class == LANE_idle
		? p->dim
		: palette_ink(p, p->state[s->class]),
	    "%s%s%s", s->name != 0 ? label_state(s) : "",
	    s->name != 0 ? " " : "", span);
	tip_times(t, s->t0_mon_ns, s->t1_mon_ns);
	tip_lock(t, h->lane, s, at);
	processor_words(t->ui, h->lane, at, at + 1, on, sizeof(on));
	if (on[0] != '\0')
		tip_add(t, t->ui->palette->dim, "processor %s", on);
	tip_remote(t, h->lane, s);
	tip_object(t, h->lane, s, at);
	if (task != TASK_NONE) {
		struct task known, *k = &known;

		tree_task_then(ui, ui->model, task, k);
		tip_add(t, p->dim, "task %" PRIu32 "   level %" PRIu32, task,
		    k->level);
		tip_add(t,
		    k->suspensions > 0
			? palette_ink(p, p->state[LANE_wait_lock])
			: p->dim,
		    "%s", label_fate(k, fate, sizeof(fate)));
	}
}

static void
tip_link(struct tip *t, const struct link *k)
{
	const struct ui *ui = t->ui;
	const struct event_desc *d = event_desc(k->kind0);
	char span[32];

	tip_add(t, ui->palette->text, "%s", d != NULL ? d->name : "link");
	tip_place(t, k->lane0, k->t0_mon_ns);
	if (k->t1_mon_ns == INT64_MAX || k->lane1 == UINT32_MAX) {
		tip_add(t, ui->palette->warn, "not arrived yet");
		tip_times(t, k->t0_mon_ns, INT64_MAX);
		return;
	}
	tip_place(t, k->lane1, k->t1_mon_ns);
	tip_add(t, ui->palette->accent, "%s on the way",
	    format_span(span, sizeof(span), k->t1_mon_ns - k->t0_mon_ns));
	if (k->bytes != 0)
		tip_add(t, ui->palette->dim, "%s",
		    format_bytes(span, sizeof(span), k->bytes));
	if (k->tag != 0)
		tip_add(t, ui->palette->dim, "tag %s",
		    label_tag(k->tag, span, sizeof(span)));
	tip_times(t, k->t0_mon_ns, k->t1_mon_ns);
	if (k->flags & EVENT_ORPHAN)
		tip_add(t, ui->palette->warn, "its cause came too late");
}

static void
tip_mark(struct tip *t, const struct timeline_hit *h)
{
	const struct ui *ui = t->ui;
	const struct mark *k = &h->mark;
	bool doubt = k->kind == EV_po_end || k->kind >= EV_lost;
	char words[320], at[40];
	const char *title = label_mark(ui->model, k, words, sizeof(words));

	tip_add(t, doubt ? ui->palette->warn : ui->palette->text, "%s", title);
	tip_place(t, h->lane, INT64_MIN);
	tip_words(t, ui->palette->text, words);
	tip_add(t, ui->palette->dim, "at %s on node %s",
	    run_time(ui, k->t_mon_ns, 1000, at, sizeof(at)),
	    label_node(ui->model, k->node));
}

/* "12 events lost, 3 late": what a node's row must not hide */
static void
tip_sums(struct tip *t, const struct node_health *h)
{
	const struct palette *p = t->ui->palette;
	char num[32];

	if (h->lost > 0)
		tip_add(t, p->error, "%s events lost",
		    format_count(num, sizeof(num), h->lost));
	if (h->late > 0)
		tip_add(t, p->warn, "%s events late",
		    format_count(num, sizeof(num), h->late));
	if (h->orphans > 0)
		tip_add(t, p->warn, "%s effects without a cause",
		    format_count(num, sizeof(num), h->orphans));
	if (h->early > 0)
		tip_add(t, p->warn, "%s effects before their cause",
		    format_count(num, sizeof(num), h->early));
	if (h->stalls > 0)
		tip_add(t, p->warn, "silent %" PRIu32 " time%s%s", h->stalls,
		    h->stalls == 1 ? "" : "s", h->silent ? ", now too" : "");
	if (h->steps > 0)
		tip_add(t, p->warn, "its clock jumped %" PRIu32 " time%s",
		    h->steps, h->steps == 1 ? "" : "s");
}

/* A time in which a node was not to be relied on. */
static void
tip_doubt(struct tip *t, uint32_t lane, const struct doubt *d)
{
	const struct ui *ui = t->ui;
	char title[64];
	uint32_t rgb;
	const char *words = health_doubt(ui, d, &rgb, title, sizeof(title));

	tip_add(t, rgb, "%s", title);
	tip_place(t, lane, INT64_MIN);
	tip_words(t, ui->palette->text, words);
	tip_times(t, d->t0_mon_ns, d->t1_mon_ns);
}

/* The first few of the row's counters, as they are in the panels' range. */
static void
tip_counters(struct tip *t, uint32_t lane)
{
	const struct model *m = t->ui->model;
	uint32_t i = model_counter_of(m, lane, 0);
	struct counter c;
	char words[96];

	for (int n = 0; n < TIP_COUNTERS && i != UINT32_MAX;
	     i = model_counter_of(m, lane, i + 1)) {
		if (!model_counter(m, i, &c) ||
		    !counter_now(t->ui, i, words, sizeof(words)))
			continue;
		tip_add(t, t->ui->palette->dim, "%s: %s",
		    counter_label(t->ui, &c), words);
		n++;
	}
}

static void
tip_group(struct tip *t, const struct hand_group *g)
{
	tip_add(t, t->ui->palette->dim, "%s of %" PRIu32 " %s",
	    g->class == 0 ? "a group" : "a class", g->n,
	    g->class == 0 ? (g->n == 1 ? "row" : "rows") : "objects");
}

/* What a row was called before the user gave it another name. */
static void
tip_recorded(struct tip *t, uint32_t id)
{
	const struct model *m = t->ui->model;
	char name[96];

	if (hand_called(&model_hand(m)->rows, id) == NULL)
		return;
	model_lane_label_recorded(m, id, name, sizeof(name));
	tip_add(t, t->ui->palette->dim, "recorded as %s", name);
}

/* Over a row's name: what it is, and how well its clock is known. */
static void
tip_row(struct tip *t, uint32_t id)
{
	const struct ui *ui = t->ui;
	const struct model *m = ui->model;
	const struct lane *l = model_lane(m, id);
	struct node_health h;
	int64_t t0, t1;
	uint32_t rgb;
	char name[96], span[32], clock[64];

	tip_add(t, ui->palette->text, "%s",
	    label_row(m, l, name, sizeof(name)));
	if (id >= HAND_LANE) {
		tip_group(t, hand_group(model_hand(m), id));
		return;
	}
	tip_recorded(t, id);
	tip_lock(t, id, NULL, run_now(ui));
	tip_object(t, id, NULL, run_now(ui));
	if (l->kind == LANE_GROUP || l->kind == LANE_OBJECT ||
	    l->kind == LANE_LOCK || l->kind == LANE_SYNC)
		return;
	if (l->kind != LANE_NODE)
		tip_place(t, id, INT64_MIN);
	if (model_lane_life(m, id, &t0, &t1)) {
		tip_times(t, t0, t1);
		tip_add(t, ui->palette->dim, "lived %s",
		    format_span(span, sizeof(span), t1 - t0));
	} else {
		tip_add(t, ui->palette->dim, "nothing has run here so far");
	}
	tip_counters(t, id);
	if (l->node == 0)
		return;
	health_of(ui, l->node, &h);
	health_clock(ui, &h, &rgb, clock, sizeof(clock));
	tip_add(t, health_rank(&h) == 0 ? ui->palette->dim : rgb,
	    "clock of %s: %s", label_node(m, l->node), clock);
	if (l->kind == LANE_NODE)
		tip_sums(t, &h);
}

static uint32_t
row_under(const struct ui *ui)
{
	const struct timeline_row *r = timeline_row_at(&ui->timepane.rows,
	    ui->mouse.y - ui->places.lanes.y0);

	return (r != NULL ? r->lane : UINT32_MAX);
}

static void
tip_make(struct tip *t)
{
	const struct ui *ui = t->ui;
	const struct timeline_hit *h = &ui->mouse.hit;
	struct rect labels = ui->places.lanes;
	uint32_t lane = row_under(ui);
	struct doubt d;

	labels.x0 = ui->places.pane[PANE_TIME].x0;
	labels.x1 = ui->places.lanes.x0;
	if (rect_has(&labels, ui->mouse.x, ui->mouse.y)) {
		if (model_lane_there(ui->model, lane))
			tip_row(t, lane);
	} else if (!rect_has(&ui->places.lanes, ui->mouse.x, ui->mouse.y)) {
		return;
	} else if (h->of == OF_SPAN) {
		tip_span(t, h);
	} else if (h->of == OF_MARK) {
		tip_mark(t, h);
	} else if (lane < model_lanes(ui->model) &&
		   health_under(ui, lane,
		       timeline_time(&ui->time,
			   ui->mouse.x - ui->places.lanes.x0),
		       &d)) {
		tip_doubt(t, lane, &d);
	} else if (h->of == OF_LINK) {
		tip_link(t, &h->link);
	}
}

/* How a span stands to the event that causes were asked of. */
static void
tip_causality(struct tip *t)
{
	const struct timeline_hit *h = &t->ui->mouse.hit;
	const char *word = h->of != OF_SPAN
			       ? ""
			       : causality_word(t->ui, h->lane,
				     h->span.t0_mon_ns, h->span.t1_mon_ns);

	if (word[0] != '\0')
		tip_add(t, t->ui->palette->accent, "%s", word);
}

/* What a pane has said about the place; the first line is its title. */
static void
tip_hint(struct tip *t)
{
	const struct palette *p = t->ui->palette;
	const char *s = t->ui->spots.hint;
	char line[sizeof(t->ui->spots.hint)];
	size_t n;

	for (; *s != '\0'; s += n + (s[n] == '\n')) {
		n = strcspn(s, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)n, s);
		tip_words(t, t->n == 0 ? p->text : p->dim, line);
	}
}

/* Beside the pointer, on the side where there is room. */
static struct rect
tip_box(const struct tip *t)
{
	const struct ui *ui = t->ui;
	int32_t w = 0, h = t->n * LINE_PX + 12, x, y;

	for (int i = 0; i < t->n; i++) {
		int32_t one = text_width(i == 0 ? FONT_BOLD : FONT_SMALL,
		    t->line[i], strlen(t->line[i]));

		w = one > w ? one : w;
	}
	w = (w > WIDTH_MAX ? WIDTH_MAX : w) + 20;
	x = ui->mouse.x + AWAY_PX;
	y = ui->mouse.y + AWAY_PX;
	if (x < ui->places.lanes.x0 + 8) /* not over the names of other rows */
		x = ui->places.lanes.x0 + 8;
	if (x + w > ui->places.width - 4)
		x = ui->mouse.x - AWAY_PX - w;
	if (y + h > ui->places.pane[PANE_STATUS].y0 - 4)
		y = ui->mouse.y - AWAY_PX - h;
	x = x < 4 ? 4 : x;
	y = y < 4 ? 4 : y;
	return ((struct rect){ x, y, x + w, y + h });
}

void
tooltip_draw(struct ui *ui, struct canvas *c)
{
	struct tip t = { .ui = ui };
	const struct palette *p = ui->palette;
	struct rect b;

	if (!ui->mouse.in || ui->drag.what != DRAG_NONE ||
	    ui->desks->help.open || card_hides(ui) ||
	    rect_has(&ui->places.legend_at, ui->mouse.x, ui->mouse.y) ||
	    model_events(ui->model) == 0 ||
	    (ui->places.only != PANES && ui->places.only != PANE_TIME))
		return;
	tip_make(&t);
	if (t.n > 0)
		tip_causality(&t);
	else
		tip_hint(&t);
	if (t.n == 0)
		return;
	b = tip_box(&t);
	canvas_line_aa(c, ui->mouse.x * 16 + 8, ui->mouse.y * 16 + 8,
	    (b.x0 > ui->mouse.x ? b.x0 : b.x1) * 16,
	    (b.y0 > ui->mouse.y ? b.y0 : b.y1) * 16, 12, p->dim, 200);
	canvas_fill(c, b.x0, b.y0, b.x1, b.y1, p->panel);
	draw_frame(c, &b, p->faint);
	for (int i = 0; i < t.n; i++)
		draw_cut(c, i == 0 ? FONT_BOLD : FONT_SMALL, b.x0 + 10,
		    b.y0 + 16 + i * LINE_PX, b.x1 - b.x0 - 16, t.rgb[i],
		    t.line[i]);
}
