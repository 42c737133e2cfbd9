/* Events of memory, as they come; see heap.h. */
#include "heap.h"

#include <errno.h>

#include "model/run/take.h"

#define PART  8          /* of the memory allowed, at most */
#define LEAST (1u << 20) /* events, whatever that is */
#define MOST  (UINT32_C(1) << 28)

void
heap_init(struct model *m)
{
	chunk_init(&heap_of(m)->events, sizeof(struct heap_event), 4);
}

void
heap_clear(struct model *m)
{
	chunk_clear(&heap_of(m)->events);
}

static uint32_t
most_events(const struct model *m)
{
	uint64_t n = model_memory(m) / PART / sizeof(struct heap_event);

	if (model_memory(m) == 0 || n > MOST)
		return (MOST);
	return (n < LEAST ? LEAST : (uint32_t)n);
}

void
heap_event(struct model *m, const struct event *e)
{
	struct heap *h = heap_of(m);
	uint32_t n = atomic_load_explicit(&h->n, memory_order_relaxed);
	struct heap_event *new;

	if (fetched_of(m)->whole != NULL)
		return; /* it has been told */
	if (n >= most_events(m)) {
		atomic_store(&h->cut, true);
		return;
	}
	new = chunk_make(&h->events, n, &held_of(m)->bytes);
	if (new == NULL) {
		held_of(m)->failed = ENOMEM;
		return;
	}
	*new = (struct heap_event){ e->t_mon_ns, e->a, e->b, e->c,
		e->location & HEAP_LOCATION, (uint8_t)e->kind };
	atomic_store_explicit(&h->n, n + 1, memory_order_release);
}

uint32_t
model_heap_events(const struct model *m)
{
	return (atomic_load_explicit(&heap_of(m)->n, memory_order_acquire));
}

bool
model_heap_cut(const struct model *m)
{
	return (atomic_load(&heap_of(m)->cut));
}
