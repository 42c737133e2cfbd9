/*
 * The log while it grows, as a monitord that starts now would find it.
 *
 * What is below a thread's last number counts as stored, so a thread's events
 * must be in the file in the order of their numbers and without a hole,
 * wherever the file ends: late blocks included.  Viewers are sent these very
 * frames, so an effect that stands before its cause must say so; and when
 * nothing goes wrong and nothing is lost, none does, nor is one an orphan.
 */
#include <stdlib.h>
#include <string.h>

#include "log/block.h"
#include "tests/sim/causes.h"
#include "tests/sim/world_inside.h"

struct growing {
	struct world *w;
	uint64_t *next; /* by location: the number that comes next */
	size_t n;
	struct causes *causes;
	uint64_t orphans;
	struct event *events; /* of a block */
	struct buf scratch;
};

static void
lane(struct growing *g, const struct block_lane *l)
{
	uint64_t *next;

	if (l->location >= g->n) {
		size_t more = l->location + 64;

		g->next = realloc(g->next, more * sizeof(*g->next));
		if (g->next == NULL)
			abort();
		memset(g->next + g->n, 0, (more - g->n) * sizeof(*g->next));
		g->n = more;
	}
	next = &g->next[l->location];
	/* a record of loss stands for those before it */
	if (l->first_seq < *next ||
	    (l->first_seq > *next && l->class_events[CLASS_monitor] == 0)) {
		g->w->r->violations++;
		wrong(g->w,
		    "log as it grows: location %u goes on with event %llu "
		    "behind %llu",
		    l->location, (unsigned long long)l->first_seq,
		    (unsigned long long)*next);
	}
	*next = l->first_seq + l->events;
}

static void
block(struct growing *g, const struct frame *f)
{
	struct block_lane *lanes;
	struct msg_block m;
	size_t n;

	if (msg_decode(f->type, f->body, f->body_bytes, &m) == -1 ||
	    block_read_lanes(&m, &lanes, &n) == -1)
		return;
	for (size_t i = 0; i < n; i++)
		lane(g, &lanes[i]);
	free(lanes);
	if (block_read(&m, g->events, &g->scratch) == -1)
		return;
	for (uint32_t i = 0; i < m.events; i++) {
		causes_event(g->causes, &g->events[i]);
		g->orphans += (g->events[i].flags & EVENT_ORPHAN) != 0;
	}
}

/* Causes that have come in time, since nothing was lost or struck. */
static void
all_waited_for(struct growing *g)
{
	struct world *w = g->w;

	/* a spool that names have filled lets its node be passed over */
	if (!w->p.calm || w->p.names > APP_NAMES || g->orphans == 0 ||
	    programs_lost(w) > 0)
		return;
	w->r->violations++;
	wrong(w, "log as it grows: %llu orphans though nothing was lost",
	    (unsigned long long)g->orphans);
}

void
check_growing(struct world *w)
{
	struct growing g = { .w = w };
	const unsigned char *p;
	struct frame f;
	size_t n;

	g.causes = causes_new(w, "log as it grows");
	g.events = malloc(BLOCK_EVENTS_MAX * sizeof(*g.events));
	if (g.events == NULL)
		abort();
	p = sim_machine_file(w->center, LOG_PATH, &n);
	while (p != NULL && frame_parse(p, n, &f) == FRAME_OK) {
		if (f.type == MSG_block)
			block(&g, &f);
		p += f.frame_bytes;
		n -= f.frame_bytes;
	}
	all_waited_for(&g);
	causes_free(g.causes);
	buf_free(&g.scratch);
	free(g.events);
	free(g.next);
}
