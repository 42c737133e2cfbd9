/*
 * Functions of a program: signature, lines, and what they call.
 *
 * What a function calls is known where the compiler says so: calls that it has
 * made (DW_TAG_call_site, of optimized code), and functions that it has put
 * into others.  A call names the declaration or the abstract function; which of
 * ours that is is found out when all are known.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program_inside.h"

#define CALLS_MAX (8u << 20)
#define DEPTH_MAX 64

static void
add(char *to, size_t n, const char *s)
{
	size_t at = strlen(to);

	if (at + 1 < n)
		snprintf(to + at, n - at, "%s", s);
}

/* "int step(double x, ...)" */
static const char *
signature(struct reading *r, Dwarf_Die *die, const char *name)
{
	char text[4 * SYMBOLS_TEXT_BYTES], type[SYMBOLS_TEXT_BYTES];
	const char *between = "";
	Dwarf_Die child;
	size_t n;

	program_type_name(die, text, sizeof(text));
	n = strlen(text);
	add(text, sizeof(text), n > 0 && text[n - 1] == '*' ? "" : " ");
	add(text, sizeof(text), name);
	add(text, sizeof(text), "(");
	if (dwarf_child(die, &child) == 0) {
		do {
			int tag = dwarf_tag(&child);
			const char *as;

			if (tag != DW_TAG_formal_parameter &&
			    tag != DW_TAG_unspecified_parameters)
				continue;
			if (dwarf_hasattr_integrate(&child, DW_AT_artificial))
				continue; /* this */
			add(text, sizeof(text), between);
			between = ", ";
			if (tag == DW_TAG_unspecified_parameters) {
				add(text, sizeof(text), "...");
				continue;
			}
			program_type_name(&child, type, sizeof(type));
			add(text, sizeof(text), type);
			as = dwarf_diename(&child);
			if (as == NULL)
				continue;
			n = strlen(type);
			add(text, sizeof(text),
			    n > 0 && type[n - 1] == '*' ? "" : " ");
			add(text, sizeof(text), as);
		} while (dwarf_siblingof(&child, &child) == 0);
	}
	add(text, sizeof(text), *between == '\0' ? "void)" : ")");
	return (program_text(r->p, text));
}

/* The DIE that all others of this function lead to. */
static Dwarf_Off
root_of(Dwarf_Die *die)
{
	static const unsigned ways[] = { DW_AT_abstract_origin,
		DW_AT_specification };
	Dwarf_Die at = *die, next;
	Dwarf_Attribute attr;

	for (int i = 0; i < 8; i++) {
		bool on = false;

		for (size_t k = 0; k < 2 && !on; k++)
			if (dwarf_formref_die(dwarf_attr(&at, ways[k], &attr),
				&next) != NULL)
				on = true;
		if (!on)
			break;
		at = next;
	}
	return (dwarf_dieoffset(&at));
}

static void
add_call(struct reading *r, uint32_t from, Dwarf_Die *to)
{
	void *more;

	if (r->ncalls >= CALLS_MAX)
		return;
	more = program_grow(r->calls, r->ncalls, sizeof(*r->calls));
	if (more == NULL)
		return;
	r->calls = more;
	r->calls[r->ncalls].from = from;
	r->calls[r->ncalls].to = root_of(to);
	r->ncalls++;
}

/* Calls in this function; those of what was put into it are its own, too. */
static void
add_calls(struct reading *r, uint32_t from, Dwarf_Die *die, int depth)
{
	Dwarf_Attribute attr;
	Dwarf_Die child, to;

	if (depth > DEPTH_MAX || dwarf_child(die, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_inlined_subroutine)
			add_call(r, from, &child);
		if ((tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site) &&
		    dwarf_formref_die(dwarf_attr(&child,
					  tag == DW_TAG_call_site
					      ? DW_AT_call_origin
					      : DW_AT_abstract_origin,
					  &attr),
			&to) != NULL)
			add_call(r, from, &to);
		if (tag == DW_TAG_inlined_subroutine ||
		    tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
		    tag == DW_TAG_catch_block)
			add_calls(r, from, &child, depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* The last line of its own file that its code has. */
static uint32_t
last_line(struct reading *r, Dwarf_Die *die, uint32_t first)
{
	Dwarf_Addr base, start, end;
	const char *file = dwarf_decl_file(die), *of;
	uint32_t last = first;
	Dwarf_Lines *lines;
	ptrdiff_t i = 0;
	size_t n;

	if (file == NULL || dwarf_getsrclines(&r->unit, &lines, &n) != 0)
		return (first);
	while ((i = dwarf_ranges(die, i, &base, &start, &end)) > 0) {
		size_t low = 0, high = n;
		Dwarf_Addr a;
		int line;

		while (low < high) { /* they are in order of addresses */
			size_t mid = low + (high - low) / 2;

			if (dwarf_lineaddr(dwarf_onesrcline(lines, mid), &a) ==
				0 &&
			    a < start)
				low = mid + 1;
			else
				high = mid;
		}
		for (; low < n; low++) {
			Dwarf_Line *at = dwarf_onesrcline(lines, low);

			if (dwarf_lineaddr(at, &a) != 0 || a >= end)
				break;
			of = dwarf_linesrc(at, NULL, NULL);
			if (of != NULL && strcmp(of, file) == 0 &&
			    dwarf_lineno(at, &line) == 0 &&
			    (uint32_t)line > last)
				last = (uint32_t)line;
		}
	}
	return (last);
}

static struct program_function *
function_new(struct reading *r, Dwarf_Off where)
{
	struct program *p = r->p;
	void *more;

	if (p->nfunctions >= PROGRAM_MAX) {
		p->left_out++;
		return (NULL);
	}
	more = program_grow(p->functions, p->nfunctions, sizeof(*p->functions));
	if (more != NULL)
		p->functions = more;
	if (more != NULL)
		more = program_grow(r->where, p->nfunctions, sizeof(*r->where));
	if (more == NULL) {
		r->full = true;
		return (NULL);
	}
	r->where = more;
	r->where[p->nfunctions] = where;
	return (&p->functions[p->nfunctions++]);
}

static bool
is_inlined(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	return (dwarf_attr(die, DW_AT_inline, &attr) != NULL &&
		dwarf_formudata(&attr, &v) == 0 &&
		(v == DW_INL_inlined || v == DW_INL_declared_inlined));
}

/* The class that its first parameter, or this, leads to. */
static void
add_first(struct reading *r, Dwarf_Die *die)
{
	Dwarf_Die child;
	bool points;

	if (dwarf_child(die, &child) != 0)
		return;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		program_leads_add(r, &child,
		    &(struct leads){ LEADS_FUNCTION,
			(uint32_t)r->p->nfunctions - 1, 0, 0 },
		    &points);
		return;
	} while (dwarf_siblingof(&child, &child) == 0);
}

/*
 * With code, or put into others.  One that is both is there twice in the debug
 * information, and the second one leads to the first.
 */
void
program_function_add(struct reading *r, Dwarf_Die *die)
{
	struct symbols_level l = { .function = "" };
	struct program_function *f;
	Dwarf_Addr low = 0;
	ptrdiff_t i = 0;
	Dwarf_Addr base, start, end;
	uint64_t bytes = 0;
	int line = 0;

	if (dwarf_hasattr(die, DW_AT_declaration))
		return;
	while ((i = dwarf_ranges(die, i, &base, &start, &end)) > 0)
		bytes += end - start;
	if (bytes == 0 && !is_inlined(die))
		return;
	lines_function(die, l.function);
	if (l.function[0] == '\0')
		return;
	f = function_new(r, root_of(die));
	if (f == NULL)
		return;
	(void)dwarf_entrypc(die, &low);
	(void)dwarf_decl_line(die, &line);
	*f = (struct program_function){
		.name = program_text(r->p, l.function),
		.signature = signature(r, die, l.function),
		.file = program_file_of(r, die),
		.first = line > 0 ? (uint32_t)line : 0,
		.address = bytes > 0 ? low : 0,
		.bytes = bytes,
		.visible = dwarf_hasattr_integrate(die, DW_AT_external),
		.of = "",
	};
	add_first(r, die);
	f->last = bytes > 0 ? last_line(r, die, f->first) : f->first;
	add_calls(r, (uint32_t)r->p->nfunctions - 1, die, 0);
}

struct known {
	Dwarf_Off where;
	uint32_t function;
};

static int
by_where(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->where != y->where)
		return (x->where < y->where ? -1 : 1);
	return (x->function < y->function ? -1 : x->function > y->function);
}

static void
add_callee(struct program_function *f, uint32_t to)
{
	uint32_t *more;

	for (uint32_t i = 0; i < f->ncalls; i++)
		if (f->calls[i] == to)
			return;
	more = program_grow(f->calls, f->ncalls, sizeof(*more));
	if (more == NULL)
		return;
	f->calls = more;
	f->calls[f->ncalls++] = to;
}

void
program_calls_settle(struct reading *r)
{
	size_t n = r->p->nfunctions;
	struct known *known = calloc(n + 1, sizeof(*known)), *k, key;

	for (size_t i = 0; known != NULL && i < n; i++)
		known[i] = (struct known){ r->where[i], (uint32_t)i };
	if (known != NULL && n > 0)
		qsort(known, n, sizeof(*known), by_where);
	for (size_t i = 0; known != NULL && i < r->ncalls; i++) {
		key = (struct known){ r->calls[i].to, 0 };
		/* any of one place will do: they are one function */
		for (size_t low = 0, high = n; low < high;) {
			size_t mid = low + (high - low) / 2;

			k = &known[mid];
			if (k->where == key.where) {
				add_callee(&r->p->functions[r->calls[i].from],
				    k->function);
				break;
			}
			if (k->where < key.where)
				low = mid + 1;
			else
				high = mid;
		}
	}
	free(known);
}
