/*
 * Exact sums of a range where some of it has been given up: what they need is
 * read, one part after the other, then the window gets them.
 */
#include <errno.h>

#include "feed/feed_inside.h"

/* Under the lock. */
static void
say_summing(struct feed *f)
{
	f->status.summing = false;
	for (int i = 0; i < SUMS_KINDS; i++)
		f->status.summing |= f->sums[i].is || f->again.sums[i] != NULL;
}

static void
done(struct feed *f, enum sums_kind kind, struct sums *sums)
{
	struct sums *old = NULL;

	f->again.sums[kind] = NULL;
	pthread_mutex_lock(&f->lock);
	if (sums != NULL) {
		old = f->ready[kind]; /* the window has never seen it */
		f->ready[kind] = sums;
	}
	say_summing(f);
	pthread_mutex_unlock(&f->lock);
	sums_free(old);
	feed_wake(f);
}

void
again_sums_drop(struct feed *f, enum sums_kind kind)
{
	struct sums *sums = f->again.sums[kind];

	if (sums == NULL)
		return;
	done(f, kind, NULL);
	sums_free(sums);
}

void
again_sums_clear(struct feed *f)
{
	struct sums *ready[SUMS_KINDS];

	for (unsigned i = 0; i < SUMS_KINDS; i++)
		again_sums_drop(f, i);
	pthread_mutex_lock(&f->lock);
	for (unsigned i = 0; i < SUMS_KINDS; i++) {
		ready[i] = f->ready[i];
		f->ready[i] = NULL;
		f->sums[i].is = false;
	}
	f->status.summing = false;
	pthread_mutex_unlock(&f->lock);
	for (unsigned i = 0; i < SUMS_KINDS; i++)
		sums_free(ready[i]);
}

/* A new wish; what is being read for another one is not wanted any more. */
static void
take_wish(struct feed *f, enum sums_kind kind)
{
	struct again *a = &f->again;
	struct wish w;

	pthread_mutex_lock(&f->lock);
	w = f->sums[kind];
	f->sums[kind].is = false;
	pthread_mutex_unlock(&f->lock);
	if (!w.is)
		return;
	if (a->detail != NULL && a->of == kind)
		again_pause(f);
	sums_free(a->sums[kind]);
	a->sums[kind] = sums_new(f->model, kind, w.t0, w.t1);
	if (a->sums[kind] == NULL)
		done(f, kind, NULL);
}

/* The next part of these.  False: there is none, or it cannot be had. */
static bool
next_part(struct feed *f, enum sums_kind kind)
{
	struct again *a = &f->again;
	struct sums *sums = a->sums[kind];

	if (sums == NULL)
		return (false);
	if (!sums_plan(sums, detail_most(f->model), &a->plan)) {
		if (sums_whole(sums))
			done(f, kind, sums);
		else
			again_sums_drop(f, kind);
		return (false);
	}
	a->detail = detail_new(f->model, &a->plan);
	a->of = kind;
	a->at = a->plan.from;
	if (a->detail != NULL && sums_begin(sums, a->detail) == 0)
		return (true);
	again_pause(f);
	again_sums_drop(f, kind);
	return (false);
}

bool
again_sums(struct feed *f)
{
	for (unsigned i = 0; i < SUMS_KINDS; i++)
		take_wish(f, i);
	if (f->again.detail != NULL)
		return (false); /* that first */
	for (unsigned i = 0; i < SUMS_KINDS; i++)
		if (next_part(f, i))
			return (true);
	return (false);
}

void
again_sums_read(struct feed *f)
{
	struct again *a = &f->again;
	int r;

	detail_ready(a->detail);
	r = sums_take(a->sums[a->of], a->detail);
	detail_free(a->detail);
	a->detail = NULL;
	if (r == -1)
		again_sums_drop(f, a->of);
}

/* One part, at once.  -1: it is not there. */
static int
read_part(struct model *m, struct tracefile *t, struct sums *sums,
    const struct detail_plan *p)
{
	struct model *d = detail_new(m, p);
	uint64_t at = p->from;
	struct frame frame;
	int r = d == NULL ? -1 : sums_begin(sums, d);

	while (r == 0 && at < p->until) {
		r = tracefile_next(t, &at, &frame) == 1 ? 0 : -1;
		/* one that is damaged was counted when it was read first */
		if (r == 0 && frame.type == MSG_block &&
		    model_add_frame(d, &frame) == -1 && errno == ENOMEM)
			r = -1;
	}
	if (r == 0) {
		detail_ready(d);
		r = sums_take(sums, d);
	}
	detail_free(d);
	return (r);
}

void
feed_settle(struct model *m, const char *file, enum sums_kind kind, int64_t t0,
    int64_t t1)
{
	const char *why;
	struct tracefile *t = tracefile_open(file, &why);
	struct sums *sums = t == NULL ? NULL : sums_new(m, kind, t0, t1);
	struct detail_plan p;

	while (sums != NULL && sums_plan(sums, detail_most(m), &p))
		if (read_part(m, t, sums, &p) == -1)
			break;
	tracefile_close(t);
	if (sums != NULL && sums_whole(sums))
		model_set_sums(m, sums);
	else
		sums_free(sums);
}
