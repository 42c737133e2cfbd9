/*
 * The slowest calls of the whole run: of each function the model keeps those
 * that are over (slowest.h), so that of 10^8 calls none need be read again;
 * what goes on is found at the end of each row.  Of a part of the run, of some
 * threads, of a playback, of waits and of what made pauses they are looked for
 * as others are.
 */
#include "model/asked/findcalls_inside.h"

/* Waits are kept by nobody. */
static bool
waits_meant(const struct find_calls *f)
{
	uint32_t n = SEE(lanes_of(f->source.m)->nstates);
	const struct lod_state *st;

	for (uint32_t i = 0; i < n; i++) {
		st = &lanes_of(f->source.m)->states[i];
		if (find_is_meant(f, st) && state_is_over(st))
			return (true);
	}
	return (false);
}

static bool
function_meant(const struct find_calls *f, const struct function *fn)
{
	const struct name_stats *s = &fn->stats;

	return (s->name < f->ask.nnames && f->name[s->name] != 0 &&
		(f->ask.kinds >> s->kind & 1) != 0);
}

static bool
threads_meant(const struct find_calls *f)
{
	for (uint32_t i = 0; f->lane != NULL && i < f->lanes; i++)
		if (model_lane(f->source.m, i)->kind == LANE_THREAD &&
		    (i >= f->ask.nlanes || f->lane[i] == 0))
			return (false);
	return (true);
}

static bool
may_answer(const struct find_calls *f)
{
	const struct function *fn;

	if (!f->ask.now || f->limit > SLOWEST || f->ask.most_ns < INT64_MAX ||
	    model_rewritten(f->source.m) != 0 || waits_meant(f) ||
	    !threads_meant(f))
		return (false);
	for (uint32_t i = 1; (fn = function_at(f->source.m, i)) != NULL; i++)
		if (function_meant(f, fn) &&
		    (SEE(fn->parted) != 0 || SEE(fn->stats.suspensions) != 0))
			return (false);
	return (true);
}

/* The row of a depth of a thread; the thread's, if it has none. */
static uint32_t
row_of(const struct model *m, const struct slow_call *c)
{
	uint32_t row = model_lane_first_child(m, c->lane);

	while (row != UINT32_MAX && model_lane(m, row)->depth != c->depth)
		row = model_lane_next_sibling(m, row);
	return (row == UINT32_MAX ? c->lane : row);
}

static void
take(struct find_calls *f, const struct function *fn, const struct slow_call *s)
{
	struct found_call c = { .t0_mon_ns = s->t0_mon_ns,
		.t1_mon_ns = s->t0_mon_ns + s->ns,
		.ns = s->ns,
		.lane = s->lane,
		.row = row_of(f->source.m, s),
		.name = fn->stats.name,
		.kind = fn->stats.kind,
		.class = LANE_running,
		.id = span_id(f->source.m, fn->stats.kind, s->number),
		.nth = s->nth };

	if (c.ns >= f->ask.least_ns)
		find_keep(f, &c);
}

bool
find_kept(struct find_calls *f)
{
	struct slow_call slow[SLOWEST];
	bool goes_on = false;
	struct function *fn;
	size_t n;

	if (f->ask.slowest == 0 || !may_answer(f))
		return (false);
	for (uint32_t i = 1; (fn = function_at(f->source.m, i)) != NULL; i++) {
		if (!function_meant(f, fn))
			continue;
		goes_on |= SEE(fn->open.n) > 0;
		n = slowest_get(&fn->slowest, slow);
		for (size_t k = 0; k < n; k++)
			take(f, fn, &slow[k]);
	}
	if (!goes_on)
		f->at = f->lanes;
	return (true);
}

/* It ended in another row than it began in, if what it was in ended before. */
void
find_rows(struct find_calls *f)
{
	struct span_row r;

	for (size_t i = 0; i < f->nheap; i++) {
		const struct found_call *c = &f->heap[i];
		struct span s = { c->t0_mon_ns, c->t1_mon_ns, c->name, c->class,
			c->kind, model_lane(f->source.m, c->row)->depth, c->id,
			c->nth };

		if (span_rows_moved(f->source.of, c->lane) &&
		    span_row_find(f->source.of, c->lane, UINT32_MAX, &s, &r))
			f->heap[i].row = r.lane;
	}
}

/* It may have ended since head_ns, and be kept. */
static bool
is_there(const struct find_calls *f)
{
	for (size_t i = 0; i < f->nheap; i++)
		if (f->heap[i].lane == f->at && f->heap[i].row == f->row.lane &&
		    f->heap[i].t0_mon_ns == f->row.piece.t0_ns &&
		    f->heap[i].nth == f->row.nth)
			return (true);
	return (false);
}

void
find_open(struct find_calls *f)
{
	const struct lod_state *st;
	int64_t until;
	int found = span_row_at(f->source.of, &f->row, f->ask.head_ns,
	    INT64_MIN, &until);

	f->about = f->about || found == -1;
	if (found != 1)
		return;
	st = span_row_state(f->source.of, &f->row);
	f->row.nth = lod_nth(span_row_lod(f->source.of, f->row.lane),
	    &f->row.cursor, &f->row.piece);
	if (find_is_meant(f, st) && !is_there(f))
		find_took(f, st, INT64_MAX);
}
