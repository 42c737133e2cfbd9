/*
 * See critical.h.  Windows of links go from the end of the range back; of each
 * link it is found out whether its effect ended a wait that had begun before
 * its cause; then it binds, and the walk goes over it when it comes to it.
 */
#include "model/asked/critical_inside.h"

#include <stdlib.h>
#include <string.h>

#define WORK_LINKS 1024 /* in a step: about 1 ms, 2 where memory is far */
#define WORK_FIND  512  /* of a window, as much as so many links */
#define ROOM_FIRST 8192u
#define ROOM_MOST  (1u << 20)
#define WINDOW_NS  ((int64_t)50000000)

struct critical *
critical_new(void)
{
	struct critical *k = calloc(1, sizeof(*k));

	if (k == NULL)
		return (NULL);
	k->phase = CRITICAL_DONE;
	k->all_self = self_sums_new();
	if (k->all_self != NULL)
		return (k);
	free(k);
	return (NULL);
}

void
critical_free(struct critical *k)
{
	if (k == NULL)
		return;
	self_sums_free(k->all_self);
	free(k->window.link);
	free(k->piece);
	free(k->cell);
	free(k->slot);
	free(k->part);
	free(k);
}

static bool
is_thread(const struct critical *k, uint32_t lane)
{
	return (lane < model_lanes(k->source.of) &&
		model_lane(k->source.of, lane)->kind == LANE_THREAD);
}

/* --- the walk --- */

/*
 * By the thread of the effect, in the order of time: of what lets it go on at
 * one instant the last cause counts, of several of these the thread with the
 * highest number.
 */
static int
by_effect(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->lane1 != y->lane1)
		return (x->lane1 < y->lane1 ? -1 : 1);
	if (x->t1_mon_ns != y->t1_mon_ns)
		return (x->t1_mon_ns < y->t1_mon_ns ? -1 : 1);
	if (x->t0_mon_ns != y->t0_mon_ns)
		return (x->t0_mon_ns < y->t0_mon_ns ? -1 : 1);
	return ((x->lane0 > y->lane0) - (x->lane0 < y->lane0));
}

static void
piece_add(struct critical *k, int64_t t0)
{
	struct critical_piece *v = k->piece;
	size_t cap = k->cap == 0 ? 256 : k->cap * 2;

	k->all++;
	if (k->n == CRITICAL_PIECES)
		return;
	if (k->n == k->cap) {
		v = realloc(k->piece, cap * sizeof(*v));
		if (v == NULL) {
			k->failed = true;
			return;
		}
		k->piece = v;
		k->cap = cap;
	}
	v[k->n++] = (struct critical_piece){ t0, k->at_ns, k->lane, k->kind };
}

/* The last of them that binds the walk where it is; NULL: none does. */
static const struct link *
last_bound(const struct critical *k, const struct link *v, size_t n)
{
	size_t lo = 0, hi = n, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (v[mid].lane1 < k->lane ||
		    (v[mid].lane1 == k->lane && v[mid].t1_mon_ns <= k->at_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo > 0 && v[lo - 1].lane1 == k->lane)
		if (v[--lo].flags & CRITICAL_BINDS)
			return (&v[lo]);
	return (NULL);
}

static void
walk(struct critical *k, const struct link *v, size_t n)
{
	const struct link *l;
	int64_t from;

	while (k->lane != UINT32_MAX && (l = last_bound(k, v, n)) != NULL) {
		/* what is behind the piece tells by what it was let go on */
		piece_add(k, l->t1_mon_ns);
		if (k->failed)
			return;
		if (k->n == k->all)
			k->piece[k->n - 1].kind = l->kind0;
		from = l->t0_mon_ns > k->t0 ? l->t0_mon_ns : k->t0;
		k->way_ns += l->t1_mon_ns - from;
		k->at_ns = from;
		k->lane = l->t0_mon_ns >= k->t0 && is_thread(k, l->lane0)
			      ? l->lane0
			      : UINT32_MAX;
	}
}

/* --- windows --- */

/* More room for links, if there may be; else less of them is looked at. */
static void
more_room(struct critical *k)
{
	struct critical_window *w = &k->window;
	size_t room = w->room == 0 ? ROOM_FIRST : w->room * 2;
	struct link *v =
	    room > ROOM_MOST ? NULL : realloc(w->link, room * sizeof(*v));

	if (v == NULL) {
		k->failed = true;
		return;
	}
	w->link = v;
	w->room = room;
}

/* Those whose effects are in it stay; each is of one window only. */
static size_t
in_window(const struct critical *k, size_t n, int64_t t0, int64_t t1)
{
	size_t kept = 0;
	const struct link *l;

	for (size_t i = 0; i < n; i++) {
		l = &k->window.link[i];
		if (l->t1_mon_ns >= t0 && l->t1_mon_ns < t1 &&
		    l->lane0 != l->lane1 && is_thread(k, l->lane1))
			k->window.link[kept++] = *l;
	}
	return (kept);
}

static void
window_open(struct critical *k)
{
	struct critical_window *w = &k->window;
	int64_t t1 = w->until_ns, t0 = t1 - w->length_ns;
	size_t n;

	t0 = t0 < k->t0 ? k->t0 : t0;
	n = w->room == 0 ? 1
			 : model_links(k->source.of, t0, t1, w->link, w->room);
	k->work += WORK_FIND;
	if (n > w->room) {
		if (w->room > 0 && w->length_ns > 1)
			w->length_ns = (w->length_ns + 1) / 2;
		else
			more_room(k);
		return;
	}
	if (n < w->room / 4 && w->length_ns < INT64_MAX / 4)
		w->length_ns *= 2;
	w->n = in_window(k, n, t0, t1);
	w->looked = 0;
	w->from_ns = t0;
	w->open = true;
}

/* Some of its links; behind the last of them the walk goes over it. */
static void
window_look(struct critical *k)
{
	struct critical_window *w = &k->window;

	while (w->looked < w->n && k->work < WORK_LINKS && !k->failed)
		critical_link(k, &w->link[w->looked++]);
	if (w->looked < w->n)
		return;
	if (w->n > 1)
		qsort(w->link, w->n, sizeof(*w->link), by_effect);
	walk(k, w->link, w->n);
	w->until_ns = w->from_ns;
	w->open = false;
}

/* --- the beginning and the end --- */

/* Of a thread when it last changed before t1; INT64_MIN: not in the range. */
static int64_t
last_change(struct critical *k, uint32_t lane)
{
	const struct lod *l;
	struct lod_cursor c;
	struct lod_piece p;
	int64_t t = INT64_MIN, end;
	int found;

	if (!is_thread(k, lane) ||
	    (l = span_row_lod(k->source.of, lane)) == NULL)
		return (INT64_MIN);
	found = lod_seek(l, k->t1 - 1, &c);
	k->about = k->about || found == -1;
	if (found == 1 && lod_next(l, &c, &p))
		t = p.t0_ns;
	/* what was read again does not tell of its end */
	if (model_lane_ended(k->source.m, lane, &end) && end < k->t1 && end > t)
		t = end;
	return (t >= k->t0 && t < k->t1 ? t : INT64_MIN);
}

static void
find_end(struct critical *k, uint32_t asked)
{
	int64_t t;

	k->lane = UINT32_MAX;
	k->at_ns = INT64_MIN;
	for (uint32_t i = 0; i < model_lanes(k->source.of); i++) {
		if (asked != UINT32_MAX && i != asked)
			continue;
		t = last_change(k, i);
		if (t > k->at_ns ||
		    (t == k->at_ns && t != INT64_MIN &&
			model_lane(k->source.of, i)->location <
			    model_lane(k->source.of, k->lane)->location)) {
			k->at_ns = t;
			k->lane = i;
		}
	}
	k->end_ns = k->lane == UINT32_MAX ? k->t0 : k->at_ns;
}

void
critical_begin(struct critical *k, const struct model *m, int64_t t0,
    int64_t t1, uint32_t lane)
{
	struct span_door door;

	k->source = span_source(m, t0, t1);
	k->t0 = t0;
	k->t1 = k->window.until_ns = t1;
	k->window.length_ns = WINDOW_NS;
	k->window.open = false;
	k->failed = k->about = false;
	k->n = k->ncell = k->looked = k->nparts = 0;
	k->all = 0;
	k->way_ns = 0;
	if (k->slot != NULL)
		memset(k->slot, 0, k->cell_cap * 2 * sizeof(*k->slot));
	self_sums_begin(k->all_self, m, t0, t1);
	if (span_source_enter(&k->source, t0, t1, &door)) {
		find_end(k, lane);
		span_source_leave(&k->source, &door);
	}
	k->phase = t1 > t0 ? CRITICAL_LINKS : CRITICAL_DONE;
}

/* Where it stops nothing let it go on: it begins there. */
static void
walk_over(struct critical *k)
{
	const struct lod *l;
	struct lod_cursor c;
	struct lod_piece p;
	int64_t t0 = k->t0;
	int found;

	if (k->lane == UINT32_MAX)
		return;
	l = span_row_lod(k->source.of, k->lane);
	found = l == NULL ? 0 : lod_seek(l, t0, &c);
	k->about = k->about || found == -1;
	if (found == 1 && lod_next(l, &c, &p) && p.t0_ns > t0)
		t0 = p.t0_ns; /* born later */
	t0 = t0 > k->at_ns ? k->at_ns : t0;
	piece_add(k, t0);
	k->at_ns = t0;
	k->lane = UINT32_MAX;
}

static void
step(struct critical *k)
{
	if (k->window.open) {
		window_look(k);
	} else if (k->phase == CRITICAL_LINKS && k->window.until_ns > k->t0) {
		window_open(k);
	} else if (k->phase == CRITICAL_LINKS) {
		walk_over(k);
		k->phase = CRITICAL_IN;
	} else if (k->phase == CRITICAL_IN) {
		if (critical_look(k))
			k->phase = CRITICAL_ALL;
	} else {
		k->work = WORK_LINKS;
		if (!self_sums_step(k->all_self))
			return;
		critical_finish(k);
		k->phase = CRITICAL_DONE;
	}
}

bool
critical_step(struct critical *k)
{
	struct span_door door;

	if (k->phase == CRITICAL_DONE)
		return (true);
	if (!span_source_enter(&k->source, k->t0, k->t1, &door)) {
		k->failed = true;
		k->phase = CRITICAL_DONE;
		return (true);
	}
	for (k->work = 0;
	     k->work < WORK_LINKS && !k->failed && k->phase != CRITICAL_DONE;)
		step(k);
	span_source_leave(&k->source, &door);
	if (k->failed)
		k->phase = CRITICAL_DONE;
	return (k->phase == CRITICAL_DONE);
}

bool
critical_exact(const struct critical *k)
{
	return (!k->about && !k->failed && k->n == k->all);
}

void
critical_range(const struct critical *k, int64_t *t0, int64_t *t1)
{
	*t1 = k->end_ns;
	*t0 = k->all == 0 ? k->end_ns : k->at_ns;
}

size_t
critical_pieces(const struct critical *k, const struct critical_piece **out,
    uint64_t *all)
{
	*out = k->piece;
	*all = k->all;
	return (k->phase == CRITICAL_DONE ? k->n : 0);
}

int64_t
critical_way_ns(const struct critical *k)
{
	return (k->way_ns);
}
