/*
 * Functions, files and lines by debug information.
 *
 * Which compilation unit an address belongs to is asked of all of them once and
 * kept in order; not every compiler writes a table of that.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

#define RANGES_MAX (4u << 20)

static int
add_range(struct module *m, uint64_t start, uint64_t end, Dwarf_Off unit)
{
	struct range *more;

	if (start >= end || start == 0 || m->nranges >= RANGES_MAX)
		return (0);
	if ((m->nranges & (m->nranges - 1)) == 0) { /* a power of two is full */
		more = reallocarray(m->ranges,
		    m->nranges == 0 ? 1 : m->nranges * 2, sizeof(*more));
		if (more == NULL)
			return (-1);
		m->ranges = more;
	}
	m->ranges[m->nranges++] = (struct range){ start, end, unit };
	return (0);
}

static int
by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->start < y->start ? -1 : x->start > y->start);
}

static void
read_ranges(struct module *m)
{
	Dwarf_Off at = 0, next;
	size_t head;

	m->ranged = true;
	while (
	    dwarf_nextcu(m->dwarf, at, &next, &head, NULL, NULL, NULL) == 0) {
		Dwarf_Addr base, start, end;
		Dwarf_Off unit = at + head;
		ptrdiff_t i = 0;
		Dwarf_Die die;

		at = next;
		if (dwarf_offdie(m->dwarf, unit, &die) == NULL)
			continue;
		while ((i = dwarf_ranges(&die, i, &base, &start, &end)) > 0)
			if (add_range(m, start, end, unit) == -1)
				break;
	}
	if (m->nranges > 0)
		qsort(m->ranges, m->nranges, sizeof(*m->ranges), by_start);
}

/* The unit that has this address.  false: none. */
static bool
unit_find(struct module *m, uint64_t address, Dwarf_Die *die)
{
	size_t low = 0, high;

	if (!m->ranged)
		read_ranges(m);
	for (high = m->nranges; low < high;) {
		size_t mid = low + (high - low) / 2;

		if (m->ranges[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return (low > 0 && address < m->ranges[low - 1].end &&
		dwarf_offdie(m->dwarf, m->ranges[low - 1].unit, die) != NULL);
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

unsigned
lines_find(struct module *m, uint64_t address,
    struct symbols_level level[SYMBOLS_LEVELS])
{
	Dwarf_Die unit, *at = NULL, *all = NULL;
	unsigned k = 0;
	int n;

	if (m->dwarf == NULL || !unit_find(m, address, &unit))
		return (0);
	if (dwarf_getscopes(&unit, address, &at) > 0) {
		n = dwarf_getscopes_die(at, &all);
		if (n > 0)
			k = levels(&unit, all, n, address, level);
	}
	free(at);
	free(all);
	return (k);
}
