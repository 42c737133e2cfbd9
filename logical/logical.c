/*
 * Feeding: from events to edges, and to vectors now and then.
 *
 * A vector for every event would cost four bytes a thread and event.  What a
 * thread knows of the others changes only when an edge comes in, and can be
 * found again from the edges; a vector here and there bounds how far one must
 * go back for that.  They lie so far apart that they cost no more than 32
 * bytes an edge, however many threads there are.
 *
 * Operations in which all causes precede each effect (barriers) would have
 * edges by the square of their width: there, the causes are the members of a
 * join, and each effect has one edge from it.
 */
#include "logical.h"

#include <errno.h>
#include <string.h>

#include "inside.h"

const char *const logical_order_name[LOGICAL_CONCURRENT + 1] = {
	"same",
	"before",
	"after",
	"concurrent",
};

/* Makes room for one more: a quarter at a time, for there are many arrays. */
static int
room(void *array, uint32_t n, uint32_t *cap, size_t size)
{
	uint32_t more = n < 4 ? 8 : n + n / 4;
	void *p;

	if (n < *cap)
		return (0);
	memcpy(&p, array, sizeof(p));
	p = reallocarray(p, more, size);
	if (p == NULL)
		return (-1);
	memcpy(array, &p, sizeof(p));
	*cap = more;
	return (0);
}

struct logical *
logical_new(void)
{
	return (calloc(1, sizeof(struct logical)));
}

static void
stream_free(struct stream *s)
{
	for (uint32_t i = 0; i < s->nvectors; i++)
		free(s->vector[i].last);
	free(s->vector);
	free(s->edge);
	free(s->mark);
}

void
logical_free(struct logical *l)
{
	if (l == NULL)
		return;
	for (uint32_t i = 0; i < l->nstreams; i++)
		stream_free(&l->stream[i]);
	for (uint32_t i = 0; i < l->njoins; i++)
		free(l->join[i].member);
	free(l->stream);
	free(l->join);
	intmap_free(&l->numbers);
	pending_clear(&l->pending);
	reach_clear(&l->reach);
	past_clear(&l->past);
	free(l);
}

/* Index of the stream of a location, or -1. */
static int64_t
stream_find(const struct logical *l, uint32_t location)
{
	uintptr_t n = (uintptr_t)intmap_find(&l->numbers, location);

	return ((int64_t)n - 1);
}

static int
stream_of(struct logical *l, uint32_t location, uint32_t *index)
{
	int64_t i = l->last_stream;

	if (i >= l->nstreams || l->stream[i].location != location)
		i = stream_find(l, location);
	if (i < 0) {
		if (l->nstreams == FROM_JOIN - 1) {
			errno = EOVERFLOW;
			return (-1);
		}
		if (room(&l->stream, l->nstreams, &l->streams_cap,
			sizeof(*l->stream)) == -1 ||
		    intmap_reserve(&l->numbers) == -1)
			return (-1);
		i = l->nstreams++;
		l->stream[i] = (struct stream){ .location = location };
		intmap_put(&l->numbers, location,
		    /* NOLINTNEXTLINE(performance-no-int-to-ptr) */
		    (void *)(uintptr_t)(i + 1));
	}
	*index = l->last_stream = (uint32_t)i;
	return (0);
}

static int
put_mark(struct logical *l, struct stream *s, uint32_t seq)
{
	if (s->events % MARK_EVENTS != 0)
		return (0);
	if (room(&s->mark, s->nmarks, &s->marks_cap, sizeof(*s->mark)) == -1)
		return (-1);
	s->mark[s->nmarks++] = (struct mark){ seq, (uint32_t)l->stats.edges };
	return (0);
}

/* The stream knows now what reaches its last edge. */
static int
put_vector(struct logical *l, uint32_t index)
{
	struct stream *s = &l->stream[index];
	struct point at = { index, s->last_seq, s->nedges };
	struct vector v = { s->nedges, l->nstreams, NULL };
	uint32_t *last;

	if (room(&s->vector, s->nvectors, &s->vectors_cap,
		sizeof(*s->vector)) == -1 ||
	    (v.last = malloc(v.n * sizeof(*v.last))) == NULL)
		return (-1);
	if (past_of(l, &at, &last) == -1) {
		free(v.last);
		return (-1);
	}
	memcpy(v.last, last, v.n * sizeof(*v.last));
	s->vector[s->nvectors++] = v;
	l->stats.vectors++;
	l->stats.bytes += v.n * sizeof(*v.last);
	return (0);
}

static bool
vector_due(const struct logical *l, const struct stream *s)
{
	uint32_t apart = l->nstreams / 8, last = 0;

	if (apart < VECTOR_EDGES_MIN)
		apart = VECTOR_EDGES_MIN;
	if (s->nvectors > 0)
		last = s->vector[s->nvectors - 1].edges;
	return (s->nedges - last >= apart);
}

static int
put_edge(struct logical *l, const struct point *to, const struct point *from)
{
	struct stream *s = &l->stream[to->stream];

	if (l->stats.edges == UINT32_MAX) {
		errno = EOVERFLOW;
		return (-1);
	}
	if (room(&s->edge, s->nedges, &s->edges_cap, sizeof(*s->edge)) == -1)
		return (-1);
	s->edge[s->nedges++] =
	    (struct edge){ to->seq, (uint32_t)l->stats.edges++, *from };
	return (vector_due(l, s) ? put_vector(l, to->stream) : 0);
}

static int
put_member(struct logical *l, struct pending_cause *c, const struct point *at)
{
	struct join *j = &l->join[c->stream];

	if (room(&j->member, j->n, &j->cap, sizeof(*j->member)) == -1)
		return (-1);
	j->member[j->n++] = *at;
	c->seq++;
	return (0);
}

static struct pending_cause *
new_join(struct logical *l, uint32_t kind, uint64_t a, uint64_t b)
{
	struct pending_cause *c;

	if (l->njoins == FROM_JOIN - 1) {
		errno = EOVERFLOW;
		return (NULL);
	}
	if (room(&l->join, l->njoins, &l->joins_cap, sizeof(*l->join)) == -1 ||
	    (c = pending_add(&l->pending, kind, a, b)) == NULL)
		return (NULL);
	l->join[l->njoins] = (struct join){ 0 };
	c->stream = l->njoins++;
	return (c);
}

/* What pairs the event with its partner; false: nothing does. */
static bool
key_of(const struct event *e, const struct event_desc *d, uint64_t *a,
    uint64_t *b)
{
	*a = d->key == KEY_B ? 0 : e->a;
	*b = d->key == KEY_A ? 0 : e->b;
	return ((d->key == KEY_A ? *a : *b) != 0);
}

static int
on_cause(struct logical *l, const struct event *e, const struct event_desc *d,
    const struct point *at)
{
	struct pending_cause *c = NULL;
	uint64_t a, b;

	if (!key_of(e, d, &a, &b))
		return (0);
	if (d->match != MATCH_one)
		c = pending_find(&l->pending, d->kind, a, b);
	if (c != NULL && d->match == MATCH_many)
		return (0); /* the first one let it happen */
	if (d->match == MATCH_all) {
		if (c == NULL)
			c = new_join(l, d->kind, a, b);
		return (c == NULL ? -1 : put_member(l, c, at));
	}
	c = pending_add(&l->pending, d->kind, a, b);
	if (c == NULL)
		return (-1);
	c->stream = at->stream;
	c->seq = at->seq;
	c->edges = at->edges;
	return (0);
}

static int
on_effect(struct logical *l, const struct event *e, const struct event_desc *d,
    const struct point *at)
{
	struct pending_cause *c;
	struct point from;
	uint64_t a, b;

	if (!key_of(e, d, &a, &b))
		return (0);
	c = pending_find(&l->pending, d->partner, a, b);
	if (c == NULL) {
		l->stats.missing++;
		return (0);
	}
	from = (struct point){ c->stream, c->seq, c->edges };
	if (d->match == MATCH_all) {
		from = (struct point){ FROM_JOIN | c->stream, c->seq, 0 };
		if (++c->edges >= e->c && c->seq >= e->c && e->c != 0)
			pending_remove(&l->pending, c);
	} else if (d->match == MATCH_one) {
		pending_remove(&l->pending, c);
	}
	return (put_edge(l, at, &from));
}

int
logical_add(struct logical *l, const struct event *e,
    const struct event_desc *d)
{
	struct point at;
	struct stream *s;

	if (e->seq >= UINT32_MAX - 1) {
		errno = EOVERFLOW;
		return (-1);
	}
	if (stream_of(l, e->location, &at.stream) == -1)
		return (-1);
	s = &l->stream[at.stream];
	at.seq = (uint32_t)e->seq;
	at.edges = s->nedges;
	if (s->events > 0 && at.seq <= s->last_seq) {
		errno = EINVAL;
		return (-1);
	}
	if (put_mark(l, s, at.seq) == -1)
		return (-1);
	if (s->events++ == 0)
		s->first_seq = at.seq;
	s->last_seq = at.seq;
	l->stats.events++;
	if (d == NULL || d->partner == EV_none)
		return (0);
	if (d->role == ROLE_CAUSE)
		return (on_cause(l, e, d, &at));
	return (d->role == ROLE_EFFECT ? on_effect(l, e, d, &at) : 0);
}

size_t
logical_locations(const struct logical *l)
{
	return (l->nstreams);
}

int
logical_point(const struct logical *l, struct logical_event e, struct point *p)
{
	int64_t i = stream_find(l, e.location);
	const struct stream *s;

	if (i < 0 || e.seq < (s = &l->stream[i])->first_seq ||
	    e.seq > s->last_seq) {
		errno = EINVAL;
		return (-1);
	}
	*p = (struct point){ (uint32_t)i, (uint32_t)e.seq,
		stream_edges_to(s, (uint32_t)e.seq) };
	return (0);
}

uint32_t
stream_edges_to(const struct stream *s, uint32_t seq)
{
	uint32_t low = 0, high = s->nedges, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->edge[mid].seq <= seq)
			low = mid + 1;
		else
			high = mid;
	}
	return (low);
}

uint32_t
stream_vectors_to(const struct stream *s, uint32_t edges)
{
	uint32_t low = 0, high = s->nvectors, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->vector[mid].edges <= edges)
			low = mid + 1;
		else
			high = mid;
	}
	return (low);
}

void
logical_stats(const struct logical *l, struct logical_stats *out)
{
	*out = l->stats;
	out->pending_bytes = pending_bytes(&l->pending);
	out->bytes += sizeof(*l) + out->pending_bytes +
		      l->streams_cap * sizeof(*l->stream) +
		      l->joins_cap * sizeof(*l->join) +
		      (l->numbers.mask + 1) * sizeof(*l->numbers.slot);
	for (uint32_t i = 0; i < l->nstreams; i++) {
		const struct stream *s = &l->stream[i];

		out->bytes += s->edges_cap * sizeof(*s->edge) +
			      s->vectors_cap * sizeof(*s->vector) +
			      s->marks_cap * sizeof(*s->mark);
	}
	for (uint32_t i = 0; i < l->njoins; i++)
		out->bytes += l->join[i].cap * sizeof(struct point);
}
