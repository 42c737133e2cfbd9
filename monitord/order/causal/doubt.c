/*
 * A message that is impossible accuses two nodes.  The one that is wrong has
 * trouble with all it talks to, the others only with it; so of each window the
 * node with the most partners in trouble is to blame, what it explains is
 * struck out, and what is left is judged in the same way.  Between two that
 * talk only with each other it is the one with the wider bound, or else the
 * sender: a clock that is fast does harm to others, one that is slow only to
 * itself.
 *
 * One bad window is nothing: a bound is a promise with a probability, and a
 * step needs a burst of pings to be found.  Three in a row put the node into
 * quarantine, ten good ones let it out.
 */
#include "doubt.h"

#include <stdlib.h>
#include <string.h>

#define DOUBT_FACTOR    3 /* times the bounds */
#define DOUBT_LEAST_NS  1000
#define DOUBT_WINDOW_NS 100000000
#define DOUBT_STRIKES   3
#define DOUBT_GOOD      10
#define DOUBT_TALKS     4 /* messages that make a window count as good */

void
doubt_init(struct doubt *d)
{
	memset(d, 0, sizeof(*d));
	d->window_ns = INT64_MIN;
}

void
doubt_clear(struct doubt *d)
{
	free(d->node);
	memset(d, 0, sizeof(*d));
}

int
doubt_add(struct doubt *d, uint32_t node)
{
	size_t n = d->n * 2 > node ? d->n * 2 : (size_t)node + 8;
	struct doubt_node *grown;

	if (node < d->n)
		return (0);
	grown = realloc(d->node, n * sizeof(*grown));
	if (grown == NULL)
		return (-1);
	memset(grown + d->n, 0, (n - d->n) * sizeof(*grown));
	d->node = grown;
	d->n = n;
	return (0);
}

static void
doubt_set(struct doubt *d, uint32_t node, bool doubted)
{
	struct doubt_node *m = &d->node[node];

	m->doubted = doubted;
	m->strikes = m->good = 0;
	if (doubted)
		d->doubted++;
	else
		d->doubted--;
	if (d->changed != NULL)
		d->changed(d->arg, node, doubted, m->worst_ns, m->error_ns);
}

void
doubt_forgive(struct doubt *d, uint32_t node)
{
	if (node >= d->n)
		return;
	if (d->node[node].doubted)
		doubt_set(d, node, false);
	d->node[node].strikes = 0;
	for (size_t i = 0; i < d->pairs; i++) {
		if (d->pair[i].from == node || d->pair[i].to == node)
			d->pair[i].settled = true;
	}
}

int64_t
doubt_limit(const struct doubt *d, uint32_t from, uint32_t to)
{
	int64_t bounds = d->node[from].error_ns + d->node[to].error_ns;

	return (bounds * DOUBT_FACTOR + DOUBT_LEAST_NS);
}

static void
doubt_accuse(struct doubt *d, uint32_t from, uint32_t to, int64_t by_ns)
{
	struct doubt_pair *p = d->pair;

	while (p < d->pair + d->pairs &&
	       (p->from != from || p->to != to || p->settled))
		p++;
	if (p == d->pair + d->pairs) {
		if (d->pairs == DOUBT_PAIRS)
			return; /* enough is known */
		d->pairs++;
		*p = (struct doubt_pair){ .from = from, .to = to };
	}
	p->count++;
	if (by_ns > p->worst_ns)
		p->worst_ns = by_ns;
}

void
doubt_message(struct doubt *d, uint32_t from, uint32_t to, int64_t sent_ns,
    int64_t taken_ns)
{
	if (from >= d->n || to >= d->n)
		return;
	d->node[from].matches++;
	d->node[to].matches++;
	if (sent_ns - taken_ns <= DOUBT_LEAST_NS || !d->node[from].known ||
	    !d->node[to].known)
		return;
	if (sent_ns - taken_ns > doubt_limit(d, from, to))
		doubt_accuse(d, from, to, sent_ns - taken_ns);
}

static bool
doubt_worse(const struct doubt_node *a, const struct doubt_node *b)
{
	if (a->partners != b->partners)
		return (a->partners > b->partners);
	if (a->error_ns != b->error_ns)
		return (a->error_ns > b->error_ns);
	return (a->sent > b->sent);
}

/* The node that explains the most of what is not settled, or UINT32_MAX. */
static uint32_t
doubt_culprit(struct doubt *d)
{
	uint32_t worst = UINT32_MAX;

	for (size_t i = 0; i < d->pairs; i++) {
		const struct doubt_pair *p = &d->pair[i];

		d->node[p->from].partners = d->node[p->to].partners = 0;
		d->node[p->from].sent = d->node[p->to].sent = 0;
	}
	for (size_t i = 0; i < d->pairs; i++) {
		const struct doubt_pair *p = &d->pair[i];

		if (p->settled)
			continue;
		d->node[p->from].partners++;
		d->node[p->to].partners++;
		d->node[p->from].sent += p->count;
	}
	for (size_t i = 0; i < 2 * d->pairs; i++) {
		const struct doubt_pair *p = &d->pair[i / 2];
		uint32_t node = i % 2 == 0 ? p->from : p->to;

		if (!p->settled &&
		    (worst == UINT32_MAX ||
			doubt_worse(&d->node[node], &d->node[worst])))
			worst = node;
	}
	return (worst);
}

static void
doubt_blame(struct doubt *d, uint32_t node)
{
	struct doubt_node *m = &d->node[node];

	m->strikes++;
	m->good = 0;
	m->worst_ns = 0;
	for (size_t i = 0; i < d->pairs; i++) {
		struct doubt_pair *p = &d->pair[i];

		if (p->settled || (p->from != node && p->to != node))
			continue;
		p->settled = true;
		if (p->worst_ns > m->worst_ns)
			m->worst_ns = p->worst_ns;
	}
	m->matches = 0; /* not a good window */
	if (!m->doubted && m->strikes >= DOUBT_STRIKES)
		doubt_set(d, node, true);
}

void
doubt_judge(struct doubt *d, int64_t watermark_ns)
{
	uint32_t node;

	if (d->window_ns == INT64_MIN)
		d->window_ns = watermark_ns;
	if (watermark_ns - d->window_ns < DOUBT_WINDOW_NS)
		return;
	d->window_ns = watermark_ns;
	while ((node = doubt_culprit(d)) != UINT32_MAX)
		doubt_blame(d, node);
	d->pairs = 0;
	for (node = 0; node < d->n; node++) {
		struct doubt_node *m = &d->node[node];

		if (m->matches >= DOUBT_TALKS) {
			m->strikes = 0;
			if (m->doubted && ++m->good >= DOUBT_GOOD)
				doubt_set(d, node, false);
		}
		m->matches = 0;
	}
}
