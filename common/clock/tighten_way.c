/*
 * One direction of a pair: what is kept of its messages.
 *
 * Of the messages of a short window from one node to another only the fastest
 * says much, and only that one is kept: when it was sent and taken, by the
 * nodes' own clocks, so that it outlives every change of the lines it is looked
 * at through.  Of four old windows again only the fastest is kept.
 */
#include <string.h>

#include "tighten_inside.h"

#define MERGED 4

void
tighten_message(struct tighten *t, uint32_t from, uint32_t to,
    int64_t sent_mon_ns, int64_t taken_mon_ns)
{
	int64_t took = taken_mon_ns - sent_mon_ns;
	struct tighten_pair *p;
	struct tighten_way *w;

	/* nodes not told of yet have no clock to be tightened */
	if (from == to || from >= t->nclocks || to >= t->nclocks ||
	    took > TIGHTEN_TOOK_MAX_NS || took < -TIGHTEN_TOOK_MAX_NS)
		return;
	t->stats.messages++;
	p = from < to ? tighten_pair_find(t, from, to)
		      : tighten_pair_find(t, to, from);
	if (p == NULL) {
		t->stats.refused++;
		return;
	}
	w = &p->ways[from > to];
	if (w->any && w->took_ns <= took)
		return;
	w->any = true;
	w->took_ns = took;
	w->sent_mon_ns = sent_mon_ns;
	w->taken_mon_ns = taken_mon_ns;
}

static bool
unmap(const struct tighten_clock *c, int64_t mon_ns, int64_t *node_ns)
{
	const struct clock_segment *seg;

	if (!c->told || c->map->n == 0)
		return (false);
	*node_ns = clockmap_node(c->map, mon_ns);
	seg = clockmap_find(c->map, *node_ns);
	return (seg->epoch == c->epoch);
}

/* The four oldest of the fine windows become one: their fastest, as seen now.
 */
static void
way_merge(struct tighten_way *w, const struct clock_line *from,
    const struct clock_line *to)
{
	int64_t took, least = INT64_MAX;
	uint32_t best = 0;

	for (uint32_t i = 0; i < MERGED; i++) {
		took = clock_line_mon(to, w->fine[i].taken_node_ns) -
		       clock_line_mon(from, w->fine[i].sent_node_ns);
		if (took < least) {
			least = took;
			best = i;
		}
	}
	if (w->coarse_n == TIGHTEN_COARSE)
		memmove(w->coarse, w->coarse + 1,
		    --w->coarse_n * sizeof(*w->coarse));
	w->coarse[w->coarse_n++] = w->fine[best];
	w->fine_n -= MERGED;
	memmove(w->fine, w->fine + MERGED, w->fine_n * sizeof(*w->fine));
}

/* Keeps the fastest message of the window. */
bool
tighten_way_close(struct tighten_way *w, const struct tighten_clock *from,
    const struct tighten_clock *to)
{
	struct tighten_sample s;

	if (!w->any)
		return (false);
	w->any = false;
	if (!unmap(from, w->sent_mon_ns, &s.sent_node_ns) ||
	    !unmap(to, w->taken_mon_ns, &s.taken_node_ns))
		return (false);
	if (w->fine_n == TIGHTEN_FINE)
		way_merge(w, &from->line, &to->line);
	w->fine[w->fine_n++] = s;
	return (true);
}
