/*
 * Figures that take long: what has been added up, and what is being added up, a
 * part of it in each frame.  Plain data.
 */
#ifndef VIEWER_FIGURES_H
#define VIEWER_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "model/past/sums.h"

/* A range of which there are figures that are not exact (wants.c). */
struct rough {
	const struct model *model;
	int64_t t0, t1;
	uint64_t rewritten; /* what was told before is no longer true */
	bool seen;          /* since it was asked for last */
	uint64_t due; /* frame from which that may be again, if it grows */
};

/*
 * When the tasks of each group of GROUP consecutive ones began, of groups that
 * have begun as a whole (taskcount.c).
 */
struct task_counts {
	const struct model *model;
	struct task_group {
		int64_t lo, hi; /* hi INT64_MIN: not all of them have begun */
	} * group;
	uint32_t n, cap;
	uint32_t looked; /* groups that have been looked at */
	bool busy;       /* those are not all */
};

/*
 * Call paths of the panels' range (sums.c): those that were added up last, and
 * those that are just being added up.
 */
struct sums {
	struct calls *shown, *next; /* NULL: none yet */
	struct sums_of {
		const struct model *model;
		const void *source; /* what was given up may be back */
		int64_t t0, t1;
		uint64_t events, rewritten;
		uint64_t members; /* of groups, if it is one */
		uint32_t lane;    /* UINT32_MAX: all threads */
	} of, next_of;
	bool busy;
	uint64_t version; /* of shown; grows */
	uint64_t due;     /* frame from which they may be added up anew */
};

/* Messages of the panels' range (messages.c), as with sums. */
struct message_count;
struct messages {
	struct message_count *shown, *next;
	bool busy;
	uint64_t due;
};

/* Memory of the panels' range (views/memory.c). */
struct heap_sums;
struct heap_figures {
	struct heap_sums *shown, *next; /* NULL: none yet; owned */
	struct heap_of {
		const struct model *model;
		int64_t t0, t1;
		uint32_t events;
	} of, next_of;
	bool busy;
	uint64_t due;
	struct heap_code *code; /* by text; see views/memory_code.c; owned */
	uint32_t ncode, names;  /* names: of the run, when they were found */
};

/*
 * What is asked of all threads in a range, some parts a frame
 * (ui/views/asked/asked.h): the last answer, and the next.
 */
struct asked {
	void *shown, *next; /* NULL: none yet; owned */
	struct asked_of {   /* the same again needs not be asked */
		const struct model *model;
		const void *source; /* what was given up may be back */
		int64_t t0, t1;
		uint64_t events, rewritten;
		uint32_t lane; /* UINT32_MAX, or what else it depends on */
	} of, next_of;
	bool busy;
	uint64_t due;
};

struct activity;
struct flow_sums;
struct machine_figures;
struct found_calls;
struct path_figures;
struct source;
struct classes;
struct figures {
	struct sums sums;      /* of all threads */
	struct sums tree_sums; /* of those below trees.lane */
	struct sums row_sums;  /* of those of a row that a view is of */
	struct messages messages;
	struct activity *activity;       /* of ui/views; owned */
	struct flow_sums *flow;          /* the same; NULL: not yet */
	struct machine_figures *machine; /* of ui/views/talk; the same */
	struct heap_figures heap;
	struct asked locks, top, guide; /* of ui/views/asked; owned */
	struct asked processors;        /* the same */
	struct path_figures *path;      /* the same; or NULL */
	struct found_calls
	    *found; /* of ui/views/asked; owned; NULL: nothing was asked */
	struct source *source;   /* of ui/views/source; owned; or NULL */
	struct classes *classes; /* of ui/views/classes; owned; or NULL */
	struct task_counts tasks;
	struct rough rough[SUMS_KINDS]; /* that are to become exact */
	int64_t wanted_t0, wanted_t1;   /* details that were asked for last */
};

#endif
