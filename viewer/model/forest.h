/*
 * A tree that is made and not read from a log: a model whose tasks are its
 * nodes, so that whatever lays out, colours, finds and describes the reduction
 * tree does the same with it.  It has no lanes.
 */
#ifndef VIEWER_FOREST_H
#define VIEWER_FOREST_H

#include "model/model.h"

struct forest_node {
	uint64_t id;              /* one of its own, not 0 */
	uint32_t parent;          /* number; TASK_NONE: a root */
	const char *name;         /* copied once */
	int64_t begin_ns, end_ns; /* monitor ns; INT64_MIN: not yet */
	int64_t busy_ns;
	uint32_t suspensions;
	uint16_t pe;
};

struct model *forest_new(void); /* for model_free(); NULL: ENOMEM */
/* Behind its elder siblings; numbers count from 0.  TASK_NONE: ENOMEM. */
uint32_t forest_add(struct model *, const struct forest_node *);
/* All have been added, and before anybody asks. */
void forest_done(struct model *);

/* Of a text, for ids that stay the same from one tree to the next. */
uint64_t forest_hash(uint64_t parent, const char *name);

#endif
