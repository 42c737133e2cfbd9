/*
 * Places in the code of a PO, and the names that they have.
 *
 * Programs tell addresses.  A place is the address as its file has it, so it is
 * the same in every process that runs the file; it gets a name of the PO, from
 * NAME_PLACES on, whose text is "libm.so.6+0x1139".  What is there (function,
 * file, line) is found out by somebody else, in his own time, and told as a
 * symbol of that name: nothing waits for it.
 *
 * Whoever has an address of code that it wants to be shown by name (of a
 * function, of a sample, of the stack of an allocation) asks places_name() for
 * its name, and that is all.  A return address is asked for less one: the call
 * is before it.
 */
#ifndef COLLECTOR_PLACES_H
#define COLLECTOR_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "message.h"

#define PLACES_MAX 65536u /* of a PO; further ones have no name, and count */

struct places;

/* The first name that it gives is first + 1.  NULL: ENOMEM. */
struct places *places_new(uint32_t pid, uint32_t first);
void places_free(struct places *); /* NULL is fine */

/*
 * What is mapped there now, one by one; texts are copied.  Returns 1: it was
 * not known, 0, or -1: ENOMEM.  Names that places have already stay.
 */
int places_module(struct places *, const struct msg_module *);

/* Is there code that is known? */
bool places_known(const struct places *, uint64_t address);
/*
 * The name of an address; made if it has none, and then it is the next one that
 * places_fresh() tells of.  0: it can have none (ENOMEM, too many, address 0).
 * Some nanoseconds when it has one.
 */
uint32_t places_name(struct places *, uint64_t address);
/*
 * From here a function is called: it is found out like the others, but has no
 * address for places_address(), and there are only as many as leave half of all
 * names to functions.
 */
void places_site(struct places *, uint64_t address);
/* Addresses that could have no name since there are too many. */
uint64_t places_beyond(const struct places *);

/* The address that has this name; 0: none has. */
uint64_t places_address(const struct places *, uint32_t name);

/*
 * The next name that is not told of yet, and its text, which is valid until
 * the next call.  0: there is none.
 */
uint32_t places_fresh(struct places *, const char **text);

/* What was told last has not been heard. */
void places_again(struct places *);

/*
 * The next place to be found out about, of those whose module is known.
 * false: none now.  Borrowed texts.
 */
bool places_ask(struct places *, struct msg_resolve *);
/* There are places in no module that is known: a look at the process may help.
 */
bool places_stray(const struct places *);
/* A look has been taken. */
void places_looked(struct places *);

#endif
