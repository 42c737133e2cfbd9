/*
 * A span in the rows of its thread.  A thread's lane shows the innermost span
 * only, in pieces; the row of its depth has it from its begin to its end, but
 * for waits that lie over it.  When one further out ends it moves up, and goes
 * on in the row before.
 *
 * Readers, within retired_enter() or model_enter() of the model.
 */
#ifndef VIEWER_SPANROW_H
#define VIEWER_SPANROW_H

#include "model/lod/lodtree.h"
#include "model/run/take.h"

struct span_row {
	uint32_t lane, before; /* UINT32_MAX: there is none */
	struct lod_cursor cursor;
	struct lod_piece piece; /* the cursor stands behind it */
};

/* NULL: it has none of its own. */
const struct lod *span_row_lod(const struct model *, uint32_t lane);
const struct lod_state *span_row_state(const struct model *,
    const struct span_row *);
/* It lies over the span in which it happens. */
bool span_row_over(const struct lod_state *);

/* Where it begins: in the thread's own lane, if that has no rows. */
bool span_row_find(const struct model *, uint32_t thread, const struct span *,
    struct span_row *);
/*
 * On to where it is over, in this row and those before; INT64_MAX: it goes on.
 * At most *left pieces are looked at; none are left: it is at least so long.
 */
int64_t span_row_end(const struct model *, uint32_t thread, struct span_row *,
    const struct span *, uint32_t *left);

/*
 * The span, no wait, that the row is in at t, if it has begun at `since` or
 * behind: its piece is the one with which it begins, the cursor behind that.
 * *until_ns: nothing else begins before, INT64_MAX: at all.  1; 0: there is
 * none; -1: some of it has been given up.
 */
int span_row_at(const struct model *, struct span_row *, int64_t t,
    int64_t since, int64_t *until_ns);

/*
 * The name of the span that a row (NULL: none) is in at t, or that waits lie
 * over then; 0: none.
 */
uint32_t span_row_call(const struct model *, const struct lod *, int64_t t);

#endif
