/*
 * A program's probes, as libprobe has them: publish into a ring, count what
 * has no room, say so in the ring as soon as there is some.
 */
#include "app.h"

#include <stdlib.h>
#include <string.h>

#define RING_BYTES 8192 /* 256 records: they do get full */

static void
deed_add(struct app_thread *t, uint16_t kind, uint64_t a)
{
	if (t->deeds_n == t->deeds_cap) {
		t->deeds_cap = t->deeds_cap * 2 + 256;
		t->deeds = realloc(t->deeds, t->deeds_cap * sizeof(*t->deeds));
		if (t->deeds == NULL)
			abort();
	}
	t->deeds[t->deeds_n++] = (struct deed){ sim_now(t->app->sim), a, kind };
}

static void
ring_put(struct app_thread *t, uint16_t kind, uint32_t c, uint64_t a,
    uint64_t b)
{
	uint64_t head = atomic_load(&t->ring->head);
	uint32_t mask = t->app->layout.ring_records - 1;

	ring_records(t->ring)[head & mask] = (struct ring_record){
		.t_cycles = (uint64_t)sim_machine_clock(t->app->machine),
		.kind = kind,
		.c = c,
		.a = a,
		.b = b,
	};
	deed_add(t, kind, a);
	atomic_store(&t->ring->head, head + 1);
}

static void
publish(struct app_thread *t, uint16_t kind, uint64_t a)
{
	uint64_t room =
	    t->app->layout.ring_records -
	    (atomic_load(&t->ring->head) - atomic_load(&t->ring->tail));

	if (t->lossy && room >= t->app->layout.ring_records / 4) {
		atomic_fetch_add(&t->ring->lost_records, 1);
		ring_put(t, EV_lost, LOST_RING_FULL, t->gap, t->lost_total);
		t->gap = 0;
		t->lossy = false;
		room--;
	}
	if (t->lossy || room < 2) {
		t->lossy = true;
		t->gap++;
		t->lost_total++;
		atomic_store(&t->ring->lost_total, t->lost_total);
		return;
	}
	ring_put(t, kind, 0, a, 0);
}

static void
send_message(struct app_thread *t, struct chance *c)
{
	struct app *to = t->app->all[chance_below(c, t->app->all_n)];
	struct app_thread *there = &to->threads[chance_below(c, APP_THREADS)];
	uint64_t id;

	if (there->inbox_n == 64 || to->seg == NULL || to->ended)
		return;
	id = ++*t->app->next_message;
	publish(t, EV_send, id);
	there->inbox[there->inbox_n] = id;
	there->inbox_ns[there->inbox_n++] =
	    sim_now(t->app->sim) + 2000 + (int64_t)chance_exp(c, 20000);
}

static void
thread_cb(void *arg)
{
	struct app_thread *t = arg;
	struct sim *s = t->app->sim;
	struct chance *c = sim_chance(s);
	int64_t now = sim_now(s);

	if (t->app->ended || now >= t->app->until_ns)
		return;
	for (unsigned i = 0; i < t->inbox_n; i++) {
		if (t->inbox_ns[i] > now)
			continue;
		publish(t, EV_receive, t->inbox[i]);
		t->inbox_n--;
		t->inbox[i] = t->inbox[t->inbox_n];
		t->inbox_ns[i] = t->inbox_ns[t->inbox_n];
		break;
	}
	if (chance_is(c, 0.3))
		send_message(t, c);
	else
		publish(t, EV_note, chance_next(c));
	sim_at(s, now + 1000 + (int64_t)chance_exp(c, (double)t->app->every_ns),
	    NULL, thread_cb, t);
}

void
app_start(struct app *a, uint32_t po, uint32_t mask)
{
	if (segment_layout(&a->layout, RING_BYTES, APP_THREADS, 4096) == -1)
		abort();
	a->seg = aligned_alloc(64, (a->layout.segment_bytes + 63) / 64 * 64);
	if (a->seg == NULL)
		abort();
	memset(a->seg, 0, a->layout.segment_bytes);
	segment_format(a->seg, &a->layout, 0, po, mask, 0);
	for (uint32_t i = 0; i < APP_THREADS; i++) {
		struct app_thread *t = &a->threads[i];

		t->app = a;
		t->ring = segment_ring(a->seg, &a->layout, i);
		atomic_store(&t->ring->thread, i + 1);
		atomic_store(&t->ring->tid, 1000 + i);
		atomic_store(&t->ring->state, RING_LIVE);
		sim_at(a->sim,
		    sim_now(a->sim) + (int64_t)chance_exp(sim_chance(a->sim),
					  (double)a->every_ns),
		    NULL, thread_cb, t);
	}
	atomic_store(&a->seg->threads, APP_THREADS);
	atomic_store(&a->seg->rings_used, APP_THREADS);
}

void
app_end(struct app *a)
{
	a->ended = true;
	if (a->seg == NULL)
		return;
	for (uint32_t i = 0; i < APP_THREADS; i++)
		atomic_store(&a->threads[i].ring->state, RING_CLOSED);
	atomic_store(&a->seg->bye, 1);
}

void
app_free(struct app *a)
{
	for (uint32_t i = 0; i < APP_THREADS; i++)
		free(a->threads[i].deeds);
	free(a->seg);
}
