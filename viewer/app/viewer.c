/*
 * The program viewer: which of its ways of working is meant, and putting its
 * parts together for that.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "app/app.h"
#include "app/editor.h"
#include "app/open.h"
#include "app/options.h"
#include "app/plugins.h"
#include "feed/cache.h"
#include "feed/indexing.h"
#include "log.h"
#include "paths.h"
#include "plugin/host/host.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/out/outfile.h"
#include "ui/panes/panes.h"
#include "ui/whole/compare.h"
#include "ui/whole/config.h"
#include "ui/whole/frame.h"
#include "window/window.h"

#define FRAMES_MORE 8

static int
export_cb(void *arg, const char *path, const char *view)
{
	return (app_snapshot(arg, path, view, 0, 0));
}

/* 0: as it is. */
static void
set_scale(struct app *a, int scale_q)
{
	if (scale_q == 0)
		return;
	if (canvas_set_scale(scale_q) == -1)
		fatalx(EX_OSERR, "out of memory");
	a->scale_q = scale_q;
}

static void
add_plugins(struct app *a, const struct options *o)
{
	char why[512];

	if ((a->plugins = plugins_new(a)) == NULL)
		fatalx(EX_OSERR, "out of memory");
	for (unsigned i = 0; i < o->plugins.n; i++)
		if (plugins_add(a->plugins, o->plugins.at[i], why,
			sizeof(why)) == -1)
			fatalx(EX_NOINPUT, "--plugin %s", why);
	options_view(o);
}

static void
app_init(struct app *a, const struct options *o)
{
	uint32_t *px;

	memset(a, 0, sizeof(*a));
	a->scale_q = CANVAS_SCALE_ONE;
	/* pictures of a file want its details, all of them */
	if (o->file != NULL && o->snapshot == NULL && !o->describe &&
	    !o->nocache)
		a->run[0].model = cache_open(o->file);
	else if (o->file == NULL && !o->nocache)
		cache_ready();
	if (a->run[0].model == NULL)
		a->run[0].model = model_new();
	a->ui = ui_new(o->light ? &palette_light : &palette_dark);
	px = calloc((size_t)o->width * (size_t)o->height, sizeof(*px));
	if (a->run[0].model == NULL || a->ui == NULL || px == NULL)
		fatalx(EX_OSERR, "out of memory");
	model_set_memory(a->run[0].model, o->memory);
	canvas_init(&a->canvas, px, o->width, o->height, o->width);
	set_scale(a,
	    o->headless || o->describe || o->snapshot != NULL ? o->scale_q : 0);
	app_resize(a, o->width, o->height);
	a->ui->desks->host.export_cb = export_cb;
	a->ui->desks->host.export_arg = a;
	a->ui->desks->host.compare_cb = app_compare;
	a->ui->desks->host.open_cb = app_open;
	a->ui->desks->host.beside_cb = app_beside;
	a->ui->desks->host.edit_cb = editor_open;
	a->file = o->file;
	add_plugins(a, o);
}

static void
app_clear(struct app *a)
{
	script_close(a->script);
	app_compare(a, NULL, NULL, 0);
	feed_stop(a->run[0].feed);
	window_close(a->window);
	plugins_free(a->plugins);
	ui_free(a->ui);
	model_free(a->run[0].model);
	free(a->canvas.px);
	while (a->nlines > 0)
		free(a->line[--a->nlines]);
}

/* In a window, --view NAME. */
static void
begin_with(struct app *a, const char *view)
{
	char line[80];

	if (strcmp(view, "all") == 0)
		return;
	snprintf(line, sizeof(line), "put %s alone", view);
	if (command_run(a->ui, line) == -1)
		fatalx(EX_USAGE, "--view %s: %s", view, a->ui->told.message);
}

/* What --colour, --keys and --range say, as commands. */
static void
apply(struct app *a, const struct options *o)
{
	char line[128];

	if (o->colour != NULL) {
		snprintf(line, sizeof(line), "colour %s", o->colour);
		if (command_run(a->ui, line) == -1)
			fatalx(EX_USAGE, "%s", a->ui->told.message);
	}
	if (o->keys != NULL) {
		snprintf(line, sizeof(line), "keys %s", o->keys);
		if (command_run(a->ui, line) == -1)
			fatalx(EX_USAGE, "--%s", a->ui->told.message);
		a->ui->told.message[0] = '\0';
	}
	if (o->source_path != NULL)
		a->ui->desks->host.source_path = strdup(o->source_path);
	if (o->editor != NULL)
		a->ui->desks->host.editor = strdup(o->editor);
	if (o->range != NULL) {
		snprintf(line, sizeof(line), "range %s", o->range);
		if (command_run(a->ui, line) == -1)
			fatalx(EX_USAGE, "--%s", a->ui->told.message);
	}
}

/* All of a log, and a word of what makes no sense in it. */
static void
read_whole(struct model *m, const char *file, struct feed_status *st)
{
	int code = feed_read(m, file, st);
	char odd[200];

	if (code != 0)
		fatalx(code, "%s", st->message);
	if (model_odd(m, odd, sizeof(odd)))
		log_warnx("%s %s", file, odd);
}

/* The run beside it, all of it. */
static void
still_other(struct app *a, const struct options *o)
{
	struct ui *other = ui_new(a->ui->palette);
	struct feed_status st;

	a->run[1].model = model_new();
	if (other == NULL || a->run[1].model == NULL)
		fatalx(EX_OSERR, "out of memory");
	model_set_memory(a->run[1].model, o->memory);
	read_whole(a->run[1].model, o->other, &st);
	ui_refresh(other, a->run[1].model, &st);
	compare_with(a->ui, other);
}

/* Makes the figures exact that are not.  True: some are now. */
static bool
settle(struct ui *ui, struct model *m, const char *file)
{
	bool some = false;
	int64_t t0, t1;

	for (unsigned i = 0; i < SUMS_KINDS; i++)
		if (ui_wants_sums(ui, i, &t0, &t1)) {
			feed_settle(m, file, i, t0, t1);
			some = true;
		}
	return (some);
}

/* A frame, and those for which it left something. */
static void
frames(struct ui *ui, struct canvas *c)
{
	ui_frame(ui, c);
	for (int i = 0; i < FRAMES_MORE && picture_due(ui->picture); i++)
		ui_frame(ui, c);
}

/* --snapshot and --describe */
static int
still(const struct options *o)
{
	struct feed_status st;
	struct canvas in_px;
	struct app a;
	bool some = true;

	app_init(&a, o);
	read_whole(a.run[0].model, o->file, &st);
	ui_refresh(a.ui, a.run[0].model, &st);
	if (o->other != NULL)
		still_other(&a, o);
	apply(&a, o);
	if (strcmp(o->view, "all") != 0 &&
	    !view_only(a.ui, view_named(o->view, strlen(o->view))))
		fatalx(EX_USAGE, "--view %s: it is of two runs", o->view);
	plugins_patient(a.plugins, true);
	canvas_init_dots(&in_px, a.canvas.px, o->width, o->height, o->width);
	for (unsigned i = 0; some && i < 2 * SUMS_KINDS; i++) {
		frames(a.ui, &in_px);
		if (o->describe)
			ui_describe_ready(a.ui);
		/* which may give up what others need */
		some = settle(a.ui, a.run[0].model, o->file);
		if (o->other != NULL)
			some |= settle(a.ui->desks->desk[1], a.run[1].model,
			    o->other);
	}
	if (o->snapshot != NULL &&
	    app_snapshot(&a, o->snapshot, "all", 0, 0) == -1)
		fatalx(EX_CANTCREAT, "%s: %s", o->snapshot,
		    outfile_trouble(errno));
	if (o->describe)
		ui_describe(a.ui, stdout);
	app_clear(&a);
	return (0);
}

/* What was remembered counts where the command line says nothing. */
static void
remembered(struct app *a, struct options *o, struct config *c)
{
	static char path[512];

	if (o->config == NULL && !o->headless &&
	    config_path(path, sizeof(path)) == 0)
		o->config = path;
	if (o->config == NULL || o->config[0] == '\0')
		return;
	if (config_load(o->config, a->ui, c) == -1)
		o->config = ""; /* what is in it stays, to be mended */
	if (o->light)
		a->ui->palette = &palette_light;
	if (!o->sized && c->width > 0 && !o->headless) {
		o->width = c->width;
		o->height = c->height;
	}
	if (o->scale_q == 0)
		o->scale_q = c->scale_q;
}

static void
write_down(struct app *a, const struct options *o, struct config *c)
{
	if (o->config == NULL || o->config[0] == '\0')
		return;
	if (a->window != NULL && !window_lost(a->window)) {
		c->width = a->dots_x;
		c->height = a->dots_y;
	}
	if (config_save(o->config, a->ui, c) == -1)
		log_warn("%s", o->config);
}

static void
remember(struct app *a, const struct options *o, struct config *c)
{
	if (a->code != 0)
		return;
	app_compare(a, NULL, NULL, 0); /* that is not remembered */
	write_down(a, o, c);
}

/* What `save` needs. */
struct saving {
	struct app *app;
	const struct options *options;
	struct config *config;
};

static int
save_cb(void *arg)
{
	const struct saving *s = arg;

	if (s->options->config == NULL || s->options->config[0] == '\0')
		return (-1);
	write_down(s->app, s->options, s->config);
	return (0);
}

static void
open_window(struct app *a, const struct options *o)
{
	char why[256], title[300];

	snprintf(title, sizeof(title), "Orrery%s%s",
	    o->file != NULL ? " – " : "", o->file != NULL ? o->file : "");
	a->window = window_open(o->display, o->width, o->height, title,
	    o->remote  ? WINDOW_REMOTE
	    : o->noshm ? WINDOW_PLAIN
		       : WINDOW_SHM,
	    why, sizeof(why));
	if (a->window == NULL)
		fatalx(EX_UNAVAILABLE, "%s", why);
	free(a->canvas.px);
	a->canvas.px = NULL;
	set_scale(a, o->scale_q > 0 ? o->scale_q : window_scale(a->window));
	app_resize(a, o->width, o->height);
}

static const char *
default_address(void)
{
	static char address[160] = "unix:";

	if (paths_monitord(address + 5, sizeof(address) - 5) == -1)
		fatalx(EX_CONFIG, "%s", paths_problem());
	return (address);
}

/* What goes on when another log is opened. */
struct going {
	struct script *script;
	FILE *state;
	char *file; /* that log; NULL: the one of the options */
	bool on;
};

/* What was said on the command line is of the first log. */
static void
begin(struct app *a, struct options *o, struct going *g)
{
	char why[512];

	if (g->on)
		return;
	if (o->other != NULL &&
	    app_compare(a, o->other, why, sizeof(why)) == -1)
		fatalx(a->other_code, "%s", why);
	apply(a, o);
	begin_with(a, o->view);
}

static void
open_script(struct app *a, const struct options *o, struct going *g)
{
	if (!g->on && o->script != NULL &&
	    (g->script = script_open(o->script)) == NULL)
		fatal(EX_NOINPUT, "%s", o->script);
	if (!g->on && o->state_fd != -1 &&
	    (g->state = fdopen(o->state_fd, "w")) == NULL)
		fatal(EX_USAGE, "--state-fd %d", o->state_fd);
	a->script = g->script;
	a->state = g->state;
}

/* True: another log is to be opened. */
static bool
go_on(struct app *a, struct going *g)
{
	g->script = a->script;
	if (a->next == NULL)
		return (false);
	a->script = NULL;
	free(g->file);
	g->file = a->next;
	return (g->on = true);
}

/* True: and once more. */
static bool
interactive(struct options *o, struct going *g, int *exit_code)
{
	struct config remember_config = { 0 };
	struct app a;
	struct saving saving = { &a, o, &remember_config };
	struct feed_status st;
	const char *address = o->connect;
	char why[512];
	int code;
	bool more;

	app_init(&a, o);
	remembered(&a, o, &remember_config);
	a.ui->desks->host.save_cb = save_cb;
	a.ui->desks->host.save_arg = &saving;
	open_script(&a, o, g);
	if (o->file == NULL && address == NULL)
		address = default_address();
	if (!o->headless)
		open_window(&a, o);
	a.run[0].feed =
	    feed_new(a.run[0].model, o->file, address, why, sizeof(why), &code);
	if (a.run[0].feed == NULL)
		fatalx(code, "%s", why);
	feed_status(a.run[0].feed, &st);
	ui_refresh(a.ui, a.run[0].model, &st);
	begin(&a, o, g);
	*exit_code = app_run(&a);
	remember(&a, o, &remember_config);
	more = go_on(&a, g);
	if (a.state != NULL && !more)
		fclose(a.state);
	app_clear(&a);
	return (more);
}

int
viewer_main(int argc, char **argv)
{
	struct options o = { .view = "all",
		.state_fd = -1,
		.width = 1600,
		.height = 1000 };
	struct going going = { 0 };
	int code;

	log_init(argv[0], 0);
	if (argc == 4 && strcmp(argv[1], PLUGIN_HOST) == 0)
		return (plugin_host(argv[2], argv[3]));
	parse_memory("50%", &o.memory);
	signal(SIGPIPE, SIG_IGN);
	options_parse(&o, argc, argv);
	if (o.index)
		return (indexing(o.files, o.nfiles, o.memory, o.background));
	if (o.snapshot != NULL || o.describe)
		return (still(&o));
	while (interactive(&o, &going, &code)) {
		o.file = going.file;
		o.connect = NULL;
	}
	free(going.file);
	return (code);
}
