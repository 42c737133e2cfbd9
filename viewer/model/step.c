/*
 * From one event to the next, or n of them, forwards or backwards, over all
 * lanes or those of one row.  An instant at which several things happen is one
 * step: nothing can be seen half done.
 *
 * The next change of each lane is looked up once; then a step is the least of
 * them, and only the lanes that change there are asked again.  Beginnings and
 * ends of links, marks and tasks count too.
 */
#include <stdlib.h>
#include <string.h>

#include "model/inside.h"

#define LIST_FEW 32   /* links or marks looked at for one step, as a rule */
#define LIST_MAX 2048 /* and at most: a range with more is halved */

/* Links and marks of a range: these as a rule, or as many as it takes. */
struct lists {
	struct link *links;
	struct mark *marks;
	size_t room; /* for each */
	struct link few_links[LIST_FEW];
	struct mark few_marks[LIST_FEW];
};

struct lane_step {
	int64_t next; /* where it changes next; NEVER */
	uint32_t id;
};

struct walk {
	const struct model *m;
	int way;                /* 1 or -1 */
	uint32_t n;             /* lanes that take part */
	struct lane_step *lane; /* each of them */
	uint8_t *in;            /* by lane; NULL: all are */
	uint32_t nlanes;
	struct lists lists;
};

/* Of two instants the one that comes first on the way. */
static int64_t
nearer(const struct walk *w, int64_t a, int64_t b)
{
	return (w->way > 0 ? (a < b ? a : b) : (a > b ? a : b));
}

static int64_t
never(const struct walk *w)
{
	return (w->way > 0 ? INT64_MAX : INT64_MIN);
}

/* Is t beyond from, on the way, and not beyond bound? */
static bool
lies(const struct walk *w, int64_t from, int64_t t, int64_t bound)
{
	return (w->way > 0 ? t > from && t <= bound && t != INT64_MAX
			   : t < from && t >= bound && t != INT64_MIN);
}

static int64_t
lane_next(const struct walk *w, uint32_t lane, int64_t t)
{
	const struct lod *l = atomic_load(&lane_at(w->m, lane)->lod);
	struct lod_cursor c;
	struct lod_piece p;

	if (l == NULL)
		return (never(w));
	if (w->way < 0) {
		if (lod_seek(l, t - 1, &c) == 1 && lod_next(l, &c, &p) &&
		    p.t0_ns < t)
			return (p.t0_ns);
		return (INT64_MIN);
	}
	if (lod_seek(l, t, &c) == 0)
		return (INT64_MAX);
	while (lod_next(l, &c, &p)) { /* some take no time */
		if (p.t0_ns > t)
			return (p.t0_ns);
		if (p.t1_ns > t)
			return (p.t1_ns);
	}
	return (INT64_MAX);
}

static bool
is_in(const struct walk *w, uint32_t lane)
{
	return (w->in == NULL || (lane < w->nlanes && w->in[lane] != 0));
}

/* Instants in [t0, t1) of the i-th mark or link that was listed. */
struct kind_of_list {
	size_t (*list)(struct walk *, int64_t t0, int64_t t1);
	int64_t (*nearest)(const struct walk *, size_t i, int64_t from,
	    int64_t best);
};

static size_t
list_marks(struct walk *w, int64_t t0, int64_t t1)
{
	return (model_marks(w->m, t0, t1, w->lists.marks, w->lists.room));
}

static int64_t
nearest_mark(const struct walk *w, size_t i, int64_t from, int64_t best)
{
	const struct mark *k = &w->lists.marks[i];

	return (is_in(w, k->lane) && lies(w, from, k->t_mon_ns, best)
		    ? k->t_mon_ns
		    : best);
}

static size_t
list_links(struct walk *w, int64_t t0, int64_t t1)
{
	return (model_links(w->m, t0, t1, w->lists.links, w->lists.room));
}

static int64_t
nearest_link(const struct walk *w, size_t i, int64_t from, int64_t best)
{
	const struct link *l = &w->lists.links[i];

	if (is_in(w, l->lane0) && lies(w, from, l->t0_mon_ns, best))
		best = l->t0_mon_ns;
	if (is_in(w, l->lane1) && lies(w, from, l->t1_mon_ns, best))
		best = l->t1_mon_ns;
	return (best);
}

static void
lists_init(struct lists *l)
{
	l->links = l->few_links;
	l->marks = l->few_marks;
	l->room = LIST_FEW;
}

static void
lists_clear(struct lists *l)
{
	if (l->room == LIST_FEW)
		return;
	free(l->links);
	free(l->marks);
}

/* Room for as many as are ever looked at; without memory it stays. */
static bool
lists_grow(struct lists *l)
{
	struct link *links;
	struct mark *marks;

	if (l->room == LIST_MAX)
		return (false);
	links = malloc(LIST_MAX * sizeof(*links));
	marks = malloc(LIST_MAX * sizeof(*marks));
	if (links == NULL || marks == NULL) {
		free(links);
		free(marks);
		return (false);
	}
	l->links = links;
	l->marks = marks;
	l->room = LIST_MAX;
	return (true);
}

static const struct kind_of_list mark_lists = { list_marks, nearest_mark };
static const struct kind_of_list link_lists = { list_links, nearest_link };

/* The nearest in [t0, t1) that is no farther than best; the near half first. */
static int64_t
search(struct walk *w, const struct kind_of_list *k, int64_t t0, int64_t t1,
    int64_t from, int64_t best)
{
	int64_t mid, found;
	size_t n;

	if (t1 <= t0) /* also when nothing has come yet */
		return (best);
	mid = t0 + (t1 - t0) / 2;
	n = k->list(w, t0, t1);
	if (n > w->lists.room && lists_grow(&w->lists))
		n = k->list(w, t0, t1);
	if (n > w->lists.room && t1 - t0 > 1) {
		found = w->way > 0 ? search(w, k, t0, mid, from, best)
				   : search(w, k, mid, t1, from, best);
		if (found != best)
			return (found);
		return (w->way > 0 ? search(w, k, mid, t1, from, best)
				   : search(w, k, t0, mid, from, best));
	}
	n = n > w->lists.room ? w->lists.room : n;
	for (size_t i = 0; i < n; i++)
		best = k->nearest(w, i, from, best);
	return (best);
}

static int64_t
listed_next(struct walk *w, const struct kind_of_list *k, int64_t from,
    int64_t best)
{
	int64_t first = model_first_ns(w->m), last = model_last_ns(w->m);

	if (w->way > 0)
		return (search(w, k, from + 1, best < last ? best : last + 1,
		    from, best));
	return (search(w, k, best > first ? best : first, from, from, best));
}

static int64_t
task_time(const struct model *m, uint32_t i)
{
	int64_t at = model_task_spawn(m, i);

	return (at == INT64_MIN ? model_task_begin(m, i) : at);
}

/* Tasks are nearly in the order of their spawns. */
static int64_t
tasks_next(const struct walk *w, int64_t from, int64_t bound)
{
	const struct model *m = whole_of(w->m);
	uint32_t lo = 0, hi = model_tasks(m), n = hi, mid;

	if (w->in != NULL || n == 0)
		return (bound);
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (task_time(m, mid) <= from)
			lo = mid;
		else
			hi = mid;
	}
	for (uint32_t i = lo > 32 ? lo - 32 : 0; i < n && i < lo + 32; i++)
		if (lies(w, from, task_time(m, i), bound))
			bound = nearer(w, bound, task_time(m, i));
	return (bound);
}

static bool
is_below(const struct model *m, uint32_t lane, uint32_t top)
{
	while (lane != UINT32_MAX && lane != top)
		lane = model_lane(m, lane)->parent;
	return (lane == top);
}

static void
walk_init(struct walk *w, int way)
{
	w->way = way;
	w->n = 0;
	w->lane = NULL;
	w->in = NULL;
	lists_init(&w->lists);
}

static int
walk_begin(struct walk *w, const struct model *m, uint32_t lane, int64_t t)
{
	w->m = m;
	w->nlanes = model_lanes(m);
	w->lane = malloc((w->nlanes + 1) * sizeof(*w->lane));
	if (lane != UINT32_MAX)
		w->in = calloc(w->nlanes + 1, 1);
	if (w->lane == NULL || (lane != UINT32_MAX && w->in == NULL))
		return (-1);
	for (uint32_t i = 0; i < w->nlanes; i++) {
		if (w->in != NULL) {
			if (!is_below(m, i, lane))
				continue;
			w->in[i] = 1;
		}
		if (atomic_load(&lane_at(m, i)->lod) != NULL)
			w->lane[w->n++] =
			    (struct lane_step){ lane_next(w, i, t), i };
	}
	return (0);
}

/* The next instant beyond t; never() when there is none. */
static int64_t
walk_step(struct walk *w, int64_t t)
{
	int64_t best = never(w);

	for (uint32_t i = 0; i < w->n; i++)
		best = nearer(w, best, w->lane[i].next);
	best = tasks_next(w, t, best);
	best = listed_next(w, &mark_lists, t, best);
	best = listed_next(w, &link_lists, t, best);
	for (uint32_t i = 0; i < w->n && best != never(w); i++)
		if (w->lane[i].next == best)
			w->lane[i].next = lane_next(w, w->lane[i].id, best);
	return (best);
}

static int64_t
step_in(const struct model *m, uint32_t lane, int64_t t, long steps)
{
	struct retired *r = (struct retired *)&held_of(m)->retired;
	struct walk w;
	unsigned door;
	int64_t next;

	walk_init(&w, steps > 0 ? 1 : -1);
	door = retired_enter(r);
	if (walk_begin(&w, m, lane, t) == 0) {
		for (; steps != 0; steps -= w.way) {
			next = walk_step(&w, t);
			if (next == never(&w))
				break;
			t = next;
		}
	}
	retired_leave(r, door);
	lists_clear(&w.lists);
	free(w.lane);
	free(w.in);
	return (t);
}

int64_t
model_step(const struct model *m, uint32_t lane, int64_t t, long steps)
{
	const struct model *d = detail_for(m, t, t + 1);
	int64_t to;

	if (d != m && (lane == UINT32_MAX || lane < model_lanes(d))) {
		to = step_in(d, lane, t, steps);
		if (to != t && to >= fetched_of(d)->known0_ns &&
		    to < fetched_of(d)->known1_ns)
			return (to);
	}
	return (step_in(m, lane, t, steps));
}
