/*
 * Text of others as it may be shown: names of programs, threads, nodes and
 * functions come from programs, files and the network, and a terminal obeys
 * what is in them.
 *
 * Control characters, those of the upper half and those that turn the
 * direction of writing included, and what is not UTF-8 become \xNN; a newline
 * too, since a second line would look like one of ours.
 */
#ifndef PROTO_PLAIN_H
#define PROTO_PLAIN_H

#include <stddef.h>
#include <stdio.h>

/* The most that n bytes can become, with the NUL at the end. */
#define PLAIN_BYTES(n) (4 * (size_t)(n) + 1)

/*
 * Writes as much as there is room for, with a NUL.  Returns the length of what
 * it wrote.
 */
size_t plain(char *to, size_t room, const void *text, size_t n);
/* Prints text of several lines: newlines are left, the rest is as above. */
void plain_print(FILE *, const void *text, size_t n);

#endif
