/* How busy the run, its nodes and its processes are, as a table with bars. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/cells.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define ROW_PX     15
#define LARGE_PX   160 /* of height: with sums of nodes */
#define PROFILE_PX 420
#define RADAR_PX   380
#define BARS_PX    560 /* they have as much at least beside it */
#define NAME_PX    240 /* of a process, where there is room */

const struct legend_row activity_legend[] = {
	{ ITEM_RECT, LEGEND_STATE(running),
	    "threads that run; meters: the part of the time that they did; "
	    "radar: the last 30 ms" },
	{ ITEM_RECT, LEGEND_STATE(overhead),
	    "in the runtime, or held up by the monitor" },
	LEGEND_WAITS,
	{ ITEM_HATCH, LEGEND_STATE(lost), "unknown: events were lost" },
	{ ITEM_RECT, LEGEND_INK(line), "nothing: no thread lived" },
	{ ITEM_RECT, LEGEND_NODES_ON, 0,
	    "radar, meters, speed: the node of a process" },
	{ ITEM_LINE, LEGEND_INK(text),
	    "radar: of its life; meters: at least one thread ran" },
	{ ITEM_RECT, LEGEND_NAMES, 0, "speed: the phase" },
	{ ITEM_LINE, LEGEND_SHADES, 0,
	    "portrait: from the first to the last part of the range" },
	{ ITEM_CIRCLE, LEGEND_INK(accent), "portrait: the instant" },
	{ 0 },
};

/* Columns: what is shown of a row; beside the bar its parts in numbers. */
enum column {
	COLUMN_NAME,
	COLUMN_THREADS,
	COLUMN_SPANS,
	COLUMN_BAR,
	COLUMN_LIFE,
	COLUMN_RUN,
	COLUMN_BUSY,
	COLUMN_TALK,
	COLUMN_PARTS
};
static const struct {
	uint8_t class;
	const char *what;
} parts[] = { { LANE_overhead, "overhead" }, { LANE_wait_message, "messages" },
	{ LANE_wait_lock, "locks" }, { LANE_wait_sync, "barriers" },
	{ LANE_wait_cond, "conditions" }, { LANE_wait_rpc, "calls" },
	{ LANE_lost, "lost" } };
#define PARTS   (sizeof(parts) / sizeof(parts[0]))
#define COLUMNS (COLUMN_PARTS + PARTS)

static void
columns_of(struct table_column *c)
{
	static const struct table_column fixed[COLUMN_PARTS] = {
		[COLUMN_NAME] = { "process", 150, 0, 0, false, false },
		[COLUMN_THREADS] = { "threads", 46, 0, 1, true, false },
		[COLUMN_SPANS] = { "spans", 48, 0, 2, true, false },
		[COLUMN_BAR] = { "", 100, 1, 0, false, false },
		[COLUMN_LIFE] = { "of life", 44, 0, 0, true, false },
		[COLUMN_RUN] = { "of the run", 60, 0, 1, true, false },
		[COLUMN_BUSY] = { "threads busy", 72, 0, 1, true, false },
		[COLUMN_TALK] = { "talk/run", 50, 0, 2, true, false },
	};

	memcpy(c, fixed, sizeof(fixed));
	for (size_t i = 0; i < PARTS; i++)
		c[COLUMN_PARTS + i] = (struct table_column){ parts[i].what, 62,
			0, 3, true, false };
}

static bool
has_parts(const struct table *t)
{
	return (t->place[COLUMNS - 1].x1 > t->place[COLUMNS - 1].x0);
}

static void
draw_head(struct ui *ui, struct canvas *c, const struct table *t,
    const struct table_column *columns)
{
	const struct palette *p = ui->palette;
	int32_t y = t->head_y + 10;

	cells_head(c, p, t, columns, "");
	if (!has_parts(t)) {
		cell_text(c, t, columns, COLUMN_BAR, y, p->dim,
		    "busy, overhead, waits for messages, locks, others, calls, "
		    "conditions");
		return;
	}
	for (size_t i = 0; i < PARTS; i++) {
		int32_t w = text_width(FONT_SMALL, parts[i].what,
		    strlen(parts[i].what));
		int32_t x = t->place[COLUMN_PARTS + i].x1 - w - 12;

		canvas_fill(c, x, y - 8, x + 8, y, p->state[parts[i].class]);
	}
}

/*
 * How long one of its threads at least ran: of its own life (efficiency) and of
 * the run (utilisation).  lane UINT32_MAX: the run as a whole.
 */
static void
draw_ran(struct ui *ui, struct canvas *c, const struct table *t,
    const struct table_column *columns, int32_t y, uint32_t lane)
{
	const struct running *r = activity_running(ui);
	const struct lane *l;
	int64_t ns, life;

	if (!running_known(r) || r->model != ui->model ||
	    (lane != UINT32_MAX && lane >= r->lanes))
		return;
	life = r->t1 - r->t0;
	ns = life - r->by_k[0];
	if (lane != UINT32_MAX) {
		l = model_lane(ui->model, lane);
		life = running_life(ui->model, lane, r->t0, r->t1);
		ns = l->kind == LANE_NODE
			 ? (l->node <= r->nodes ? r->of_node[l->node] : 0)
		     : r->place[lane] != UINT32_MAX ? r->of_po[r->place[lane]]
						    : 0;
	}
	cell_text(c, t, columns, COLUMN_LIFE, y, ui->palette->text, "%d %%",
	    share_percent(ns, life));
	cell_text(c, t, columns, COLUMN_RUN, y, ui->palette->text, "%d %%",
	    share_percent(ns, r->t1 - r->t0));
}

static void
draw_share(struct ui *ui, struct canvas *c, const struct table *t,
    const struct table_column *columns, int32_t y, const char *name,
    uint32_t lane, const struct share *s)
{
	const struct palette *p = ui->palette;
	const struct table_place *bar = &t->place[COLUMN_BAR];
	const char *about = share_about(s);
	char count[32];

	cell_text(c, t, columns, COLUMN_NAME, y, p->text, "%s", name);
	cell_text(c, t, columns, COLUMN_THREADS, y, p->text, "%" PRIu32,
	    s->threads);
	cell_text(c, t, columns, COLUMN_SPANS, y, p->text, "%s%s", about,
	    format_count(count, sizeof(count), s->spans));
	draw_ran(ui, c, t, columns, y, lane);
	activity_bar(ui, c, bar->x0, y - 8, bar->x1 - bar->x0, 9, s);
	cell_text(c, t, columns, COLUMN_BUSY, y, p->text, "%s%d %%", about,
	    share_percent(s->by_class[LANE_running], s->threads_ns));
	if (s->by_class[LANE_running] > 0)
		cell_text(c, t, columns, COLUMN_TALK, y, p->text, "%s%d %%",
		    about,
		    share_percent(share_talk_ns(s), s->by_class[LANE_running]));
	for (size_t i = 0; i < PARTS; i++) {
		int64_t ns = s->by_class[parts[i].class];

		if (ns > 0)
			cell_text(c, t, columns, COLUMN_PARTS + i, y, p->text,
			    "%s%d %%", about, share_percent(ns, s->threads_ns));
	}
}

/* Rows before those of processes: the run as a whole, and its nodes. */
static int32_t
sum_rows(const struct ui *ui, const struct rect *r)
{
	int32_t n = 1;

	if (r->y1 - r->y0 < LARGE_PX)
		return (0);
	for (uint32_t i = 1; i <= model_nodes(ui->model); i++)
		n += model_node_told(ui->model, i);
	return (n);
}

static uint32_t
node_lane(const struct model *m, uint32_t node)
{
	uint32_t n = model_lanes(m);

	for (uint32_t i = 0; i < n; i++)
		if (model_lane(m, i)->kind == LANE_NODE &&
		    model_lane(m, i)->node == node)
			return (i);
	return (n); /* none: nothing is said */
}

/* Those of the rows of sums that are in sight; returns how many were drawn. */
static int32_t
draw_sums(struct ui *ui, struct canvas *c, const struct table *t,
    const struct table_column *columns, int32_t sums)
{
	int32_t row = 0, drawn = 0;
	struct share s;

	for (uint32_t i = 0; i <= model_nodes(ui->model) && row < sums; i++) {
		if (i > 0 && !model_node_told(ui->model, i))
			continue;
		if (row++ < t->first || drawn == t->shown)
			continue;
		activity_of(ui, i, &s);
		draw_share(ui, c, t, columns, cells_y(t, drawn++),
		    i == 0 ? "all nodes" : label_node(ui->model, i),
		    i == 0 ? UINT32_MAX : node_lane(ui->model, i), &s);
	}
	return (drawn);
}

/* In the dock the processes, for the nodes stand beside; else both. */
static void
bars_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct table_column columns[COLUMNS];
	uint32_t n, *of = activity_processes(ui, &n);
	int32_t sums = sum_rows(ui, r), at;
	struct table t;

	columns_of(columns);
	cells_widen(columns, NAME_PX, r->x1 - r->x0);
	table_fit(&t, columns, COLUMNS, sums + (int32_t)n,
	    ui->lists.scroll[VIEW_ACTIVITY], r->x0, r->y0 + 6, r->x1, r->y1,
	    ROW_PX);
	ui->lists.scroll[VIEW_ACTIVITY] = t.first;
	draw_head(ui, c, &t, columns);
	at = draw_sums(ui, c, &t, columns, sums);
	for (uint32_t i = t.first > sums ? (uint32_t)(t.first - sums) : 0;
	     i < n && at < t.shown; i++) {
		const struct lane *l = model_lane(ui->model, of[i]);
		char name[160];
		struct share s;

		activity_po(ui, l->node, l->po, &s);
		snprintf(name, sizeof(name), "%s  ",
		    label_node(ui->model, l->node));
		label_lane(ui->model, l, name + strlen(name),
		    sizeof(name) - strlen(name));
		draw_share(ui, c, &t, columns, cells_y(&t, at++), name, of[i],
		    &s);
	}
	free(of);
}

const char *const activity_part_name[ACTIVITY_PARTS] = { "all", "count", "bars",
	"profile", "radar", "speed", "meters", "portrait" };

/* All parts: above how many threads do what, below who, and how many at once.
 */
static void
all_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct rect count = *r, bars = *r, profile = *r, radar = *r;
	int32_t w = r->x1 - r->x0, h = r->y1 - r->y0;

	count.y1 = r->y0 + h * 2 / 5;
	bars.y0 = profile.y0 = radar.y0 = count.y1 + 10;
	count_draw(ui, c, &count);
	if (w > PROFILE_PX + BARS_PX) {
		bars.x1 = r->x1 - PROFILE_PX;
		profile.x0 = bars.x1 + 24;
		profile_draw(ui, c, &profile);
	}
	if (w > PROFILE_PX + RADAR_PX + BARS_PX) {
		int32_t px = bars.y1 - bars.y0; /* then it is a square */

		radar.x1 = bars.x1;
		px = px < (w - PROFILE_PX) / 3 ? px : (w - PROFILE_PX) / 3;
		bars.x1 -= px > RADAR_PX ? px : RADAR_PX;
		radar.x0 = bars.x1 + 24;
		radar_draw(ui, c, &radar);
	}
	bars_draw(ui, c, &bars);
}

void
activity_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	static void (*const parts_draw[ACTIVITY_PARTS])(struct ui *,
	    struct canvas *, const struct rect *) = { all_draw, count_draw,
		bars_draw, profile_draw, radar_draw, speed_draw, meters_draw,
		portrait_draw };
	struct rect below = *r;
	char command[32];
	struct words w;

	if (model_pos(ui->model) == 0) {
		words_empty(ui, c, r, "no process has begun yet",
		    "programs are seen that run by: monitorctl run ./program");
		return;
	}
	if (r->y1 - r->y0 < LARGE_PX) {
		bars_draw(ui, c, r);
		return;
	}
	words_begin(&w, r);
	for (int i = 0; i < ACTIVITY_PARTS; i++) {
		snprintf(command, sizeof(command), "activity %s",
		    activity_part_name[i]);
		words_choice(ui, c, &w, activity_part_name[i],
		    ui->chosen.talk.activity == i, command);
	}
	below.y0 = words_end(&w) + 6;
	parts_draw[ui->chosen.talk.activity](ui, c, &below);
}
