/*
 * What a sampler has found: for each function the processor time that threads
 * were found there for, by itself and with all that it called.
 *
 * A sample names a stack, a stack is a place and the stack of the caller.  At a
 * place there may be several functions, one compiled into the other; each of
 * them is a frame.  A function that is on a stack more than once counts once.
 */
#include "tally_inside.h"

#include <stdlib.h>
#include <string.h>

#define LEVELS_MAX 16    /* compiled into each other */
#define DEPTH_MAX  65536 /* of a stack, if a log should have a circle */

struct stack {
	uint32_t caller, name;
};

/* The rows of a place, innermost function first. */
struct place_rows {
	uint32_t n, row[LEVELS_MAX];
};

static struct tally_sampling *
sampling_of(struct tally *t, uint32_t location)
{
	int64_t po = tally_po(t, location);
	struct tally_sampling *s;
	bool fresh;

	if (po == -1)
		return (NULL);
	s = tally_row(&t->inside->sampling, (uint64_t)po + 1, &t->samplings,
	    &t->nsamplings, sizeof(*s), &fresh);
	if (s != NULL)
		s->po = (uint32_t)po;
	return (s);
}

int
tally_sample_from(struct tally *t, const struct event *e)
{
	struct tally_sampling *s = sampling_of(t, e->location);

	if (s == NULL)
		return (-1);
	if (e->a != 0) {
		s->rate_hz = e->a;
		s->kernel = e->b != 0;
		s->way = e->c;
	}
	return (0);
}

int
tally_sample_stack(struct tally *t, const struct event *e)
{
	int64_t po = tally_po(t, e->location);
	struct stack *stack;
	bool fresh;

	if (po == -1)
		return (-1);
	stack = tally_thing(t->inside, &t->inside->stack,
	    tally_key((uint32_t)po + 1, (uint32_t)e->a), sizeof(*stack),
	    &fresh);
	if (stack == NULL)
		return (-1);
	*stack = (struct stack){ (uint32_t)e->b, e->c };
	return (0);
}

/* "libm.so.6#1b2c3d4e" of "libm.so.6#1b2c3d4e+0x1139"; "" in no file. */
static const char *
code_of(struct tally *t, const struct def_name *d)
{
	const char *place = d == NULL          ? ""
			    : d->place == NULL ? d->text
					       : d->place;
	const char *end = place == NULL ? NULL : strrchr(place, '+');
	size_t n = end == NULL ? 0 : (size_t)(end - place);
	char *code = tally_space(t->inside, n + 1);

	if (code != NULL && n > 0)
		memcpy(code, place, n);
	return (code);
}

/* What a place is called whose function is not known. */
static const char *
unknown_in(struct tally *t, const char *code)
{
	size_t n = strcspn(code, "#");
	char *text = tally_space(t->inside, n + 3);

	if (n == 0 || text == NULL)
		return (text == NULL ? NULL : "[no file]");
	text[0] = '[';
	memcpy(text + 1, code, n);
	text[n + 1] = ']';
	return (text);
}

/* By its name, file of code and program.  -1: ENOMEM. */
static int64_t
row_of(struct tally *t, uint32_t program, const char *function,
    const char *code, uint32_t name)
{
	uint64_t key = 14695981039346656037u + program; /* FNV-1a */
	struct tally_sampled *row;
	bool fresh;

	for (const char *s = function; *s != '\0'; s++)
		key = (key ^ (unsigned char)*s) * 1099511628211u;
	for (const char *s = code; *s != '\0'; s++)
		key = (key ^ (unsigned char)*s) * 1099511628211u;
	for (;; key++) {
		row = tally_row(&t->inside->sampled, key, &t->sampled,
		    &t->nsampled, sizeof(*row), &fresh);
		if (row == NULL)
			return (-1);
		if (fresh) {
			row->function = function;
			row->code = code;
			row->program = program;
			row->name = name;
		}
		if (row->program == program &&
		    strcmp(row->function, function) == 0 &&
		    strcmp(row->code, code) == 0)
			return (row - t->sampled);
	}
}

static const struct place_rows *
place_of(struct tally *t, uint32_t program, uint32_t name)
{
	const struct def_name *d = defs_name(t->inside->defs, name);
	const struct def_symbol *s = d == NULL ? NULL : d->symbol;
	const char *code, *function;
	struct place_rows *p;
	bool fresh;
	int64_t row;

	p = tally_thing(t->inside, &t->inside->places_of,
	    tally_key(program + 1, name), sizeof(*p), &fresh);
	if (p == NULL || !fresh)
		return (p);
	if ((code = code_of(t, d)) == NULL)
		return (NULL);
	do {
		function = s == NULL ? unknown_in(t, code) : s->function;
		if (function == NULL ||
		    (row = row_of(t, program, function, code, name)) == -1)
			return (NULL);
		p->row[p->n++] = (uint32_t)row;
		s = s == NULL ? NULL : s->into;
	} while (s != NULL && p->n < LEVELS_MAX);
	return (p);
}

/* All frames of a place, of which the first may be where the thread was. */
static int
count_place(struct tally *t, uint32_t program, uint32_t name, uint64_t serial,
    uint64_t ns, bool inner)
{
	const struct place_rows *p = place_of(t, program, name);

	if (p == NULL)
		return (-1);
	for (uint32_t i = 0; i < p->n; i++) {
		struct tally_sampled *row = &t->sampled[p->row[i]];

		if (inner && i == 0) {
			row->samples++;
			row->self_ns += ns;
		}
		if (row->last == serial)
			continue;
		row->last = serial;
		row->in_samples++;
		row->total_ns += ns;
	}
	return (0);
}

int
tally_sample_found(struct tally *t, const struct event *e)
{
	struct tally_sampling *s = sampling_of(t, e->location);
	int64_t program = tally_program(t, e->location);
	uint64_t serial = t->events; /* no other sample's */
	const struct stack *stack;
	uint32_t number = e->c;

	if (s == NULL || program == -1)
		return (-1);
	s->samples++;
	s->cpu_ns += e->b;
	for (unsigned depth = 0; depth < DEPTH_MAX; depth++) {
		stack = intmap_find(&t->inside->stack,
		    tally_key(s->po + 1, number));
		if (number == 0 || stack == NULL) {
			s->unknown += depth == 0;
			break;
		}
		if (count_place(t, (uint32_t)program, stack->name, serial, e->b,
			depth == 0) == -1)
			return (-1);
		number = stack->caller;
	}
	return (0);
}

static int
more_self(const void *a, const void *b)
{
	const struct tally_sampled *x = a, *y = b;

	if (x->self_ns != y->self_ns)
		return (x->self_ns < y->self_ns ? 1 : -1);
	if (x->total_ns != y->total_ns)
		return (x->total_ns < y->total_ns ? 1 : -1);
	return (strcmp(x->function, y->function));
}

void
tally_sampled_sort(struct tally *t)
{
	if (t->nsampled > 1)
		qsort(t->sampled, t->nsampled, sizeof(*t->sampled), more_self);
}
