/*
 * The view Flame: frames from the threads down, what called them above; a click
 * makes a frame as wide as the view, one on what is above it goes back there.
 */
#include <inttypes.h>
#include <string.h>

#include "model/measured/scheds.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/calls/flame.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define ROW_PX    18
#define HEAD_PX   22
#define NAMED_PX  26 /* narrower ones have no name */
#define SHARED_PX 130
#define SPOT_PX   4
#define SPOTS     256 /* there is room for so many */
#define DESCRIBED 5000

const struct legend_row flame_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0,
	    "a path of calls, as wide as what it took: the innermost "
	    "function's own colour" },
	{ ITEM_RECT, LEGEND_INK(line), "all threads" },
	{ ITEM_TEXT, LEGEND_INK(accent), "what the width is: time, or CPU" },
	{ 0 },
};

static const char *
frame_name(const struct ui *ui, const struct flame *f,
    const struct flame_frame *x, char *buf, size_t n)
{
	const struct call *c = &f->path[x->path];

	return (c->name != 0
		    ? label_function(ui->model, c->name, c->kind, buf, n)
		    : label_kind(c->kind));
}

static double
percent(int64_t ns, int64_t of)
{
	return (of > 0 ? 100.0 * (double)ns / (double)of : 0);
}

/* Where it is, as far as in sight; false: nothing of it is. */
static bool
place(const struct flame *f, const struct flame_frame *x, const struct rect *r,
    int32_t scroll, struct rect *out)
{
	double px = (double)(r->x1 - r->x0) / (double)(f->ns > 0 ? f->ns : 1);
	int64_t a = x->at_ns - f->at_ns, b = a + x->ns;

	if (b <= 0 || a >= f->ns)
		return (false);
	a = a < 0 ? 0 : a;
	b = b > f->ns ? f->ns : b;
	out->x0 = r->x0 + (int32_t)((double)a * px);
	out->x1 = r->x0 + (int32_t)((double)b * px);
	out->y0 = r->y0 + ((int32_t)x->level - scroll) * ROW_PX;
	out->y1 = out->y0 + ROW_PX - 1;
	return (out->x1 > out->x0 && out->y0 >= r->y0 && out->y1 <= r->y1);
}

static void
hint(struct ui *ui, const struct flame *f, const struct flame_frame *x,
    const struct rect *at)
{
	const struct call *c = &f->path[x->path];
	const char *about = sums_exact(ui) ? "" : "~";
	char own[200], n[32], total[32], self[32], waits[32], cpu[64], span[32];

	if (!hint_wanted(ui, at->x0, at->y0, at->x1, at->y1))
		return;
	cpu[0] = '\0';
	if (model_scheds(ui->model) > 0 && !c->cpu_unknown)
		snprintf(cpu, sizeof(cpu), "\nwith a processor %s",
		    format_span(span, sizeof(span), c->cpu_ns));
	hint_add(ui, at->x0, at->y0, at->x1, at->y1,
	    "%.120s\n%s%s calls on %" PRIu32 " threads\n%s%s, %.1f %% of all, "
	    "itself %s%s\nwaits in itself %s%s%s",
	    frame_name(ui, f, x, own, sizeof(own)), about,
	    format_count(n, sizeof(n), c->calls), c->threads, about,
	    format_span(total, sizeof(total), c->total_ns),
	    percent(x->ns, f->all_ns), about,
	    format_span(self, sizeof(self), c->self_ns), about,
	    format_span(waits, sizeof(waits), c->blocked_ns), cpu);
}

static void
paint_frame(struct ui *ui, struct canvas *c, const struct flame *f, uint32_t i,
    const struct rect *at)
{
	const struct flame_frame *x = &f->frame[i];
	const struct call *k = &f->path[x->path];
	uint32_t rgb = palette_of_name(ui->model, k->name);
	int32_t w = at->x1 - at->x0;
	char own[200];

	canvas_fill(c, at->x0, at->y0, at->x1 - (w > 2), at->y1, rgb);
	if (i == f->root)
		canvas_fill(c, at->x0, at->y1 - 1, at->x1 - 1, at->y1,
		    ui->palette->text);
	if (w >= NAMED_PX)
		draw_cut(c, FONT_SMALL, at->x0 + 4, at->y1 - 5,
		    w - (w >= SHARED_PX ? 62 : 8), palette_text_on(rgb),
		    frame_name(ui, f, x, own, sizeof(own)));
	if (w >= SHARED_PX)
		draw_right(c, FONT_SMALL, at->x1 - 5, at->y1 - 5,
		    palette_text_on(rgb), "%.1f %%", percent(x->ns, f->all_ns));
	hint(ui, f, x, at);
}

/* Of very many those that are wide, and the one under the pointer. */
static bool
may_be_clicked(const struct ui *ui, const struct rect *at, unsigned spots)
{
	return ((at->x1 - at->x0 >= SPOT_PX && spots < SPOTS) ||
		rect_has(at, ui->mouse.x, ui->mouse.y));
}

/* All threads, above what they run. */
static void
draw_all(struct ui *ui, struct canvas *c, const struct flame *f,
    const struct rect *r)
{
	char span[32];

	canvas_fill(c, r->x0, r->y0, r->x1, r->y0 + ROW_PX - 1,
	    ui->palette->line);
	draw_text(c, FONT_SMALL, r->x0 + 4, r->y0 + ROW_PX - 6,
	    ui->palette->text, "all threads");
	draw_right(c, FONT_SMALL, r->x1 - 5, r->y0 + ROW_PX - 6,
	    ui->palette->text, "%s%s", sums_exact(ui) ? "" : "~",
	    format_span(span, sizeof(span), f->all_ns));
	spot_add(ui, r->x0, r->y0, r->x1, r->y0 + ROW_PX, "flame all");
}

/* "time  CPU time": which of them the width is, and the other to be chosen. */
static void
draw_head(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct flame *f, uint32_t deepest)
{
	const struct palette *p = ui->palette;
	int32_t y = r->y0 + 14, x = r->x0;
	char of[96];
	int64_t t0, t1;

	figures_range(ui, &t0, &t1);
	snprintf(of, sizeof(of), "%s%s",
	    figures_whole(ui)             ? "of the whole run"
	    : time_selected(ui, &t0, &t1) ? "of the selected range"
					  : "of what is in sight",
	    ui->figures.sums.busy ? ", adding up" : "");
	draw_text(c, FONT_SMALL, x, y, f->cpu ? p->dim : p->accent, "time");
	spot_add(ui, x, y - 12, x + 34, y + 4, "flame time");
	x += 44;
	if (model_scheds(ui->model) > 0) {
		draw_text(c, FONT_SMALL, x, y, f->cpu ? p->accent : p->dim,
		    "CPU time");
		spot_add(ui, x, y - 12, x + 58, y + 4, "flame cpu");
		x += 68;
	}
	if (r->x1 - x > 240)
		draw_right(c, FONT_SMALL, r->x1, y, p->dim,
		    "%s, %" PRIu32 " levels%s", of, deepest,
		    f->root == FLAME_NONE ? "" : "; alt+o: one out");
}

static uint32_t
deepest(const struct flame *f)
{
	uint32_t level = 0;

	for (size_t i = 0; i < f->n; i++)
		level = f->frame[i].level > level ? f->frame[i].level : level;
	return (level);
}

void
flame_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct rect in = { r->x0, r->y0 + HEAD_PX, r->x1, r->y1 }, at;
	int32_t *scroll = &ui->lists.scroll[VIEW_FLAME], most;
	int32_t rows = (in.y1 - in.y0) / ROW_PX - 1;
	unsigned spots = 0;
	struct flame f;

	if (flame_make(ui, &f, in.x1 - in.x0) == -1 || f.n == 0) {
		flame_clear(&f);
		draw_cut(c, FONT_SMALL, r->x0, r->y0 + 16, r->x1 - r->x0,
		    ui->palette->dim,
		    ui->figures.sums.busy ? "adding up ..."
					  : "no call in this time");
		return;
	}
	most = (int32_t)deepest(&f) - rows;
	*scroll = *scroll > most ? most : *scroll;
	*scroll = *scroll < 0 ? 0 : *scroll;
	draw_head(ui, c, r, &f, deepest(&f));
	if (*scroll == 0)
		draw_all(ui, c, &f, &in);
	for (uint32_t i = 0; i < f.n; i++) {
		if (!place(&f, &f.frame[i], &in, *scroll, &at))
			continue;
		paint_frame(ui, c, &f, i, &at);
		if (may_be_clicked(ui, &at, spots++))
			spot_add(ui, at.x0, at.y0, at.x1, at.y1,
			    "flame 0x%" PRIx64, f.frame[i].id);
	}
	flame_clear(&f);
}

bool
flame_prepare(struct ui *ui)
{
	return (sums_prepare(ui, &ui->figures.sums, UINT32_MAX));
}

static void
describe_frame(struct ui *ui, const struct flame *f, uint32_t i, FILE *out)
{
	const struct flame_frame *x = &f->frame[i];
	const struct call *c = &f->path[x->path];
	char own[200];

	fprintf(out,
	    "  %" PRIu32 " %s: %" PRIu64 " calls, %" PRId64 " ns, self %" PRId64
	    " ns, waits %" PRId64 " ns",
	    x->level, frame_name(ui, f, x, own, sizeof(own)), c->calls,
	    c->total_ns, c->self_ns, c->blocked_ns);
	if (model_scheds(ui->model) > 0 && !c->cpu_unknown)
		fprintf(out, ", CPU %" PRId64 " ns", c->cpu_ns);
	fprintf(out, "%s\n", i == f->root ? "; the root" : "");
}

void
flame_describe(struct ui *ui, FILE *out)
{
	struct flame f;

	if (flame_make(ui, &f, 0) == -1) {
		fprintf(out, "flame: nothing is known\n");
		return;
	}
	fprintf(out, "flame: %s%zu frames, %" PRId64 " ns, width %s%s\n",
	    sums_exact(ui) ? "" : "~", f.n, f.all_ns,
	    f.cpu ? "CPU time" : "time",
	    f.cpu && !f.cpu_known ? ", of some it is not known" : "");
	for (uint32_t i = 0; i < f.n && i < DESCRIBED; i++)
		describe_frame(ui, &f, i, out);
	flame_clear(&f);
}
