/*
 * See findcalls.h.  A call begins in the row of its depth with a piece that
 * says so.  The longest are kept in a heap, the shortest of them on top, which
 * goes when a longer one comes.
 */
#include "model/asked/findcalls_inside.h"

#include <stdlib.h>
#include <string.h>

#define WORK_PART   4096
#define WORK_LANE   16
#define WORK_JUMP   32 /* as much as so many pieces */
#define JUMP_LEAVES 2
#define PIECES_MOST (1u << 20) /* of one call */

struct find_calls *
find_new(void)
{
	struct find_calls *f = calloc(1, sizeof(*f));

	if (f != NULL &&
	    (f->heap = malloc(FOUND_MOST * sizeof(*f->heap))) == NULL) {
		free(f);
		return (NULL);
	}
	if (f != NULL)
		f->done = true;
	return (f);
}

void
find_free(struct find_calls *f)
{
	if (f == NULL)
		return;
	durations_clear(&f->all);
	free(f->heap);
	free(f->name);
	free(f->lane);
	free(f);
}

static uint8_t *
copy(const uint8_t *from, uint32_t n)
{
	uint8_t *to = malloc(n + 1u);

	if (to != NULL && n > 0)
		memcpy(to, from, n);
	return (to);
}

bool
find_is_meant(const struct find_calls *f, const struct lod_state *st)
{
	return (st->fresh == 1 && st->name < f->ask.nnames &&
		f->name[st->name] != 0 && (f->ask.kinds >> st->kind & 1) != 0);
}

/*
 * What is shorter than asked need not be looked at, unless it is longer than
 * it seems: of a row there are only the spans that it is in at instants that
 * are so far apart.  A wait may be hidden below a call then, and a task may
 * have been suspended.
 */
static bool
may_jump(const struct find_calls *f)
{
	const struct function *fn;
	uint32_t n = SEE(lanes_of(f->source.m)->nstates);

	for (uint32_t i = 0; i < n; i++) {
		const struct lod_state *st = &lanes_of(f->source.m)->states[i];

		if (!find_is_meant(f, st))
			continue;
		if (state_is_over(st))
			return (false);
		fn = function_at(f->source.m,
		    function_find(f->source.m, st->kind, st->name));
		if (fn == NULL || SEE(fn->stats.suspensions) != 0)
			return (false);
	}
	return (true);
}

int
find_begin(struct find_calls *f, const struct model *m,
    const struct find_ask *ask)
{
	free(f->name);
	free(f->lane);
	f->ask = *ask;
	f->name = copy(ask->name, ask->nnames);
	f->lane = ask->lane == NULL ? NULL : copy(ask->lane, ask->nlanes);
	f->source = span_source(m, ask->t0, ask->t1);
	f->at = 0;
	f->lanes = model_lanes(m);
	f->in_thread = f->in_row = f->about = false;
	f->n = f->looked = 0;
	f->sum_ns = 0;
	memset(&f->life, 0, sizeof(f->life));
	f->nheap = 0;
	durations_zero(&f->all);
	f->failed = f->name == NULL || (ask->lane != NULL && f->lane == NULL);
	f->limit = ask->slowest == 0 || ask->slowest > FOUND_MOST
		       ? FOUND_MOST
		       : ask->slowest;
	f->done = f->failed || ask->t1 <= ask->t0;
	f->jumps = !f->done && may_jump(f);
	f->kept = !f->done && find_kept(f);
	return (f->failed ? -1 : 0);
}

/* One that was suspended is so long as it ran. */
static void
task_length(const struct find_calls *f, uint32_t number, struct found_call *c)
{
	struct task t;

	if (number == 0 || model_task_gone(f->source.m, number - 1))
		return;
	model_task_get(f->source.m, number - 1, &t);
	if (t.suspensions == 0 || t.end_mon_ns == INT64_MIN ||
	    t.end_mon_ns > f->ask.head_ns)
		return;
	c->t1_mon_ns = t.end_mon_ns;
	c->ns = t.busy_ns;
}

/* Where it is over, if the next piece tells, as it mostly does. */
static bool
over_at_once(const struct find_calls *f, const struct lod_state *st,
    int64_t *end)
{
	const struct lod_cursor *c = &f->row.cursor;
	const struct lod_state *next;

	if (f->moved || c->opened != c->leaf || c->entry >= c->now.n)
		return (false);
	next = &lanes_of(f->source.of)->states[c->now.state[c->entry]];
	if ((st->kind < SPAN_wait_message && state_is_over(next)) ||
	    (next->fresh == 0 && next->kind == st->kind &&
		next->name == st->name && next->class == st->class))
		return (false);
	*end = f->row.piece.t1_ns;
	return (true);
}

static int64_t
end_of(struct find_calls *f, const struct lod_state *st)
{
	struct span s = { f->row.piece.t0_ns, INT64_MAX, st->name, st->class,
		st->kind, 0, 0, 0 };
	struct span_row row = f->row;
	uint32_t left = PIECES_MOST;
	int64_t end = span_row_end(f->source.of, f->at, &row, &s, &left);

	f->work += PIECES_MOST - left;
	f->about = f->about || left == 0;
	return (end);
}

static void
live(struct found_life *l, const struct found_call *c, bool first)
{
	if (first || c->t0_mon_ns < l->first_mon_ns)
		l->first_mon_ns = c->t0_mon_ns;
	if (first || c->t1_mon_ns > l->last_mon_ns)
		l->last_mon_ns = c->t1_mon_ns;
	l->open += c->open;
}

/*
 * Of the slowest only those matter from then on that are as long as the
 * shortest of them.
 */
static void
count(struct find_calls *f, const struct found_call *c)
{
	find_keep(f, c);
	if (f->ask.slowest == 0) {
		live(&f->life, c, f->n == 0);
		f->n++;
		f->sum_ns += c->ns;
		f->failed = durations_add(&f->all, c->ns, &f->bytes) == -1;
	} else if (f->nheap == f->limit && f->heap[0].ns > f->ask.least_ns) {
		f->ask.least_ns = f->heap[0].ns;
	}
}

void
find_took(struct find_calls *f, const struct lod_state *st, int64_t end)
{
	const struct lod_piece *p = &f->row.piece;
	int64_t until = lane_until(f->source.m, f->at), ended;
	struct found_call c = { .t0_mon_ns = p->t0_ns,
		.lane = f->at,
		.row = f->row.lane,
		.name = st->name,
		.kind = st->kind,
		.class = st->class,
		.id = span_id(f->source.m, st->kind, p->id),
		.nth = f->row.nth };

	until = until < f->ask.head_ns ? until : f->ask.head_ns;
	until = until < p->t0_ns ? p->t0_ns : until;
	c.t1_mon_ns = end > until ? until : end;
	/* what was read again does not tell of the thread's end */
	c.open =
	    end > until &&
	    !(model_lane_ended(f->source.m, f->at, &ended) && ended <= until);
	c.ns = c.t1_mon_ns - c.t0_mon_ns;
	if (st->kind == SPAN_task)
		task_length(f, p->id, &c);
	if (c.ns >= f->ask.least_ns && c.ns <= f->ask.most_ns)
		count(f, &c);
}

/* The piece begins one that is meant. */
static void
take(struct find_calls *f, const struct lod_state *st)
{
	int64_t end;

	if (!over_at_once(f, st, &end))
		end = end_of(f, st);
	find_took(f, st, end);
}

/* The next instant at which one that is long enough must be seen. */
static int64_t
jump_to(const struct find_calls *f)
{
	return (f->ask.t1 - f->since_ns > f->ask.least_ns
		    ? f->since_ns + f->ask.least_ns - 1
		    : f->ask.t1 - 1);
}

/* So far away that what lies between is better not read. */
static bool
jump_pays(const struct find_calls *f, const struct lod *l)
{
	const struct lod_cursor *c = &f->row.cursor;

	return (c->leaf + JUMP_LEAVES < c->nleaves &&
		lod_leaf_t0(l, c->leaf + JUMP_LEAVES) <= jump_to(f));
}

/* A leaf is to be read next; of what has begun before nothing is left. */
static bool
jump_begins(struct find_calls *f, const struct lod *l)
{
	int64_t was = f->since_ns, t;

	if (!f->jumps || f->ask.least_ns < 2 || f->moved ||
	    f->row.cursor.entry != 0 ||
	    f->row.cursor.leaf >= f->row.cursor.nleaves)
		return (false);
	t = lod_leaf_t0(l, f->row.cursor.leaf);
	if (t <= was)
		return (false);
	f->since_ns = t;
	if (jump_pays(f, l))
		return (true);
	f->since_ns = was;
	return (false);
}

/* False: there is nothing more in the row. */
static bool
jump(struct find_calls *f)
{
	int64_t to = jump_to(f), until;
	int found = span_row_at(f->source.of, &f->row, to, f->since_ns, &until);

	f->work += WORK_JUMP;
	f->looked++;
	f->about = f->about || found == -1;
	if (found == 1 &&
	    find_is_meant(f, span_row_state(f->source.of, &f->row)))
		take(f, span_row_state(f->source.of, &f->row));
	f->since_ns = until > to ? until : to + 1;
	return (f->since_ns < f->ask.t1 && until < INT64_MAX);
}

/* As long as it pays; then the row is read on from there. */
static bool
jump_on(struct find_calls *f, const struct lod *l)
{
	do
		if (!jump(f) ||
		    lod_seek(l, f->since_ns - 1, &f->row.cursor) != 1)
			return (false);
	while (f->work < WORK_PART && !f->failed && jump_pays(f, l));
	return (true);
}

/* On in the row; false: there is nothing more in it. */
static bool
row_on(struct find_calls *f, const struct lod *l)
{
	const struct lod_state *st;
	int64_t was;

	while (f->work < WORK_PART && !f->failed) {
		if (jump_begins(f, l)) {
			if (!jump_on(f, l))
				return (false);
			f->row.piece.t0_ns = INT64_MIN;
			continue;
		}
		was = f->row.piece.t0_ns;
		if (!lod_next(l, &f->row.cursor, &f->row.piece)) {
			f->about = f->about || span_row_gone(&f->row.cursor);
			return (false);
		}
		if (f->row.piece.t0_ns >= f->ask.t1)
			return (false);
		f->row.nth = f->row.piece.t0_ns == was ? f->row.nth + 1 : 1;
		f->work++;
		f->looked++;
		if (f->row.piece.t0_ns < f->since_ns)
			continue;
		f->since_ns = f->row.piece.t0_ns;
		st = span_row_state(f->source.of, &f->row);
		if (find_is_meant(f, st))
			take(f, st);
	}
	return (true);
}

/* The row of the next depth; false: the thread has no more. */
static bool
row_next(struct find_calls *f)
{
	uint32_t next;

	if (!f->in_thread) {
		f->in_thread = true;
		next = model_lane_first_child(f->source.of, f->at);
		f->row.before = UINT32_MAX;
		f->row.lane = next == UINT32_MAX ? f->at : next;
		return (true);
	}
	next = f->row.lane == f->at
		   ? UINT32_MAX
		   : model_lane_next_sibling(f->source.of, f->row.lane);
	f->row.before = f->row.lane;
	f->row.lane = next;
	return (next != UINT32_MAX);
}

static bool
thread_is_meant(const struct find_calls *f)
{
	return (model_lane(f->source.m, f->at)->kind == LANE_THREAD &&
		f->at < model_lanes(f->source.of) &&
		(f->lane == NULL ||
		    (f->at < f->ask.nlanes && f->lane[f->at] != 0)));
}

static void
thread_on(struct find_calls *f)
{
	const struct lod *l;
	int found;

	f->work += WORK_LANE;
	if (!thread_is_meant(f) || (!f->in_row && !row_next(f))) {
		f->at++;
		f->in_thread = f->in_row = false;
		return;
	}
	if (f->kept) {
		find_open(f);
		return;
	}
	l = span_row_lod(f->source.of, f->row.lane);
	if (!f->in_row) {
		found =
		    l == NULL ? 0 : lod_seek(l, f->ask.t0 - 1, &f->row.cursor);
		if (found == 0)
			return;
		f->about = f->about ||
			   (found == -1 && f->row.cursor.now.t0_ns > f->ask.t0);
		f->in_row = true;
		f->since_ns = f->ask.t0 > f->row.cursor.now.t0_ns
				  ? f->ask.t0
				  : f->row.cursor.now.t0_ns;
		f->moved = span_rows_moved(f->source.of, f->at);
		f->row.piece.t0_ns = INT64_MIN; /* that is another row's */
	}
	f->in_row = row_on(f, l);
}

static void
finish(struct find_calls *f)
{
	find_sort(f);
	if (f->ask.slowest == 0)
		return;
	f->n = f->nheap;
	f->sum_ns = 0;
	for (size_t i = 0; i < f->nheap; i++)
		f->sum_ns += f->heap[i].ns;
}

bool
find_step(struct find_calls *f)
{
	struct span_door door;

	if (f->done)
		return (true);
	if (!span_source_enter(&f->source, f->ask.t0, f->ask.t1, &door))
		return (f->failed = f->done = true);
	span_row_again(&f->row.cursor);
	for (f->work = 0; f->work < WORK_PART && f->at < f->lanes;)
		if (f->failed)
			break;
		else
			thread_on(f);
	if (f->kept && f->at == f->lanes)
		find_rows(f);
	span_source_leave(&f->source, &door);
	f->done = f->failed || f->at == f->lanes;
	if (f->done)
		finish(f);
	return (f->done);
}

double
find_done(const struct find_calls *f)
{
	return (f->done || f->lanes == 0 ? 1 : (double)f->at / f->lanes);
}

bool
find_exact(const struct find_calls *f)
{
	return (!f->about && !f->failed);
}

uint64_t
find_count(const struct find_calls *f)
{
	return (f->n);
}

struct found_life
find_life(const struct find_calls *f)
{
	return (f->life);
}

uint64_t
find_looked(const struct find_calls *f)
{
	return (f->looked);
}

int64_t
find_sum_ns(const struct find_calls *f)
{
	return (f->sum_ns);
}

const struct durations *
find_durations(const struct find_calls *f)
{
	return (&f->all);
}
