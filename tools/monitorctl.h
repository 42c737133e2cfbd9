/*
 * monitorctl: what asks, steers and reads.  A command is a file, a row in the
 * table of monitorctl.c, and a function of this form.
 */
#ifndef TOOLS_MONITORCTL_H
#define TOOLS_MONITORCTL_H

#include <stdbool.h>

#include "tools/doc/doc.h"

/* What was said before the command. */
struct globals {
	const char *socket; /* monitord's; NULL: where paths.h says */
};

/* argv[0] is the command.  Returns an exit code of sysexits.h. */
typedef int command_run(const struct globals *, int argc, char **argv);
command_run status_run, who_run, run_run, shutdown_run, dump_run, report_run,
    check_run, before_run, past_run, future_run, refit_run, export_run,
    import_run, query_run, program_run, measure_run, probe_run;

int monitorctl_main(int argc, char **argv);

/*
 * For the commands' options: prints the command's usage line, to stdout and
 * returns 0 when help was asked for, else to stderr and returns EX_USAGE.
 */
int usage_of(const char *command, bool asked);

/*
 * For what getopt_long returns and the command does not know: help, or else a
 * sentence about the option, which is unknown or lacks its value.
 */
int option_of(const char *command, int c, char **argv);

/*
 * The options of a command that has --yaml, --json and a file, and nothing
 * else: the file; NULL: it is over, with *code.
 */
const char *file_of(const char *command, int argc, char **argv, enum doc_form *,
    int *code);

/* May stdout have colours?  (A terminal, and no $NO_COLOR.) */
bool colours(void);

#endif
