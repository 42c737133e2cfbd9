/*
 * A run in which everything happens, by chance, but always the same: one model
 * that never gives anything up and one that has room for a third of it.
 */
#ifndef TESTS_MAKE_MIXED_H
#define TESTS_MAKE_MIXED_H

#include <stdlib.h>
#include <string.h>

#include "model/detail.h"
#include "model/model.h"
#include "tests/unit/make_log.h"

#define THREADS 12 /* of which the first nests late */
#define NODES   3
#define EVENTS  60000
#define BLOCK   256
#define DEEP    6
#define DEEPER  80 /* of the second thread: not all of it is drawn */
#define ASLEEP  16 /* tasks that are suspended, at most */
#define LATE    (EVENTS / 10 * 9)
#define NAMES   8

struct thread {
	uint32_t location, depth;
	int task;      /* it is in one: its number */
	unsigned wait; /* kind of what it waits with; 0: it does not */
	uint64_t id;
	int lock;
};

struct made {
	struct make_log log;
	struct thread th[THREADS];
	uint64_t seed, messages, received, tasks, objects;
	int64_t now;
	uint64_t at[64]; /* nodes of objects; 0: on its way */
	uint64_t asleep[ASLEEP];
	struct model *all, *small;
};

static inline uint32_t
below(struct made *w, uint32_t n)
{
	w->seed = w->seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)((w->seed >> 33) * n >> 31));
}

static inline void
event(struct made *w, const struct thread *th, unsigned kind, uint64_t a,
    uint64_t b, uint32_t c)
{
	w->now += below(w, 300);
	make_log_event(&w->log, th->location, kind, w->now, a, b, c);
}

/* An object is made, leaves or comes. */
static inline void
object_life(struct made *w, struct thread *th)
{
	uint64_t o = below(w, 24);

	if (w->at[o] == 0) {
		event(w, th, EV_object_create, o + 1, 0, 1);
		w->at[o] = 1;
	} else if (w->at[o] % 2 == 1) {
		event(w, th, EV_object_depart, o + 1, w->at[o]++, 1);
	} else {
		event(w, th, EV_object_arrive, o + 1, w->at[o]++ - 1, 1);
	}
}

/* Waits end, most of them soon. */
static inline bool
waits(struct made *w, struct thread *th)
{
	if (th->wait == 0)
		return (false);
	if (below(w, 3) != 0)
		return (true);
	if (th->wait == EV_receive)
		event(w, th, EV_receive,
		    w->received < w->messages ? ++w->received : 1u << 30, 0, 0);
	else
		event(w, th, th->wait, th->id, 0, 2);
	th->lock = th->wait == EV_lock_acquire;
	th->wait = 0;
	return (true);
}

/* It goes with the calls that are open in it; where it comes back is chance. */
static inline void
task_sleeps(struct made *w, struct thread *th)
{
	uint64_t *a = &w->asleep[below(w, ASLEEP)];

	if (th->task != 0 && *a == 0) {
		*a = (uint64_t)th->task;
		event(w, th, EV_task_suspend, *a, 0, 0);
		th->task = 0;
	} else if (th->task == 0 && *a != 0) {
		event(w, th, EV_task_resume, *a, (uint64_t)(th - w->th),
		    *a % 3 == 0 ? 4 : 3);
		th->task = (int)*a;
		*a = 0;
	}
}

static inline void
task_life(struct made *w, struct thread *th)
{
	if (below(w, 3) == 0) {
		task_sleeps(w, th);
	} else if (th->task == 0) {
		w->tasks++;
		event(w, th, EV_task_spawn, w->tasks, w->tasks / 2, 3);
		event(w, th, EV_task_begin, w->tasks, (uint64_t)(th - w->th),
		    3);
		th->task = (int)w->tasks;
	} else {
		event(w, th, EV_task_end, (uint64_t)th->task, 0, 0);
		th->task = 0;
	}
}

static inline uint32_t
deep(const struct made *w, const struct thread *th)
{
	return (th == w->th && w->log.n < LATE ? 1
		: th == w->th + 1              ? DEEPER
					       : DEEP);
}

static inline void
call(struct made *w, struct thread *th)
{
	uint32_t n = deep(w, th) == DEEPER && below(w, 4) == 0 ? 40 : 1;

	while (n-- > 0 && th->depth < deep(w, th))
		event(w, th, EV_enter, 0, 0,
		    1 + (th->depth++ + below(w, 3)) % NAMES);
}

static inline void
call_ends(struct made *w, struct thread *th)
{
	uint32_t n = deep(w, th) == DEEPER && below(w, 6) == 0 ? 40 : 1;

	while (n-- > 0 && th->depth > 0 && th->depth-- > 0)
		event(w, th, EV_leave, 0, 0, 0);
}

static inline void
happen(struct made *w, struct thread *th)
{
	if (waits(w, th))
		return;
	switch (below(w, 12)) {
	case 0:
	case 1:
	case 2:
		call(w, th);
		break;
	case 3:
	case 4:
	case 5:
		call_ends(w, th);
		break;
	case 6:
		event(w, th, EV_send, ++w->messages, 100, 0);
		break;
	case 7:
		event(w, th, EV_receive_wait, 0, 0, 0);
		th->wait = EV_receive;
		break;
	case 8:
		if (th->lock) {
			event(w, th, EV_lock_release, 7, 0, 2);
			th->lock = 0;
		} else {
			event(w, th, EV_lock_wait, 7, 0, 2);
			th->wait = EV_lock_acquire;
			th->id = 7;
		}
		break;
	case 9:
		object_life(w, th);
		break;
	case 10:
		if (deep(w, th) > 1)
			task_life(w, th);
		break;
	case 11:
		if (below(w, 20) == 0)
			event(w, th, EV_lost, 3, 0, 0);
		else
			event(w, th, below(w, 2) ? EV_note : EV_state, 1, 0,
			    1 + below(w, NAMES));
	}
}

static inline void
feed(struct made *w, struct model *m)
{
	struct frame f;

	for (size_t at = 0; at < w->log.out.n; at += f.frame_bytes) {
		assert_int_equal(frame_parse(w->log.out.p + at,
				     w->log.out.n - at, &f),
		    FRAME_OK);
		assert_int_equal(model_add_frame_at(m, &f, at), 0);
	}
}

static inline void
define(struct made *w)
{
	char name[8];

	make_log_head(&w->log, "detail");
	for (uint32_t i = 0; i < NODES; i++) {
		make_log_node(&w->log, 1 + i, "n");
		make_log_po(&w->log, 1 + i, 1, "p");
	}
	for (int i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		make_log_name(&w->log, name);
	}
	for (uint32_t i = 0; i < THREADS; i++)
		w->th[i].location = make_log_thread(&w->log, 1 + i % NODES, 1,
		    1 + i / NODES, "t");
}

/* The log alone. */
static inline struct made *
made_log(uint64_t seed)
{
	struct made *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	w->seed = seed;
	w->now = 1000;
	w->log.block_events = BLOCK;
	define(w);
	while (w->log.n < EVENTS)
		happen(w, &w->th[below(w, THREADS)]);
	make_log_blocks(&w->log, 0);
	make_log_finish(&w->log);
	return (w);
}

static inline struct made *
made_new(uint64_t seed)
{
	struct made *w = made_log(seed);

	w->all = model_new();
	w->small = model_new();
	assert_non_null(w->all);
	assert_non_null(w->small);
	feed(w, w->all);
	model_set_memory(w->small, model_bytes(w->all) / 3);
	feed(w, w->small);
	return (w);
}

static inline void
made_free(struct made *w)
{
	model_free(w->all);
	model_free(w->small);
	make_log_free(&w->log);
	free(w);
}

#endif
