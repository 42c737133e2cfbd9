/*
 * Functions by a file's symbol tables: sorted once, then searched by halves.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/* Of several names for one place, the one that others see. */
static unsigned
rank_of(const GElf_Sym *s, const char *name)
{
	static const unsigned binds[16] = { [STB_GLOBAL] = 4, [STB_WEAK] = 2 };

	return (binds[GELF_ST_BIND(s->st_info)] + (s->st_size > 0 ? 1 : 0) +
		(*name != '_' ? 8 : 0));
}

static bool
is_function(const GElf_Sym *s)
{
	unsigned type = GELF_ST_TYPE(s->st_info);

	return ((type == STT_FUNC || type == STT_GNU_IFUNC) &&
		s->st_shndx != SHN_UNDEF && s->st_value != 0);
}

/* Its name up to its NUL, or to the end of the table. */
static bool
name_of(const Elf_Data *strings, const GElf_Sym *s, struct entry *e)
{
	const char *all = strings->d_buf;

	if (all == NULL || s->st_name >= strings->d_size)
		return (false);
	e->name = all + s->st_name;
	e->bytes = strnlen(e->name, strings->d_size - s->st_name);
	return (e->bytes > 0);
}

/* Of one without a length: no further than its section. */
static uint64_t
end_of(Elf *elf, const GElf_Sym *s)
{
	Elf_Scn *scn;
	GElf_Shdr h;

	if (s->st_size > 0)
		return (s->st_value + s->st_size);
	scn = s->st_shndx < SHN_LORESERVE ? elf_getscn(elf, s->st_shndx) : NULL;
	if (scn == NULL || gelf_getshdr(scn, &h) == NULL ||
	    s->st_value < h.sh_addr || s->st_value - h.sh_addr >= h.sh_size)
		return (s->st_value + 1);
	return (h.sh_addr + h.sh_size);
}

static int
add_table(struct module *m, Elf *elf, Elf_Data *symbols,
    const Elf_Data *strings)
{
	size_t n = symbols->d_size / sizeof(Elf64_Sym);
	struct entry *more;
	GElf_Sym s;

	if (n > INT32_MAX)
		n = INT32_MAX;
	more = reallocarray(m->entries, m->nentries + n + 1, sizeof(*more));
	if (more == NULL)
		return (-1);
	m->entries = more;
	for (size_t i = 0; i < n; i++) {
		struct entry *e = &m->entries[m->nentries];

		if (gelf_getsym(symbols, (int)i, &s) == NULL ||
		    !is_function(&s) || !name_of(strings, &s, e))
			continue;
		e->start = s.st_value;
		e->end = end_of(elf, &s);
		e->rank = rank_of(&s, e->name);
		m->nentries++;
	}
	return (0);
}

/* 1: it has such a table; 0, or -1: ENOMEM. */
static int
add_tables(struct module *m, Elf *elf, unsigned type)
{
	Elf_Scn *scn = NULL;
	int found = 0;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		Elf_Data *symbols, *strings = NULL;
		Elf_Scn *link;
		GElf_Shdr h;

		if (gelf_getshdr(scn, &h) == NULL || h.sh_type != type)
			continue;
		symbols = elf_getdata(scn, NULL);
		link = elf_getscn(elf, h.sh_link);
		if (link != NULL)
			strings = elf_getdata(link, NULL);
		if (symbols == NULL || strings == NULL)
			continue;
		if (add_table(m, elf, symbols, strings) == -1)
			return (-1);
		found = 1;
	}
	return (found);
}

static int
by_start(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->start != y->start)
		return (x->start < y->start ? -1 : 1);
	return (x->rank < y->rank ? -1 : x->rank > y->rank);
}

int
table_read(struct module *m)
{
	int rc = add_tables(m, m->file.elf, SHT_SYMTAB);

	if (rc == 0 && m->debug.elf != NULL)
		rc = add_tables(m, m->debug.elf, SHT_SYMTAB);
	if (rc == 0)
		rc = add_tables(m, m->file.elf, SHT_DYNSYM);
	if (rc == -1)
		return (-1);
	if (m->nentries > 0)
		qsort(m->entries, m->nentries, sizeof(*m->entries), by_start);
	return (0);
}

const struct entry *
table_find(const struct module *m, uint64_t address)
{
	size_t low = 0, high = m->nentries;
	const struct entry *e;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (m->entries[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == 0)
		return (NULL);
	e = &m->entries[low - 1];
	return (address < e->end ? e : NULL);
}
