/*
 * A program's probes, as libprobe has them: publish into a ring, count what
 * has no room, say so in the ring as soon as there is some.
 *
 * The threads send messages (one effect), set futures (many effects), meet at
 * barriers (all causes before each effect) and intern names.  A thread may be
 * preempted between the reading of the clock and the publication.  It finds
 * what was sent to it when it next looks, or waits for it, if it is prompt:
 * only then do messages say more of the clocks than pings.
 */
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING_BYTES  4096   /* 128 records: they do get full */
#define FIRST_BYTES 256    /* 8: they do grow, to 32 and to 128 */
#define NAME_BYTES  48     /* in the table, on the mean of long ones */
#define UNSEEN_NS   100000 /* of a store, at most */

static void
deed_add(struct app_thread *t, const struct deed *d)
{
	if (t->deeds_n == t->deeds_cap) {
		t->deeds_cap = t->deeds_cap * 2 + 256;
		t->deeds = realloc(t->deeds, t->deeds_cap * sizeof(*t->deeds));
		if (t->deeds == NULL)
			abort();
	}
	t->deeds[t->deeds_n++] = *d;
}

static struct deed
deed_now(const struct app_thread *t, uint16_t kind, uint32_t c, uint64_t a,
    uint64_t b)
{
	return ((struct deed){ .true_ns = sim_now(t->app->sim),
	    .node_ns = sim_machine_clock(t->app->machine),
	    .kind = kind,
	    .c = c,
	    .a = a,
	    .b = b });
}

static void
ring_put(struct app_thread *t, const struct deed *d)
{
	const struct segment_layout *l = &t->app->layout;
	uint64_t head = atomic_load(&t->ring->head);
	uint64_t at = head & (ring_size(l->ring_first, t->generation) - 1);

	at += ring_before(l->ring_first, t->generation);
	segment_records(t->app->seg, l, (uint32_t)(t - t->app->threads))[at] =
	    (struct ring_record){
		    .t_cycles = (uint64_t)d->node_ns,
		    .kind = d->kind,
		    .c = d->c,
		    .a = d->a,
		    .b = d->b,
	    };
	deed_add(t, d);
	atomic_store(&t->ring->head, head + 1);
}

/* Records that fit in the present generation. */
static uint64_t
ring_free(const struct app_thread *t)
{
	uint64_t from = atomic_load(&t->ring->tail);
	uint64_t start = atomic_load(&t->ring->start[t->generation]);

	if (from < start)
		from = start;
	return (ring_size(t->app->layout.ring_first, t->generation) -
		(atomic_load(&t->ring->head) - from));
}

/* Goes on in the next generation, as far as all rings of the process may. */
static void
ring_grow(struct app_thread *t)
{
	struct ring_segment *seg = t->app->seg;
	uint64_t size = ring_size(t->app->layout.ring_first, t->generation + 1);
	uint64_t grown = atomic_load(&seg->grown);
	uint64_t back = atomic_load(&seg->growth.given_back);
	uint64_t most = atomic_load(&seg->growth.may);

	if (back > grown)
		abort(); /* more than it ever had */
	if (most != 0 && grown - back + size > most)
		return;
	atomic_store(&seg->grown, grown + size);
	t->generation++;
	atomic_store(&t->ring->start[t->generation],
	    atomic_load(&t->ring->head));
}

/* True: there is room for a record; else it is counted. */
static bool
ring_room(struct app_thread *t)
{
	uint64_t room = ring_free(t);
	struct deed d;

	if (room < 2 && t->generation + 1 < t->app->layout.generations) {
		ring_grow(t);
		room = ring_free(t);
	}
	if (t->lossy &&
	    room >= ring_size(t->app->layout.ring_first, t->generation) / 4) {
		atomic_fetch_add(&t->ring->lost_records, 1);
		t->lost_records++; /* the ring may be given back */
		d = deed_now(t, EV_lost, LOST_RING_FULL, t->gap, t->lost_total);
		ring_put(t, &d);
		t->gap = 0;
		t->lossy = false;
		room--;
	}
	if (!t->lossy && room >= 2)
		return (true);
	t->lossy = true;
	t->gap++;
	t->lost_total++;
	atomic_store(&t->ring->lost_total, t->lost_total);
	return (false);
}

static void
publish(struct app_thread *t, uint16_t kind, uint32_t c, uint64_t a, uint64_t b)
{
	struct deed d;

	if (atomic_load(&t->app->seg->mask) == 0)
		return;
	if (!ring_room(t))
		return;
	d = deed_now(t, kind, c, a, b);
	/* stores are seen by others in their order, but not at once */
	if (chance_is(&t->app->chance, 0.2)) {
		t->half = d;
		t->amid = t->unseen = true;
		return;
	}
	if (sim_strikes(t->app->sim, FAULT_PREEMPT)) {
		atomic_store(&t->ring->active, 1);
		t->half = d;
		t->amid = true;
		return;
	}
	ring_put(t, &d);
}

static void
publish_rest(struct app_thread *t)
{
	if (!t->amid)
		return;
	t->amid = t->unseen = false;
	ring_put(t, &t->half);
	atomic_store(&t->ring->active, 0);
}

void
app_name(char *buf, size_t n, const struct app *a, uint32_t name)
{
	/* few texts, many owners: the run has one number for each text */
	if (a->names_most <= APP_NAMES)
		snprintf(buf, n, "f%u", (a->po * 7 + name) % 40);
	else
		snprintf(buf, n, "a_function_with_a_long_name_%u", name);
}

static uint32_t
name_new(struct app *a)
{
	struct ring_segment *seg = a->seg;
	uint64_t used = atomic_load(&seg->names_used);
	char text[64], *at = (char *)seg + seg->names_offset + used;
	struct ring_name head = { .line = 0 };
	size_t n;

	if (a->names == a->names_most)
		return (1 + (uint32_t)chance_below(&a->chance, a->names));
	app_name(text, sizeof(text), a, a->names + 1);
	n = strlen(text);
	if (used + sizeof(head) + n + 3 > seg->names_bytes)
		return (a->names);
	head.text_bytes = (uint16_t)n;
	memcpy(at, &head, sizeof(head));
	memcpy(at + sizeof(head), text, n);
	a->names++;
	atomic_store(&seg->names_used,
	    used + ((sizeof(head) + n + 3) & ~(size_t)3));
	return (a->names);
}

static bool
parcel_take(struct app_thread *t, int64_t now)
{
	for (unsigned i = 0; i < t->inbox_n; i++) {
		if (t->inbox[i].at_ns > now)
			continue;
		publish(t, t->inbox[i].kind, 0, t->inbox[i].id, 0);
		t->inbox[i] = t->inbox[--t->inbox_n];
		return (true);
	}
	return (false);
}

static void barrier_arrive(struct app_thread *);

/* What it was amid of is done. */
static void
thread_goes_on(struct app_thread *t)
{
	publish_rest(t);
	if (t->half.kind == EV_barrier_enter)
		barrier_arrive(t);
}

static void
thread_goes_on_cb(void *arg)
{
	struct app_thread *t = arg;

	if (!t->app->ended && t->amid &&
	    (t->unseen || t->app->stopped_until_ns <= sim_now(t->app->sim)))
		thread_goes_on(t);
}

/* A message has come to a thread that waits for it. */
static void
thread_wakes_cb(void *arg)
{
	struct app_thread *t = arg;
	struct app *a = t->app;
	int64_t now = sim_now(a->sim);

	if (a->ended || now >= a->until_ns || a->stopped_until_ns > now ||
	    t->amid || !parcel_take(t, now) || !t->amid)
		return;
	sim_at_program(a->sim,
	    now + 1 + (int64_t)chance_below(&a->chance, UNSEEN_NS),
	    thread_goes_on_cb, t);
}

static void
parcel_send(struct app *from, uint16_t kind, uint64_t id)
{
	struct chance *c = &from->chance;
	struct app *to = from->crowd->apps[chance_below(c, from->crowd->n)];
	struct app_thread *t = &to->threads[chance_below(c, APP_THREADS)];

	if (t->inbox_n == APP_INBOX || to->ended)
		return;
	t->inbox[t->inbox_n++] = (struct parcel){
		.at_ns =
		    sim_now(from->sim) + 2000 + (int64_t)chance_exp(c, 20000),
		.id = id,
		.kind = kind,
	};
	if (to->prompt)
		sim_at_program(to->sim, t->inbox[t->inbox_n - 1].at_ns,
		    thread_wakes_cb, t);
}

/* It has said so.  The last one to come lets all go on: itself at once. */
static void
barrier_arrive(struct app_thread *t)
{
	struct app *a = t->app;

	a->arrived |= 1u << (t - a->threads);
	if (a->arrived != (1u << APP_THREADS) - 1)
		return;
	a->coming = a->arrived = 0;
	publish(t, EV_barrier_leave, APP_THREADS, a->barrier, a->turn);
}

static void
barrier_reach(struct app_thread *t)
{
	struct app *a = t->app;
	unsigned me = 1u << (t - a->threads);

	if ((a->coming & me) != 0)
		return;
	if (a->coming == 0)
		a->turn++;
	a->coming |= me;
	publish(t, EV_barrier_enter, APP_THREADS, a->barrier, a->turn);
	if (!t->amid)
		barrier_arrive(t);
}

static bool
is_silent(const struct app *a)
{
	return (a->silent_from_ns != 0 && sim_now(a->sim) >= a->silent_from_ns);
}

static void
act(struct app_thread *t)
{
	struct app *a = t->app;
	struct chance *c = &a->chance;
	double u = is_silent(a) ? 1 : chance_unit(c);
	uint64_t id;

	if (u < 0.2) {
		id = ++a->crowd->next_id;
		publish(t, EV_send, 0, id, 64);
		if (!t->amid || t->unseen)
			parcel_send(a, EV_receive, id);
	} else if (u < 0.25) {
		id = ++a->crowd->next_id;
		publish(t, EV_future_set, 0, id, 0);
		for (int i = 0; i < 3 && (!t->amid || t->unseen); i++)
			parcel_send(a, EV_future_get, id);
	} else if (u < 0.32) {
		barrier_reach(t);
	} else if (u < 0.42) {
		publish(t, EV_counter, name_new(a), chance_next(c), 0);
	} else if (u < 0.421) {
		a->no_ring++;
		atomic_fetch_add(&a->seg->lost_no_ring, 1);
	} else {
		publish(t, EV_note, 0, chance_next(c), 0);
	}
}

static void
thread_cb(void *arg)
{
	struct app_thread *t = arg;
	struct app *a = t->app;
	int64_t now = sim_now(a->sim), next;

	if (a->ended || now >= a->until_ns)
		return;
	if (a->stopped_until_ns > now) {
		if (t->unseen)
			publish_rest(t);
		sim_at_program(a->sim, a->stopped_until_ns, thread_cb, t);
		return;
	}
	if (t->amid) {
		thread_goes_on(t);
	} else if (!parcel_take(t, now))
		act(t);
	next = 1000 +
	       (int64_t)chance_exp(&a->chance,
		   (double)(is_silent(a) ? a->silent_every_ns : a->every_ns));
	if (t->amid && t->unseen)
		next = 1 + (int64_t)chance_below(&a->chance, UNSEEN_NS);
	else if (t->amid)
		next += (int64_t)chance_exp(&a->chance, 3e6);
	sim_at_program(a->sim, now + next, thread_cb, t);
}

void
app_start(struct app *a, uint32_t po, uint32_t mask)
{
	if (segment_layout(&a->layout, FIRST_BYTES, RING_BYTES, APP_THREADS,
		(uint64_t)a->names_most * NAME_BYTES) == -1)
		abort();
	a->seg = aligned_alloc(64, (a->layout.segment_bytes + 63) / 64 * 64);
	if (a->seg == NULL)
		abort();
	memset(a->seg, 0, a->layout.segment_bytes);
	segment_format(a->seg, &a->layout, 0, po, 0, mask, 0);
	if (chance_is(&a->chance, 0.2)) /* of a small group */
		atomic_store(&a->seg->growth.may,
		    1 + chance_below(&a->chance, 400));
	a->po = po;
	a->barrier = ++a->crowd->next_id;
	while (a->names < a->inherits)
		name_new(a);
	for (uint32_t i = 0; i < APP_THREADS; i++) {
		struct app_thread *t = &a->threads[i];

		t->app = a;
		t->ring = segment_ring(a->seg, &a->layout, i);
		atomic_store(&t->ring->thread, i + 1);
		atomic_store(&t->ring->tid, 1000 + i);
		atomic_store(&t->ring->state, RING_LIVE);
		sim_at_program(a->sim,
		    sim_now(a->sim) +
			(int64_t)chance_exp(&a->chance, (double)a->every_ns),
		    thread_cb, t);
	}
	atomic_store(&a->seg->threads, APP_THREADS);
	atomic_store(&a->seg->rings_used, APP_THREADS);
}

void
app_kill(struct app *a)
{
	for (uint32_t i = 0; i < APP_THREADS; i++) {
		if (a->threads[i].unseen)
			publish_rest(&a->threads[i]);
	}
	a->ended = true;
}

void
app_end(struct app *a)
{
	if (a->ended || a->seg == NULL)
		return;
	a->ended = true;
	for (uint32_t i = 0; i < APP_THREADS; i++) {
		publish_rest(&a->threads[i]);
		atomic_store(&a->threads[i].ring->state, RING_CLOSED);
	}
	atomic_store(&a->seg->bye, 1);
}

void
app_stop(struct app *a, int64_t until_ns)
{
	if (a->stopped_until_ns < until_ns)
		a->stopped_until_ns = until_ns;
}

void
app_free(struct app *a)
{
	for (uint32_t i = 0; i < APP_THREADS; i++)
		free(a->threads[i].deeds);
	free(a->seg);
}
