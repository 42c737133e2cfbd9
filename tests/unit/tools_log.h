/*
 * For the tests of monitorctl: a log on disk, a command run on it, and what
 * it has printed.
 */
#ifndef TESTS_TOOLS_LOG_H
#define TESTS_TOOLS_LOG_H

#include <fcntl.h>
#include <unistd.h>

#include "tests/unit/make_log.h"
#include "tools/monitorctl.h"

#define OUTPUT_BYTES 65536

/* Writes the log to a file of its own, whose name goes to path. */
static inline void
tools_log_write(const struct make_log *l, char path[32])
{
	int fd;

	strcpy(path, "/tmp/tools-test.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd != -1);
	assert_int_equal(write(fd, l->out.p, l->out.n), (ssize_t)l->out.n);
	close(fd);
}

/* Runs a command with these words, NULL last; returns its code. */
static inline int
tools_run_words(command_run *run, char *const words[], char out[OUTPUT_BYTES])
{
	struct globals g = { 0 };
	char printed[32] = "/tmp/tools-test.XXXXXX";
	char *argv[8] = { NULL };
	int argc = 0, fd, keep, code;
	ssize_t n;

	while (words[argc] != NULL && argc < 7) {
		argv[argc] = words[argc];
		argc++;
	}
	fd = mkstemp(printed);
	assert_true(fd != -1);
	fflush(stdout);
	keep = dup(STDOUT_FILENO);
	dup2(fd, STDOUT_FILENO);
	optind = 0;
	code = run(&g, argc, argv);
	fflush(stdout);
	dup2(keep, STDOUT_FILENO);
	close(keep);
	n = pread(fd, out, OUTPUT_BYTES - 1, 0);
	out[n < 0 ? 0 : n] = '\0';
	close(fd);
	unlink(printed);
	return (code);
}

/* ... with one file and at most one option. */
static inline int
tools_run(command_run *run, const char *name, const char *option,
    const char *path, char out[OUTPUT_BYTES])
{
	char *words[4] = { (char *)name };
	int n = 1;

	if (option != NULL)
		words[n++] = (char *)option;
	words[n] = (char *)path;
	return (tools_run_words(run, words, out));
}

#endif
