/*
 * How fast phases went: units of work a second, of each phase by its name and
 * of each thread in it.
 */
#ifndef VIEWER_SPEED_H
#define VIEWER_SPEED_H

#include "model/measured/phases.h"
#include "ui/desk/ui.h"

/* Phases of a name that have ended in the range, of a thread or of all. */
struct speed {
	uint32_t name, lane; /* lane UINT32_MAX: of all threads */
	uint64_t count, units;
	int64_t ns;
};

/* Of [t0, t1), ns of the monitor: those that end in it and have told units. */
struct speeds {
	const struct model *model;
	int64_t t0, t1;
	uint32_t phases;  /* of the run, when it was added up */
	char only[48];    /* names with this in them; "": all */
	uint64_t without; /* phases that told no units */
	struct speed *by_name,
	    *by_thread; /* by numbers of names; and of lanes */
	size_t names, threads;
	uint64_t due; /* frame from which it may be added up anew */
};

struct speeds *activity_speeds(struct ui *); /* activity.c owns it */
void speeds_clear(struct speeds *);

#endif
