/*
 * The commands of monitorctl, and what they share.
 */
#include "monitorctl.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "badopt.h"
#include "log.h"
#include "tools/logs/argument.h"

static const struct command {
	const char *name, *arguments, *what;
	command_run *run;
} commands[] = {
	{ "status", "[--watch[=SECONDS]] [--yaml | --json]",
	    "nodes, rates, lag, loss and clock errors of the run", status_run },
	{ "who", "[--node NODE] [--yaml | --json] [PO[.THREAD]]",
	    "ask the collectors of this machine for processes and threads",
	    who_run },
	{ "run",
	    "[--plain] [--memory LEVEL] [--locks LEVEL] [--python]\n"
	    "           [--node NODE] [--full discard|wait[:MS]] [--shutdown]\n"
	    "           [--map FILE] [--with-input] COMMAND [ARGUMENT ...]",
	    "run a program so that it finds the collector of a node", run_run },
	{ "measure",
	    "[--pairs N] [--node NODE] [--plain] [--json] COMMAND [ARGUMENT ...]",
	    "what it costs a program to be watched: runs with and without",
	    measure_run },
	{ "probe",
	    "[+CLASS | -CLASS | +PATTERN | -PATTERN ...] [--program PATTERN]\n"
	    "           [--node PATTERN] [--thread PATTERN] [--later] [--for SECONDS] [--reset]\n"
	    "           [--yaml | --json]",
	    "what is recorded now and where; with rules, from now on: classes\n"
	    "\tof events, and functions, locks, phases and counters by name",
	    probe_run },
	{ "shutdown", "",
	    "end the run: everything is flushed, the receipt is printed",
	    shutdown_run },
	{ "dump",
	    "[--from S] [--to S] [--node NODE] [--po N] [--thread N]\n"
	    "           [--kind NAME,...] [--names] [--utc | --raw] FILE",
	    "print the events of a log, one a line", dump_run },
	{ "report", "[--yaml | --json] FILE",
	    "tasks, messages, objects, functions, locks, remote calls, memory,\n"
	    "\tstates and totals of a log",
	    report_run },
	{ "program", "[--yaml | --json] FILE",
	    "files, functions, classes, calls and libraries of a program, or of\n"
	    "\tthose of a log, with functions that were never called",
	    program_run },
	{ "export",
	    "[--format FORMAT] [--from S] [--to S] [--node NODE] [--po N]\n"
	    "           [--thread N] [--kind NAME,...] [-o OUT] FILE",
	    "write a log in a format that other programs read", export_run },
	{ "import",
	    "[--format FORMAT] [--records FILE] [--unit UNIT] [--keep]\n"
	    "           -o LOG FILE",
	    "make a log of a trace of others: PICL, VISTA, or by a table of yours",
	    import_run },
	{ "query",
	    "[--csv | --json] [--timeout S] FILE SQL\n"
	    "           [--file SQLFILE]",
	    "ask a log in SQL; --help lists the tables", query_run },
	{ "check", "[--unfinished] [--quiet] [--yaml | --json] FILE",
	    "validate a log: order, causes, sequences, receipt", check_run },
	{ "before", "FILE EVENT EVENT",
	    "does one event happen before another, after it, or neither; with\n"
	    "\tthe messages and the like that prove it.  EVENT is NODE/PO.THREAD\n"
	    "\tand :SEQ (monitorctl dump --names) or @SECONDS (the last until then)",
	    before_run },
	{ "past", "[--tsv] FILE EVENT",
	    "of each thread the last event that happens before this one",
	    past_run },
	{ "future", "[--tsv] FILE EVENT",
	    "of each thread the first event that this one happens before",
	    future_run },
	{ "refit", "[-o OUT] [--pings-only] FILE",
	    "fit the clocks of a log again, now that its future is known",
	    refit_run },
};
#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct command *
command_find(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return (&commands[i]);
	return (NULL);
}

int
usage_of(const char *command, bool asked)
{
	const struct command *c = command_find(command);
	FILE *to = asked ? stdout : stderr;

	fprintf(to, "usage: monitorctl %s %s\n", c->name, c->arguments);
	if (asked)
		fprintf(to, "%s\n", c->what);
	else
		fprintf(to, "monitorctl(1) says more\n");
	return (asked ? EX_OK : EX_USAGE);
}

int
option_of(const char *command, int c, char **argv)
{
	char whole[64];

	if (c == 'h')
		return (usage_of(command, true));
	snprintf(whole, sizeof(whole), "monitorctl %s", command);
	return (badopt(whole, argv));
}

const char *
file_of(const char *command, int argc, char **argv, enum doc_form *form,
    int *code)
{
	static const struct option options[] = {
		{ "yaml", no_argument, NULL, 'y' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int c;

	*form = DOC_NONE;
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 'y':
			*form = DOC_YAML;
			break;
		case 'j':
			*form = DOC_JSON;
			break;
		default:
			*code = option_of(command, c, argv);
			return (NULL);
		}
	if (argc - optind == 1)
		return (argv[optind]);
	*code = usage_of(command, false);
	return (NULL);
}

static void
help(void)
{
	puts("usage: monitorctl [--dir DIR] [--socket PATH] COMMAND ...\n"
	     "\n"
	     "  --dir DIR      runtime directory ($ORRERY_DIR)\n"
	     "  --socket PATH  monitord's socket (DIR/monitord.sock)\n"
	     "  -h, --help     this; also after a command\n"
	     "  --version      the version\n");
	for (size_t i = 0; i < NCOMMANDS; i++)
		printf("  %s %s\n\t%s\n", commands[i].name,
		    commands[i].arguments, commands[i].what);
}

int
monitorctl_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "dir", required_argument, NULL, 'd' },
		{ "socket", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ 0 },
	};
	struct globals g = { 0 };
	const struct command *command;
	int c;

	log_init("monitorctl", 0);
	opterr = 0; /* badopt() says it */
	while ((c = getopt_long(argc, argv, "+h", options, NULL)) != -1)
		switch (c) {
		case 'd':
			if (text_arg("--dir", optarg) == -1)
				return (EX_USAGE);
			if (access(optarg, X_OK) == -1) {
				log_warn("--dir %s", optarg);
				return (EX_UNAVAILABLE);
			}
			setenv("ORRERY_DIR", optarg, 1);
			break;
		case 's':
			if (text_arg("--socket", optarg) == -1)
				return (EX_USAGE);
			g.socket = optarg;
			break;
		case 'h':
			help();
			return (EX_OK);
		case 'V':
			puts("monitorctl " ORRERY_VERSION);
			return (EX_OK);
		default:
			return (badopt("monitorctl", argv));
		}
	if (optind == argc) {
		log_warnx("no command given; try monitorctl --help");
		return (EX_USAGE);
	}
	if ((command = command_find(argv[optind])) == NULL) {
		log_warnx("no command %s; try monitorctl --help", argv[optind]);
		return (EX_USAGE);
	}
	argc -= optind;
	argv += optind;
	optind = 0; /* starts getopt anew */
	c = command->run(&g, argc, argv);
	if (fflush(stdout) == EOF && c == EX_OK) {
		log_warn("cannot write");
		return (EX_IOERR);
	}
	return (c);
}

bool
colours(void)
{
	const char *no = getenv("NO_COLOR");

	return (isatty(STDOUT_FILENO) && (no == NULL || *no == '\0'));
}
