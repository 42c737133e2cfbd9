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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Bytes of the character at p, of which there are n > 0, and which it is; 0: it
 * is none of UTF-8.
 */
size_t plain_character(const unsigned char *p, size_t n, uint32_t *c);
/* A terminal only shows this character. */
bool plain_is_shown(uint32_t c);

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
