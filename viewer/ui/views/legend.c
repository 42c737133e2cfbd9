/* The colours that a row of a legend stands for, in this run and theme. */
#include "ui/views/legend.h"

#include <string.h>

#include "layout/chart/shades.h"
#include "ui/desk/desk.h"
#include "ui/things/counters.h"

#define HUES 6 /* that are shown of those without end */

static uint32_t
of_theme(const struct palette *p, uint32_t offset)
{
	uint32_t rgb;

	memcpy(&rgb, (const char *)p + offset, sizeof(rgb));
	return (rgb);
}

static size_t
nodes(const struct ui *ui, uint32_t *rgb, size_t max)
{
	size_t n = 0;

	for (uint32_t i = 1; i <= model_nodes(ui->model) && n < max; i++)
		if (model_node_told(ui->model, i))
			rgb[n++] = palette_of_node(ui->model, i);
	return (n);
}

/* The first few that were called. */
static size_t
names(const struct ui *ui, uint32_t *rgb, size_t max)
{
	uint32_t name, n = model_called(ui->model);

	n = n < max ? n : (uint32_t)max;
	for (uint32_t i = 0; i < n; i++) {
		name = model_called_name(ui->model, i);
		rgb[i] = palette_of_name(ui->model, name);
	}
	return (n);
}

static size_t
counters(const struct ui *ui, uint32_t *rgb, size_t max)
{
	uint32_t n = model_counters(ui->model);
	struct counter k;
	size_t i;

	for (i = 0; i < max && i < n; i++) {
		if (!model_counter(ui->model, (uint32_t)i, &k))
			break;
		rgb[i] = counter_colour(ui, &k);
	}
	return (i);
}

static size_t
scale(const struct palette *p, uint32_t *rgb, size_t max)
{
	const struct shades s = { 1, 2, false };

	for (size_t i = 0; i < max; i++)
		rgb[i] = shades_rgb(&s, p, 1 + (double)i / (double)(max - 1));
	return (max);
}

static size_t
hues(const struct palette *p, uint32_t *rgb, size_t max)
{
	size_t n = max < HUES ? max : HUES;

	for (size_t i = 0; i < n; i++)
		rgb[i] = palette_pe_on(p, (unsigned)i);
	return (n);
}

/* As it comes out of the table of colours. */
static size_t
plain(const struct ui *ui, const struct legend_row *r, uint32_t *rgb,
    size_t max)
{
	switch ((enum legend_ink)r->ink) {
	case LEGEND_NODES:
	case LEGEND_NODES_ON:
		return (nodes(ui, rgb, max));
	case LEGEND_NAMES:
	case LEGEND_NAMES_ON:
	case LEGEND_NAMES_INK:
		return (names(ui, rgb, max));
	case LEGEND_COUNTERS:
		return (counters(ui, rgb, max));
	case LEGEND_SHADES:
		return (scale(ui->palette, rgb, max));
	case LEGEND_HUES:
		return (hues(ui->palette, rgb, max));
	case LEGEND_RGB:
	case LEGEND_RGB_ON:
		*rgb = r->of;
		return (1);
	case LEGEND_THEME:
	case LEGEND_THEME_AREA:
	case LEGEND_THEME_ON:
		*rgb = of_theme(ui->palette, r->of);
		return (1);
	case LEGEND_TREE:
		break;
	}
	return (0);
}

size_t
legend_rgb(const struct ui *ui, const struct legend_row *r, uint32_t *rgb,
    size_t max)
{
	size_t n =
	    plain(ui, r, rgb, max < LEGEND_COLOURS ? max : LEGEND_COLOURS);

	for (size_t i = 0; i < n; i++) {
		if (r->ink == LEGEND_THEME_ON || r->ink == LEGEND_RGB_ON ||
		    r->ink == LEGEND_NODES_ON || r->ink == LEGEND_NAMES_ON)
			rgb[i] = palette_on(ui->palette, rgb[i]);
		else if (r->ink == LEGEND_THEME_AREA)
			rgb[i] = palette_area(ui->palette, rgb[i]);
		else if (r->ink == LEGEND_NAMES_INK)
			rgb[i] = palette_ink(ui->palette, rgb[i]);
	}
	return (n);
}
