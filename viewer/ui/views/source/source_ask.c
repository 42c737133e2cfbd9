/*
 * Places that are asked for: by name, by file and line, and on from what is
 * shown to who calls it and to where it is declared.
 */
#include <inttypes.h>
#include <string.h>

#include "ui/desk/parse.h"
#include "ui/views/source/source_inside.h"

/*
 * A name as it is told: what has run goes before what has not, the first place
 * of a function before others in it.
 */
static uint32_t
name_of(const struct model *m, const char *text)
{
	uint32_t best = 0, best_line = 0, line;
	bool best_ran = false, ran;

	for (uint32_t i = 1; i < model_names(m); i++) {
		const char *t = model_name(m, i);
		const char *file;

		if (t == NULL || strcmp(t, text) != 0)
			continue;
		file = model_name_place(m, i, &line);
		ran = model_name_kinds(m, i) != 0;
		if (file == NULL || file[0] == '\0')
			line = 0;
		if (best == 0 || (line > 0 && best_line == 0) ||
		    (line > 0 && ran && !best_ran) ||
		    (line > 0 && ran == best_ran && line < best_line)) {
			best = i;
			best_line = line;
			best_ran = ran && line > 0;
		}
	}
	return (best);
}

/* A file of which the log tells, by its name or what that ends with. */
static uint32_t
name_in(const struct model *m, const char *file)
{
	for (uint32_t i = 1; i < model_names(m); i++)
		if (source_same(m, i, file, NULL))
			return (i);
	return (0);
}

/* The function that is declared in this line, else that the line is in. */
static void
find_declared(struct ui *ui, struct source *s)
{
	s->name = s->declared = 0;
	for (uint32_t i = 1; i < model_names(ui->model); i++) {
		uint32_t first = model_name_declared(ui->model, i), line;

		model_name_place(ui->model, i, &line);
		if ((first != s->line && line != s->line) || first == 0 ||
		    !source_same(ui->model, i, s->file, s->program))
			continue;
		s->name = i;
		s->declared = first;
		if (first == s->line)
			return;
	}
}

static int
ask_place(struct ui *ui, struct source *s, const char *file, uint32_t line)
{
	const char *program;
	uint32_t name, at;

	if (file[0] == '\0') {
		if (s->file[0] == '\0')
			return (desk_fail(ui, "no file is shown"));
		source_show(ui, s, s->file, s->program, line);
	} else if ((name = name_in(ui->model, file)) != 0) {
		program = model_name_program(ui->model, name);
		source_show(ui, s, model_name_place(ui->model, name, &at),
		    program == NULL ? "" : program, line);
	} else {
		source_show(ui, s, file, "", line);
		if (s->text.bytes == NULL)
			return (desk_fail(ui,
			    "%.120s: the log does not tell of it, and it %s",
			    file, s->why));
	}
	find_declared(ui, s);
	source_take_sites(s);
	return (0);
}

int
source_ask(struct ui *ui, const char *arg)
{
	struct source *s = source_get(ui);
	const char *colon = strrchr(arg, ':');
	char file[SOURCE_NAME_BYTES];
	uint64_t line = 1;
	uint32_t name;

	if (s == NULL)
		return (desk_fail(ui, "out of memory"));
	s->followed = source_selected(ui);
	if (ui->model == NULL)
		return (desk_fail(ui, "there is no run yet"));
	name = arg[0] == '\0' ? s->followed : name_of(ui->model, arg);
	if (name == 0 && arg[0] == '\0')
		return (desk_fail(ui, "select a call, a task or a lock; or: "
				      "source NAME, source FILE:LINE"));
	if (name != 0) {
		if (!source_show_name(ui, s, name))
			return (desk_fail(ui,
			    "the log does not say where %.100s is",
			    label_name(ui->model, name)));
		return (0);
	}
	if (colon != NULL && (parse_number(colon + 1, &line) == -1 ||
				 line == 0 || line > INT32_MAX))
		colon = NULL;
	if (colon == NULL && strchr(arg, '.') == NULL &&
	    strchr(arg, '/') == NULL)
		return (
		    desk_fail(ui, "nothing in this run is called %.120s", arg));
	snprintf(file, sizeof(file), "%.*s",
	    (int)(colon == NULL ? strlen(arg) : (size_t)(colon - arg)), arg);
	return (ask_place(ui, s, file, colon == NULL ? 1 : (uint32_t)line));
}

int
source_go_to_caller(struct ui *ui, size_t number)
{
	struct source *s = ui->figures.source;
	const char *file, *program;
	uint32_t name;
	size_t n;

	if (s == NULL || s->of_sites == 0)
		return (desk_fail(ui, "show a function first: source NAME"));
	source_ready(ui);
	if (s->sites.n == 0)
		return (desk_fail(ui, "nobody was seen to call %.100s",
		    label_name(ui->model, s->of_sites)));
	n = number != 0 ? number : s->site % s->sites.n + 1;
	if (n > s->sites.n)
		return (desk_fail(ui, "%.100s is called from %zu places",
		    label_name(ui->model, s->of_sites), s->sites.n));
	name = s->sites.site[n - 1].name;
	file = model_name_place(ui->model, name, &(uint32_t){ 0 });
	program = model_name_program(ui->model, name);
	if (file == NULL || file[0] == '\0')
		return (desk_fail(ui, "the log does not say where %.100s is",
		    label_name(ui->model, name)));
	s->name = name;
	s->declared = model_name_declared(ui->model, name);
	source_show(ui, s, file, program == NULL ? "" : program,
	    s->sites.site[n - 1].line);
	s->site = n;
	return (0);
}

int
source_go_to_declaration(struct ui *ui)
{
	struct source *s = ui->figures.source;
	uint32_t name = s == NULL ? 0 : s->of_sites, line;
	const char *file, *program;

	if (name == 0)
		return (desk_fail(ui, "show a function first: source NAME"));
	line = model_name_declared(ui->model, name);
	file = model_name_place(ui->model, name, &(uint32_t){ 0 });
	if (line == 0 || file == NULL)
		return (
		    desk_fail(ui, "the log does not say where %.100s begins",
			label_name(ui->model, name)));
	program = model_name_program(ui->model, name);
	s->name = name;
	s->declared = line;
	s->site = 0;
	source_show(ui, s, file, program == NULL ? "" : program, line);
	return (0);
}

char *
source_site_words(const struct ui *ui, const struct source_site *site,
    char *buf, size_t n)
{
	const char *name = label_name(ui->model, site->name);

	if (site->declared || site->line == 0)
		snprintf(buf, n, "%s", name);
	else
		snprintf(buf, n, "%s:%" PRIu32, name, site->line);
	return (buf);
}

int
source_where(struct ui *ui, const char **path, uint32_t *line)
{
	struct source *s = source_get(ui);

	if (s == NULL || s->file[0] == '\0')
		return (desk_fail(ui, "no file is shown: source NAME"));
	if (s->text.bytes == NULL)
		return (desk_fail(ui, "%.150s %s", s->file, s->why));
	*path = s->text.path;
	*line = s->line > 0 ? s->line : 1;
	return (0);
}
