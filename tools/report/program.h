/* What `monitorctl program` tells, and the ways to print it. */
#ifndef TOOLS_PROGRAM_H
#define TOOLS_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>

#include "log/tracefile.h"
#include "symbols/program.h"
#include "tools/doc/doc.h"

struct told_list {
	const char **text;
	size_t n;
};

/* A program; texts are the log's, or the command line's. */
struct told {
	const char *path, *build_id;
	const char *program; /* as it calls itself; NULL: not in a run */
	uint64_t processes;
	struct told_list commands, libraries;
	struct program *p; /* NULL: not known, and why */
	const char *why;
	uint64_t *calls; /* of its functions; NULL: not in a run */
};

struct tolds {
	struct told *told;
	size_t n;
	bool log;
	const struct defs *defs; /* if so: names, and how often entered */
	const uint64_t *entered;
};

void program_print(FILE *, const struct tolds *);
void program_doc(FILE *, const struct tolds *, enum doc_form);

#endif
