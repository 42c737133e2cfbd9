/*
 * Adds up samples by function.
 *
 * First samples are added up by stack, of which there are few; then each stack
 * is walked once.  At a place several functions may be compiled into each
 * other; each is a frame.  What is on a stack more than once counts once.
 */
#include "ui/views/calls/sampled.h"

#include <stdlib.h>
#include <string.h>

#include "model/measured/samples.h"

struct sum {
	uint64_t n, ns;
};

struct adding {
	const struct model *model;
	struct sampled *to;
	size_t cap;
	uint32_t *slots; /* rows + 1, by hash */
	uint32_t mask, serial;
};

static uint32_t
hash_text(uint32_t h, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619u;
	return (h);
}

static bool
same(const struct sampled_row *a, const struct sampled_row *b)
{
	return (a->function_bytes == b->function_bytes &&
		a->code_bytes == b->code_bytes &&
		memcmp(a->function, b->function, a->function_bytes) == 0 &&
		memcmp(a->code, b->code, a->code_bytes) == 0 &&
		strcmp(a->program, b->program) == 0);
}

static uint32_t *
slot_of(const struct adding *a, const struct sampled_row *r)
{
	uint32_t h = hash_text(2166136261u, r->function, r->function_bytes);

	h = hash_text(h, r->code, r->code_bytes);
	for (;; h++) {
		uint32_t *slot = &a->slots[h & a->mask];

		if (*slot == 0 || same(&a->to->rows[*slot - 1], r))
			return (slot);
	}
}

/* Room for one more; false: no memory. */
static bool
grow(struct adding *a)
{
	size_t cap = a->cap == 0 ? 256 : a->cap * 2;
	struct sampled_row *rows;

	if (a->to->n < a->cap)
		return (true);
	rows = realloc(a->to->rows, cap * sizeof(*rows));
	if (rows == NULL)
		return (false);
	a->to->rows = rows;
	free(a->slots);
	a->slots = calloc(cap * 2, sizeof(*a->slots));
	if (a->slots == NULL)
		return (false);
	a->cap = cap;
	a->mask = (uint32_t)cap * 2 - 1;
	for (size_t i = 0; i < a->to->n; i++)
		*slot_of(a, &rows[i]) = (uint32_t)i + 1;
	return (true);
}

static void
count(struct adding *a, const struct sampled_row *key, const struct sum *s,
    bool inner)
{
	struct sampled_row *r;
	uint32_t *slot;

	if (!grow(a))
		return;
	slot = slot_of(a, key);
	if (*slot == 0) {
		a->to->rows[a->to->n++] = *key;
		*slot = (uint32_t)a->to->n;
	}
	r = &a->to->rows[*slot - 1];
	if (inner) {
		r->samples += s->n;
		r->self_ns += s->ns;
	}
	if (r->last == a->serial)
		return;
	r->last = a->serial;
	r->within += s->n;
	r->total_ns += s->ns;
}

/* All functions at a place; its file of code ends at the last plus. */
static void
count_place(struct adding *a, const struct sample_stack *st,
    const char *program, const struct sum *s, bool inner)
{
	const char *code = model_name_code(a->model, st->name);
	const char *text = model_name(a->model, st->name), *end;
	struct sampled_row key = { .program = program, .name = st->name };
	const char *into = model_name_into(a->model, st->name);
	bool known = code != NULL;

	key.code = known ? code : text != NULL ? text : "";
	end = strrchr(key.code, '+');
	key.code_bytes = end == NULL ? 0 : (size_t)(end - key.code);
	key.function = known ? text : "";
	key.function_bytes = strlen(key.function);
	count(a, &key, s, inner);
	for (; known && into != NULL; into = end == NULL ? NULL : end + 1) {
		end = strchr(into, '\n');
		key.function = into;
		key.function_bytes =
		    end == NULL ? strlen(into) : (size_t)(end - into);
		count(a, &key, s, false);
	}
}

static void
count_stack(struct adding *a, uint32_t i, const struct sum *s)
{
	const struct sample_stack *st = model_sample_stack(a->model, i);
	const struct lane *l;
	const char *program;
	uint32_t lane, inner = i;

	if (st == NULL)
		return;
	lane = model_sample_po(a->model, st->po_number);
	l = lane == UINT32_MAX ? NULL : model_lane(a->model, lane);
	program = l == NULL ? "?" : label_program(a->model, l->node, l->po);
	a->serial++;
	for (;;) {
		count_place(a, st, program, s, i == inner);
		if (st->caller == 0)
			return;
		i = st->caller - 1;
		st = model_sample_stack(a->model, i);
		if (st == NULL)
			return;
	}
}

static int
more_self(const void *x, const void *y)
{
	const struct sampled_row *a = x, *b = y;

	if (a->self_ns != b->self_ns)
		return (a->self_ns < b->self_ns ? 1 : -1);
	if (a->total_ns != b->total_ns)
		return (a->total_ns < b->total_ns ? 1 : -1);
	return ((a->name > b->name) - (a->name < b->name));
}

void
sampled_sum(const struct model *m, int64_t t0, int64_t t1, struct sampled *to)
{
	/* samples first: a stack is there before what is found at it */
	uint32_t n = model_samples(m), stacks = model_sample_stacks(m);
	struct adding a = { .model = m, .to = to };
	struct sum *by_stack = calloc((size_t)stacks + 1, sizeof(*by_stack));
	const struct sample *s;

	*to = (struct sampled){ 0 };
	for (uint32_t i = 0; by_stack != NULL && i < n; i++) {
		s = model_sample(m, i);
		if (s->t_mon_ns < t0 || s->t_mon_ns >= t1 || s->stack > stacks)
			continue;
		to->samples++;
		to->cpu_ns += s->cpu_ns;
		by_stack[s->stack].n++;
		by_stack[s->stack].ns += s->cpu_ns;
	}
	to->nowhere = by_stack == NULL ? 0 : by_stack[0].n;
	for (uint32_t i = 0; by_stack != NULL && i < stacks; i++)
		if (by_stack[i + 1].n > 0)
			count_stack(&a, i, &by_stack[i + 1]);
	if (to->n > 1)
		qsort(to->rows, to->n, sizeof(*to->rows), more_self);
	free(a.slots);
	free(by_stack);
}

void
sampled_free(struct sampled *s)
{
	free(s->rows);
	s->rows = NULL;
}

const char *
sampled_name(const struct sampled_row *r, char *buf, size_t n)
{
	const char *end = memchr(r->code, '#', r->code_bytes);
	size_t file = end == NULL ? r->code_bytes : (size_t)(end - r->code);

	if (r->function_bytes > 0)
		snprintf(buf, n, "%.*s", (int)r->function_bytes, r->function);
	else if (r->code_bytes == 0)
		snprintf(buf, n, "[no file]");
	else
		snprintf(buf, n, "[%.*s]", (int)file, r->code);
	return (buf);
}
