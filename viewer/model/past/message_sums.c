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
#include "model/events/events.h"
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
		p = (struct talk_pair){ o->from / TALKS, o->to, o->from % TALKS,
			1, o->bytes, o->ns };
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

/* Adds it, or takes it away. */
static int
add(struct talk_sums *out, const struct talk_pair *p, bool less)
{
	struct talk_pair v = *p;

	if (less) {
		v.count = 0 - v.count;
		v.bytes = 0 - v.bytes;
		v.ns = v.ns == INT64_MIN ? INT64_MAX : -v.ns;
	}
	return (talk_sums_add(out, &v));
}

static int
add_all(const struct model *m, struct talk_sums *out, bool less)
{
	uint32_t n = model_talks(m);
	struct talk_pair p;

	for (uint32_t i = 0; i < n; i++) {
		model_talk_at(m, i, &p);
		if (add(out, &p, less) == -1)
			return (-1);
	}
	return (0);
}

static int
add_sums(const struct talk_sums *s, struct talk_sums *out, bool less)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (add(out, &s->pair[i], less) == -1)
			return (-1);
	return (0);
}

/*
 * All that were over before t, added or taken away; of nowhere when out is
 * NULL.  False: nobody knows.
 */
static bool
over_before(const struct model *m, int64_t t, bool less, struct talk_sums *out)
{
	const struct message_sums *k = of_sums(fetched_of(m)->messages);

	if (t <= model_first_ns(m))
		return (true);
	if (t > model_last_ns(m))
		return (out == NULL || add_all(m, out, less) == 0);
	if (k == NULL || k->rewritten != model_rewritten(m))
		return (false);
	for (int i = 0; i < 2; i++)
		if (k->sums.at[i].t_ns == t && !k->now[i])
			return (out == NULL ||
				add_sums(&k->up_to[i], out, less) == 0);
	return (false);
}

bool
model_talks_in(const struct model *m, int64_t t0, int64_t t1,
    struct talk_sums *out)
{
	return (t1 > t0 && over_before(m, t0, true, out) &&
		over_before(m, t1, false, out));
}
