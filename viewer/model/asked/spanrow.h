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
	uint32_t nth; /* of a row that is read: see struct span; else 0 */
};

/*
 * Which model answers for a range: the whole one, or what was read again, which
 * goes when something else has been read.  Of one of those that came before
 * nothing may be looked at any more.
 */
struct span_source {
	const struct model *m, *of;
	uint64_t details;
};
static inline struct span_source
span_source(const struct model *m, int64_t t0, int64_t t1)
{
	return ((struct span_source){ m, detail_for(m, t0, t1),
	    fetched_of(m)->details });
}
/*
 * Before it is read, and behind; false, and not entered: another one answers.
 */
struct span_door {
	unsigned whole, own;
};
bool span_source_enter(const struct span_source *, int64_t t0, int64_t t1,
    struct span_door *);
void span_source_leave(const struct span_source *, const struct span_door *);

/* A cursor is gone on with that was left: what it had open may be freed. */
static inline void
span_row_again(struct lod_cursor *c)
{
	c->opened = UINT32_MAX;
}
/* There was no next piece because it has been given up. */
static inline bool
span_row_gone(const struct lod_cursor *c)
{
	return (c->leaf < c->nleaves && c->opened != c->leaf);
}

/* NULL: it has none of its own. */
const struct lod *span_row_lod(const struct model *, uint32_t lane);
const struct lod_state *span_row_state(const struct model *,
    const struct span_row *);

/*
 * Where it begins: in the thread's own lane, if that has no rows.  Others of
 * its name may begin at that instant, further in.  seen: the row in which it
 * was seen; or the thread, and the span is a piece of the thread's own lane,
 * where all but the innermost take no time; UINT32_MAX: the one that ends with
 * it.
 */
bool span_row_find(const struct model *, uint32_t thread, uint32_t seen,
    const struct span *, struct span_row *);
/* Some of a thread's spans may be in other rows than where they have begun. */
bool span_rows_moved(const struct model *, uint32_t thread);
/*
 * On to where it is over, in this row and those before; INT64_MAX: it goes on.
 * At most *left pieces are looked at; none are left: it is at least so long.
 */
int64_t span_row_end(const struct model *, uint32_t thread, struct span_row *,
    const struct span *, uint32_t *left);
/* On to *t, where it leaves this row: for the one before, or false: it ends. */
bool span_row_leave(const struct model *, uint32_t thread, struct span_row *,
    const struct span *, uint32_t *left, int64_t *t);

/*
 * The span, no wait, that the row is in at t, if it has begun at `since` or
 * behind: its piece is the one with which it begins, the cursor behind that.
 * *until_ns: nothing else begins before, INT64_MAX: at all.  1; 0: there is
 * none; -1: some of it has been given up.
 */
int span_row_at(const struct model *, struct span_row *, int64_t t,
    int64_t since, int64_t *until_ns);

/*
 * The name of the span that a row is in at t, or that waits lie over then; 0:
 * none.
 */
uint32_t span_row_call(const struct model *, uint32_t row, int64_t t);

#endif
