/*
 * Running text: of all threads, or those of the node or process that is
 * selected, what began, what was sent and taken and what was marked until the
 * instant that all views are of; so it follows a run that goes on, and a
 * playback.
 *
 * Only as many as there is room for are looked for.  Of each thread the last
 * begin is asked first: what is older than so many of these is not in sight, so
 * that all but a few threads need not be asked again.  Links and marks are then
 * those of the time that these lines span.
 */
#include "newest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "model/detail.h"
#include "model/model.h"
#include "model/run/hand.h"
#include "ui/draw/draw.h"
#include "ui/views/cells.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define ROW_PX    15
#define LINES     1024      /* so far back one may scroll */
#define MIDDLE    (1 << 20) /* scroll of the view between two frames */
#define LINKS     512       /* in the time of these */
#define THREADS   2048      /* more are too many to be asked in a frame */
#define PAUSE     6         /* frames, while a run grows */
#define DESCRIBED 16

struct line {
	int64_t t_mon_ns;
	uint32_t lane;
	enum {
		LINE_BEGIN,
		LINE_CAUSE,
		LINE_EFFECT,
		LINE_MARK
	} what;
	union {
		struct span span;
		struct link link;
		struct mark mark;
	} of;
};

struct newest {
	const struct model *model;
	int64_t t; /* until then */
	uint64_t events, details, due;
	uint32_t selected, threads;
	size_t max, n;
	bool gone, many;
	bool scrolls; /* the view's scroll is this text's */
	size_t back;  /* so many of the newest are below what is in sight */
	struct line line[LINES]; /* the newest first */
};

/* What is found first, before all but the newest goes. */
struct heap {
	struct line *line;
	size_t n, cap;
};

static bool
heap_add(struct heap *h, const struct line *l)
{
	struct line *more;

	if (h->n == h->cap) {
		more = realloc(h->line, (h->cap * 2 + 256) * sizeof(*more));
		if (more == NULL)
			return (false);
		h->line = more;
		h->cap = h->cap * 2 + 256;
	}
	h->line[h->n++] = *l;
	return (true);
}

static int
newest_first(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->t_mon_ns != y->t_mon_ns)
		return (x->t_mon_ns > y->t_mon_ns ? -1 : 1);
	if (x->lane != y->lane)
		return (x->lane < y->lane ? -1 : 1);
	return ((x->what > y->what) - (x->what < y->what));
}

static void
heap_sort(struct heap *h)
{
	if (h->n > 1)
		qsort(h->line, h->n, sizeof(*h->line), newest_first);
}

static bool
is_meant(const struct ui *ui, uint32_t lane)
{
	const struct lane *l = model_lane(ui->model, lane), *of;

	if (l->kind != LANE_THREAD || l->node == 0)
		return (false);
	if (ui->time.selected_lane == UINT32_MAX)
		return (true);
	if (ui->time.selected_lane >= HAND_LANE)
		return (
		    model_lane_within(ui->model, lane, ui->time.selected_lane));
	of = model_lane(ui->model, ui->time.selected_lane);
	return (
	    l->node == of->node && (of->kind != LANE_PO || l->po == of->po));
}

/* So many of a thread have begun until then. */
static uint64_t
begun_until(const struct ui *ui, struct newest *k, uint32_t lane)
{
	int64_t by_class[LANE_CLASSES];
	uint64_t n = 0;

	if (!model_lane_totals(ui->model, lane, INT64_MIN / 4,
		k->t < INT64_MAX ? k->t + 1 : k->t, by_class, &n))
		k->gone = true;
	return (n);
}

/* The last max of a thread until t that are not before since. */
static bool
add_begins(const struct ui *ui, struct newest *k, uint32_t lane, size_t max,
    int64_t since, struct heap *h)
{
	struct span span[LINES];
	uint64_t begun = begun_until(ui, k, lane), from;
	size_t n;

	from = begun > max ? begun - max : 0;
	n = model_lane_list(ui->model, lane, from, span,
	    (size_t)(begun - from));
	if (n > begun - from) {
		k->gone = true;
		return (true);
	}
	for (size_t i = 0; i < n; i++) {
		struct line l = { span[i].t0_mon_ns, lane, LINE_BEGIN,
			{ .span = span[i] } };

		if (span[i].t0_mon_ns >= since && span[i].t0_mon_ns <= k->t &&
		    !heap_add(h, &l))
			return (false);
	}
	return (true);
}

/* Begins of all threads: at least the newest max of them. */
static bool
take_begins(const struct ui *ui, struct newest *k, struct heap *h)
{
	uint32_t lanes = model_lanes(ui->model);
	struct heap last = { NULL, 0, 0 };
	bool all = true;
	int64_t since;

	for (uint32_t i = 0; i < lanes; i++)
		k->threads += is_meant(ui, i);
	k->many = k->threads > THREADS;
	for (uint32_t i = 0; i < lanes && all && !k->many; i++)
		if (is_meant(ui, i))
			all = add_begins(ui, k, i, 1, INT64_MIN, &last);
	heap_sort(&last);
	since = last.n > k->max ? last.line[k->max - 1].t_mon_ns : INT64_MIN;
	for (size_t i = 0; i < last.n && all; i++)
		if (last.line[i].t_mon_ns >= since)
			all = add_begins(ui, k, last.line[i].lane, k->max,
			    since, h);
	free(last.line);
	heap_sort(h);
	return (all);
}

static bool
take_link(const struct ui *ui, const struct newest *k, const struct link *l,
    int64_t since, struct heap *h)
{
	struct line at = { l->t0_mon_ns, l->lane0, LINE_CAUSE, { .link = *l } };

	if (l->lane0 < model_lanes(ui->model) && is_meant(ui, l->lane0) &&
	    l->t0_mon_ns >= since && l->t0_mon_ns <= k->t && !heap_add(h, &at))
		return (false);
	at.t_mon_ns = l->t1_mon_ns;
	at.lane = l->lane1;
	at.what = LINE_EFFECT;
	return (!(l->lane1 < model_lanes(ui->model) && is_meant(ui, l->lane1) &&
		    l->t1_mon_ns >= since && l->t1_mon_ns <= k->t) ||
		heap_add(h, &at));
}

/* Of [since, t]; how much of it had few enough is what is returned. */
static int64_t
take_others(const struct ui *ui, struct newest *k, int64_t since,
    struct heap *h)
{
	static struct link link[LINKS];
	static struct mark mark[LINKS];
	size_t links, marks;
	bool all = true;

	for (;;) {
		links = model_links(ui->model, since, k->t + 1, link, LINKS);
		marks = model_marks(ui->model, since, k->t + 1, mark, LINKS);
		if ((links <= LINKS && marks <= LINKS) || since >= k->t)
			break;
		since += (k->t - since + 1) / 2;
	}
	k->gone |= !model_known(ui->model, since, k->t + 1);
	for (size_t i = 0; i < links && i < LINKS && all; i++)
		all = take_link(ui, k, &link[i], since, h);
	for (size_t i = 0; i < marks && i < LINKS && all; i++) {
		struct line l = { mark[i].t_mon_ns, mark[i].lane, LINE_MARK,
			{ .mark = mark[i] } };

		if (mark[i].lane < model_lanes(ui->model) &&
		    is_meant(ui, mark[i].lane))
			all = heap_add(h, &l);
	}
	return (since);
}

static void
newest_make(const struct ui *ui, struct newest *k)
{
	struct heap h = { NULL, 0, 0 };
	int64_t since = run_begin(ui);

	k->n = 0;
	k->threads = 0;
	k->gone = k->many = false;
	if (take_begins(ui, k, &h) && !k->many) {
		if (h.line != NULL && h.n >= k->max)
			since = h.line[k->max - 1].t_mon_ns;
		since = take_others(ui, k, since, &h);
		heap_sort(&h);
		while (k->n < k->max && k->n < h.n &&
		       h.line[k->n].t_mon_ns >= since) {
			k->line[k->n] = h.line[k->n];
			k->n++;
		}
	}
	free(h.line);
}

/* NULL: no memory. */
static const struct newest *
newest_of(struct ui *ui, size_t max)
{
	struct newest *k = view_own(ui, VIEW_SPANS, sizeof(*k));
	uint64_t events = model_events(ui->model);
	uint64_t details = model_details(ui->model);
	const char *what;
	int64_t t = run_instant(ui, &what);
	uint32_t selected = ui->time.selected_lane;
	bool same;

	if (k == NULL)
		return (NULL);
	max = max > LINES ? LINES : max;
	same =
	    k->model == ui->model && k->selected == selected && k->max == max;
	if (same && k->t == t && k->events == events && k->details == details)
		return (k);
	if (same && run_outruns(ui) && ui->picture->frame < k->due) {
		ui->picture->undone = true;
		return (k);
	}
	k->model = ui->model;
	k->selected = selected;
	k->max = max;
	k->t = t;
	k->events = events;
	k->details = details;
	k->due = ui->picture->frame + PAUSE;
	newest_make(ui, k);
	return (k);
}

/* "sends 77 B to worker 2" */
static void
link_words(const struct ui *ui, const struct line *l, int64_t until, char *buf,
    size_t n)
{
	const struct link *k = &l->of.link;
	bool cause = l->what == LINE_CAUSE;
	uint32_t other = cause ? k->lane1 : k->lane0;
	const struct event_desc *d = event_desc(k->kind0);
	char who[160], size[32];
	size_t at;

	if (d != NULL && !cause && d->partner != 0)
		d = event_desc(d->partner);
	at = (size_t)snprintf(buf, n, "%s", d == NULL ? "event" : d->name);
	if (k->kind0 == EV_send && at < n)
		at += (size_t)snprintf(buf + at, n - at, ", %s",
		    format_bytes(size, sizeof(size), k->bytes));
	if (k->tag != 0 && at < n)
		at += (size_t)snprintf(buf + at, n - at, ", tag %s",
		    label_tag(k->tag, size, sizeof(size)));
	if (other < model_lanes(ui->model) && k->t1_mon_ns <= until && at < n)
		at += (size_t)snprintf(buf + at, n - at, ", %s %s",
		    cause ? "to" : "from",
		    label_where(ui, other, INT64_MIN, who, sizeof(who)));
	if (!cause && at < n)
		snprintf(buf + at, n - at, ", %s before",
		    format_span(size, sizeof(size),
			k->t1_mon_ns - k->t0_mon_ns));
}

/* "evict, 1.2 ms"; of what is not over until then no length. */
static void
begin_words(const struct ui *ui, const struct line *l, int64_t until, char *buf,
    size_t n)
{
	const struct span *s = &l->of.span;
	bool waits = lane_waits(s->class);
	struct span whole = *s;
	struct whole w;
	char span[32];
	size_t at;

	at = (size_t)snprintf(buf, n, "%s%s%s",
	    s->name != 0 && !waits ? "" : label_state(s),
	    s->name != 0 && waits ? ": " : "",
	    s->name != 0 ? label_name(ui->model, s->name) : "");
	model_lane_whole(ui->model, l->lane, &whole, &w);
	if (at < n && !w.more && whole.t1_mon_ns <= until)
		snprintf(buf + at, n - at, ", %s",
		    format_span(span, sizeof(span),
			whole.t1_mon_ns - whole.t0_mon_ns));
}

static char *
line_words(const struct ui *ui, const struct line *l, int64_t until, char *buf,
    size_t n)
{
	const char *title;
	char text[320];

	switch (l->what) {
	case LINE_BEGIN:
		begin_words(ui, l, until, buf, n);
		break;
	case LINE_CAUSE:
	case LINE_EFFECT:
		link_words(ui, l, until, buf, n);
		break;
	case LINE_MARK:
		title = label_mark(ui->model, &l->of.mark, text, sizeof(text));
		snprintf(buf, n, "%s: %s", title, text);
		break;
	}
	return (buf);
}

static uint32_t
line_rgb(const struct ui *ui, const struct line *l)
{
	const struct palette *p = ui->palette;
	const struct span *s = &l->of.span;

	if (l->what == LINE_MARK)
		return (p->warn);
	if (l->what != LINE_BEGIN)
		return (p->accent);
	return (s->name != 0 && s->class == LANE_running
		    ? palette_of_name(ui->model, s->name)
		    : p->state[s->class]);
}

static const struct table_column columns[] = {
	{ "time", 112, 0, 0, true, false },
	{ "thread", 150, 1, 0, false, false },
	{ "", 200, 3, 0, false, false },
};

static void
draw_line(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct line *l, int64_t until)
{
	const struct palette *p = ui->palette;
	const struct table_place *what = &t->place[2];
	char text[400];

	cell_text(c, t, columns, 0, y, p->text, "%s",
	    run_time(ui, l->t_mon_ns, 1, text, sizeof(text)));
	cell_text(c, t, columns, 1, y,
	    label_lane_rgb(ui, model_lane(ui->model, l->lane)), "%s",
	    label_where(ui, l->lane, INT64_MIN, text, sizeof(text)));
	canvas_fill(c, what->x0, y - 8, what->x0 + 8, y, line_rgb(ui, l));
	draw_cut(c, FONT_SMALL, what->x0 + 14, y, what->x1 - what->x0 - 14,
	    p->text, line_words(ui, l, until, text, sizeof(text)));
	spot_add(ui, t->place[0].x0, y - 11, what->x1, y + 4,
	    "cursor %" PRId64 "ns", l->t_mon_ns - run_origin(ui));
}

static void
draw_head(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct newest *k)
{
	const struct palette *p = ui->palette;
	const char *what;
	char when[40];
	int32_t x, y = r->y0 + 14;

	run_instant(ui, &what);
	x = draw_text(c, FONT_SMALL, r->x0, y, p->dim,
	    "%" PRIu32 " thread%s until ", k->threads,
	    k->threads == 1 ? "" : "s");
	x = draw_text(c, FONT_SMALL, x, y, p->accent, "%s",
	    run_time(ui, k->t, 100, when, sizeof(when)));
	x = draw_text(c, FONT_SMALL, x + 6, y, p->dim, "(%s)", what);
	if (ui->chosen.cursor_mon_ns != INT64_MIN) {
		x = draw_text(c, FONT_SMALL, x + 14, y, p->accent, "now");
		spot_add(ui, x - 30, y - 12, x + 6, y + 4, "cursor now");
	}
	if (k->back > 0)
		x = draw_text(c, FONT_SMALL, x + 14, y, p->accent,
		    "%zu lines back", k->back);
	draw_cut(c, FONT_SMALL, x + 14, y, r->x1 - x - 14, p->dim,
	    k->many   ? "too many for a text: select a node or a process"
	    : k->gone ? "some was given up for want of memory"
		      : "select a row for a list of its own");
}

/* What keys and the wheel have scrolled since: down is on, to the newest. */
static void
take_scroll(struct ui *ui, struct newest *k, size_t rows)
{
	int32_t *scroll = &ui->lists.scroll[VIEW_SPANS];
	int64_t back = (int64_t)k->back;

	if (k->scrolls)
		back -= (int64_t)*scroll - MIDDLE;
	if (back > (int64_t)(LINES - rows))
		back = (int64_t)(LINES - rows);
	k->back = back < 0 ? 0 : (size_t)back;
	k->scrolls = true;
	*scroll = MIDDLE;
}

void
newest_leave(struct ui *ui)
{
	struct newest *k = ui->lists.own[VIEW_SPANS];

	if (k == NULL || !k->scrolls)
		return;
	ui->lists.scroll[VIEW_SPANS] = 0;
	k->scrolls = false;
	k->back = 0;
}

void
newest_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct newest *k = view_own(ui, VIEW_SPANS, sizeof(*k));
	int32_t fit = (r->y1 - r->y0 - 22) / ROW_PX, y;
	size_t rows = fit < 1 ? 1 : fit > LINES ? LINES : (size_t)fit, last;
	struct table t;

	if (k == NULL)
		return;
	take_scroll(ui, k, rows);
	newest_of(ui, rows + k->back);
	if (k->back + rows > k->n) /* there are no more */
		k->back = k->n > rows ? k->n - rows : 0;
	draw_head(ui, c, r, k);
	if (k->n == 0 && !k->many && !k->gone) {
		struct rect below = { r->x0, r->y0 + 20, r->x1, r->y1 };

		words_empty(ui, c, &below, "nothing has begun until then", "");
	}
	table_fit(&t, columns, sizeof(columns) / sizeof(columns[0]), 0, 0,
	    r->x0, r->y0, r->x1, r->y1, ROW_PX);
	y = r->y0 + 14;
	last = k->n < k->back + rows ? k->n : k->back + rows;
	for (size_t i = last; i > k->back && y + ROW_PX < r->y1; i--)
		draw_line(ui, c, &t, y += ROW_PX, &k->line[i - 1], k->t);
}

void
newest_describe(struct ui *ui, FILE *f)
{
	const struct newest *k = newest_of(ui, DESCRIBED);
	static const char *const word[] = { [LINE_BEGIN] = "begin",
		[LINE_CAUSE] = "cause",
		[LINE_EFFECT] = "effect",
		[LINE_MARK] = "mark" };
	char who[160], text[400];

	if (k == NULL)
		return;
	fprintf(f, "text: %" PRIu32 " threads until %" PRId64 " ns%s\n",
	    k->threads, k->t - run_origin(ui),
	    k->many   ? ", too many"
	    : k->gone ? ", some was given up"
		      : "");
	for (size_t i = k->n; i > 0; i--) {
		const struct line *l = &k->line[i - 1];

		fprintf(f, "  %" PRId64 " ns %s of %s: %s\n",
		    l->t_mon_ns - run_origin(ui), word[l->what],
		    label_where(ui, l->lane, INT64_MIN, who, sizeof(who)),
		    line_words(ui, l, k->t, text, sizeof(text)));
	}
}
