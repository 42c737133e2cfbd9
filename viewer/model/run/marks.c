/*
 * Marks: instants that are worth one, in the order in which they became
 * known.  Those that tell of loss or doubt are kept a second time, so that
 * they are found however many others there are.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/run/inside.h"
#include "own.h"

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

/* parts: also what belongs to other marks. */
static size_t
marks_within(const struct interval *v, int64_t t0, int64_t t1, bool parts,
    struct mark *out, size_t max)
{
	const struct mark *k;
	size_t n = 0;
	int sorted = 1;
	uint32_t i, count = interval_count(v);

	for (i = 0; (i = interval_find(v, i, t0, t1)) < count; i++) {
		k = interval_at(v, i);
		if (k == NULL || k->t_mon_ns < t0 || k->t_mon_ns >= t1 ||
		    (k->kind == EV_own_more && !parts))
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
	    false, out, max));
}

uint64_t
model_marks_count(const struct model *m, uint16_t kind, int64_t t0, int64_t t1)
{
	const struct interval *v = &marks_of(detail_for(m, t0, t1))->marks;
	uint32_t count = interval_count(v);
	const struct mark *k;
	uint64_t n = 0;

	for (uint32_t i = 0; (i = interval_find(v, i, t0, t1)) < count; i++) {
		k = interval_at(v, i);
		n += k != NULL && k->kind == kind && k->t_mon_ns >= t0 &&
		     k->t_mon_ns < t1;
	}
	return (n);
}

size_t
model_alerts(const struct model *m, int64_t t0, int64_t t1, struct mark *out,
    size_t max)
{
	return (marks_within(&marks_of(m)->alerts, t0, t1, false, out, max));
}

#define OWN_NEAR_NS INT64_C(100000)     /* its parts mostly are */
#define OWN_FAR_NS  INT64_C(1000000000) /* nor are they older */
#define OWN_MARKS   4096u               /* nor so many marks away */

static const char *
text_of(const void *m, uint32_t name)
{
	return (model_name(m, name));
}

/* Those that end with this one, and some before; how many. */
static size_t
own_marks(const struct model *m, const struct mark *k, int64_t before_ns,
    struct mark *v)
{
	size_t n;

	do {
		int64_t t0 = k->t_mon_ns - before_ns, t1 = k->t_mon_ns + 1;

		n = marks_within(&marks_of(detail_for(m, t0, t1))->marks, t0,
		    t1, true, v, OWN_MARKS);
		before_ns /= 4;
	} while (n > OWN_MARKS && before_ns > 0);
	return (n > OWN_MARKS ? OWN_MARKS : n);
}

static bool
is_mark(const struct mark *a, const struct mark *b)
{
	return (a->kind == b->kind && a->t_mon_ns == b->t_mon_ns &&
		a->a == b->a && a->b == b->b && a->c == b->c);
}

/* Puts the marks of its thread together; true: all of it is known. */
static bool
own_of(const struct model *m, const struct mark *k, const struct mark *v,
    size_t n, struct own_event *out)
{
	struct own *o = own_new(text_of, m);
	struct own_event found;
	bool all = false;

	for (size_t i = 0; o != NULL && i < n; i++) {
		const struct event e = { .kind = v[i].kind,
			.a = v[i].a,
			.b = v[i].b,
			.c = v[i].c };

		if (v[i].lane != k->lane ||
		    own_event(o, &e, &found) != OWN_WHOLE || !is_mark(&v[i], k))
			continue;
		*out = found;
		all = true;
		for (unsigned f = 0; f < found.kind->fields; f++)
			all &= found.known[f];
	}
	own_free(o);
	return (all);
}

bool
model_own(const struct model *m, const struct mark *k, struct own_event *out,
    struct own_kind *kind)
{
	const char *text = model_name(m, k->c);
	struct mark *v;
	size_t n;

	memset(out, 0, sizeof(*out));
	if (k->kind != EV_own || text == NULL ||
	    own_parse(kind, text) != NULL ||
	    (v = malloc(OWN_MARKS * sizeof(*v))) == NULL)
		return (false);
	for (int64_t ns = OWN_NEAR_NS; ns <= OWN_FAR_NS; ns *= 100) {
		n = own_marks(m, k, ns, v);
		if (own_of(m, k, v, n, out))
			break;
	}
	free(v);
	out->kind = kind;
	return (true);
}
