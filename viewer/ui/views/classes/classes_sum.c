/*
 * What the functions of classes took in the panels' range: by the paths of
 * calls, without waits and what they called, and by where samples were found;
 * and what memory they asked for, by the stacks of that.
 *
 * A name of the log is a function if both are called so, and its line, if it
 * has one, is one of the function's.
 */
#include <stdlib.h>
#include <string.h>

#include "model/calls/calls.h"
#include "model/measured/samples.h"
#include "ui/views/classes/classes.h"
#include "ui/views/memory/memory.h"
#include "ui/views/source/sourcesums.h"

#define PAUSE  15 /* frames, while a run grows */
#define NOBODY (UINT32_MAX - FOUND)
#define FOUND  1u /* in function_of: 0 is not looked up yet */

static bool
is_at(const struct program_function *f, uint32_t line)
{
	return (line == 0 || f->first == 0 ||
		(line >= f->first && line <= f->last));
}

static uint32_t
function_find(const struct classes *c, const struct model *m, uint32_t name)
{
	const char *text = model_name(m, name);
	uint32_t low = 0, high = c->functions;
	uint32_t line = model_name_declared(m, name);

	if (text == NULL)
		return (NOBODY);
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (strcmp(c->function[c->by_text[mid]].is->name, text) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < c->functions; low++) {
		const struct class_function *f = &c->function[c->by_text[low]];

		if (strcmp(f->is->name, text) != 0)
			break;
		if (is_at(f->is, line))
			return (c->by_text[low]);
	}
	return (NOBODY);
}

/* Those that are asked for are looked up, each once. */
static struct class_function *
function_at(struct classes *c, uint32_t name)
{
	uint32_t f;

	if (name == 0 || name >= c->names)
		return (NULL);
	if (c->function_of[name] == 0)
		c->function_of[name] =
		    function_find(c, c->of.model, name) + FOUND;
	f = c->function_of[name] - FOUND;
	if (f == NOBODY)
		return (NULL);
	c->function[f].name = name;
	return (&c->function[f]);
}

/* The class of the function around a remote call, else of one within it. */
static void
add_served(struct classes *c, const struct call *path, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct class_function *own = NULL;
		uint32_t up = path[i].parent;

		if (path[i].kind == SPAN_serve && up != CALL_NONE)
			own = function_at(c, path[up].name);
		else if (up != CALL_NONE && path[up].kind == SPAN_serve &&
			 (path[up].parent == CALL_NONE ||
			     function_at(c, path[path[up].parent].name) ==
				 NULL))
			own = function_at(c, path[i].name);
		if (own == NULL)
			continue;
		c->class[own->class].serves = true;
		own->sum.served += path[i].calls;
	}
}

static void
add_calls(struct ui *ui, struct classes *c)
{
	const struct sums *s = &ui->figures.sums;
	const struct call *path;
	struct class_function *f;
	size_t n;

	if (s->shown == NULL || s->of.model != ui->model)
		return;
	n = calls_paths(s->shown, &path);
	for (size_t i = 0; i < n; i++) {
		if ((f = function_at(c, path[i].name)) == NULL)
			continue;
		f->sum.calls += path[i].calls;
		f->sum.ran_ns += path[i].self_ns - path[i].blocked_ns;
		f->sum.waits_ns += path[i].blocked_ns;
	}
	add_served(c, path, n);
}

static void
add_samples(struct ui *ui, struct classes *c)
{
	uint32_t stacks;
	struct source_sum *sum = source_by_stack(ui, &stacks);
	const struct sample_stack *st;
	struct class_function *f;

	c->sampled = false;
	for (uint32_t i = 0; sum != NULL && i <= stacks; i++) {
		c->sampled |= sum[i].n > 0;
		if (i == 0 || sum[i].n == 0)
			continue;
		st = model_sample_stack(ui->model, i - 1);
		if (st == NULL || (f = function_at(c, st->name)) == NULL)
			continue;
		f->sum.samples += sum[i].n;
		f->sum.cpu_ns += sum[i].ns;
	}
	free(sum);
}

/*
 * The function of a class that asked for memory so: of a stack the innermost;
 * what the program has named itself is the name of one.
 */
static struct class_function *
who_asked(struct ui *ui, struct classes *c, uint32_t name)
{
	const char *stack = model_name_recorded(ui->model, name);
	struct class_function *f = function_at(c, name);

	while (f == NULL && stack != NULL && *stack != '\0') {
		f = function_at(c, memory_code_name(ui, stack));
		stack = strstr(stack, HEAP_CALLER);
		stack = stack == NULL ? NULL : stack + strlen(HEAP_CALLER);
	}
	return (f);
}

static void
add_memory(struct ui *ui, struct classes *c)
{
	const struct heap_sums *h = memory_shown(ui);
	const struct heap_stack *s;
	struct class_function *f;
	size_t n;

	n = h == NULL ? 0 : heap_sums_stacks(h, &s);
	c->remembers = n > 0;
	for (size_t i = 0; i < n; i++) {
		if ((f = who_asked(ui, c, s[i].name)) == NULL)
			continue;
		f->sum.asked += s[i].asked;
		f->sum.live += s[i].live_bytes;
	}
}

/* Objects of the log whose class is called so: n of that name. */
static void
add_named(struct classes *c, const char *text, uint32_t n)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (!c->class[i].library &&
		    strcmp(c->class[i].is->name, text) == 0)
			c->class[i].objects += n;
}

static void
add_objects(struct ui *ui, struct classes *c)
{
	uint32_t *of = calloc((size_t)c->names + 1, sizeof(*of));

	for (uint32_t i = 0; of != NULL && i < model_lanes(ui->model); i++) {
		const struct lane *l = model_lane(ui->model, i);

		if (l->kind == LANE_OBJECT && l->name < c->names)
			of[l->name]++;
	}
	for (uint32_t i = 1; of != NULL && i < c->names; i++)
		if (of[i] > 0 && model_name(ui->model, i) != NULL)
			add_named(c, model_name(ui->model, i), of[i]);
	free(of);
}

static void
add_up(struct classes *c)
{
	for (uint32_t i = 0; i < c->functions; i++) {
		const struct class_sum *s = &c->function[i].sum;
		struct class_sum *to = &c->class[c->function[i].class].sum;

		to->calls += s->calls;
		to->ran_ns += s->ran_ns;
		to->waits_ns += s->waits_ns;
		to->served += s->served;
		to->samples += s->samples;
		to->cpu_ns += s->cpu_ns;
		to->asked += s->asked;
		to->live += s->live;
	}
}

static void
sum_again(struct ui *ui, struct classes *c)
{
	for (uint32_t i = 0; i < c->functions; i++)
		memset(&c->function[i].sum, 0, sizeof(c->function[i].sum));
	for (uint32_t i = 0; i < c->n; i++) {
		memset(&c->class[i].sum, 0, sizeof(c->class[i].sum));
		c->class[i].serves = false;
		c->class[i].objects = 0;
	}
	free(c->function_of);
	c->names = model_names(ui->model);
	c->function_of = calloc((size_t)c->names + 1, sizeof(*c->function_of));
	if (c->function_of == NULL) {
		c->names = 0;
		return;
	}
	add_calls(ui, c);
	add_samples(ui, c);
	add_memory(ui, c);
	add_objects(ui, c);
	add_up(c);
}

void
classes_sum(struct ui *ui, struct classes *c)
{
	struct class_of want;

	memset(&want, 0, sizeof(want));
	want.model = ui->model;
	want.events = model_events(ui->model);
	want.version = ui->figures.sums.version;
	want.names = model_names(ui->model);
	want.n = c->n;
	if (memory_shown(ui) != NULL) {
		const struct asked_of *of = &ui->figures.asked[ASKED_HEAP].of;

		want.heap_t0 = of->t0;
		want.heap_t1 = of->t1;
		want.heap_events = of->events;
	}
	figures_range(ui, &want.t0, &want.t1);
	if (memcmp(&want, &c->of, sizeof(want)) == 0)
		return;
	if (c->of.model == ui->model && c->of.n == c->n &&
	    c->of.t0 == want.t0 && run_outruns(ui) &&
	    ui->picture->frame < c->sum_due) {
		ui->picture->undone = true;
		return;
	}
	c->of = want;
	sum_again(ui, c);
	c->sum_due = ui->picture->frame + PAUSE;
}
