/* See describe.h.  Numbers of the tree are of all its tasks, drawn or not. */
#include "layout/describe.h"

#include <stdlib.h>
#include <string.h>

int
describe_levels(char *buf, size_t n, const struct radial_layout *l)
{
	if (l->levels_2 == 0)
		return (
		    snprintf(buf, n, "LC: %u(%u)", l->levels_1, l->ratio_1));
	return (snprintf(buf, n, "LC: %u(%u) %u(%u)", l->levels_1, l->ratio_1,
	    l->levels_2, l->ratio_2));
}

void
describe_timeline(FILE *f, const struct model *m, const struct timeline_view *v,
    const struct timeline_layout *l)
{
	uint32_t kinds[LANE_GROUP + 1] = { 0 }, lanes = model_lanes(m);
	static const struct {
		uint8_t kind;
		const char *what;
	} names[] = {
		{ LANE_NODE, "nodes" },
		{ LANE_PO, "POs" },
		{ LANE_THREAD, "threads" },
		{ LANE_DEPTH, "depths" },
		{ LANE_OBJECT, "objects" },
		{ LANE_LOCK, "locks" },
	};
	bool some = model_events(m) > 0;
	int64_t first_ns = some ? model_first_ns(m) : 0;

	for (uint32_t i = 0; i < lanes; i++)
		kinds[model_lane(m, i)->kind]++;
	fprintf(f, "process-time view\n");
	fprintf(f, "  range: %.6f s to %.6f s of %.6f s\n",
	    (double)(v->t0_mon_ns - first_ns) / 1e9,
	    (double)(v->t1_mon_ns - first_ns) / 1e9,
	    some ? (double)(model_last_ns(m) - first_ns) / 1e9 : 0);
	fprintf(f, "  events: %llu, lost: %llu\n",
	    (unsigned long long)model_events(m),
	    (unsigned long long)model_lost(m));
	fprintf(f, "  lanes: %u (", lanes);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		fprintf(f, "%s%u %s", i == 0 ? "" : ", ", kinds[names[i].kind],
		    names[i].what);
	fprintf(f, ")\n");
	fprintf(f, "  rows: %zu, folded away: %u\n", l->nrows, l->lanes_hidden);
	fprintf(f, "  boxes: %u, mixed pixels: %u\n", l->spans_drawn,
	    l->pixels_drawn);
	fprintf(f, "  edges: %u of %u, marks: %u\n", l->links_drawn,
	    l->links_total, l->marks);
}

/* Tasks by procedure and by PE, of the whole log or of one tree. */
struct tally {
	uint32_t *by_name, *by_pe;
	uint32_t names, pes;
	uint64_t suspended, suspensions, begun, ended;
};

static void
tally_task(struct tally *y, const struct model *m, uint32_t i)
{
	struct task t;

	model_task_get(m, i, &t);
	if (t.name < y->names)
		y->by_name[t.name]++;
	if (t.flags & TASK_BEGUN && t.pe < y->pes)
		y->by_pe[t.pe]++;
	y->begun += (t.flags & TASK_BEGUN) != 0;
	y->ended += (t.flags & TASK_ENDED) != 0;
	y->suspended += t.suspensions > 0;
	y->suspensions += t.suspensions;
}

static void
tally_all(struct tally *y, const struct model *m, uint32_t root, int subtree)
{
	uint32_t n = model_tasks(m), t, top;
	struct task x;

	if (root == TASK_NONE) {
		for (t = 0; t < n; t++)
			tally_task(y, m, t);
		return;
	}
	for (model_task_get(m, root, &x); !subtree && x.parent != TASK_NONE;
	     model_task_get(m, root, &x))
		root = x.parent;
	top = root;
	for (t = top;;) {
		tally_task(y, m, t);
		model_task_get(m, t, &x);
		if (x.first_child != TASK_NONE) {
			t = x.first_child;
			continue;
		}
		while (t != top && x.next_sibling == TASK_NONE) {
			t = x.parent;
			model_task_get(m, t, &x);
		}
		if (t == top)
			return;
		t = x.next_sibling;
	}
}

static void
print_names(FILE *f, const struct model *m, struct tally *y)
{
	uint32_t best;

	fprintf(f, "  tasks by procedure:");
	for (;;) { /* most frequent first; there are few */
		best = 0;
		for (uint32_t i = 1; i < y->names; i++)
			if (y->by_name[i] > 0 &&
			    (best == 0 || y->by_name[i] > y->by_name[best]))
				best = i;
		if (best == 0)
			break;
		fprintf(f, " %s %u",
		    model_name(m, best) != NULL ? model_name(m, best) : "?",
		    y->by_name[best]);
		y->by_name[best] = 0;
	}
	if (y->by_name[0] > 0)
		fprintf(f, " unnamed %u", y->by_name[0]);
	fprintf(f, "\n");
}

void
describe_radial(FILE *f, const struct model *m, const struct radial_view *v,
    const struct radial_layout *l)
{
	struct tally y = { .names = model_names(m) + 1,
		.pes = model_pes(m) + 1 };
	uint32_t used = 0, trees = model_task_roots(m, NULL, 0);
	char levels[64];

	fprintf(f, "radial view, colour: %s\n",
	    radial_colour_name[v->colour % RADIAL_COLOURS]);
	if (l->tasks == 0) {
		fprintf(f, "  no tasks\n");
		return;
	}
	describe_levels(levels, sizeof(levels), l);
	fprintf(f, "  tasks: %u%s, trees in the log: %u\n", l->tasks,
	    v->subtree ? " of a subtree" : "", trees);
	fprintf(f, "  deepest level: %u\n", l->deepest);
	fprintf(f, "  levels: %u, rings: %u, %s\n", l->levels, l->rings,
	    levels);
	fprintf(f, "  nodes: %u drawn, %u pruned, %u condensed\n", l->drawn,
	    l->pruned, l->condensed);
	fprintf(f, "  shapes: %u polygons, %u lines, %u points\n", l->polygons,
	    l->lines, l->points);
	fprintf(f, "  ring distance: %.2f px\n", l->ring_px);
	y.by_name = calloc(y.names, sizeof(*y.by_name));
	y.by_pe = calloc(y.pes, sizeof(*y.by_pe));
	if (y.by_name != NULL && y.by_pe != NULL) {
		tally_all(&y, m, v->root < model_tasks(m) ? v->root : TASK_NONE,
		    v->subtree);
		print_names(f, m, &y);
		for (uint32_t i = 0; i < y.pes; i++)
			used += y.by_pe[i] > 0;
		fprintf(f,
		    "  PEs used: %u, tasks by the one they were last on (",
		    used);
		for (uint32_t i = 0, k = 0; i < y.pes; i++)
			if (y.by_pe[i] > 0)
				fprintf(f, "%sPE %u: %u", k++ == 0 ? "" : ", ",
				    i, y.by_pe[i]);
		fprintf(f, ")\n");
		fprintf(f, "  begun: %llu, ended: %llu\n",
		    (unsigned long long)y.begun, (unsigned long long)y.ended);
		fprintf(f, "  suspended: %llu tasks, %llu times\n",
		    (unsigned long long)y.suspended,
		    (unsigned long long)y.suspensions);
	}
	free(y.by_name);
	free(y.by_pe);
}
