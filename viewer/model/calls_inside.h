/* Shared by the files of call paths. */
#ifndef VIEWER_CALLS_INSIDE_H
#define VIEWER_CALLS_INSIDE_H

#include "model/calls.h"
#include "model/inside.h"
#include "model/lodtree.h"

#define LEAVES_PART 64
#define WORK_PART   (LEAVES_PART * LOD_LEAF)

/* What a thread is in at one depth. */
struct level {
	const struct lod *lod;
	struct lod_cursor cursor;
	struct lod_piece piece;
	bool have;
	uint32_t path;  /* CALL_NONE: none */
	int64_t run_ns; /* of this call, so far */
};

struct calls {
	const struct model *m;
	const struct model *detail; /* that knows the lanes there, or m */
	const struct model *of;     /* the same, of the thread that is read */
	int64_t t0, t1, from_ns;
	uint32_t lane; /* that is asked for */
	/* where we are */
	uint32_t at, lanes; /* lane, of so many */
	int64_t at_ns;      /* INT64_MIN: the lane is not begun */
	uint32_t task, tasks;
	bool failed, done;
	uint32_t work; /* changes looked at in this step */
	/* the thread that is read */
	int64_t end_ns;
	int pe; /* -1: not known */
	unsigned nlevels;
	struct level *level;
	/* results */
	struct call *path;
	uint32_t npaths, path_cap;
	uint32_t *slot, mask; /* path + 1, by parent, name and kind */
	struct name_stats *name;
	uint64_t *here_ns; /* by name: of tasks of this thread */
	uint32_t *touched; /* names that have some */
	uint32_t names, ntouched;
};

/* calls_path.c: a path that may be new; CALL_NONE when memory is out. */
uint32_t calls_path_of(struct calls *, uint32_t parent, uint32_t name,
    uint8_t kind);
/* The thread that is read was there from a to b. */
void calls_path_time(struct calls *, uint32_t path, int64_t a, int64_t b);

/* calls_walk.c: what depth 0 and those within do from `from` to `end`. */
void calls_walk(struct calls *, int64_t from, int64_t end);

/* calls_thread.c: goes on with a thread, or with the tasks; true when all is
 * done. */
bool calls_go_on(struct calls *);

#endif
