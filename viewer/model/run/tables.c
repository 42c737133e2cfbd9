/* Sums that are kept up with every event: by pair, by time. */
#include <errno.h>
#include <string.h>

#include "model/run/inside.h"

/* Where the sums of a pair are; made when it is new.  NULL: ENOMEM. */
static struct talk_cell *
talk_cell_of(struct model *m, const struct talk_pair *p)
{
	struct po_data *po = chunk_at(&defs_of(m)->pos, p->from);
	struct talk_places *at =
	    po == NULL ? NULL
		       : chunk_make(&po->talks, p->to, &held_of(m)->bytes);
	struct talk_cell *c;
	uint32_t i;

	if (at == NULL)
		return (NULL);
	i = atomic_load_explicit(&at->cell[p->what], memory_order_relaxed);
	if (i != 0)
		return (chunk_known(&defs_of(m)->talks, i - 1));
	i = model_talks(m);
	c = chunk_make(&defs_of(m)->talks, i, &held_of(m)->bytes);
	if (c == NULL)
		return (NULL);
	c->from = p->from;
	c->to = p->to;
	c->what = p->what;
	atomic_store_explicit(&at->cell[p->what], i + 1, memory_order_release);
	atomic_store_explicit(&defs_of(m)->ntalks, i + 1, memory_order_release);
	return (c);
}

void
stats_talk(struct model *m, const struct talk_pair *p)
{
	struct talk_cell *c = talk_cell_of(m, p);

	if (c == NULL) {
		if (p->from < model_pos(m))
			held_of(m)->failed = ENOMEM;
		return;
	}
	ADD(c->count, 1);
	ADD(c->bytes, p->bytes);
	PUT(c->ns, span_add(SEE(c->ns), p->ns));
}

uint32_t
model_talks(const struct model *m)
{
	return (
	    atomic_load_explicit(&defs_of(m)->ntalks, memory_order_acquire));
}

void
model_talk_at(const struct model *m, uint32_t i, struct talk_pair *out)
{
	const struct talk_cell *c = chunk_known(&defs_of(m)->talks, i);

	*out = (struct talk_pair){ c->from, c->to, c->what, SEE(c->count),
		SEE(c->bytes), SEE(c->ns) };
}

void
model_talk(const struct model *m, uint32_t from, uint32_t to, enum talk what,
    struct talk_pair *out)
{
	const struct po_data *p =
	    from < model_pos(m) ? chunk_at(&defs_of(m)->pos, from) : NULL;
	const struct talk_places *at =
	    p != NULL && to < model_pos(m) ? chunk_at(&p->talks, to) : NULL;
	uint32_t i = at == NULL ? 0
				: atomic_load_explicit(&at->cell[what],
				      memory_order_acquire);

	*out = (struct talk_pair){ from, to, what, 0, 0, 0 };
	if (i != 0)
		model_talk_at(m, i - 1, out);
}

/* Buckets twice as long, or twice of that, until t has one: in one go. */
static void
density_fold(struct model *m, int64_t t)
{
	_Atomic uint32_t *b = density_of(m)->density;
	uint64_t last = (uint64_t)(t - density_of(m)->density_t0) >>
			density_of(m)->density_shift;
	unsigned by = 0;

	while (last >> by >= DENSITY_BUCKETS)
		by++;
	pthread_mutex_lock(&density_of(m)->density_lock);
	for (uint64_t i = 1; i < DENSITY_BUCKETS; i++) {
		uint32_t v =
		    atomic_exchange_explicit(&b[i], 0, memory_order_relaxed);

		atomic_fetch_add_explicit(&b[i >> by], v, memory_order_relaxed);
	}
	density_of(m)->density_shift += by;
	pthread_mutex_unlock(&density_of(m)->density_lock);
}

void
density_add(struct model *m, int64_t t)
{
	_Atomic uint32_t *b;

	if (density_of(m)->density_shift == 0) {
		pthread_mutex_lock(&density_of(m)->density_lock);
		density_of(m)->density_t0 = t;
		density_of(m)->density_shift = 10;
		pthread_mutex_unlock(&density_of(m)->density_lock);
	}
	if (t < density_of(m)->density_t0)
		t = density_of(m)->density_t0; /* late: the very first bucket */
	if ((uint64_t)(t - density_of(m)->density_t0) >>
	    density_of(m)->density_shift >= DENSITY_BUCKETS)
		density_fold(m, t);
	b = &density_of(m)->density[(uint64_t)(t - density_of(m)->density_t0) >>
				    density_of(m)->density_shift];
	atomic_store_explicit(b,
	    atomic_load_explicit(b, memory_order_relaxed) + 1,
	    memory_order_relaxed);
}

/* Adds up buckets into n pixels; a bucket over several is spread. */
void
density_read(const struct model *m, int64_t t0, int64_t t1, unsigned n,
    uint32_t *out)
{
	pthread_mutex_t *lock = (pthread_mutex_t *)&density_of(m)->density_lock;
	double scale = (double)n / (double)(t1 - t0), a, b, left, per;
	uint32_t v;
	int i;

	pthread_mutex_lock(lock);
	for (i = 0; density_of(m)->density_shift != 0 && i < DENSITY_BUCKETS;
	     i++) {
		v = atomic_load_explicit(&density_of(m)->density[i],
		    memory_order_relaxed);
		if (v == 0)
			continue;
		a = (double)(density_of(m)->density_t0 - t0 +
			     ((int64_t)i << density_of(m)->density_shift)) *
		    scale;
		b = a + (double)(1ull << density_of(m)->density_shift) * scale;
		if (b <= 0 || a >= n)
			continue;
		if (b - a <= 1) {
			out[a < 0 ? 0 : (unsigned)a] += v;
			continue;
		}
		per = v / (b - a);
		for (left = a < 0 ? 0 : a; left < b && left < n;
		     left = (double)((unsigned)left + 1))
			out[(unsigned)left] += (uint32_t)(per + 0.5);
	}
	pthread_mutex_unlock(lock);
}
