/*
 * The machine at the instant that all views are of: POs, nodes or threads as
 * squares with the state that they are in, and what is on its way between them.
 */
#ifndef VIEWER_MACHINE_H
#define VIEWER_MACHINE_H

#include "layout/chart/shape.h"
#include "talklook.h"
#include "ui/traffic/talk.h"

/* What a square stands for, added up over its threads. */
struct machine_square {
	uint32_t in[LANE_CLASSES]; /* that live, by what they are doing */
	uint32_t live, unborn, ended;
	uint32_t to, from; /* on its way there, and from there */
	uint32_t lane;     /* of the row that it is; UINT32_MAX */
	int64_t since_ns;  /* of the thread, if it has one; else INT64_MIN */
};

struct machine {
	const struct model *model;
	int64_t t_ns;
	uint64_t events, details;
	enum talk_level level;
	bool known; /* there are squares */
	bool links; /* what is on its way is known */
	bool about; /* single states were given up */
	struct talk_groups g;
	struct machine_square *square; /* as g has them */
	uint32_t lanes, *place;        /* square, of each lane; UINT32_MAX */
	struct now now;
	uint32_t at; /* the next lane that is looked at */
};

/* One that was put somewhere by a file: its name as commands have it. */
struct machine_put {
	char name[64];
	double x, y; /* 0 to 1 */
};
#define MACHINE_PUTS TALK_GROUPS_MAX
/* The shape that was chosen, and places of SHAPE_OWN. */
struct machine_layout {
	struct shape shape;
	uint32_t n;
	double aspect; /* width by height of what the file has */
	struct machine_put put[MACHINE_PUTS];
};

struct machine_figures {
	struct machine shown, next;
	bool busy;
	uint64_t due;
	struct machine_layout layout; /* stays when the run is another one */
};
struct machine_figures *machine_figures(struct ui *);

/* Where a square stands, from 0 to 1.  False: it has no place. */
bool machine_place(struct ui *, const struct machine *, uint32_t i, double *x,
    double *y);
/* As it is now; words are always of the instant. */
const struct machine *machine_now(struct ui *);
/* The class that a square's colour is of: running if any of its threads runs,
 * else what most of them do.  LANE_idle: nothing, or nobody lives. */
unsigned machine_class(const struct machine_square *);
/* "2 threads: 1 running, 1 waits for a message" */
char *machine_words(const struct machine_square *, char *buf, size_t n);
/* Of what is on its way: from which square to which; UINT32_MAX: not known. */
uint32_t machine_end(const struct machine *, uint32_t lane);

#endif
