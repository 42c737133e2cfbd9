/*
 * Who waits for whom: each thread that waits has at most one that it waits for,
 * so they hang below each other as trees, or in circles.  For a lock that is
 * its holder, for a remote call who serves it; for all else, if the wait is
 * over by now, who ended it: sent the message, gave the signal, came last.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/views/asked/lockview.h"

#define DEPTH_MOST   64 /* of a tree; what is deeper begins a new one */
#define HOLDERS_LOOK 64 /* of a lock */

static struct wait *
wait_of(const struct waits *w, uint32_t lane)
{
	size_t lo = 0, hi = w->n, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (w->wait[mid].lane < lane)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo < w->n && w->wait[lo].lane == lane ? &w->wait[lo] : NULL);
}

/* --- trees and circles --- */

static struct wait *
next_of(const struct waits *w, const struct wait *x)
{
	return (x->of == UINT32_MAX ? NULL : wait_of(w, x->of));
}

/* Does from wait, in the end, for x? */
static bool
leads_to(const struct waits *w, uint32_t from, const struct wait *x)
{
	const struct wait *at = wait_of(w, from);

	for (size_t i = 0; at != NULL && at != x && i < w->n; i++)
		at = next_of(w, at);
	return (at == x);
}

/* Of several holders the one by whom it waits for itself, if there is one. */
static void
choose_holders(const struct ui *ui, int64_t t, struct waits *w)
{
	struct lock_holder v[HOLDERS_LOOK];
	size_t n;

	for (size_t i = 0; i < w->n; i++) {
		struct wait *x = &w->wait[i];

		if (x->how != WAIT_HOLDER || x->others == 0)
			continue;
		n = lock_holders(ui->model, x->lock, t, v, HOLDERS_LOOK);
		for (size_t k = 0; k < n && k < HOLDERS_LOOK; k++)
			if (leads_to(w, v[k].lane, x)) {
				x->of = v[k].lane;
				x->held_mon_ns = v[k].since_mon_ns;
				break;
			}
	}
}

static void
mark_circle(struct waits *w, struct wait *x)
{
	bool locks = true;

	for (; !x->circle; x = next_of(w, x)) {
		x->circle = true;
		locks = locks && x->how == WAIT_HOLDER;
	}
	w->deadlock = w->deadlock || locks;
}

/* From each go on until one is met that was met on this way. */
static void
find_circles(struct waits *w)
{
	size_t *met = calloc(w->n + 1, sizeof(*met));
	struct wait *x;

	for (size_t i = 0; met != NULL && i < w->n; i++) {
		for (x = &w->wait[i]; x != NULL && met[x - w->wait] == 0;
		     x = next_of(w, x))
			met[x - w->wait] = i + 1;
		if (x != NULL && met[x - w->wait] == i + 1)
			mark_circle(w, x);
	}
	free(met);
}

/* By whom they wait for, then by thread. */
struct hung {
	uint32_t of, lane;
	size_t wait;
	bool placed;
};

static int
by_whom(const void *a, const void *b)
{
	const struct hung *x = a, *y = b;

	if (x->of != y->of)
		return (x->of < y->of ? -1 : 1);
	return ((x->lane > y->lane) - (x->lane < y->lane));
}

static void
place(struct waits *w, struct hung *h, uint32_t lane, uint32_t depth)
{
	size_t lo = 0, hi = w->n, mid, at = w->nrows++;
	struct wait *x = wait_of(w, lane);

	w->row[at] = (struct wait_row){ lane, depth,
		x == NULL ? w->n : (size_t)(x - w->wait), 0 };
	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (h[mid].of < lane)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < w->n && h[lo].of == lane && depth < DEPTH_MOST; lo++) {
		if (h[lo].placed)
			continue;
		h[lo].placed = true;
		place(w, h, h[lo].lane, depth + 1);
	}
	w->row[at].waiting = (uint32_t)(w->nrows - at - 1);
}

/* Those who hold others up and do not wait, circles, and the rest. */
static void
place_all(struct waits *w, struct hung *h)
{
	for (size_t i = 0; i < w->n; i++)
		if (h[i].of != UINT32_MAX && !h[i].placed &&
		    wait_of(w, h[i].of) == NULL)
			place(w, h, h[i].of, 0);
	for (int turn = 0; turn < 3; turn++)
		for (size_t i = 0; i < w->n; i++) {
			if (h[i].placed ||
			    (turn == 0 && !w->wait[h[i].wait].circle) ||
			    (turn == 1 && h[i].of != UINT32_MAX))
				continue;
			h[i].placed = true;
			place(w, h, h[i].lane, 0);
		}
}

/* The largest trees first; a tree is a row of depth 0 and those behind it. */
struct tree {
	size_t from, rows;
	bool circle;
};

static int
by_size(const void *a, const void *b)
{
	const struct tree *x = a, *y = b;

	if (x->circle != y->circle)
		return (x->circle ? -1 : 1);
	if (x->rows != y->rows)
		return (x->rows < y->rows ? 1 : -1);
	return ((x->from > y->from) - (x->from < y->from));
}

static bool
sort_trees(struct waits *w)
{
	struct tree *tree = calloc(w->nrows + 1, sizeof(*tree));
	struct wait_row *row = calloc(w->nrows + 1, sizeof(*row));
	size_t trees = 0, to = 0;

	for (size_t i = 0; tree != NULL && row != NULL && i < w->nrows; i++) {
		if (w->row[i].depth == 0)
			tree[trees++] = (struct tree){ i, 0, false };
		tree[trees - 1].rows++;
		if (w->row[i].wait < w->n && w->wait[w->row[i].wait].circle)
			tree[trees - 1].circle = true;
	}
	if (trees > 1)
		qsort(tree, trees, sizeof(*tree), by_size);
	for (size_t i = 0; i < trees; i++) {
		memcpy(row + to, w->row + tree[i].from,
		    tree[i].rows * sizeof(*row));
		to += tree[i].rows;
	}
	free(tree);
	if (row == NULL || to < w->nrows) {
		free(row);
		return (false);
	}
	free(w->row);
	w->row = row;
	return (true);
}

static bool
make_trees(struct waits *w)
{
	struct hung *h = calloc(w->n + 1, sizeof(*h));

	w->row = calloc(2 * w->n + 1, sizeof(*w->row));
	if (h == NULL || w->row == NULL) {
		free(h);
		return (false);
	}
	for (size_t i = 0; i < w->n; i++)
		h[i] =
		    (struct hung){ w->wait[i].of, w->wait[i].lane, i, false };
	if (w->n > 1)
		qsort(h, w->n, sizeof(*h), by_whom);
	place_all(w, h);
	free(h);
	return (sort_trees(w));
}

bool
waits_find(const struct ui *ui, int64_t t, struct waits *w)
{
	uint32_t lanes = model_lanes(ui->model);

	memset(w, 0, sizeof(*w));
	w->wait = calloc(lanes + 1u, sizeof(*w->wait));
	for (uint32_t i = 0; w->wait != NULL && i < lanes; i++)
		if (model_lane(ui->model, i)->kind == LANE_THREAD &&
		    wait_at(ui, i, t, &w->wait[w->n]))
			w->n++;
	if (w->wait == NULL)
		return (false);
	choose_holders(ui, t, w);
	find_circles(w);
	if (make_trees(w))
		return (true);
	waits_clear(w);
	return (false);
}

void
waits_clear(struct waits *w)
{
	free(w->wait);
	free(w->row);
	memset(w, 0, sizeof(*w));
}

/* --- when nobody waits --- */

/* So long it waited in [t0, t1); -1: that is not known exactly. */
static int64_t
waited_ns(const struct ui *ui, uint32_t lane, int64_t t0, int64_t t1)
{
	int64_t by_class[LANE_CLASSES], ns = 0;
	uint64_t spans;

	if (!model_lane_totals(ui->model, lane, t0, t1, by_class, &spans))
		return (-1);
	for (unsigned i = 0; i < LANE_CLASSES; i++)
		ns += lane_waits(i) ? by_class[i] : 0;
	return (ns);
}

int64_t
waits_last(const struct ui *ui, int64_t t)
{
	int64_t begin = run_begin(ui), last = begin, lo, hi, mid;
	bool any = false;

	for (uint32_t i = 0; i < model_lanes(ui->model); i++) {
		if (model_lane(ui->model, i)->kind != LANE_THREAD ||
		    waited_ns(ui, i, last, t) <= 0)
			continue;
		any = true;
		/* it waited in [lo, t), and no more from hi on */
		for (lo = last, hi = t; hi - lo > 1;) {
			mid = lo + (hi - lo) / 2;
			if (waited_ns(ui, i, mid, t) > 0)
				lo = mid;
			else
				hi = mid;
		}
		last = lo;
	}
	return (any ? last : INT64_MIN);
}

/* --- words --- */

char *
wait_runs(const struct ui *ui, uint32_t lane, int64_t t, char *buf, size_t n)
{
	uint32_t name = model_call_at(ui->model, lane, t);

	snprintf(buf, n, "%s%s", name != 0 ? "runs " : "does not wait",
	    name != 0 ? label_name(ui->model, name) : "");
	return (buf);
}

char *
wait_words(const struct ui *ui, const struct wait *x, char *buf, size_t n)
{
	static const char *const how[] = { "", ", held by ", ", served by ",
		", which comes from " };
	const struct model *m = ui->model;
	const struct lane *of, *self;
	char who[96];
	uint32_t in;
	size_t at;

	at = (size_t)snprintf(buf, n, "%s%s%s", label_class(x->class),
	    x->name != 0 ? ": " : "",
	    x->name != 0 ? label_name(m, x->name) : "");
	if (x->of == UINT32_MAX || at >= n)
		return (buf);
	of = model_lane(m, x->of);
	self = model_lane(m, x->lane);
	at += (size_t)snprintf(buf + at, n - at, "%s%s", how[x->how],
	    label_lane(m, of, who, sizeof(who)));
	if ((of->node != self->node || of->po != self->po) && at < n)
		at += (size_t)snprintf(buf + at, n - at, " (%s/%" PRIu32 ")",
		    label_node(m, of->node), of->po);
	if (at >= n)
		return (buf);
	in =
	    x->how == WAIT_HOLDER ? model_call_at(m, x->of, x->held_mon_ns) : 0;
	if (in != 0 && at < n)
		at += (size_t)snprintf(buf + at, n - at, " in %s",
		    label_name(m, in));
	if (x->how == WAIT_HOLDER && x->others > 0 && at < n)
		snprintf(buf + at, n - at, " and %" PRIu32 " more", x->others);
	return (buf);
}
