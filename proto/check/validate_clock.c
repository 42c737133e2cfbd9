/*
 * Clock maps: do their pieces go on where the last one ends, and is every
 * event where they put it?
 *
 * The map is worked out here once more from what orrery-log(5) says of it,
 * in another way than by clockmap.c, with which the log was written.
 *
 * A node that was booted has another clock, which shows the same times again.
 * Which of its clocks an event is of, no field says; the event must be where
 * one of them puts it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "clockmap.h"
#include "validate_inside.h"

/* by orrery-log(5) */
#define AHEAD_NS INT64_C(1000000000)
#define STEPPED  4

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

/*
 * The clock that a piece belongs to, made if it is another one: a new epoch of
 * the same clock begins with a step, in the same start.  NULL: ENOMEM.
 */
static struct checked_clock *
clock_of_piece(struct checked_node *n, const struct msg_segment *m)
{
	struct checked_clock *p, *last = NULL;

	if (n->clocks > 0)
		last = &n->clock[n->clocks - 1];
	if (last != NULL && last->pieces > 0 &&
	    (m->epoch == last->piece[last->pieces - 1].epoch ||
		(m->start == n->start && m->state == STEPPED)))
		return (last);
	p = reallocarray(n->clock, n->clocks + 1, sizeof(*p));
	if (p == NULL)
		return (NULL);
	n->clock = p;
	p[n->clocks] = (struct checked_clock){ 0 };
	return (&p[n->clocks++]);
}

static int
add_piece(struct checked_clock *c, const struct piece *p)
{
	bool anew =
	    c->pieces > 0 && p->epoch == c->piece[c->pieces - 1].epoch + 1;
	struct piece *more;

	if (c->pieces == c->cap) {
		c->cap = c->cap == 0 ? 16 : c->cap * 2;
		more = reallocarray(c->piece, c->cap, sizeof(*more));
		if (more == NULL)
			return (-1);
		c->piece = more;
	}
	/* of what it says anew the others say nothing any more */
	while (anew && c->pieces > 0 &&
	       p->base_node_ns <= c->piece[c->pieces - 1].base_node_ns)
		c->pieces--;
	/* one that begins too early cannot be found among the others */
	if (c->pieces == 0 ||
	    p->base_node_ns > c->piece[c->pieces - 1].base_node_ns)
		c->piece[c->pieces++] = *p;
	return (0);
}

/* NULL, or what is wrong with the first piece of another clock. */
static const char *
wrong_anew(const struct checked_node *n, const struct piece *p)
{
	const struct checked_clock *last = &n->clock[n->clocks - 2];

	return (p->epoch != last->piece[last->pieces - 1].epoch + 1
		    ? "leaves out an epoch"
		    : NULL);
}

int
validate_piece(struct validate *v, const struct frame *f)
{
	struct checked_node *n;
	struct checked_clock *c;
	struct msg_segment m;
	struct piece p;
	const char *wrong = NULL;

	if (msg_decode(MSG_segment, f->body, f->body_bytes, &m) == -1) {
		errno = EINVAL;
		return (-1);
	}
	n = validate_node(v, m.node);
	c = n == NULL ? NULL : clock_of_piece(n, &m);
	if (c == NULL)
		return (-1);
	p = (struct piece){ m.base_node_ns, m.base_mon_ns, m.skew_q40,
		m.epoch };
	if (m.skew_q40 >= CLOCK_SKEW_MAX_Q40 ||
	    m.skew_q40 <= -CLOCK_SKEW_MAX_Q40)
		wrong = "is steeper than any clock, so time could fall";
	else if (m.error_ns < 0 || m.state >= CLOCK_STATES)
		wrong = "has an error bound or a state that makes no sense";
	else if (c->pieces > 0)
		wrong = wrong_after(&c->piece[c->pieces - 1], &p);
	else if (n->clocks > 1)
		wrong = wrong_anew(n, &p);
	if (wrong != NULL)
		violation(v, VIOLATION_MAP, NULL,
		    "the clock map of node %" PRIu32
		    ": the piece from node time %" PRId64 " ns on %s",
		    m.node, m.base_node_ns, wrong);
	n->start = m.start;
	v->maps = true;
	return (add_piece(c, &p));
}

void
validate_clocks_free(struct checked_node *n)
{
	for (size_t i = 0; i < n->clocks; i++)
		free(n->clock[i].piece);
	free(n->clock);
}

/*
 * Where a clock puts this time: by the piece that holds then, the first one
 * also before it.
 */
static int128
mapped_by(struct location *l, size_t clock, int64_t node_ns)
{
	const struct checked_clock *c = &l->node->clock[clock];
	size_t i = l->clock == clock && l->piece < c->pieces ? l->piece
							     : c->pieces - 1;

	while (i > 0 && c->piece[i].base_node_ns > node_ns)
		i--;
	while (i + 1 < c->pieces && c->piece[i + 1].base_node_ns <= node_ns)
		i++;
	l->clock = clock;
	l->piece = i;
	return (map(&c->piece[i], node_ns));
}

/*
 * Where the clocks put an event that says to have been put to said_ns: there,
 * if one of them does, else where the newest one does.
 */
static int128
mapped(struct location *l, int64_t node_ns, int128 said_ns)
{
	size_t n = l->node->clocks;
	int128 ns;

	if (l->clock < n && mapped_by(l, l->clock, node_ns) == said_ns)
		return (said_ns);
	for (size_t i = 0; i < n; i++) {
		ns = mapped_by(l, i, node_ns);
		if (ns == said_ns)
			break;
	}
	return (ns);
}

/* Does any of its clocks put it so far behind where it stands? */
static bool
is_ahead(struct location *l, int64_t node_ns, int128 said_ns)
{
	for (size_t i = 0; i < l->node->clocks; i++) {
		if (mapped_by(l, i, node_ns) - said_ns > AHEAD_NS)
			return (true);
	}
	return (false);
}

void
validate_clock(struct validate *v, struct location *l, const struct event *e)
{
	int128 said_ns, ns;

	if (l->node == NULL)
		return;
	if (l->node->clocks == 0) {
		if (v->maps && !l->node->unmapped && !v->from_the_middle)
			violation(v, VIOLATION_CLOCK, e,
			    "its node has no clock map");
		l->node->unmapped = true;
		return;
	}
	if (e->shift_ns == UINT32_MAX)
		return;
	said_ns = (int128)e->t_mon_ns - e->shift_ns;
	if (e->flags & EVENT_AHEAD) {
		/* it stands where it came, and the map says why it is marked */
		if (!is_ahead(l, e->t_node_ns, said_ns))
			violation(v, VIOLATION_CLOCK, e,
			    "it is marked as ahead of time, but its clock map "
			    "puts it no second behind where it stands");
		return;
	}
	ns = mapped(l, e->t_node_ns, said_ns);
	if (ns != said_ns)
		violation(v, VIOLATION_CLOCK, e,
		    "it is %" PRId64
		    " ns behind where the clock map puts its node time, not "
		    "its shift of %" PRIu32 " ns",
		    (int64_t)((int128)e->t_mon_ns - ns), e->shift_ns);
}
