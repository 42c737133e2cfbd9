/*
 * The configuration file: one command a line, of those that say how things
 * look.  It is written at the end and read at the start.
 *
 * All of it is tried on contents of its own first: what is wrong in one line
 * must not leave the rest half done.
 */
#include "ui/whole/config.h"
#include "ui/desk/macro.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "log/beside.h"
#include "ui/commands/command.h"
#include "ui/desk/parse.h"
#include "ui/input/input.h"
#include "ui/panes/arrange.h"
#include "ui/views/details/card.h"
#include "ui/views/view.h"
#include "ui/whole/frame.h"

#define LINES_MAX  192
#define LINE_BYTES 256

static const char *const allowed[] = { "split", "pane", "tab", "colour",
	"lanes", "link-width", "link-colour", "theme", "speed", "sort", "keys",
	"put", "clock", "names-width", "column", "source-path", "editor" };

int
config_path(char *buf, size_t n)
{
	const char *dir = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int len;

	if (dir != NULL && dir[0] == '/')
		len = snprintf(buf, n, "%s/orrery/viewer.conf", dir);
	else if (home != NULL && home[0] == '/')
		len = snprintf(buf, n, "%s/.config/orrery/viewer.conf", home);
	else
		return (-1);
	return (len < 0 || (size_t)len >= n ? -1 : 0);
}

static bool
is_allowed(const char *line)
{
	size_t n = strcspn(line, " ");

	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		if (strlen(allowed[i]) == n &&
		    strncmp(line, allowed[i], n) == 0)
			return (true);
	return (false);
}

/* on or off; -1: neither. */
static int
is_on(const char *word)
{
	return (strcmp(word, "on") == 0    ? 1
		: strcmp(word, "off") == 0 ? 0
					   : -1);
}

static int
take_line(struct ui *ui, struct config *c, const char *line)
{
	int on;

	if (line[0] == '\0' || line[0] == '#')
		return (0);
	if (strncmp(line, "size ", 5) == 0)
		return (parse_size(line + 5, &c->width, &c->height));
	if (strncmp(line, "scale ", 6) == 0)
		return (parse_scale(line + 6, &c->scale_q));
	if (strncmp(line, "grid ", 5) == 0 || strncmp(line, "links ", 6) == 0) {
		on = is_on(strchr(line, ' ') + 1);
		if (line[0] == 'g')
			ui->timepane.grid = on == 1;
		else
			ui->time.links = on == 1;
		return (on == -1 ? -1 : 0);
	}
	if (strncmp(line, "card ", 5) == 0)
		return (card_keep(ui, line + 5));
	if (strncmp(line, "arrange save ", 13) == 0)
		return (arrange_save(ui, line + 13));
	/* one may be of others that come further down */
	if (strncmp(line, "define ", 7) == 0)
		return (macro_define(ui, line + 7));
	if (strncmp(line, "bind ", 5) == 0)
		return (macro_bind(ui, line + 5));
	return (is_allowed(line) ? command_run_ours(ui, line) : -1);
}

/* Number of the first line that makes no sense; 0: all do. */
static unsigned
take_all(FILE *f, struct ui *ui, struct config *c)
{
	char line[LINE_BYTES];
	unsigned n = 0;

	rewind(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		size_t len = strcspn(line, "\n");

		n++;
		if (line[len] != '\n' && !feof(f))
			return (n);
		line[len] = '\0';
		if (n > LINES_MAX || take_line(ui, c, line) == -1)
			return (n);
	}
	return (ferror(f) ? n + 1 : 0);
}

int
config_load(const char *path, struct ui *ui, struct config *c)
{
	struct config trial_config = { 0 };
	struct ui *trial;
	unsigned wrong = 0;
	FILE *f;

	f = fopen(path, "re");
	if (f == NULL) {
		if (errno != ENOENT && errno != ENOTDIR)
			log_warn("%s", path);
		return (0);
	}
	trial = ui_new(ui->palette);
	if (trial != NULL) {
		wrong = take_all(f, trial, &trial_config);
		if (wrong == 0)
			take_all(f, ui, c);
		else
			log_warnx("%s:%u: this makes no sense; nothing of the "
				  "file is used or changed, remove it or mend "
				  "it",
			    path, wrong);
	}
	ui_free(trial);
	fclose(f);
	return (wrong == 0 ? 0 : -1);
}

static void
make_folders(const char *path)
{
	char folder[512];

	for (const char *p = strchr(path + 1, '/'); p != NULL;
	     p = strchr(p + 1, '/')) {
		snprintf(folder, sizeof(folder), "%.*s", (int)(p - path), path);
		mkdir(folder, 0700);
	}
}

/* One of two runs is not there when the next window begins. */
static void
put_view(FILE *f, const char *command, enum view_id v, const char *where)
{
	if (views[v].there == view_always)
		fprintf(f, "%s %s%s\n", command, views[v].name, where);
}

/* What was said, if it has room in a line. */
static void
put_words(FILE *f, const char *command, const char *words)
{
	if (words != NULL && strlen(command) + strlen(words) + 3 < LINE_BYTES &&
	    strchr(words, '\n') == NULL)
		fprintf(f, "%s %s\n", command, words);
}

static void
put_all(FILE *f, const struct ui *ui, const struct config *c)
{
	char line[ARRANGEMENT_NAME + ARRANGEMENT_WORDS];
	const char *name;
	enum pane pane;
	bool shown;

	fprintf(f, "# of the viewer; written when it ends\n");
	if (c->width > 0)
		fprintf(f, "size %dx%d\n", c->width, c->height);
	if (c->scale_q > 0)
		fprintf(f, "scale %g\n", c->scale_q / 16.0);
	fprintf(f, "split %d %d\n", ui->places.split_x, ui->places.split_y);
	for (unsigned i = 0; (name = pane_each(i, &pane)) != NULL; i++)
		if ((ui->places.maximised ? ui->places.hidden_before
					  : ui->places.hidden) >>
			pane &
		    1)
			fprintf(f, "pane %s off\n", name);
	put_view(f, "put", ui->places.left, " left");
	put_view(f, "put", ui->places.right, " right");
	put_view(f, "tab", ui->places.tab, "");
	for (unsigned i = 0; arrange_spell(ui, i, line, sizeof(line)); i++)
		fprintf(f, "arrange save %s\n", line);
	for (unsigned i = 0; (name = functions_column(ui, i, &shown)) != NULL;
	     i++)
		fprintf(f, "column %s %s\n", name, shown ? "on" : "off");
	fprintf(f, "colour %s\n", radial_colour_name[ui->tree.colour]);
	fprintf(f, "lanes %s\n",
	    ui->time.colour == TIMELINE_BY_NAME ? "procedure" : "state");
	fprintf(f, "link-width %s\n",
	    ui->time.links_as.wide ? "size" : "plain");
	fprintf(f, "link-colour %s\n",
	    ui->time.links_as.by_tag ? "tag" : "plain");
	fprintf(f, "theme %s\n",
	    ui->palette == &palette_light ? "light" : "dark");
	if (ui->places.names_px > 0)
		fprintf(f, "names-width %d\n", ui->places.names_px);
	put_words(f, "source-path", ui->desks->host.source_path);
	put_words(f, "editor", ui->desks->host.editor);
	fprintf(f, "clock %s\n", ui->timepane.utc ? "utc" : "run");
	fprintf(f, "speed %g\n", ui->play.speed);
	fprintf(f, "keys %s\n", keymap_name[ui->mouse.keymap]);
	fprintf(f, "grid %s\nlinks %s\n", ui->timepane.grid ? "on" : "off",
	    ui->time.links ? "on" : "off");
	macro_put(ui, f);
	card_save(ui, f);
}

int
config_save(const char *path, const struct ui *ui, const struct config *c)
{
	char temporary[BESIDE_BYTES];
	FILE *f = NULL;
	int fd, rv = -1;

	make_folders(path);
	fd = beside_open(path, 0666, temporary);
	if (fd != -1 && (f = fdopen(fd, "w")) == NULL)
		close(fd);
	if (f == NULL)
		return (-1);
	put_all(f, ui, c);
	if (fflush(f) == 0)
		rv = beside_replace(fd, temporary, path);
	else
		unlink(temporary);
	fclose(f);
	return (rv);
}
