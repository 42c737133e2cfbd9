/*
 * The options of viewer: one table gives getopt_long its names and --help its
 * lines.
 */
#include "app/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "app/app.h"
#include "badopt.h"
#include "log.h"
#include "ui/desk/parse.h"
#include "ui/panes/panes.h"
#include "ui/views/view.h"

enum {
	O_SNAPSHOT = 256,
	O_VIEW,
	O_PLUGIN,
	O_SIZE,
	O_COLOUR,
	O_KEYS,
	O_RANGE,
	O_DESCRIBE,
	O_SCRIPT,
	O_SOURCE_PATH,
	O_EDITOR,
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
	{ { "source-path", 1, NULL, O_SOURCE_PATH }, "DIRS",
	    "where sources are, if not where they were built" },
	{ { "editor", 1, NULL, O_EDITOR }, "COMMAND",
	    "opens a source; %f is its file, %l the line" },
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
	    "the window begins with it alone, or what a picture is of" },
	{ { "plugin", 1, NULL, O_PLUGIN }, "FILE.so",
	    "a view or metric of your own, up to 4; NAME=FILE.so,WORD too" },
	{ { "describe", 0, NULL, O_DESCRIBE }, "",
	    "print the same view in words and exit" },
	{ { "script", 1, NULL, O_SCRIPT }, "FILE", "run commands; - is stdin" },
	{ { "state-fd", 1, NULL, O_STATE_FD }, "N",
	    "write a line about every frame to descriptor N" },
	{ { "headless", 0, NULL, O_HEADLESS }, "", "no window, for scripts" },
	{ { "print", 1, NULL, O_PRINT }, "LIST",
	    "print keys, commands or views as the manual has them, or bindings" },
	{ { "help", 0, NULL, O_HELP }, "", "print this (-h)" },
	{ { "version", 0, NULL, O_VERSION }, "", "print the version" },
};

#define VALUE_BYTES 4095 /* of an option: a path is no longer */
#define NROWS       (sizeof(rows) / sizeof(rows[0]))

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
	puts("\nViews (and all: the whole window):");
	for (int i = 0; i < VIEWS && views[i].name[0] != '\0'; i++)
		printf("  %-22s %s\n", views[i].name, views[i].what);
}

_Noreturn static void
bad_value(const char *option, const char *value, const char *wanted)
{
	fatalx(EX_USAGE, "--%s %s: expected %s; see viewer --help", option,
	    value, wanted);
}

/* unix:PATH or tcp:HOST:PORT */
static bool
is_address(const char *s)
{
	const char *colon = strrchr(s, ':');
	uint64_t port;

	if (strncmp(s, "unix:", 5) == 0)
		return (s[5] == '/' && strlen(s + 5) < 108);
	return (strncmp(s, "tcp:", 4) == 0 && colon > s + 4 &&
		parse_number(colon + 1, &port) == 0 && port >= 1 &&
		port <= 65535);
}

/* What no option takes. */
static void
check_value(const char *option, int c)
{
	if (optarg[0] == '\0' && c != O_CONFIG)
		bad_value(option, "\"\"", "something");
	if (strlen(optarg) > VALUE_BYTES)
		fatalx(EX_USAGE,
		    "--%s: expected at most %d bytes; see "
		    "viewer --help",
		    option, VALUE_BYTES);
	if (!parse_text_ok(optarg))
		bad_value(option, optarg, "UTF-8 text");
	if (c == O_CONNECT && !is_address(optarg))
		bad_value(option, optarg, "unix:/PATH or tcp:HOST:PORT");
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
	case O_PLUGIN:
		if (o->plugins.n == PLUGINS_MAX)
			fatalx(EX_USAGE, "--plugin: at most %d of them",
			    PLUGINS_MAX);
		o->plugins.at[o->plugins.n++] = optarg;
		break;
	case O_DESCRIBE:
		o->describe = true;
		break;
	case O_SCRIPT:
		o->script = optarg;
		break;
	case O_SOURCE_PATH:
		o->source_path = optarg;
		break;
	case O_EDITOR:
		o->editor = optarg;
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
			    "keys, commands, views or bindings");
		exit(0);
	case 'h':
	case O_HELP:
		usage();
		exit(0);
	case O_VERSION:
		printf("viewer (Orrery) %s\n", ORRERY_VERSION);
		exit(0);
	}
}

void
options_parse(struct options *o, int argc, char **argv)
{
	struct option longs[NROWS + 1] = { 0 };
	int c;

	for (size_t i = 0; i < NROWS; i++)
		longs[i] = rows[i].option;
	opterr = 0; /* badopt() says it */
	while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		if (c == '?')
			exit(badopt("viewer", argv));
		for (size_t i = 0; optarg != NULL && i < NROWS; i++)
			if (rows[i].option.val == c && rows[i].option.has_arg)
				check_value(rows[i].option.name, c);
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
	if ((o->snapshot != NULL || o->describe) && o->script != NULL)
		fatalx(EX_USAGE,
		    "--script not with --snapshot or --describe: a script has "
		    "the commands snapshot and describe");
	if (o->file != NULL && o->connect != NULL)
		fatalx(EX_USAGE, "a FILE or --connect, not both");
	if (o->plugins.n == 0)
		options_view(o);
}

void
options_view(const struct options *o)
{
	if (strcmp(o->view, "all") != 0 &&
	    view_named(o->view, strlen(o->view)) == VIEWS)
		bad_value("view", o->view, "all or the name of a view");
}
