/*
 * Effects that were let go and whose cause comes after all, as a growing log
 * has them: they are told apart from those that have none, where they stand.
 *
 * The one effect of a cause waits for it under its key (links.c).  Of those
 * that share their causes several may wait, each under a key of its own.
 */
#include "events_inside.h"

#define WAITING_MAX 64u /* effects of one key */

void
early_found(struct model *m, const struct open_pair *p, const struct event *e,
    const struct kind_info *k)
{
	struct event mark = { .kind = EV_found,
		.t_mon_ns = p->t_ns,
		.location = p->location,
		.a = k->key == KEY_B ? e->b : e->a,
		.b = (uint64_t)e->t_mon_ns - (uint64_t)p->t_ns,
		.c = e->kind };
	const struct location *l = define_location(m, p->location);

	if (l == NULL)
		return;
	if (fetched_of(m)->whole == NULL)
		health_event(m, l->node, &mark);
	mark_add(m, l->lane, &mark);
}

/* Effects of one key that were let go are beside each other. */
static uint64_t
waiting_key(uint64_t key, unsigned i)
{
	return (idmap_mix(key + (i + 1) * 0x9e3779b97f4a7c15ull) | 1);
}

/* One of several that share their causes, some of which are not there yet. */
void
early_waits(struct model *m, const struct event *e, const struct kind_info *k,
    uint64_t key)
{
	struct open_pair *p = open_find(&links_of(m)->open, key);
	uint32_t need = k->match == MATCH_all ? e->c : 1, had;
	unsigned i = 0;

	had = p == NULL ? 0 : k->match == MATCH_all ? p->number : 1;
	if (had >= need)
		return;
	while (
	    i < WAITING_MAX &&
	    (p = open_find(&links_of(m)->open, waiting_key(key, i))) != NULL &&
	    p->number > 0)
		i++;
	if (i == WAITING_MAX ||
	    (p = open_add(m, &links_of(m)->open, waiting_key(key, i))) == NULL)
		return;
	p->effect = 1;
	p->t_ns = e->t_mon_ns;
	p->location = e->location;
	p->number = need - had;
	links_of(m)->open.waiting++;
}

/* Another cause of theirs: it may have been the last that they lacked. */
void
early_others(struct model *m, const struct event *e, const struct kind_info *k,
    uint64_t key)
{
	struct open_pair *p;

	for (unsigned i = 0; links_of(m)->open.waiting > 0; i++) {
		p = open_find(&links_of(m)->open, waiting_key(key, i));
		if (p == NULL || i == WAITING_MAX)
			return;
		if (p->number == 0 || --p->number > 0)
			continue;
		links_of(m)->open.waiting--;
		early_found(m, p, e, k);
	}
}
