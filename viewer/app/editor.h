/* An editor, as a program of its own. */
#ifndef VIEWER_EDITOR_H
#define VIEWER_EDITOR_H

#include <stddef.h>
#include <stdint.h>

/*
 * Opens a file, whose path begins with '/', at a line.  command: a program and
 * its words, with spaces between them, in which %f is the path and %l the line;
 * without %f "+LINE PATH" follows.  NULL: $VISUAL or $EDITOR in a terminal.
 * No shell has part in it.  -1: why not.
 */
int editor_open(const char *command, const char *path, uint32_t line, char *why,
    size_t n);

#endif
