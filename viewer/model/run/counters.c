/*
 * Counters, each a series of values.  They are few and asked for seldom, so
 * writer and reader share a lock; what was told is never given up.
 */
#include "model/run/counters.h"

#include <errno.h>

#include "model/keep/memory.h"
#include "model/run/inside.h"

struct counter_data {
	struct counter pub;
	struct series series;
};

void
counters_init(struct model *m)
{
	chunk_init(&counters_of(m)->data, sizeof(struct counter_data), 2);
	counters_wake(m);
}

void
counters_wake(struct model *m)
{
	pthread_mutex_init(&counters_of(m)->lock, NULL);
}

static struct counter_data *
data_at(const struct model *m, uint32_t i)
{
	return (chunk_at(&counters_of(m)->data, i));
}

void
counters_clear(struct model *m)
{
	for (uint32_t i = 0; i < model_counters(m); i++)
		series_clear(&data_at(m, i)->series);
	chunk_clear(&counters_of(m)->data);
	idmap_clear(&counters_of(m)->map[0]);
	idmap_clear(&counters_of(m)->map[1]);
	pthread_mutex_destroy(&counters_of(m)->lock);
}

/* Whose it is: of the thread that says it, its process or its node. */
static uint32_t
lane_of(struct model *m, const struct location *l, unsigned measure)
{
	const struct po_data *po = chunk_at(&defs_of(m)->pos, l->po_number);

	switch (measure & MEASURE_OF) {
	case MEASURE_PROCESS:
		return (po == NULL ? l->lane : po->lane);
	case MEASURE_NODE:
		return (lane_of_node(m, l->node));
	default:
		return (l->lane);
	}
}

/* Made when it is new; NULL: ENOMEM. */
static struct counter_data *
counter_make(struct model *m, const struct counter *c)
{
	struct counters *all = counters_of(m);
	uint64_t key = (uint64_t)c->lane << 32 | c->name;
	struct idmap *map = &all->map[c->real];
	uint32_t i = idmap_find(map, key);
	struct counter_data *d;

	if (i != IDMAP_NONE)
		return (data_at(m, i));
	i = model_counters(m);
	d = chunk_make(&all->data, i, &held_of(m)->bytes);
	if (d == NULL || idmap_add(map, key, i, &held_of(m)->retired,
			     &held_of(m)->bytes) == -1)
		return (NULL);
	d->pub = *c;
	d->series.real = c->real;
	atomic_store_explicit(&all->n, i + 1, memory_order_release);
	return (d);
}

void
counter_event(struct model *m, const struct location *l, const struct event *e)
{
	struct counter c = { .name = e->c,
		.real = e->kind == EV_counter_real,
		.measure = e->kind == EV_measure ? (uint8_t)e->b : 0 };
	struct counter_data *d;
	int r = -1;

	if (fetched_of(m)->whole != NULL)
		return; /* it has been told */
	c.lane = lane_of(m, l, c.measure);
	if (c.lane == UINT32_MAX)
		return;
	pthread_mutex_lock(&counters_of(m)->lock);
	d = counter_make(m, &c);
	if (d != NULL)
		r = series_add(&d->series, e->t_mon_ns, (int64_t)e->a,
		    &held_of(m)->bytes);
	pthread_mutex_unlock(&counters_of(m)->lock);
	if (r == -1)
		held_of(m)->failed = ENOMEM;
}

uint32_t
model_counters(const struct model *m)
{
	return (atomic_load_explicit(&counters_of(m)->n, memory_order_acquire));
}

bool
model_counter(const struct model *m, uint32_t i, struct counter *c)
{
	if (i >= model_counters(m))
		return (false);
	*c = data_at(m, i)->pub;
	return (true);
}

uint32_t
model_counter_of(const struct model *m, uint32_t lane, uint32_t i)
{
	for (; i < model_counters(m); i++)
		if (data_at(m, i)->pub.lane == lane)
			return (i);
	return (UINT32_MAX);
}

/* Of counter i, until it is let go; NULL: there is no such. */
static const struct series *
hold(const struct model *m, uint32_t i)
{
	if (i >= model_counters(m))
		return (NULL);
	pthread_mutex_lock(&counters_of(m)->lock);
	return (&data_at(m, i)->series);
}

static void
let_go(const struct model *m)
{
	pthread_mutex_unlock(&counters_of(m)->lock);
}

void
model_counter_stats(const struct model *m, uint32_t i, int64_t t0, int64_t t1,
    struct series_stats *st)
{
	const struct series *s = hold(m, i);

	*st = (struct series_stats){ .known = false };
	if (s == NULL)
		return;
	series_stats(s, t0, t1, st);
	let_go(m);
}

bool
model_counter_rate(const struct model *m, uint32_t i, int64_t t0, int64_t t1,
    double *rate)
{
	const struct series *s = hold(m, i);
	bool known;

	if (s == NULL)
		return (false);
	known = series_rate(s, t0, t1, rate);
	let_go(m);
	return (known);
}

void
model_counter_columns(const struct model *m, uint32_t i, int64_t t0, int64_t t1,
    unsigned n, struct series_column *out)
{
	const struct series *s = hold(m, i);

	if (s == NULL)
		return;
	series_columns(s, data_at(m, i)->pub.measure & MEASURE_TOTAL, t0, t1, n,
	    out);
	let_go(m);
}
