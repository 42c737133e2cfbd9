/* See describe_time.h: the process-time view. */
#include "layout/time/describe_time.h"

void
describe_timeline(FILE *f, const struct model *m, const struct timeline_view *v,
    const struct timeline_layout *l, int64_t origin_mon_ns)
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
		{ LANE_SYNC, "conditions and the like" },
	};

	for (uint32_t i = 0; i < lanes; i++) /* a lock's are one */
		kinds[model_lane(m, i)->kind] +=
		    model_lane(m, i)->kind != LANE_LOCK ||
		    model_lane(m, i)->depth == 0;
	fprintf(f, "process-time view\n");
	if (model_events(m) == 0)
		fprintf(f, "  range: nothing has happened yet\n");
	else
		fprintf(f, "  range: %.6f s to %.6f s, of %.6f s to %.6f s\n",
		    (double)(v->t0_mon_ns - origin_mon_ns) / 1e9,
		    (double)(v->t1_mon_ns - origin_mon_ns) / 1e9,
		    (double)(model_first_ns(m) - origin_mon_ns) / 1e9,
		    (double)(model_last_ns(m) - origin_mon_ns) / 1e9);
	fprintf(f, "  events: %llu, lost: %llu\n",
	    (unsigned long long)model_events(m),
	    (unsigned long long)model_lost(m));
	fprintf(f, "  lanes: %u (", lanes);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		fprintf(f, "%s%u %s", i == 0 ? "" : ", ", kinds[names[i].kind],
		    names[i].what);
	fprintf(f, ")\n");
	if (v->by_node)
		fprintf(f, "  form: small, a row for each node\n");
	fprintf(f, "  rows: %zu, folded away: %u\n", l->nrows, l->lanes_hidden);
	fprintf(f, "  boxes: %u, mixed pixels: %u\n", l->spans_drawn,
	    l->pixels_drawn);
	fprintf(f, "  edges: %u of %u, marks: %u\n", l->links_drawn,
	    l->links_total, l->marks);
	if (l->links_free > 0)
		fprintf(f, "  locks that were free when taken: %u\n",
		    l->links_free);
}
