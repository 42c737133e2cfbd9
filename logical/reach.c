/*
 * What is reached from an event.
 *
 * Of each stream two numbers close in on the edge by which the news of the
 * source first comes in: its first `low` edges do not bring it, its first
 * `high` ones do.  They start from the two vectors between which the stream
 * learned of it, and from the order of feeding (an edge that was there before
 * the source cannot bring it).  A search back along the edges in between
 * narrows them, and all that is found is kept for the next question about the
 * same source.
 *
 * The search goes through a stream from its oldest edge in question to the
 * newest, and through the stream of each cause first; as an edge only comes
 * from what was before it, no stream is on the way twice, so the stack has at
 * most one frame for each.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

void
reach_clear(struct reach *r)
{
	free(r->stream);
	free(r->stack);
	memset(r, 0, sizeof(*r));
}

static int
reserve(struct reach *r, uint32_t n)
{
	struct reach_stream *stream;
	struct reach_frame *stack;

	if (n <= r->cap)
		return (0);
	n += n / 4 + 16;
	stream = calloc(n, sizeof(*stream));
	stack = malloc(n * sizeof(*stack));
	if (stream == NULL || stack == NULL) {
		free(stream);
		free(stack);
		return (-1);
	}
	free(r->stream);
	free(r->stack);
	r->stream = stream;
	r->stack = stack;
	r->cap = n;
	return (0);
}

/* So many edges of the run had come when this event came, or more. */
static uint32_t
rank_of(const struct stream *s, const struct point *p)
{
	uint32_t low = 0, high = s->nmarks, mid, rank = 0;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->mark[mid].seq <= p->seq)
			low = mid + 1;
		else
			high = mid;
	}
	if (low > 0)
		rank = s->mark[low - 1].rank;
	if (p->edges > 0 && s->edge[p->edges - 1].rank > rank)
		rank = s->edge[p->edges - 1].rank;
	return (rank);
}

int
reach_from(struct logical *l, const struct point *from)
{
	struct reach *r = &l->reach;

	if (reserve(r, l->nstreams) == -1)
		return (-1);
	r->question++;
	r->source = from->stream;
	r->seq = from->seq;
	r->rank = rank_of(&l->stream[from->stream], from);
	return (0);
}

/* How many edges of the stream were there before the source. */
static uint32_t
edges_before(const struct stream *s, uint32_t rank, uint32_t low)
{
	uint32_t high = s->nedges, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->edge[mid].rank < rank)
			low = mid + 1;
		else
			high = mid;
	}
	return (low);
}

static bool
knows(const struct vector *v, uint32_t source, uint32_t seq)
{
	return (source < v->n && v->last[source] > seq);
}

static struct reach_stream *
bounds(struct logical *l, uint32_t u)
{
	struct reach *r = &l->reach;
	struct reach_stream *b = &r->stream[u];
	const struct stream *s = &l->stream[u];
	uint32_t low = 0, high = s->nvectors, mid;

	if (b->question == r->question)
		return (b);
	b->question = r->question;
	while (low < high) {
		mid = low + (high - low) / 2;
		if (knows(&s->vector[mid], r->source, r->seq))
			high = mid;
		else
			low = mid + 1;
	}
	b->high = low < s->nvectors ? s->vector[low].edges : UINT32_MAX;
	b->low =
	    edges_before(s, r->rank, low > 0 ? s->vector[low - 1].edges : 0);
	return (b);
}

enum answer {
	NO,
	YES,
	UNKNOWN
};

static enum answer
known(struct logical *l, const struct point *p)
{
	const struct reach *r = &l->reach;
	const struct reach_stream *b;

	if (p->stream == r->source)
		return (p->seq >= r->seq ? YES : NO);
	b = bounds(l, p->stream);
	return (p->edges <= b->low ? NO : p->edges >= b->high ? YES : UNKNOWN);
}

/* *open: the cause that must be known first. */
static enum answer
known_join(struct logical *l, const struct point *from,
    const struct point **open)
{
	struct join *j = &l->join[from->stream & ~FROM_JOIN];
	enum answer a;

	if (j->reach_question != l->reach.question) {
		j->reach_question = l->reach.question;
		j->no = 0;
		j->yes = UINT32_MAX;
	}
	if (j->yes < from->seq)
		return (YES);
	for (; j->no < from->seq; j->no++) {
		*open = &j->member[j->no];
		a = known(l, *open);
		if (a == YES)
			j->yes = j->no;
		if (a != NO)
			return (a);
	}
	return (NO);
}

static enum answer
known_edge(struct logical *l, const struct point *from,
    const struct point **open)
{
	if (from->stream & FROM_JOIN)
		return (known_join(l, from, open));
	*open = from;
	return (known(l, from));
}

const struct point *
reach_member(const struct logical *l, const struct point *from)
{
	const struct join *j = &l->join[from->stream & ~FROM_JOIN];

	return (&j->member[j->yes]);
}

bool
reach_to(struct logical *l, const struct point *p)
{
	struct reach *r = &l->reach;
	enum answer a = known(l, p);
	uint32_t depth = 0;

	if (a != UNKNOWN)
		return (a == YES);
	r->stack[depth++] = (struct reach_frame){ p->stream, p->edges };
	while (depth > 0) {
		const struct reach_frame *f = &r->stack[depth - 1];
		struct reach_stream *b = &r->stream[f->stream];
		const struct point *open = NULL;

		if (b->low >= f->end || b->low + 1 >= b->high) {
			depth--;
			continue;
		}
		a = known_edge(l, &l->stream[f->stream].edge[b->low].from,
		    &open);
		if (a == NO)
			b->low++;
		else if (a == YES)
			b->high = b->low + 1;
		else
			r->stack[depth++] =
			    (struct reach_frame){ open->stream, open->edges };
	}
	return (known(l, p) == YES);
}

uint32_t
reach_first(struct logical *l, uint32_t u)
{
	const struct reach_stream *b = bounds(l, u);
	struct point p = { u, 0, l->stream[u].nedges };

	if (b->high <= p.edges)
		p.edges = b->high - 1;
	reach_to(l, &p);
	return (b->high == UINT32_MAX ? UINT32_MAX : b->high - 1);
}
