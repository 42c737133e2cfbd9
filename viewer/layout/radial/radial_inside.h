/* Shared by the files of the radial layout. */
#ifndef VIEWER_RADIAL_INSIDE_H
#define VIEWER_RADIAL_INSIDE_H

#include "layout/radial/radial.h"
#include "model/levels/tree_levels.h"

#define TURN 6.283185307179586
#define TOP  (-TURN / 4) /* angle 0 lies to the right */

#define SUBTREE_PX 1 /* rings of a subtree are as far apart or farther */

/* Rings are no closer than this; with more levels some are not kept. */
static inline double
radial_least_px(const struct radial_view *v)
{
	int32_t least = v->ring_px_min > 0 ? v->ring_px_min : 4;

	return (v->subtree && least > SUBTREE_PX ? SUBTREE_PX : least);
}

/* Children that are shown, in the view's order. */
struct radial_kids {
	uint32_t *task, n, cap;
};

/* Trees of a single task, by name, that are nodes of a forest. */
struct radial_forest {
	struct single_tasks *group;
	uint32_t n, cap;
	uint32_t tasks; /* of all of them */
	uint32_t alone; /* of those kept of a condensed tree: so many */
};

/* Tasks on their way to other places (radial_glide.c). */
struct glide_at;
struct radial_glide {
	struct glide_at *was; /* in the last picture */
	uint32_t n, cap;
	struct glide_at *from; /* by task, a table */
	uint32_t mask;
	bool moving;
	/* of the last picture */
	struct radial_view view;
	uint32_t levels, above;
	double rings;
};

/*
 * What must be counted over the tasks themselves, kept from one frame to the
 * next: the counters of a condensed tree, the height of a subtree.
 */
struct radial_cache {
	const struct model *model;
	uint32_t generation, epoch;
	/* condensed */
	struct condense condense;
	uint32_t above;  /* 1: levels count from a centre above the roots */
	uint32_t level0; /* of a subtree's root */
	struct tree_levels levels;
	uint32_t *kept, nkept, kept_cap; /* levels of tasks */
	struct radial_kids kids;
	struct radial_forest forest;
	struct radial_glide glide;
	struct radial_fit {
		double rings; /* from the centre to the edge; 0: nothing */
		const struct model *model;
		uint32_t root;
		bool subtree, exact;
		enum radial_form form;
		int32_t width, height;
		int64_t until_mon_ns;
		uint64_t version;
	} fit;
	/* subtree whose depth was found by its deepest task */
	struct {
		const struct model *of;
		uint32_t root, seen, deepest;
	} found;
	/* another one: a bit for each of its tasks, of those below seen */
	const struct model *of;
	uint32_t root, seen, deepest, in_cap;
	uint64_t *in;
};

/* The tree that is laid out, with its exact weights. */
struct radial_tree {
	const struct model *m;
	const struct radial_cache *cache; /* of a condensed tree, else NULL */
	struct radial_kids *kids;
	bool summaries; /* some tasks were given up */
	struct condense condense;
	uint32_t root;   /* TASK_NONE: the centre above all roots */
	uint32_t nroots; /* places */
	uint32_t level0; /* of the root */
	uint32_t above;
	uint32_t levels; /* that there are; condense may be of some more */
	uint32_t tasks;
	bool by_time;
	bool sums; /* trees of one task are those of forest */
	const struct radial_forest *forest;
	const double *weights; /* of the view; NULL: VISTA's */
};

/* radial_condense.c: the counters of a condensed tree; -1: no memory */
int radial_cache_update(struct radial_cache *, const struct model *,
    const struct condense *, uint32_t above, uint32_t level0);
/* Deepest level in a subtree. */
uint32_t radial_cache_deepest(struct radial_cache *, const struct model *,
    uint32_t root);
void radial_cache_free(struct radial_cache *);

/* radial_tree.c; -1 when memory is out or there is no task. */
int radial_tree_open(struct radial_tree *, const struct model *,
    const struct radial_view *, struct radial_layout *);
/* Tasks kept in the subtree of t, itself included; TASK_NONE: of all. */
uint32_t radial_size(const struct radial_tree *, uint32_t t);
double radial_weight(const struct radial_tree *, uint32_t t);
/* Uncondensed: from its own ring to the last one. */
double radial_rings_from(const struct radial_tree *, uint32_t t);
/* What the children of t share: the weight of what is below it. */
double radial_weight_below(const struct radial_tree *, uint32_t t,
    uint32_t ring);
/* Tasks that are not kept and count as part of t. */
uint32_t radial_absorbed(const struct radial_tree *, uint32_t t);
/* Its number among those kept; KEPT_NONE: none, or nothing is condensed. */
uint32_t radial_kept(const struct radial_tree *, uint32_t t);
/* Mean ring of the tasks below t. */
double radial_mean_ring(const struct radial_tree *, uint32_t t);
/*
 * Children of t that are kept, in the view's order: pass TASK_NONE and
 * *at = 0 first; TASK_NONE ends.
 */
uint32_t radial_child(const struct radial_tree *, uint32_t t, uint32_t last,
    uint32_t *at);
/* All of them, until the next call; NULL: no memory. */
const struct radial_kids *radial_kids(const struct radial_tree *, uint32_t t);

/* radial_forest.c: trees of a single task; -1: no memory */
int radial_forest_open(struct radial_tree *, const struct radial_view *,
    struct radial_forest *);
/* A root that is in a group of its name. */
bool radial_is_summed(const struct radial_tree *, uint32_t t);
/* Of the condensed tree, one below the centre: the same. */
bool radial_is_alone(const struct radial_tree *, const struct kept_task *);
double radial_leaf(const struct radial_tree *); /* weight of a group */
/* All before the group in which t is; -1: there is none. */
double radial_group_before(const struct radial_tree *, double total,
    uint32_t t);

/* One drawing. */
struct radial_drawing {
	const struct radial_view *v;
	const struct palette *pal;
	struct radial_layout *l;
	struct scene *s;
	struct radial_tree tree;
	double d, cx, cy, reach; /* px: ring distance, centre, farthest ring */
	double fit_rings;        /* rings from the centre to the edge */
	/* sectors that may be seen: from, and how far on; TURN: all */
	double seen_from, seen_arc;
};

/* radial.c: where the centre is, how far rings are apart */
void radial_measure(struct radial_drawing *);
/* radial_glide.c: the places of the last picture, before there are others;
 * then those that tasks have on their way */
void radial_glide_note(struct radial_drawing *);
void radial_glide(struct radial_drawing *);
void radial_glide_free(struct radial_glide *);
/* radial_place.c: fills l->nodes; -1: no memory */
int radial_place(struct radial_drawing *);
/* radial_fit.c: the same, with rings as wide as the window has room */
int radial_place_fitting(struct radial_drawing *);
/*
 * Where a task lies, drawn or not, also far beside the window; one of a level
 * that is not kept: the nearest above it.  False: it is not in this tree.
 */
bool radial_locate(struct radial_drawing *, uint32_t task,
    struct radial_node *);
/* Pixels that an angle of one is wide, where the ring is widest. */
double radial_px_per_rad(const struct radial_drawing *, uint32_t ring);
/* Appends one to l->nodes; NULL: no memory. */
struct radial_node *radial_node_add(struct radial_drawing *, uint32_t task,
    uint32_t ring, double from_rad, double arc_rad);
/* radial_divide.c: appends the children of l->nodes[i]; -1: no memory */
int radial_divide(struct radial_drawing *, size_t i);
/* Makes of a node its child c, drawn or not; false: it is none. */
bool radial_sector_of(struct radial_drawing *, struct radial_node *,
    uint32_t c);
/* Angle of a sector's middle, as it is on the screen. */
double radial_angle(const struct radial_view *, const struct radial_node *);
/* The next point of a polygon, so far and at this angle from the centre. */
void radial_point(struct radial_drawing *, double radius_px, double angle);

/* radial_colour.c: time and PEs of what is drawn, before any colour */
void radial_survey(struct radial_drawing *);
/* Time colours go over what the view says, or else over what is drawn. */
void radial_span(struct radial_drawing *);
/* Of the polygon, line or sector; *dot: of the vertex. */
uint32_t radial_colour_of(const struct radial_drawing *, uint32_t task,
    uint32_t *dot);
/* The same of a node, which may stand for several tasks. */
uint32_t radial_node_colour(const struct radial_drawing *,
    const struct radial_node *, uint32_t *dot);

/* radial_again.c: the same shapes in other colours */
/* Only colours differ: these shapes can stay. */
bool radial_is_same(const struct radial_drawing *, uint64_t version,
    uint32_t epoch);
void radial_recolour(struct radial_drawing *);
void radial_note_shapes(struct radial_drawing *, uint64_t version,
    uint32_t epoch);
/* Vertices of tasks that have children are drawn, too. */
bool radial_all_dots(const struct radial_view *, double ring_px);

/* radial_polygons.c, radial_sectors.c: the forms */
void radial_polygons(struct radial_drawing *);
void radial_sectors(struct radial_drawing *);
/* Of a task and of some of those below it, which are hidden. */
uint32_t radial_mean_colour(const struct radial_drawing *, uint32_t task);
#define HIDDEN_ALPHA 80 /* of what stands for them */
/* radial_marks.c: rings below, what is hidden and selected above them */
void radial_rings(struct radial_drawing *);
void radial_hidden(struct radial_drawing *);
void radial_selected(struct radial_drawing *);
/* radial_edges.c */
void radial_edges(struct radial_drawing *);

#endif
