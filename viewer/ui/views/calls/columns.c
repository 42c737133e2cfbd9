/* The table of columns, and which are shown. */
#include "ui/views/calls/columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/calls/calls.h"
#include "model/keep/durations.h"
#include "model/measured/scheds.h"
#include "ui/draw/draw.h"
#include "ui/views/view.h"

static double
calls(const struct function_row *r)
{
	return ((double)r->s.calls);
}

static double
total_ns(const struct function_row *r)
{
	return ((double)r->s.total_ns);
}

static double
cpu_ns(const struct function_row *r)
{
	return (r->s.cpu_unknown ? -1 : (double)r->s.cpu_ns);
}

static double
self_ns(const struct function_row *r)
{
	return ((double)r->s.self_ns);
}

static double
cpu_mean_ns(const struct function_row *r)
{
	return (r->s.cpu_unknown || r->s.outer == 0
		    ? -1
		    : (double)r->s.cpu_ns / (double)r->s.outer);
}

static double
mean_ns(const struct function_row *r)
{
	return (r->s.outer > 0 ? (double)r->s.total_ns / (double)r->s.outer
			       : -1); /* begun before */
}

static double
min_ns(const struct function_row *r)
{
	return ((double)r->min_ns);
}

static double
p50_ns(const struct function_row *r)
{
	return ((double)r->p50_ns);
}

static double
p99_ns(const struct function_row *r)
{
	return ((double)r->p99_ns);
}

static double
max_ns(const struct function_row *r)
{
	return ((double)r->s.max_ns);
}

/* Of its time, and of that in which it was suspended, what is not work: waits
 * in it and in what it called; those in it alone. */
static double
blocked_percent(const struct function_row *r)
{
	return (share_percent(r->s.waits_ns + r->s.suspended_ns,
	    r->s.total_ns + r->s.suspended_ns));
}

static double
itself_percent(const struct function_row *r)
{
	return (share_percent(r->s.blocked_ns + r->s.suspended_ns,
	    r->s.total_ns + r->s.suspended_ns));
}

uint64_t
columns_pes_ns(const struct name_stats *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < 16; i++)
		sum += s->by_pe[i];
	return (sum);
}

static double
on_pes_ns(const struct function_row *r)
{
	return ((double)columns_pes_ns(&r->s));
}

/*
 * Its amount, below 0 if there is none, is told in `unit` with so many digits
 * behind the point; NULL: it is no text.
 */
static const struct {
	const char *name;
	struct table_column place;
	double (*amount)(const struct function_row *);
	double unit;
	int digits;
	const char *behind;
} columns[COLUMNS] = {
	[COLUMN_NAME] = { "name", { "procedure", 170, 0, 0, false, false },
	    total_ns, 1, 0, NULL },
	[COLUMN_CALLS] = { "calls", { "calls", 66, 0, 0, true, false }, calls,
	    1, 0, "" },
	[COLUMN_TOTAL] = { "total", { "total ms", 66, 0, 0, true, false },
	    total_ns, 1e6, 3, "" },
	[COLUMN_CPU] = { "cpu", { "CPU ms", 66, 0, 2, true, false }, cpu_ns,
	    1e6, 3, "" },
	[COLUMN_SELF] = { "self", { "self ms", 66, 0, 3, true, false }, self_ns,
	    1e6, 3, "" },
	[COLUMN_MEAN] = { "mean", { "mean µs", 61, 0, 1, true, false }, mean_ns,
	    1e3, 2, "" },
	[COLUMN_CPU_MEAN] = { "cpu-mean",
	    { "mean CPU µs", 78, 0, 6, true, false }, cpu_mean_ns, 1e3, 2, "" },
	[COLUMN_MIN] = { "min", { "min µs", 56, 0, 6, true, false }, min_ns,
	    1e3, 1, "" },
	[COLUMN_P50] = { "p50", { "p50 µs", 56, 0, 5, true, false }, p50_ns,
	    1e3, 1, "" },
	[COLUMN_P99] = { "p99", { "p99 µs", 56, 0, 4, true, false }, p99_ns,
	    1e3, 1, "" },
	[COLUMN_MAX] = { "max", { "max µs", 56, 0, 2, true, false }, max_ns,
	    1e3, 1, "" },
	[COLUMN_BLOCKED] = { "blocked", { "blocked", 56, 0, 1, true, false },
	    blocked_percent, 1, 0, " %" },
	[COLUMN_ITSELF] = { "itself", { "itself", 48, 0, 2, true, false },
	    itself_percent, 1, 0, " %" },
	[COLUMN_PLACE] = { "place", { "defined at", 150, 0, 7, false, false },
	    total_ns, 1, 0, NULL },
	[COLUMN_PES] = { "PE", { "", 40, 1, 3, false, false }, on_pes_ns, 1, 0,
	    NULL },
};

/* What is over was never longer than the longest at all. */
static int64_t
quantile(const struct durations *d, unsigned mille, int64_t most_ns)
{
	int64_t ns;

	if (d == NULL || atomic_load(&d->n) == 0)
		return (-1);
	ns = durations_quantile(d, mille);
	return (ns < most_ns ? ns : most_ns);
}

/* Of the whole run the model has no sum: those that are added up, if any are.
 */
static void
fill_self(const struct ui *ui, struct function_row *r, size_t n)
{
	uint32_t functions = model_functions(ui->model) + 1;
	struct name_stats *s = calloc(functions, sizeof(*s));
	int64_t *self = calloc(functions, sizeof(*self));
	bool about, known = sums_of_whole(ui, &about);
	size_t sums = 0;

	if (s != NULL && self != NULL && known)
		sums = calls_names(ui->figures.sums.shown, s, functions);
	for (size_t i = 0; i < sums && i < functions; i++)
		if (s[i].number < functions)
			self[s[i].number] = s[i].self_ns;
	for (size_t i = 0; i < n; i++) {
		r[i].self_about = about;
		r[i].s.self_ns = sums > 0 && r[i].s.number < functions
				     ? self[r[i].s.number]
				     : -1;
	}
	free(s);
	free(self);
}

/* How long its calls were; NULL: not known. */
static const struct durations *
lasted(const struct ui *ui, bool whole, const struct function_row *r)
{
	const struct calls *sums = ui->figures.sums.shown;

	if (whole)
		return (model_durations(ui->model, r->s.number));
	return (sums == NULL ? NULL : calls_durations(sums, r->s.number));
}

void
columns_percentiles(const struct ui *ui, bool whole, struct function_row *r,
    size_t n)
{
	const struct durations *d;

	for (size_t i = 0; i < n; i++) {
		d = lasted(ui, whole, &r[i]);
		r[i].p50_ns = quantile(d, 500, r[i].s.max_ns);
		r[i].p99_ns = quantile(d, 990, r[i].s.max_ns);
	}
}

void
columns_fill(const struct ui *ui, bool whole, struct function_row *r, size_t n)
{
	const struct durations *d;

	if (whole)
		fill_self(ui, r, n);
	for (size_t i = 0; i < n; i++) {
		d = lasted(ui, whole, &r[i]);
		r[i].file =
		    model_name_place(ui->model, r[i].s.name, &r[i].line);
		r[i].min_ns = d == NULL || atomic_load(&d->n) == 0
				  ? -1
				  : durations_least(d);
		r[i].p50_ns = r[i].p99_ns = -1;
	}
}

void
columns_get(const struct ui *ui, struct table_column out[COLUMNS])
{
	for (unsigned i = 0; i < COLUMNS; i++) {
		out[i] = columns[i].place;
		out[i].hidden = (ui->lists.functions_hidden >> i & 1) != 0;
	}
	/* nothing to tell */
	if (model_scheds(ui->model) == 0)
		out[COLUMN_CPU].hidden = out[COLUMN_CPU_MEAN].hidden = true;
	if (model_pes(ui->model) < 2) /* or it would be all of each bar */
		out[COLUMN_PES].hidden = true;
}

const char *
column_name(enum column c)
{
	return (columns[c].name);
}

double
column_amount(const struct function_row *r, enum column c)
{
	return (columns[c].amount(r));
}

void
column_spell(const char *about, const struct function_row *r, enum column c,
    char *buf, size_t n)
{
	double amount = columns[c].amount(r);
	const char *base;
	char num[32];

	buf[0] = '\0';
	if (c == COLUMN_SELF && r->self_about)
		about = "~";
	if (c == COLUMN_CALLS)
		snprintf(buf, n, "%s%s", about,
		    format_count(num, sizeof(num), r->s.calls));
	else if (c == COLUMN_PLACE && r->file != NULL && r->file[0] != '\0') {
		base = strrchr(r->file, '/');
		snprintf(buf, n, "%s:%" PRIu32,
		    base != NULL ? base + 1 : r->file, r->line);
	} else if (columns[c].behind != NULL && amount >= 0)
		snprintf(buf, n, "%s%.*f%s", about, columns[c].digits,
		    amount / columns[c].unit, columns[c].behind);
}

/* --- sorting and hiding --- */

static int
find(const char *name)
{
	int i = 0;

	while (i < COLUMNS && strcmp(name, columns[i].name) != 0)
		i++;
	return (i == COLUMNS ? -1 : i);
}

int
functions_sort(struct ui *ui, const char *name)
{
	int by = (ui->lists.functions_by + 1) % COLUMNS;

	if (name[0] != '\0' && (by = find(name)) == -1)
		return (-1);
	ui->lists.functions_by = by;
	ui->lists.scroll[VIEW_FUNCTIONS] = 0;
	picture_changed(ui->picture);
	return (0);
}

const char *
functions_column(const struct ui *ui, unsigned i, bool *shown)
{
	if (i + 1 >= COLUMNS)
		return (NULL);
	*shown = (ui->lists.functions_hidden >> (i + 1) & 1) == 0;
	return (columns[i + 1].name);
}

unsigned
functions_hidden_first(void)
{
	return (COLUMNS_HIDDEN);
}

int
functions_show_column(struct ui *ui, const char *name, bool shown)
{
	int i = find(name);

	if (i <= COLUMN_NAME)
		return (-1);
	ui->lists.functions_hidden &= ~(1u << i);
	ui->lists.functions_hidden |= shown ? 0 : 1u << i;
	picture_changed(ui->picture);
	return (0);
}
