/*
 * What one lane did, at every level of detail: an append-only sequence of
 * state changes with a tree of summaries over it.
 *
 * A leaf holds up to 64 changes, 2-3 bytes each once it is full and packed.
 * Four nodes of one level make one of the next.  A node keeps the share of
 * time of each class in 1/255, rounded from exact sums, so that an error never
 * adds up; from 256 changes on it also keeps the sums themselves.  A state is
 * a 16-bit number into a table of the owner.
 *
 * What is old can be given back from below: leaves, then the lowest nodes.
 * Then the shares of the lowest node that is left are all there is.
 *
 * One writer; readers see what was published, between retired_enter() and
 * retired_leave() of what the writer retires to.
 */
#ifndef VIEWER_LOD_H
#define VIEWER_LOD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/keep/chunk.h"

#define LOD_LEAF    64
#define LOD_FAN     4
#define LOD_LEVELS  14
#define LOD_EXACT   1 /* first level with exact sums */
#define LOD_CLASSES 16
#define LOD_PLACES  9      /* classes that one lane can have */
#define LOD_FULL    65280u /* 255 * 256: all of a pixel */

/* What a state number means. */
struct lod_state {
	uint32_t name;
	uint8_t class; /* below LOD_CLASSES */
	uint8_t kind;  /* enum event_span */
	/* 1: a span begins; 0: one goes on after another; 2: one comes back
	 * that was suspended */
	uint8_t fresh;
	uint8_t zero;
};

/* Which classes those are. */
enum lod_kind {
	LOD_OF_THREAD, /* 0 to 8 */
	LOD_OF_OBJECT  /* 0, and 9 to 15 */
};

/* Exact ns by place, and how many spans begin. */
struct lod_sum {
	uint64_t ns[LOD_PLACES];
	uint64_t begun;
};

struct retired;
struct lod_store;
struct lod_before;
struct lod_list;
struct lod_leaf;
struct lod_raw;
struct lod_level;
struct lod_steps;

struct lod {
	struct chunk leaves; /* of _Atomic(struct lod_leaf *); NULL: gone */
	_Atomic uint32_t nleaves;
	_Atomic uint32_t gone; /* leaves before are */
	_Atomic(struct lod_level *) level[LOD_LEVELS];
	_Atomic(struct lod_list *) list;     /* NULL: none yet */
	_Atomic(struct lod_before *) before; /* NULL: it has all its changes */
	uint8_t kind;                        /* enum lod_kind */
	/* writer only */
	struct lod_raw *open;
	int64_t last_ns;
	uint16_t last_state;
	uint32_t last_id;
	uint32_t last_nth; /* so many changes were at last_ns */
};

struct lod_env {                        /* what all lanes of a model share */
	const struct lod_state *states; /* by number */
	_Atomic uint64_t *bytes;
	struct retired *retired;
	/* NULL: leaves are not packed, and gone when a node with exact sums
	 * tells of them */
	struct lod_store *store;
};

void lod_init(struct lod *, enum lod_kind);
void lod_clear(struct lod *); /* frees, but for what is in the store */

/*
 * From t_ns on the lane is in this state.  A time before the last one is
 * taken to be the last one.  id: 0 or a number to find with the span.
 * Returns 0, or -1 when memory is out.
 */
int lod_append(struct lod *, const struct lod_env *, int64_t t_ns,
    uint16_t state, uint32_t id);
/* Hands all its memory, *l too, to be freed when no reader is inside. */
void lod_retire(struct lod *, const struct lod_env *);

/*
 * Gives back what ends before t_ns: of level -1 the leaves (then
 * lod_store_forget() may follow), of level k (what is below must be gone) the
 * nodes of that level, as far as whole pieces of memory become free and a
 * higher node stays that tells of them.
 */
void lod_forget(struct lod *, const struct lod_env *, int level, int64_t t_ns);
/*
 * For a lane that is to be kept without its leaves: those that are in no node
 * with exact sums are moved to memory like the rest's; -1: ENOMEM.  Then the
 * others are gone, wherever they are.
 */
int lod_keep_last(struct lod *);
void lod_only_last(struct lod *, const struct lod_env *);
/* Bytes of the nodes of one level. */
uint64_t lod_level_bytes(const struct lod *, int level);
/* Writer: of its last change. */
int64_t lod_last_ns(const struct lod *);
/* Which of the changes at that instant it was, from 1 on. */
uint32_t lod_last_nth(const struct lod *);
uint16_t lod_last(const struct lod *, uint32_t *id); /* number of its state */
unsigned lod_last_place(const struct lod *, const struct lod_state *states);
/* 1 when nothing was ever appended. */
int lod_empty(const struct lod *);

/* A leaf that can be looked into. */
struct lod_opened {
	int64_t t0_ns;
	uint32_t n;
	const uint32_t *off;   /* ns from t0 */
	const uint16_t *state; /* numbers */
	const uint32_t *ids;   /* NULL: all 0, or not asked for */
	/* what they point to when it was packed */
	uint32_t own_off[LOD_LEAF], own_id[LOD_LEAF];
	uint16_t own_state[LOD_LEAF];
};

/* A place in the sequence. */
struct lod_cursor {
	uint32_t leaf;
	uint32_t entry;
	uint32_t nleaves; /* when it was made: later ones are not seen */
	uint32_t opened;  /* leaf that `now` is; UINT32_MAX: none */
	struct lod_opened now;
};
struct lod_piece {            /* from one change to the next */
	int64_t t0_ns, t1_ns; /* t1 INT64_MAX for the last one */
	uint16_t state;
	uint32_t id;
};
/*
 * The piece that holds t_ns, or the first one.  O(log n).  0 when empty, -1
 * when it is gone: then *c is the first one that is left.
 */
int lod_seek(const struct lod *, int64_t t_ns, struct lod_cursor *);
/* Reads the piece and goes on to the next.  0 at the end. */
int lod_next(const struct lod *, struct lod_cursor *, struct lod_piece *);
/*
 * Which of the changes at one instant that piece begins with behind which the
 * cursor stands, from 1 on; 0: those before it are gone.  O(changes then).
 */
uint32_t lod_nth(const struct lod *, const struct lod_cursor *,
    const struct lod_piece *);
/*
 * The piece with which that change begins; the cursor stands behind it then.
 * 0: there is none.
 */
int lod_seek_nth(const struct lod *, int64_t t_ns, uint32_t nth,
    struct lod_cursor *, struct lod_piece *);
/*
 * The piece that holds t_ns, of those at one instant the last.  O(log n).  0:
 * there is none, or it is gone.
 */
int lod_piece_at(const struct lod *, int64_t t_ns, struct lod_piece *);

/* lodlist.c: how many spans begin in all of it.  O(log n). */
uint64_t lod_begun(const struct lod *, const struct lod_state *states);
/*
 * The piece with which the k-th of those begins, from 0 on.  O(log n).  0:
 * there are not so many; -1: of its leaf only the node is left.
 */
int lod_seek_begun(const struct lod *, const struct lod_state *states,
    uint64_t k, struct lod_cursor *);

/*
 * Adds for pixels first to until - 1 of n equal ones of [t0, t1) the share of
 * each class, in 1/65280 of the pixel, to sum[i * LOD_CLASSES + class]; name[i]
 * becomes the name that has most time there if that is more than weight[i]
 * (both may be NULL). The last state holds until end_ns.  O(n log changes).
 *
 * steps (may be NULL), made for the same pixels: what they can take costs no
 * more in many pixels than in one, so that a lane where little happens costs
 * little; lod_steps_end() then adds it to the sums.
 */
void lod_pixels(const struct lod *, const struct lod_state *states, int64_t t0,
    int64_t t1, unsigned n, unsigned first, unsigned until, int64_t end_ns,
    uint64_t *sum, struct lod_steps *steps, uint32_t *name, uint64_t *weight);

/*
 * lodfetch.c: these will be asked for next, for all of their time (leaves) or a
 * small part of it.  Asks the memory for them, all at once.
 */
void lod_fetch_many(const struct lod *const *, unsigned n, bool leaves);

/*
 * The shares themselves, in 1/255, of a lane by itself; where nothing is known
 * it is idle, class 0.  name (may be NULL) must be 0 before; cost as above.
 */
void lod_shares(const struct lod *, const struct lod_state *states, int64_t t0,
    int64_t t1, unsigned n, unsigned first, unsigned until, int64_t end_ns,
    uint8_t *share, uint32_t *name);

/*
 * Adds exact ns by place in [t0, t1) and the spans that begin there.  Where
 * leaves are gone and t0 or t1 lies within a node, that node's part is as good
 * as its shares: then the answer is false.
 */
bool lod_totals_sum(const struct lod *, const struct lod_state *states,
    int64_t t0, int64_t t1, int64_t end_ns, struct lod_sum *);
/*
 * Do more than so many spans begin in [t0, t1)?  True is certain; false may be
 * said when there are but a few leaves more.  O(log n + most / LOD_LEAF).
 */
bool lod_many_begin(const struct lod *, int64_t t0, int64_t t1, uint64_t most);
void lod_sum_add(struct lod_sum *, const struct lod_sum *);
void lod_sum_take(struct lod_sum *, const struct lod_sum *); /* subtracts */
/* The class of a place, of a lane of this kind. */
unsigned lod_sum_class(uint8_t kind, unsigned place);

/*
 * Writer, lodsofar.c: the exact sum of all there has been up to the last
 * change, whatever was given up since; returns when that was, INT64_MIN: there
 * was none.  O(levels + LOD_LEAF).
 */
int64_t lod_so_far(const struct lod *, const struct lod_state *states,
    struct lod_sum *);
/*
 * Writer: before its first change, which was at t_ns, so much more had been
 * that is not in it.  -1: ENOMEM.
 */
int lod_begin_late(struct lod *, int64_t t_ns, const struct lod_sum *,
    _Atomic uint64_t *bytes);

#endif
