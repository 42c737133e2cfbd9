/*
 * What is at an address of a file with code: the function, the functions that
 * it has been compiled into, source files and lines.
 *
 * For who may take his time: the first question about a file with much debug
 * information takes some 100 ms, further ones some 10 us.  Never in a program
 * that is watched, and not in a collector's loop: what a program tells of goes
 * through collector/sweep/code/places.h, which has all of this done by a
 * helper.
 *
 * Debug information is looked for in the file, then by its build id and by its
 * .gnu_debuglink where Debian has it; what does not fit is not believed.
 * Without any, the symbol tables tell the function, and nobody the line.
 */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#define SYMBOLS_LEVELS     16u   /* more have been compiled into one: cut */
#define SYMBOLS_TEXT_BYTES 1024u /* longer names are cut */

struct symbols;

/* One function, at a place or called from there. */
struct symbols_level {
	char function[SYMBOLS_TEXT_BYTES]; /* without parameters */
	char file[SYMBOLS_TEXT_BYTES];     /* "": not known */
	uint32_t line;  /* of the place; of the call of the level before; where
			   a function begins, of its name.  0: not known */
	uint32_t first; /* of the function's name; 0: not known */
};

struct symbols *symbols_new(void); /* NULL: ENOMEM */
void symbols_free(struct symbols *);

/*
 * What is at this address, as the file has it (see MSG_module).  build_id in
 * hexadecimal, "" for whatever is there now.  Of the caller of a return
 * address, ask for the address less one.  Returns the number of levels, 0 is
 * the function itself; 0: not known, *why says it in words (static text).
 */
unsigned symbols_find(struct symbols *, const char *path, const char *build_id,
    uint64_t address, struct symbols_level level[SYMBOLS_LEVELS],
    const char **why);

#endif
