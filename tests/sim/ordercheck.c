/*
 * What went in is kept, by stream, until it has come out; of each message the
 * send is remembered.  That is all it takes to check every promise.
 */
#include "ordercheck.h"

#include <stdlib.h>
#include <string.h>

const char *const order_rule_name[ORDER_RULES] = {
	[RULE_STREAM] = "stream order",
	[RULE_CAUSE] = "cause before effect",
	[RULE_ORPHAN] = "orphan with reason",
	[RULE_ORDER] = "time order",
	[RULE_RAW] = "raw kept",
	[RULE_COUNT] = "in = out",
	[RULE_CIRCLE] = "no circles",
	[RULE_DELAY] = "in time",
	[RULE_MEMORY] = "memory",
};

/* An event that is inside. */
struct order_item {
	uint64_t seq, a;
	int64_t mapped_ns, node_ns, in_ns;
	uint16_t kind;
};

struct order_lane {
	struct order_item *item; /* a ring */
	size_t head, n, cap;     /* cap: a power of two */
	int64_t last_ns;
	uint32_t node;
};

struct order_message {
	int64_t mapped_ns, out_ns;
	uint32_t node;
	bool in, out, late, moved;
};

int
ordercheck_init(struct ordercheck *k, size_t streams, size_t messages)
{
	memset(k, 0, sizeof(*k));
	k->lane = calloc(streams, sizeof(*k->lane));
	k->message = calloc(messages + 1, sizeof(*k->message));
	if (k->lane == NULL || k->message == NULL)
		return (-1);
	k->streams = streams;
	k->messages = messages;
	k->last_ns = INT64_MIN;
	for (size_t i = 0; i < streams; i++)
		k->lane[i].last_ns = INT64_MIN;
	return (0);
}

void
ordercheck_clear(struct ordercheck *k)
{
	for (size_t i = 0; i < k->streams; i++)
		free(k->lane[i].item);
	free(k->lane);
	free(k->message);
}

static void
broken(struct ordercheck *k, enum order_rule rule, const struct event *ev)
{
	if (ordercheck_broken(k) == 0 && ev != NULL) {
		k->first = *ev;
		k->first_rule = rule;
	}
	k->broken[rule]++;
}

uint64_t
ordercheck_broken(const struct ordercheck *k)
{
	uint64_t n = 0;

	for (int i = 0; i < ORDER_RULES; i++)
		n += k->broken[i];
	return (n);
}

static struct order_item *
lane_push(struct order_lane *l)
{
	if (l->n == l->cap) {
		size_t cap = l->cap == 0 ? 16 : l->cap * 2;
		struct order_item *p = calloc(cap, sizeof(*p));

		if (p == NULL)
			abort();
		for (size_t i = 0; i < l->n; i++)
			p[i] = l->item[(l->head + i) & (l->cap - 1)];
		free(l->item);
		l->item = p;
		l->cap = cap;
		l->head = 0;
	}
	return (&l->item[(l->head + l->n++) & (l->cap - 1)]);
}

void
ordercheck_in(struct ordercheck *k, const struct event *ev, uint32_t node,
    int64_t watermark_ns)
{
	struct order_lane *l = &k->lane[ev->location];
	struct order_item *it = lane_push(l);

	l->node = node;
	*it = (struct order_item){ ev->seq, ev->a, ev->t_mon_ns, ev->t_node_ns,
		k->now_ns, ev->kind };
	k->in++;
	if (ev->kind != EV_send || ev->a > k->messages)
		return;
	k->message[ev->a].mapped_ns = ev->t_mon_ns;
	k->message[ev->a].node = node;
	k->message[ev->a].in = true;
	k->message[ev->a].late = ev->t_mon_ns < watermark_ns;
}

/* Why a receive may go without its send. */
static bool
has_reason(const struct ordercheck *k, const struct order_item *it)
{
	const struct order_message *m;

	if (it->a == 0 || it->a > k->messages || k->doubt)
		return (true);
	m = &k->message[it->a];
	if (!m->in || m->late || m->mapped_ns - it->mapped_ns > k->margin_ns)
		return (true);
	/* the send was moved so far itself, or waits behind an orphan */
	return (!k->strict && (!m->out || m->moved));
}

static void
check_receive(struct ordercheck *k, const struct event *ev,
    const struct order_lane *l, const struct order_item *it)
{
	const struct order_message *m = &k->message[0];

	k->received++;
	if (ev->a <= k->messages)
		m = &k->message[ev->a];
	if (ev->flags & EVENT_ORPHAN) {
		k->orphans++;
		if (k->strict || !has_reason(k, it))
			broken(k, RULE_ORPHAN, ev);
		return;
	}
	if (!m->out ||
	    ev->t_mon_ns < m->out_ns + (m->node == l->node ? 1 : k->l_min_ns))
		broken(k, RULE_CAUSE, ev);
}

static void
check_item(struct ordercheck *k, const struct event *ev,
    const struct order_item *it)
{
	int64_t shift = ev->t_mon_ns - it->mapped_ns;

	if (it->node_ns != ev->t_node_ns || it->a != ev->a ||
	    it->kind != ev->kind)
		broken(k, RULE_RAW, ev);
	/* a time of the far future is brought to now, and only that */
	if (it->mapped_ns <= k->now_ns + 1000000000 &&
	    (shift < 0 || (shift < UINT32_MAX && shift != ev->shift_ns)))
		broken(k, RULE_RAW, ev);
	if (k->now_ns - it->in_ns > k->slowest_ns)
		k->slowest_ns = k->now_ns - it->in_ns;
	if (k->delay_max_ns > 0 && k->now_ns - it->in_ns > k->delay_max_ns)
		broken(k, RULE_DELAY, ev);
}

void
ordercheck_out(struct ordercheck *k, const struct event *ev)
{
	struct order_lane *l = &k->lane[ev->location];
	struct order_item it;

	k->out++;
	if (l->n == 0) {
		broken(k, RULE_STREAM, ev);
		return;
	}
	it = l->item[l->head & (l->cap - 1)];
	l->head = (l->head + 1) & (l->cap - 1);
	l->n--;
	if (it.seq != ev->seq || ev->t_mon_ns < l->last_ns)
		broken(k, RULE_STREAM, ev);
	l->last_ns = ev->t_mon_ns;
	check_item(k, ev, &it);
	if (ev->flags & EVENT_LATE) {
		k->late++;
		if (k->timely)
			broken(k, RULE_ORDER, ev);
	} else if (ev->t_mon_ns < k->last_ns) {
		broken(k, RULE_ORDER, ev);
	} else {
		k->last_ns = ev->t_mon_ns;
	}
	if (ev->kind == EV_receive) {
		check_receive(k, ev, l, &it);
	} else if (ev->kind == EV_send && ev->a <= k->messages) {
		k->message[ev->a].out = true;
		k->message[ev->a].out_ns = ev->t_mon_ns;
		k->message[ev->a].moved =
		    ev->t_mon_ns - it.mapped_ns > k->margin_ns / 2;
	}
}

void
ordercheck_circles(struct ordercheck *k, uint64_t broken_circles)
{
	if (!k->doubt)
		k->broken[RULE_CIRCLE] += broken_circles;
}

void
ordercheck_memory(struct ordercheck *k, size_t bytes, size_t limit_bytes)
{
	if (bytes > limit_bytes)
		broken(k, RULE_MEMORY, NULL);
}

void
ordercheck_end(struct ordercheck *k)
{
	for (size_t i = 0; i < k->streams; i++)
		k->broken[RULE_COUNT] += k->lane[i].n;
	if (k->in != k->out)
		broken(k, RULE_COUNT, NULL);
}
