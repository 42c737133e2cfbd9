/*
 * Finds what is on its way at an instant.
 *
 * A message and the way of a call there and back are links that touch the
 * instant; who serves one is in that span, and the link that ends where it
 * begins tells for whom.
 */
#include "talklook.h"

#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "talkparts.h"
#include "ui/desk/desk.h"

#ifdef ORRERY_SMALL /* as in proto/log/block.h */
#define LINKS_MOST 256
#else
#define LINKS_MOST 16384 /* at an instant */
#endif
#define DEEP 64 /* spans of a thread */

const char *const now_word[NOW_KINDS] = { "message", "setup", "remote",
	"return" };

static void
add(struct now *w, const struct now_item *i)
{
	struct now_item *more;

	if (w->n == w->cap) {
		w->cap = w->cap == 0 ? 64 : w->cap * 2;
		more = realloc(w->item, w->cap * sizeof(*more));
		if (more == NULL) {
			w->cap = w->n;
			w->more = true;
			return;
		}
		w->item = more;
	}
	w->item[w->n++] = *i;
	w->count[i->kind]++;
}

static void
add_link(struct now *w, const struct link *l)
{
	struct now_item k = { NOW_MESSAGE, l->lane0, l->lane1, *l };

	if (l->t0_mon_ns > w->t_ns || l->t1_mon_ns <= w->t_ns)
		return;
	if (l->kind0 == EV_rpc_call)
		k.kind = NOW_SETUP;
	else if (l->kind0 == EV_rpc_end)
		k = (struct now_item){ NOW_RETURN, l->lane1, l->lane0, *l };
	else if (l->kind0 != EV_send)
		return;
	add(w, &k);
}

/* Links that have begun by then, and whose effect comes later, or not yet. */
static void
add_links(struct ui *ui, struct now *w)
{
	struct open_links *open = flow_open(ui);
	struct link *v = malloc((LINKS_MOST + 1) * sizeof(*v));
	size_t n = v == NULL ? 0
			     : model_links(ui->model, w->t_ns, w->t_ns + 1, v,
				   LINKS_MOST);

	w->more = v == NULL || n > LINKS_MOST;
	n = n > LINKS_MOST ? LINKS_MOST : n;
	for (size_t i = 0; i < n; i++)
		if (v[i].t1_mon_ns != INT64_MAX || v[i].t0_mon_ns == w->t_ns)
			add_link(w, &v[i]);
	free(v);
	n = open->model == ui->model ? open_links_check(open) : 0;
	for (size_t i = 0; i < n; i++)
		if (open->link[i].t0_mon_ns < w->t_ns)
			add_link(w, &open->link[i]);
}

/* Who has called what is served from t on; UINT32_MAX: nobody knows. */
static uint32_t
caller_of(const struct model *m, uint32_t lane, int64_t t)
{
	struct link v[DEEP];
	size_t n = model_links(m, t, t + 1, v, DEEP);

	n = n > DEEP ? DEEP : n;
	for (size_t i = 0; i < n; i++)
		if (v[i].kind0 == EV_rpc_call && v[i].lane1 == lane &&
		    v[i].t1_mon_ns == t)
			return (v[i].lane0);
	return (UINT32_MAX);
}

static void
add_service(const struct model *m, struct now *w, uint32_t lane,
    const struct span *s)
{
	struct now_item k = { NOW_REMOTE, caller_of(m, lane, s->t0_mon_ns),
		lane, { .t0_mon_ns = s->t0_mon_ns, .t1_mon_ns = INT64_MAX } };

	k.link.lane0 = k.from;
	k.link.lane1 = lane;
	add(w, &k);
}

static void
add_served(const struct model *m, struct now *w)
{
	uint32_t lanes = model_lanes(m);
	struct span s[DEEP];
	size_t n;

	for (uint32_t i = 0; i < lanes; i++) {
		if (model_lane(m, i)->kind != LANE_THREAD)
			continue;
		n = model_stack(m, i, w->t_ns, s, DEEP);
		n = n > DEEP ? DEEP : n;
		for (size_t k = 0; k < n; k++)
			if (s[k].kind == SPAN_serve)
				add_service(m, w, i, &s[k]);
	}
}

static int
by_kind(const void *a, const void *b)
{
	const struct now_item *p = a, *q = b;

	if (p->kind != q->kind)
		return (p->kind < q->kind ? -1 : 1);
	if (p->link.t0_mon_ns != q->link.t0_mon_ns)
		return (p->link.t0_mon_ns < q->link.t0_mon_ns ? -1 : 1);
	return (p->from < q->from ? -1 : p->from > q->from);
}

bool
now_look(struct ui *ui, int64_t t_mon_ns, struct now *w)
{
	memset(w, 0, sizeof(*w));
	w->t_ns = t_mon_ns;
	if (model_links_gone(ui->model))
		return (false);
	add_links(ui, w);
	add_served(ui->model, w);
	if (w->n > 1)
		qsort(w->item, w->n, sizeof(*w->item), by_kind);
	return (true);
}
