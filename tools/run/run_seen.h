/*
 * What the collector of a node has seen of a command: asked before it begins
 * and after it has ended.
 */
#ifndef TOOLS_RUN_SEEN_H
#define TOOLS_RUN_SEEN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct run_before {
	const char *node, *socket; /* monitord's, as --socket has it */
	uint32_t last_po;          /* what is behind it came later */
};

/* -1: the node's collector cannot be asked. */
int run_seen_before(struct run_before *);

/*
 * One line on stderr: what came to the collector of this process, and of those
 * that came meanwhile; or why nothing did.  file is the program's.
 */
void run_seen_after(const struct run_before *, pid_t pid, const char *file);

/* Where execvp(3) finds it; the name itself if it is a path. */
void run_program_path(const char *name, char *path, size_t n);

#endif
