/*
 * Who called a function.
 *
 * A function has several names: that of its calls, and one for each place in
 * its code where somebody was found; they have text, file and the line of its
 * declaration in common.  Who called it is the next name on a stack, or on a
 * path of calls.
 */
#include "ui/views/source/sourcecalls.h"

#include <stdlib.h>
#include <string.h>

#include "model/calls/calls.h"
#include "model/measured/samples.h"
#include "model/run/sites.h"
#include "ui/views/source/sourcesums.h"

struct looking {
	const struct ui *ui;
	uint8_t *is; /* by name: it is of the function */
	uint32_t names;
	/* by name: samples by where they were called from, and calls */
	struct source_site *by_place, *by_call;
	uint32_t *seen, serial;
};

static bool
of_function(const struct looking *k, uint32_t name)
{
	return (name < k->names && k->is[name] != 0);
}

static void
find_names(struct looking *k, uint32_t name)
{
	const struct model *m = k->ui->model;
	const char *text = model_name(m, name);
	const char *program = model_name_program(m, name), *file;
	uint32_t line, first = model_name_declared(m, name);

	file = model_name_place(m, name, &line);
	for (uint32_t i = 1; text != NULL && i < k->names; i++) {
		const char *other = model_name(m, i);

		k->is[i] =
		    i == name ||
		    (other != NULL && strcmp(other, text) == 0 && first != 0 &&
			model_name_declared(m, i) == first && file != NULL &&
			source_same(m, i, file, program));
	}
}

/* --- samples --- */

/* Each place counts once for a stack. */
static void
along(struct looking *k, uint32_t stack, uint64_t n, uint64_t ns)
{
	const struct model *m = k->ui->model;
	const struct sample_stack *st = model_sample_stack(m, stack), *from;

	k->serial++;
	for (; st != NULL && st->caller != 0; st = from) {
		from = model_sample_stack(m, st->caller - 1);
		if (from == NULL || !of_function(k, st->name) ||
		    from->name >= k->names || k->seen[from->name] == k->serial)
			continue;
		k->seen[from->name] = k->serial;
		k->by_place[from->name].n += n;
		k->by_place[from->name].ns += (int64_t)ns;
	}
}

static bool
look_at_samples(struct looking *k)
{
	uint32_t stacks;
	struct source_sum *sum = source_by_stack(k->ui, &stacks);

	for (uint32_t i = 0; sum != NULL && i < stacks; i++)
		if (sum[i + 1].n > 0)
			along(k, i, sum[i + 1].n, sum[i + 1].ns);
	free(sum);
	return (sum != NULL);
}

/* --- calls --- */

static void
look_at_calls(struct looking *k)
{
	const struct sums *s = &k->ui->figures.sums;
	const struct call *path;
	size_t n;

	if (s->shown == NULL || s->of.model != k->ui->model)
		return;
	n = calls_paths(s->shown, &path);
	for (size_t i = 0; i < n; i++) {
		uint32_t up =
		    path[i].parent == CALL_NONE ? 0 : path[path[i].parent].name;

		if (!of_function(k, path[i].name) || up == 0 || up >= k->names)
			continue;
		k->by_call[up].n += path[i].calls;
		k->by_call[up].ns += path[i].again ? 0 : path[i].total_ns;
	}
}

/* The first of the places seen that is the same line as this one. */
static uint32_t
same_line(const struct model *m, uint32_t place, uint32_t *seen, size_t *n)
{
	const char *file, *program = model_name_program(m, place);
	uint32_t line, other;

	file = model_name_place(m, place, &line);
	for (size_t i = 0; i < *n; i++) {
		model_name_place(m, seen[i], &other);
		if (seen[i] == place ||
		    (line != 0 && other == line && file != NULL &&
			source_same(m, seen[i], file, program)))
			return (seen[i]);
	}
	if (*n < SOURCE_SITES)
		seen[(*n)++] = place;
	return (place);
}

/* In the whole run; several places may be in one line. */
static void
look_at_sites(struct looking *k)
{
	const struct model *m = k->ui->model;
	uint32_t seen[SOURCE_SITES];
	size_t n = 0;

	for (uint32_t i = 0; i < model_call_sites(m); i++) {
		struct call_site s = model_call_site(m, i);

		if (s.place != 0 && s.place < k->names &&
		    of_function(k, s.function))
			k->by_place[same_line(m, s.place, seen, &n)].calls +=
			    s.calls;
	}
}

/* --- all --- */

static int
by_time(const void *a, const void *b)
{
	const struct source_site *x = a, *y = b;

	if (x->declared != y->declared)
		return (x->declared ? 1 : -1);
	if (x->ns != y->ns)
		return (x->ns < y->ns ? 1 : -1);
	if (x->calls != y->calls)
		return (x->calls < y->calls ? 1 : -1);
	return (x->n != y->n ? (x->n < y->n ? 1 : -1)
			     : (x->name > y->name) - (x->name < y->name));
}

/* Those that are there, in their order. */
static void
gather(struct looking *k, struct source_sites *to)
{
	struct source_site *all = k->by_place;

	to->all = 0;
	for (uint32_t i = 1; i < 2 * k->names; i++) {
		bool call = i >= k->names;
		uint32_t name = call ? i - k->names : i;
		struct source_site s = call ? k->by_call[name] : all[i];

		if (s.n == 0 && s.ns == 0 && s.calls == 0)
			continue;
		s.name = name;
		s.declared = call;
		model_name_place(k->ui->model, name, &s.line);
		all[to->all++] = s;
	}
	if (to->all > 1)
		qsort(all, to->all, sizeof(*all), by_time);
	to->n = to->all < SOURCE_SITES ? to->all : SOURCE_SITES;
	memcpy(to->site, all, to->n * sizeof(*all));
}

bool
source_sites(const struct ui *ui, uint32_t name, struct source_sites *to)
{
	struct looking k = { .ui = ui, .names = model_names(ui->model) };
	size_t n = (size_t)k.names + 1;
	bool good;

	to->n = to->all = 0;
	if (name == 0 || name >= k.names)
		return (true);
	k.is = calloc(n, sizeof(*k.is));
	k.seen = calloc(n, sizeof(*k.seen));
	/* two of them behind each other: the second half is by_call */
	k.by_place = calloc(2 * n, sizeof(*k.by_place));
	good = k.is != NULL && k.seen != NULL && k.by_place != NULL;
	if (good) {
		k.by_call = k.by_place + k.names;
		find_names(&k, name);
		good = look_at_samples(&k);
		look_at_calls(&k);
		look_at_sites(&k);
		gather(&k, to);
	}
	free(k.is);
	free(k.seen);
	free(k.by_place);
	return (good);
}
