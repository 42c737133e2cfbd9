/*
 * Exact sums of a range, where its ends have been given up: what each of them
 * needs is read, one after the other, then the window gets both.
 */
#include <errno.h>

#include "ui/feed_inside.h"

static void
done(struct feed *f, struct edges *e)
{
	struct edges *old = NULL;

	pthread_mutex_lock(&f->lock);
	if (e != NULL) {
		old = f->edges; /* the window has never seen it */
		f->edges = e;
	}
	f->status.summing = f->sums.is;
	pthread_mutex_unlock(&f->lock);
	edges_free(old);
	f->again.edges = NULL;
	feed_wake(f);
}

void
again_sums_drop(struct feed *f)
{
	edges_free(f->again.edges);
	done(f, NULL);
}

/* A new wish; what is being read for another one is not wanted any more. */
static void
take_wish(struct feed *f)
{
	struct again *a = &f->again;
	struct wish w;

	pthread_mutex_lock(&f->lock);
	w = f->sums;
	f->sums.is = false;
	pthread_mutex_unlock(&f->lock);
	if (!w.is)
		return;
	again_stop(f);
	a->edges = edges_new(f->model, w.t0, w.t1);
	if (a->edges == NULL)
		again_sums_drop(f);
}

bool
again_sums(struct feed *f)
{
	struct again *a = &f->again;

	take_wish(f);
	if (a->edges == NULL || a->detail != NULL)
		return (false);
	if (!edges_plan(a->edges, detail_most(f->model), &a->plan)) {
		if (edges_whole(a->edges))
			done(f, a->edges);
		else
			again_sums_drop(f);
		return (false);
	}
	a->detail = detail_new(f->model, &a->plan);
	a->at = a->plan.from;
	if (a->detail != NULL && edges_begin(a->edges, a->detail) == 0)
		return (true);
	again_stop(f);
	return (false);
}

void
again_sums_read(struct feed *f)
{
	struct again *a = &f->again;
	int r;

	detail_ready(a->detail);
	r = edges_take(a->edges, a->detail);
	detail_free(a->detail);
	a->detail = NULL;
	if (r == -1)
		again_sums_drop(f);
}

/* One part, at once.  -1: it is not there. */
static int
read_part(struct model *m, struct tracefile *t, struct edges *e,
    const struct detail_plan *p)
{
	struct model *d = detail_new(m, p);
	uint64_t at = p->from;
	struct frame frame;
	int r = d == NULL ? -1 : edges_begin(e, d);

	while (r == 0 && at < p->until) {
		r = tracefile_next(t, &at, &frame) == 1 ? 0 : -1;
		/* one that is damaged was counted when it was read first */
		if (r == 0 && frame.type == MSG_block &&
		    model_add_frame(d, &frame) == -1 && errno == ENOMEM)
			r = -1;
	}
	if (r == 0) {
		detail_ready(d);
		r = edges_take(e, d);
	}
	detail_free(d);
	return (r);
}

void
feed_settle(struct model *m, const char *file, int64_t t0, int64_t t1)
{
	const char *why;
	struct tracefile *t = tracefile_open(file, &why);
	struct edges *e = t == NULL ? NULL : edges_new(m, t0, t1);
	struct detail_plan p;

	while (e != NULL && edges_plan(e, detail_most(m), &p))
		if (read_part(m, t, e, &p) == -1)
			break;
	tracefile_close(t);
	if (e != NULL && edges_whole(e))
		model_set_edges(m, e);
	else
		edges_free(e);
}
