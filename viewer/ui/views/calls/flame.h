/*
 * Flame graph of the panels' range: a frame for each call path, as the view
 * Callers adds them up; below it what it called, side by side, by name.  Its
 * width is its time, or its time with a processor.
 */
#ifndef VIEWER_FLAME_H
#define VIEWER_FLAME_H

#include "model/calls/calls.h"
#include "ui/desk/desk.h"

#define FLAME_NONE UINT32_MAX

struct flame_frame {
	uint64_t id; /* the same for the same path, from one time to another */
	uint32_t path;   /* of calls_paths() */
	uint32_t parent; /* number of the frame; FLAME_NONE: outermost */
	uint32_t level;  /* from 1 on */
	int64_t at_ns;   /* where it begins, from the left of all */
	int64_t ns;      /* how wide it is */
};

struct flame {
	const struct call *path;
	struct flame_frame *frame; /* as a list of what is inside what */
	size_t n;
	int64_t at_ns, ns; /* what is shown: of all, or of the root */
	int64_t all_ns;
	uint32_t root;       /* FLAME_NONE: all threads */
	bool cpu, cpu_known; /* width; whether all of that is known */
};

/* What is kept from one frame to the next: view_own(). */
struct flame_own {
	uint64_t root; /* id; 0: all */
	bool cpu;
};

/*
 * What there is, if it is px wide: frames of less than half a px are left out;
 * px 0: none is.  -1: nothing is known, or no memory.  O(paths).
 */
int flame_make(struct ui *, struct flame *, int32_t px);
void flame_clear(struct flame *);

/* "time", "cpu", "all", "out", a number from 1, or an id.  -1: it is said. */
int flame_command(struct ui *, const char *arg);

#endif
