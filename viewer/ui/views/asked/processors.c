/* Rows by processor: asked for, drawn and described. */
#include "ui/views/asked/processors.h"

#include <inttypes.h>

#include "model/asked/cpusums.h"
#include "model/measured/scheds.h"
#include "ui/draw/draw.h"
#include "ui/views/asked.h"
#include "ui/views/cells.h"
#include "ui/views/view.h"

#define ROW_PX   22
#define STRIP_PX 14

enum column {
	COLUMN_NAME,
	COLUMN_BUSY,
	COLUMN_THREADS,
	COLUMN_CAME,
	COLUMN_MOST,
	COLUMN_STRIP,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_NAME] = { "processor", 110, 0, 0, false, false },
	[COLUMN_BUSY] = { "in use", 104, 0, 0, true, false },
	[COLUMN_THREADS] = { "threads", 54, 0, 1, true, false },
	[COLUMN_CAME] = { "came", 54, 0, 3, true, false },
	[COLUMN_MOST] = { "most of it by", 150, 1, 2, false, false },
	[COLUMN_STRIP] = { "", 140, 2, 0, false, false },
};

const char *
states_by_name(const struct ui *ui, unsigned i)
{
	static const char *const by[] = { "thread", "processor" };

	(void)ui;
	return (i < 2 ? by[i] : NULL);
}

static void *
make(void)
{
	return (cpu_sums_new());
}

static void
end(void *k)
{
	cpu_sums_free(k);
}

static void
begin(void *k, const struct ui *ui, const struct asked_of *of)
{
	(void)ui;
	cpu_sums_begin(k, of->model, of->t0, of->t1);
}

static bool
step(void *k)
{
	return (cpu_sums_step(k));
}

static const struct asked_how how = { make, end, begin, step, 4, 20 };

bool
processors_prepare(struct ui *ui)
{
	struct asked_of want;

	if (!ui->lists.states_by_processor)
		return (true);
	asked_range(ui, &want, false);
	asked_step(ui, ASKED_PROCESSORS, &how, &want);
	return (true);
}

static char *
thread_name(const struct ui *ui, uint32_t sched, char *buf, size_t n)
{
	struct sched_thread th;
	const struct lane *l;

	snprintf(buf, n, "?");
	if (!model_sched(ui->model, sched, &th))
		return (buf);
	if (th.lane != UINT32_MAX)
		return (label_lane(ui->model, model_lane(ui->model, th.lane),
		    buf, n));
	l = model_lane(ui->model, th.po_lane);
	snprintf(buf, n, "%s PO %" PRIu32 " thread %" PRIu32,
	    label_program(ui->model, l->node, l->po), l->po, th.tid);
	return (buf);
}

/* Who is on it at an instant, under the pointer. */
static void
hint_who(struct ui *ui, const struct cpu_sum *s, int64_t t, int64_t step_ns)
{
	struct sched_thread th;
	struct sched_then then;
	struct sched_on on;
	char who[96] = "nobody of the run", when[40];

	for (uint32_t i = 0; i < model_scheds(ui->model); i++) {
		model_sched_on(ui->model, i, t, &on);
		if (on.cpu != s->cpu || !model_sched(ui->model, i, &th) ||
		    model_lane(ui->model, th.po_lane)->node != s->node)
			continue;
		model_sched_then(ui->model, i, &t, 1, &then);
		if (then.state != SCHED_RUNNING)
			continue;
		thread_name(ui, i, who, sizeof(who));
		break;
	}
	snprintf(ui->spots.hint, sizeof(ui->spots.hint), "%s at %s", who,
	    run_time(ui, t, step_ns, when, sizeof(when)));
}

/* As high as it was in use in that part of the range. */
static void
draw_strip(struct ui *ui, struct canvas *c, const struct cpu_sum *s,
    const struct cpu_sums *of, const struct rect *at)
{
	int32_t w = at->x1 - at->x0, h = at->y1 - at->y0, top;
	unsigned part;
	int64_t ns;

	if (w < 8)
		return;
	canvas_fill(c, at->x0, at->y0, at->x1, at->y1, ui->palette->line);
	for (int32_t x = 0; x < w; x++) {
		part = (unsigned)((int64_t)x * CPU_STRIP / w);
		ns = cpu_sums_at(of, part + 1) - cpu_sums_at(of, part);
		top = ns <= 0
			  ? 0
			  : (int32_t)((double)s->part[part] * h / (double)ns +
				      0.5);
		top = top == 0 && s->part[part] > 0 ? 1 : top;
		top = top > h ? h : top;
		canvas_fill(c, at->x0 + x, at->y1 - top, at->x0 + x + 1, at->y1,
		    ui->palette->state[LANE_running]);
	}
	if (hint_wanted(ui, at->x0, at->y0, at->x1, at->y1)) {
		part =
		    (unsigned)((int64_t)(ui->mouse.x - at->x0) * CPU_STRIP / w);
		hint_who(ui, s, cpu_sums_at(of, part),
		    cpu_sums_at(of, 1) - cpu_sums_at(of, 0) + 1);
	}
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct cpu_sum *s, const struct cpu_sums *of)
{
	const struct palette *p = ui->palette;
	const struct table_place *at = &t->place[COLUMN_STRIP];
	struct rect strip = { at->x0, y - 11, at->x1, y - 11 + STRIP_PX };
	int64_t all_ns = cpu_sums_at(of, CPU_STRIP) - cpu_sums_at(of, 0);
	char who[96], span[32];
	struct sched_thread th;

	cell_text(c, t, columns, COLUMN_NAME, y, p->text, "%s CPU %" PRIu32,
	    label_node(ui->model, s->node), s->cpu);
	cell_text(c, t, columns, COLUMN_BUSY, y, p->text, "%s  %3d %%",
	    format_span(span, sizeof(span), s->ns),
	    all_ns > 0 ? (int)((double)s->ns * 100 / (double)all_ns + 0.5) : 0);
	cell_text(c, t, columns, COLUMN_THREADS, y, p->text, "%" PRIu32,
	    s->threads);
	cell_text(c, t, columns, COLUMN_CAME, y, p->text, "%" PRIu64, s->came);
	if (s->most_ns > 0) {
		cell_text(c, t, columns, COLUMN_MOST, y, p->text, "%s, %s",
		    thread_name(ui, s->most, who, sizeof(who)),
		    format_span(span, sizeof(span), s->most_ns));
		if (model_sched(ui->model, s->most, &th) &&
		    th.lane != UINT32_MAX)
			spot_add(ui, t->place[COLUMN_MOST].x0, y - 14,
			    t->place[COLUMN_MOST].x1, y - 14 + ROW_PX,
			    "select-row %" PRIu32, th.lane);
	}
	draw_strip(ui, c, s, of, &strip);
}

void
processors_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct cpu_sums *of = asked_shown(ui, ASKED_PROCESSORS);
	struct cpu_sum *const *s;
	size_t n = of == NULL ? 0 : cpu_sums_list(of, &s);
	struct table t;

	if (n == 0) {
		draw_cut(c, FONT_SMALL, r->x0, r->y0 + 16, r->x1 - r->x0,
		    ui->palette->dim,
		    ui->figures.asked[ASKED_PROCESSORS].busy
			? "adding up ..."
			: "no thread had a processor in this time");
		return;
	}
	table_fit(&t, columns, COLUMNS, (int32_t)n,
	    ui->lists.scroll[VIEW_STATES], r->x0, r->y0, r->x1, r->y1, ROW_PX);
	ui->lists.scroll[VIEW_STATES] = t.first;
	cells_head(c, ui->palette, &t, columns,
	    cpu_sums_whole(of) ? "" : "at least these");
	for (int32_t i = 0; i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i) + 4,
		    s[(size_t)t.first + (size_t)i], of);
}

void
processors_describe(struct ui *ui, FILE *f)
{
	const struct cpu_sums *of = asked_shown(ui, ASKED_PROCESSORS);
	struct cpu_sum *const *s;
	size_t n = of == NULL ? 0 : cpu_sums_list(of, &s);
	struct sched_thread th;

	if (!ui->lists.states_by_processor)
		return;
	fprintf(f, "processors: %s%zu\n",
	    of != NULL && !cpu_sums_whole(of) ? "at least " : "", n);
	for (size_t i = 0; i < n; i++) {
		fprintf(f,
		    "  processor %s %" PRIu32 ": in use %" PRId64
		    " ns, threads %" PRIu32 ", came %" PRIu64,
		    label_node(ui->model, s[i]->node), s[i]->cpu, s[i]->ns,
		    s[i]->threads, s[i]->came);
		if (s[i]->most_ns > 0 &&
		    model_sched(ui->model, s[i]->most, &th))
			fprintf(f, ", most %" PRId64 " ns by thread %" PRIu32,
			    s[i]->most_ns, th.tid);
		fprintf(f, "\n");
	}
}
