/*
 * The lines of a file, packed by gzip or not.  What is wrong with one is told
 * with its number.
 */
#ifndef TOOLS_IMPORT_LINES_H
#define TOOLS_IMPORT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef ORRERY_SMALL /* for fuzzing */
#define LINE_BYTES_MAX ((size_t)1 << 10)
#else
#define LINE_BYTES_MAX ((size_t)64 << 10)
#endif

struct lines;

/* Takes the descriptor.  NULL with errno set. */
struct lines *lines_open(int fd);
void lines_close(struct lines *); /* NULL is fine */

enum lines_got {
	LINES_END,
	LINES_LINE,
	LINES_BAD
};

/*
 * The next line without its end, with a NUL behind it; valid until the next
 * call.  LINES_BAD: *why (static text) says what was expected, and nothing
 * follows.
 */
enum lines_got lines_next(struct lines *, char **line, size_t *n,
    const char **why);
uint64_t lines_number(const struct lines *); /* of the last one, from 1 */
uint64_t lines_offset(const struct lines *); /* of its beginning, unpacked */
bool lines_packed(const struct lines *);
bool lines_cut(const struct lines *); /* the last one had no newline */
/* The first ones are read once more; only before 64 KB have been read. */
void lines_rewind(struct lines *);

#endif
