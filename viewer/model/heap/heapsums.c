/*
 * Sums of memory of a range; see heap.h.  All events from the first on are gone
 * through, since what is in use at an instant is what was given out before it
 * and is not back.  Scratch is the heap's.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "model/heap/rows_inside.h"
#include "model/measured/eventlist.h"

#define MEAN_BYTES 524288.0 /* of mem_sample; see events.def */

/* A piece of memory, live or not. */
struct piece {
	double stands;  /* for so many pieces */
	uint64_t bytes; /* as given */
	uint32_t place, owner, stack;
	bool live;
};

/* Sums of a thread: the last ones, and the last before the range. */
struct told {
	uint64_t now[6], before[6];
};
enum {
	MADE,
	GIVEN,
	ASKED,
	FREED,
	BACK,
	NULLS
};

/* A name as a place: which, + 1; 0: not known yet. */
struct stack {
	struct heap_stack pub;
	uint32_t place;
};

/* Its value is what is counted, if anything is, else that of its pieces. */
struct process {
	struct heap_process pub;
	int64_t counted, pieces; /* bytes in use, in each way */
	int64_t high;            /* the most since the last column */
	bool counts;
};

struct heap_sums {
	const struct model *model;
	int64_t t0, t1, from, to;
	uint32_t at, n;
	bool failed; /* out of memory: it is not whole */
	struct heap_totals totals;
	struct map piece_map, place_map, pair_map, process_map, told_map,
	    stack_map;
	struct rows pieces, places, pairs, processes, told, stacks;
	struct heap_process *shown; /* of processes */
	struct heap_stack *told_stack;
	unsigned column, spark; /* where we are */
	int64_t high;           /* the most of all since the last column */
};

struct heap_sums *
heap_sums_new(void)
{
	struct heap_sums *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return (NULL);
	s->pieces.bytes = sizeof(struct piece);
	s->places.bytes = sizeof(struct heap_place);
	s->pairs.bytes = sizeof(struct heap_pair);
	s->processes.bytes = sizeof(struct process);
	s->told.bytes = sizeof(struct told);
	s->stacks.bytes = sizeof(struct stack);
	return (s);
}

static void
each_map(struct heap_sums *s, void (*do_it)(struct map *))
{
	do_it(&s->piece_map);
	do_it(&s->place_map);
	do_it(&s->pair_map);
	do_it(&s->process_map);
	do_it(&s->told_map);
	do_it(&s->stack_map);
}

void
heap_sums_free(struct heap_sums *s)
{
	if (s == NULL)
		return;
	each_map(s, map_free);
	free(s->pieces.p);
	free(s->places.p);
	free(s->pairs.p);
	free(s->processes.p);
	free(s->told.p);
	free(s->stacks.p);
	free(s->shown);
	free(s->told_stack);
	free(s);
}

/* The row of these two, zeroed when it is new; NULL: ENOMEM. */
static void *
row_of(struct heap_sums *s, struct map *m, struct rows *r, uint64_t a,
    uint32_t b)
{
	void *p = rows_at(r, m, a, b);

	s->failed |= p == NULL;
	return (p);
}

void
heap_sums_begin(struct heap_sums *s, const struct model *m, int64_t t0,
    int64_t t1, int64_t from, int64_t to)
{
	each_map(s, map_empty);
	s->pieces.n = s->places.n = s->pairs.n = 0;
	s->processes.n = s->told.n = s->stacks.n = 0;
	memset(&s->totals, 0, sizeof(s->totals));
	s->model = m;
	s->t0 = t0;
	s->t1 = t1;
	s->from = from;
	s->to = to > from ? to : from + 1;
	s->at = 0;
	s->n = model_heap_events(m);
	s->failed = false;
	s->column = s->spark = 0;
	s->high = 0;
}

static const struct location *
location_of(const struct heap_sums *s, const struct listed_event *e)
{
	return (chunk_at(&defs_of(s->model)->locations, e->location));
}

static uint32_t
lane_of(const struct heap_sums *s, const struct listed_event *e)
{
	const struct location *l = location_of(s, e);

	return (l == NULL ? UINT32_MAX : l->lane);
}

static struct process *
process_of(struct heap_sums *s, const struct listed_event *e)
{
	const struct location *l = location_of(s, e);
	const struct po_data *po;
	struct process *p;

	if (l == NULL)
		return (NULL);
	p = row_of(s, &s->process_map, &s->processes, l->po_number, 0);
	if (p == NULL)
		return (NULL);
	po = chunk_at(&defs_of(s->model)->pos, l->po_number);
	p->pub.lane = po == NULL ? l->lane : po->lane;
	return (p);
}

static bool
in_range(const struct heap_sums *s, const struct listed_event *e)
{
	return (e->t_mon_ns >= s->t0);
}

static struct piece *
piece_of(struct heap_sums *s, const struct listed_event *e)
{
	const struct location *l = location_of(s, e);

	return (l == NULL
		    ? NULL
		    : row_of(s, &s->piece_map, &s->pieces, e->a, l->po_number));
}

/* A program may say that it has more than there is: then the sum wraps. */
static int64_t
plus(int64_t sum, uint64_t bytes)
{
	return ((int64_t)((uint64_t)sum + bytes));
}

static void
value_change(struct heap_sums *s, struct process *p)
{
	struct heap_totals *t = &s->totals;
	int64_t v = p->counts ? p->counted : p->pieces;

	t->in_use = plus(t->in_use, (uint64_t)v - (uint64_t)p->pub.live_bytes);
	if (t->in_use > t->most)
		t->most = t->in_use;
	if (t->in_use > s->high)
		s->high = t->in_use;
	p->pub.live_bytes = v;
	if (v > p->high)
		p->high = v;
	if (v > p->pub.most_bytes)
		p->pub.most_bytes = v;
}

static void
live_change(struct heap_sums *s, struct process *p, uint64_t bytes)
{
	p->pieces = plus(p->pieces, bytes);
	value_change(s, p);
}

/* Sums of estimates: less than a byte or a piece is their error. */
static double
left(double v)
{
	return (v < 0.5 ? 0 : v);
}

/* It is back. */
static void
piece_end(struct heap_sums *s, struct process *p, struct piece *piece)
{
	struct heap_place *place =
	    (struct heap_place *)s->places.p + piece->place;
	struct heap_stack *stack =
	    &((struct stack *)s->stacks.p + piece->stack)->pub;
	double bytes = (double)piece->bytes * piece->stands;

	stack->live_bytes = left(stack->live_bytes - bytes);
	piece->live = false;
	place->shrank = true;
	place->live = left(place->live - piece->stands);
	place->live_bytes = left(place->live_bytes - bytes);
	s->totals.live = left(s->totals.live - piece->stands);
	s->totals.live_bytes = left(s->totals.live_bytes - bytes);
	if (!place->picked)
		live_change(s, p, 0 - piece->bytes);
}

/*
 * Of a stack its innermost part is the place, whoever called it.  What the
 * program has named itself is told apart by its number.
 */
static uint64_t
place_key(const struct heap_sums *s, uint32_t name)
{
	const char *text = model_name_recorded(s->model, name), *end, *file;
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	uint32_t line;

	file = model_name_place(s->model, name, &line);
	if (text == NULL || (file != NULL && *file != '\0'))
		return (name);
	end = strstr(text, HEAP_CALLER);
	if (end == NULL)
		end = text + strlen(text);
	for (; text < end; text++)
		h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return (h | UINT64_C(1) << 63);
}

static struct heap_place *
place_of(struct heap_sums *s, const struct listed_event *e, bool picked,
    struct stack **of)
{
	uint32_t *known;
	struct heap_place *place;
	struct stack *stack =
	    row_of(s, &s->stack_map, &s->stacks, e->c, picked);

	*of = stack;
	if (stack == NULL)
		return (NULL);
	stack->pub.name = e->c;
	known = &stack->place;
	if (*known != 0)
		return ((struct heap_place *)s->places.p + *known - 1);
	place =
	    row_of(s, &s->place_map, &s->places, place_key(s, e->c), picked);
	if (place == NULL)
		return (NULL);
	if (place->stacks++ == 0)
		place->name = e->c;
	place->picked = picked;
	*known = (uint32_t)(place - (struct heap_place *)s->places.p) + 1;
	return (place);
}

static void
on_alloc(struct heap_sums *s, const struct listed_event *e)
{
	bool picked = e->kind == EV_mem_sample;
	double stands =
	    picked && e->b > 0 ? 1 / (1 - exp(-(double)e->b / MEAN_BYTES)) : 1;
	struct process *p = process_of(s, e);
	struct piece *piece = piece_of(s, e);
	struct stack *stack;
	struct heap_place *place = place_of(s, e, picked, &stack);

	if (p == NULL || piece == NULL || place == NULL)
		return;
	if (piece->live) /* that it was freed was not told */
		piece_end(s, p, piece);
	*piece = (struct piece){ stands, e->b,
		(uint32_t)(place - (struct heap_place *)s->places.p),
		lane_of(s, e), (uint32_t)(stack - (struct stack *)s->stacks.p),
		true };
	stack->pub.live_bytes += (double)e->b * stands;
	place->live += stands;
	place->live_bytes += (double)e->b * stands;
	s->totals.live += stands;
	s->totals.live_bytes += (double)e->b * stands;
	s->totals.has_pieces |= !picked;
	s->totals.has_picked |= picked;
	if (!picked)
		live_change(s, p, e->b);
	if (!in_range(s, e))
		return;
	stack->pub.asked += (double)e->b * stands;
	place->made += stands;
	place->asked += (double)e->b * stands;
	place->given += (double)e->b * stands;
	s->totals.made += stands;
	s->totals.asked += (double)e->b * stands;
	s->totals.given += (double)e->b * stands;
}

static void
on_given(struct heap_sums *s, const struct listed_event *e)
{
	struct process *p = process_of(s, e);
	struct piece *piece = piece_of(s, e);
	struct heap_place *place;
	double more;

	if (p == NULL || piece == NULL || !piece->live)
		return;
	place = (struct heap_place *)s->places.p + piece->place;
	more = (double)e->b - (double)piece->bytes;
	live_change(s, p, e->b - piece->bytes);
	piece->bytes = e->b;
	place->live_bytes += more;
	((struct stack *)s->stacks.p + piece->stack)->pub.live_bytes += more;
	s->totals.live_bytes += more;
	if (in_range(s, e)) {
		place->given += more;
		s->totals.given += more;
	}
}

static void
on_free(struct heap_sums *s, const struct listed_event *e)
{
	struct process *p = process_of(s, e);
	uint32_t lane = lane_of(s, e);
	struct piece *piece;
	struct heap_pair *pair;

	if (e->a == 0) {
		s->totals.nulls += in_range(s, e);
		return;
	}
	piece = piece_of(s, e);
	if (p == NULL || piece == NULL || !piece->live)
		return;
	if (in_range(s, e)) {
		((struct heap_place *)s->places.p + piece->place)->freed +=
		    piece->stands;
		s->totals.freed += piece->stands;
	}
	if (in_range(s, e) && piece->owner != lane) {
		s->totals.elsewhere++;
		pair = row_of(s, &s->pair_map, &s->pairs, piece->owner, lane);
		if (pair != NULL) {
			pair->from = piece->owner;
			pair->to = lane;
			pair->pieces++;
			pair->bytes += piece->bytes;
		}
	}
	piece_end(s, p, piece);
}

/* A thread tells its sums. */
static void
on_sums(struct heap_sums *s, const struct listed_event *e)
{
	struct process *p = process_of(s, e);
	struct told *t =
	    row_of(s, &s->told_map, &s->told, (uint64_t)e->location, 0);
	uint64_t was;

	if (p == NULL || t == NULL)
		return;
	was = t->now[GIVEN] - t->now[BACK];
	if (e->kind == EV_heap_made) {
		t->now[MADE] = e->a;
		t->now[GIVEN] = e->b;
	} else if (e->kind == EV_heap_asked) {
		t->now[ASKED] = e->a;
	} else {
		t->now[FREED] = e->a;
		t->now[BACK] = e->b;
		t->now[NULLS] = e->c;
	}
	if (!in_range(s, e))
		memcpy(t->before, t->now, sizeof(t->before));
	p->counts = s->totals.has_counts = true;
	p->counted = plus(p->counted, t->now[GIVEN] - t->now[BACK] - was);
	value_change(s, p);
}

/* What was so until now goes into all columns that have ended before t. */
static void
columns_until(struct heap_sums *s, int64_t t)
{
	double part = (double)(t - s->from) / (double)(s->to - s->from);
	unsigned column = part <= 0   ? 0
			  : part >= 1 ? HEAP_COLUMNS
				      : (unsigned)(part * HEAP_COLUMNS);
	unsigned spark = part <= 0   ? 0
			 : part >= 1 ? HEAP_SPARK
				     : (unsigned)(part * HEAP_SPARK);

	for (; s->column < column; s->column++) {
		s->totals.column[s->column] = s->high;
		s->high = s->totals.in_use;
		for (uint32_t i = 0; i < s->processes.n; i++) {
			struct process *p =
			    (struct process *)s->processes.p + i;

			p->pub.column[s->column] = p->high;
			p->high = p->pub.live_bytes;
		}
	}
	for (; s->spark < spark; s->spark++)
		for (uint32_t i = 0; i < s->places.n; i++) {
			struct heap_place *p =
			    (struct heap_place *)s->places.p + i;

			p->spark[s->spark] = (float)p->live_bytes;
		}
}

/* Threads that still have something of a place, the first few. */
static void
find_owners(struct heap_sums *s)
{
	for (uint32_t i = 0; i < s->pieces.n; i++) {
		const struct piece *piece = (struct piece *)s->pieces.p + i;
		struct heap_place *place;
		uint32_t k = 0;

		if (!piece->live)
			continue;
		place = (struct heap_place *)s->places.p + piece->place;
		while (k < place->owners && place->owner[k] != piece->owner)
			k++;
		if (k == place->owners && k < HEAP_OWNERS)
			place->owner[place->owners++] = piece->owner;
	}
}

static int
by_live(const void *a, const void *b)
{
	const struct heap_place *p = a, *q = b;

	if (p->live_bytes != q->live_bytes)
		return (p->live_bytes < q->live_bytes ? 1 : -1);
	if (p->asked != q->asked)
		return (p->asked < q->asked ? 1 : -1);
	return ((p->name > q->name) - (p->name < q->name));
}

static int
by_pieces(const void *a, const void *b)
{
	const struct heap_pair *p = a, *q = b;

	if (p->pieces != q->pieces)
		return (p->pieces < q->pieces ? 1 : -1);
	return (p->from != q->from ? (p->from < q->from ? -1 : 1)
				   : (p->to > q->to) - (p->to < q->to));
}

static void
end_processes(struct heap_sums *s)
{
	struct heap_process *shown =
	    realloc(s->shown, (s->processes.n + 1) * sizeof(*shown));

	if (shown == NULL) {
		s->processes.n = 0;
		return;
	}
	s->shown = shown;
	for (uint32_t i = 0; i < s->processes.n; i++)
		shown[i] = ((struct process *)s->processes.p)[i].pub;
}

static void
end_stacks(struct heap_sums *s)
{
	struct heap_stack *told =
	    realloc(s->told_stack, (s->stacks.n + 1) * sizeof(*told));

	if (told == NULL) {
		s->stacks.n = 0;
		return;
	}
	s->told_stack = told;
	for (uint32_t i = 0; i < s->stacks.n; i++)
		told[i] = ((struct stack *)s->stacks.p)[i].pub;
}

static void
finish(struct heap_sums *s)
{
	struct heap_totals *t = &s->totals;

	columns_until(s, s->t1 < s->to ? s->t1 : s->to);
	find_owners(s);
	for (uint32_t i = 0; i < s->told.n; i++) {
		const struct told *x = (struct told *)s->told.p + i;

		t->counted += x->now[MADE] - x->before[MADE];
		t->counted_asked += x->now[ASKED] - x->before[ASKED];
		t->counted_given += x->now[GIVEN] - x->before[GIVEN];
		t->counted_freed += x->now[FREED] - x->before[FREED];
		t->counted_back += x->now[BACK] - x->before[BACK];
		t->counted_nulls += x->now[NULLS] - x->before[NULLS];
	}
	end_processes(s);
	end_stacks(s);
	if (s->places.n > 1)
		qsort(s->places.p, s->places.n, s->places.bytes, by_live);
	if (s->pairs.n > 1)
		qsort(s->pairs.p, s->pairs.n, s->pairs.bytes, by_pieces);
}

uint32_t
model_heap_events(const struct model *m)
{
	return (event_list_n(heap_of(m)));
}

bool
model_heap_cut(const struct model *m)
{
	return (event_list_cut(heap_of(m)));
}

bool
heap_sums_step(struct heap_sums *s, uint32_t n)
{
	for (; s->at < s->n && n > 0; s->at++, n--) {
		const struct listed_event *e =
		    event_list_at(heap_of(s->model), s->at);

		if (e == NULL || e->t_mon_ns >= s->t1)
			continue;
		columns_until(s, e->t_mon_ns);
		switch (e->kind) {
		case EV_mem_alloc:
		case EV_mem_sample:
			on_alloc(s, e);
			break;
		case EV_mem_given:
			on_given(s, e);
			break;
		case EV_mem_free:
			on_free(s, e);
			break;
		case EV_heap_made:
		case EV_heap_asked:
		case EV_heap_freed:
			on_sums(s, e);
			break;
		default:
			break;
		}
	}
	if (s->at < s->n)
		return (false);
	finish(s);
	return (true);
}

const struct heap_totals *
heap_sums_totals(const struct heap_sums *s)
{
	return (&s->totals);
}

size_t
heap_sums_places(const struct heap_sums *s, const struct heap_place **p)
{
	*p = s->places.p;
	return (s->places.n);
}

size_t
heap_sums_stacks(const struct heap_sums *s, const struct heap_stack **p)
{
	*p = s->told_stack;
	return (s->stacks.n);
}

size_t
heap_sums_pairs(const struct heap_sums *s, const struct heap_pair **p)
{
	*p = s->pairs.p;
	return (s->pairs.n);
}

size_t
heap_sums_processes(const struct heap_sums *s, const struct heap_process **p)
{
	*p = s->shown;
	return (s->processes.n);
}
