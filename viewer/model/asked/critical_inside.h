/* Of critical.c, which walks, and critical_sums.c, which adds up. */
#ifndef VIEWER_CRITICAL_INSIDE_H
#define VIEWER_CRITICAL_INSIDE_H

#include "model/asked/critical.h"
#include "model/asked/selfsums.h"
#include "model/asked/spanrow.h"

/* What is added up, by up to three words. */
enum critical_what {
	CELL_IN,   /* state, name: the path was in it */
	CELL_ON,   /* state, name, lane */
	CELL_WAIT, /* enum critical_wait */
	CELL_AT,   /* the same, name of the call */
	CELL_BY    /* the same, lane, name */
};
struct critical_cell {
	uint32_t what, a, b, c;
	int64_t ns;
	uint64_t n;
	uint32_t part; /* of CELL_IN: its place among the parts */
};

enum critical_phase {
	CRITICAL_LINKS, /* windows of links, from the end back */
	CRITICAL_IN,    /* what the pieces were in */
	CRITICAL_ALL,   /* what all threads were in */
	CRITICAL_DONE
};

/* Links of a stretch of time; the next one ends where it begins. */
struct critical_window {
	int64_t until_ns, length_ns;
	struct link *link;
	size_t room, n, looked; /* of n; all that are in it once they are */
	int64_t from_ns;
	bool open;
};

struct critical {
	struct span_source source;
	int64_t t0, t1;
	enum critical_phase phase;
	bool failed, about;
	/* where the walk is; UINT32_MAX: it is over */
	uint32_t lane;
	int64_t at_ns, end_ns;
	uint16_t kind; /* by which it left the piece before */
	struct critical_window window;
	uint32_t work;
	struct critical_piece *piece;
	size_t n, cap, looked;
	uint64_t all;
	int64_t way_ns;
	struct critical_cell *cell;
	size_t ncell, cell_cap;
	uint32_t *slot;
	struct self_sums *all_self;
	struct critical_waited waited[CRITICAL_WAITS];
	struct critical_part *part;
	size_t nparts;
};

/* critical_waits.c: sets CRITICAL_BINDS or not, and adds up who waited. */
#define CRITICAL_BINDS 0x8000 /* in link.flags */
void critical_link(struct critical *, struct link *);
/* Adds; without memory it has failed. */
void critical_add(struct critical *, enum critical_what, uint32_t a, uint32_t b,
    uint32_t c, int64_t ns);
/* Some pieces' states; true: all have been looked at. */
bool critical_look(struct critical *);
/* The longest first. */
void critical_finish(struct critical *);

#endif
