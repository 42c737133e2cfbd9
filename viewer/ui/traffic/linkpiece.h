/* Links of a range, a piece of time after the other. */
#ifndef VIEWER_LINKPIECE_H
#define VIEWER_LINKPIECE_H

#include "model/model.h"

/*
 * The links that touch a piece of [at, end), forwards from at or, way < 0,
 * backwards from end; the other end of the piece is *to, *n of them.  A piece
 * is *step_ns long; one with too many links is cut, and *step_ns with it; of
 * few links the next is longer.  The caller frees them.  NULL: ENOMEM.
 */
struct link *link_piece(const struct model *, int64_t at, int64_t end, int way,
    int64_t *step_ns, int64_t *to, size_t *n);

#endif
