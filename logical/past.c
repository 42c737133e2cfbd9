/*
 * What reaches an event: from it back along the edges.
 *
 * Each stream is followed back to its nearest vector, which says all about
 * what lies before; so no more is looked at than the edges between two vectors
 * of each stream.  What a vector covers is "closed": all that precedes it is
 * known already, and whoever arrives there need not go on.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

void
past_clear(struct past *p)
{
	free(p->last);
	free(p->closed);
	free(p->done);
	free(p->want);
	free(p->queue);
	free(p->queued);
	memset(p, 0, sizeof(*p));
}

static int
reserve(struct past *p, uint32_t n)
{
	uint64_t question = p->question;

	if (n <= p->cap)
		return (0);
	n += n / 4 + 16;
	past_clear(p);
	p->last = malloc(n * sizeof(*p->last));
	p->closed = malloc(n * sizeof(*p->closed));
	p->done = malloc(n * sizeof(*p->done));
	p->want = malloc(n * sizeof(*p->want));
	p->queue = malloc(n * sizeof(*p->queue));
	p->queued = malloc(n);
	if (p->last == NULL || p->closed == NULL || p->done == NULL ||
	    p->want == NULL || p->queue == NULL || p->queued == NULL) {
		past_clear(p);
		return (-1);
	}
	p->cap = n;
	p->question = question;
	return (0);
}

struct walk {
	struct logical *l;
	struct past *p;
	uint32_t head, n; /* of the queue, a ring of all streams */
};

static void
arrive(struct walk *w, const struct point *at)
{
	struct past *p = w->p;
	uint32_t u = at->stream;

	if (at->seq < p->closed[u])
		return;
	if (at->seq + 1 > p->last[u])
		p->last[u] = at->seq + 1;
	if (at->edges <= p->want[u])
		return;
	p->want[u] = at->edges;
	if (p->queued[u])
		return;
	p->queued[u] = 1;
	p->queue[(w->head + w->n++) % w->l->nstreams] = u;
}

static void
arrive_all(struct walk *w, const struct point *from)
{
	struct join *j = &w->l->join[from->stream & ~FROM_JOIN];

	if (j->past_question != w->p->question)
		j->arrived = 0;
	j->past_question = w->p->question;
	for (; j->arrived < from->seq; j->arrived++)
		arrive(w, &j->member[j->arrived]);
}

static void
close_by(struct past *p, const struct vector *v)
{
	for (uint32_t i = 0; i < v->n; i++) {
		uint32_t x = v->last[i];

		p->closed[i] = p->closed[i] < x ? x : p->closed[i];
	}
}

static void
follow(struct walk *w, uint32_t u)
{
	const struct stream *s = &w->l->stream[u];
	struct past *p = w->p;
	uint32_t want = p->want[u], k = stream_vectors_to(s, want), from;

	if (k > 0 && s->vector[k - 1].edges > p->done[u] &&
	    s->edge[s->vector[k - 1].edges - 1].seq >= p->closed[u]) {
		close_by(p, &s->vector[k - 1]);
		from = s->vector[k - 1].edges;
	} else {
		from = p->closed[u] == 0 ? 0
					 : stream_edges_to(s, p->closed[u] - 1);
	}
	if (from < p->done[u])
		from = p->done[u];
	p->done[u] = want;
	for (uint32_t i = from; i < want; i++) {
		const struct point *c = &s->edge[i].from;

		if (c->stream & FROM_JOIN)
			arrive_all(w, c);
		else
			arrive(w, c);
	}
}

int
past_of(struct logical *l, const struct point *at, uint32_t **last)
{
	struct past *p = &l->past;
	struct walk w = { .l = l, .p = p };
	uint32_t n = l->nstreams;

	if (reserve(p, n) == -1)
		return (-1);
	memset(p->last, 0, n * sizeof(*p->last));
	memset(p->closed, 0, n * sizeof(*p->closed));
	memset(p->done, 0, n * sizeof(*p->done));
	memset(p->want, 0, n * sizeof(*p->want));
	memset(p->queued, 0, n);
	p->question++;
	arrive(&w, at);
	while (w.n > 0) {
		uint32_t u = p->queue[w.head];

		w.head = (w.head + 1) % n;
		w.n--;
		p->queued[u] = 0;
		follow(&w, u);
	}
	for (uint32_t i = 0; i < n; i++)
		if (p->last[i] < p->closed[i])
			p->last[i] = p->closed[i];
	*last = p->last;
	return (0);
}
