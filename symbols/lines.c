/*
 * Functions, files and lines by debug information.
 *
 * Which compilation unit an address belongs to is asked of all of them once and
 * kept in order; not every compiler writes a table of that.  So are a unit's
 * functions, when one of them is asked for: those of C++ have thousands.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

#define RANGES_MAX (4u << 20)
#define DEPTH_MAX  64 /* of scopes in each other */

/* One more in an array that doubles; a power of two is full. */
static void *
grow(void *array, size_t n, size_t size)
{
	if (n != 0 && (n & (n - 1)) != 0)
		return (array);
	return (reallocarray(array, n == 0 ? 1 : n * 2, size));
}

static int
add_range(struct range **all, size_t *n, uint64_t start, uint64_t end,
    Dwarf_Off of)
{
	struct range *more;

	if (start >= end || start == 0 || *n >= RANGES_MAX)
		return (0);
	more = grow(*all, *n, sizeof(*more));
	if (more == NULL)
		return (-1);
	*all = more;
	(*all)[(*n)++] = (struct range){ start, end, of };
	return (0);
}

static void
add_ranges(struct range **all, size_t *n, Dwarf_Die *die, Dwarf_Off of)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t i = 0;

	while ((i = dwarf_ranges(die, i, &base, &start, &end)) > 0)
		if (add_range(all, n, start, end, of) == -1)
			return;
}

static int
by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->start < y->start ? -1 : x->start > y->start);
}

static void
sort_ranges(struct range *all, size_t n)
{
	if (n > 0)
		qsort(all, n, sizeof(*all), by_start);
}

static const struct range *
find_range(const struct range *all, size_t n, uint64_t address)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (all[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return (low > 0 && address < all[low - 1].end ? &all[low - 1] : NULL);
}

static void
read_units(struct module *m)
{
	Dwarf_Off at = 0, next;
	struct unit *more;
	size_t head;

	m->ranged = true;
	while (
	    dwarf_nextcu(m->dwarf, at, &next, &head, NULL, NULL, NULL) == 0) {
		Dwarf_Die die;

		if (dwarf_offdie(m->dwarf, at + head, &die) != NULL) {
			more = grow(m->units, m->nunits, sizeof(*more));
			if (more == NULL)
				break;
			m->units = more;
			m->units[m->nunits] = (struct unit){ .at = at + head };
			add_ranges(&m->ranges, &m->nranges, &die, m->nunits++);
		}
		at = next;
	}
	sort_ranges(m->ranges, m->nranges);
}

static void
read_functions(struct unit *u, Dwarf_Die *scope, int depth)
{
	Dwarf_Die child;

	if (depth > DEPTH_MAX || dwarf_child(scope, &child) != 0)
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
			add_ranges(&u->functions, &u->nfunctions, &child,
			    dwarf_dieoffset(&child));
			break;
		case DW_TAG_namespace:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_module:
			read_functions(u, &child, depth + 1);
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* The unit that has this address, and the function there.  false: none. */
static bool
function_find(struct module *m, uint64_t address, Dwarf_Die *unit,
    Dwarf_Die *function)
{
	const struct range *r;
	struct unit *u;

	if (!m->ranged)
		read_units(m);
	r = find_range(m->ranges, m->nranges, address);
	if (r == NULL)
		return (false);
	u = &m->units[r->of];
	if (dwarf_offdie(m->dwarf, u->at, unit) == NULL)
		return (false);
	if (!u->read) {
		read_functions(u, unit, 0);
		sort_ranges(u->functions, u->nfunctions);
		u->read = true;
	}
	r = find_range(u->functions, u->nfunctions, address);
	return (r != NULL && dwarf_offdie(m->dwarf, r->of, function) != NULL);
}

static void
put(char to[SYMBOLS_TEXT_BYTES], const char *s)
{
	size_t n = strnlen(s, SYMBOLS_TEXT_BYTES - 1);

	memcpy(to, s, n);
	to[n] = '\0';
}

/* As the compiler was told it: what it was started in is left out. */
void
lines_file(Dwarf_Die *unit, const char *file, char to[SYMBOLS_TEXT_BYTES])
{
	Dwarf_Attribute attr;
	const char *dir =
	    dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
	size_t n = dir == NULL ? 0 : strlen(dir);

	if (file == NULL)
		return;
	if (n > 1 && strncmp(file, dir, n) == 0 && file[n] == '/')
		file += n + 1;
	while (file[0] == '.' && file[1] == '/')
		file += 2;
	put(to, file);
}

void
lines_function(Dwarf_Die *die, char to[SYMBOLS_TEXT_BYTES])
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(
	    dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));

	if (name != NULL)
		names_plain(name, strlen(name), to);
	if (name == NULL && (name = dwarf_formstring(dwarf_attr_integrate(die,
				 DW_AT_name, &attr))) != NULL)
		put(to, name);
}

static void
put_function(Dwarf_Die *die, struct symbols_level *l)
{
	int line;

	lines_function(die, l->function);
	if (dwarf_decl_line(die, &line) == 0 && line > 0)
		l->first = (uint32_t)line;
}

static uint32_t
number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	if (dwarf_attr(die, name, &attr) == NULL ||
	    dwarf_formudata(&attr, &v) != 0 || v > INT32_MAX)
		return (0);
	return ((uint32_t)v);
}

/* Where an inlined function has been called. */
static void
put_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct symbols_level *l)
{
	uint32_t file = number(inlined, DW_AT_call_file);
	Dwarf_Files *files;
	size_t n;

	l->line = number(inlined, DW_AT_call_line);
	if (dwarf_getsrcfiles(unit, &files, &n) == 0 && file < n)
		lines_file(unit, dwarf_filesrc(files, file, NULL, NULL),
		    l->file);
}

static void
put_place(Dwarf_Die *unit, uint64_t address, struct symbols_level *l)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int n;

	if (line == NULL)
		return;
	if (dwarf_lineno(line, &n) == 0 && n > 0)
		l->line = (uint32_t)n;
	lines_file(unit, dwarf_linesrc(line, NULL, NULL), l->file);
}

/* At its beginning a function is where its name is. */
static void
put_begin(Dwarf_Die *unit, Dwarf_Die *die, uint64_t address,
    struct symbols_level *l)
{
	Dwarf_Addr entry;
	const char *file;

	if (dwarf_entrypc(die, &entry) != 0 || entry != address ||
	    l->first == 0)
		return;
	l->line = l->first;
	file = dwarf_decl_file(die);
	if (file != NULL)
		lines_file(unit, file, l->file);
}

static unsigned
levels(Dwarf_Die *unit, Dwarf_Die *scope, int n, uint64_t address,
    struct symbols_level *level)
{
	Dwarf_Die *inner = NULL;
	unsigned k = 0;

	for (int i = 0; i < n && k < SYMBOLS_LEVELS; i++) {
		int tag = dwarf_tag(&scope[i]);
		struct symbols_level *l = &level[k];

		if (tag != DW_TAG_inlined_subroutine &&
		    tag != DW_TAG_subprogram)
			continue;
		memset(l, 0, sizeof(*l));
		put_function(&scope[i], l);
		if (inner == NULL)
			put_place(unit, address, l);
		else
			put_call(unit, inner, l);
		k++;
		if (tag == DW_TAG_subprogram) {
			if (inner == NULL)
				put_begin(unit, &scope[i], address, l);
			break;
		}
		inner = &scope[i];
	}
	return (k > 0 && level[0].function[0] != '\0' ? k : 0);
}

/* Of what is in this scope, what has the address.  false: nothing. */
static bool
inner_scope(Dwarf_Die *scope, uint64_t address, Dwarf_Die *to)
{
	if (dwarf_child(scope, to) != 0)
		return (false);
	do {
		int tag = dwarf_tag(to);

		if ((tag == DW_TAG_inlined_subroutine ||
			tag == DW_TAG_lexical_block ||
			tag == DW_TAG_try_block || tag == DW_TAG_catch_block) &&
		    dwarf_haspc(to, address) > 0)
			return (true);
	} while (dwarf_siblingof(to, to) == 0);
	return (false);
}

unsigned
lines_find(struct module *m, uint64_t address,
    struct symbols_level level[SYMBOLS_LEVELS])
{
	Dwarf_Die unit, at, next, scope[DEPTH_MAX];
	int n = DEPTH_MAX;

	if (m->dwarf == NULL || !function_find(m, address, &unit, &at))
		return (0);
	scope[--n] = at;
	while (n > 0 && inner_scope(&at, address, &next)) {
		at = next;
		scope[--n] = at; /* the innermost comes first */
	}
	return (levels(&unit, &scope[n], DEPTH_MAX - n, address, level));
}
