/*
 * Adds up what the log tells of each line of a file.
 *
 * Names have places: of a function where it is declared, of code where a sample
 * was taken.  So there are two sums: samples by the line of their innermost
 * place, and, each stack once, by every line on it; and calls by the line of
 * what was called.
 */
#include "ui/views/source/sourcesums.h"

#include <stdlib.h>
#include <string.h>

#include "model/calls/calls.h"
#include "model/measured/samples.h"
#include "ui/views/view.h"

#define NAMES_MAX 4096

/* While they are added up: by line. */
struct adding {
	const struct model *model;
	uint32_t *line_of; /* by name: its line in the file; 0: not there */
	uint32_t names;
	struct source_line *lines; /* by line, to last */
	uint32_t *seen, serial;    /* the last stack that a line was on */
	uint32_t last;
};

static bool
ends_with(const char *whole, const char *end)
{
	size_t n = strlen(whole), k = strlen(end);

	while (strncmp(end, "./", 2) == 0) {
		end += 2;
		k -= 2;
	}
	return (k > 0 && k < n && end[0] != '/' && whole[n - k - 1] == '/' &&
		strcmp(whole + n - k, end) == 0);
}

bool
source_same(const struct model *m, uint32_t name, const char *file,
    const char *program)
{
	uint32_t line;
	const char *of = model_name_place(m, name, &line);
	const char *whose;

	if (of == NULL || of[0] == '\0' || line == 0)
		return (false);
	if (strcmp(of, file) != 0 && !ends_with(of, file) &&
	    !ends_with(file, of))
		return (false);
	whose = model_name_program(m, name);
	return (program == NULL || program[0] == '\0' || whose == NULL ||
		whose[0] == '\0' || strcmp(whose, program) == 0);
}

/* --- samples --- */

struct source_sum *
source_by_stack(const struct ui *ui, uint32_t *stacks)
{
	const struct model *m = ui->model;
	uint32_t n = model_samples(m);
	struct source_sum *sum;
	int64_t t0, t1;

	*stacks = model_sample_stacks(m);
	sum = calloc((size_t)*stacks + 1, sizeof(*sum));
	if (sum == NULL || !figures_range(ui, &t0, &t1))
		return (sum);
	/* what is found at the last instant belongs to it */
	t1 += t1 >= model_last_ns(m) || t1 == ui->play.head_mon_ns;
	for (uint32_t i = 0; i < n; i++) {
		const struct sample *s = model_sample(m, i);

		if (s->t_mon_ns < t0 || s->t_mon_ns >= t1 || s->stack > *stacks)
			continue;
		sum[s->stack].n++;
		sum[s->stack].ns += s->cpu_ns;
	}
	return (sum);
}

static void
found_on(struct adding *a, uint32_t name, const struct source_sum *s,
    bool inner)
{
	uint32_t line = name < a->names ? a->line_of[name] : 0;
	struct source_line *l = &a->lines[line];

	if (line == 0)
		return;
	if (inner) {
		l->samples += s->n;
		l->self_ns += s->ns;
	}
	if (a->seen[line] == a->serial)
		return;
	a->seen[line] = a->serial;
	l->within += s->n;
	l->total_ns += s->ns;
}

static void
add_stack(struct adding *a, uint32_t i, const struct source_sum *s)
{
	const struct sample_stack *st = model_sample_stack(a->model, i);

	a->serial++;
	for (bool inner = true; st != NULL; inner = false) {
		found_on(a, st->name, s, inner);
		if (st->caller == 0)
			return;
		st = model_sample_stack(a->model, st->caller - 1);
	}
}

static bool
add_samples(struct adding *a, const struct ui *ui, struct source_sums *to)
{
	uint32_t stacks;
	struct source_sum *sum = source_by_stack(ui, &stacks);

	if (sum == NULL)
		return (false);
	for (uint32_t i = 0; i <= stacks; i++) {
		if (sum[i].n == 0)
			continue;
		to->sampled = true;
		to->all_ns += sum[i].ns;
		if (i > 0)
			add_stack(a, i - 1, &sum[i]);
	}
	free(sum);
	return (true);
}

/* --- calls --- */

static bool
add_calls(struct adding *a, struct ui *ui)
{
	struct name_stats *s = calloc(NAMES_MAX, sizeof(*s));
	char of[96];
	size_t n;

	if (s == NULL)
		return (false);
	n = functions_of(ui, s, NAMES_MAX, of, sizeof(of));
	for (size_t i = 0; i < n && i < NAMES_MAX; i++) {
		uint32_t line =
		    s[i].name < a->names ? a->line_of[s[i].name] : 0;
		struct source_line *l = &a->lines[line];

		if (line == 0)
			continue;
		l->name = s[i].name;
		l->calls += s[i].calls;
		l->calls_ns += s[i].total_ns;
		l->waits_ns += s[i].waits_ns;
	}
	free(s);
	return (true);
}

/* --- both --- */

/* What is told of becomes a list; the rest goes. */
static bool
gather(struct adding *a, struct source_sums *to)
{
	to->lines = calloc((size_t)a->last + 1, sizeof(*to->lines));
	if (to->lines == NULL)
		return (false);
	for (uint32_t i = 1; i <= a->last; i++) {
		struct source_line *l = &a->lines[i];

		if (l->within == 0 && l->calls == 0 && l->calls_ns == 0)
			continue;
		l->line = i;
		to->lines[to->n++] = *l;
		to->self_ns += l->self_ns;
		if (l->self_ns > to->most_ns)
			to->most_ns = l->self_ns;
		if (l->calls_ns > to->most_calls_ns)
			to->most_calls_ns = l->calls_ns;
	}
	to->last = a->last;
	return (true);
}

#define LINES_MAX 4000000u /* a log may say what it likes */

static bool
find_lines(struct adding *a, const char *file, const char *program)
{
	a->names = model_names(a->model);
	a->line_of = calloc((size_t)a->names + 1, sizeof(*a->line_of));
	if (a->line_of == NULL)
		return (false);
	for (uint32_t i = 1; i < a->names; i++) {
		uint32_t line;

		if (!source_same(a->model, i, file, program))
			continue;
		model_name_place(a->model, i, &line);
		if (line > LINES_MAX)
			continue;
		a->line_of[i] = line;
		a->last = line > a->last ? line : a->last;
	}
	a->lines = calloc((size_t)a->last + 1, sizeof(*a->lines));
	a->seen = calloc((size_t)a->last + 1, sizeof(*a->seen));
	return (a->lines != NULL && a->seen != NULL);
}

bool
source_sum(struct ui *ui, const char *file, const char *program,
    struct source_sums *to)
{
	struct adding a = { .model = ui->model };
	bool good;

	source_sums_clear(to);
	good = find_lines(&a, file, program) && add_samples(&a, ui, to) &&
	       add_calls(&a, ui) && gather(&a, to);
	free(a.line_of);
	free(a.lines);
	free(a.seen);
	return (good);
}

void
source_sums_clear(struct source_sums *s)
{
	free(s->lines);
	memset(s, 0, sizeof(*s));
}

const struct source_line *
source_line_at(const struct source_sums *s, uint32_t line)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->lines[mid].line < line)
			low = mid + 1;
		else
			high = mid;
	}
	return (
	    low < s->n && s->lines[low].line == line ? &s->lines[low] : NULL);
}
