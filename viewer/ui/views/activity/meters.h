/* Gauges of POs or nodes, of the time just before an instant. */
#ifndef VIEWER_METERS_H
#define VIEWER_METERS_H

#include "ui/traffic/talk.h"
#include "ui/views/view.h"

struct meter {
	struct share share;
	int64_t ran, life; /* ns, of the PO, or of its nodes */
	uint32_t lane;     /* its row; UINT32_MAX */
};

struct meters {
	const struct model *model; /* NULL: there are none */
	int64_t t0, t1;            /* ns of the monitor */
	uint64_t events, details;  /* of the run, when they were added up */
	bool by_node;
	struct talk_groups g;
	struct meter *of; /* as g has them */
	bool ran;         /* that is known */
};

struct meters *activity_meters(struct ui *); /* activity.c owns it */
void meters_clear(struct meters *);

#endif
