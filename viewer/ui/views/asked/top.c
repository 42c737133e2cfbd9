/*
 * Sums of the panels' range, and of them the ten largest of each row.
 */
#include "ui/views/asked/top.h"

#include <stdlib.h>
#include <string.h>

#include "ui/views/asked.h"
#include "ui/views/view.h"

const char *const topten_by_name[TOP_BY] = { "node", "PO", "thread" };

const char *
topten_by_word(const struct ui *ui, unsigned i)
{
	(void)ui;
	return (i < TOP_BY ? topten_by_name[i] : NULL);
}

static void *
make(void)
{
	return (self_sums_new());
}

static void
end(void *k)
{
	self_sums_free(k);
}

static void
begin(void *k, const struct ui *ui, const struct asked_of *of)
{
	(void)ui;
	self_sums_begin(k, of->model, of->t0, of->t1);
}

static bool
step(void *k)
{
	return (self_sums_step(k));
}

static const struct asked_how how = { make, end, begin, step, 16, 20 };

const struct self_sums *
topten_shown(const struct ui *ui)
{
	return (asked_shown(ui, ASKED_TOP));
}

bool
topten_prepare(struct ui *ui)
{
	struct asked_of want;

	asked_range(ui, &want, false);
	asked_step(ui, ASKED_TOP, &how, &want);
	return (true);
}

/* --- rows --- */

/* A thread's function, and the row that it is of. */
struct entry {
	uint32_t lane, name;
	uint8_t kind;
	int64_t ns;
};

static int
by_function(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->lane != y->lane)
		return (x->lane < y->lane ? -1 : 1);
	if (x->name != y->name)
		return (x->name < y->name ? -1 : 1);
	return (x->kind - y->kind);
}

static uint32_t
row_lane(const struct model *m, uint32_t lane, unsigned by)
{
	static const uint8_t kind[TOP_BY] = { LANE_NODE, LANE_PO, LANE_THREAD };

	while (lane < model_lanes(m) && model_lane(m, lane)->kind != kind[by])
		lane = model_lane(m, lane)->parent;
	return (lane);
}

/* Into its place among the largest. */
static void
part_put(struct top_row *r, const struct entry *e)
{
	uint32_t at = r->nparts;

	r->all_ns += e->ns;
	r->functions++;
	for (; at > 0 && r->part[at - 1].ns < e->ns; at--)
		if (at < TOP_MOST)
			r->part[at] = r->part[at - 1];
	if (at < TOP_MOST)
		r->part[at] = (struct top_part){ e->name, e->kind, e->ns };
	r->nparts += r->nparts < TOP_MOST;
}

/* Nodes and what is below them as the lanes have them, then by number. */
static int
by_place(const void *a, const void *b, void *arg)
{
	const struct model *m = arg;
	const struct lane *x = model_lane(m, ((const struct top_row *)a)->lane);
	const struct lane *y = model_lane(m, ((const struct top_row *)b)->lane);
	uint32_t p = model_node_rank(m, x->node),
		 q = model_node_rank(m, y->node);

	if (p != q)
		return (p < q ? -1 : 1);
	if (x->po != y->po)
		return (x->po < y->po ? -1 : 1);
	return ((x->location > y->location) - (x->location < y->location));
}

size_t
topten_rows(const struct ui *ui, struct top_row **out)
{
	const struct self_sums *all = topten_shown(ui);
	const struct self_sum *s;
	struct entry *e = NULL, *last;
	struct top_row *r = NULL;
	size_t n, rows = 0;

	*out = NULL;
	if (all == NULL)
		return (0);
	n = self_sums_list(all, &s);
	e = calloc(n + 1, sizeof(*e));
	r = calloc(n + 1, sizeof(*r));
	if (e == NULL || r == NULL)
		n = 0;
	for (size_t i = 0; i < n; i++)
		e[i] = (struct entry){ row_lane(ui->model, s[i].lane,
					   ui->lists.top_by),
			s[i].name, s[i].kind, s[i].ns };
	if (n > 1)
		qsort(e, n, sizeof(*e), by_function);
	for (size_t i = 0; i < n; i++) {
		last = &e[i];
		while (i + 1 < n && by_function(last, &e[i + 1]) == 0)
			last->ns += e[++i].ns;
		if (last->lane >= model_lanes(ui->model))
			continue;
		if (rows == 0 || r[rows - 1].lane != last->lane)
			r[rows++].lane = last->lane;
		part_put(&r[rows - 1], last);
	}
	free(e);
	if (rows > 1)
		qsort_r(r, rows, sizeof(*r), by_place, ui->model);
	*out = r;
	return (rows);
}
