/*
 * The watermark is the least mark of all live nodes.
 *
 * A node whose mark has not moved for stall_ns is excluded: it holds up nobody
 * any longer, and what it tells afterwards is late.  It is back as soon as its
 * mark has reached the watermark.  Silence is counted only while we were
 * watching ourselves: when monitord was stopped for a while, everything that
 * the nodes said meanwhile is still to be read.
 *
 * A node that comes back has missed to tell something.  While it tells that, it
 * is behind: nothing waits for it but effects whose causes it may have, and
 * nodes that these have used up the windows of.
 *
 * When nobody is live the watermark stays where it is, so that a broken link
 * to all of them makes nothing late.  When there is nobody at all, it is now.
 */
#include "quorum.h"

#include <stdlib.h>
#include <string.h>

#define QUORUM_REJOIN_NS 1000000    /* so near is near enough */
#define QUORUM_FUTURE_NS 1000000000 /* nobody is that far ahead */

void
quorum_init(struct quorum *q, int64_t stall_ns,
    void (*stalled)(void *, uint32_t, bool, int64_t), void *arg)
{
	memset(q, 0, sizeof(*q));
	q->stall_ns = stall_ns;
	q->now_ns = q->low_ns = INT64_MIN;
	q->behind_ns = INT64_MAX;
	q->stalled = stalled;
	q->arg = arg;
}

void
quorum_clear(struct quorum *q)
{
	free(q->node);
	watermark_clear(&q->marks);
	memset(q, 0, sizeof(*q));
}

static void
quorum_settle(struct quorum *q)
{
	int64_t low = watermark_min(&q->marks);

	if (low == WATERMARK_NONE && q->members == 0)
		low = q->now_ns;
	if (low != WATERMARK_NONE && low > q->low_ns)
		q->low_ns = low;
}

int
quorum_add(struct quorum *q, uint32_t node)
{
	struct quorum_node *grown;

	if (node >= q->n) {
		size_t n = q->n * 2 > node ? q->n * 2 : (size_t)node + 8;

		grown = realloc(q->node, n * sizeof(*grown));
		if (grown == NULL)
			return (-1);
		memset(grown + q->n, 0, (n - q->n) * sizeof(*grown));
		q->node = grown;
		q->n = n;
	}
	if (watermark_reserve(&q->marks, q->n) == -1)
		return (-1);
	if (q->node[node].known)
		return (0);
	q->node[node] = (struct quorum_node){ .known = true,
		.live = true,
		.mark_ns = q->low_ns,
		.heard_ns = q->attentive_ns };
	q->members++;
	q->live++;
	if (q->check_ns > q->attentive_ns + q->stall_ns)
		q->check_ns = q->attentive_ns + q->stall_ns;
	watermark_set(&q->marks, node, q->low_ns);
	return (0);
}

static void
quorum_exclude(struct quorum *q, uint32_t node)
{
	struct quorum_node *m = &q->node[node];

	m->live = false;
	q->live--;
	watermark_set(&q->marks, node, WATERMARK_NONE);
}

void
quorum_remove(struct quorum *q, uint32_t node)
{
	if (node >= q->n || !q->node[node].known)
		return;
	if (q->node[node].live)
		quorum_exclude(q, node);
	q->node[node].known = false;
	q->members--;
	quorum_settle(q);
}

void
quorum_now(struct quorum *q, int64_t now_ns)
{
	int64_t passed;

	if (q->now_ns == INT64_MIN) {
		q->now_ns = now_ns;
		return;
	}
	passed = now_ns - q->now_ns;
	if (passed <= 0)
		return;
	q->now_ns = now_ns;
	q->attentive_ns += passed < q->stall_ns / 4 ? passed : q->stall_ns / 4;
}

static void
quorum_stall(struct quorum *q, uint32_t node)
{
	int64_t silent = q->attentive_ns - q->node[node].heard_ns;

	quorum_exclude(q, node);
	q->stalls++;
	if (q->stalled != NULL)
		q->stalled(q->arg, node, true, silent);
}

void
quorum_mark(struct quorum *q, uint32_t node, int64_t mark_ns, int64_t error_ns,
    int64_t now_ns)
{
	struct quorum_node *m;
	int64_t silent;

	quorum_now(q, now_ns);
	if (node >= q->n || !q->node[node].known)
		return;
	m = &q->node[node];
	if (error_ns < 0 || error_ns > QUORUM_FUTURE_NS)
		error_ns = QUORUM_FUTURE_NS; /* not known yet */
	m->error_ns = error_ns;
	if (mark_ns > now_ns + error_ns + QUORUM_FUTURE_NS)
		mark_ns = now_ns;
	if (mark_ns <= m->mark_ns || mark_ns < -INT64_MAX / 4)
		return; /* no progress is no sign of life */
	silent = q->attentive_ns - m->heard_ns;
	m->heard_ns = q->attentive_ns;
	m->mark_ns = mark_ns;
	if (m->live) {
		if (error_ns > q->error_max_ns)
			q->error_max_ns = error_ns;
		watermark_set(&q->marks, node, mark_ns);
	} else if (q->low_ns == INT64_MIN ||
		   mark_ns >= q->low_ns - QUORUM_REJOIN_NS) {
		m->live = true;
		q->live++;
		watermark_set(&q->marks, node, mark_ns);
		if (q->stalled != NULL)
			q->stalled(q->arg, node, false, silent);
	}
	quorum_settle(q);
}

static int64_t
quorum_behind(const struct quorum *q)
{
	int64_t least = INT64_MAX;

	if (q->members == q->live)
		return (least);
	for (size_t i = 0; i < q->n; i++) {
		const struct quorum_node *m = &q->node[i];

		if (!m->known || m->live || m->mark_ns >= least)
			continue;
		if (m->held || q->attentive_ns - m->heard_ns < q->stall_ns)
			least = m->mark_ns;
	}
	return (least);
}

void
quorum_tick(struct quorum *q, int64_t now_ns)
{
	int64_t oldest, error = 0;

	quorum_now(q, now_ns);
	q->behind_ns = quorum_behind(q);
	if (q->resting || q->attentive_ns < q->check_ns) {
		quorum_settle(q);
		return;
	}
	oldest = q->attentive_ns;
	for (uint32_t i = 0; i < q->n; i++) {
		const struct quorum_node *m = &q->node[i];

		if (!m->known || !m->live || m->held)
			continue;
		if (q->attentive_ns - m->heard_ns >= q->stall_ns) {
			quorum_stall(q, i);
			continue;
		}
		if (m->heard_ns < oldest)
			oldest = m->heard_ns;
		if (m->error_ns > error)
			error = m->error_ns;
	}
	q->error_max_ns = error;
	q->check_ns = oldest + q->stall_ns;
	quorum_settle(q);
}

void
quorum_let_go(struct quorum *q)
{
	if (q->live == 0 && q->now_ns > INT64_MIN + q->stall_ns &&
	    q->now_ns - q->stall_ns > q->low_ns)
		q->low_ns = q->now_ns - q->stall_ns;
}

void
quorum_shed(struct quorum *q)
{
	int64_t most = INT64_MIN;

	for (uint32_t i = 0; i < q->n; i++) {
		if (q->node[i].live && q->node[i].mark_ns > most)
			most = q->node[i].mark_ns;
	}
	quorum_let_go(q);
	if (most < INT64_MIN + q->stall_ns)
		return;
	for (uint32_t i = 0; i < q->n; i++) {
		if (q->node[i].live && !q->node[i].held &&
		    q->node[i].mark_ns < most - q->stall_ns)
			quorum_stall(q, i);
	}
	quorum_settle(q);
}

void
quorum_hold(struct quorum *q, uint32_t node, bool held)
{
	if (node >= q->n || q->node[node].held == held)
		return;
	q->node[node].held = held;
	q->node[node].heard_ns = q->attentive_ns;
	if (q->check_ns > q->attentive_ns + q->stall_ns)
		q->check_ns = q->attentive_ns + q->stall_ns;
}

void
quorum_rest(struct quorum *q, bool resting)
{
	if (q->resting && !resting) {
		for (size_t i = 0; i < q->n; i++) {
			if (q->node[i].live)
				q->node[i].heard_ns = q->attentive_ns;
		}
		q->check_ns = q->attentive_ns + q->stall_ns;
	}
	q->resting = resting;
}

int64_t
quorum_lead(const struct quorum *q, uint32_t node)
{
	int64_t low = watermark_min(&q->marks);

	if (node >= q->n || !q->node[node].known || !q->node[node].live ||
	    low == WATERMARK_NONE || low == INT64_MIN)
		return (0);
	return (q->node[node].mark_ns - low);
}

bool
quorum_awaits(const struct quorum *q, uint32_t node)
{
	int64_t least = watermark_min(&q->marks);

	if (q->live == 0)
		return (true);
	if (node >= q->n || !q->node[node].known)
		return (false);
	if (q->behind_ns < least)
		return (q->node[node].mark_ns <= q->behind_ns);
	return (q->node[node].live && q->node[node].mark_ns <= least);
}
