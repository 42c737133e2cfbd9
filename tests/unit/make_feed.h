/*
 * Events made up for tests and benches: threads that call, send and spawn at
 * random times, in order of time, always the same.
 */
#ifndef TESTS_MAKE_FEED_H
#define TESTS_MAKE_FEED_H

#include <stddef.h>
#include <string.h>

#include "event.h"
#include "model/model.h"
#include "tests/unit/make_log.h"

#define FEED_NAMES 16     /* of functions: 1 to 16, or as many as are asked */
#define FEED_LANES 131072 /* threads at most: locations from 1 on */

/* What events are: per hundred pairs; the rest are flat calls. */
struct feed_mix {
	unsigned nested; /* 0, or how deep calls go, in pairs */
	unsigned messages, tasks;
};

struct feed_made {
	struct feed_mix mix;
	uint32_t lanes, names; /* names: 0: FEED_NAMES */
	uint64_t seed, message, task, pairs;
	int64_t now; /* time of the last event */
	/* flat calls by lane, added up for comparison: in [t0, t1) */
	int64_t t0, t1, *ran; /* NULL: not */
	uint64_t *calls;
	uint32_t depth[FEED_LANES];
};

static inline uint32_t
feed_below(struct feed_made *f, uint32_t n)
{
	f->seed = f->seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)((f->seed >> 33) * n >> 31));
}

static inline void
feed_event(struct feed_made *f, struct event *e, unsigned kind, uint32_t lane)
{
	f->now += feed_below(f, 200);
	memset(e, 0, sizeof(*e));
	e->kind = (uint16_t)kind;
	e->location = 1 + lane;
	e->t_mon_ns = f->now;
	if (kind == EV_enter || kind == EV_leave)
		e->c = 1 + (uint32_t)(f->pairs * 7 + lane) %
			       (f->names > 0 ? f->names : FEED_NAMES);
}

static inline void
feed_call(struct feed_made *f, struct event *e, uint32_t lane)
{
	int64_t a, b;

	feed_event(f, &e[0], EV_enter, lane);
	feed_event(f, &e[1], EV_leave, lane);
	e[1].c = e[0].c;
	if (f->ran == NULL)
		return;
	a = e[0].t_mon_ns > f->t0 ? e[0].t_mon_ns : f->t0;
	b = e[1].t_mon_ns < f->t1 ? e[1].t_mon_ns : f->t1;
	f->ran[lane] += b > a ? b - a : 0;
	f->calls[lane] += e[0].t_mon_ns >= f->t0 && e[0].t_mon_ns < f->t1;
}

/* The next n events; n must be even.  2-5 ns each. */
static inline void
feed_fill(struct feed_made *f, struct event *e, size_t n)
{
	for (size_t i = 0; i + 2 <= n; i += 2) {
		uint32_t lane = feed_below(f, f->lanes),
			 kind = feed_below(f, 100);

		f->pairs++;
		if (kind < f->mix.messages) {
			feed_event(f, &e[i], EV_send, lane);
			feed_event(f, &e[i + 1], EV_receive,
			    feed_below(f, f->lanes));
			e[i].a = e[i + 1].a =
			    (uint64_t)lane << 40 | ++f->message;
			e[i].b = 64 + feed_below(f, 4000);
		} else if (kind < f->mix.messages + f->mix.tasks &&
			   i + 4 <= n) { /* whole, or calls would nest in it */
			uint64_t id = ++f->task;

			feed_event(f, &e[i], EV_task_spawn, lane);
			feed_event(f, &e[i + 1], EV_task_begin, lane);
			e[i].a = e[i + 1].a = id;
			e[i].b =
			    id == 1 ? 0 : 1 + feed_below(f, (uint32_t)id - 1);
			e[i].c = e[i + 1].c = 1 + (uint32_t)id % FEED_NAMES;
			e[i + 1].b = lane;
			i += 2;
			feed_event(f, &e[i], EV_task_end, lane);
			e[i].a = id;
			feed_event(f, &e[i + 1], EV_counter, lane);
		} else if (f->mix.nested > 0) { /* up and down again */
			unsigned up =
			    f->depth[lane] == 0 ? 1 : feed_below(f, 4) < 2;

			up = f->depth[lane] >= 2 * f->mix.nested ? 0 : up;
			f->depth[lane] += up ? 2 : -2u;
			feed_event(f, &e[i], up ? EV_enter : EV_leave, lane);
			feed_event(f, &e[i + 1], up ? EV_enter : EV_leave,
			    lane);
		} else {
			feed_call(f, &e[i], lane);
		}
	}
}

/*
 * A model with so many threads, 8 a process and 64 a node, and functions, ready
 * for events.
 */
static inline struct model *
feed_model_of(uint32_t lanes, uint32_t names)
{
	struct make_log log = { 0 };
	struct model *m = model_new();
	struct frame f;
	char text[24];

	assert(m != NULL);
	make_log_head(&log, "bench");
	for (uint32_t i = 0; i < names; i++) {
		snprintf(text, sizeof(text), "work%u", i);
		make_log_name(&log, text);
	}
	for (uint32_t i = 0; i < lanes; i++) {
		if (i % 64 == 0)
			make_log_node(&log, 1 + i / 64, "n");
		if (i % 8 == 0)
			make_log_po(&log, 1 + i / 64, 1 + i / 8, "po");
		make_log_thread(&log, 1 + i / 64, 1 + i / 8, 1 + i % 8, "");
	}
	for (size_t at = 0; at < log.out.n; at += f.frame_bytes) {
		assert(frame_parse(log.out.p + at, log.out.n - at, &f) ==
		       FRAME_OK);
		model_add_frame(m, &f);
	}
	make_log_free(&log);
	return (m);
}

static inline struct model *
feed_model(uint32_t lanes)
{
	return (feed_model_of(lanes, FEED_NAMES));
}

#endif
