/*
 * Messages of a range, by processes (sums.h): those taken up to each of its
 * ends. Up to a checkpoint they have been kept; from there to an end of the
 * range the log is read once more.
 *
 * What is kept is the sums from each checkpoint to the next; when
 * that takes too much, from each second one on, and so on (the grain): then
 * more is to be read.  When that would be more than may be read at once nothing
 * is kept any more, and sums are not to be had.
 */
#include "model/past/sums_inside.h"
#include "model/run/take.h"

struct message_sums {
	struct sums sums;
	struct talk_sums up_to[2];
	bool now[2]; /* it is the end of the run, that may grow */
	uint64_t rewritten;
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

static struct message_sums *
of_sums(struct sums *s)
{
	return ((struct message_sums *)s);
}

static int
init(struct sums *s)
{
	of_sums(s)->rewritten = model_rewritten(s->m);
	return (0);
}

static void
clear(struct sums *s)
{
	talk_sums_clear(&of_sums(s)->up_to[0]);
	talk_sums_clear(&of_sums(s)->up_to[1]);
}

static bool
known(struct sums *s, unsigned end)
{
	int64_t t = s->at[end].t_ns;

	of_sums(s)->now[end] = t > model_last_ns(s->m);
	return (of_sums(s)->now[end] || t <= model_first_ns(s->m));
}

static uint32_t
grain(const struct sums *s)
{
	const struct talk_log *log = talklog_of(s->m);

	return (log->lost ? 0 : log->grain);
}

static int
begin(struct sums *s, struct model *d)
{
	talklog_of(d)->until_ns = s->at[ends_next(s)].t_ns;
	return (0);
}

/* Up to the checkpoint, and the odd ones from there to the end. */
static int
sums_before(const struct sums *s, int64_t t_ns, struct talk_sums *sums)
{
	const struct talk_log *log = talklog_of(s->m);
	const struct log_checkpoint *k;
	const struct talk_odd *o;
	struct talk_pair p;
	uint32_t odd = 0;

	for (uint32_t i = 0; i < s->checkpoint / log->grain; i++)
		if (talklog_add(s->m, i, sums) == -1)
			return (-1);
	if (s->checkpoint > 0) {
		k = chunk_known(&log_of(s->m)->checkpoints, s->checkpoint - 1);
		odd = k->odd;
	}
	for (; odd < log->nodd; odd++) {
		o = chunk_known(&log->odd, odd);
		p = (struct talk_pair){ o->from, o->to, 1, o->bytes };
		if (o->t_ns < t_ns && talk_sums_add(sums, &p) == -1)
			return (-1);
	}
	return (0);
}

static int
take(struct sums *s, const struct model *d)
{
	unsigned end = ends_next(s);
	struct talk_sums *sums = &of_sums(s)->up_to[end];
	const struct talk_sums *read = &talklog_of(d)->now;

	/* a grain that has grown since began further back */
	if (grain(s) == 0 || s->checkpoint % grain(s) != 0)
		return (-1);
	if (sums_before(s, s->at[end].t_ns, sums) == -1)
		return (-1);
	for (uint32_t i = 0; i < read->n; i++)
		if (talk_sums_add(sums, &read->pair[i]) == -1)
			return (-1);
	sums_hold(s, talk_sums_bytes(sums));
	s->at[end].done = true;
	return (0);
}

/* --- the reader --- */

static void
set(struct model *m, struct sums *s)
{
	struct sums *old = fetched_of(m)->messages;

	fetched_of(m)->messages = s;
	fetched_of(m)->details++;
	sums_free(old);
}

const struct sums_ops message_sums_ops = { sizeof(struct message_sums), init,
	clear, ends_plan, take, ends_whole, set, begin, known, grain };

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
	const struct message_sums *k = of_sums(fetched_of(m)->messages);
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
		if (k->sums.at[i].t_ns != t || k->now[i])
			continue;
		p = talk_sums_find(&k->up_to[i], from, to);
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
