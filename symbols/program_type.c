/*
 * Types of a program: how they are written, and what classes and structs have
 * in them.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program_inside.h"

#define DEPTH_MAX 32 /* a pointer to a pointer to... */

static const struct {
	int tag;
	const char *before, *after;
} parts[] = {
	{ DW_TAG_pointer_type, "", " *" },
	{ DW_TAG_reference_type, "", " &" },
	{ DW_TAG_rvalue_reference_type, "", " &&" },
	{ DW_TAG_const_type, "const ", "" },
	{ DW_TAG_volatile_type, "volatile ", "" },
	{ DW_TAG_restrict_type, "", "" },
	{ DW_TAG_atomic_type, "_Atomic ", "" },
	{ DW_TAG_array_type, "", "[]" },
	{ DW_TAG_structure_type, "struct ", "" },
	{ DW_TAG_union_type, "union ", "" },
	{ DW_TAG_enumeration_type, "enum ", "" },
	{ DW_TAG_subroutine_type, "", " ()" },
};

static bool
is_cxx(Dwarf_Die *die)
{
	Dwarf_Die unit;
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (dwarf_diecu(die, &unit, NULL, NULL) == NULL ||
	    dwarf_attr(&unit, DW_AT_language, &attr) == NULL ||
	    dwarf_formudata(&attr, &v) != 0)
		return (false);
	return (v != DW_LANG_C89 && v != DW_LANG_C && v != DW_LANG_C99 &&
		v != DW_LANG_C11);
}

static void
add(char *to, size_t n, const char *s)
{
	size_t at = strlen(to);

	if (at + 1 < n)
		snprintf(to + at, n - at, "%s", s);
}

static void
name_at(Dwarf_Die *die, char *to, size_t n, int depth)
{
	const char *name = dwarf_diename(die), *before = "", *after = "";
	int tag = dwarf_tag(die);
	Dwarf_Attribute attr;
	Dwarf_Die of;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].tag == tag) {
			before = parts[i].before;
			after = parts[i].after;
		}
	if (name != NULL) {
		if (!is_cxx(die))
			add(to, n, before);
		add(to, n, name);
		return;
	}
	if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	    tag == DW_TAG_enumeration_type || tag == DW_TAG_class_type) {
		add(to, n, before);
		add(to, n, "{...}");
		return;
	}
	add(to, n, before);
	if (depth < DEPTH_MAX &&
	    dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr),
		&of) != NULL)
		name_at(&of, to, n, depth + 1);
	else
		add(to, n, "void");
	/* "char **", not "char * *" */
	if (*after == ' ' && *to != '\0' && to[strlen(to) - 1] == '*')
		after++;
	add(to, n, after);
}

void
program_type_name(Dwarf_Die *die, char *to, size_t n)
{
	Dwarf_Attribute attr;
	Dwarf_Die of;

	*to = '\0';
	if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr),
		&of) != NULL)
		name_at(&of, to, n, 0);
	else
		add(to, n, "void");
}

void
program_scoped_name(Dwarf_Die *die, const char *scope, char *to, size_t n)
{
	const char *name = dwarf_diename(die);

	snprintf(to, n, "%s%s", scope, name == NULL ? "" : name);
}

const char *
program_file_of(struct reading *r, Dwarf_Die *die)
{
	struct symbols_level l = { .file = "" };

	lines_file(&r->unit, dwarf_decl_file(die), l.file);
	return (program_text(r->p, l.file));
}

static const char *
access_of(Dwarf_Die *die, bool is_class)
{
	Dwarf_Attribute attr;
	Dwarf_Word v = is_class ? DW_ACCESS_private : DW_ACCESS_public;

	if (dwarf_attr(die, DW_AT_accessibility, &attr) != NULL)
		(void)dwarf_formudata(&attr, &v);
	return (v == DW_ACCESS_public      ? "public"
		: v == DW_ACCESS_protected ? "protected"
					   : "private");
}

static int64_t
offset_of(Dwarf_Die *die, uint8_t *bit)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	*bit = 0;
	if (dwarf_attr(die, DW_AT_data_member_location, &attr) != NULL &&
	    dwarf_formudata(&attr, &v) == 0)
		return ((int64_t)v);
	if (dwarf_attr(die, DW_AT_data_bit_offset, &attr) != NULL &&
	    dwarf_formudata(&attr, &v) == 0) {
		*bit = (uint8_t)(v % 8);
		return ((int64_t)(v / 8));
	}
	return (-1);
}

static void
add_member(struct reading *r, struct program_type *t, Dwarf_Die *die,
    bool is_class)
{
	char type[SYMBOLS_TEXT_BYTES];
	struct program_member *more;
	Dwarf_Attribute attr;
	Dwarf_Die of;
	Dwarf_Word size;
	int bits;

	uint32_t at = t->nmembers;

	if (t->nmembers >= MEMBERS_MAX)
		return;
	more = program_grow(t->members, t->nmembers, sizeof(*more));
	if (more == NULL)
		return;
	t->members = more;
	more = &t->members[t->nmembers++];
	program_type_name(die, type, sizeof(type));
	*more = (struct program_member){
		.name = program_text(r->p, dwarf_diename(die)),
		.type = program_text(r->p, type),
		.access = access_of(die, is_class),
		.at_bytes = -1,
		.of = "",
	};
	if (dwarf_tag(die) == DW_TAG_member)
		more->at_bytes = offset_of(die, &more->first_bit);
	program_leads_add(r, die,
	    &(struct leads){ LEADS_MEMBER, (uint32_t)r->p->ntypes - 1, at, 0 },
	    &more->points);
	if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr),
		&of) != NULL &&
	    dwarf_aggregate_size(&of, &size) == 0)
		more->bytes = size;
	bits = dwarf_bitsize(die);
	more->bits = bits > 0 ? (uint64_t)bits : 0;
}

static void
add_base(struct reading *r, struct program_type *t, Dwarf_Die *die)
{
	char type[SYMBOLS_TEXT_BYTES];
	struct program_base *more;
	Dwarf_Attribute attr;
	Dwarf_Word size = 0;
	Dwarf_Die of;
	uint8_t bit;
	bool points;

	if (t->nbases >= MEMBERS_MAX)
		return;
	more = program_grow(t->bases, t->nbases, sizeof(*more));
	if (more == NULL)
		return;
	t->bases = more;
	program_type_name(die, type, sizeof(type));
	if (dwarf_formref_die(dwarf_attr(die, DW_AT_type, &attr), &of) != NULL)
		(void)dwarf_aggregate_size(&of, &size);
	program_leads_add(r, die,
	    &(struct leads){ LEADS_BASE, (uint32_t)r->p->ntypes - 1, t->nbases,
		0 },
	    &points);
	t->bases[t->nbases++] = (struct program_base){
		.name = program_text(r->p, type),
		.at_bytes = offset_of(die, &bit),
		.bytes = size,
	};
}

static void
add_inside(struct reading *r, struct program_type *t, Dwarf_Die *die,
    bool is_class)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_member:
		case DW_TAG_variable: /* a static one */
			add_member(r, t, &child, is_class);
			break;
		case DW_TAG_inheritance:
			add_base(r, t, &child);
			break;
		case DW_TAG_subprogram:
			t->methods += !dwarf_hasattr(&child, DW_AT_artificial);
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* The name is in the scope already. */
void
program_type_add(struct reading *r, Dwarf_Die *die, const char *name)
{
	int tag = dwarf_tag(die), line = 0;
	struct program *p = r->p;
	struct program_type *more, *t;
	Dwarf_Word size = 0;

	program_named_add(r, die, name);
	if (dwarf_hasattr(die, DW_AT_declaration) || dwarf_diename(die) == NULL)
		return;
	if (p->ntypes >= PROGRAM_MAX) {
		p->left_out++;
		return;
	}
	more = program_grow(p->types, p->ntypes, sizeof(*more));
	if (more == NULL) {
		r->full = true;
		return;
	}
	p->types = more;
	t = &p->types[p->ntypes++];
	(void)dwarf_decl_line(die, &line);
	(void)dwarf_aggregate_size(die, &size);
	*t = (struct program_type){
		.kind = tag == DW_TAG_class_type   ? "class"
			: tag == DW_TAG_union_type ? "union"
						   : "struct",
		.name = program_text(p, name),
		.file = program_file_of(r, die),
		.line = line > 0 ? (uint32_t)line : 0,
		.bytes = size,
	};
	add_inside(r, t, die, tag == DW_TAG_class_type);
}
