/*
 * The curve of the view Memory: what each process has in use over the run, one
 * upon the other, in the colour of its node.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/curve.h"
#include "memory.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/view.h"

#define AXIS_X_PX 58 /* for the levels, at the left */
#define AXIS_Y_PX 16
#define BANDS_MAX 48 /* more processes are nodes */
#define NODES_MAX 8  /* that have their colours said */
#define NODE_PX   25 /* of one, but for its name */

/* What is stacked: a process, or all of a node. */
struct band {
	uint32_t node, rgb;
	double value[HEAP_COLUMNS];
};

static uint32_t
band_rgb(const struct ui *ui, uint32_t node, size_t i)
{
	uint32_t rgb = palette_of_node(ui->model, node);

	return (
	    i % 2 == 0 ? rgb : palette_mix(rgb, ui->palette->background, 70));
}

static struct band *
band_of_node(struct band *b, size_t *n, uint32_t node)
{
	for (size_t i = 0; i < *n; i++)
		if (b[i].node == node)
			return (&b[i]);
	b[*n].node = node;
	return (&b[(*n)++]);
}

static double
sum_at(const struct band *b, size_t n, unsigned column)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += b[i].value[column] > 0 ? b[i].value[column] : 0;
	return (sum);
}

static void
level_bands(struct band *b, size_t n, unsigned column,
    const struct heap_totals *t)
{
	double sum = sum_at(b, n, column), all = (double)t->column[column];

	for (size_t i = 0; sum > 0 && all > 0 && i < n; i++)
		b[i].value[column] *= all / sum;
}

/* Those of a node are side by side, in the order in which they came. */
static void
sort_bands(struct band *b, size_t n)
{
	struct band was;
	size_t k;

	for (size_t i = 1; i < n; i++) {
		was = b[i];
		for (k = i; k > 0 && b[k - 1].node > was.node; k--)
			b[k] = b[k - 1];
		b[k] = was;
	}
}

/*
 * In the order of nodes; to be freed.  NULL: none.  Processes have had their
 * most at different instants of a column: together they are as high as the most
 * of all was.
 */
static struct band *
bands_of(const struct ui *ui, size_t *n)
{
	const struct heap_process *p;
	size_t all = heap_sums_processes(memory_shown(ui), &p);
	bool nodes = all > BANDS_MAX;
	struct band *b = calloc(all + 1, sizeof(*b));

	*n = 0;
	for (size_t i = 0; b != NULL && i < all; i++) {
		const struct lane *l = model_lane(ui->model, p[i].lane);
		struct band *to;

		if (l == NULL)
			continue;
		to = nodes ? band_of_node(b, n, l->node) : &b[(*n)++];
		to->node = l->node;
		for (unsigned k = 0; k < HEAP_COLUMNS; k++)
			to->value[k] += (double)p[i].column[k];
	}
	sort_bands(b, *n);
	for (unsigned k = 0; k < HEAP_COLUMNS; k++)
		level_bands(b, *n, k, heap_sums_totals(memory_shown(ui)));
	for (size_t i = 0; i < *n; i++)
		b[i].rgb = band_rgb(ui, b[i].node, nodes ? 0 : i);
	return (b);
}

/* What is in use where the pointer is. */
static void
hint_curve(struct ui *ui, const struct rect *r, const struct band *b, size_t n)
{
	unsigned k = (unsigned)((int64_t)(ui->mouse.x - r->x0) * HEAP_COLUMNS /
				(r->x1 - r->x0 > 0 ? r->x1 - r->x0 : 1));
	int64_t from = run_begin(ui),
		step = (run_end(ui) - from) / HEAP_COLUMNS;
	char when[48], size[32];

	k = k < HEAP_COLUMNS ? k : HEAP_COLUMNS - 1;
	hint_add(ui, r->x0, r->y0, r->x1, r->y1, "%s in use at %s",
	    format_bytes(size, sizeof(size), (uint64_t)sum_at(b, n, k)),
	    run_time(ui, from + step * (k + 1), step / 10 + 1, when,
		sizeof(when)));
}

static void
draw_bands(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct band *b, size_t n, const struct axis *y)
{
	int32_t px = r->x1 - r->x0;

	for (int32_t x = 0; x < px; x++) {
		unsigned k = (unsigned)((int64_t)x * HEAP_COLUMNS / px);
		int32_t at = r->y1;
		double sum = 0;

		for (size_t i = 0; i < n; i++) {
			int32_t top;

			if (b[i].value[k] <= 0)
				continue;
			sum += b[i].value[k];
			top = axis_at_q(y, sum) / 16;
			canvas_fill(c, r->x0 + x, top, r->x0 + x + 1, at,
			    b[i].rgb);
			at = top;
		}
	}
	if (hint_wanted(ui, r->x0, r->y0, r->x1, r->y1))
		hint_curve(ui, r, b, n);
}

struct axis
memory_axis(const struct ui *ui, int32_t x0, int32_t x1)
{
	int64_t origin = run_origin(ui);

	return ((struct axis){ (double)(run_begin(ui) - origin),
	    (double)(run_end(ui) - origin) + 1, x0, x1, AXIS_LINEAR, AXIS_NS });
}

/* A line where the figures end, if that is before the end of the run. */
static void
draw_until(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct axis *x)
{
	int64_t t0, t1;
	int32_t at;

	if (figures_whole(ui) || !figures_range(ui, &t0, &t1) ||
	    t1 >= run_end(ui) || t1 <= run_begin(ui))
		return;
	at = axis_at_q(x, (double)(t1 - run_origin(ui))) / SCENE_ONE;
	canvas_fill(c, at, r->y0, at + 1, r->y1, ui->palette->accent);
}

void
memory_curve(struct ui *ui, struct canvas *c, const struct rect *all)
{
	struct rect r = { all->x0 + AXIS_X_PX, all->y0 + 4, all->x1,
		all->y1 - AXIS_Y_PX };
	struct axis y = { 0, 1, r.y1, r.y0, AXIS_LINEAR, AXIS_BYTES };
	struct axis x = memory_axis(ui, r.x0, r.x1);
	struct scene s = { 0 };
	struct band *b;
	size_t n;

	if (r.x1 - r.x0 < 20 || r.y1 - r.y0 < 16)
		return;
	b = bands_of(ui, &n);
	for (unsigned k = 0; b != NULL && k < HEAP_COLUMNS; k++)
		y.hi = sum_at(b, n, k) > y.hi ? sum_at(b, n, k) : y.hi;
	axis_round_up(&y, 24);
	axes_scene(&x, &y, ui->palette, &s);
	paint_items(c, &s, 0, s.n);
	scene_free(&s);
	if (b != NULL)
		draw_bands(ui, c, &r, b, n, &y);
	free(b);
	draw_until(ui, c, &r, &x);
}

void
memory_nodes(struct ui *ui, struct canvas *c, int32_t left,
    const struct rect *r)
{
	const struct heap_process *p;
	size_t all = heap_sums_processes(memory_shown(ui), &p), n = 0;
	uint32_t node[NODES_MAX];
	int32_t px = 0, x;

	for (size_t i = 0; i < all; i++) {
		const struct lane *l = model_lane(ui->model, p[i].lane);
		const char *name;
		size_t k = 0;

		while (l != NULL && k < n && node[k] < l->node)
			k++;
		if (l == NULL || (k < n && node[k] == l->node))
			continue;
		if (n == NODES_MAX)
			return;
		name = label_node(ui->model, l->node);
		px += NODE_PX + text_width(FONT_SMALL, name, strlen(name));
		memmove(node + k + 1, node + k, (n - k) * sizeof(*node));
		node[k] = l->node;
		n++;
	}
	x = r->x1 - px;
	for (size_t i = 0; x >= left && i < n; i++) {
		canvas_fill(c, x + 12, r->y0 + 2, x + 20, r->y0 + 10,
		    band_rgb(ui, node[i], 0));
		x = draw_text(c, FONT_SMALL, x + NODE_PX, r->y0 + 10,
		    ui->palette->dim, "%s", label_node(ui->model, node[i]));
	}
}
