/*
 * Which file is shown, and from which line.  It follows what is selected: a
 * place that was asked for stays until something else is selected.
 */
#include "ui/views/source/source.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/things/thing.h"
#include "ui/views/source/source_inside.h"
#include "ui/views/view.h"

#define PAUSE 15 /* frames, while a run grows */

struct source *
source_get(struct ui *ui)
{
	if (ui->figures.source == NULL)
		ui->figures.source = calloc(1, sizeof(struct source));
	return (ui->figures.source);
}

void
source_free(struct ui *ui)
{
	struct source *s = ui->figures.source;

	if (s == NULL)
		return;
	source_text_clear(&s->text);
	source_sums_clear(&s->sums);
	free(s->called);
	free(s);
	ui->figures.source = NULL;
}

uint32_t
source_selected(const struct ui *ui)
{
	const struct model *m = ui->model;
	struct thing k;
	uint32_t n;

	thing_selected(ui, &k);
	switch (k.kind) {
	case THING_SPAN:
		return (k.span.class < LANE_OBJECT_NODE ? k.span.name : 0);
	case THING_TASK:
		n = model_task_by_id(m, k.id);
		return (n == TASK_NONE ? 0 : model_task(m, n)->name);
	case THING_PATH:
		n = model_task_by_id(tree_model(ui), k.id);
		return (
		    n == TASK_NONE ? 0 : model_task(tree_model(ui), n)->name);
	case THING_ROW:
		return (model_lane(m, k.lane) == NULL
			    ? 0
			    : model_lane(m, k.lane)->name);
	case THING_RUN:
	case THING_LINK:
	case THING_MARK:
		break;
	}
	return (0);
}

/* --- what is shown --- */

static void
read_text(struct ui *ui, struct source *s)
{
	const char *dirs = ui->desks->host.source_path;

	s->why = source_text_find(&s->text, s->file, dirs == NULL ? "" : dirs,
	    s->at);
}

void
source_show(struct ui *ui, struct source *s, const char *file,
    const char *program, uint32_t line)
{
	s->line = line;
	s->centre = true;
	s->nowhere = 0;
	if (s->file != file)
		snprintf(s->file, sizeof(s->file), "%s", file);
	if (s->program != program)
		snprintf(s->program, sizeof(s->program), "%s", program);
	s->of.model = NULL;
	read_text(ui, s);
}

/* From now on it is that function whose callers are told. */
void
source_take_sites(struct source *s)
{
	s->of_sites = s->name;
	s->site = 0;
}

/* False: nobody knows where that is. */
bool
source_show_name(struct ui *ui, struct source *s, uint32_t name)
{
	uint32_t line;
	const char *file = model_name_place(ui->model, name, &line);
	const char *program = model_name_program(ui->model, name);

	if (file == NULL || file[0] == '\0' || line == 0) {
		s->nowhere = name;
		return (false);
	}
	s->name = name;
	s->declared = model_name_declared(ui->model, name);
	source_show(ui, s, file, program == NULL ? "" : program, line);
	source_take_sites(s);
	return (true);
}

void
source_again(struct ui *ui)
{
	struct source *s = ui->figures.source;

	if (s != NULL && s->file[0] != '\0')
		read_text(ui, s);
}

/* --- before each frame --- */

static int
by_text(const void *a, const void *b)
{
	const struct source_called *x = a, *y = b;
	int by = strcmp(x->text, y->text);

	return (by != 0 ? by : (x->name > y->name) - (x->name < y->name));
}

static void
find_called(struct ui *ui, struct source *s)
{
	uint32_t n = model_called(ui->model);

	free(s->called);
	s->called = calloc((size_t)n + 1, sizeof(*s->called));
	s->ncalled = 0;
	for (uint32_t i = 0; s->called != NULL && i < n; i++) {
		uint32_t name = model_called_name(ui->model, i);
		const char *t = model_name(ui->model, name);

		if (t != NULL && t[0] != '\0')
			s->called[s->ncalled++] =
			    (struct source_called){ t, name };
	}
	if (s->ncalled > 1)
		qsort(s->called, s->ncalled, sizeof(*s->called), by_text);
}

/* It is called so; text is not ended by 0. */
static bool
is_called(const struct source *s, size_t i, const char *text, size_t n)
{
	return (i < s->ncalled && strncmp(s->called[i].text, text, n) == 0 &&
		s->called[i].text[n] == '\0');
}

uint32_t
source_called(const struct source *s, const char *text, size_t n)
{
	size_t low = 0, high = s->ncalled;
	uint32_t line;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strncmp(s->called[mid].text, text, n) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (size_t i = low; is_called(s, i, text, n); i++) {
		const char *file =
		    model_name_place(s->of.model, s->called[i].name, &line);

		if (file != NULL && strcmp(file, s->file) == 0)
			return (s->called[i].name);
	}
	return (is_called(s, low, text, n) ? s->called[low].name : 0);
}

static struct source_of
wanted(const struct ui *ui)
{
	struct source_of want = { .model = ui->model,
		.events = model_events(ui->model),
		.version = ui->figures.sums.version,
		.names = model_names(ui->model),
		.busy = ui->figures.sums.busy };

	figures_range(ui, &want.t0, &want.t1);
	return (want);
}

static bool
same(const struct source_of *a, const struct source_of *b)
{
	return (a->model == b->model && a->t0 == b->t0 && a->t1 == b->t1 &&
		a->events == b->events && a->version == b->version &&
		a->names == b->names && a->busy == b->busy);
}

static void
sum_again(struct ui *ui, struct source *s)
{
	struct source_of want = wanted(ui);

	if (same(&s->of, &want))
		return;
	if (s->of.model == ui->model && s->of.t0 == want.t0 &&
	    run_outruns(ui) && ui->picture->frame < s->due) {
		ui->picture->undone = true;
		return;
	}
	if (s->of.names != want.names || s->of.events != want.events)
		find_called(ui, s);
	source_sum(ui, s->file, s->program, &s->sums);
	source_sites(ui, s->of_sites, &s->sites);
	s->of = want;
	s->due = ui->picture->frame + PAUSE;
}

bool
source_ready(struct ui *ui)
{
	struct source *s = source_get(ui);
	uint32_t name = ui->model == NULL ? 0 : source_selected(ui);

	if (s == NULL || ui->model == NULL)
		return (false);
	if (name != s->followed) {
		s->followed = name;
		if (name != 0)
			source_show_name(ui, s, name);
	}
	if (s->file[0] != '\0')
		sum_again(ui, s);
	return (s->file[0] != '\0');
}

/* --- what is said of it --- */

const char *
source_doubt(const struct ui *ui, const struct source *s, char *buf, size_t n)
{
	buf[0] = '\0';
	if (s->text.bytes == NULL)
		return (buf);
	if (s->sums.last > s->text.lines)
		snprintf(buf, n,
		    "not the file that ran: the log tells of line %" PRIu32
		    ", this one has %" PRIu32,
		    s->sums.last, s->text.lines);
	else if (run_dated(ui) &&
		 s->text.changed_real_ns > ui->feed.start_real_ns)
		snprintf(buf, n, "changed since the run began");
	return (buf);
}

uint32_t
source_first(struct ui *ui, struct source *s, int32_t rows)
{
	int32_t *first = &ui->lists.scroll[VIEW_SOURCE];
	int32_t most;

	rows = rows < 1 ? 1 : rows;
	if (s->centre && s->line > 0)
		*first = (int32_t)s->line - 1 - rows / 3;
	s->centre = false;
	s->rows = rows;
	most = s->text.lines > (uint32_t)rows
		   ? (int32_t)(s->text.lines - (uint32_t)rows)
		   : 0;
	*first = *first > most ? most : *first < 0 ? 0 : *first;
	return ((uint32_t)*first + 1);
}

/* One more part of a sentence. */
static size_t __attribute__((format(printf, 4, 5)))
put(char *buf, size_t n, size_t at, const char *fmt, ...)
{
	va_list ap;
	int more;

	if (at >= n)
		return (at);
	va_start(ap, fmt);
	more = vsnprintf(buf + at, n - at, fmt, ap);
	va_end(ap);
	return (more < 0 ? at : at + (size_t)more);
}

char *
source_line_words(const struct ui *ui, const struct source_sums *s,
    uint32_t line, char *buf, size_t n)
{
	const struct source_line *l = source_line_at(s, line);
	const char *about = functions_about(ui);
	char num[32], span[32];
	size_t at = 0;

	buf[0] = '\0';
	if (l != NULL && l->samples > 0) {
		at = put(buf, n, at, "found here %s times, for %s",
		    format_count(num, sizeof(num), l->samples),
		    format_span(span, sizeof(span), (int64_t)l->self_ns));
	}
	if (l != NULL && l->within > l->samples)
		at = put(buf, n, at, "%sin what it calls %s times, for %s",
		    at > 0 ? ", " : "found ",
		    format_count(num, sizeof(num), l->within - l->samples),
		    format_span(span, sizeof(span),
			(int64_t)(l->total_ns - l->self_ns)));
	if (l != NULL && (l->calls > 0 || l->calls_ns > 0)) {
		at = put(buf, n, at, "%s%s: %s%s calls", at > 0 ? "; " : "",
		    label_name(ui->model, l->name), about,
		    format_count(num, sizeof(num), l->calls));
		at = put(buf, n, at, ", %s%s", about,
		    format_span(span, sizeof(span), l->calls_ns));
		if (l->waits_ns > 0)
			put(buf, n, at, ", of that %s%s in waits", about,
			    format_span(span, sizeof(span), l->waits_ns));
	}
	return (buf);
}
