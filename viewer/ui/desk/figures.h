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

/* What is asked of a range, some parts a frame (ui/views/asked.h). */
enum asked_what {
	ASKED_LOCKS,
	ASKED_TOP,
	ASKED_GUIDE,
	ASKED_PROCESSORS,
	ASKED_PATH,
	ASKED_HEAP,
	ASKED_RUNNING,
	ASKED_RECENT,
	ASKED_FLOW,
	ASKED_WHAT
};

struct asked_how;
struct asked {
	const struct asked_how *how; /* NULL: it was never asked */
	void *shown, *next; /* the last answer, and the next; NULL; owned */
	struct asked_of {   /* the same again needs not be asked */
		const struct model *model;
		const void *source; /* what was given up may be back */
		int64_t t0, t1;
		uint64_t events, rewritten;
		uint32_t lane; /* UINT32_MAX, or what else it depends on */
	} of, next_of;
	bool busy;
	uint64_t due; /* frame from which it may be asked anew */
	/* when it last went on in a frame: that one, and what it reads */
	struct asked_then {
		uint64_t frame, rewritten, details;
		const void *source;
	} then;
};

/* What places are in the program (views/memory/memory_code.c). */
struct heap_figures {
	struct heap_code *code; /* by text; owned */
	uint32_t ncode, names;  /* names: of the run, when they were found */
};

struct activity;
struct open_links;
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
	struct open_links *open;         /* the same; NULL: not yet */
	struct machine_figures *machine; /* of ui/views/talk; the same */
	struct heap_figures heap;
	struct asked asked[ASKED_WHAT];
	struct path_figures *path; /* of ui/views/path; owned; or NULL */
	struct found_calls
	    *found; /* of ui/views/asked; owned; NULL: nothing was asked */
	struct source *source;   /* of ui/views/source; owned; or NULL */
	struct classes *classes; /* of ui/views/classes; owned; or NULL */
	struct task_counts tasks;
	struct rough rough[SUMS_KINDS]; /* that are to become exact */
	int64_t wanted_t0, wanted_t1;   /* details that were asked for last */
};

#endif
