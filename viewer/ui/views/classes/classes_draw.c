/*
 * The view Classes, drawn: as a graph where there is room for one, else as a
 * list; below it, in a window, what is chosen.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/bars.h"
#include "layout/chart/table.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/cells.h"
#include "ui/views/classes/classes_inside.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define ROW_PX    15
#define GRAPH_PX  180 /* a graph needs so many */
#define CHOSEN_PX 260 /* the chosen one has a place of its own from here on */

const struct legend_row classes_legend[] = {
	{ ITEM_RECT, LEGEND_NAMES, 0,
	    "in a bar: the processor time of a function of the class" },
	{ ITEM_LINE, LEGEND_INK(dim), "from the dot: has one, or several" },
	{ ITEM_ARROW, LEGEND_INK_ON(faint), "points to it" },
	{ ITEM_ARROW, LEGEND_RGB_ON, PALETTE_NOTE, "inherits from it" },
	{ ITEM_SQUARE_OPEN, LEGEND_INK(text),
	    "double edge: a processor object" },
	{ ITEM_RECT, LEGEND_INK(selection), "the chosen one" },
	{ ITEM_LINE, LEGEND_INK(accent), "what leads to it, and from it" },
	{ ITEM_TEXT, LEGEND_INK(warn), "bytes that nothing is in" },
	{ 0 },
};

enum column {
	COLUMN_NAME,
	COLUMN_BYTES,
	COLUMN_UNUSED,
	COLUMN_MEMBERS,
	COLUMN_FUNCTIONS,
	COLUMN_CALLS,
	COLUMN_RAN,
	COLUMN_WAITS,
	COLUMN_SERVED,
	COLUMN_CPU,
	COLUMN_ASKED,
	COLUMN_LIVE,
	COLUMN_BAR,
	COLUMN_PLACE,
	COLUMNS
};
static const struct table_column columns[COLUMNS] = {
	[COLUMN_NAME] = { "class", 120, 1, 0, false, false },
	[COLUMN_BYTES] = { "bytes", 50, 0, 0, true, false },
	[COLUMN_UNUSED] = { "unused", 48, 0, 1, true, false },
	[COLUMN_MEMBERS] = { "members", 54, 0, 5, true, false },
	[COLUMN_FUNCTIONS] = { "functions", 60, 0, 4, true, false },
	[COLUMN_CALLS] = { "calls", 56, 0, 2, true, false },
	[COLUMN_RAN] = { "ran ms", 66, 0, 2, true, false },
	[COLUMN_WAITS] = { "waits ms", 66, 0, 3, true, false },
	[COLUMN_SERVED] = { "served", 48, 0, 4, true, false },
	[COLUMN_CPU] = { "CPU ms", 66, 0, 2, true, false },
	[COLUMN_ASKED] = { "asked for", 66, 0, 2, true, false },
	[COLUMN_LIVE] = { "in use", 66, 0, 2, true, false },
	[COLUMN_BAR] = { "time", 90, 0, 3, false, false },
	[COLUMN_PLACE] = { "declared", 120, 1, 6, false, false },
};

void
class_bar(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct classes *all, uint32_t i, int64_t most_ns)
{
	const struct class *k = &all->class[i];
	struct axis a = { 0, most_ns > 0 ? (double)most_ns : 1, r->x0, r->x1,
		AXIS_LINEAR, AXIS_NS };
	struct part *part = calloc(k->functions + 1, sizeof(*part));
	struct scene s = { 0 };

	for (uint32_t n = 0; part != NULL && n < k->functions; n++) {
		const struct class_function *f = &all->function[k->first + n];
		int64_t ns = class_time_ns(all, &f->sum);

		part[n] = (struct part){ ns > 0 ? (double)ns : 0,
			palette_of(ui->model, f->name, f->is->name), false };
	}
	if (part != NULL && r->x1 - r->x0 > 8)
		bar_scene(&a, r->y0, r->y1, part, k->functions, &s);
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
	free(part);
}

void
class_hint(struct ui *ui, const struct rect *r, const struct classes *all,
    uint32_t i)
{
	const struct class *k = &all->class[i];
	char words[160], span[32], calls[32], unused[48] = "", found[64] = "";
	char waits[48] = "", served[48] = "", memory[96] = "", more[32];

	if (!hint_wanted(ui, r->x0, r->y0, r->x1, r->y1))
		return;
	class_words(k, words, sizeof(words));
	if (k->unused > 0)
		snprintf(unused, sizeof(unused), ", %" PRId64 " unused",
		    k->unused);
	if (all->sampled)
		snprintf(found, sizeof(found),
		    "\nfound in them %" PRIu64 " times, for %s", k->sum.samples,
		    format_span(span, sizeof(span), (int64_t)k->sum.cpu_ns));
	if (k->sum.waits_ns > 0)
		snprintf(waits, sizeof(waits), ", waits %s",
		    format_span(span, sizeof(span), k->sum.waits_ns));
	if (k->sum.served > 0)
		snprintf(served, sizeof(served),
		    "\nserved %" PRIu64 " remote calls", k->sum.served);
	if (k->sum.asked > 0 || k->sum.live > 0)
		snprintf(memory, sizeof(memory),
		    "\nasked for %s, %s are in use",
		    format_bytes(span, sizeof(span), (uint64_t)k->sum.asked),
		    format_bytes(more, sizeof(more), (uint64_t)k->sum.live));
	hint_add(ui, r->x0, r->y0, r->x1, r->y1,
	    "%s%s\n%" PRIu64 " bytes%s, %" PRIu32 " members\n%" PRIu32
	    " function%s: %s%s calls, ran %s%s%s%s%s",
	    words, class_is_po(k) ? ", a processor object" : "", k->is->bytes,
	    unused, k->is->nmembers, k->functions, k->functions == 1 ? "" : "s",
	    functions_about(ui),
	    format_count(calls, sizeof(calls), k->sum.calls),
	    format_span(span, sizeof(span), k->sum.ran_ns), waits, served,
	    memory, found);
}

/* --- the list --- */

static int
by_time(const void *a, const void *b, void *arg)
{
	const struct classes *c = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t p = class_time_ns(c, &c->class[x].sum);
	int64_t q = class_time_ns(c, &c->class[y].sum);

	if (p != q)
		return (p < q ? 1 : -1);
	return (x < y ? -1 : x > y);
}

/* What its functions asked for, and what of that is in use at the end. */
static void
draw_memory(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct class_sum *s)
{
	char num[32];

	if (s->asked > 0)
		cell_text(c, t, columns, COLUMN_ASKED, y, ui->palette->text,
		    "%s", format_bytes(num, sizeof(num), (uint64_t)s->asked));
	if (s->live > 0)
		cell_text(c, t, columns, COLUMN_LIVE, y, ui->palette->text,
		    "%s", format_bytes(num, sizeof(num), (uint64_t)s->live));
}

static void
draw_row(struct ui *ui, struct canvas *c, const struct table *t, int32_t y,
    const struct classes *all, uint32_t i, int64_t most_ns)
{
	const struct class *k = &all->class[i];
	const struct palette *p = ui->palette;
	const struct table_place *at = t->place;
	struct rect row = { at[0].x0 - 4, y - 11, cells_right(t), y + 4 };
	struct rect bar = { at[COLUMN_BAR].x0, y - 7, at[COLUMN_BAR].x1, y };
	char words[300];

	if (i == all->selected)
		canvas_fill(c, row.x0, row.y0, row.x1, row.y1, p->selection);
	draw_cut_middle(c, FONT_SMALL, at[0].x0, y, at[0].x1 - at[0].x0,
	    p->text, class_words(k, words, sizeof(words)));
	spot_add(ui, row.x0, row.y0, row.x1, row.y1, "classes #%" PRIu32, i);
	cell_text(c, t, columns, COLUMN_BYTES, y, p->text, "%" PRIu64,
	    k->is->bytes);
	if (k->unused != 0)
		cell_text(c, t, columns, COLUMN_UNUSED, y, p->warn,
		    k->unused < 0 ? "?" : "%" PRId64, k->unused);
	cell_text(c, t, columns, COLUMN_MEMBERS, y, p->dim, "%" PRIu32,
	    k->is->nmembers);
	cell_text(c, t, columns, COLUMN_FUNCTIONS, y, p->dim, "%" PRIu32,
	    k->functions);
	cell_text(c, t, columns, COLUMN_CALLS, y, p->text, "%s%" PRIu64,
	    functions_about(ui), k->sum.calls);
	cell_text(c, t, columns, COLUMN_RAN, y, p->text, "%.3f",
	    (double)k->sum.ran_ns / 1e6);
	if (k->sum.waits_ns != 0)
		cell_text(c, t, columns, COLUMN_WAITS, y, p->text, "%.3f",
		    (double)k->sum.waits_ns / 1e6);
	if (k->sum.served != 0)
		cell_text(c, t, columns, COLUMN_SERVED, y, p->text, "%" PRIu64,
		    k->sum.served);
	if (all->sampled)
		cell_text(c, t, columns, COLUMN_CPU, y, p->text, "%.3f",
		    (double)k->sum.cpu_ns / 1e6);
	draw_memory(ui, c, t, y, &k->sum);
	class_bar(ui, c, &bar, all, i, most_ns);
	snprintf(words, sizeof(words), "%.200s:%" PRIu32, k->is->file,
	    k->is->line);
	if (at[COLUMN_PLACE].x1 > at[COLUMN_PLACE].x0)
		draw_cut_middle(c, FONT_SMALL, at[COLUMN_PLACE].x0, y,
		    at[COLUMN_PLACE].x1 - at[COLUMN_PLACE].x0, p->accent,
		    words);
	if (at[COLUMN_PLACE].x1 > at[COLUMN_PLACE].x0)
		spot_add(ui, at[COLUMN_PLACE].x0, row.y0, at[COLUMN_PLACE].x1,
		    row.y1, "class-source #%" PRIu32, i);
	class_hint(ui, &row, all, i);
}

static void
draw_list(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct classes *all)
{
	uint32_t *order = calloc((size_t)all->n + 1, sizeof(*order)), n = 0;
	struct table_column own[COLUMNS];
	struct table t;

	for (uint32_t i = 0; order != NULL && i < all->n; i++)
		if (class_shown(all, i))
			order[n++] = i;
	if (n > 0)
		qsort_r(order, n, sizeof(*order), by_time,
		    (void *)(uintptr_t)all);
	memcpy(own, columns, sizeof(own));
	own[COLUMN_CPU].hidden = !all->sampled;
	own[COLUMN_ASKED].hidden = own[COLUMN_LIVE].hidden = !all->remembers;
	table_fit(&t, own, COLUMNS, (int32_t)n, ui->lists.scroll[VIEW_CLASSES],
	    r->x0 + 4, r->y0, r->x1, r->y1, ROW_PX);
	ui->lists.scroll[VIEW_CLASSES] = t.first;
	cells_head(c, ui->palette, &t, own, "");
	for (int32_t i = 0; n > 0 && i < t.shown; i++)
		draw_row(ui, c, &t, cells_y(&t, i), all, order[t.first + i],
		    class_time_ns(all, &all->class[order[0]].sum));
	free(order);
}

/* --- all of it --- */

static bool
any_shown(const struct classes *all)
{
	for (uint32_t i = 0; i < all->n; i++)
		if (class_shown(all, i))
			return (true);
	return (false);
}

static void
draw_nothing(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct classes *all)
{
	char why[300] = "no program of this run is known";

	if (all != NULL && classes_reading(all))
		snprintf(why, sizeof(why), "reading the run's programs ...");
	else if (all != NULL && all->programs > 0)
		snprintf(why, sizeof(why), "%.150s: %s", all->program[0].path,
		    all->program[0].p == NULL ? all->program[0].why
		    : all->program[0].p->debug
			? "its debug information has no class"
			: "there is no debug information");
	words_empty(ui, c, r, why,
	    "structs and classes come from the programs themselves, as they "
	    "are on this machine:\n"
	    "compile them with -g\n"
	    "    monitorctl run PROGRAM\n"
	    "tells where they are");
}

/* Returns the px below. */
static int32_t
draw_choices(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct classes *all, bool graph)
{
	struct words w;

	words_begin(&w, r);
	words_choice(ui, c, &w, "graph", graph, "classes-as graph");
	words_choice(ui, c, &w, "list", !graph, "classes-as list");
	words_choice(ui, c, &w, "own", !all->libraries, "classes-of own");
	words_choice(ui, c, &w, "all", all->libraries, "classes-of all");
	words_say(ui, c, &w,
	    classes_reading(all) ? "reading programs ..."
	    : all->sampled       ? "bar: CPU time, by samples in its functions"
				 : "bar: time in its functions, without waits");
	return (words_end(&w));
}

void
classes_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	struct classes *all = ui->model == NULL ? NULL : classes_get(ui);
	int32_t h = r->y1 - r->y0, chosen;
	struct rect in = *r, below = *r;
	bool graph;

	if (all == NULL || all->n == 0) {
		draw_nothing(ui, c, r, all);
		return;
	}
	graph = !all->list && h >= GRAPH_PX;
	in.y0 = draw_choices(ui, c, r, all, graph);
	if (!any_shown(all)) {
		words_empty(ui, c, &in,
		    "the programs' own sources declare no struct or class",
		    "those of the system are shown by \"all\"");
		return;
	}
	if (all->selected < all->n && h >= CHOSEN_PX) {
		chosen = h / 3 < 260 ? h / 3 : 260;
		in.y1 = r->y1 - chosen - 4;
		below.y0 = r->y1 - chosen;
		class_draw(ui, c, &below, all->selected);
	}
	if (graph)
		classes_graph(ui, c, &in, all);
	else
		draw_list(ui, c, &in, all);
}
