/* The questions, put together from what reaches and what is reached. */
#include <errno.h>
#include <stdlib.h>

#include "inside.h"

int
logical_before(struct logical *l, struct logical_event a,
    struct logical_event b)
{
	struct point from, to;

	if (logical_point(l, a, &from) == -1 || logical_point(l, b, &to) == -1)
		return (-1);
	if (from.stream == to.stream)
		return (from.seq < to.seq);
	return (reach_from(l, &from) == -1 ? -1 : reach_to(l, &to));
}

int
logical_order(struct logical *l, struct logical_event a, struct logical_event b)
{
	int r;

	if (a.location == b.location && a.seq == b.seq)
		return (logical_before(l, a, b) == -1 ? -1 : LOGICAL_SAME);
	if ((r = logical_before(l, a, b)) != 0)
		return (r == -1 ? -1 : LOGICAL_BEFORE);
	if ((r = logical_before(l, b, a)) != 0)
		return (r == -1 ? -1 : LOGICAL_AFTER);
	return (LOGICAL_CONCURRENT);
}

int
logical_past_cut(struct logical *l, struct logical_event e,
    struct logical_cut *out)
{
	struct point at;
	uint32_t *last;

	if (logical_point(l, e, &at) == -1 || past_of(l, &at, &last) == -1)
		return (-1);
	for (uint32_t i = 0; i < l->nstreams; i++)
		out[i] = (struct logical_cut){ l->stream[i].location,
			last[i] > 0, last[i] > 0 ? last[i] - 1 : 0 };
	return (0);
}

int
logical_future_cut(struct logical *l, struct logical_event e,
    struct logical_cut *out)
{
	struct point at;

	if (logical_point(l, e, &at) == -1 || reach_from(l, &at) == -1)
		return (-1);
	for (uint32_t i = 0; i < l->nstreams; i++) {
		uint32_t edge;

		out[i] = (struct logical_cut){
			.location = l->stream[i].location,
			.any = i == at.stream,
			.seq = i == at.stream ? at.seq : 0,
		};
		if (i == at.stream || (edge = reach_first(l, i)) == UINT32_MAX)
			continue;
		out[i].any = true;
		out[i].seq = l->stream[i].edge[edge].seq;
	}
	return (0);
}

/* Turns the path round: it was found from its end. */
static void
reverse(struct logical_edge *path, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct logical_edge x = path[i];

		path[i] = path[n - 1 - i];
		path[n - 1 - i] = x;
	}
}

int
logical_path(struct logical *l, struct logical_event a, struct logical_event b,
    struct logical_edge **path, size_t *n)
{
	struct logical_edge *edges = NULL, *more;
	struct point from, to;
	size_t count = 0, cap = 0;

	*path = NULL;
	*n = 0;
	if (logical_point(l, a, &from) == -1 ||
	    logical_point(l, b, &to) == -1 || reach_from(l, &from) == -1)
		return (-1);
	if (from.stream == to.stream)
		return (from.seq < to.seq);
	if (!reach_to(l, &to))
		return (0);
	while (to.stream != from.stream) {
		const struct stream *s = &l->stream[to.stream];
		const struct edge *e = &s->edge[reach_first(l, to.stream)];
		const struct point *c = e->from.stream & FROM_JOIN
					    ? reach_member(l, &e->from)
					    : &e->from;

		if (count == cap) {
			cap = cap == 0 ? 16 : cap * 2;
			more = reallocarray(edges, cap, sizeof(*edges));
			if (more == NULL) {
				free(edges);
				return (-1);
			}
			edges = more;
		}
		edges[count++] = (struct logical_edge){
			{ l->stream[c->stream].location, c->seq },
			{ s->location, e->seq },
		};
		to = *c;
	}
	reverse(edges, count);
	*path = edges;
	*n = count;
	return (1);
}
