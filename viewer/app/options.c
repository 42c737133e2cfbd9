/*
 * The options of viewer: one table gives getopt_long its names and --help its
 * lines, and says where in struct options a value goes.
 */
#include "app/options.h"

#include <getopt.h>
#include <stddef.h>
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

static void
take_connect(struct options *o, const char *value)
{
	if (!is_address(value))
		bad_value("connect", value, "unix:/PATH or tcp:HOST:PORT");
	o->connect = value;
}

static void
take_size(struct options *o, const char *value)
{
	if (parse_size(value, &o->width, &o->height) == -1)
		bad_value("size", value, "WxH, as in 1600x1000");
	o->sized = true;
}

static void
take_memory(struct options *o, const char *value)
{
	if (parse_memory(value, &o->memory) == -1)
		bad_value("memory", value,
		    "a size from 32M on, as in 2G or 500M, or a share "
		    "of what there is, as in 30%");
}

static void
take_scale(struct options *o, const char *value)
{
	if (parse_scale(value, &o->scale_q) == -1)
		bad_value("scale", value,
		    "a number from 1 to 8, as in 1.25 or 2");
}

static void
take_plugin(struct options *o, const char *value)
{
	if (o->plugins.n == PLUGINS_MAX)
		fatalx(EX_USAGE, "--plugin: at most %d of them", PLUGINS_MAX);
	o->plugins.at[o->plugins.n++] = value;
}

static void
take_state_fd(struct options *o, const char *value)
{
	uint64_t v;

	if (parse_number(value, &v) == -1 || v > 1023)
		bad_value("state-fd", value, "a descriptor's number");
	o->state_fd = (int)v;
}

static void
print_list(struct options *o, const char *value)
{
	(void)o;
	if (manual_print(value) == -1)
		bad_value("print", value, "keys, commands, views or bindings");
	exit(0);
}

static void print_usage(struct options *, const char *);

static void
print_version(struct options *o, const char *value)
{
	(void)o;
	(void)value;
	printf("viewer (Orrery) %s\n", ORRERY_VERSION);
	exit(0);
}

/* What an option takes, and where that goes. */
#define TEXT(m)     TAKES_TEXT, offsetof(struct options, m), NULL
#define ANY_TEXT(m) TAKES_ANY, offsetof(struct options, m), NULL
#define FLAG(m)     TAKES_NOTHING, offsetof(struct options, m), NULL
#define DOES(f)     TAKES_TEXT, 0, f

struct row {
	const char *name, *argument, *what; /* argument "": it has none */
	enum {
		TAKES_NOTHING,
		TAKES_TEXT,
		TAKES_ANY /* also "" */
	} takes;
	size_t at; /* of the member that it sets, unless there is: */
	void (*take)(struct options *, const char *value);
};

static const struct row rows[] = {
	{ "connect", "ADDRESS",
	    "monitord's address (unix:PATH or tcp:HOST:PORT)",
	    DOES(take_connect) },
	{ "display", "NAME", "X display", TEXT(display) },
	{ "size", "WxH", "size of window or picture", DOES(take_size) },
	{ "memory", "SIZE", "most that a run may take, as in 2G, 500M or 30%",
	    DOES(take_memory) },
	{ "light", "", "dark on light", FLAG(light) },
	{ "scale", "N",
	    "dots a pixel, 1 to 8, as in 1.25; Xft.dpi / 96 if not given",
	    DOES(take_scale) },
	{ "source-path", "DIRS",
	    "where sources are, if not where they were built",
	    TEXT(source_path) },
	{ "editor", "COMMAND", "opens a source; %f is its file, %l the line",
	    TEXT(editor) },
	{ "config", "FILE", "where the layout is remembered; \"\" for nowhere",
	    ANY_TEXT(config) },
	{ "no-cache", "",
	    "keep nothing of a run for the next time, and use nothing",
	    FLAG(nocache) },
	{ "index", "",
	    "read each FILE now, so that it opens at once later; no window",
	    FLAG(index) },
	{ "background", "",
	    "with --index: while nothing else is to be done, and silently",
	    FLAG(background) },
	{ "noshm", "", "no shared memory with the server", FLAG(noshm) },
	{ "remote", "", "few bytes to the server, as through a network",
	    FLAG(remote) },
	{ "keys", "NAME", "what the mouse does: orrery, tracy", TEXT(keys) },
	{ "colour", "NAME", "of the tree: pe, time, pe-time, procedure, state",
	    TEXT(colour) },
	{ "range", "A:B", "time shown, as in 1.2s:350ms", TEXT(range) },
	{ "snapshot", "OUT.png",
	    "write a picture of FILE (or OUT.svg) and exit; no X server",
	    TEXT(snapshot) },
	{ "view", "NAME",
	    "the window begins with it alone, or what a picture is of",
	    TEXT(view) },
	{ "plugin", "FILE.so",
	    "a view or metric of your own, up to 4; NAME=FILE.so,WORD too",
	    DOES(take_plugin) },
	{ "describe", "", "print the same view in words and exit",
	    FLAG(describe) },
	{ "script", "FILE", "run commands; - is stdin", TEXT(script) },
	{ "state-fd", "N", "write a line about every frame to descriptor N",
	    DOES(take_state_fd) },
	{ "headless", "", "no window, for scripts", FLAG(headless) },
	{ "print", "LIST",
	    "print keys, commands or views as the manual has them, or bindings",
	    DOES(print_list) },
	{ "help", "", "print this (-h)", DOES(print_usage) },
	{ "version", "", "print the version", DOES(print_version) },
};

#define VALUE_BYTES 4095 /* of an option: a path is no longer */
#define ROW         256  /* what getopt_long returns for the first */
#define NROWS       (sizeof(rows) / sizeof(rows[0]))

static void
print_usage(struct options *o, const char *value)
{
	(void)o;
	(void)value;
	printf("usage: viewer [options] [FILE [OTHER]]\n"
	       "       viewer --index FILE...\n\n"
	       "Shows a run: FILE, or live from monitord; and OTHER beside "
	       "it.\n\n");
	for (size_t i = 0; i < NROWS; i++) {
		char left[40];

		snprintf(left, sizeof(left), "--%s %s", rows[i].name,
		    rows[i].argument);
		printf("  %-22s %s\n", left, rows[i].what);
	}
	puts("\nViews (and all: the whole window):");
	for (int i = 0; i < VIEWS && views[i].name[0] != '\0'; i++)
		printf("  %-22s %s\n", views[i].name, views[i].what);
	exit(0);
}

static void
take_option(struct options *o, const struct row *r, const char *value)
{
	char *at = (char *)o + r->at;

	if (r->argument[0] != '\0') {
		if (value[0] == '\0' && r->takes != TAKES_ANY)
			bad_value(r->name, "\"\"", "something");
		if (strlen(value) > VALUE_BYTES)
			fatalx(EX_USAGE,
			    "--%s: expected at most %d bytes; see "
			    "viewer --help",
			    r->name, VALUE_BYTES);
		if (!parse_text_ok(value))
			bad_value(r->name, value, "UTF-8 text");
	}
	if (r->take != NULL)
		r->take(o, value);
	else if (r->takes == TAKES_NOTHING)
		*(bool *)at = true;
	else
		*(const char **)(void *)at = value;
}

/* What does not go together. */
static void
check_together(const struct options *o)
{
	if (o->index && o->nfiles == 0)
		fatalx(EX_USAGE, "--index wants a FILE; see viewer --help");
	if (o->background && !o->index)
		fatalx(EX_USAGE,
		    "--background is for --index; see viewer --help");
	if (o->nfiles > 2 && !o->index)
		fatalx(EX_USAGE, "two files at most; see viewer --help");
	if ((o->snapshot != NULL || o->describe) && o->file == NULL)
		fatalx(EX_USAGE, "--snapshot and --describe want a FILE");
	if ((o->snapshot != NULL || o->describe) && o->script != NULL)
		fatalx(EX_USAGE,
		    "--script not with --snapshot or --describe: a script has "
		    "the commands snapshot and describe");
	if (o->file != NULL && o->connect != NULL)
		fatalx(EX_USAGE, "a FILE or --connect, not both");
}

void
options_parse(struct options *o, int argc, char **argv)
{
	struct option longs[NROWS + 1] = { 0 };
	int c;

	for (size_t i = 0; i < NROWS; i++)
		longs[i] = (struct option){ rows[i].name,
			rows[i].argument[0] != '\0', NULL, ROW + (int)i };
	opterr = 0; /* badopt() says it */
	while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		if (c == '?')
			exit(badopt("viewer", argv));
		if (c == 'h')
			print_usage(o, NULL);
		take_option(o, &rows[c - ROW], optarg);
	}
	o->files = argv + optind;
	o->nfiles = argc - optind;
	o->file = argv[optind];
	o->other = o->file != NULL ? argv[optind + 1] : NULL;
	check_together(o);
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
