/* Sums that are kept up with every event: by name, by pair, by time. */
#include <errno.h>
#include <string.h>

#include "model/run/inside.h"

struct name_stats *
stats_of(struct model *m, uint32_t name)
{
	struct name_data *n;

	if (name == 0 || name >= atomic_load_explicit(&defs_of(m)->nnames,
				     memory_order_relaxed))
		return (NULL);
	n = chunk_at(&defs_of(m)->names, name);
	return (n == NULL ? NULL : &n->stats);
}

size_t
model_name_stats(const struct model *m, struct name_stats *out, size_t max)
{
	const struct name_data *d;
	const struct name_stats *s;
	size_t n = 0;

	for (uint32_t i = 1; i < model_names(m); i++) {
		d = chunk_at(&defs_of(m)->names, i);
		if (d == NULL || SEE(d->stats.calls) == 0)
			continue;
		s = &d->stats;
		if (n++ >= max)
			continue;
		out[n - 1] = (struct name_stats){ .name = i,
			.calls = SEE(s->calls),
			.suspensions = SEE(s->suspensions),
			.total_ns = SEE(s->total_ns),
			.max_ns = SEE(s->max_ns),
			.blocked_ns = SEE(s->blocked_ns) };
		for (int p = 0; p < 16; p++)
			out[n - 1].by_pe[p] = SEE(s->by_pe[p]);
	}
	return (n);
}

void
stats_message(struct model *m, uint32_t po0, uint32_t po1, uint64_t bytes)
{
	struct po_data *p = chunk_at(&defs_of(m)->pos, po0);
	struct message_cell *c;

	if (p == NULL)
		return;
	c = chunk_make(&p->messages, po1, &held_of(m)->bytes);
	if (c == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	atomic_store_explicit(&c->count,
	    atomic_load_explicit(&c->count, memory_order_relaxed) + 1,
	    memory_order_relaxed);
	atomic_store_explicit(&c->bytes,
	    atomic_load_explicit(&c->bytes, memory_order_relaxed) + bytes,
	    memory_order_relaxed);
}

uint64_t
model_messages(const struct model *m, uint32_t po0, uint32_t po1,
    uint64_t *bytes)
{
	const struct po_data *p;
	const struct message_cell *c = NULL;

	if (po0 < model_pos(m) && po1 < model_pos(m)) {
		p = chunk_at(&defs_of(m)->pos, po0);
		c = chunk_at(&p->messages, po1);
	}
	if (bytes != NULL)
		*bytes = c == NULL ? 0
				   : atomic_load_explicit(&c->bytes,
					 memory_order_relaxed);
	return (c == NULL
		    ? 0
		    : atomic_load_explicit(&c->count, memory_order_relaxed));
}

/* Twice as long buckets, until t has one. */
static void
density_fold(struct model *m, int64_t t)
{
	uint32_t v;

	pthread_mutex_lock(&density_of(m)->density_lock);
	while ((uint64_t)(t - density_of(m)->density_t0) >>
	       density_of(m)->density_shift >= DENSITY_BUCKETS) {
		for (int i = 0; i < DENSITY_BUCKETS; i++) {
			v = 2 * i + 1 < DENSITY_BUCKETS
				? density_of(m)->density[2 * i] +
				      density_of(m)->density[2 * i + 1]
				: 0;
			atomic_store_explicit(&density_of(m)->density[i], v,
			    memory_order_relaxed);
		}
		density_of(m)->density_shift++;
	}
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
