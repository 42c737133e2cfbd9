/* What the files of this room share; nobody else includes this. */
#ifndef SYMBOLS_INSIDE_H
#define SYMBOLS_INSIDE_H

#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>

#include <stdbool.h>

#include "symbols.h"

/* An ELF file that is open. */
struct object {
	int fd;
	Elf *elf;
	bool mapped;
};

/* A function of a symbol table; the name is borrowed from the file. */
struct entry {
	uint64_t start, end;
	const char *name;
	size_t bytes;  /* of the name; it need not end in a NUL */
	unsigned rank; /* of several at a place, the highest is it */
};

/* A stretch of addresses, and what has it. */
struct range {
	uint64_t start, end;
	Dwarf_Off of; /* index of a unit; place of a function */
};

/* A compilation unit; its functions are looked up when one is asked for. */
struct unit {
	Dwarf_Off at;
	bool read;
	struct range *functions;
	size_t nfunctions;
};

struct module {
	char *path, *build_id;
	uint64_t used;             /* when it was asked for last */
	const char *why;           /* NULL: it can be asked */
	struct object file, debug; /* debug: elf NULL, or a file of its own */
	Dwarf *dwarf;              /* NULL: there is no debug information */
	struct entry *entries;
	size_t nentries;
	struct range *ranges; /* of the units */
	size_t nranges;
	struct unit *units;
	size_t nunits;
	bool ranged; /* ranges have been looked for */
};

/* object.c */
/*
 * -1: it is no ELF file that can be read; object_close() copes with that.
 * mapped: it is not copied; but who looks into one that is cut meanwhile dies.
 */
int object_open(struct object *, const char *path, bool mapped);
void object_close(struct object *);
/* In hexadecimal; "" when there is none. */
#define OBJECT_ID_BYTES 129
void object_build_id(const struct object *, char id[OBJECT_ID_BYTES]);
bool object_has_section(const struct object *, const char *name);
/* The file with its debug information; -1: none that fits. */
int object_debug(const struct object *, const char *path, struct object *to);

/* table.c: its functions in order of their addresses.  -1: ENOMEM */
int table_read(struct module *);
const struct entry *table_find(const struct module *, uint64_t address);

/* lines.c: by debug information; 0: it does not say */
unsigned lines_find(struct module *, uint64_t address,
    struct symbols_level level[SYMBOLS_LEVELS]);

/* The name of a function, and a file as the compiler was told it; else as is.
 */
void lines_function(Dwarf_Die *, char to[SYMBOLS_TEXT_BYTES]);
void lines_file(Dwarf_Die *unit, const char *file, char to[SYMBOLS_TEXT_BYTES]);

/* module.c */
struct module *module_open(const char *path, const char *build_id, bool mapped);
void module_free(struct module *);

/*
 * names.c: a linker's name as people write it, without parameters.  n bytes,
 * which need not end in a NUL.
 */
void names_plain(const char *name, size_t n, char to[SYMBOLS_TEXT_BYTES]);

#endif
