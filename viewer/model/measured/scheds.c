/*
 * Threads as the scheduler saw them.  Of each there are two series, how long it
 * had been running and how long it had been ready, told whenever its state
 * changed; between two values each has grown as time has, or not at all, so any
 * instant is exact.  Blocked is the rest of its life.  On which processor it
 * was is kept whenever that has changed.
 */
#include "model/measured/scheds.h"

#include <errno.h>

#include "model/curves/series.h"
#include "model/keep/memory.h"
#include "model/measured/part.h"
#include "model/run/cpu.h"

#define STAYS_PART 4096 /* changes that are looked at at once */

struct sched_data {
	struct sched_thread pub;
	struct series running, ready;
	int64_t first_ns, last_ns, end_ns; /* end INT64_MAX: it lives */
	int64_t running_ns, ready_ns;      /* up to the last change */
	uint8_t state;
	/* it has this processor from then on; non of them, room for on_cap */
	struct sched_move {
		int64_t t_ns;
		uint32_t cpu;
	} * on;
	uint32_t non, on_cap;
};

static struct sched_data *
data_at(const struct model *m, uint32_t i)
{
	return (chunk_at(&scheds_of(m)->data, i));
}

void
scheds_init(struct model *m)
{
	chunk_init(&scheds_of(m)->data, sizeof(struct sched_data), 2);
	chunk_init(&scheds_of(m)->from, sizeof(int64_t), 3);
}

void
scheds_clear(struct model *m)
{
	for (uint32_t i = 0; i < model_scheds(m); i++) {
		series_clear(&data_at(m, i)->running);
		series_clear(&data_at(m, i)->ready);
		memory_free(data_at(m, i)->on);
	}
	chunk_clear(&scheds_of(m)->data);
	chunk_clear(&scheds_of(m)->from);
	idmap_clear(&scheds_of(m)->map);
	idmap_clear(&scheds_of(m)->tid_map);
	idmap_clear(&scheds_of(m)->lane_map);
}

static uint64_t
key_of(uint32_t po_number, uint32_t tid)
{
	return ((uint64_t)po_number << 32 | tid);
}

/* From when on switches of this process are told. */
static int64_t *
from_of(struct model *m, uint32_t po_number)
{
	return (chunk_make(&scheds_of(m)->from, po_number, &held_of(m)->bytes));
}

static struct location *
location_of(const struct model *m, uint32_t lane)
{
	return (
	    chunk_at(&defs_of(m)->locations, lane_at(m, lane)->pub.location));
}

/* What its functions need to know of it. */
static void
cpu_tell(const struct model *m, uint32_t lane, uint32_t i)
{
	const struct sched_data *d = data_at(m, i);
	struct location *l = location_of(m, lane);

	cpu_set(l, d->state == SCHED_RUNNING, d->last_ns);
	PUT(l->cpu.sched, i + 1);
}

static void
cpu_from(struct location *l, int64_t from_ns)
{
	if (l->cpu.tid == 0 || l->cpu.is != CPU_UNKNOWN || from_ns == 0)
		return;
	l->cpu.is = CPU_UNTOLD;
	PUT(l->cpu.from_ns, from_ns);
}

static int
thread_known(struct model *m, struct location *l, uint32_t tid)
{
	uint64_t key = key_of(l->po_number, tid);
	struct idmap *map = &scheds_of(m)->tid_map;
	const int64_t *from = chunk_at(&scheds_of(m)->from, l->po_number);
	uint32_t i = idmap_find(&scheds_of(m)->map, key);

	l->cpu.tid = tid;
	cpu_from(l, from == NULL ? 0 : *from);
	if (i != IDMAP_NONE && l->cpu.sched == 0)
		cpu_tell(m, l->lane, i);
	if (idmap_find(map, key) != IDMAP_NONE) {
		idmap_set(map, key, l->lane); /* the number was used again */
		return (0);
	}
	return (idmap_add(map, key, l->lane, &held_of(m)->retired,
	    &held_of(m)->bytes));
}

int
scheds_thread(struct model *m, const struct frame *f)
{
	struct msg_thread d;
	struct location *l;

	if (msg_decode(MSG_thread, f->body, f->body_bytes, &d) == -1 ||
	    d.tid == 0)
		return (0);
	l = chunk_at(&defs_of(m)->locations, d.location);
	return (l == NULL || !l->runs ? 0 : thread_known(m, l, d.tid));
}

/* All threads of a process are recorded from now on. */
static int
process_from(struct model *m, const struct location *l, int64_t t_ns)
{
	const struct po_data *po = chunk_at(&defs_of(m)->pos, l->po_number);
	int64_t *from = from_of(m, l->po_number);
	uint32_t lane;

	if (from == NULL)
		return (-1);
	*from = t_ns;
	lane = po == NULL ? UINT32_MAX : model_lane_first_child(m, po->lane);
	for (; lane != UINT32_MAX; lane = model_lane_next_sibling(m, lane))
		if (model_lane(m, lane)->kind == LANE_THREAD)
			cpu_from(location_of(m, lane), t_ns);
	return (0);
}

static struct sched_data *
sched_make(struct model *m, const struct location *l, const struct event *e)
{
	struct scheds *all = scheds_of(m);
	const struct po_data *po = chunk_at(&defs_of(m)->pos, l->po_number);
	uint64_t key = key_of(l->po_number, (uint32_t)e->a);
	uint32_t i = idmap_find(&all->map, key);
	const int64_t *from = from_of(m, l->po_number);
	struct sched_data *d;

	if (i != IDMAP_NONE)
		return (data_at(m, i));
	i = model_scheds(m);
	d = chunk_make(&all->data, i, &held_of(m)->bytes);
	if (d == NULL || po == NULL || from == NULL ||
	    idmap_add(&all->map, key, i, &held_of(m)->retired,
		&held_of(m)->bytes) == -1)
		return (NULL);
	d->pub = (struct sched_thread){ (uint32_t)e->a, po->lane, UINT32_MAX };
	d->end_ns = INT64_MAX;
	d->first_ns = d->last_ns = e->t_mon_ns;
	d->state = SCHED_BLOCKED;
	if (e->kind == EV_sched_out && *from != 0) {
		d->first_ns = d->last_ns = *from;
		d->state = SCHED_RUNNING;
	}
	atomic_store_explicit(&all->n, i + 1, memory_order_release);
	return (d);
}

static int
tell(struct model *m, struct sched_data *d)
{
	if (series_add(&d->running, d->last_ns, d->running_ns,
		&held_of(m)->bytes) == -1)
		return (-1);
	return (
	    series_add(&d->ready, d->last_ns, d->ready_ns, &held_of(m)->bytes));
}

/* The state that it was in has lasted until now; a late record changes none. */
static int
change(struct model *m, struct sched_data *d, int64_t t_ns, uint8_t state)
{
	int64_t ns = t_ns > d->last_ns ? t_ns - d->last_ns : 0;

	if (d->running.n == 0 && tell(m, d) == -1)
		return (-1);
	if (d->state == SCHED_RUNNING)
		d->running_ns += ns;
	else if (d->state == SCHED_READY)
		d->ready_ns += ns;
	d->last_ns += ns;
	d->state = state;
	return (tell(m, d));
}

/* It was given this processor, or has lost it; noted if it is another one. */
static int
moved(struct model *m, struct sched_data *d, const struct event *e)
{
	uint32_t cpu = e->b < SCHED_NO_CPU ? (uint32_t)e->b : SCHED_NO_CPU;
	uint32_t cap = d->on_cap == 0 ? 4 : d->on_cap * 2;
	struct sched_move *to;
	bool all;

	if ((e->kind != EV_sched_in && e->kind != EV_sched_out) ||
	    (d->non > 0 && d->on[d->non - 1].cpu == cpu) ||
	    d->non == UINT32_MAX / 2)
		return (0);
	if (d->non == d->on_cap) {
		to = memory_grow(d->on, cap * sizeof(*to));
		if (to == NULL)
			return (-1);
		d->on = to;
		d->on_cap = cap;
		atomic_fetch_add_explicit(&held_of(m)->bytes,
		    (d->on_cap - d->non) * sizeof(*to), memory_order_relaxed);
	}
	/* first heard of as it loses one, it has had that all the time */
	all = d->non == 0 && d->running_ns == d->last_ns - d->first_ns;
	d->on[d->non++] =
	    (struct sched_move){ all ? d->first_ns : d->last_ns, cpu };
	return (0);
}

static uint8_t
state_after(const struct event *e)
{
	if (e->kind == EV_sched_in)
		return (SCHED_RUNNING);
	if (e->kind == EV_sched_gone)
		return (SCHED_NONE);
	return (
	    e->kind == EV_sched_new || e->c != 0 ? SCHED_READY : SCHED_BLOCKED);
}

/* Which thread that is, once it has told something. */
static int
find_lane(struct model *m, const struct location *l, struct sched_data *d)
{
	uint32_t i, lane = idmap_find(&scheds_of(m)->tid_map,
			key_of(l->po_number, d->pub.tid));

	if (lane == IDMAP_NONE)
		return (0);
	d->pub.lane = lane;
	i = idmap_find(&scheds_of(m)->map, key_of(l->po_number, d->pub.tid));
	return (idmap_add(&scheds_of(m)->lane_map, lane, i,
	    &held_of(m)->retired, &held_of(m)->bytes));
}

/* The first that is told of it tells what it was before. */
static void
cpu_before(const struct model *m, uint32_t lane, const struct sched_data *d)
{
	struct location *l = location_of(m, lane);

	if (l->cpu.is < CPU_ON)
		cpu_set(l, d->state == SCHED_RUNNING, d->last_ns);
}

void
sched_event(struct model *m, const struct location *l, const struct event *e)
{
	struct sched_data *d;
	uint32_t lane;
	int r = -1;

	if (fetched_of(m)->whole != NULL)
		return; /* it has been told */
	pthread_mutex_lock(&counters_of(m)->lock);
	if (e->kind == EV_sched_from) {
		r = process_from(m, l, e->t_mon_ns);
	} else if ((d = sched_make(m, l, e)) != NULL) {
		lane = idmap_find(&scheds_of(m)->tid_map,
		    key_of(l->po_number, d->pub.tid));
		if (lane != IDMAP_NONE)
			cpu_before(m, lane, d);
		r = change(m, d, e->t_mon_ns, state_after(e));
		r |= moved(m, d, e);
		if (lane != IDMAP_NONE)
			cpu_tell(m, lane,
			    idmap_find(&scheds_of(m)->map,
				key_of(l->po_number, d->pub.tid)));
		if (e->kind == EV_sched_gone)
			d->end_ns = d->last_ns;
		if (d->pub.lane == UINT32_MAX)
			r |= find_lane(m, l, d);
	}
	pthread_mutex_unlock(&counters_of(m)->lock);
	if (r == -1)
		held_of(m)->failed = ENOMEM;
}

void
scheds_process_over(struct model *m, uint32_t po_lane, int64_t t_ns)
{
	pthread_mutex_lock(&counters_of(m)->lock);
	for (uint32_t i = 0; i < model_scheds(m); i++) {
		struct sched_data *d = data_at(m, i);

		if (d->pub.po_lane == po_lane && d->end_ns == INT64_MAX)
			d->end_ns = t_ns > d->last_ns ? t_ns : d->last_ns;
	}
	pthread_mutex_unlock(&counters_of(m)->lock);
}

uint32_t
model_scheds(const struct model *m)
{
	return (atomic_load_explicit(&scheds_of(m)->n, memory_order_acquire));
}

bool
model_sched(const struct model *m, uint32_t i, struct sched_thread *t)
{
	if (i >= model_scheds(m))
		return (false);
	pthread_mutex_lock(&counters_of(m)->lock);
	*t = data_at(m, i)->pub;
	pthread_mutex_unlock(&counters_of(m)->lock);
	return (true);
}

uint32_t
model_sched_of(const struct model *m, uint32_t lane)
{
	return (idmap_find(&scheds_of(m)->lane_map, lane)); /* or IDMAP_NONE */
}

/* At an instant of its life, which may be behind its last change. */
static void
then(const struct sched_data *d, int64_t t, const struct series_near *run,
    const struct series_near *ready, struct sched_then *out)
{
	bool last = !run->after;
	int64_t since = t - run->t0;

	*out = (struct sched_then){ .state = last ? d->state : SCHED_BLOCKED };
	if (!last && run->v1 > run->v0)
		out->state = SCHED_RUNNING;
	else if (!last && ready->v1 > ready->v0)
		out->state = SCHED_READY;
	out->in_ns[SCHED_RUNNING] =
	    run->v0 + (out->state == SCHED_RUNNING ? since : 0);
	out->in_ns[SCHED_READY] =
	    ready->v0 + (out->state == SCHED_READY ? since : 0);
	out->in_ns[SCHED_BLOCKED] = t - d->first_ns -
				    out->in_ns[SCHED_RUNNING] -
				    out->in_ns[SCHED_READY];
}

void
model_sched_then(const struct model *m, uint32_t i, const int64_t *t_mon_ns,
    size_t n, struct sched_then *out)
{
	struct series_reader run = SERIES_READER, ready = SERIES_READER;
	const struct sched_data *d;
	struct series_near a, b;

	if (i >= model_scheds(m))
		return;
	pthread_mutex_lock(&counters_of(m)->lock);
	d = data_at(m, i);
	for (size_t k = 0; k < n; k++) {
		int64_t t = t_mon_ns[k];

		out[k] = (struct sched_then){ .state = SCHED_NONE };
		if (t < d->first_ns || d->running.n == 0)
			continue;
		t = t > d->end_ns ? d->end_ns : t;
		series_near(&d->running, &run, t, &a);
		series_near(&d->ready, &ready, t, &b);
		then(d, t, &a, &b, &out[k]);
		if (t_mon_ns[k] >= d->end_ns)
			out[k].state = SCHED_NONE;
	}
	pthread_mutex_unlock(&counters_of(m)->lock);
}

bool
model_sched_there(const struct model *m, uint32_t i, int64_t t0, int64_t t1)
{
	const struct sched_data *d;
	bool there;

	if (i >= model_scheds(m))
		return (false);
	pthread_mutex_lock(&counters_of(m)->lock);
	d = data_at(m, i);
	there = d->first_ns < t1 &&
		(d->end_ns > t0 || (d->end_ns == t0 && d->first_ns == t0));
	pthread_mutex_unlock(&counters_of(m)->lock);
	return (there);
}

void
model_sched_on(const struct model *m, uint32_t i, int64_t t,
    struct sched_on *out)
{
	const struct sched_data *d;
	uint32_t lo = 0, hi, mid;

	*out = (struct sched_on){ SCHED_NO_CPU, 0, INT64_MAX };
	if (i >= model_scheds(m))
		return;
	pthread_mutex_lock(&counters_of(m)->lock);
	d = data_at(m, i);
	for (hi = d->non; lo < hi;) {
		mid = lo + (hi - lo) / 2;
		if (d->on[mid].t_ns <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo > 0) {
		out->cpu = d->on[lo - 1].cpu;
		out->moves = lo - 1;
	}
	if (lo < d->non)
		out->until_mon_ns = d->on[lo].t_ns;
	pthread_mutex_unlock(&counters_of(m)->lock);
}

uint32_t
model_sched_moved(const struct model *m, uint32_t i, uint32_t move)
{
	const struct sched_data *d;
	uint32_t cpu = SCHED_NO_CPU;

	if (i >= model_scheds(m))
		return (cpu);
	pthread_mutex_lock(&counters_of(m)->lock);
	d = data_at(m, i);
	if (move < d->non)
		cpu = d->on[move].cpu;
	pthread_mutex_unlock(&counters_of(m)->lock);
	return (cpu);
}

/* One in this state is over then. */
static void
stay_add(struct sched_stay *s, int64_t ns)
{
	if (ns <= 0)
		return;
	s->min_ns = s->n == 0 || ns < s->min_ns ? ns : s->min_ns;
	s->max_ns = ns > s->max_ns ? ns : s->max_ns;
	s->n++;
}

bool
model_sched_stays(const struct model *m, uint32_t i, int64_t t1,
    struct sched_stays *s)
{
	struct series_reader run = SERIES_READER, ready = SERIES_READER;
	const struct sched_data *d;
	struct series_near a, b;
	struct sched_then now;
	int64_t end;
	bool all;

	pthread_mutex_lock(&counters_of(m)->lock);
	d = data_at(m, i);
	end = d->running.n == 0 ? INT64_MIN : t1 > d->end_ns ? d->end_ns : t1;
	if (s->at_mon_ns < d->first_ns)
		s->at_mon_ns = d->first_ns;
	for (int n = 0; n < STAYS_PART && s->at_mon_ns < end; n++) {
		series_near(&d->running, &run, s->at_mon_ns, &a);
		series_near(&d->ready, &ready, s->at_mon_ns, &b);
		then(d, s->at_mon_ns, &a, &b, &now);
		if (now.state != s->state) {
			stay_add(&s->over[s->state],
			    s->at_mon_ns - s->since_mon_ns);
			s->state = now.state;
			s->since_mon_ns = s->at_mon_ns;
		}
		s->at_mon_ns = a.after && a.t1 < end ? a.t1 : end;
	}
	all = s->at_mon_ns >= end;
	pthread_mutex_unlock(&counters_of(m)->lock);
	return (all);
}

struct sched_stay
sched_stays_in(const struct sched_stays *s, enum sched_state state)
{
	struct sched_stay k = s->over[state];

	if (s->state == state)
		stay_add(&k, s->at_mon_ns - s->since_mon_ns);
	return (k);
}

int64_t
cpu_then(const struct model *m, uint32_t lane, struct series_reader *r,
    int64_t t_mon_ns)
{
	const struct location *l = location_of(m, lane);
	uint32_t sched = SEE(l->cpu.sched);
	int64_t from = SEE(l->cpu.from_ns), ns = 0;
	const struct sched_data *d;
	struct series_near run, none = { 0 };
	struct sched_then out;

	if (sched == 0 && from == 0)
		return (-1);
	if (sched == 0)
		return (t_mon_ns > from ? t_mon_ns - from : 0);
	pthread_mutex_lock(&counters_of(m)->lock);
	d = data_at(m, sched - 1);
	t_mon_ns = t_mon_ns > d->end_ns ? d->end_ns : t_mon_ns;
	if (t_mon_ns >= d->first_ns && d->running.n > 0) {
		series_near(&d->running, r, t_mon_ns, &run);
		then(d, t_mon_ns, &run, &none, &out);
		ns = out.in_ns[SCHED_RUNNING];
	}
	pthread_mutex_unlock(&counters_of(m)->lock);
	return (ns);
}
