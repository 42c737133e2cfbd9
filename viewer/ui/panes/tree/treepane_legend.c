/* The legend of the colouring that the tree has. */
#include <inttypes.h>
#include <string.h>

#include "treepane.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/legend.h"

/* What else there is beside its colours, which it tells itself. */
const struct legend_row tree_legend[] = {
	{ ITEM_DOT, LEGEND_TREE, 0, "" },
	{ ITEM_CIRCLE, LEGEND_INK(line),
	    "a ring: so many levels below the root" },
	{ ITEM_CIRCLE, LEGEND_INK(text), "the selected task" },
	{ ITEM_ARROW, LEGEND_INK(accent),
	    "a value: from who made it to who had it" },
	{ ITEM_ARROW, LEGEND_STATE(wait_lock), "one that was waited for" },
	{ ITEM_TEXT, LEGEND_INK(dim), "so many more tasks this way" },
	{ 0 },
};

static int32_t
legend_entry(struct canvas *c, const struct palette *p, int32_t x, int32_t y,
    uint32_t rgb, const char *name)
{
	canvas_fill(c, x, y - 9, x + 11, y + 1, rgb);
	return (draw_text(c, FONT_SMALL, x + 16, y, p->text, "%s", name) + 14);
}

/* What the tasks of a name, a PE or a state are called. */
static void
class_label(const struct ui *ui, uint32_t class, char *buf, size_t n)
{
	static const char *const states[RADIAL_STATES] = { "running",
		"suspended", "done", "done, was suspended", "not begun" };

	if (ui->tree.colour == RADIAL_PROCEDURE)
		snprintf(buf, n, "%s",
		    class == 0 ? "no name" : label_name(tree_model(ui), class));
	else if (ui->tree.colour == RADIAL_STATE)
		snprintf(buf, n, "%s",
		    class < RADIAL_STATES ? states[class] : "?");
	else
		tree_colour_label(ui, class, buf, n);
}

/* Procedures most frequent first, of all tasks or else of those drawn. */
static bool
nth_name(const struct ui *ui, const struct tally *y, uint32_t i, uint32_t *name)
{
	const struct radial_layout *l = &ui->treepane.nodes;
	uint32_t n = y != NULL ? y->nmost : l->names.n;

	if (i < n)
		*name = y != NULL ? y->most[i] : l->names.of[i].name;
	return (i < n);
}

/* How many entries there are, told or not. */
static uint32_t
entries(const struct ui *ui, const struct tally *y)
{
	if (ui->tree.colour == RADIAL_STATE)
		return (RADIAL_STATES);
	if (ui->tree.colour == RADIAL_PROCEDURE)
		return (y != NULL ? y->used : ui->treepane.nodes.names.n);
	return (ui->trees.of == TREE_TASKS ? model_pes(ui->model)
					   : ui->trees.grown.ncolours);
}

static bool
entry(struct ui *ui, const struct tally *y, uint32_t i, uint32_t *class,
    char *buf, size_t n)
{
	char label[96], count[32];

	*class = i;
	if (i >= entries(ui, y) ||
	    (ui->tree.colour == RADIAL_PROCEDURE && !nth_name(ui, y, i, class)))
		return (false);
	class_label(ui, *class, label, sizeof(label));
	if (y != NULL && *class < y->n)
		snprintf(buf, n, "%s %s", label,
		    format_count(count, sizeof(count), y->of[*class]));
	else
		snprintf(buf, n, "%s", label);
	return (true);
}

bool
tree_legend_entry(struct ui *ui, uint32_t i, uint32_t *class, char *buf,
    size_t n)
{
	return (entry(ui, tree_tally(ui, UINT32_MAX), i, class, buf, n));
}

static uint32_t
class_rgb(const struct ui *ui, uint32_t class)
{
	const struct palette *p = ui->palette;
	const uint32_t state[RADIAL_STATES] = { p->state[LANE_running],
		p->state[LANE_wait_message], 0x4477aa, 0xcc79a7, p->faint };

	if (ui->tree.colour == RADIAL_STATE)
		return (state[class]);
	if (ui->tree.colour != RADIAL_PROCEDURE)
		return (palette_pe_on(p, class));
	return (class == 0 ? p->faint : palette_of_name(tree_model(ui), class));
}

/* The pointer on an entry dims the others, a click keeps it so. */
static void
legend_spot(struct ui *ui, int32_t x0, int32_t x1, int32_t y, uint32_t class)
{
	char label[96];
	struct rect r = { x0 - 3, y - 12, x1 - 8, y + 5 };

	if (ui->trees.of != TREE_TASKS || two_runs(ui))
		return;
	class_label(ui, class, label, sizeof(label));
	if (strlen(label) < 40)
		spot_add(ui, r.x0, r.y0, r.x1, r.y1, "only %s", label);
	if (ui->mouse.in && rect_has(&r, ui->mouse.x, ui->mouse.y)) {
		ui->treepane.over = true;
		ui->treepane.over_class = class;
	}
}

static void
legend_classes(struct ui *ui, struct canvas *c, int32_t x, int32_t y,
    int32_t x1)
{
	const struct tally *t = tree_tally_frame(ui);
	uint32_t class, i, n = entries(ui, t);
	int32_t from;
	char text[144];

	for (i = 0; entry(ui, t, i, &class, text, sizeof(text)); i++) {
		if (x + 40 + text_width(FONT_SMALL, text, strlen(text)) > x1)
			break;
		from = x;
		x = legend_entry(c, ui->palette, x, y, class_rgb(ui, class),
		    text);
		legend_spot(ui, from, x, y, class);
	}
	if (i < n)
		draw_text(c, FONT_SMALL, x, y, ui->palette->dim, "+%" PRIu32,
		    n - i);
}

static int32_t
legend_time(struct ui *ui, struct canvas *c, int32_t x, int32_t y, int32_t x1)
{
	int64_t span =
	    ui->treepane.nodes.t1_mon_ns - ui->treepane.nodes.t0_mon_ns;
	int32_t w = x1 - x - 140;
	char buf[32];

	if (span <= 0 || ui->treepane.nodes.tasks == 0)
		return (x);
	run_time(ui, ui->treepane.nodes.t0_mon_ns, span / 50, buf, sizeof(buf));
	x = draw_text(c, FONT_SMALL, x, y, ui->palette->dim, "%s", buf) + 8;
	w = w > 160 ? 160 : w < 40 ? 40 : w;
	for (int i = 0; i < w; i++)
		canvas_fill(c, x + i, y - 9, x + i + 1, y + 1,
		    palette_scale_on(ui->palette, ui->tree.scale,
			i / (double)(w - 1)));
	run_time(ui, ui->treepane.nodes.t1_mon_ns, span / 50, buf, sizeof(buf));
	return (draw_text(c, FONT_SMALL, x + w + 8, y, ui->palette->dim, "%s",
		    buf) +
		20);
}

/* Of a colouring by state of a tree of threads or calls; NULL: no more. */
static const char *
state_part(const struct ui *ui, uint32_t i, uint32_t *rgb)
{
	static const char *const words[TREE_KINDS][3] = { { NULL },
		{ "alive", "ended", NULL },
		{ "goes on", "over",
		    "over, a twentieth or more of it in waits" } };
	const uint32_t of[3] = { ui->palette->state[LANE_running], 0x4477aa,
		0xcc79a7 };

	if (i >= 3)
		return (NULL);
	*rgb = of[i];
	return (words[ui->trees.of][i]);
}

/* Of two runs; buf may be used. */
static const char *
difference_part(const struct ui *ui, uint32_t i, uint32_t *rgb, char *buf,
    size_t n)
{
	const struct palette *p = ui->palette;
	const struct ui *first = ui->desks->desk[0];
	const uint32_t of[4] = { DIFFERENCE_LESS,
		palette_mix(p->background, p->faint, 150), DIFFERENCE_MORE,
		is_second(ui) ? DIFFERENCE_ONLY_B : DIFFERENCE_ONLY_A };
	static const char *const words[] = { NULL, "the same", "more there",
		"only here" };

	if (i >= 4 || !two_runs(first))
		return (NULL);
	*rgb = of[i];
	if (i > 0)
		return (words[i]);
	snprintf(buf, n, "less in %.14s", ui_run_name(first->desks->desk[1]));
	return (buf);
}

static bool
by_time(const struct ui *ui)
{
	return (ui->tree.colour == RADIAL_TIME ||
		ui->tree.colour == RADIAL_PE_TIME);
}

/* The two times that the ends of the scale stand for. */
static void
span_words(const struct ui *ui, char *buf, size_t n)
{
	const struct radial_layout *l = &ui->treepane.nodes;
	int64_t span = l->t1_mon_ns - l->t0_mon_ns;
	char first[32], last[32];

	run_time(ui, l->t0_mon_ns, span / 50, first, sizeof(first));
	run_time(ui, l->t1_mon_ns, span / 50, last, sizeof(last));
	snprintf(buf, n, "when it began: first %s, last %s", first, last);
}

size_t
tree_legend_part(struct ui *ui, uint32_t i, uint32_t *rgb, char *buf, size_t n)
{
	const char *what = NULL;
	uint32_t class;

	if (by_time(ui) && i == 0) {
		for (int k = 0; k < LEGEND_COLOURS; k++)
			rgb[k] = palette_scale_on(ui->palette, ui->tree.scale,
			    k / (double)(LEGEND_COLOURS - 1));
		span_words(ui, buf, n);
		return (LEGEND_COLOURS);
	}
	if (ui->tree.colour == RADIAL_TIME)
		return (0);
	if (ui->tree.colour == RADIAL_DIFFERENCE) {
		what = difference_part(ui, i, rgb, buf, n);
	} else if (ui->tree.colour == RADIAL_STATE &&
		   ui->trees.of != TREE_TASKS) {
		what = state_part(ui, i, rgb);
	} else if (tree_legend_entry(ui, i - by_time(ui), &class, buf, n)) {
		*rgb = class_rgb(ui, class);
		return (1);
	}
	if (what != NULL && what != buf)
		snprintf(buf, n, "%s", what);
	return (what != NULL);
}

static void
legend_parts(struct ui *ui, struct canvas *c, int32_t x, int32_t y)
{
	uint32_t rgb[LEGEND_COLOURS];
	char text[96];

	for (uint32_t i = 0;
	     tree_legend_part(ui, i, rgb, text, sizeof(text)) > 0; i++)
		x = legend_entry(c, ui->palette, x, y, rgb[0], text);
}

void
tree_legend_draw(struct ui *ui, struct canvas *c)
{
	const struct rect *r = &ui->places.tree_words;
	int32_t x = r->x0 + 18, y = r->y1 - 28, x1 = r->x1 - 10;

	ui->treepane.over = false;
	switch (ui->tree.colour) {
	case RADIAL_PE:
	case RADIAL_PROCEDURE:
		legend_classes(ui, c, x, y, x1);
		break;
	case RADIAL_TIME:
		legend_time(ui, c, x, y, x1);
		break;
	case RADIAL_PE_TIME:
		x = legend_time(ui, c, x, y, x1);
		legend_classes(ui, c, x, y, x1);
		break;
	case RADIAL_DIFFERENCE:
		legend_parts(ui, c, x, y);
		break;
	case RADIAL_STATE:
	case RADIAL_COLOURS:
		if (ui->trees.of == TREE_TASKS)
			legend_classes(ui, c, x, y, x1);
		else
			legend_parts(ui, c, x, y);
		break;
	}
	ui->picture->undone |=
	    ui->tree.dims != tree_dims(ui) ||
	    (ui->tree.dims && ui->tree.only != tree_only(ui));
}
