/*
 * Counters of the system, in the collector's word about a process.
 *
 * Their names are given by us, so they have numbers of their own in the
 * numbering of the PO; each is defined when it is told for the first time.
 */
#include <stdlib.h>

#include "collector/sweep/drain_in.h"

static const struct {
	uint16_t measure; /* enum measure */
	const char *name;
} rows[MEASURES] = {
#define MEASURE_NOW 0
#define MEASURE(id, of, unit, total, text)                                     \
	[MEASURE_##                                                            \
	    id] = { MEASURE_##of | MEASURE_##unit | MEASURE_##total, text },
#include "collector/sweep/measures.def"
#undef MEASURE
};

struct po_measures {
	struct measures told;
	uint32_t named; /* a bit for each name that is defined */
};

struct drain_po *
drain_po_at(const struct drain *d, size_t i)
{
	return (i < d->npos ? d->pos[i] : NULL);
}

/* Made at the first time; after a crash of ours all is told again. */
static struct po_measures *
measures_of(struct drain_po *dp)
{
	if (dp->measures == NULL)
		dp->measures = calloc(1, sizeof(*dp->measures));
	return (dp->measures);
}

struct measures *
drain_po_told(struct drain_po *dp)
{
	struct po_measures *m = measures_of(dp);

	return (m == NULL ? NULL : &m->told);
}

bool
drain_po_read(const struct drain_po *dp, struct measures *m)
{
	const struct source *s = &dp->source;

	return (!dp->buried && !dp->ended && s->ops->measure != NULL &&
		s->ops->measure(s->arg, m));
}

/* -1: ENOMEM, or the batch is full and cannot be stored now. */
static int
define(struct drain_po *dp, unsigned id)
{
	struct msg_name m = {
		.name = IDENT_NAME_MEASURE + id,
		.po = dp->po->number,
		.text = BYTES_STR(rows[id].name),
	};

	if (dp->measures->named & UINT32_C(1) << id)
		return (0);
	if (drain_room(dp->d) == -1 ||
	    ident_name_new(dp->d->ident, dp->po, &m) == -1 ||
	    batch_add_definition(dp->d->writer, MSG_name, &m) == -1)
		return (-1);
	dp->measures->named |= UINT32_C(1) << id;
	return (0);
}

int
drain_measured(struct drain_po *dp, const struct measures *now,
    struct measures *told, int64_t now_node_ns)
{
	for (unsigned id = 0; id < MEASURES; id++) {
		uint32_t bit = UINT32_C(1) << id;

		if (!(now->set & bit) ||
		    ((told->set & bit) && told->value[id] == now->value[id]))
			continue;
		if (measures_of(dp) == NULL || define(dp, id) == -1 ||
		    drain_room(dp->d) == -1 ||
		    drain_say(dp, EV_measure, now->value[id], rows[id].measure,
			IDENT_NAME_MEASURE + id, now_node_ns) == -1)
			return (-1); /* with the next reading */
		told->value[id] = now->value[id];
		told->set |= bit;
	}
	return (0);
}
