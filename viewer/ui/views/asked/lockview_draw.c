/*
 * The view Locks: what was waited for in the panels' range, by lock, condition,
 * semaphore or barrier, or by place; who held a lock meanwhile, where others
 * were waited for; and who has it, or waits, at the instant.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/bars.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/asked/lockview.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define ROW_PX    18
#define DESCRIBED 256 /* of each sort; tests/oracle knows that number */

const struct legend_row locks_legend[] = {
	{ ITEM_RECT, LEGEND_STATE(wait_lock),
	    "a lock, a semaphore; the bar: the share of the time that it was held" },
	{ ITEM_RECT, LEGEND_STATE(wait_cond), "a condition" },
	{ ITEM_RECT, LEGEND_STATE(wait_sync),
	    "a barrier, a collective, a join, a sleep" },
	{ ITEM_RECT, LEGEND_INK(line),
	    "idle: waits for work; in the bar: not held" },
	{ ITEM_RECT, LEGEND_NAMES, 0, "by place: the function that waits" },
	{ ITEM_RECT, LEGEND_INK(selection), "the selected one" },
	{ 0 },
};

enum column {
	COLUMN_NAME,
	COLUMN_KIND,
	COLUMN_TAKEN,
	COLUMN_WAITED,
	COLUMN_WAIT,
	COLUMN_MEAN,
	COLUMN_MAX,
	COLUMN_ONCE,
	COLUMN_UNHEARD,
	COLUMN_HELD,
	COLUMN_HELD_MAX,
	COLUMN_USE,
	COLUMN_MOST,
	COLUMN_NOW,
	COLUMN_FIRST,
	COLUMN_LAST,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_NAME] = { "waited for", 120, 0, 0, false, false },
	[COLUMN_KIND] = { "kind", 58, 0, 6, false, false },
	[COLUMN_TAKEN] = { "taken", 54, 0, 4, true, false },
	[COLUMN_WAITED] = { "waits", 50, 0, 0, true, false },
	[COLUMN_WAIT] = { "wait", 62, 0, 0, true, false },
	[COLUMN_MEAN] = { "mean", 62, 0, 5, true, false },
	[COLUMN_MAX] = { "longest", 62, 0, 2, true, false },
	[COLUMN_ONCE] = { "at once", 44, 0, 7, true, false },
	[COLUMN_UNHEARD] = { "unheard", 54, 0, 8, true, false },
	[COLUMN_HELD] = { "held", 62, 0, 3, true, false },
	[COLUMN_HELD_MAX] = { "at most", 62, 0, 6, true, false },
	[COLUMN_USE] = { "in use", 70, 0, 7, false, false },
	[COLUMN_MOST] = { "held meanwhile by, waited in", 190, 1, 1, false,
	    false },
	[COLUMN_NOW] = { "now", 150, 1, 8, false, false },
	[COLUMN_FIRST] = { "used first", 84, 0, 9, true, false },
	[COLUMN_LAST] = { "last", 84, 0, 9, true, false },
};

static const char *const sort_word[LOCK_SORTS] = { "lock", "condition",
	"semaphore", "barrier", "collective", "together", "idle", "place" };

const char *
locks_by_name(const struct ui *ui, unsigned i)
{
	static const char *const by[] = { "lock", "place" };

	(void)ui;
	return (i < 2 ? by[i] : NULL);
}

/* A condition and the like, that has a lane; NULL: it is something else. */
static const struct lane *
sync_of(const struct ui *ui, const struct lock_sum *s)
{
	return (s->lane != UINT32_MAX && s->sort != LOCK_LOCK
		    ? model_lane(ui->model, s->lane)
		    : NULL);
}

/* What it is called. */
static char *
name_of(const struct ui *ui, const struct lock_sum *s, char *buf, size_t n)
{
	const struct lane *of = sync_of(ui, s);
	const char *idle = s->sort == LOCK_IDLE ? " (idle)" : "";

	if (lock_sum_is_rest(s))
		snprintf(buf, n, "others");
	else if (s->id != 0)
		snprintf(buf, n, "%s 0x%" PRIx64,
		    s->name != 0 ? label_name(ui->model, s->name)
				 : sort_word[s->sort],
		    s->id);
	else if (s->sort == LOCK_LOCK)
		label_lane(ui->model, model_lane(ui->model, s->lane), buf, n);
	else if (of != NULL)
		snprintf(buf, n, "%s %" PRIu32 "%s",
		    s->name != 0 ? label_name(ui->model, s->name)
				 : sync_sort_name[of->depth],
		    of->thread, idle);
	else if (s->name != 0)
		snprintf(buf, n, "%s%s", label_name(ui->model, s->name), idle);
	else
		snprintf(buf, n, "%s",
		    s->sort == LOCK_TOGETHER ? "barriers, joins"
		    : s->sort == LOCK_PLACE  ? "outside of all calls"
					     : "?");
	return (buf);
}

/* As where there is no room for the column of kinds. */
static void
name_of_kind(const struct ui *ui, const struct lock_sum *s, char *buf, size_t n)
{
	size_t at;

	if (sync_of(ui, s) == NULL) {
		name_of(ui, s, buf, n);
		return;
	}
	label_lane(ui->model, sync_of(ui, s), buf, n);
	at = strlen(buf);
	if (s->sort == LOCK_IDLE)
		snprintf(buf + at, n - at, " (idle)");
}

/* "condition", also of waits of the idle */
static const char *
kind_word(const struct ui *ui, const struct lock_sum *s)
{
	const struct lane *of = sync_of(ui, s);

	return (of != NULL ? sync_sort_name[of->depth] : sort_word[s->sort]);
}

/* The i-th of those that are shown now; NULL: there are no more. */
static const struct lock_sum *
shown(const struct ui *ui, size_t i)
{
	const struct lock_sums *all = locks_shown(ui);
	const struct lock_sum *s;
	size_t n;

	if (all == NULL)
		return (NULL);
	n = lock_sums_list(all, &s);
	for (size_t k = 0; k < n; k++)
		if ((s[k].sort == LOCK_PLACE) == ui->lists.locks_by_place &&
		    i-- == 0)
			return (&s[k]);
	return (NULL);
}

/* Where the most was waited: "in evict" */
static char *
place_words(const struct ui *ui, const struct lock_sum *s, char *buf, size_t n)
{
	if (s->place != 0)
		snprintf(buf, n, "in %s", label_name(ui->model, s->place));
	else
		snprintf(buf, n, "outside of all calls");
	return (buf);
}

/* "worker-06 in evict, 310 ms"; where there is no holder "in evict, 310 ms" */
static char *
most_words(const struct ui *ui, const struct lock_sum *s, char *buf, size_t n)
{
	char who[96], span[32];
	struct lock_then k;

	buf[0] = '\0';
	if (s->sort != LOCK_LOCK && s->place_ns > 0)
		snprintf(buf, n, "%s, %s", place_words(ui, s, who, sizeof(who)),
		    format_span(span, sizeof(span), s->place_ns));
	if (s->sort != LOCK_LOCK || s->holder == UINT32_MAX)
		return (buf);
	label_lane(ui->model, model_lane(ui->model, s->holder), who,
	    sizeof(who));
	if (!lock_then(ui, s->lane, NULL, s->hold_mon_ns, &k))
		k.in = 0;
	snprintf(buf, n, "%s%s%s, %s", who, k.in != 0 ? " in " : "",
	    k.in != 0 ? label_name(ui->model, k.in) : "",
	    format_span(span, sizeof(span), s->holder_ns));
	return (buf);
}

/* Who waits for what at the instant of all views. */
struct waiting {
	int64_t t;
	struct lock_wait *of;
	size_t n;
};

static void
waits_ask(const struct ui *ui, struct waiting *w)
{
	const char *what;

	w->t = run_instant(ui, &what);
	w->of = lock_waits(ui->model, w->t, &w->n);
}

/* "worker-02, 3 wait"; where there is no holder "2: worker-02, worker-03" */
static char *
now_words(const struct ui *ui, const struct lock_sum *s,
    const struct waiting *w, char *buf, size_t n)
{
	char who[240];
	struct lock_then k;

	buf[0] = '\0';
	if (s->lane == UINT32_MAX ||
	    !lock_now(ui, s->lane, w->t, w->of, w->n, &k))
		return (buf);
	if (!k.held) {
		if (k.nwaiters > 0)
			lock_words(ui, &k, 0, buf, n);
		else
			snprintf(buf, n, "nobody");
		return (buf);
	}
	if (k.holder == UINT32_MAX)
		snprintf(who, sizeof(who), k.untold ? "not told" : "free");
	else if (k.nholders > 1)
		lock_words(ui, &k, 0, who, sizeof(who));
	else
		label_lane(ui->model, model_lane(ui->model, k.holder), who,
		    sizeof(who));
	snprintf(buf, n, k.nwaiters > 0 ? "%s, %" PRIu32 " wait" : "%s", who,
	    k.nwaiters);
	return (buf);
}

static void
span_cell(struct ui *ui, struct canvas *c, const struct table *t, size_t i,
    int32_t y, int64_t ns)
{
	char span[32];

	cell_text(c, t, columns, i, y,
	    ns > 0 ? ui->palette->text : ui->palette->dim, "%s",
	    ns > 0 ? format_span(span, sizeof(span), ns) : "–");
}

static void
count_cell(struct ui *ui, struct canvas *c, const struct table *t, size_t i,
    int32_t y, uint64_t n)
{
	char num[32];

	cell_text(c, t, columns, i, y, ui->palette->text, "%s",
	    format_count(num, sizeof(num), n));
}

/* The share of the range in which it was held. */
static void
draw_use(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct lock_sum *s)
{
	const struct table_place *at = &t->place[COLUMN_USE];
	int64_t of_ns = locks_range_ns(ui);
	int32_t w = at->x1 - at->x0;

	if (w < 8 || s->sort != LOCK_LOCK || of_ns <= 0)
		return;
	canvas_fill(c, at->x0, y - 8, at->x1, y, ui->palette->line);
	canvas_fill(c, at->x0, y - 8,
	    at->x0 + (int32_t)((double)s->used_ns * w / (double)of_ns), y,
	    ui->palette->state[LANE_wait_lock]);
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct lock_sum *s, const struct waiting *w)
{
	static const uint8_t class[LOCK_SORTS] = { LANE_wait_lock,
		LANE_wait_cond, LANE_wait_lock, LANE_wait_sync, LANE_wait_sync,
		LANE_wait_sync, LANE_idle, LANE_wait_lock };
	const struct palette *p = ui->palette;
	int32_t x0 = t->place[0].x0, x1 = t->place[0].x1;
	char text[320];

	if (s->lane != UINT32_MAX && s->lane == ui->time.selected_lane)
		canvas_fill(c, x0 - 4, y - 13, cells_right(t), y + 5,
		    p->selection);
	if (t->place[COLUMN_KIND].x1 > t->place[COLUMN_KIND].x0)
		name_of(ui, s, text, sizeof(text));
	else
		name_of_kind(ui, s, text, sizeof(text));
	cell_name(c, t, y, p->text,
	    s->sort == LOCK_PLACE  ? palette_of_name(ui->model, s->name)
	    : s->sort == LOCK_IDLE ? p->line
				   : p->state[class[s->sort]],
	    text);
	if (s->lane != UINT32_MAX)
		spot_add(ui, x0, y - 13, x1, y + 5, "select-row %" PRIu32,
		    s->lane);
	if (s->name != 0 && s->waited > 0)
		spot_add(ui, x1, y - 13, t->place[COLUMN_MAX].x1, y + 5,
		    "find \"%.60s\"", label_name(ui->model, s->name));
	if (s->sort == LOCK_LOCK) {
		count_cell(ui, c, t, COLUMN_TAKEN, y, s->taken);
		span_cell(ui, c, t, COLUMN_HELD, y, s->held_ns);
		span_cell(ui, c, t, COLUMN_HELD_MAX, y, s->held_max_ns);
	}
	if (s->sort == LOCK_SEMAPHORE && s->taken > 0)
		count_cell(ui, c, t, COLUMN_TAKEN, y, s->taken);
	if (s->unheard > 0)
		count_cell(ui, c, t, COLUMN_UNHEARD, y, s->unheard);
	if (s->sort != LOCK_PLACE)
		cell_text(c, t, columns, COLUMN_KIND, y, p->dim, "%s",
		    kind_word(ui, s));
	if (s->most > 0)
		count_cell(ui, c, t, COLUMN_ONCE, y, s->most);
	count_cell(ui, c, t, COLUMN_WAITED, y, s->waited);
	span_cell(ui, c, t, COLUMN_WAIT, y, s->wait_ns);
	span_cell(ui, c, t, COLUMN_MEAN, y,
	    s->waited > 0 ? s->wait_ns / (int64_t)s->waited : 0);
	span_cell(ui, c, t, COLUMN_MAX, y, s->wait_max_ns);
	draw_use(ui, c, t, y, s);
	cell_text(c, t, columns, COLUMN_MOST, y, p->text, "%s",
	    most_words(ui, s, text, sizeof(text)));
	cell_text(c, t, columns, COLUMN_FIRST, y, p->dim, "%s",
	    run_time(ui, s->first_mon_ns, 1000, text, sizeof(text)));
	cell_text(c, t, columns, COLUMN_LAST, y, p->dim, "%s",
	    run_time(ui, s->last_mon_ns, 1000, text, sizeof(text)));
	if (t->place[COLUMN_NOW].x1 > t->place[COLUMN_NOW].x0)
		cell_text(c, t, columns, COLUMN_NOW, y, p->dim, "%s",
		    now_words(ui, s, w, text, sizeof(text)));
}

/* The columns of what is shown: of places there are fewer, and none is waited
 * for. */
static void
choose_columns(const struct ui *ui, struct table_column own[COLUMNS])
{
	memcpy(own, columns, sizeof(columns));
	if (!ui->lists.locks_by_place)
		return;
	own[COLUMN_NAME].title = "waited in";
	own[COLUMN_KIND].hidden = own[COLUMN_TAKEN].hidden = true;
	for (int i = COLUMN_ONCE; i < COLUMNS; i++)
		own[i].hidden = true;
}

/* The words that choose; returns where the table begins. */
static int32_t
draw_choice(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct lock_sums *k = locks_shown(ui);
	int32_t x = r->x0, y = r->y0 + 14, x0;
	uint64_t vain;
	bool exact;

	for (unsigned i = 0; i < 2; i++) {
		bool on = ui->lists.locks_by_place == (i == 1);

		x0 = x;
		x = draw_text(c, FONT_SMALL, x, y,
			on ? ui->palette->accent : ui->palette->dim, "by %s",
			locks_by_name(ui, i)) +
		    14;
		spot_add(ui, x0 - 4, r->y0, x - 6, y + 5, "locks %s",
		    locks_by_name(ui, i));
	}
	vain = k == NULL ? 0 : lock_sums_vain(k, &exact);
	if (vain > 0)
		draw_text(c, FONT_SMALL, x, y, ui->palette->warn,
		    "%s%" PRIu64 " signal%s that nobody waited for",
		    exact ? "" : "~", vain, vain == 1 ? "" : "s");
	return (r->y0 + 20);
}

void
locks_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct table_column own[COLUMNS];
	int32_t n = 0, px, longest = 0, top = draw_choice(ui, c, r);
	const struct lock_sum *s;
	struct waiting now;
	struct table t;
	char name[160];

	for (; (s = shown(ui, (size_t)n)) != NULL; n++) {
		name_of_kind(ui, s, name, sizeof(name));
		px = cells_name_px(name);
		longest = px > longest ? px : longest;
	}
	if (n == 0) {
		draw_cut(c, FONT_SMALL, r->x0, top + 14, r->x1 - r->x0,
		    ui->palette->dim,
		    locks_busy(ui)
			? "adding up ..."
			: "no lock, condition, barrier or join in this time; "
			  "monitorctl run records those of any program");
		return;
	}
	choose_columns(ui, own);
	cells_widen(own, longest, r->x1 - r->x0);
	table_fit(&t, own, COLUMNS, n, ui->lists.scroll[VIEW_LOCKS], r->x0, top,
	    cells_x1(r), r->y1, ROW_PX);
	ui->lists.scroll[VIEW_LOCKS] = t.first;
	cells_head(c, ui->palette, &t, own, "");
	waits_ask(ui, &now);
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i) + 2,
		    shown(ui, (size_t)t.first + (size_t)i), &now);
	free(now.of);
}

static void
describe_sum(struct ui *ui, const struct lock_sum *s, const struct waiting *w,
    FILE *f)
{
	char name[160], text[320];

	fprintf(f,
	    "  %s %s: waited %" PRIu64 ", %" PRId64 " ns, longest %" PRId64
	    " ns",
	    sort_word[s->sort], name_of(ui, s, name, sizeof(name)), s->waited,
	    s->wait_ns, s->wait_max_ns);
	if (s->sort == LOCK_LOCK)
		fprintf(f,
		    "; taken %" PRIu64 ", held %" PRId64 " ns, longest %" PRId64
		    " ns; in use %" PRId64 " ns; meanwhile %" PRId64
		    " ns held by %s; now %s",
		    s->taken, s->held_ns, s->held_max_ns, s->used_ns,
		    s->holder_ns,
		    s->holder == UINT32_MAX
			? "nobody"
			: most_words(ui, s, text, sizeof(text)),
		    now_words(ui, s, w, name, sizeof(name)));
	else if (s->lane != UINT32_MAX)
		fprintf(f,
		    "; at most %" PRIu32 " at once; %" PRId64 " ns %s; now %s",
		    s->most, s->place_ns,
		    place_words(ui, s, text, sizeof(text)),
		    now_words(ui, s, w, name, sizeof(name)));
	if (s->sort == LOCK_SEMAPHORE)
		fprintf(f, "; passed without a wait %" PRIu64, s->taken);
	if (s->sort == LOCK_SEMAPHORE || s->sort == LOCK_CONDITION)
		fprintf(f, "; unheard %" PRIu64, s->unheard);
	fprintf(f, "; used from %" PRId64 " to %" PRId64 " ns\n",
	    s->first_mon_ns - run_origin(ui), s->last_mon_ns - run_origin(ui));
}

void
locks_describe(struct ui *ui, FILE *f)
{
	const struct lock_sums *k = locks_shown(ui);
	const struct lock_sum *s;
	struct waiting now;
	size_t n, more = 0, of_sort[LOCK_SORTS] = { 0 };
	uint64_t vain;
	bool exact;

	if (k == NULL) {
		fprintf(f, "locks: nothing is known\n");
		return;
	}
	n = lock_sums_list(k, &s);
	fprintf(f, "locks: %s%zu\n", lock_sums_exact(k) ? "" : "~", n);
	vain = lock_sums_vain(k, &exact);
	fprintf(f, "  signals that nobody waited for: %s%" PRIu64 "\n",
	    exact ? "" : "~", vain);
	waits_ask(ui, &now);
	for (size_t i = 0; i < n; i++)
		if (of_sort[s[i].sort]++ < DESCRIBED)
			describe_sum(ui, &s[i], &now, f);
		else
			more++;
	if (more > 0)
		fprintf(f, "  and %zu more\n", more);
	free(now.of);
}
