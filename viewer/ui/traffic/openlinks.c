/*
 * Looks for messages and calls whose effect has not come.
 *
 * Each piece of time is looked at once, as the run grows.
 */
#include "openlinks.h"

#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "linkpiece.h"

#define LINKS_AT 256 /* that begin or end at an instant */

static bool
is_way(const struct link *l)
{
	return (l->kind0 == EV_send || l->kind0 == EV_rpc_call ||
		l->kind0 == EV_rpc_end);
}

static void
add(struct open_links *o, const struct link *l)
{
	struct link *more;

	if (o->n == o->cap) {
		o->cap = o->cap == 0 ? 64 : o->cap * 2;
		more = realloc(o->link, o->cap * sizeof(*more));
		if (more == NULL) {
			o->failed = true;
			o->cap = o->n;
			return;
		}
		o->link = more;
	}
	o->link[o->n++] = *l;
}

bool
open_links_step(struct open_links *o, const struct model *m)
{
	int64_t end = model_last_ns(m), to = end;
	struct link *v;
	size_t n = 0;

	if (o->model != m || o->rewritten != model_rewritten(m)) {
		open_links_clear(o);
		o->model = m;
		o->rewritten = model_rewritten(m);
		o->at_ns = model_first_ns(m);
		o->step_ns = end / 64 - o->at_ns / 64 + 1; /* of all times */
	}
	if (o->at_ns > end || o->failed)
		return (true);
	/* of the last instant more may come */
	v = link_piece(m, o->at_ns, end, 1, &o->step_ns, &to, &n);
	o->failed = v == NULL;
	for (size_t i = 0; v != NULL && i < n; i++)
		if (is_way(&v[i]) && v[i].t1_mon_ns == INT64_MAX &&
		    v[i].t0_mon_ns >= o->at_ns && v[i].t0_mon_ns < to)
			add(o, &v[i]);
	free(v);
	o->at_ns = to;
	return (o->failed || o->at_ns >= end);
}

static bool
is_open(const struct model *m, const struct link *l)
{
	static struct link v[LINKS_AT];
	size_t n = model_links(m, l->t0_mon_ns, l->t0_mon_ns + 1, v, LINKS_AT);

	n = n < LINKS_AT ? n : LINKS_AT;
	for (size_t i = 0; i < n; i++)
		if (v[i].kind0 == l->kind0 && v[i].id == l->id &&
		    v[i].t0_mon_ns == l->t0_mon_ns)
			return (v[i].t1_mon_ns == INT64_MAX);
	return (true);
}

size_t
open_links_check(struct open_links *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n; i++)
		if (is_open(o->model, &o->link[i]))
			o->link[n++] = o->link[i];
	o->n = n;
	return (n);
}

void
open_links_clear(struct open_links *o)
{
	free(o->link);
	memset(o, 0, sizeof(*o));
}
