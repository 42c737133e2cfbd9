/* Shared by the files of a run; writer only unless said otherwise. */
#ifndef VIEWER_RUN_INSIDE_H
#define VIEWER_RUN_INSIDE_H

#include "model/run/adding.h"

/* odd.c: as number_is_possible(), of a node: each frame walks over all that
 * there may be. */
bool node_is_possible(const struct model *, uint32_t node);

/* define.c: of a text, TEXT_HASH being that of none; by it names are found */
#define TEXT_HASH 0xcbf29ce484222325u
uint64_t hash_on(uint64_t hash, const void *, size_t);

/* health.c */
void health_init(struct node_data *);
void health_clear(struct node_data *);
void health_segment(struct model *, struct node_data *,
    const struct msg_segment *);

#endif
