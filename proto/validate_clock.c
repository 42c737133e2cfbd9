/*
 * Clock maps: do their pieces go on where the last one ends, and is every
 * event where they put it?
 *
 * The map is worked out here once more from what orrery-log(5) says of it,
 * in another way than by clockmap.c, with which the log was written.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "clockmap.h"
#include "validate_inside.h"

#define AHEAD_NS INT64_C(1000000000) /* by orrery-log(5) */

__extension__ typedef __int128 int128;

/* mon = base_mon + d + floor(d * skew / 2^40) */
static int128
map(const struct piece *p, int64_t node_ns)
{
	int128 d = (int128)node_ns - p->base_node_ns;
	int128 product = d * p->skew_q40, scale = (int128)1 << 40;
	int128 bend = product / scale;

	if (product % scale < 0)
		bend--;
	return (p->base_mon_ns + d + bend);
}

/* NULL, or what is wrong with a piece that comes behind this one. */
static const char *
wrong_after(const struct piece *last, const struct piece *p)
{
	int128 here = map(last, p->base_node_ns);

	/* a clock that slept or was put back may begin earlier anew */
	if (p->base_node_ns <= last->base_node_ns &&
	    p->epoch != last->epoch + 1)
		return ("begins before the piece that precedes it");
	if (p->epoch != last->epoch)
		return (p->epoch != last->epoch + 1 ? "leaves out an epoch"
			: p->base_mon_ns < last->base_mon_ns
			    ? "goes back in time"
			    : NULL);
	if (p->base_mon_ns < here - 1)
		return ("goes back from where the last piece ends");
	if (p->base_mon_ns > here + 1)
		return ("jumps ahead of where the last piece ends, without a "
			"new epoch");
	return (NULL);
}

int
validate_piece(struct validate *v, const struct frame *f)
{
	struct checked_node *n;
	struct msg_segment m;
	struct piece p, *more;
	const char *wrong = NULL;
	bool anew;

	if (msg_decode(MSG_segment, f->body, f->body_bytes, &m) == -1) {
		errno = EINVAL;
		return (-1);
	}
	n = validate_node(v, m.node);
	if (n == NULL)
		return (-1);
	p = (struct piece){ m.base_node_ns, m.base_mon_ns, m.skew_q40,
		m.epoch };
	if (m.skew_q40 >= CLOCK_SKEW_MAX_Q40 ||
	    m.skew_q40 <= -CLOCK_SKEW_MAX_Q40)
		wrong = "is steeper than any clock, so time could fall";
	else if (m.error_ns < 0 || m.state >= CLOCK_STATES)
		wrong = "has an error bound or a state that makes no sense";
	else if (n->pieces > 0)
		wrong = wrong_after(&n->piece[n->pieces - 1], &p);
	if (wrong != NULL)
		violation(v, VIOLATION_MAP, NULL,
		    "the clock map of node %" PRIu32
		    ": the piece from node time %" PRId64 " ns on %s",
		    m.node, m.base_node_ns, wrong);
	if (n->pieces == n->cap) {
		n->cap = n->cap == 0 ? 16 : n->cap * 2;
		more = reallocarray(n->piece, n->cap, sizeof(*more));
		if (more == NULL)
			return (-1);
		n->piece = more;
	}
	/* of what it says anew the others say nothing any more */
	anew = n->pieces > 0 && p.epoch == n->piece[n->pieces - 1].epoch + 1;
	while (anew && n->pieces > 0 &&
	       p.base_node_ns <= n->piece[n->pieces - 1].base_node_ns)
		n->pieces--;
	/* one that begins too early cannot be found among the others */
	if (n->pieces == 0 ||
	    p.base_node_ns > n->piece[n->pieces - 1].base_node_ns)
		n->piece[n->pieces++] = p;
	v->maps = true;
	return (0);
}

/* The piece that holds at this time; the first one also before it. */
static const struct piece *
piece_at(struct location *l, int64_t node_ns)
{
	const struct checked_node *n = l->node;
	size_t i = l->piece < n->pieces ? l->piece : n->pieces - 1;

	while (i > 0 && n->piece[i].base_node_ns > node_ns)
		i--;
	while (i + 1 < n->pieces && n->piece[i + 1].base_node_ns <= node_ns)
		i++;
	l->piece = i;
	return (&n->piece[i]);
}

void
validate_clock(struct validate *v, struct location *l, const struct event *e)
{
	int128 mapped;

	if (l->node == NULL)
		return;
	if (l->node->pieces == 0) {
		if (v->maps && !l->node->unmapped && !v->from_the_middle)
			violation(v, VIOLATION_CLOCK, e,
			    "its node has no clock map");
		l->node->unmapped = true;
		return;
	}
	if (e->shift_ns == UINT32_MAX)
		return;
	mapped = map(piece_at(l, e->t_node_ns), e->t_node_ns);
	if (e->flags & EVENT_AHEAD) {
		/* it stands where it came, and the map says why it is marked */
		if (mapped - (e->t_mon_ns - (int128)e->shift_ns) <= AHEAD_NS)
			violation(v, VIOLATION_CLOCK, e,
			    "it is marked as ahead of time, but its clock map "
			    "puts it no second behind where it stands");
		return;
	}
	if ((int128)e->t_mon_ns - e->shift_ns != mapped)
		violation(v, VIOLATION_CLOCK, e,
		    "it is %" PRId64
		    " ns behind where the clock map puts its node time, not "
		    "its shift of %" PRIu32 " ns",
		    (int64_t)((int128)e->t_mon_ns - mapped), e->shift_ns);
}
