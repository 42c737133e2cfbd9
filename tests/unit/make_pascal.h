/*
 * Pascal's triangle as VISTA ran it, simulated: the same tree of reductions
 * (2,235 for 35 rows, deepest level 56), executed by PEs that take the newest
 * task of their own and steal the oldest of another.  bigPlus(k, j) waits for
 * the sums of row k - 1, so tasks really suspend.
 */
#ifndef TESTS_MAKE_PASCAL_H
#define TESTS_MAKE_PASCAL_H

#include "tests/unit/make_log.h"

enum {
	P_GO,
	P_ROWS,
	P_ROW,
	P_PLUS,
	P_BIGP,
	P_SETC,
	P_FILL,
	P_REV2,
	P_REV3,
	P_APPEND,
	P_PROCS
};

struct pascal_task {
	uint8_t proc, waits, done;
	int16_t k, j, i;
	uint32_t parent; /* number, 0 none */
	uint32_t level;
	uint32_t waiter; /* task that waits for this sum */
	uint32_t next_waiter;
};

#define PASCAL_TASKS 4096
#define PASCAL_PES   16

struct pascal {
	struct make_log *log;
	struct pascal_task task[PASCAL_TASKS];
	uint32_t n, pes, rows, deepest;
	uint32_t name[P_PROCS], location[PASCAL_PES];
	uint32_t sum[64][64]; /* bigPlus task of (k, j), 0 not yet */
	uint8_t ready[64][64];
	struct pascal_pe {
		uint32_t queue[PASCAL_TASKS], head, tail;
		int64_t now;
	} pe[PASCAL_PES];
	uint64_t seed;
	uint64_t id0; /* of the first task, less one */
	uint32_t waiting, suspended;
	int64_t step_ns;
};

static inline uint32_t
pascal_random(struct pascal *p, uint32_t below)
{
	p->seed = p->seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(p->seed >> 33) % below);
}

static inline void
pascal_spawn(struct pascal *p, uint32_t pe, uint32_t parent, int proc, int k,
    int j, int i, int64_t t)
{
	struct pascal_task *n = &p->task[++p->n];
	struct pascal_pe *q = &p->pe[pe];

	assert(p->n < PASCAL_TASKS);
	*n = (struct pascal_task){ .proc = (uint8_t)proc,
		.k = (int16_t)k,
		.j = (int16_t)j,
		.i = (int16_t)i,
		.parent = parent };
	n->level = parent == 0 ? 0 : p->task[parent].level + 1;
	if (n->level > p->deepest)
		p->deepest = n->level;
	make_log_event(p->log, p->location[pe], EV_task_spawn, t, p->id0 + p->n,
	    parent == 0 ? 0 : p->id0 + parent, p->name[proc]);
	q->queue[q->tail++ % PASCAL_TASKS] = p->n;
}

/* Children of task t, as the program's clauses have them. */
static inline void
pascal_body(struct pascal *p, uint32_t pe, uint32_t t, int64_t now)
{
	struct pascal_task *x = &p->task[t];
	int n = (int)p->rows, hl = n / 2 + 1, half = (x->k + 1) / 2;

	switch (x->proc) {
	case P_GO:
		pascal_spawn(p, pe, t, P_ROWS, 1, 0, 0, now);
		break;
	case P_ROWS:
		if (x->k == n) {
			pascal_spawn(p, pe, t, P_FILL, 0, 0, 0, now);
			break;
		}
		pascal_spawn(p, pe, t, P_ROW, x->k, 0, 0, now);
		pascal_spawn(p, pe, t, P_ROWS, x->k + 1, 0, 0, now + 200);
		break;
	case P_ROW:
		if (x->j >= half)
			break;
		pascal_spawn(p, pe, t, P_PLUS, x->k, x->j, 0, now);
		if (!(x->k % 2 == 1 && x->j == half - 1))
			pascal_spawn(p, pe, t, P_ROW, x->k, x->j + 1, 0,
			    now + 200);
		break;
	case P_PLUS:
		pascal_spawn(p, pe, t, P_BIGP, x->k, x->j, 0, now);
		break;
	case P_BIGP:
		if (x->i == 2) {
			p->ready[x->k][x->j] = 1;
			break;
		}
		pascal_spawn(p, pe, t, P_SETC, x->k, x->j, x->i, now);
		pascal_spawn(p, pe, t, P_BIGP, x->k, x->j, x->i + 1, now + 200);
		break;
	case P_FILL:
		pascal_spawn(p, pe, t, P_REV2, 0, 0, 0, now);
		pascal_spawn(p, pe, t, P_APPEND, 0, 0, 0, now + 200);
		break;
	case P_REV2:
		pascal_spawn(p, pe, t, P_REV3, 0, 0, 0, now);
		break;
	case P_REV3:
	case P_APPEND:
		if (x->i < hl)
			pascal_spawn(p, pe, t, x->proc, 0, 0, x->i + 1, now);
		break;
	}
}

static inline int
pascal_can(const struct pascal *p, const struct pascal_task *x)
{
	int half = x->k / 2; /* sums of row k - 1 */

	if (x->proc != P_PLUS || half == 0)
		return (1);
	return (p->ready[x->k - 1][x->j < half ? x->j : half - 1]);
}

/* One turn of a PE: begins, goes on with, or suspends a task. */
static inline void
pascal_turn(struct pascal *p, uint32_t pe, uint32_t t, int again)
{
	struct pascal_task *x = &p->task[t];
	struct pascal_pe *q = &p->pe[pe];
	int64_t run = p->step_ns / 2 + pascal_random(p, (uint32_t)p->step_ns);
	uint32_t where = p->location[pe];

	make_log_event(p->log, where, again ? EV_task_resume : EV_task_begin,
	    q->now, p->id0 + t, pe, p->name[x->proc]);
	if (!pascal_can(p, x)) {
		q->now += p->step_ns / 8;
		make_log_event(p->log, where, EV_task_suspend, q->now,
		    p->id0 + t, 0, 0);
		x->waits = 1;
		p->suspended++;
		q->now += 300;
		return;
	}
	x->waits = 0;
	pascal_body(p, pe, t, q->now + run / 2);
	q->now += run;
	make_log_event(p->log, where, EV_task_end, q->now, p->id0 + t, 0, 0);
	x->done = 1;
	q->now += 300;
}

static inline uint32_t
pascal_take(struct pascal *p, uint32_t pe, int *again)
{
	struct pascal_pe *q = &p->pe[pe], *o;
	uint32_t i;

	*again = 1;
	for (i = 1; i <= p->n; i++) /* a suspended one that may go on */
		if (p->task[i].waits && pascal_can(p, &p->task[i]))
			return (i);
	*again = 0;
	if (q->head != q->tail)
		return (q->queue[--q->tail % PASCAL_TASKS]);
	for (i = 1; i < p->pes; i++) {
		o = &p->pe[(pe + i) % p->pes];
		if (o->head != o->tail && o->now <= q->now + p->step_ns)
			return (o->queue[o->head++ % PASCAL_TASKS]);
	}
	return (0);
}

/* Names are defined, locations made; events go into the log. */
static inline void
make_pascal(struct pascal *p, struct make_log *log, uint32_t rows, uint32_t pes,
    uint32_t node, uint32_t po, int64_t t0, int64_t step_ns)
{
	static const char *const names[P_PROCS] = { "go", "makeRows", "makeRow",
		"bigPlus", "bigp", "setc", "fillout", "rev2", "rev3",
		"append" };
	char text[32];
	uint32_t pe, t, done = 0;
	int again;

	p->log = log;
	p->rows = rows;
	p->pes = pes;
	p->step_ns = step_ns;
	for (int i = 0; i < P_PROCS; i++)
		p->name[i] = make_log_name(log, names[i]);
	for (pe = 0; pe < pes; pe++) {
		snprintf(text, sizeof(text), "PE %u", pe);
		p->location[pe] = make_log_thread(log, node, po, pe + 1, text);
		p->pe[pe].now = t0 + 1000 * pe;
	}
	pascal_spawn(p, 0, 0, P_GO, 0, 0, 0, t0);
	while (done < p->n) {
		for (pe = 0, t = 1; t < pes; t++)
			if (p->pe[t].now < p->pe[pe].now)
				pe = t;
		t = pascal_take(p, pe, &again);
		if (t == 0) {
			p->pe[pe].now += p->step_ns / 2;
			continue;
		}
		pascal_turn(p, pe, t, again);
		done += p->task[t].done;
	}
}

#endif
