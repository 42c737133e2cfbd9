/*
 * Exact sums of a range where some of it has been given up: what they need is
 * read, one part after the other, then the window gets them.
 */
#include <errno.h>

#include "feed/feed_inside.h"
#include "model/past/edges.h"
#include "model/past/sweep.h"
#include "model/past/talk.h"

static void *
lanes_new(struct model *m, int64_t t0, int64_t t1)
{
	return (edges_new(m, t0, t1));
}

static void
lanes_free(void *sums)
{
	edges_free(sums);
}

static bool
lanes_plan(void *sums, uint64_t most, struct detail_plan *p)
{
	return (edges_plan(sums, most, p));
}

static int
lanes_begin(void *sums, struct model *detail)
{
	return (edges_begin(sums, detail));
}

static int
lanes_take(void *sums, const struct model *detail)
{
	return (edges_take(sums, detail));
}

static bool
lanes_whole(const void *sums)
{
	return (edges_whole(sums));
}

static void
lanes_set(struct model *m, void *sums)
{
	model_set_edges(m, sums);
}

static void *
messages_new(struct model *m, int64_t t0, int64_t t1)
{
	return (talk_new(m, t0, t1));
}

static void
messages_free(void *sums)
{
	talk_free(sums);
}

static bool
messages_plan(void *sums, uint64_t most, struct detail_plan *p)
{
	return (talk_plan(sums, most, p));
}

static int
messages_begin(void *sums, struct model *detail)
{
	return (talk_begin(sums, detail));
}

static int
messages_take(void *sums, const struct model *detail)
{
	return (talk_take(sums, detail));
}

static bool
messages_whole(const void *sums)
{
	return (talk_whole(sums));
}

static void
messages_set(struct model *m, void *sums)
{
	model_set_talk(m, sums);
}

static void *
calls_sums_new(struct model *m, int64_t t0, int64_t t1)
{
	return (sweep_new(m, t0, t1));
}

static void
calls_sums_free(void *sums)
{
	sweep_free(sums);
}

static bool
calls_sums_plan(void *sums, uint64_t most, struct detail_plan *p)
{
	return (sweep_plan(sums, most, p));
}

static int
calls_sums_begin(void *sums, struct model *detail)
{
	(void)sums;
	(void)detail;
	return (0);
}

static int
calls_sums_take(void *sums, const struct model *detail)
{
	return (sweep_take(sums, detail));
}

static bool
calls_sums_whole(const void *sums)
{
	return (sweep_whole(sums));
}

static void
calls_sums_set(struct model *m, void *sums)
{
	model_set_sweep(m, sums);
}

const struct sums_ops sums_ops[SUMS_KINDS] = {
	[SUMS_LANES] = { lanes_new, lanes_free, lanes_plan, lanes_begin,
	    lanes_take, lanes_whole, lanes_set },
	[SUMS_MESSAGES] = { messages_new, messages_free, messages_plan,
	    messages_begin, messages_take, messages_whole, messages_set },
	[SUMS_CALLS] = { calls_sums_new, calls_sums_free, calls_sums_plan,
	    calls_sums_begin, calls_sums_take, calls_sums_whole,
	    calls_sums_set },
};

/* Under the lock. */
static void
say_summing(struct feed *f)
{
	f->status.summing = false;
	for (int i = 0; i < SUMS_KINDS; i++)
		f->status.summing |= f->sums[i].is || f->again.sums[i] != NULL;
}

static void
done(struct feed *f, enum feed_sums kind, void *sums)
{
	void *old = NULL;

	f->again.sums[kind] = NULL;
	pthread_mutex_lock(&f->lock);
	if (sums != NULL) {
		old = f->ready[kind]; /* the window has never seen it */
		f->ready[kind] = sums;
	}
	say_summing(f);
	pthread_mutex_unlock(&f->lock);
	sums_ops[kind].free(old);
	feed_wake(f);
}

void
again_sums_drop(struct feed *f, enum feed_sums kind)
{
	void *sums = f->again.sums[kind];

	if (sums == NULL)
		return;
	done(f, kind, NULL);
	sums_ops[kind].free(sums);
}

void
again_sums_clear(struct feed *f)
{
	void *ready[SUMS_KINDS];

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
		sums_ops[i].free(ready[i]);
}

/* A new wish; what is being read for another one is not wanted any more. */
static void
take_wish(struct feed *f, enum feed_sums kind)
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
	sums_ops[kind].free(a->sums[kind]);
	a->sums[kind] = sums_ops[kind].new(f->model, w.t0, w.t1);
	if (a->sums[kind] == NULL)
		done(f, kind, NULL);
}

/* The next part of these.  False: there is none, or it cannot be had. */
static bool
next_part(struct feed *f, enum feed_sums kind)
{
	const struct sums_ops *ops = &sums_ops[kind];
	struct again *a = &f->again;
	void *sums = a->sums[kind];

	if (sums == NULL)
		return (false);
	if (!ops->plan(sums, detail_most(f->model), &a->plan)) {
		if (ops->whole(sums))
			done(f, kind, sums);
		else
			again_sums_drop(f, kind);
		return (false);
	}
	a->detail = detail_new(f->model, &a->plan);
	a->of = kind;
	a->at = a->plan.from;
	if (a->detail != NULL && ops->begin(sums, a->detail) == 0)
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
	r = sums_ops[a->of].take(a->sums[a->of], a->detail);
	detail_free(a->detail);
	a->detail = NULL;
	if (r == -1)
		again_sums_drop(f, a->of);
}

/* One part, at once.  -1: it is not there. */
static int
read_part(struct model *m, struct tracefile *t, const struct sums_ops *ops,
    void *sums, const struct detail_plan *p)
{
	struct model *d = detail_new(m, p);
	uint64_t at = p->from;
	struct frame frame;
	int r = d == NULL ? -1 : ops->begin(sums, d);

	while (r == 0 && at < p->until) {
		r = tracefile_next(t, &at, &frame) == 1 ? 0 : -1;
		/* one that is damaged was counted when it was read first */
		if (r == 0 && frame.type == MSG_block &&
		    model_add_frame(d, &frame) == -1 && errno == ENOMEM)
			r = -1;
	}
	if (r == 0) {
		detail_ready(d);
		r = ops->take(sums, d);
	}
	detail_free(d);
	return (r);
}

void
feed_settle(struct model *m, const char *file, enum feed_sums kind, int64_t t0,
    int64_t t1)
{
	const struct sums_ops *ops = &sums_ops[kind];
	const char *why;
	struct tracefile *t = tracefile_open(file, &why);
	void *sums = t == NULL ? NULL : ops->new (m, t0, t1);
	struct detail_plan p;

	while (sums != NULL && ops->plan(sums, detail_most(m), &p))
		if (read_part(m, t, ops, sums, &p) == -1)
			break;
	tracefile_close(t);
	if (sums != NULL && ops->whole(sums))
		ops->set(m, sums);
	else
		ops->free(sums);
}
