/* Shared by the kinds of sums. */
#ifndef VIEWER_SUMS_INSIDE_H
#define VIEWER_SUMS_INSIDE_H

#include "model/past/part.h"
#include "model/past/plan.h"
#include "model/past/sums.h"

/* What a kind begins with. */
struct sums {
	const struct sums_ops *ops;
	struct model *m;
	struct {
		int64_t t_ns;
		bool done;
	} at[2];             /* from, to */
	uint32_t checkpoint; /* number + 1 of what is being read */
	uint64_t bytes;      /* that it counts as the model's */
};

/* A kind; begin and those behind it may be NULL. */
struct sums_ops {
	size_t bytes; /* of the struct that begins with struct sums */
	int (*init)(struct sums *); /* -1: ENOMEM */
	void (*clear)(struct sums *);
	bool (*plan)(struct sums *, uint64_t most, struct detail_plan *);
	int (*take)(struct sums *, const struct model *detail);
	bool (*whole)(const struct sums *);
	void (*set)(struct model *, struct sums *);
	int (*begin)(struct sums *, struct model *detail);
	/* for ends_plan(): is this end known without reading? */
	bool (*known)(struct sums *, unsigned end);
	/* for the same: checkpoints from one that counts to the next; 0: they
	 * are not to be had */
	uint32_t (*grain)(const struct sums *);
};
extern const struct sums_ops range_ends_ops, message_sums_ops, call_sums_ops;

/* sums.c: of kinds that are known when both ends are. */
bool ends_plan(struct sums *, uint64_t most, struct detail_plan *);
bool ends_whole(const struct sums *);
unsigned ends_next(const struct sums *); /* the one that is read for */

void sums_hold(struct sums *, uint64_t bytes); /* it takes so many more */

#endif
