/*
 * What runs under a name, and its sums over the whole run.  A function, a
 * task, a block, a remote call that is served and a phase of one name are five
 * things.
 *
 * Of what calls itself the outermost call counts for the time: each thread has
 * a table of how often each of its functions is open.  So that what is still
 * open counts as well, a function knows how many threads are in it and the sum
 * of when they came: readers add the rest.  The two belong together: the writer
 * tells them in a copy, one of two by turns, and readers read the other one.
 */
#include <errno.h>
#include <string.h>

#include "model/keep/memory.h"
#include "model/run/opened.h"

#define OPENED_LEAST 8 /* a power of two */

struct function *
function_at(const struct model *m, uint32_t number)
{
	return (
	    number == 0 ? NULL : chunk_at(&defs_of(m)->functions, number - 1));
}

static uint64_t
function_key(uint8_t kind, uint32_t name)
{
	return (1ull << 63 | (uint64_t)name << 8 | kind);
}

uint32_t
function_find(const struct model *m, uint8_t kind, uint32_t name)
{
	uint32_t i = name == 0 ? IDMAP_NONE
			       : idmap_find(&defs_of(m)->function_map,
				     function_key(kind, name));

	return (i == IDMAP_NONE ? 0 : i + 1);
}

static uint32_t
function_new(struct model *m, uint8_t kind, uint32_t name)
{
	struct defs *d = defs_of(m);
	uint32_t i = atomic_load_explicit(&d->nfunctions, memory_order_relaxed);
	struct function *f = chunk_make(&d->functions, i, &held_of(m)->bytes);
	struct name_data *of = chunk_at(&d->names, name);

	if (f == NULL || of == NULL ||
	    idmap_add(&d->function_map, function_key(kind, name), i,
		&held_of(m)->retired, &held_of(m)->bytes) == -1) {
		held_of(m)->failed = of == NULL ? 0 : ENOMEM;
		return (0);
	}
	f->stats.name = name;
	f->stats.kind = kind;
	f->stats.number = i + 1;
	PUT(of->kinds, of->kinds | 1u << kind);
	atomic_store_explicit(&d->nfunctions, i + 1, memory_order_release);
	return (i + 1);
}

struct function *
function_of(struct model *m, uint8_t kind, uint32_t name)
{
	uint32_t number;

	if (name == 0 || name >= atomic_load_explicit(&defs_of(m)->nnames,
				     memory_order_relaxed))
		return (NULL);
	number = function_find(m, kind, name);
	return (
	    function_at(m, number != 0 ? number : function_new(m, kind, name)));
}

struct function *
function_of_state(struct model *m, uint16_t state, uint8_t kind, uint32_t name)
{
	const struct lod_state *st = &lanes_of(m)->states[state];
	struct function **f = &lanes_of(m)->state_function[state];

	if (*f != NULL)
		return (*f);
	/* one that serves for others has no name */
	if (st->name != name || st->kind != kind)
		return (function_of(m, kind, name));
	return (*f = function_of(m, kind, name));
}

/* --- what a thread has open --- */

static int
opened_grow(struct location *l)
{
	uint32_t size =
	    l->opened == NULL ? OPENED_LEAST : (l->opened_mask + 1) * 2;
	struct opened *o = memory_grow(l->opened, size / 2 * sizeof(*o));
	uint32_t *slot = o == NULL ? NULL : memory_zero(size, sizeof(*slot));

	if (o != NULL)
		l->opened = o;
	if (slot == NULL)
		return (-1);
	memory_free(l->opened_slot);
	l->opened_slot = slot;
	l->opened_mask = size - 1;
	for (uint32_t i = 0; i < l->nopened; i++)
		*opened_at(l, l->opened[i].function) = i + 1;
	return (0);
}

uint32_t
opened_new(struct model *m, struct location *l, struct function *f)
{
	if (l->opened_slot == NULL || l->nopened * 2 > l->opened_mask)
		if (opened_grow(l) == -1) {
			held_of(m)->failed = ENOMEM;
			return (0);
		}
	l->opened[l->nopened++] = (struct opened){ .function = f };
	return (*opened_at(l, f) = l->nopened);
}

void
functions_forget(struct location *l)
{
	memory_free(l->opened);
	memory_free(l->opened_slot);
	l->opened = NULL;
	l->opened_slot = NULL;
	l->nopened = l->opened_mask = 0;
}

/* --- sums --- */

void
function_asleep(struct model *m, uint32_t name, int by, int64_t since,
    int64_t ns)
{
	struct function *f = function_of(m, SPAN_task, name);

	if (f == NULL)
		return;
	going_on(&f->asleep, by, since);
	if (by > 0)
		ADD(f->stats.suspensions, 1);
	else if (ns > 0)
		ADD(f->stats.suspended_ns, ns);
	function_tell(f);
}

/* --- the reader --- */

/* So long it has lasted by now. */
static int64_t
lasts(const struct going_on *g, int64_t now)
{
	int64_t ns = (int64_t)((uint64_t)now * g->n - (uint64_t)g->since_ns);

	/* of those that are just being read */
	return (now != INT64_MIN && ns > 0 ? ns : 0);
}

static void
going_on_see(const struct going_on *g, struct going_on *out)
{
	out->n = SEE(g->n);
	out->since_ns = SEE(g->since_ns);
}

/* What it had up to now, with what still goes on. */
static void
sums_now(const struct function *f, int64_t now, struct name_stats *out)
{
	const struct function_sums *told;
	struct going_on open, asleep, on_cpu;
	uint32_t was;

	do { /* again if it was told something meanwhile */
		was = atomic_load_explicit(&f->turn, memory_order_acquire);
		told = &f->told[was % 2];
		going_on_see(&told->open, &open);
		going_on_see(&told->asleep, &asleep);
		going_on_see(&told->on_cpu, &on_cpu);
		out->total_ns = SEE(told->total_ns);
		out->suspended_ns = SEE(told->suspended_ns);
		out->cpu_ns = SEE(told->cpu_ns);
		TURN_FENCE(memory_order_acquire);
	} while (was != atomic_load_explicit(&f->turn, memory_order_relaxed));
	out->total_ns += lasts(&open, now);
	out->suspended_ns += lasts(&asleep, now);
	out->cpu_ns += lasts(&on_cpu, now);
	if (open.n > 0 && lasts(&open, now) / open.n > out->max_ns)
		out->max_ns = lasts(&open, now) / open.n;
}

const struct durations *
model_durations(const struct model *m, uint32_t number)
{
	const struct function *f = function_at(m, number);

	return (f == NULL ? NULL : &f->lasted);
}

void
functions_clear(struct model *m)
{
	for (uint32_t i = 1; i <= model_functions(m); i++) {
		durations_clear(&function_at(m, i)->lasted);
		slowest_clear(&function_at(m, i)->slowest);
	}
	chunk_clear(&defs_of(m)->functions);
}

uint32_t
model_functions(const struct model *m)
{
	return (atomic_load_explicit(&defs_of(m)->nfunctions,
	    memory_order_acquire));
}

unsigned
model_name_kinds(const struct model *m, uint32_t name)
{
	const struct name_data *d =
	    name == 0 ? NULL : chunk_at(&defs_of(m)->names, name);

	return (d == NULL ? 0 : SEE(d->kinds));
}

size_t
functions_kept(const struct model *m, struct name_stats *out, size_t max,
    uint32_t *row, uint32_t functions)
{
	const struct function *f;
	const struct name_stats *s;
	struct name_stats now;
	size_t n = 0;

	for (uint32_t i = 0; i + 1 < functions; i++) {
		f = chunk_known(&defs_of(m)->functions, i);
		s = &f->stats;
		now = (struct name_stats){ .name = s->name,
			.kind = s->kind,
			.calls = SEE(s->calls),
			.outer = SEE(s->outer),
			.suspensions = SEE(s->suspensions),
			.max_ns = SEE(s->max_ns),
			.blocked_ns = SEE(s->blocked_ns),
			.waits_ns = SEE(s->waits_ns),
			.cpu_unknown = SEE(s->cpu_unknown) || SEE(f->blind) > 0,
			.number = i + 1 };
		sums_now(f, model_last_ns(m), &now);
		if (now.calls == 0 && now.total_ns == 0)
			continue;
		if (n++ >= max)
			continue;
		for (int p = 0; p < 16; p++)
			now.by_pe[p] = SEE(s->by_pe[p]);
		out[n - 1] = now;
		if (row != NULL)
			row[i + 1] = (uint32_t)n;
	}
	return (n);
}
