/* What is recorded of a process, brought into its memory. */
#ifndef COLLECTOR_DRAIN_CHOICE_H
#define COLLECTOR_DRAIN_CHOICE_H

#include "choice.h"
#include "drain.h"

/*
 * From now on this is recorded; told in the word about the process, if it is
 * something else than before.  on: events are taken now at all.
 */
void drain_choose(struct drain_po *, const struct choice_of *, bool on,
    int64_t now_node_ns);
/* Nothing is recorded while events are not taken. */
void drain_choice_mask(struct drain_po *, bool on);
/* It is known what is at a place of its code. */
void drain_choice_symbol(struct drain_po *, const struct msg_symbol *);
/* Once a second: tells what could not be told. */
void drain_choice_second(struct drain_po *, bool on, int64_t now_node_ns);
/* Before its end is told.  -1: not all that there is to say, for now. */
int drain_choice_end(struct drain_po *, int64_t now_node_ns);
void drain_choice_free(struct drain_po *);

#endif
