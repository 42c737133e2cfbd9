/* Shared by the files of a run; writer only unless said otherwise. */
#ifndef VIEWER_RUN_INSIDE_H
#define VIEWER_RUN_INSIDE_H

#include "model/run/adding.h"

/* odd.c: as number_is_possible(), of a node: each frame walks over all that
 * there may be. */
bool node_is_possible(const struct model *, uint32_t node);

/* health.c */
void health_init(struct node_data *);
void health_clear(struct node_data *);
void health_segment(struct model *, struct node_data *,
    const struct msg_segment *);

#endif
