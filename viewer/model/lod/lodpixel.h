/*
 * The pixel that is being collected: what it has of each class and of each
 * name, and what becomes of that when it is over.  For lodpixels.c.
 */
#ifndef VIEWER_LODPIXEL_H
#define VIEWER_LODPIXEL_H

#include "model/lod/lodsteps.h"
#include "model/lod/lodtree.h"

#define TOPS     32 /* names of a pixel that are told apart */
#define TOPS_MAP 64 /* 1 << 6, as the shift below has it */

struct top {
	uint32_t name;
	uint32_t turn; /* of the pixel that it belongs to; else: empty */
	uint64_t ns;
};

struct pixels {
	const struct lod *l;
	const struct lod_state *states;
	uint8_t place[LOD_CLASSES]; /* of each class */
	int64_t t0, t1, end;
	int64_t from, to;         /* what is asked for of it */
	unsigned until;           /* as far as to this pixel */
	unsigned n, at;           /* the pixel being collected */
	uint64_t each, rest;      /* t1 - t0 divided by n */
	uint64_t carry;           /* rest * (at + 1) % n */
	double scale;             /* pixels a ns */
	int64_t p0, p1;           /* its bounds */
	uint64_t known;           /* ns of the pixel, of whatever place */
	uint64_t acc[LOD_PLACES]; /* ns * 255; of place 0: see known */
	struct {
		uint64_t *sum;
		uint64_t *weight; /* ns of its name, and */
		uint64_t most;    /* so many are all of a pixel */
	} many;                   /* lanes' */
	struct lod_steps *steps;  /* what is not added to them, or */
	uint8_t *share;           /* of this one */
	uint32_t *name;
	uint32_t turn; /* of the tops */
	unsigned ntops;
	uint8_t order[TOPS]; /* in which they came */
	struct top tops[TOPS_MAP];
	uint64_t small; /* ns that are less than 1/510 of a pixel */
	uint32_t nleaves;
	struct lod_opened leaf;
};

/* Pixels first to until - 1, with l, states, t0, t1 and n set. */
void pixels_start(struct pixels *, unsigned first, unsigned until);
/* Writes out the pixel. */
void pixel_flush(struct pixels *);
/* Goes on to the pixel that holds t, which is at or behind p1. */
void pixels_move(struct pixels *, int64_t t);
/* Goes on to pixel i, of those of the steps. */
void pixels_go(struct pixels *, unsigned i);
/* Of too many names the least makes room, if it is less. */
void top_replace(struct pixels *, uint32_t name, uint64_t ns);

/* lodpieces.c, with steps: pixels first to until - 1 have this state, ... */
void pixels_full(struct pixels *, const struct lod_state *, unsigned first,
    unsigned until);
/* ... p->leaf up to `end`, but what is not asked for, ... */
void pixels_opened(struct pixels *, int64_t end);
/* ... and a packed leaf of which all is asked for, [t, end). */
void pixels_packed(struct pixels *, const struct lod_leaf *, int64_t t,
    int64_t end);

/*
 * lodfetch.c: asks the memory for what lies on the edges of pixels below node
 * i of level k, which is [t0, t1).
 */
void lod_fetch(const struct pixels *, int k, uint32_t i, int64_t t0,
    int64_t t1);

/* So many ns more of the pixel have this name. */
static inline void
top_add(struct pixels *p, uint32_t name, uint64_t ns)
{
	uint32_t h = name * 0x9e3779b1u >> 26;

	while (p->tops[h].turn == p->turn && p->tops[h].name != name)
		h = (h + 1) % TOPS_MAP;
	if (p->tops[h].turn == p->turn) {
		p->tops[h].ns += ns;
	} else if (p->ntops < TOPS) {
		p->tops[h] = (struct top){ name, p->turn, ns };
		p->order[p->ntops++] = (uint8_t)h;
	} else {
		top_replace(p, name, ns);
	}
}

#endif
