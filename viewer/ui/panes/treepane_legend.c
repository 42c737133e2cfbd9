/* The legend of the colouring that the tree has. */
#include <inttypes.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/panes/treepane.h"

static int32_t
legend_entry(struct canvas *c, const struct palette *p, int32_t x, int32_t y,
    uint32_t rgb, const char *name)
{
	canvas_fill(c, x, y - 9, x + 11, y + 1, rgb);
	return (draw_text(c, FONT_SMALL, x + 16, y, p->text, "%s", name) + 14);
}

static void
legend_pe(struct ui *ui, struct canvas *c, int32_t x, int32_t y, int32_t x1)
{
	uint32_t n = ui->trees.of == TREE_TASKS ? model_pes(ui->model)
						: ui->trees.grown.ncolours;
	char name[96];

	for (uint32_t i = 0; i < n; i++) {
		tree_colour_label(ui, i, name, sizeof(name));
		if (x + 40 + text_width(FONT_SMALL, name, strlen(name)) > x1) {
			draw_text(c, FONT_SMALL, x, y, ui->palette->dim,
			    "+%" PRIu32, n - i);
			break;
		}
		x = legend_entry(c, ui->palette, x, y,
		    palette_pe_on(ui->palette, i), name);
	}
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

/* The procedures of the tasks drawn, most frequent first. */
static void
legend_procedure(struct ui *ui, struct canvas *c, int32_t x, int32_t y,
    int32_t x1)
{
	const struct radial_layout *l = &ui->treepane.nodes;

	for (uint32_t i = 0; i < l->nnames; i++) {
		const char *name = label_name(tree_model(ui), l->names[i].name);

		if (l->names[i].name == 0)
			name = "no name";
		if (x + 30 + text_width(FONT_SMALL, name, strlen(name)) > x1) {
			draw_text(c, FONT_SMALL, x, y, ui->palette->dim,
			    "+%" PRIu32, l->nnames - i);
			break;
		}
		x = legend_entry(c, ui->palette, x, y,
		    l->names[i].name == 0
			? ui->palette->faint
			: palette_name(l->names[i].name, name),
		    name);
	}
}

static void
legend_state(struct ui *ui, struct canvas *c, int32_t x, int32_t y)
{
	static const char *const words[TREE_KINDS][4] = {
		{ "running", "suspended", "done", "done, was suspended" },
		{ "alive", NULL, "ended", NULL },
		{ "goes on", NULL, "over",
		    "over, a twentieth or more of it in waits" }
	};
	const struct palette *p = ui->palette;
	const uint32_t rgb[4] = { p->state[LANE_running],
		p->state[LANE_wait_message], 0x4477aa, 0xcc79a7 };

	for (int i = 0; i < 4; i++)
		if (words[ui->trees.of][i] != NULL)
			x = legend_entry(c, p, x, y, rgb[i],
			    words[ui->trees.of][i]);
	if (ui->trees.of == TREE_TASKS)
		legend_entry(c, p, x, y, p->faint, "not begun");
}

static void
legend_difference(struct ui *ui, struct canvas *c, int32_t x, int32_t y)
{
	const struct palette *p = ui->palette;
	const struct ui *first = ui->desks->desk[0];
	char text[32];

	if (!two_runs(first))
		return;
	snprintf(text, sizeof(text), "less in %.14s",
	    ui_run_name(first->desks->desk[1]));
	x = legend_entry(c, p, x, y, DIFFERENCE_LESS, text);
	x = legend_entry(c, p, x, y, palette_mix(p->background, p->faint, 150),
	    "the same");
	x = legend_entry(c, p, x, y, DIFFERENCE_MORE, "more there");
	legend_entry(c, p, x, y,
	    is_second(ui) ? DIFFERENCE_ONLY_B : DIFFERENCE_ONLY_A, "only here");
}

void
tree_legend_draw(struct ui *ui, struct canvas *c)
{
	const struct rect *r = &ui->places.tree_words;
	int32_t x = r->x0 + 18, y = r->y1 - 28, x1 = r->x1 - 10;

	switch (ui->tree.colour) {
	case RADIAL_PE:
		legend_pe(ui, c, x, y, x1);
		break;
	case RADIAL_TIME:
		legend_time(ui, c, x, y, x1);
		break;
	case RADIAL_PE_TIME:
		x = legend_time(ui, c, x, y, x1);
		legend_pe(ui, c, x, y, x1);
		break;
	case RADIAL_PROCEDURE:
		legend_procedure(ui, c, x, y, x1);
		break;
	case RADIAL_DIFFERENCE:
		legend_difference(ui, c, x, y);
		break;
	case RADIAL_STATE:
	case RADIAL_COLOURS:
		legend_state(ui, c, x, y);
		break;
	}
}
