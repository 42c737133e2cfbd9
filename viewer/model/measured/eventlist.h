/*
 * Events that are kept as they come, to be added up when they are asked for:
 * of memory, and counts of locks.  32 bytes each, of an eighth of the memory
 * allowed; one writer, any number of readers.
 */
#ifndef VIEWER_EVENTLIST_H
#define VIEWER_EVENTLIST_H

#include "model/run/take.h"

/* Writer. */
void event_list_init(struct event_list *);
void event_list_clear(struct event_list *);
void event_list_add(struct model *, struct event_list *, const struct event *);

uint32_t event_list_n(const struct event_list *);
/* Later ones are not kept. */
bool event_list_cut(const struct event_list *);

/* The i-th, of a list that has more than that. */
static inline const struct listed_event *
event_list_at(const struct event_list *l, uint32_t i)
{
	return (chunk_at(&l->events, i));
}

#endif
