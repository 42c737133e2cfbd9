/*
 * What others do with the same pings: their methods, written anew from their
 * descriptions, for the bench to compare with.
 */
#ifndef TESTS_BENCH_CLOCK_PEERS_H
#define TESTS_BENCH_CLOCK_PEERS_H

#include <stddef.h>
#include <stdint.h>

/* One exchange, as the program knows it when it is over. */
struct peer_probe {
	int64_t t1_mon_ns, t2_node_ns, t3_node_ns, t4_mon_ns;
	double node_s;    /* half-way at the node, since the first probe */
	double offset_ns; /* mon - node, less that of the first probe */
	double delay_ns;
	unsigned in_burst; /* which of its burst */
};

struct peer_run {
	struct peer_probe *probe;
	size_t n; /* all of the run */
	/* what the last estimate was made of, for those that work as they go */
	size_t fitted;
	double base_ns, slope, at_s;
};

struct clock_peer {
	const char *name; /* for the reference column */
	/*
	 * Offset of the node's clock (ns, as in the probes) at this node time
	 * (s), of the first `seen` probes; post-mortem ones use all.
	 */
	double (*offset)(struct peer_run *, size_t seen, double node_s);
};

#define CLOCK_PEERS 6
extern const struct clock_peer clock_peers[CLOCK_PEERS];

#endif
