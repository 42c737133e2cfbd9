/*
 * Clocks of nodes that talk, brought closer than pings can: a message is never
 * taken before it was sent, so the fastest ones of both directions say how far
 * two clocks are apart, to within the messages' own delay.
 *
 * Pure: messages and the lines of the pings come in as arguments.  Nothing
 * here moves a clock by more than its pings allow, whatever the messages say.
 * After Duda et al. 1987 (bounds by messages), Jabbarifar and Dagenais 2014
 * (incremental), Geng et al. 2018 (many neighbours, solved together).
 */
#ifndef COMMON_TIGHTEN_H
#define COMMON_TIGHTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clockfit.h"
#include "clockmap.h"

#define TIGHTEN_FINE       8     /* newest windows that a pair remembers */
#define TIGHTEN_COARSE     12    /* and the best of each four before them */
#define TIGHTEN_NEIGHBOURS 16    /* pairs that a node may start */
#define TIGHTEN_PAIRS_MAX  32768 /* in all: about 20 MB */
#define TIGHTEN_NODES_MAX  (1u << 16) /* higher numbers take no part */

struct tighten;
struct tighten *tighten_new(void); /* NULL: ENOMEM */
void tighten_free(struct tighten *);

/*
 * A message between two nodes, both times as they were mapped, before any
 * correction.  Silly ones are ignored.  10 to 30 ns.
 */
void tighten_message(struct tighten *, uint32_t from, uint32_t to,
    int64_t sent_mon_ns, int64_t taken_mon_ns);

/*
 * Before each solve, for every node whose clock is known: what its pings say,
 * with the ageing they were believed with; the epoch of its clock (a new one
 * forgets all that its messages have said), and the map that was used since
 * the last solve.  -1: ENOMEM.
 */
int tighten_node(struct tighten *, uint32_t node, const struct clock_line *,
    double beta, uint32_t epoch, const struct clockmap *);

/*
 * After that, when the pings prove less than the line makes likely: the truth
 * may be so far from the line, at the solve, and turns away from it by so much
 * each ns.  What is said of errors follows from this, what is aimed at does
 * not.
 */
void tighten_doubt(struct tighten *, uint32_t node, double off_ns, double turn);

/* Its clock is another one now, whatever its epoch. */
void tighten_forget(struct tighten *, uint32_t node);

/*
 * Closes a window of messages and solves for all nodes told of since the last
 * time, as of at_mon_ns, which is that of the newest messages or, when looking
 * back, earlier.  About 1 us for each pair.  tighten_period() says how long a
 * window is good: a quarter of a second, or more when there are many pairs.
 */
void tighten_solve(struct tighten *, int64_t at_mon_ns);
int64_t tighten_period_ns(const struct tighten *);

/* What the last solve says of a node.  False: nothing. */
struct tighten_says {
	struct clock_line aim; /* gap_ns: between the bounds that follow */
	int64_t error_ns;      /* truth is within +- this of the aim */
	int64_t pair_ns; /* bound of its error against the best neighbour */
	unsigned pairs;  /* neighbours with messages both ways */
};
bool tighten_says(const struct tighten *, uint32_t node, struct tighten_says *);

struct tighten_stats {
	uint64_t messages,
	    refused;             /* refused: of pairs there was no room for */
	uint64_t contradictions; /* pairs whose bounds were at odds */
	size_t pairs, both_ways;
};
void tighten_stats(const struct tighten *, struct tighten_stats *);

#endif
