/*
 * monitorctl: what asks, steers and reads.  A command is a file, a row in the
 * table of monitorctl.c, and a function of this form.
 */
#ifndef TOOLS_MONITORCTL_H
#define TOOLS_MONITORCTL_H

#include <stdbool.h>
#include <stdint.h>

#include "tracefile.h"

/* What was said before the command. */
struct globals {
	const char *socket; /* monitord's; NULL: where paths.h says */
};

/* argv[0] is the command.  Returns an exit code of sysexits.h. */
typedef int command_run(const struct globals *, int argc, char **argv);
command_run status_run, who_run, run_run, shutdown_run, dump_run, report_run,
    check_run, before_run, past_run, future_run, refit_run, export_run,
    import_run, query_run, program_run, measure_run;

int monitorctl_main(int argc, char **argv);

/*
 * For the commands' options: prints the command's usage line, to stdout and
 * returns 0 when help was asked for, else to stderr and returns EX_USAGE.
 */
int usage_of(const char *command, bool asked);

/* monitord's status, all pieces of it, as YAML; -1 with a->code set. */
struct ask;
int status_ask(struct ask *, struct buf *, int *code);

/*
 * For what getopt_long returns and the command does not know: help, or else a
 * sentence about the option, which is unknown or lacks its value.
 */
int option_of(const char *command, int c, char **argv);

/*
 * The only argument that is left, a log, opened; NULL with *code set, having
 * said why.
 */
struct tracefile *log_open(const char *path, int *code);
/* All that the log defines; NULL (ENOMEM), having said so. */
struct defs *log_defs(struct tracefile *);

/* A number of seconds, also negative, as ns; -1 if it is none. */
int seconds_arg(const char *, int64_t *ns);
/* An unsigned number; -1 if it is none or more than max. */
int number_arg(const char *, uint64_t max, uint64_t *);

/* A name or path that an option gives; -1, having said so, if it is none. */
int text_arg(const char *option, const char *value);

/* May stdout have colours?  (A terminal, and no $NO_COLOR.) */
bool colours(void);

#endif
