/* Events that are kept as they come, to be added up when they are asked for. */
#include "model/measured/eventlist.h"

#include <errno.h>

#define PART  8          /* of the memory allowed, at most */
#define LEAST (1u << 20) /* events, whatever that is */
#define MOST  (UINT32_C(1) << 28)

void
event_list_init(struct event_list *l)
{
	chunk_init(&l->events, sizeof(struct listed_event), 4);
}

void
event_list_clear(struct event_list *l)
{
	chunk_clear(&l->events);
}

static uint32_t
most_events(const struct model *m)
{
	uint64_t n = model_memory(m) / PART / sizeof(struct listed_event);

	if (model_memory(m) == 0 || n > MOST)
		return (MOST);
	return (n < LEAST ? LEAST : (uint32_t)n);
}

void
event_list_add(struct model *m, struct event_list *l, const struct event *e)
{
	uint32_t n = event_list_n(l);
	struct listed_event *new;

	if (fetched_of(m)->whole != NULL)
		return; /* it has been told */
	if (n >= most_events(m)) {
		atomic_store(&l->cut, true);
		return;
	}
	new = chunk_make(&l->events, n, &held_of(m)->bytes);
	if (new == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	*new = (struct listed_event){ e->t_mon_ns, e->a, e->b, e->c,
		e->location & LISTED_LOCATION, (uint8_t)e->kind };
	atomic_store_explicit(&l->n, n + 1, memory_order_release);
}

uint32_t
event_list_n(const struct event_list *l)
{
	return (atomic_load_explicit(&l->n, memory_order_acquire));
}

bool
event_list_cut(const struct event_list *l)
{
	return (atomic_load(&l->cut));
}
