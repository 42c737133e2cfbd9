/*
 * The call stack of a thread at every instant, against one that is kept while
 * the events go by.
 */
#include "tests/check.h"

#include <stdlib.h>

#include "model/model.h"
#include "tests/unit/make_log.h"

#define DEEP  7
#define STEPS 4000
#define FUNCS 5

struct frame_of {      /* what the thread is in */
	unsigned kind; /* enum event_span */
	uint32_t name;
};

struct thread_state {
	struct frame_of in[DEEP + 1];
	unsigned n;
	bool waits;
	unsigned wait_kind;
};

static uint64_t seed;

static unsigned
dice(unsigned n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((unsigned)(seed >> 33) % n);
}

static void
step(struct thread_state *s, struct event *e, const uint32_t *names)
{
	unsigned name = dice(FUNCS);

	e->a = e->b = e->c = 0;
	if (s->waits) {
		s->waits = false;
		e->kind = s->wait_kind == SPAN_wait_lock ? EV_lock_acquire
							 : EV_receive;
		return;
	}
	if (dice(4) == 0) {
		s->waits = true;
		s->wait_kind =
		    dice(2) == 0 ? SPAN_wait_lock : SPAN_wait_message;
		e->kind = s->wait_kind == SPAN_wait_lock ? EV_lock_wait
							 : EV_receive_wait;
		e->a = 1;
		return;
	}
	if (s->n < DEEP && dice(2) == 0) {
		bool block = dice(5) == 0;

		e->kind = block ? EV_phase_begin : EV_enter;
		e->c = names[name];
		s->in[s->n++] =
		    (struct frame_of){ block ? SPAN_phase : SPAN_call,
			    names[name] };
	} else if (s->n > 0) {
		e->kind =
		    s->in[--s->n].kind == SPAN_phase ? EV_phase_end : EV_leave;
	} else {
		e->kind = EV_note;
	}
}

static void
check(const struct model *m, uint32_t lane, int64_t t,
    const struct thread_state *s)
{
	struct span got[DEEP + 2];
	size_t n = model_stack(m, lane, t, got, DEEP + 2);

	assert_int_equal(n, s->n + s->waits);
	for (unsigned i = 0; i < s->n; i++) {
		assert_int_equal(got[i].name, s->in[i].name);
		assert_int_equal(got[i].kind, s->in[i].kind);
		assert_int_equal(got[i].depth, i);
	}
	if (s->waits)
		assert_int_equal(got[s->n].kind, s->wait_kind);
	/* what does not fit is left out, and counted */
	got[1].name = UINT32_MAX;
	assert_int_equal(model_stack(m, lane, t, got, 1), n);
	assert_int_equal(got[1].name, UINT32_MAX);
}

static void
stacks_are_those_of_the_program(void **state)
{
	static struct thread_state was[STEPS];
	static int64_t at[STEPS];

	(void)state;
	for (seed = 1; seed < 12;) {
		uint64_t this = seed;
		struct model *m = model_new();
		struct make_log log = { 0 };
		struct thread_state s = { .n = 0 };
		uint32_t names[FUNCS], location, lane;
		struct frame f;
		int64_t t = 1000;

		make_log_head(&log, "stack");
		make_log_node(&log, 1, "n1");
		make_log_po(&log, 1, 1, "prog");
		location = make_log_thread(&log, 1, 1, 1, "");
		for (int i = 0; i < FUNCS; i++) {
			char text[8];

			snprintf(text, sizeof(text), "f%d", i);
			names[i] = make_log_name(&log, text);
		}
		for (size_t p = 0; p < log.out.n; p += f.frame_bytes) {
			frame_parse(log.out.p + p, log.out.n - p, &f);
			assert_int_equal(model_add_frame(m, &f), 0);
		}
		for (int i = 0; i < STEPS; i++) {
			struct event e = { .location = location };

			t += 1 + dice(40);
			e.t_mon_ns = t;
			step(&s, &e, names);
			model_add_events(m, &e, 1);
			was[i] = s;
			at[i] = t;
		}
		lane = model_location_lane(m, location);
		assert_int_equal(model_stack(m, lane, 999, NULL, 0), 0);
		for (int i = 0; i < STEPS; i++) {
			check(m, lane, at[i], &was[i]);
			if (i + 1 < STEPS)
				check(m, lane, at[i + 1] - 1, &was[i]);
		}
		model_free(m);
		make_log_free(&log);
		seed = this + 1;
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_are_those_of_the_program),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
