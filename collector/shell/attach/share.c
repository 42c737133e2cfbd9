/*
 * A group's eighth is cut into a power of two of parts, at least one for each
 * process: who comes or goes seldom changes what the others have.  Nothing is
 * taken away from one that has more than its part already.
 */
#include "share.h"

#include <stdlib.h>
#include <string.h>

#include "collector/shell/system/memlimit.h"
#include "held.h"

#define OF_LIMIT 8 /* the eighth */

struct share {
	char group[MEMLIMIT_GROUP];
	uint64_t records; /* of all its processes */
	uint32_t n, parts;
	struct held *first;
	struct share *next;
};

/* At least one record: 0 would be no limit. */
static void
give(const struct share *s, struct held *h)
{
	atomic_store_explicit(&h->seg->growth.may, s->records / s->parts + 1,
	    memory_order_relaxed);
}

static void
cut(struct share *s, uint32_t parts)
{
	s->parts = parts;
	for (struct held *h = s->first; h != NULL; h = h->shares_next)
		give(s, h);
}

void
share_join(struct share **all, struct held *h)
{
	char group[MEMLIMIT_GROUP];
	uint64_t limit = memlimit_of(h->m.pid, group);
	uint64_t records = limit / OF_LIMIT / sizeof(struct ring_record);
	struct share *s = *all;

	while (s != NULL && strcmp(s->group, group) != 0)
		s = s->next;
	if (s == NULL) {
		s = calloc(1, sizeof(*s));
		if (s == NULL)
			return;
		memcpy(s->group, group, sizeof(group));
		s->parts = 1;
		s->next = *all;
		*all = s;
	}
	h->share = s;
	h->shares_before = NULL;
	h->shares_next = s->first;
	if (s->first != NULL)
		s->first->shares_before = h;
	s->first = h;
	s->n++;
	if (records != s->records || s->n > s->parts) {
		s->records = records; /* it may be another one now */
		cut(s, s->n > s->parts ? s->parts * 2 : s->parts);
	} else {
		give(s, h);
	}
}

void
share_leave(struct share **all, struct held *h)
{
	struct share *s = h->share, **p = all;

	if (s == NULL)
		return;
	h->share = NULL;
	*(h->shares_before == NULL ? &s->first
				   : &h->shares_before->shares_next) =
	    h->shares_next;
	if (h->shares_next != NULL)
		h->shares_next->shares_before = h->shares_before;
	if (--s->n > 0) {
		if (s->n < s->parts / 4)
			cut(s, s->parts / 2);
		return;
	}
	while (*p != s)
		p = &(*p)->next;
	*p = s->next;
	free(s);
}
