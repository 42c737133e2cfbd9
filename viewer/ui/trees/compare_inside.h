/* Inside of the tree of two runs: what its files share. */
#ifndef VIEWER_COMPARE_INSIDE_H
#define VIEWER_COMPARE_INSIDE_H

#include "ui/trees/grown.h"

#define PAIRS_MAX 3000000u

/* One of the two, as its own tree. */
struct side {
	struct ui *ui;
	struct grown own; /* not that of tasks */
	const struct model *m;
};

struct pair {
	uint32_t a, b, up; /* numbers, and of the pair above; TASK_NONE */
	uint32_t ord;      /* among those of the same name */
};

struct pairs {
	struct pair *p;
	uint32_t n, cap;
	bool full;
};

/*
 * compare_pair.c: which nodes of two trees are in the same place of the
 * program, each behind the one above it.  full: there are too many, or memory
 * is out.
 */
void pairs_make(struct pairs *, const struct side s[2]);
/* "" when it has none. */
const char *side_name(const struct side *, uint32_t task);

#endif
