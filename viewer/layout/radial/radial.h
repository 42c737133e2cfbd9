/*
 * The radial reduction tree as geometry (VISTA): the root at the centre,
 * level l on the ring of radius d * l, every task in a sector proportional to
 *
 *	weight(n) = H * size(n) - sumlevel(n)
 *
 * which equals height(n) + the weights of its children and stays exact while
 * the tree grows.  Too many levels are condensed (never more than h_max
 * rings), sectors below a pixel are pruned and counted where they are.
 */
#ifndef VIEWER_RADIAL_H
#define VIEWER_RADIAL_H

#include <stdbool.h>

#include "layout/palette.h"
#include "layout/scene.h"
#include "model/model.h"

enum radial_colour {
	RADIAL_PE,
	RADIAL_TIME,
	RADIAL_PE_TIME,
	RADIAL_PROCEDURE,
	RADIAL_STATE,
	RADIAL_DIFFERENCE, /* between two runs: what the view says */
	RADIAL_COLOURS
};
extern const char *const radial_colour_name[RADIAL_COLOURS];

/* The same sectors drawn in three ways. */
enum radial_form {
	RADIAL_POLYGONS, /* a task is a point; polygons and lines join them */
	RADIAL_SUNBURST, /* a task is its sector of the ring */
	RADIAL_ICICLE,   /* the same unrolled, from the top down */
	RADIAL_FORMS
};
extern const char *const radial_form_name[RADIAL_FORMS];

/* Order of siblings. */
enum radial_order {
	RADIAL_BY_TIME, /* as they were spawned */
	RADIAL_BY_PATH, /* as the program has them, so that two runs compare;
			 * differs when levels are condensed */
	RADIAL_ORDERS
};
extern const char *const radial_order_name[RADIAL_ORDERS];

/* A task that is not there, and only has its place. */
#define RADIAL_ABSENT 0x1000000u

struct radial_view {
	int32_t width, height;     /* px */
	double zoom;               /* 1: the whole tree fits */
	double centre_x, centre_y; /* px from the middle: where the root is */
	double
	    rotate_rad; /* 0: the first sector starts at the top; clockwise */
	enum radial_colour colour;
	enum radial_form form;
	enum radial_order order;
	enum palette_scale scale; /* of time */
	uint32_t root; /* task number; the levels of a subtree are all kept
			* as long as rings have a pixel each */
	bool subtree;
	bool sum_singles; /* of all trees, those of one task are a node
			   * for each name */
	bool edges;       /* values of the selected task */
	bool all_rings;   /* a circle for each ring that there is */
	bool fit;         /* rings that have nothing take no room */
	bool dims; /* all but what is of this class, in this colouring, is
		    * dimmed (radial_class()) */
	uint32_t only;
	bool glides;  /* when rings change while it grows, tasks go there */
	double glide; /* what is left of their way: 1 at first, then 0 */
	bool growing; /* others will follow: it moves slowly */
	int32_t ring_px_min;    /* d, 4 */
	int64_t until_mon_ns;   /* later tasks are not drawn; INT64_MAX: all */
	uint64_t selected_task; /* task id; 0: none */
	/* by task, of all from it on: sectors are shares of these, not of
	 * VISTA's weights, and what children lack stays free; NULL: VISTA's */
	const double *weights;
	const uint32_t *tints; /* by task: colour of a difference; with
				* RADIAL_ABSENT in all colourings */
	/* of the colours of time; span1 <= span0: that of what is drawn */
	int64_t span0_mon_ns, span1_mon_ns;
};

struct radial_node { /* what was drawn, for picking */
	uint32_t task;
	int32_t x, y;       /* SCENE_ONE units */
	uint32_t kids;      /* its children are nodes from this one on, up to
			     * those of the next node */
	uint32_t condensed; /* tasks of levels not kept, in this one; of a
			     * group: its tasks */
	uint32_t pruned;    /* tasks below it that were too small */
	uint32_t ring;
	uint32_t kept; /* its number in the condensed tree; UINT32_MAX: it has
			* none */
	float from_rad, arc_rad; /* sector, from where rotate_rad says */
	bool summary; /* of tasks that were given up: those are pruned */
	bool group;   /* trees of a single task that have a name in common,
		       * of which task is the first */
};

#define RADIAL_NAMES 64

/* What the shapes of a display list were made from. */
struct radial_shapes {
	const struct model *model; /* NULL: there are none */
	const struct palette *palette;
	struct radial_view view;
	uint64_t made, version; /* of the list, of the tree */
	uint32_t epoch;
};

struct radial_layout {
	struct radial_node *nodes; /* by ring, then clockwise */
	size_t nnodes, cap;        /* one more ends the last one's kids */
	uint32_t *ring_first;      /* nodes index where each ring begins */
	uint32_t rings;            /* displayed */
	double ring_px;
	bool jumped;        /* all have other places: glide should begin */
	uint32_t ring_step; /* so many to the next circle; 0: there are none */
	/* the numbers that are shown */
	uint32_t tasks, levels, deepest; /* deepest level, from 0 */
	struct {
		uint32_t levels[2], ratio[2]; /* LC 38(1) 136(2) */
		uint32_t t;     /* struct condense: where the ratio changes */
		uint32_t above; /* 1: the centre is no task */
	} lc;
	uint32_t drawn, pruned, condensed;
	uint32_t summaries; /* nodes, which are not drawn as tasks */
	struct {
		uint32_t trees;         /* of a single task, of those shown */
		uint32_t groups, tasks; /* nodes for many; tasks in them */
	} singles;
	uint32_t outside; /* not looked at: they lie beside the window */
	struct {
		uint32_t points, lines, polygons;
	} as;                                 /* drawn */
	int64_t t0_mon_ns, t1_mon_ns;         /* span of the time colouring */
	int64_t drawn0_mon_ns, drawn1_mon_ns; /* that of what is drawn */
	uint32_t suspended; /* tasks drawn that were ever suspended */
	/* values that the selected task has had, that it gave, and those of
	 * them that were waited for: edges drawn */
	struct {
		uint32_t in, out, waited;
	} values;
	/* procedures of the tasks drawn, most frequent first */
	struct {
		struct radial_name {
			uint32_t name, count;
		} of[RADIAL_NAMES];
		uint32_t n;
	} names;
	uint32_t pes;               /* PEs of the tasks drawn, up to 65535 */
	struct radial_cache *cache; /* counters of a condensed tree */
	struct radial_shapes shapes;
};
/* tasks = drawn + summed + pruned + condensed + outside, unless until_mon_ns
 * hides some. */

/*
 * Level condensing: with H levels and room for h_max rings, c0 = H / h_max and
 * r = H mod h_max; the first t = c0 * (h_max - r) levels are kept c0 : 1, the
 * others c0 + 1 : 1, which makes exactly h_max rings.
 */
struct condense {
	uint32_t levels, rings; /* before and after */
	uint32_t ratio, t;      /* ratio to 1 below level t, then ratio + 1 */
};
struct condense condense_levels(uint32_t levels, uint32_t h_max);
bool condense_keeps(const struct condense *, uint32_t level);
/* Ring of a kept level, or of the nearest kept one above another. */
uint32_t condense_ring(const struct condense *, uint32_t level);
uint32_t condense_level(const struct condense *, uint32_t ring);

/*
 * What the colour of a task stands for: its PE, UINT32_MAX if it has none; its
 * name; what it does.  UINT32_MAX: nothing that has a number.
 */
enum radial_state {
	RADIAL_RUNNING,
	RADIAL_SUSPENDED,
	RADIAL_DONE,
	RADIAL_DONE_SUSPENDED, /* it was ever */
	RADIAL_NOT_BEGUN,
	RADIAL_STATES
};
uint32_t radial_class(const struct model *, enum radial_colour, uint32_t task);

/* The level, from 0 at the root or the roots, of the tasks on a ring that has a
 * circle; UINT32_MAX: it has none, or no tasks. */
uint32_t radial_ring_level(const struct radial_layout *, uint32_t ring);

/*
 * When nothing but the colouring is another than the last time for this
 * layout, the shapes in the scene stay and get their colours: scene->made
 * stays, too.  A layout is freed before its model.
 */
void radial_layout(const struct model *, const struct palette *,
    const struct radial_view *, struct radial_layout *, struct scene *);
void radial_layout_free(struct radial_layout *);

/*
 * The drawn node nearest to a pixel of those within reach_px; in the other
 * forms the one that is drawn there.  NULL: there is none.  About a
 * microsecond.
 */
const struct radial_node *radial_nearest(const struct radial_layout *,
    const struct radial_view *, int32_t x, int32_t y, double reach_px);
/* The node of a task or, if that is not drawn, of the nearest one above it
 * that is.  NULL: it is not in this tree. */
const struct radial_node *radial_find(const struct radial_layout *,
    const struct model *, uint32_t task);

/* A value that one task made and another one took. */
struct radial_edge {
	uint32_t from, to; /* task numbers */
	bool waited;       /* it came after the other had begun */
};
/* Those of a task, at most max; returns how many.  Cost: the links that touch
 * its life, of which at most 4096 are looked at. */
size_t radial_edges_of(const struct model *, uint32_t task,
    struct radial_edge *, size_t max);

#endif
