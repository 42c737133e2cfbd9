/*
 * What is open at a place, so that each end is the end of it.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/import/imported.h"

#define OPEN_MAX 65536 /* what lies deeper is not looked at */

static int
push(struct imported_open *o, const struct event *e)
{
	size_t cap = o->cap == 0 ? 8 : o->cap * 2;
	struct imported_span *more;

	if (o->n == OPEN_MAX)
		return (0);
	if (o->n == o->cap) {
		if ((more = reallocarray(o->at, cap, sizeof(*more))) == NULL)
			return (-1);
		o->at = more;
		o->cap = cap;
	}
	o->at[o->n++] = (struct imported_span){ e->a, e->kind };
	return (0);
}

/* "task:id" and "task:id" mean the same. */
static bool
is_other(const struct imported_span *s, const struct event *e,
    const struct event_desc *d)
{
	return (s->a != 0 && e->a != 0 && s->a != e->a && d->a[0] != '\0' &&
		strcmp(event_desc(s->kind)->a, d->a) == 0);
}

int
ends_close(struct imported_place *p, struct event *e,
    const struct event_desc *d)
{
	struct imported_open *o = &p->open[d->span];

	if (d->shape == SHAPE_BEGIN)
		return (push(o, e));
	if (d->shape == SHAPE_END && o->n > 0) {
		o->n--;
		if (d->span != SPAN_call && is_other(&o->at[o->n], e, d))
			e->a = 0;
	}
	return (0);
}
