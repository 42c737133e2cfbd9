/* The program viewer: options, and which of its ways of working is meant. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "log.h"
#include "paths.h"
#include "ui/app.h"
#include "ui/cache.h"
#include "ui/compare.h"
#include "ui/config.h"
#include "ui/indexing.h"
#include "ui/parse.h"
#include "ui/window.h"

struct options {
	const char *file, *other, *connect, *display;
	const char *snapshot, *view, *colour, *keys, *range, *script;
	int32_t width, height;
	const char *config;
	int state_fd, scale_q; /* 0: not said */
	uint64_t memory;
	char *const *files;
	int nfiles;
	bool describe, index, background, nocache, noshm, remote, headless,
	    light, sized;
};

enum {
	O_SNAPSHOT = 256,
	O_VIEW,
	O_SIZE,
	O_COLOUR,
	O_KEYS,
	O_RANGE,
	O_DESCRIBE,
	O_SCRIPT,
	O_STATE_FD,
	O_NOCACHE,
	O_INDEX,
	O_BACKGROUND,
	O_NOSHM,
	O_REMOTE,
	O_HEADLESS,
	O_LIGHT,
	O_CONNECT,
	O_DISPLAY,
	O_MEMORY,
	O_SCALE,
	O_CONFIG,
	O_PRINT,
	O_HELP,
	O_VERSION
};

static const struct {
	struct option option;
	const char *argument, *what;
} rows[] = {
	{ { "connect", 1, NULL, O_CONNECT }, "ADDRESS",
	    "monitord's address (unix:PATH or tcp:HOST:PORT)" },
	{ { "display", 1, NULL, O_DISPLAY }, "NAME", "X display" },
	{ { "size", 1, NULL, O_SIZE }, "WxH", "size of window or picture" },
	{ { "memory", 1, NULL, O_MEMORY }, "SIZE",
	    "most that a run may take, as in 2G, 500M or 30%" },
	{ { "light", 0, NULL, O_LIGHT }, "", "dark on light" },
	{ { "scale", 1, NULL, O_SCALE }, "N",
	    "dots a pixel, 1 to 8, as in 1.25; Xft.dpi / 96 if not given" },
	{ { "config", 1, NULL, O_CONFIG }, "FILE",
	    "where the layout is remembered; \"\" for nowhere" },
	{ { "no-cache", 0, NULL, O_NOCACHE }, "",
	    "keep nothing of a run for the next time, and use nothing" },
	{ { "index", 0, NULL, O_INDEX }, "",
	    "read each FILE now, so that it opens at once later; no window" },
	{ { "background", 0, NULL, O_BACKGROUND }, "",
	    "with --index: while nothing else is to be done, and silently" },
	{ { "noshm", 0, NULL, O_NOSHM }, "",
	    "no shared memory with the server" },
	{ { "remote", 0, NULL, O_REMOTE }, "",
	    "few bytes to the server, as through a network" },
	{ { "keys", 1, NULL, O_KEYS }, "NAME",
	    "what the mouse does: orrery, tracy" },
	{ { "colour", 1, NULL, O_COLOUR }, "NAME",
	    "of the tree: pe, time, pe-time, procedure, state" },
	{ { "range", 1, NULL, O_RANGE }, "A:B",
	    "time shown, as in 1.2s:350ms" },
	{ { "snapshot", 1, NULL, O_SNAPSHOT }, "OUT.png",
	    "write a picture of FILE (or OUT.svg) and exit; no X server" },
	{ { "view", 1, NULL, O_VIEW }, "NAME",
	    "what of: all, radial, process-time" },
	{ { "describe", 0, NULL, O_DESCRIBE }, "",
	    "print the same view in words and exit" },
	{ { "script", 1, NULL, O_SCRIPT }, "FILE", "run commands; - is stdin" },
	{ { "state-fd", 1, NULL, O_STATE_FD }, "N",
	    "write a line about every frame to descriptor N" },
	{ { "headless", 0, NULL, O_HEADLESS }, "", "no window, for scripts" },
	{ { "print", 1, NULL, O_PRINT }, "LIST",
	    "print keys or commands as the manual has them, or bindings" },
	{ { "help", 0, NULL, O_HELP }, "", "print this" },
	{ { "version", 0, NULL, O_VERSION }, "", "print the version" },
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))

static void
usage(void)
{
	printf("usage: viewer [options] [FILE [OTHER]]\n"
	       "       viewer --index FILE...\n\n"
	       "Shows a run: FILE, or live from monitord; and OTHER beside "
	       "it.\n\n");
	for (size_t i = 0; i < NROWS; i++) {
		char left[40];

		snprintf(left, sizeof(left), "--%s %s", rows[i].option.name,
		    rows[i].argument);
		printf("  %-22s %s\n", left, rows[i].what);
	}
}

_Noreturn static void
bad_value(const char *option, const char *value, const char *wanted)
{
	fatalx(EX_USAGE, "--%s %s: expected %s; see viewer --help", option,
	    value, wanted);
}

static void
take_option(struct options *o, int c)
{
	uint64_t v;

	switch (c) {
	case O_CONNECT:
		o->connect = optarg;
		break;
	case O_DISPLAY:
		o->display = optarg;
		break;
	case O_SIZE:
		if (parse_size(optarg, &o->width, &o->height) == -1)
			bad_value("size", optarg, "WxH, as in 1600x1000");
		o->sized = true;
		break;
	case O_MEMORY:
		if (parse_memory(optarg, &o->memory) == -1)
			bad_value("memory", optarg,
			    "a size from 32M on, as in 2G or 500M, or a share "
			    "of what there is, as in 30%");
		break;
	case O_LIGHT:
		o->light = true;
		break;
	case O_SCALE:
		if (parse_scale(optarg, &o->scale_q) == -1)
			bad_value("scale", optarg,
			    "a number from 1 to 8, as in 1.25 or 2");
		break;
	case O_CONFIG:
		o->config = optarg;
		break;
	case O_NOCACHE:
		o->nocache = true;
		break;
	case O_INDEX:
		o->index = true;
		break;
	case O_BACKGROUND:
		o->background = true;
		break;
	case O_NOSHM:
		o->noshm = true;
		break;
	case O_REMOTE:
		o->remote = true;
		break;
	case O_KEYS:
		o->keys = optarg;
		break;
	case O_COLOUR:
		o->colour = optarg;
		break;
	case O_RANGE:
		o->range = optarg;
		break;
	case O_SNAPSHOT:
		o->snapshot = optarg;
		break;
	case O_VIEW:
		o->view = optarg;
		break;
	case O_DESCRIBE:
		o->describe = true;
		break;
	case O_SCRIPT:
		o->script = optarg;
		break;
	case O_STATE_FD:
		if (parse_number(optarg, &v) == -1 || v > 1023)
			bad_value("state-fd", optarg, "a descriptor's number");
		o->state_fd = (int)v;
		break;
	case O_HEADLESS:
		o->headless = true;
		break;
	case O_PRINT:
		if (manual_print(optarg) == -1)
			bad_value("print", optarg,
			    "keys, commands or bindings");
		exit(0);
	case O_HELP:
		usage();
		exit(0);
	case O_VERSION:
		printf("viewer (Orrery) %s\n", ORRERY_VERSION);
		exit(0);
	}
}

static void
parse_options(struct options *o, int argc, char **argv)
{
	struct option longs[NROWS + 1] = { 0 };
	int c;

	for (size_t i = 0; i < NROWS; i++)
		longs[i] = rows[i].option;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", longs, NULL)) != -1) {
		if (c == ':')
			fatalx(EX_USAGE,
			    "%s wants an argument; see viewer "
			    "--help",
			    argv[optind - 1]);
		if (c == '?')
			fatalx(EX_USAGE, "unknown option %s; see viewer --help",
			    argv[optind - 1]);
		take_option(o, c);
	}
	o->files = argv + optind;
	o->nfiles = argc - optind;
	if (o->index && o->nfiles == 0)
		fatalx(EX_USAGE, "--index wants a FILE; see viewer --help");
	if (o->background && !o->index)
		fatalx(EX_USAGE,
		    "--background is for --index; see viewer --help");
	if (o->nfiles > 2 && !o->index)
		fatalx(EX_USAGE, "two files at most; see viewer --help");
	o->file = argv[optind];
	o->other = o->file != NULL ? argv[optind + 1] : NULL;
	if ((o->snapshot != NULL || o->describe) && o->file == NULL)
		fatalx(EX_USAGE, "--snapshot and --describe want a FILE");
	if (o->file != NULL && o->connect != NULL)
		fatalx(EX_USAGE, "a FILE or --connect, not both");
	if (strcmp(o->view, "all") != 0 && strcmp(o->view, "radial") != 0 &&
	    strcmp(o->view, "process-time") != 0)
		bad_value("view", o->view, "all, radial or process-time");
}

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
app_init(struct app *a, const struct options *o)
{
	uint32_t *px;

	memset(a, 0, sizeof(*a));
	a->scale_q = CANVAS_SCALE_ONE;
	/* pictures of a file want its details, all of them */
	if (o->file != NULL && o->snapshot == NULL && !o->describe &&
	    !o->nocache)
		a->model = cache_open(o->file);
	else if (o->file == NULL && !o->nocache)
		cache_ready();
	if (a->model == NULL)
		a->model = model_new();
	a->ui = ui_new(o->light ? &palette_light : &palette_dark);
	px = calloc((size_t)o->width * (size_t)o->height, sizeof(*px));
	if (a->model == NULL || a->ui == NULL || px == NULL)
		fatalx(EX_OSERR, "out of memory");
	model_set_memory(a->model, o->memory);
	canvas_init(&a->canvas, px, o->width, o->height, o->width);
	set_scale(a,
	    o->headless || o->describe || o->snapshot != NULL ? o->scale_q : 0);
	app_resize(a, o->width, o->height);
	a->ui->export_cb = export_cb;
	a->ui->export_arg = a;
	a->ui->compare_cb = app_compare;
}

static void
app_clear(struct app *a)
{
	script_close(a->script);
	app_compare(a, NULL, NULL, 0);
	feed_stop(a->feed);
	window_close(a->window);
	ui_free(a->ui);
	model_free(a->model);
	free(a->canvas.px);
	while (a->nlines > 0)
		free(a->line[--a->nlines]);
}

/* What --colour, --keys and --range say, as commands. */
static void
apply(struct app *a, const struct options *o)
{
	char line[128];

	if (o->colour != NULL) {
		snprintf(line, sizeof(line), "colour %s", o->colour);
		if (command_run(a->ui, line) == -1)
			fatalx(EX_USAGE, "%s", a->ui->message);
	}
	if (o->keys != NULL) {
		snprintf(line, sizeof(line), "keys %s", o->keys);
		if (command_run(a->ui, line) == -1)
			fatalx(EX_USAGE, "--%s", a->ui->message);
		a->ui->message[0] = '\0';
	}
	if (o->range != NULL) {
		snprintf(line, sizeof(line), "range %s", o->range);
		if (command_run(a->ui, line) == -1)
			fatalx(EX_USAGE, "--%s", a->ui->message);
	}
}

/* The run beside it, all of it. */
static void
still_other(struct app *a, const struct options *o)
{
	struct ui *other = ui_new(a->ui->palette);
	struct feed_status st;
	int code;

	a->other_model = model_new();
	if (other == NULL || a->other_model == NULL)
		fatalx(EX_OSERR, "out of memory");
	model_set_memory(a->other_model, o->memory);
	code = feed_read(a->other_model, o->other, &st);
	if (code != 0)
		fatalx(code, "%s", st.message);
	ui_refresh(other, a->other_model, &st);
	compare_with(a->ui, other);
}

/* --snapshot and --describe */
static int
still(const struct options *o)
{
	struct feed_status st;
	struct canvas in_px;
	struct app a;
	int code;

	app_init(&a, o);
	code = feed_read(a.model, o->file, &st);
	if (code != 0)
		fatalx(code, "%s", st.message);
	ui_refresh(a.ui, a.model, &st);
	if (o->other != NULL)
		still_other(&a, o);
	apply(&a, o);
	if (strcmp(o->view, "radial") == 0)
		a.ui->only = PANE_TREE;
	else if (strcmp(o->view, "process-time") == 0)
		a.ui->only = PANE_TIME;
	canvas_init_dots(&in_px, a.canvas.px, o->width, o->height, o->width);
	ui_frame(a.ui, &in_px);
	if (o->snapshot != NULL &&
	    app_snapshot(&a, o->snapshot, "all", 0, 0) == -1)
		fatal(EX_CANTCREAT, "%s", o->snapshot);
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
	config_load(o->config, a->ui, c);
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
		fatal(EX_CONFIG, "no runtime directory");
	return (address);
}

static int
interactive(struct options *o)
{
	struct config remember_config = { 0 };
	struct app a;
	struct saving saving = { &a, o, &remember_config };
	struct feed_status st;
	const char *address = o->connect;
	char why[512];
	int code;

	app_init(&a, o);
	remembered(&a, o, &remember_config);
	a.ui->save_cb = save_cb;
	a.ui->save_arg = &saving;
	if (o->script != NULL && (a.script = script_open(o->script)) == NULL)
		fatal(EX_NOINPUT, "%s", o->script);
	if (o->state_fd != -1 && (a.state = fdopen(o->state_fd, "w")) == NULL)
		fatal(EX_USAGE, "--state-fd %d", o->state_fd);
	if (o->file == NULL && address == NULL)
		address = default_address();
	if (!o->headless)
		open_window(&a, o);
	a.feed = feed_start(a.model, o->file, address, why, sizeof(why), &code);
	if (a.feed == NULL)
		fatalx(code, "%s", why);
	feed_status(a.feed, &st);
	ui_refresh(a.ui, a.model, &st);
	if (o->other != NULL &&
	    app_compare(&a, o->other, why, sizeof(why)) == -1)
		fatalx(a.other_code, "%s", why);
	apply(&a, o);
	code = app_run(&a);
	remember(&a, o, &remember_config);
	if (a.state != NULL)
		fclose(a.state);
	app_clear(&a);
	return (code);
}

int
viewer_main(int argc, char **argv)
{
	struct options o = { .view = "all",
		.state_fd = -1,
		.width = 1600,
		.height = 1000 };

	log_init(argv[0], 0);
	parse_memory("50%", &o.memory);
	signal(SIGPIPE, SIG_IGN);
	parse_options(&o, argc, argv);
	if (o.index)
		return (indexing(o.files, o.nfiles, o.memory, o.background));
	if (o.snapshot != NULL || o.describe)
		return (still(&o));
	return (interactive(&o));
}
