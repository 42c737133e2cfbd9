/*
 * Marks: instants that are worth one, in the order in which they became
 * known.  Those that tell of loss or doubt are kept a second time, so that
 * they are found however many others there are.
 */
#include <errno.h>
#include <stdlib.h>

#include "model/run/inside.h"

static void
mark_add_to(struct model *m, struct interval *v, uint32_t lane,
    const struct event *e)
{
	const struct location *l =
	    chunk_at(&defs_of(m)->locations, e->location);
	struct mark *new = interval_next(v, &held_of(m)->bytes);

	if (new == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	*new = (struct mark){ e->t_mon_ns, lane, e->kind, e->flags, e->a, e->b,
		e->c, l == NULL ? 0 : l->node };
	interval_publish(v, e->t_mon_ns, e->t_mon_ns);
}

void
mark_add(struct model *m, uint32_t lane, const struct event *e)
{
	mark_add_to(m, &marks_of(m)->marks, lane, e);
	if (held_of(m)->kinds[e->kind].class == CLASS_monitor ||
	    e->kind == EV_po_end)
		mark_add_to(m, &marks_of(m)->alerts, lane, e);
}

void
loss_add(struct model *m, int64_t t0, int64_t t1)
{
	struct loss *new;

	if (fetched_of(m)->whole != NULL)
		return;
	new = interval_next(&marks_of(m)->losses, &held_of(m)->bytes);
	if (new == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	*new = (struct loss){ t0, t1 };
	interval_publish(&marks_of(m)->losses, t0, t1);
}

static int
mark_compare(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	return (x->t_mon_ns < y->t_mon_ns ? -1 : x->t_mon_ns > y->t_mon_ns);
}

static size_t
marks_within(const struct interval *v, int64_t t0, int64_t t1, struct mark *out,
    size_t max)
{
	const struct mark *k;
	size_t n = 0;
	int sorted = 1;
	uint32_t i, count = interval_count(v);

	for (i = 0; (i = interval_find(v, i, t0, t1)) < count; i++) {
		k = interval_at(v, i);
		if (k == NULL || k->t_mon_ns < t0 || k->t_mon_ns >= t1)
			continue;
		if (n == max) {
			n++;
			break;
		}
		if (n > 0 && k->t_mon_ns < out[n - 1].t_mon_ns)
			sorted = 0;
		out[n++] = *k;
	}
	if (!sorted) /* late ones are at the end */
		qsort(out, n > max ? max : n, sizeof(*out), mark_compare);
	return (n);
}

size_t
model_marks(const struct model *m, int64_t t0, int64_t t1, struct mark *out,
    size_t max)
{
	return (marks_within(&marks_of(detail_for(m, t0, t1))->marks, t0, t1,
	    out, max));
}

size_t
model_alerts(const struct model *m, int64_t t0, int64_t t1, struct mark *out,
    size_t max)
{
	return (marks_within(&marks_of(m)->alerts, t0, t1, out, max));
}
