/* What program*.c share; nobody else includes this. */
#ifndef SYMBOLS_PROGRAM_INSIDE_H
#define SYMBOLS_PROGRAM_INSIDE_H

#include "inside.h"
#include "program.h"

#define PROGRAM_MAX 200000u /* functions; types */
#define MEMBERS_MAX 10000u

/* What leads to a class: a member or base of a type, or a function. */
struct leads {
	enum {
		LEADS_MEMBER,
		LEADS_BASE,
		LEADS_FUNCTION
	} what;
	uint32_t from, number; /* type and its member or base; function */
	Dwarf_Off to;
};
struct named {
	Dwarf_Off where;
	const char *name; /* with its scopes */
};

/* A program while it is read. */
struct reading {
	struct program *p;
	struct module *m;
	Dwarf_Die unit;
	Dwarf_Off *where; /* of each function: its declaration's place */
	struct {          /* calls, by those places: made indices at the end */
		uint32_t from;
		Dwarf_Off to;
	} * calls;
	size_t ncalls;
	struct leads *leads; /* to classes, by places, too */
	size_t nleads;
	struct named *named; /* classes, and what only tells of one */
	size_t nnamed;
	bool full; /* of memory */
};

/* program_text.c: a copy, one of each text; "" when there is no memory */
const char *program_text(struct program *, const char *);
void program_texts_free(struct program *);
/* Room for one more of size bytes; NULL: ENOMEM. */
void *program_grow(void *array, size_t n, size_t size);

/* program_type.c: "const char *" of what a DIE's DW_AT_type says */
void program_type_name(Dwarf_Die *, char *to, size_t n);
void program_type_add(struct reading *, Dwarf_Die *, const char *name);
/* "ns::Outer::" of the scopes that a DIE is in, and its name */
void program_scoped_name(Dwarf_Die *, const char *scope, char *to, size_t n);
const char *program_file_of(struct reading *, Dwarf_Die *);

/*
 * program_leads.c: the class that a DIE's DW_AT_type is, has or leads to is
 * noted, and returned in *points if by a pointer; found when all are known.
 */
void program_leads_add(struct reading *, Dwarf_Die *, const struct leads *,
    bool *points);
void program_named_add(struct reading *, Dwarf_Die *, const char *name);
void program_leads_settle(struct reading *); /* before they are sorted */
/* Functions of classes by their names; when types are sorted. */
void program_leads_members(struct program *);

/* program_function.c */
void program_function_add(struct reading *, Dwarf_Die *);
/* Calls become indices. */
void program_calls_settle(struct reading *);

#endif
