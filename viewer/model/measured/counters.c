/*
 * Counters, each a series of values.  They are few and asked for seldom, so
 * writer and reader share a lock; what was told is never given up.
 */
#include "model/measured/counters.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/keep/memory.h"
#include "model/measured/part.h"
#include "own.h"

struct counter_data {
	struct counter pub;
	struct series series;
	char *label; /* what pub has */
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
	counters_of(m)->own = NULL;
}

static struct counter_data *
data_at(const struct model *m, uint32_t i)
{
	return (chunk_at(&counters_of(m)->data, i));
}

void
counters_clear(struct model *m)
{
	for (uint32_t i = 0; i < model_counters(m); i++) {
		series_clear(&data_at(m, i)->series);
		memory_free(data_at(m, i)->label);
	}
	own_free(counters_of(m)->own);
	chunk_clear(&counters_of(m)->data);
	idmap_clear(&counters_of(m)->map[0]);
	idmap_clear(&counters_of(m)->map[1]);
	idmap_clear(&counters_of(m)->map[2]);
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

/* One more, with this label (taken).  NULL: ENOMEM. */
static struct counter_data *
counter_add(struct model *m, const struct counter *c, char *label)
{
	struct counters *all = counters_of(m);
	uint32_t i = model_counters(m);
	struct counter_data *d = chunk_make(&all->data, i, &held_of(m)->bytes);

	if (d == NULL) {
		memory_free(label);
		return (NULL);
	}
	d->pub = *c;
	d->pub.label = d->label = label;
	d->series.real = c->real;
	atomic_store_explicit(&all->n, i + 1, memory_order_release);
	return (d);
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
	d = counter_add(m, c, NULL);
	if (d == NULL || idmap_add(map, key, i, &held_of(m)->retired,
			     &held_of(m)->bytes) == -1)
		return (NULL);
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

/* Numbers without a unit are no quantities. */
static bool
own_is_curve(const struct own_field *f)
{
	enum word_type t = event_word_type(f->word);

	return ((t == WORD_number || t == WORD_signed || t == WORD_real) &&
		(*own_unit(f) != '\0' ||
		    strcmp(f->word + strlen(f->label), ":bytes") == 0));
}

/* In what it is. */
static void
own_curve(const struct own_field *f, struct counter *c)
{
	const char *unit = own_unit(f);

	c->real = event_word_type(f->word) == WORD_real;
	c->measure = c->real                                   ? 0
		     : strcmp(unit, "ns") == 0                 ? MEASURE_NS
		     : *unit == '\0' || strcmp(unit, "B") == 0 ? MEASURE_BYTES
							       : 0;
	snprintf(c->unit, sizeof(c->unit), "%s", c->measure != 0 ? "" : unit);
}

/* The curves of a kind on a row: one behind the other.  -1: ENOMEM. */
static int
own_make(struct model *m, uint32_t lane, uint32_t name,
    const struct own_kind *k, uint32_t *first)
{
	struct idmap *map = &counters_of(m)->map[2];
	uint64_t key = (uint64_t)lane << 32 | name;
	char *label;

	*first = idmap_find(map, key);
	if (*first != IDMAP_NONE)
		return (0);
	*first = model_counters(m);
	for (unsigned i = 0; i < k->fields; i++) {
		struct counter c = { .lane = lane, .name = name };

		if (!own_is_curve(&k->field[i]))
			continue;
		own_curve(&k->field[i], &c);
		label = memory_alloc((size_t)2 * OWN_LABEL);
		if (label == NULL)
			return (-1);
		snprintf(label, (size_t)2 * OWN_LABEL, "%s.%s", k->name,
		    k->field[i].label);
		if (counter_add(m, &c, label) == NULL)
			return (-1);
	}
	return (idmap_add(map, key, *first, &held_of(m)->retired,
	    &held_of(m)->bytes));
}

/* What is lost of it has no value; what no int64_t holds is the largest. */
static int
own_values(struct model *m, uint32_t lane, const struct event *e,
    const struct own_event *told)
{
	uint32_t at;
	int64_t v;

	if (own_make(m, lane, e->c, told->kind, &at) == -1)
		return (-1);
	for (unsigned i = 0; i < told->kind->fields; i++) {
		const struct own_field *f = &told->kind->field[i];

		if (!own_is_curve(f))
			continue;
		v = (int64_t)told->value[i];
		if (v < 0 && event_word_type(f->word) == WORD_number)
			v = INT64_MAX;
		if (told->known[i] &&
		    series_add(&data_at(m, at)->series, e->t_mon_ns, v,
			&held_of(m)->bytes) == -1)
			return (-1);
		at++;
	}
	return (0);
}

static const char *
text_of(const void *m, uint32_t name)
{
	return (model_name(m, name));
}

void
counter_own(struct model *m, const struct location *l, const struct event *e)
{
	struct counters *all = counters_of(m);
	struct own_event told;
	enum own_part part;
	int r = 0;

	if (fetched_of(m)->whole != NULL || l->lane == UINT32_MAX ||
	    (all->own == NULL && e->kind == EV_lost))
		return; /* it has been told; or there is nothing to lose */
	if (all->own == NULL && (all->own = own_new(text_of, m)) == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	part = own_event(all->own, e, &told);
	if (part == OWN_WHOLE) {
		pthread_mutex_lock(&all->lock);
		r = own_values(m, l->lane, e, &told);
		pthread_mutex_unlock(&all->lock);
	}
	if (part == OWN_FAILED || r == -1)
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

/* Held: the first instant that is behind all of it; INT64_MAX: not so far. */
static int64_t
past_end(const struct model *m, uint32_t i)
{
	const struct counter_data *d = data_at(m, i);
	struct series_reader r = SERIES_READER;
	struct series_near last;
	int64_t end;

	if (!model_lane_ended(m, d->pub.lane, &end))
		return (INT64_MAX);
	series_near(&d->series, &r, INT64_MAX, &last);
	return ((last.before && last.t0 > end ? last.t0 : end) + 1);
}

bool
model_counter_over(const struct model *m, uint32_t i, int64_t *t)
{
	int64_t past;

	if (hold(m, i) == NULL)
		return (false);
	past = past_end(m, i);
	let_go(m);
	*t = past - 1;
	return (past != INT64_MAX);
}

void
model_counter_stats(const struct model *m, uint32_t i, int64_t t0, int64_t t1,
    struct series_stats *st)
{
	const struct series *s = hold(m, i);
	int64_t past;

	*st = (struct series_stats){ .known = false };
	if (s == NULL)
		return;
	past = past_end(m, i);
	if (t0 < past)
		series_stats(s, t0, t1 < past ? t1 : past, st);
	let_go(m);
}

bool
model_counter_rate(const struct model *m, uint32_t i, int64_t t0, int64_t t1,
    double *rate)
{
	const struct series *s = hold(m, i);
	int64_t past;
	bool known;

	if (s == NULL)
		return (false);
	past = past_end(m, i);
	known = t0 < past && series_rate(s, t0, t1 < past ? t1 : past, rate);
	let_go(m);
	return (known);
}

void
model_counter_columns(const struct model *m, uint32_t i, int64_t t0, int64_t t1,
    unsigned n, struct series_column *out)
{
	const struct series *s = hold(m, i);
	int64_t past;

	if (s == NULL)
		return;
	past = past_end(m, i);
	series_columns(s, data_at(m, i)->pub.measure & MEASURE_TOTAL, t0, t1, n,
	    out);
	let_go(m);
	for (unsigned k = n; k-- > 0 && past < t1 &&
			     t0 + (int64_t)((double)(t1 - t0) * k / n) >= past;)
		out[k].known = false;
}
