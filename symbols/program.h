/*
 * What a program is made of, as far as its debug information says: files,
 * functions with signature and lines, classes and structs with bases and
 * members, and who calls whom.  Without debug information: its functions, by
 * name and size.
 */
#ifndef SYMBOLS_PROGRAM_H
#define SYMBOLS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_NONE UINT32_MAX

/* Texts belong to the program and are never NULL. */
struct program_function {
	const char *name;      /* without parameters, with class */
	const char *signature; /* "int step(double x)" */
	const char *file;
	uint32_t first, last; /* lines; 0: not known */
	uint64_t address;     /* in the file; 0: only compiled into others */
	uint64_t bytes;
	bool visible;    /* to other files of the program */
	const char *of;  /* class that it is a member of, else that its first
			  * parameter is or leads to; "": none */
	uint32_t *calls; /* indices of functions, each once, rising */
	uint32_t ncalls;
};

struct program_member {
	const char *name, *type, *access; /* "public", ... */
	int64_t at_bytes;     /* from the start; -1: static, or not known */
	uint64_t bytes, bits; /* bits 0: it is no bit field */
	uint8_t first_bit;    /* of a bit field, in that byte */
	bool points;
	const char *of; /* class that it is, has or points to; "": none */
};

struct program_base {
	const char *name;
	int64_t at_bytes; /* -1: not known, as of a virtual one */
	uint64_t bytes;
};

struct program_type {
	const char *kind; /* "struct", "class", "union" */
	const char *name, *file;
	uint32_t line;
	uint64_t bytes;
	struct program_base *bases;
	uint32_t nbases;
	struct program_member *members;
	uint32_t nmembers;
	uint32_t methods; /* member functions that it declares */
};

struct program_file {
	const char *name;
	uint32_t functions, types; /* that are in it */
	uint32_t lines;            /* the last one that is known */
};

struct program {
	char build_id[129];
	bool debug;                         /* there is debug information */
	struct program_file *files;         /* by name */
	struct program_function *functions; /* by file, line, name */
	struct program_type *types;         /* by name */
	const char **libraries;             /* that it is linked with */
	size_t nfiles, nfunctions, ntypes, nlibraries;
	uint64_t left_out; /* functions and types beyond the limits */
	void *texts;       /* private */
};

/*
 * Bytes of it that nothing is in: holes, and what is left at the end.  -1: not
 * known; a union has none.
 */
int64_t program_type_unused(const struct program_type *);
/*
 * The class of that name, which several may have: then the one of that file if
 * there is one.  NULL: none.
 */
const struct program_type *program_type_find(const struct program *,
    const char *name, const char *file);

/*
 * Reads a file.  build_id as for symbols_find().  NULL: *why says in words what
 * is wrong (static text).  Takes some ms for each MB of debug information.
 */
struct program *program_read(const char *path, const char *build_id,
    const char **why);
void program_free(struct program *); /* NULL is fine */

#endif
