/* A program on several nodes, by a table (map.h). */
#ifndef TOOLS_RUN_MAPPED_H
#define TOOLS_RUN_MAPPED_H

/*
 * Starts all instances, each by a `monitorctl run` of its own with these
 * options (NULL at their end), here or through a command; hands on what they
 * print, each line behind [NODE RANK]; ends them when it is told to end.
 * Returns the exit code of the first, by rank, that has failed, else 0.
 */
int mapped_run(const char *file, char *const *options, char *const *program);

#endif
