/*
 * States: what the scheduler did with each thread in the panels' range, as
 * figures and as a strip: running, ready and blocked, shares of each pixel; and
 * how often, and how long each time, it was in one of these.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/run/hand.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/activity/stays.h"
#include "ui/views/asked/processors.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define ROW_PX    22
#define STRIP_PX  14
#define STRIP_MAX 2048 /* steps; in a wider strip each is some pixels */
#define DESCRIBED 4096 /* rows */

const struct legend_row states_legend[] = {
	{ ITEM_RECT, LEGEND_STATE(running),
	    "running on a processor; of a processor: in use" },
	{ ITEM_RECT, LEGEND_INK(warn), "ready: no processor was free for it" },
	{ ITEM_RECT, LEGEND_INK(line), "blocked; of a processor: not in use" },
	{ ITEM_RECT, LEGEND_INK(selection), "the selected row" },
	{ 0 },
};

enum column {
	COLUMN_NAME,
	COLUMN_RUNNING, /* from here on by enum sched_state */
	COLUMN_READY,
	COLUMN_BLOCKED,
	COLUMN_CREATED,
	COLUMN_LIFE,
	COLUMN_CPU,
	COLUMN_MOVES,
	COLUMN_TIMES, /* of the state that is chosen */
	COLUMN_MIN,
	COLUMN_MEAN,
	COLUMN_MAX,
	COLUMN_STRIP,
	COLUMNS
};
static const struct table_column places[COLUMNS] = {
	[COLUMN_NAME] = { "thread", 190, 0, 0, false, false },
	[COLUMN_RUNNING] = { "running", 104, 0, 0, true, false },
	[COLUMN_READY] = { "ready", 104, 0, 0, true, false },
	[COLUMN_BLOCKED] = { "blocked", 104, 0, 1, true, false },
	[COLUMN_CREATED] = { "created", 84, 0, 2, true, false },
	[COLUMN_LIFE] = { "life", 72, 0, 3, true, false },
	[COLUMN_CPU] = { "CPU", 30, 0, 6, true, false },
	[COLUMN_MOVES] = { "moves", 44, 0, 5, true, false },
	[COLUMN_TIMES] = { "", 92, 0, 4, true, false },
	[COLUMN_MIN] = { "min", 60, 0, 4, true, false },
	[COLUMN_MEAN] = { "mean", 60, 0, 5, true, false },
	[COLUMN_MAX] = { "max", 60, 0, 4, true, false },
	[COLUMN_STRIP] = { "", 140, 1, 0, false, false },
};

/* A thread in its place among the others. */
struct row {
	uint32_t i;
	struct sched_thread th;
	const struct lane *po;
	const struct model *model;
	bool chosen; /* it, its process or its node is selected */
};

static int
by_owner(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	uint32_t p = model_node_rank(x->model, x->po->node);
	uint32_t q = model_node_rank(y->model, y->po->node);

	if (x->chosen != y->chosen)
		return (x->chosen ? -1 : 1);
	if (p == q) {
		p = x->po->po;
		q = y->po->po;
	}
	if (p == q) {
		p = x->th.tid;
		q = y->th.tid;
	}
	return ((p > q) - (p < q));
}

static bool
is_chosen(const struct ui *ui, const struct row *r)
{
	uint32_t lane = ui->time.selected_lane;

	return (lane != UINT32_MAX &&
		(model_lane_within(ui->model, r->th.po_lane, lane) ||
		    model_lane_within(ui->model, r->th.lane, lane)));
}

/*
 * Those that were there in the range; NULL: all are wanted.  How
 * many others there are is at *others.
 */
static struct row *
rows_of(const struct ui *ui, const int64_t range[2], size_t *n, size_t *others)
{
	uint32_t all = model_scheds(ui->model);
	struct row *rows = calloc((size_t)all + 1, sizeof(*rows));

	*n = *others = 0;
	for (uint32_t i = 0; rows != NULL && i < all; i++) {
		struct row *r = &rows[*n];

		if (!model_sched(ui->model, i, &r->th))
			continue;
		r->i = i;
		r->model = ui->model;
		r->po = model_lane(ui->model, r->th.po_lane);
		if (r->po == NULL)
			continue;
		if (range != NULL &&
		    !model_sched_there(ui->model, i, range[0], range[1])) {
			++*others;
			continue;
		}
		r->chosen = is_chosen(ui, r);
		++*n;
	}
	if (*n > 1)
		qsort(rows, *n, sizeof(*rows), by_owner);
	return (rows);
}

static char *
owner(const struct ui *ui, const struct row *r, char *buf, size_t n)
{
	char name[96];

	if (r->th.lane != UINT32_MAX)
		label_lane(ui->model, model_lane(ui->model, r->th.lane), name,
		    sizeof(name));
	else
		snprintf(name, sizeof(name), "thread %" PRIu32, r->th.tid);
	snprintf(buf, n, "%s/%" PRIu32 "  %s",
	    label_node(ui->model, r->po->node), r->po->po, name);
	return (buf);
}

/* What it was in between two instants; returns how long it was there. */
static int64_t
spent(const struct sched_then *a, const struct sched_then *b,
    int64_t ns[SCHED_STATES])
{
	int64_t sum = 0;

	for (int s = SCHED_RUNNING; s < SCHED_STATES; s++) {
		ns[s] = b->in_ns[s] - a->in_ns[s];
		sum += ns[s];
	}
	return (sum);
}

/* How long it had been there at an instant. */
static int64_t
life_until(const struct model *m, uint32_t i, int64_t t)
{
	static const struct sched_then none;
	struct sched_then then;
	int64_t ns[SCHED_STATES];

	model_sched_then(m, i, &t, 1, &then);
	return (spent(&none, &then, ns));
}

/* The last instant of the run at which it had not been there. */
static int64_t
created(const struct ui *ui, uint32_t i)
{
	int64_t lo = run_begin(ui) - 1, hi = run_end(ui), mid;

	while (lo + 1 < hi) {
		mid = lo + (hi - lo) / 2;
		if (life_until(ui->model, i, mid) > 0)
			hi = mid;
		else
			lo = mid;
	}
	return (lo);
}

static uint32_t
state_rgb(const struct palette *p, int state)
{
	return (state == SCHED_RUNNING ? p->state[LANE_running]
		: state == SCHED_READY ? p->warn
				       : p->line);
}

/* Running below, ready on it, the rest above. */
static void
draw_step(struct canvas *c, const struct palette *p, const struct rect *at,
    const int64_t ns[SCHED_STATES], int64_t all_ns)
{
	int32_t y = at->y1, h = at->y1 - at->y0, top;
	int64_t sum = 0;

	for (int s = SCHED_RUNNING; s < SCHED_STATES; s++) {
		sum += ns[s];
		top =
		    at->y1 - (int32_t)((double)sum * h / (double)all_ns + 0.5);
		if (top < y)
			canvas_fill(c, at->x0, top, at->x1, y, state_rgb(p, s));
		y = top < y ? top : y;
	}
}

/* The state under the pointer. */
static void
hint_state(struct ui *ui, const struct row *r, int64_t t, int64_t step_ns)
{
	struct sched_then then;
	char who[160], when[40];

	model_sched_then(ui->model, r->i, &t, 1, &then);
	snprintf(ui->spots.hint, sizeof(ui->spots.hint), "%s\n%s at %s",
	    owner(ui, r, who, sizeof(who)), label_sched(then.state),
	    run_time(ui, t, step_ns, when, sizeof(when)));
}

static void
draw_strip(struct ui *ui, struct canvas *c, const struct row *r,
    const struct rect *at, int64_t t0, int64_t t1)
{
	static struct sched_then then[STRIP_MAX + 1];
	static int64_t t[STRIP_MAX + 1];
	int32_t px = at->x1 - at->x0, n = px > STRIP_MAX ? STRIP_MAX : px;
	struct rect step = *at;
	int64_t ns[SCHED_STATES];

	if (n < 8)
		return;
	for (int32_t i = 0; i <= n; i++)
		t[i] = t0 + (int64_t)((double)(t1 - t0) * i / n);
	model_sched_then(ui->model, r->i, t, (size_t)n + 1, then);
	for (int32_t i = 0; i < n; i++) {
		step.x0 = at->x0 + (int32_t)((int64_t)i * px / n);
		step.x1 = at->x0 + (int32_t)((int64_t)(i + 1) * px / n);
		if (t[i + 1] > t[i] && spent(&then[i], &then[i + 1], ns) > 0)
			draw_step(c, ui->palette, &step, ns, t[i + 1] - t[i]);
	}
	if (hint_wanted(ui, at->x0, at->y0, at->x1, at->y1))
		hint_state(ui, r, t[(int64_t)(ui->mouse.x - at->x0) * n / px],
		    (t1 - t0) / n + 1);
}

/* How often it was in the chosen state, and how long. */
static void
draw_stays(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    uint32_t sched, const int64_t range[2], const int64_t ns[SCHED_STATES])
{
	const struct table_place *times = &t->place[COLUMN_TIMES];
	enum sched_state state = stays_shown(ui);
	uint32_t rgb = ui->palette->text;
	struct sched_stays s;
	struct sched_stay k;
	char text[40];

	if (times->x1 == times->x0)
		return; /* nor are the others */
	if (!stays_of(ui, sched, range[0], range[1], &s)) {
		cell_text(c, t, places, COLUMN_TIMES, y, rgb, "...");
		return;
	}
	k = sched_stays_in(&s, state);
	cell_text(c, t, places, COLUMN_TIMES, y, rgb, "%s",
	    format_count(text, sizeof(text), k.n));
	if (k.n == 0)
		return;
	cell_text(c, t, places, COLUMN_MIN, y, rgb, "%s",
	    format_span(text, sizeof(text), k.min_ns));
	cell_text(c, t, places, COLUMN_MEAN, y, rgb, "%s",
	    format_span(text, sizeof(text), ns[state] / (int64_t)k.n));
	cell_text(c, t, places, COLUMN_MAX, y, rgb, "%s",
	    format_span(text, sizeof(text), k.max_ns));
}

/* The processor that it had last in the range, and how often that changed. */
static struct sched_on
on_of(const struct ui *ui, uint32_t i, const int64_t range[2])
{
	struct sched_on on, before;

	model_sched_on(ui->model, i, range[1] - 1, &on);
	model_sched_on(ui->model, i, range[0] - 1, &before);
	on.moves -= before.moves;
	return (on);
}

static void
draw_on(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    uint32_t i, const int64_t range[2])
{
	struct sched_on on = on_of(ui, i, range);

	if (on.cpu == SCHED_NO_CPU)
		return;
	cell_text(c, t, places, COLUMN_CPU, y, ui->palette->text, "%" PRIu32,
	    on.cpu);
	cell_text(c, t, places, COLUMN_MOVES, y,
	    on.moves > 0 ? ui->palette->text : ui->palette->dim, "%" PRIu32,
	    on.moves);
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct row *r, const int64_t range[2])
{
	const struct palette *p = ui->palette;
	const struct table_place *at = &t->place[COLUMN_STRIP];
	const struct table_place *name = &t->place[COLUMN_NAME];
	struct rect strip = { at->x0, y - 11, at->x1, y - 11 + STRIP_PX };
	struct sched_then then[2];
	int64_t ns[SCHED_STATES], life_ns;
	char text[160], span[32];

	if (r->chosen)
		canvas_fill(c, name->x0 - 4, y - 14, at->x0 - 4,
		    y - 14 + ROW_PX, p->selection);
	spot_add(ui, name->x0, y - 14, name->x1, y - 14 + ROW_PX,
	    "select-row %" PRIu32,
	    r->th.lane != UINT32_MAX ? r->th.lane : r->th.po_lane);
	draw_cut_middle(c, FONT_SMALL, name->x0, y, name->x1 - name->x0,
	    p->text, owner(ui, r, text, sizeof(text)));
	model_sched_then(ui->model, r->i, range, 2, then);
	life_ns = spent(&then[0], &then[1], ns);
	for (int s = SCHED_RUNNING; s < SCHED_STATES && life_ns > 0; s++)
		cell_text(c, t, places, (size_t)s, y, p->text, "%s  %3d %%",
		    format_span(span, sizeof(span), ns[s]),
		    share_percent(ns[s], life_ns));
	if (t->place[COLUMN_CREATED].x1 > t->place[COLUMN_CREATED].x0)
		cell_text(c, t, places, COLUMN_CREATED, y, p->text, "%s",
		    run_time(ui, created(ui, r->i), 10000, text, sizeof(text)));
	cell_text(c, t, places, COLUMN_LIFE, y, p->text, "%s",
	    format_span(span, sizeof(span),
		life_until(ui->model, r->i, range[1])));
	draw_on(ui, c, t, y, r->i, range);
	if (life_ns > 0)
		draw_stays(ui, c, t, y, r->i, range, ns);
	draw_strip(ui, c, r, &strip, range[0], range[1]);
}

static void
draw_head(struct ui *ui, struct canvas *c, const struct table *t,
    const int64_t range[2])
{
	const struct table_place *at = &t->place[COLUMN_STRIP];
	int64_t step_ns = (range[1] - range[0]) / 1000 + 1;
	int32_t y = t->head_y + 10;
	char when[40];

	cells_head(c, ui->palette, t, places, "");
	for (int s = SCHED_RUNNING; s < SCHED_STATES; s++) {
		const struct table_place *of = &t->place[s];

		if (of->x1 > of->x0)
			canvas_fill(c, of->x1 - 58, y - 8, of->x1 - 50, y,
			    state_rgb(ui->palette, s));
		spot_add(ui, of->x0, y - 10, of->x1, y + 4, "stays %s",
		    label_sched(s));
	}
	cell_text(c, t, places, COLUMN_TIMES, y, ui->palette->accent,
	    "%s, times", label_sched(stays_shown(ui)));
	if (at->x1 - at->x0 < 140)
		return;
	draw_text(c, FONT_SMALL, at->x0, y, ui->palette->dim, "%s",
	    run_time(ui, range[0], step_ns, when, sizeof(when)));
	draw_right(c, FONT_SMALL, at->x1, y, ui->palette->dim, "%s",
	    run_time(ui, range[1], step_ns, when, sizeof(when)));
}

/* "; ready 3 times, 120 to 4000 ns" */
static void
describe_stays(struct ui *ui, FILE *f, uint32_t i, const int64_t range[2])
{
	struct sched_stays s;
	struct sched_stay k;

	stays_of(ui, i, range[0], range[1], &s);
	for (int state = SCHED_RUNNING; state < SCHED_STATES; state++) {
		k = sched_stays_in(&s, (enum sched_state)state);
		fprintf(f,
		    "; %s %" PRIu64 " times, %" PRId64 " to %" PRId64 " ns",
		    label_sched(state), k.n, k.min_ns, k.max_ns);
	}
}

static void
draw_nothing(struct ui *ui, struct canvas *c, const struct rect *r)
{
	static const char *const words[] = {
		"what the scheduler did with threads is not recorded; it is "
		"when the cluster file says",
		"    sched: yes",
	};

	if (model_scheds(ui->model) > 0) {
		draw_cut(c, FONT_SMALL, r->x0, r->y0 + 16, r->x1 - r->x0,
		    ui->palette->dim, "no thread was there in this time");
		return;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		draw_cut(c, FONT_SMALL, r->x0, r->y0 + 16 + 16 * (int32_t)i,
		    r->x1 - r->x0, ui->palette->dim, words[i]);
}

/*
 * The words that choose, and how many threads are left out; returns where the
 * table begins.
 */
static int32_t
draw_choice(struct ui *ui, struct canvas *c, const struct rect *r,
    size_t others)
{
	int32_t x = r->x0, y = r->y0 + 14, x0;
	char num[32];

	for (unsigned i = 0; i < 2; i++) {
		bool on = ui->lists.states_by_processor == (i == 1);

		x0 = x;
		x = draw_text(c, FONT_SMALL, x, y,
			on ? ui->palette->accent : ui->palette->dim, "by %s",
			states_by_name(ui, i)) +
		    14;
		spot_add(ui, x0 - 4, r->y0, x - 6, y + 5, "states %s",
		    states_by_name(ui, i));
	}
	if (others > 0)
		draw_text(c, FONT_SMALL, x + 6, y, ui->palette->dim,
		    "%s not there in this time",
		    format_count(num, sizeof(num), others));
	return (r->y0 + 20);
}

void
states_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	size_t n, others;
	struct row *rows;
	int64_t range[2];
	bool known = figures_range(ui, &range[0], &range[1]);
	struct rect below = *r;
	struct table t;

	if (model_scheds(ui->model) > 0 && ui->lists.states_by_processor) {
		below.y0 = draw_choice(ui, c, r, 0);
		processors_draw(ui, c, &below);
		return;
	}
	if (model_scheds(ui->model) == 0 || !known) {
		draw_nothing(ui, c, r);
		return;
	}
	rows = rows_of(ui, figures_whole(ui) ? NULL : range, &n, &others);
	table_fit(&t, places, COLUMNS, (int32_t)n,
	    ui->lists.scroll[VIEW_STATES], r->x0, draw_choice(ui, c, r, others),
	    r->x1, r->y1, ROW_PX);
	ui->lists.scroll[VIEW_STATES] = t.first;
	draw_head(ui, c, &t, range);
	if (n == 0) {
		below.y0 = t.y;
		draw_nothing(ui, c, &below);
	}
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i) + 4, &rows[t.first + i],
		    range);
	free(rows);
}

void
states_describe(struct ui *ui, FILE *f)
{
	size_t n, others;
	struct row *rows;
	int64_t range[2], ns[SCHED_STATES];
	bool known = figures_range(ui, &range[0], &range[1]);
	struct sched_then then[2];
	struct sched_on on;

	processors_describe(ui, f);
	rows = rows_of(ui, known && !figures_whole(ui) ? range : NULL, &n,
	    &others);
	fprintf(f, "states: %zu threads, %zu not there in this time\n", n,
	    others);
	if (!known)
		n = 0;
	for (size_t i = 0; i < n && i < DESCRIBED; i++) {
		model_sched_then(ui->model, rows[i].i, range, 2, then);
		if (spent(&then[0], &then[1], ns) == 0)
			continue;
		fprintf(f,
		    "  states of %s/%" PRIu32 " thread %" PRIu32 ": running "
		    "%" PRId64 " ns, ready %" PRId64 " ns, blocked %" PRId64
		    " ns, created %" PRId64 " ns, life %" PRId64 " ns",
		    label_node(ui->model, rows[i].po->node), rows[i].po->po,
		    rows[i].th.tid, ns[SCHED_RUNNING], ns[SCHED_READY],
		    ns[SCHED_BLOCKED], created(ui, rows[i].i) - run_origin(ui),
		    life_until(ui->model, rows[i].i, range[1]));
		describe_stays(ui, f, rows[i].i, range);
		on = on_of(ui, rows[i].i, range);
		if (on.cpu != SCHED_NO_CPU)
			fprintf(f, "; on CPU %" PRIu32 ", %" PRIu32 " moves",
			    on.cpu, on.moves);
		fprintf(f, "\n");
	}
	free(rows);
}
