/* Shared by the files that make trees. */
#ifndef VIEWER_GROWN_H
#define VIEWER_GROWN_H

#include "model/forest.h"
#include "ui/desk/ui.h"

/* Makes the tree that is shown, when it is not that of tasks. */
bool grown_prepare(struct ui *);

/* Adds a node; NULL: ENOMEM, or its id was there before. */
struct grown_node *grown_add(struct grown *, const struct forest_node *);
/* The number of a colour that stands for a node or thread. */
uint16_t grown_colour(struct grown *, uint32_t lane);

/* Made of the same, so that it need not be made anew. */
bool grown_same(const struct grown_of *, const struct grown_of *);
/* Weights of all nodes, by grown.of. */
void grown_weigh(struct grown *);
/* What was seen of the tree before is found in the new one. */
void grown_find_again(struct ui *, const struct model *was);
void grown_show(struct ui *); /* it is another one now */

/* compare_tree.c: one tree of what both have, for both; false: was stopped. */
bool compare_grow(struct ui *);
/* The lane that is in the other model what this one is here; UINT32_MAX: none.
 */
uint32_t compare_lane(const struct model *, uint32_t lane,
    const struct model *other);

/* grown_places.c: the tree; and only its times, of the range that is now */
void grown_places(struct ui *, struct grown *);
void grown_times(struct ui *, struct grown *);
void grown_calls(struct ui *, struct grown *); /* grown_calls.c */

#endif
