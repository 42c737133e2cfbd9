/* Shared by the files of call paths. */
#ifndef VIEWER_CALLS_INSIDE_H
#define VIEWER_CALLS_INSIDE_H

#include "model/calls/calls.h"
#include "model/curves/series.h"
#include "model/lod/lodtree.h"
#include "model/measured/scheds.h"
#include "model/run/instant.h"

#define LEAVES_PART 64
#define WORK_PART   (LEAVES_PART * LOD_LEAF)

struct sweep;

/* What a thread is in at one depth. */
struct level {
	const struct lod *lod;
	uint32_t lane; /* whose it is */
	struct lod_cursor cursor;
	struct lod_piece piece;
	bool have;
	bool fresh;    /* nothing has been seen of it in this part */
	bool inside;   /* of its piece what is further in is being read */
	bool all;      /* of what is asked for, all at until_ns, too */
	uint32_t nth;  /* of the changes of this lane at piece.t0_ns, from 0 */
	uint32_t part; /* for which it was sought */
	uint32_t path; /* CALL_NONE: none */
	uint32_t task; /* number + 1 of the task that it is in; 0 */
	/* what is asked for, within path up; see instant_order() */
	int64_t from_ns, until_ns;
	uint64_t from_order, until_order; /* ORDER_UNKNOWN: not yet */
	uint32_t up;
};
#define ORDER_UNKNOWN UINT64_MAX
#define ORDER_LAST    (UINT64_MAX - 1)

/*
 * What one thread did in one path, in a stretch of time.  The calls of a thread
 * in a path follow one another: the first may have begun before the stretch,
 * the last may go on behind it, so that cells of stretches that follow one
 * another can be put together, the longest call too.
 */
struct call_cell {
	uint32_t lane, path;
	uint64_t calls;
	int64_t total_ns, blocked_ns, longest_ns;
	int64_t shortest_ns; /* of those that are over; INT64_MAX: none */
	int64_t cpu_ns;      /* of total_ns, with a processor */
	int64_t head_ns;     /* of the call that had begun before; 0: none */
	int64_t run_ns;      /* of the last call */
	int64_t first_ns, last_ns;
	bool been;      /* for some time, or none, but it was there */
	bool head;      /* the first call had begun before */
	bool run_first; /* the last call is the first one */
	bool open;      /* the last call goes on */
	bool any;       /* there is a last call */
	bool cut;       /* when it began is not known */
	bool cpu_unknown;
};

/* The thread that is read. */
struct calls_thread {
	int64_t end_ns;
	bool ended; /* it does then, and what it was in with it */
	int pe;     /* -1: not known */
	struct series_reader cpu;
	struct instant instant;
	unsigned nlevels, level_cap;
	uint32_t part; /* grows */
	struct level *level;
	struct call_cell *cell; /* of this thread */
	uint32_t ncells, cell_cap;
	uint32_t *here; /* by path: cell + 1, 0: none */
};

struct calls {
	const struct model *m;
	const struct model *detail; /* that knows the lanes there, or m */
	const struct model *of;     /* the same, of the thread that is read */
	const struct sweep *swept;  /* that knows the beginning; NULL: none */
	int64_t t0, t1, from_ns;
	int64_t read_ns; /* from here on lanes are read */
	bool about;      /* something that was given up would be needed */
	uint32_t lane;   /* that is asked for */
	/* where we are */
	uint32_t at, lanes; /* lane, of so many */
	int64_t at_ns;      /* INT64_MIN: the lane is not begun */
	uint32_t task, tasks;
	bool failed, done;
	uint32_t work; /* changes looked at in this step */
	struct calls_thread thread;
	/* results */
	struct call *path;
	uint32_t npaths, path_cap;
	uint32_t *slot, mask; /* path + 1, by parent, name and kind */
	/* by number of a function; suspended: less what ran */
	struct name_stats *row;
	uint32_t rows;
	struct durations **lasted; /* by number of a function; NULL: none yet */
	_Atomic uint64_t bytes;    /* that they take */
	struct sweep *sweep; /* to which the cells go; NULL: to the results */
};

/* calls.c: more to the same paths: [t0, t1) of the lanes of `of`. */
void calls_part(struct calls *, const struct model *of, int64_t t0, int64_t t1);

/* calls_path.c: a path that may be new; CALL_NONE when memory is out. */
uint32_t calls_path_of(struct calls *, uint32_t parent, uint32_t name,
    uint8_t kind);

/* calls_cell.c: of the thread that is read; NULL: memory is out. */
struct call_cell *calls_cell(struct calls *, uint32_t path);
/* It was there from a to b, and had a processor for so long; -1: not known. */
void calls_cell_time(struct call_cell *, int64_t a, int64_t b, bool waits,
    int64_t cpu_ns);
/* A call begins, or is found to go on: known at the edge of what is read. */
void calls_cell_run(struct calls *, struct call_cell *, bool edge);
/* *c, and then *more of the same thread and path. */
void calls_cell_add(struct calls *, struct call_cell *c,
    const struct call_cell *more);
/* The thread is done: its cells to the results, with what was swept before. */
void calls_fold(struct calls *);

/* calls_lasted.c: a call in a path is over; those of others, too; none. */
void calls_over(struct calls *, uint32_t path, int64_t ns);
void calls_lasted_add(struct calls *, const struct calls *);
void calls_lasted_clear(struct calls *);

/* calls_path.c: of tasks of this name; NULL: there is none. */
struct name_stats *calls_task_row(struct calls *, uint32_t name);

/*
 * calls_walk.c: what depth 0 and those within do from `from` to `end`; all:
 * also at the end.
 */
void calls_walk(struct calls *, int64_t from, int64_t end, bool all);

/* calls_thread.c: goes on with a thread, or with the tasks; true when all is
 * done. */
bool calls_go_on(struct calls *);

/* swept.c: a thread's cells of the part that is read.  -1: no room. */
int sweep_cells(struct sweep *, uint32_t lane, int pe, const struct call_cell *,
    uint32_t n);
/* The one that knows how [t0, t1) begins; NULL: there is none. */
const struct sweep *sweep_for(const struct model *, int64_t t0, int64_t t1);
int64_t sweep_until(const struct sweep *); /* it does to there */
/* What it knows that is in no cell. */
void sweep_rest(const struct sweep *, struct calls *);
/* A thread's cells; how many. */
size_t sweep_lane(const struct sweep *, uint32_t lane,
    const struct call_cell **);
int sweep_pe(const struct sweep *, uint32_t lane); /* -1: not known */
/* Number that one of its paths has in these; CALL_NONE: memory is out. */
uint32_t sweep_path(const struct sweep *, struct calls *, uint32_t path);

#endif
