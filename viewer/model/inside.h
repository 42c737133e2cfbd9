/* The inside of the way in: what a model is, from the lowest room up. */
#ifndef VIEWER_INSIDE_H
#define VIEWER_INSIDE_H

#include "message.h"
#include "model/events/events.h"
#include "model/model.h"
#include "model/past/part.h"

struct model {
	struct past_part below;
	/* scratch of model_add_frame */
	struct event *batch;
	size_t batch_cap;
	struct buf scratch;
};

/* model.c: how many there are, but for details; one of them is a detail */
int model_count(void);
void model_is_detail(void);

/* ahead.c: writer; asks for the memory of e[0] and those behind it, of which
 * `left` are there */
void ahead(struct model *, const struct event *, size_t left);

/* detail.c */
void detail_clear(struct model *);

#endif
