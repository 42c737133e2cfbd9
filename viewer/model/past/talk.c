/*
 * See talk.h.  What is kept is the sums from each checkpoint to the next; when
 * that takes too much, from each second one on, and so on (the grain): then
 * more is to be read.  When that would be more than may be read at once nothing
 * is kept any more, and sums are not to be had.
 */
#include "model/past/talk.h"

#include <errno.h>
#include <stdlib.h>

#include "model/keep/memory.h"
#include "model/past/part.h"
#include "model/past/plan.h"
#include "model/run/take.h"

struct talk_end {
	int64_t t_ns;
	bool done;
	bool now;              /* it is the end of the run, that may grow */
	struct talk_sums sums; /* up to there */
};

struct talk {
	struct model *m;
	struct talk_end at[2];
	uint64_t rewritten;
	uint32_t checkpoint; /* number + 1 of what is being read */
	uint64_t bytes;
};

int
talk_keep(struct model *m)
{
	struct talk_log *t = talklog_of(m);

	if (t->lost || facts_of(m)->ncheckpoints % t->grain != 0)
		return (0);
	if (talklog_keep(m) == -1)
		return (-1);
	if (t->grain > 1 && t->grain * detail_apart(m) > detail_most(m) / 2)
		talklog_give_up(m);
	return (0);
}

/* --- a range --- */

struct talk *
talk_new(struct model *m, int64_t t0, int64_t t1)
{
	struct talk *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return (NULL);
	t->m = m;
	t->at[0].t_ns = t0;
	t->at[1].t_ns = t1;
	t->rewritten = model_rewritten(m);
	for (int i = 0; i < 2; i++) {
		t->at[i].now = t->at[i].t_ns > model_last_ns(m);
		t->at[i].done =
		    t->at[i].now || t->at[i].t_ns <= model_first_ns(m);
	}
	return (t);
}

void
talk_free(struct talk *t)
{
	if (t == NULL)
		return;
	atomic_fetch_sub_explicit(&fetched_of(t->m)->detail_bytes, t->bytes,
	    memory_order_relaxed);
	talk_sums_clear(&t->at[0].sums);
	talk_sums_clear(&t->at[1].sums);
	free(t);
}

static struct talk_end *
next_end(struct talk *t)
{
	return (!t->at[0].done ? &t->at[0] : !t->at[1].done ? &t->at[1] : NULL);
}

bool
talk_plan(struct talk *t, uint64_t most, struct detail_plan *p)
{
	const struct talk_end *g = next_end(t);

	if (g == NULL || talklog_of(t->m)->lost ||
	    !detail_plan_at(t->m, g->t_ns, g->t_ns, talklog_of(t->m)->grain,
		most, p))
		return (false);
	t->checkpoint = p->checkpoint;
	return (true);
}

int
talk_begin(struct talk *t, struct model *d)
{
	talklog_of(d)->until_ns = next_end(t)->t_ns;
	return (0);
}

/* Up to the checkpoint, and the odd ones from there to the end. */
static int
sums_before(const struct talk *t, struct talk_end *g)
{
	const struct talk_log *log = talklog_of(t->m);
	const struct log_checkpoint *k;
	const struct talk_odd *o;
	struct talk_pair p;
	uint32_t odd = 0;

	for (uint32_t i = 0; i < t->checkpoint / log->grain; i++)
		if (talklog_add(t->m, i, &g->sums) == -1)
			return (-1);
	if (t->checkpoint > 0) {
		k = chunk_known(&log_of(t->m)->checkpoints, t->checkpoint - 1);
		odd = k->odd;
	}
	for (; odd < log->nodd; odd++) {
		o = chunk_known(&log->odd, odd);
		p = (struct talk_pair){ o->from, o->to, 1, o->bytes };
		if (o->t_ns < g->t_ns && talk_sums_add(&g->sums, &p) == -1)
			return (-1);
	}
	return (0);
}

int
talk_take(struct talk *t, const struct model *d)
{
	struct talk_end *g = next_end(t);
	const struct talk_sums *read = &talklog_of(d)->now;

	/* a grain that has grown since began further back */
	if (talklog_of(t->m)->lost ||
	    t->checkpoint % talklog_of(t->m)->grain != 0)
		return (-1);
	if (sums_before(t, g) == -1)
		return (-1);
	for (uint32_t i = 0; i < read->n; i++)
		if (talk_sums_add(&g->sums, &read->pair[i]) == -1)
			return (-1);
	t->bytes += talk_sums_bytes(&g->sums);
	atomic_fetch_add_explicit(&fetched_of(t->m)->detail_bytes,
	    talk_sums_bytes(&g->sums), memory_order_relaxed);
	g->done = true;
	return (0);
}

bool
talk_whole(const struct talk *t)
{
	return (t->at[0].done && t->at[1].done);
}

/* --- the reader --- */

void
model_set_talk(struct model *m, struct talk *t)
{
	struct talk *old = fetched_of(m)->talk;

	fetched_of(m)->talk = t;
	fetched_of(m)->details++;
	talk_free(old);
}

bool
model_links_gone(const struct model *m)
{
	return (atomic_load_explicit(&links_of(m)->links.gone,
		    memory_order_acquire) > 0);
}

/* All that were taken before t.  False: nobody knows. */
static bool
taken_before(const struct model *m, int64_t t, uint32_t from, uint32_t to,
    struct talk_pair *out)
{
	const struct talk *k = fetched_of(m)->talk;
	const struct talk_pair *p;

	*out = (struct talk_pair){ from, to, 0, 0 };
	if (t <= model_first_ns(m))
		return (true);
	if (t > model_last_ns(m)) {
		out->count = model_messages(m, from, to, &out->bytes);
		return (true);
	}
	if (k == NULL || k->rewritten != model_rewritten(m))
		return (false);
	for (int i = 0; i < 2; i++) {
		if (k->at[i].t_ns != t || k->at[i].now)
			continue;
		p = talk_sums_find(&k->at[i].sums, from, to);
		if (p != NULL)
			*out = *p;
		return (true);
	}
	return (false);
}

bool
model_messages_in(const struct model *m, int64_t t0, int64_t t1, uint32_t from,
    uint32_t to, uint64_t *count, uint64_t *bytes)
{
	struct talk_pair a, b;

	if (t1 <= t0 || !taken_before(m, t0, from, to, &a) ||
	    !taken_before(m, t1, from, to, &b))
		return (false);
	*count = b.count - a.count;
	*bytes = b.bytes - a.bytes;
	return (true);
}
