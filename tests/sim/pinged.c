/* A node that is pinged when it is due; it takes 3 us to answer. */
#include "pinged.h"

#define ANSWER_NS 3000

int
pinged_start(struct pinged *p, const struct scenario *sc, struct chance *c,
    clocksync_segment *segment, void *arg)
{
	clock_model_init(&p->clock, &sc->clock, c);
	path_model_init(&p->there, &sc->path, c);
	path_model_init(&p->back, &sc->path, c);
	p->now_ns = 0;
	p->sync = clocksync_new(chance_next(c), segment, arg);
	if (p->sync == NULL)
		return (-1);
	clocksync_connected(p->sync, 0);
	return (0);
}

void
pinged_stop(struct pinged *p)
{
	clocksync_free(p->sync);
	p->sync = NULL;
}

void
pinged_run(struct pinged *p, int64_t until)
{
	int64_t due, t1, t2, t3;
	uint32_t seq;

	while ((due = clocksync_due(p->sync)) < until && p->now_ns < until) {
		t1 = due > p->now_ns ? due : p->now_ns;
		seq = clocksync_ping(p->sync, t1);
		p->now_ns = t1 + path_model_delay(&p->there, t1);
		t2 = clock_model_node(&p->clock, p->now_ns);
		p->now_ns += ANSWER_NS;
		t3 = clock_model_node(&p->clock, p->now_ns);
		p->now_ns += path_model_delay(&p->back, p->now_ns);
		clocksync_pong(p->sync, seq, t1, t2, t3, p->now_ns);
	}
}

struct msg_segment
pinged_message(const struct clock_segment *s, const struct clock_burst *b)
{
	struct msg_segment m = { .epoch = s->epoch,
		.base_node_ns = s->base_node_ns,
		.base_mon_ns = s->base_mon_ns,
		.skew_q40 = s->skew_q40,
		.error_ns = s->error_ns,
		.state = (uint8_t)s->state };

	if (b == NULL)
		return (m);
	m.burst = 1;
	m.low_node_ns = b->low_node_ns;
	m.low_ns = b->low_ns;
	m.high_node_ns = b->high_node_ns;
	m.high_ns = b->high_ns;
	return (m);
}
