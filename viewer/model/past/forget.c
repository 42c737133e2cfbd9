/*
 * Holding the model to a size.  When it has grown beyond, whatever takes most
 * gives up its oldest quarter: the leaves of all lanes, the links, the marks,
 * and the nodes of each level of detail, which can go when all below them has
 * gone.  So what is left is fine where it is young, coarse where it is old,
 * and what is rare never goes, since it never takes most.
 *
 * Tasks that have ended with all below them become summaries (tree_forget.c).
 * Lanes, tasks that live, alerts, names and sums are kept for good.
 */
#include "model/events/events.h"
#include "model/past/part.h"
#include "model/run/take.h"
#include "model/tree/grow.h"

#define ROUNDS     64
#define GIVES_PART 4 /* a quarter at a time */

/* What can give. */
enum giver {
	GIVES_LEAVES,
	GIVES_LINKS,
	GIVES_MARKS,
	GIVES_TASKS,
	GIVES_NODES, /* and as many more as there are levels */
	GIVERS = GIVES_NODES + LOD_LEVELS - 1
};

static struct lod *
lod_of(struct model *m, uint32_t lane)
{
	return (
	    atomic_load_explicit(&lane_at(m, lane)->lod, memory_order_relaxed));
}

/* Nodes by level, of all lanes. */
static void
weigh_nodes(struct model *m, uint64_t *bytes)
{
	uint32_t n =
	    atomic_load_explicit(&lanes_of(m)->nlanes, memory_order_relaxed);

	for (int k = 0; k < LOD_LEVELS - 1; k++)
		bytes[k] = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct lod *l = lod_of(m, i);

		for (int k = 0; l != NULL && k < LOD_LEVELS - 1; k++) {
			uint64_t b = lod_level_bytes(l, k);

			if (b == 0)
				break;
			bytes[k] += b;
		}
	}
}

static void
weigh(struct model *m, uint64_t bytes[GIVERS])
{
	bytes[GIVES_LEAVES] = lanes_of(m)->store.bytes;
	bytes[GIVES_LINKS] = interval_bytes(&links_of(m)->links);
	bytes[GIVES_MARKS] = interval_bytes(&marks_of(m)->marks);
	bytes[GIVES_TASKS] = tree_bytes(m);
	weigh_nodes(m, &bytes[GIVES_NODES]);
}

static void
lanes_forget(struct model *m, int level, int64_t t)
{
	uint32_t n =
	    atomic_load_explicit(&lanes_of(m)->nlanes, memory_order_relaxed);
	struct lod_env env = lane_env(m);

	for (uint32_t i = 0; i < n; i++) {
		struct lod *l = lod_of(m, i);

		if (l != NULL)
			lod_forget(l, &env, level, t);
	}
}

static void
gone_before(struct model *m, int64_t t)
{
	if (t > atomic_load(&facts_of(m)->gone_ns))
		atomic_store(&facts_of(m)->gone_ns, t);
}

static void
leaves_forget(struct model *m, uint64_t bytes)
{
	int64_t t = lod_store_time(&lanes_of(m)->store, bytes);

	if (t == INT64_MIN)
		return;
	/* readers know before it happens */
	atomic_store_explicit(&facts_of(m)->detail_ns, t, memory_order_release);
	gone_before(m, t);
	below_keep(m, t + 1);
	lanes_forget(m, -1, t + 1);
	lod_store_forget(&lanes_of(m)->store, t + 1, &held_of(m)->retired,
	    &held_of(m)->bytes);
}

void
forget_leaves(struct model *m)
{
	uint32_t n =
	    atomic_load_explicit(&lanes_of(m)->nlanes, memory_order_relaxed);
	struct lod_env env = lane_env(m);
	int64_t end = model_last_ns(m);
	struct lod *l;

	atomic_store_explicit(&facts_of(m)->detail_ns, end,
	    memory_order_release);
	gone_before(m, end);
	below_keep(m, end);
	for (uint32_t i = 0; i < n; i++)
		if ((l = lod_of(m, i)) != NULL)
			lod_only_last(l, &env);
}

int
keep_last_leaves(struct model *m)
{
	uint32_t n =
	    atomic_load_explicit(&lanes_of(m)->nlanes, memory_order_relaxed);
	struct lod *l;

	for (uint32_t i = 0; i < n; i++)
		if ((l = lod_of(m, i)) != NULL && lod_keep_last(l) == -1)
			return (-1);
	return (0);
}

static void
nodes_forget(struct model *m, int level)
{
	int64_t first = atomic_load(&facts_of(m)->first_ns),
		*at = &facts_of(m)->nodes_ns[level];
	int64_t end = level == 0 ? atomic_load(&facts_of(m)->detail_ns)
				 : facts_of(m)->nodes_ns[level - 1];

	if (*at < first)
		PUT(*at, first);
	if (end <= *at)
		return;
	PUT(*at, *at + (end - *at) / GIVES_PART + 1);
	lanes_forget(m, level, *at);
}

static void
marks_forget(struct model *m, uint64_t bytes)
{
	uint32_t gone = interval_forget(&marks_of(m)->marks, bytes,
	    &held_of(m)->retired, &held_of(m)->bytes);
	const struct mark *k = interval_at(&marks_of(m)->marks, gone);

	if (gone > 0 && k != NULL) {
		gone_before(m, k->t_mon_ns);
		atomic_store(&facts_of(m)->marks_ns, k->t_mon_ns);
	}
}

static void
forget_from(struct model *m, unsigned giver, uint64_t bytes, uint64_t over)
{
	bytes /= GIVES_PART;
	bytes = bytes < over ? bytes : over;
	if (giver == GIVES_LEAVES)
		leaves_forget(m, bytes);
	else if (giver == GIVES_LINKS)
		gone_before(m, links_forget(m, bytes));
	else if (giver == GIVES_TASKS)
		tree_forget(m);
	else if (giver == GIVES_MARKS)
		marks_forget(m, bytes);
	else
		nodes_forget(m, (int)(giver - GIVES_NODES));
}

void
forget(struct model *m)
{
	uint64_t cap =
	    atomic_load_explicit(&facts_of(m)->memory, memory_order_relaxed);
	uint64_t bytes[GIVERS], held = model_bytes(m), was;
	uint64_t target = cap - cap / 16;
	unsigned most, given_up[GIVERS] = { 0 };

	if (cap == 0 || held <= cap)
		return;
	for (int round = 0; round < ROUNDS && held > target; round++) {
		weigh(m, bytes);
		most = 0;
		for (unsigned g = 0; g < GIVERS; g++)
			if (given_up[most] ||
			    (!given_up[g] && bytes[g] > bytes[most]))
				most = g;
		if (given_up[most])
			break;
		was = held;
		forget_from(m, most, bytes[most], held - target);
		held = model_bytes(m);
		given_up[most] = held >= was;
	}
}
