/* The view Source in words: every line that is told of, and those in sight. */
#include <inttypes.h>
#include <string.h>

#include "ui/desk/parse.h"
#include "ui/views/source/source.h"
#include "ui/views/view.h"

#define ROWS 40 /* when it is not in sight */

bool
source_prepare(struct ui *ui)
{
	return (sums_prepare(ui, &ui->figures.sums, UINT32_MAX));
}

static void
say_line(const struct ui *ui, const struct source_line *l, FILE *f)
{
	const char *about = functions_about(ui);

	fprintf(f,
	    "  line %" PRIu32 ": %" PRIu64 " samples, %" PRIu64
	    " ns; within %" PRIu64 ", %" PRIu64 " ns",
	    l->line, l->samples, l->self_ns, l->within, l->total_ns);
	if (l->calls > 0 || l->calls_ns > 0)
		fprintf(f,
		    "; %s%" PRIu64 " calls, %s%" PRId64 " ns, waits %s%" PRId64
		    " ns",
		    about, l->calls, about, l->calls_ns, about, l->waits_ns);
	fprintf(f, "\n");
}

/* Calls are told where code tells of them. */
static void
say_place(const struct source_site *k, const char *words, const char *file,
    uint32_t line, FILE *f)
{
	fprintf(f, "    at %s in %s:%" PRIu32 ":", words, file, line);
	if (k->calls > 0)
		fprintf(f, " %" PRIu64 " calls in the run%s", k->calls,
		    k->n > 0 ? ";" : "");
	if (k->n > 0 || k->calls == 0)
		fprintf(f, " %" PRIu64 " samples, %" PRId64 " ns", k->n, k->ns);
	fputc('\n', f);
}

static void
say_sites(const struct ui *ui, const struct source *s, FILE *f)
{
	const char *about = sums_exact(ui) ? "" : "~";
	char words[256];

	if (s->of_sites != 0)
		fprintf(f, "  %s is called from: %zu\n",
		    label_name(ui->model, s->of_sites), s->sites.all);
	for (size_t i = 0; i < s->sites.n; i++) {
		const struct source_site *k = &s->sites.site[i];
		uint32_t line;
		const char *file = model_name_place(ui->model, k->name, &line);

		file = file == NULL || file[0] == '\0' ? "?" : file;
		source_site_words(ui, k, words, sizeof(words));
		if (k->declared)
			fprintf(f,
			    "    by %s, declared at %s:%" PRIu32 ": %s%" PRIu64
			    " calls, %s%" PRId64 " ns\n",
			    words, file, line, about, k->n, about, k->ns);
		else
			say_place(k, words, file, line, f);
	}
}

/* Nothing in it that a terminal would obey. */
static void
say_text(const struct source *s, uint32_t line, FILE *f)
{
	char text[512];
	size_t n;
	const char *p = source_text_line(&s->text, line, &n);
	bool good;

	n = n >= sizeof(text) ? sizeof(text) - 1 : n;
	memcpy(text, p, n);
	text[n] = '\0';
	while (n > 0 && !parse_text_ok(text) &&
	       ((unsigned char)p[n] & 0xc0) == 0x80)
		text[--n] = '\0';
	good = parse_text_ok(text);
	for (size_t i = 0; i < n; i++)
		if (((unsigned char)text[i] < ' ' && text[i] != '\t') ||
		    text[i] == 127 ||
		    (!good && ((unsigned char)text[i] & 0x80) != 0))
			text[i] = '?';
	fprintf(f, "  %" PRIu32 "%s %s\n", line,
	    line == s->line       ? ">"
	    : line == s->declared ? "="
				  : "|",
	    text);
}

static void
say_lines(struct ui *ui, struct source *s, FILE *f)
{
	int32_t rows = s->rows > 0 ? s->rows : ROWS;
	uint32_t first = source_first(ui, s, rows), last;
	char doubt[160];

	last = first + (uint32_t)rows - 1;
	last = last > s->text.lines ? s->text.lines : last;
	source_doubt(ui, s, doubt, sizeof(doubt));
	fprintf(f, "  is here: %s, %" PRIu32 " lines%s%s\n", s->text.path,
	    s->text.lines, doubt[0] != '\0' ? "; " : "", doubt);
	fprintf(f, "  in sight: %" PRIu32 " to %" PRIu32 "\n", first, last);
	for (uint32_t i = first; i <= last; i++)
		say_text(s, i, f);
}

void
source_describe(struct ui *ui, FILE *f)
{
	struct source *s;

	if (!source_ready(ui)) {
		s = source_get(ui);
		if (s != NULL && s->nowhere != 0)
			fprintf(f, "source: the log does not say where %s is\n",
			    label_name(ui->model, s->nowhere));
		else
			fprintf(f, "source: nothing is selected that the log "
				   "has a place of\n");
		return;
	}
	s = source_get(ui);
	if (ui->figures.sums.shown == NULL || ui->figures.sums.busy) {
		fprintf(f, "source: adding up what was called\n");
		return;
	}
	fprintf(f, "source: %s:%" PRIu32, s->file, s->line);
	if (s->name != 0)
		fprintf(f, ", %s", label_name(ui->model, s->name));
	if (s->declared != 0)
		fprintf(f, ", declared in line %" PRIu32, s->declared);
	fprintf(f, "\n  told of: %zu lines, %" PRIu64 " ns of %" PRIu64 "\n",
	    s->sums.n, s->sums.self_ns, s->sums.all_ns);
	for (size_t i = 0; i < s->sums.n; i++)
		say_line(ui, &s->sums.lines[i], f);
	say_sites(ui, s, f);
	if (s->text.bytes == NULL)
		fprintf(f, "  %s %s\n", s->at[0] != '\0' ? s->at : s->file,
		    s->why);
	else
		say_lines(ui, s, f);
}
