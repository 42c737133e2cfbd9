/*
 * Tasks that end, as a program with many threads makes them: each thread goes
 * down and up its own part of the tree.  Held under a cap.
 */
#include "tests/bench/tree.h"

#include <stdlib.h>
#include <sysexits.h>

#define THREADS 64
#define DEPTH   24

struct program {
	uint64_t stack[THREADS][DEPTH], next;
	uint32_t top[THREADS];
	int64_t now;
};

static size_t
program_events(struct program *p, struct event *e, size_t n)
{
	uint32_t t, *top;
	size_t i = 0;

	while (i + 2 <= n) {
		t = random_below(THREADS);
		top = &p->top[t];
		p->now += 100;
		if (*top < 3 || (*top < DEPTH && random_below(2) == 0)) {
			e[i++] = (struct event){ .t_mon_ns = p->now,
				.location = 1 + t,
				.a = ++p->next,
				.b = *top == 0 ? 1 : p->stack[t][*top - 1],
				.c = 1 + p->next % 16,
				.kind = EV_task_spawn };
			e[i] = e[i - 1];
			e[i].kind = EV_task_begin;
			e[i].b = t;
			e[i++].t_mon_ns += 20;
			p->stack[t][(*top)++] = p->next;
		} else {
			e[i++] = (struct event){ .t_mon_ns = p->now,
				.location = 1 + t,
				.a = p->stack[t][--*top],
				.kind = EV_task_end };
		}
	}
	return (i);
}

void
bench_cap(double tasks, double cap)
{
	struct event *e = malloc(BATCH * sizeof(*e));
	struct program *p = calloc(1, sizeof(*p));
	struct model *m = model_new();
	double most = 0, ms = 0, t, events = 0, worst = 0;
	struct drawn d;
	size_t n;

	if (e == NULL || p == NULL || m == NULL)
		exit(EX_OSERR);
	p->next = 1;
	*e = (struct event){ .location = 1, .a = 1, .kind = EV_task_spawn };
	model_add_events(m, e, 1);
	model_set_memory(m, (uint64_t)cap);
	while ((double)p->next < tasks) {
		n = program_events(p, e, BATCH);
		t = now_ms();
		model_add_events(m, e, n);
		t = now_ms() - t;
		ms += t;
		worst = t > worst ? t : worst;
		events += (double)n;
		if ((double)model_bytes(m) > most)
			most = (double)model_bytes(m);
	}
	line("cap: most held", "finished", (uint32_t)tasks, most / cap, "of it",
	    1.05);
	line("cap: held", "finished", (uint32_t)tasks,
	    (double)model_bytes(m) / events, "B/event", 0.7);
	line("cap: tasks there", "finished", (uint32_t)tasks,
	    model_tasks(m) - model_tasks_gone(m), "tasks", tasks);
	line("cap: events", "finished", (uint32_t)tasks, events / ms / 1e3,
	    "M/s", 10);
	line("cap: longest batch", "finished", (uint32_t)tasks, worst, "ms",
	    100);
	if (option.picture != NULL) {
		drawn_open(&d, SIDE);
		draw(&d, m);
		picture_write(&d);
		drawn_close(&d);
	}
	model_free(m);
	free(p);
	free(e);
}
