/*
 * Which tree the radial view shows, and the trees that the log does not have.
 * Plain data.
 */
#ifndef VIEWER_KINDS_H
#define VIEWER_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/palette.h"
#include "layout/radial/radial.h"
#include "model/model.h"

/* What the radial view is a tree of (grown.c). */
enum tree_of {
	TREE_TASKS,
	TREE_THREADS, /* nodes, processes, threads: who started whom */
	TREE_CALLS,   /* procedures within procedures, of the panels' range */
	TREE_KINDS
};
extern const char *const tree_of_name[TREE_KINDS];

enum tree_weight {
	WEIGHT_EVEN, /* VISTA's: by number and height */
	WEIGHT_CALLS,
	WEIGHT_TIME,
	TREE_WEIGHTS
};
extern const char *const tree_weight_name[TREE_WEIGHTS];

/* A node of a tree that is made here, by its number in the tree's model. */
struct grown_node {
	uint32_t lane; /* that it is, or where a path took longest */
	uint32_t threads;
	uint32_t name; /* of the function, in the run; 0: none */
	uint64_t calls;
	/* blocked: waits by itself; waits: of a path with all below it */
	int64_t total_ns, self_ns, blocked_ns, waits_ns, longest_ns;
	bool rough; /* they are not exact */
	/* of two runs: its number in the run's own tree, TASK_NONE: it is not
	 * there; what it took in the other one */
	uint32_t task;
	bool both;
	int64_t other_ns;
};

struct grown {
	struct model *model; /* NULL: tasks are shown */
	struct grown_node *node;
	double *weight;        /* NULL: VISTA's */
	uint32_t *colour_lane; /* by "PE": the node or thread it stands for */
	uint32_t n, cap, ncolours;
	/* of two runs: differences as colours, how many nodes only this one
	 * has, and the numbers here of its own tasks */
	uint32_t *tint, *of_task;
	uint32_t only, ntasks;
	struct grown_of {
		const struct model *model;
		enum tree_of kind;
		enum tree_weight weight;
		enum radial_order order;
		uint64_t version, events;
		int64_t t0, t1;
		const struct palette *palette;
	} of;
	uint64_t due;
};

/* The tree as it was when a subtree was opened, to come back to. */
struct opened {
	uint32_t root;
	bool subtree;
	enum radial_colour colour;
	double zoom, centre_x, centre_y, rotate_rad;
	enum radial_form form; /* of put_by only */
};
#define OPENED_MAX 32

struct trees {
	enum tree_of of;
	bool asked;       /* the user has said of what; else what there is */
	bool order_asked; /* and in what order; else that of the program */
	enum tree_weight weight[TREE_KINDS];
	struct grown grown;
	uint32_t lane;          /* UINT32_MAX: of all */
	uint64_t selected_path; /* id of a node of the tree of calls; 0 */
	struct opened opened[OPENED_MAX];
	unsigned nopened;
	struct { /* which tree of the log it is, as long as nothing changes */
		const struct model *model;
		uint64_t version;
		uint32_t root, number;
	} told;
	struct opened put_by[TREE_KINDS]; /* how the other trees were seen */
};

#endif
