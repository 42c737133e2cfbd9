/* See feed_made.h. */
#include "tests/bench/feed_made.h"

#include <string.h>

static uint32_t
below(struct feed_made *f, uint32_t n)
{
	f->seed = f->seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)((f->seed >> 33) * n >> 31));
}

static void
made_event(struct feed_made *f, struct event *e, unsigned kind, uint32_t lane)
{
	f->now += below(f, 200);
	memset(e, 0, sizeof(*e));
	e->kind = (uint16_t)kind;
	e->location = 1 + lane;
	e->t_mon_ns = f->now;
	if (kind == EV_enter || kind == EV_leave)
		e->c = 1 + (uint32_t)(f->pairs * 7 + lane) % FEED_NAMES;
}

static void
made_call(struct feed_made *f, struct event *e, uint32_t lane)
{
	int64_t a, b;

	made_event(f, &e[0], EV_enter, lane);
	made_event(f, &e[1], EV_leave, lane);
	e[1].c = e[0].c;
	if (f->ran == NULL)
		return;
	a = e[0].t_mon_ns > f->t0 ? e[0].t_mon_ns : f->t0;
	b = e[1].t_mon_ns < f->t1 ? e[1].t_mon_ns : f->t1;
	f->ran[lane] += b > a ? b - a : 0;
	f->calls[lane] += e[0].t_mon_ns >= f->t0 && e[0].t_mon_ns < f->t1;
}

void
feed_fill(struct feed_made *f, struct event *e, size_t n)
{
	for (size_t i = 0; i + 2 <= n; i += 2) {
		uint32_t lane = below(f, f->lanes), kind = below(f, 100);

		f->pairs++;
		if (kind < f->mix.messages) {
			made_event(f, &e[i], EV_send, lane);
			made_event(f, &e[i + 1], EV_receive,
			    below(f, f->lanes));
			e[i].a = e[i + 1].a =
			    (uint64_t)lane << 40 | ++f->message;
			e[i].b = 64 + below(f, 4000);
		} else if (kind < f->mix.messages + f->mix.tasks) {
			uint64_t id = ++f->task;

			made_event(f, &e[i], EV_task_spawn, lane);
			made_event(f, &e[i + 1], EV_task_begin, lane);
			e[i].a = e[i + 1].a = id;
			e[i].b = id == 1 ? 0 : 1 + below(f, (uint32_t)id - 1);
			e[i].c = e[i + 1].c = 1 + (uint32_t)id % FEED_NAMES;
			e[i + 1].b = lane;
			if (i + 4 <= n) { /* and its end */
				i += 2;
				made_event(f, &e[i], EV_task_end, lane);
				e[i].a = id;
				made_event(f, &e[i + 1], EV_counter, lane);
			}
		} else if (f->mix.nested > 0) { /* up and down again */
			unsigned up = f->depth[lane] == 0 ? 1 : below(f, 4) < 2;

			up = f->depth[lane] >= 2 * f->mix.nested ? 0 : up;
			f->depth[lane] += up ? 2 : -2u;
			made_event(f, &e[i], up ? EV_enter : EV_leave, lane);
			made_event(f, &e[i + 1], up ? EV_enter : EV_leave,
			    lane);
		} else {
			made_call(f, &e[i], lane);
		}
	}
}
