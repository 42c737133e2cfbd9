/* See sums.h: what the three kinds have in common. */
#include "model/past/sums.h"

#include <stdlib.h>

#include "model/past/sums_inside.h"

static const struct sums_ops *const kinds[SUMS_KINDS] = {
	[SUMS_LANES] = &range_ends_ops,
	[SUMS_MESSAGES] = &message_sums_ops,
	[SUMS_CALLS] = &call_sums_ops,
};

struct sums *
sums_new(struct model *m, enum sums_kind kind, int64_t t0, int64_t t1)
{
	struct sums *s = calloc(1, kinds[kind]->bytes);

	if (s == NULL)
		return (NULL);
	s->ops = kinds[kind];
	s->m = m;
	s->at[0].t_ns = t0;
	s->at[1].t_ns = t1;
	if (s->ops->init(s) == -1) {
		sums_free(s);
		return (NULL);
	}
	return (s);
}

void
sums_free(struct sums *s)
{
	if (s == NULL)
		return;
	atomic_fetch_sub_explicit(&fetched_of(s->m)->detail_bytes, s->bytes,
	    memory_order_relaxed);
	s->ops->clear(s);
	free(s);
}

void
sums_hold(struct sums *s, uint64_t bytes)
{
	s->bytes += bytes;
	atomic_fetch_add_explicit(&fetched_of(s->m)->detail_bytes, bytes,
	    memory_order_relaxed);
}

bool
sums_plan(struct sums *s, uint64_t most, struct detail_plan *p)
{
	return (s->ops->plan(s, most, p));
}

int
sums_begin(struct sums *s, struct model *detail)
{
	return (s->ops->begin == NULL ? 0 : s->ops->begin(s, detail));
}

int
sums_take(struct sums *s, const struct model *detail)
{
	return (s->ops->take(s, detail));
}

bool
sums_whole(const struct sums *s)
{
	return (s->ops->whole(s));
}

void
model_set_sums(struct model *m, struct sums *s)
{
	s->ops->set(m, s);
}

bool
ends_plan(struct sums *s, uint64_t most, struct detail_plan *p)
{
	uint32_t grain = s->ops->grain(s);

	for (unsigned i = 0; i < 2; i++) {
		if (s->at[i].done || s->ops->known(s, i)) {
			s->at[i].done = true;
			continue;
		}
		if (grain == 0 || !detail_plan_at(s->m, s->at[i].t_ns,
				      s->at[i].t_ns, grain, most, p))
			return (false);
		s->checkpoint = p->checkpoint;
		return (true);
	}
	return (false);
}

bool
ends_whole(const struct sums *s)
{
	return (s->at[0].done && s->at[1].done);
}

unsigned
ends_next(const struct sums *s)
{
	return (s->at[0].done);
}
