/*
 * Records of a ring become events.
 *
 * Everything here works on a private copy, so nothing can change between the
 * check and the use.  A program may tell nonsense about itself; it gets an
 * EV_lost in its own stream for it, and nobody else is touched.
 *
 * A record's time is what its program has stamped.  It is never moved, neither
 * behind the record before it nor behind a time that has been vouched for: who
 * comes too late is late.  Only a time that cannot be is nonsense: before the
 * program was attached, or after all readings of the clock, the last of which
 * was taken when the record had been seen.
 */
#include <string.h>

#include "drain_in.h"
#include "log.h"

#define LOST_MAX (UINT64_C(1) << 48) /* nobody loses more at a time */
#define AHEAD_NS INT64_C(100000000)  /* a clock may be set back since */

void
drain_kinds(uint8_t kinds[EVENT_KINDS])
{
	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		const struct event_desc *d = event_desc(k);

		kinds[k] = 0;
		if (k == EV_lost)
			kinds[k] = KIND_LOST;
		else if (d != NULL && d->class != CLASS_monitor &&
			 k != EV_po_begin && k != EV_po_end)
			kinds[k] =
			    KIND_OK |
			    (event_field_is(d->c, "name") ? KIND_NAMED : 0);
	}
	kinds[EV_enter] |= KIND_CODE;
	kinds[EV_leave] |= KIND_CODE;
	kinds[EV_sample] |= KIND_CODE;
	kinds[EV_mem_code] |= KIND_CODE;
}

void
drain_spans(uint8_t spans[EVENT_KINDS])
{
	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		const struct event_desc *d = event_desc(k);

		spans[k] =
		    d == NULL || d->shape == SHAPE_POINT
			? 0
			: (uint8_t)(d->class << 2 |
				    (d->shape == SHAPE_BEGIN ? SPAN_BEGINS
							     : SPAN_ENDS));
	}
}

/* What is open of a class, so that it is known when nothing is. */
static inline void
convert_span(struct slot *s, uint8_t span)
{
	uint32_t *open = &s->open[span >> 2];

	if ((span & SPAN_BEGINS) != 0)
		++*open;
	else if (*open > 0)
		--*open;
}

/* The record is in the program's own words, or is replaced. */
static void
convert_invalid(struct drain_po *dp, struct slot *s, struct node_event *e)
{
	struct stream *st = s->st;

	if (!dp->warned)
		log_warnx("po %u thread %u: a record makes no sense; counted "
			  "as lost",
		    st->po, st->thread);
	dp->warned = true;
	s->invalid++;
	st->lost++;
	st->lost_records++;
	e->kind = EV_lost;
	e->a = 1;
	e->b = st->lost;
	e->c = LOST_INVALID;
}

static void
convert_lost(struct drain_po *dp, struct slot *s, struct node_event *e)
{
	if (e->a > LOST_MAX) {
		convert_invalid(dp, s, e);
		return;
	}
	if (e->c == 0 || e->c >= LOST_REASONS)
		e->c = LOST_RING_FULL;
	s->st->lost += e->a;
	s->st->lost_records++;
	e->b = s->st->lost;
}

/* The first of its program is said with its time: the clock may be another. */
static void
convert_say_time(struct drain_po *dp, const struct slot *s, int64_t t_ns)
{
	int64_t off_ns = t_ns - dp->d->now_ns[dp->source.clock];

	if (!dp->warned)
		log_warnx("po %u thread %u: a time stamp is %.3f s off this "
			  "node's clock (another time namespace?); such ones "
			  "are counted as lost",
		    s->st->po, s->st->thread, (double)off_ns / 1e9);
	dp->warned = true;
}

/* 0 is the time of a slot that nobody has ever filled. */
static inline bool
convert_possible(const struct drain_po *dp, const struct ring_record *r,
    int64_t t_ns)
{
	return (r->t_cycles != 0 && t_ns >= dp->floor_ns &&
		t_ns <= dp->d->latest_ns[dp->source.clock] + AHEAD_NS);
}

/* Where nonsense is told: behind the record before it. */
static int64_t
convert_place(const struct drain_po *dp, const struct slot *s)
{
	return (s->last_ns != INT64_MIN ? s->last_ns
					: dp->d->now_ns[dp->source.clock]);
}

void
drain_convert(struct drain_po *dp, struct slot *s, const struct ring_record *r,
    struct node_event *e, size_t n)
{
	const struct drain *d = dp->d;
	const struct nodeclock *nc = &d->clocks[dp->source.clock];
	int64_t t_ns;
	uint8_t kind;

	for (size_t i = 0; i < n; i++, r++, e++) {
		t_ns = nodeclock_ns(nc, r->t_cycles);
		kind = r->kind < EVENT_KINDS ? d->kinds[r->kind] : 0;
		if (!convert_possible(dp, r, t_ns)) {
			convert_say_time(dp, s, t_ns);
			t_ns = convert_place(dp, s);
			kind = 0;
		}
		if (t_ns > s->last_ns)
			s->last_ns = t_ns;
		*e = (struct node_event){
			.t_node_ns = t_ns,
			.a = r->a,
			.b = r->b,
			.c = r->c,
			.kind = r->kind,
		};
		if (kind & KIND_OK) {
			if ((kind & KIND_NAMED) && e->c > dp->po->names)
				e->c = 0;
			if (kind & KIND_CODE)
				drain_places_convert(dp, e);
			if (d->spans[e->kind] != 0)
				convert_span(s, d->spans[e->kind]);
		} else if (kind == KIND_LOST)
			convert_lost(dp, s, e);
		else
			convert_invalid(dp, s, e);
	}
}
