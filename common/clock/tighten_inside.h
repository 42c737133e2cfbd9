/* What tighten*.c share; nobody else includes this. */
#ifndef COMMON_TIGHTEN_INSIDE_H
#define COMMON_TIGHTEN_INSIDE_H

#include "tighten.h"

#define SEC                 1e9
#define TIGHTEN_TOOK_MAX_NS INT64_C(1000000000) /* slower ones say nothing */

/*
 * How far the truth is from the middle of the bounds, as a rule, in parts of
 * their half width: pings are many and alike both ways, messages need not be.
 */
#define PINGS_OFF    0.1
#define MESSAGES_OFF 0.3

/* A message that was the fastest of its window, by the nodes' own clocks. */
struct tighten_sample {
	int64_t sent_node_ns, taken_node_ns;
};

/* One direction of a pair. */
struct tighten_way {
	struct tighten_sample fine[TIGHTEN_FINE], coarse[TIGHTEN_COARSE];
	uint32_t fine_n, coarse_n; /* oldest first */
	/* the fastest of the present window, mapped */
	int64_t sent_mon_ns, taken_mon_ns, took_ns;
	bool any;
};

/*
 * Two nodes, a < b.  What is sought is d = c_b - c_a, how much more b's line
 * must be raised than a's.
 */
struct tighten_pair {
	uint32_t a, b, owner;
	uint32_t quiet; /* windows since it has last heard anything */
	struct tighten_way ways[2]; /* from a to b: d is at least; back: most */
	/* of the last fit, at the time of the solve */
	bool low_known, high_known;
	bool both, trusted; /* known; and the others do not contradict it */
	double low, high;   /* what is proven of d */
	double middle, half, slope; /* what is likely; both */
	double weight, slope_weight;
};

struct tighten_clock {
	bool told, solved; /* since the last solve; by it */
	uint32_t epoch, owned, pairs;
	struct clock_line line,
	    aim; /* of the pings; what the last solve said */
	double beta;
	const struct clockmap *map;
	int64_t at_node_ns; /* its time at the solve */
	double room;        /* of the pings' line, +- ns: likely */
	double proven;      /* and what they prove, at least as much */
	double doubt, turn; /* as told; 0: the line is right */
	double over_s;      /* the time that their slope is known over */
	double c, s;        /* raise the line by c + s * time */
	double from, to;    /* where c must be */
	double weight, slope_weight;
	double best;  /* narrowest pair, ns */
	size_t first; /* its places in edges[] */
};

struct tighten {
	struct tighten_clock *clocks;
	size_t nclocks, clocks_cap;
	struct tighten_pair *pairs;
	size_t npairs, pairs_cap;
	uint32_t *slots; /* hash: index of a pair + 1 */
	size_t nslots;   /* a power of two, or 0 */
	uint32_t *edges; /* pairs of each clock */
	size_t edges_cap;
	uint64_t solves;
	struct tighten_stats stats;
};

/* tighten_pairs.c: that of nodes a < b, made if need be; NULL: no room. */
struct tighten_pair *tighten_pair_find(struct tighten *, uint32_t a,
    uint32_t b);
/* What its messages have said is no longer so. */
void tighten_pair_forget(struct tighten_pair *);
/* A solve is over: pairs that have been silent for long make room. */
void tighten_pairs_drop(struct tighten *);

/*
 * tighten_way.c: a window is over; keeps its fastest message.  false: there
 * was none, or it cannot be told by the nodes' own clocks.
 */
bool tighten_way_close(struct tighten_way *, const struct tighten_clock *from,
    const struct tighten_clock *to);

/* tighten_fit.c: what its messages say of d, at this time. */
void tighten_pair_fit(struct tighten *, struct tighten_pair *, int64_t at);

/* tighten_solve.c: all pairs have been fitted. */
void tighten_solve_clocks(struct tighten *);

#endif
