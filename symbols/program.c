/*
 * See program.h.  All compilation units are gone through once.  What several of
 * them have, from a header, is there once; functions that call each other are
 * tied when all are known; then all is put in order.
 */
#include "program.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program_inside.h"

#define SCOPES_MAX 16

/* Types and functions, in namespaces and classes. */
static void
read_scope(struct reading *r, Dwarf_Die *die, const char *scope, int depth)
{
	char name[SYMBOLS_TEXT_BYTES], inner[SYMBOLS_TEXT_BYTES + 2];
	Dwarf_Die child;

	if (depth > SCOPES_MAX || dwarf_child(die, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram) {
			program_function_add(r, &child);
			continue;
		}
		if (tag != DW_TAG_namespace && tag != DW_TAG_class_type &&
		    tag != DW_TAG_structure_type && tag != DW_TAG_union_type)
			continue;
		program_scoped_name(&child, scope, name, sizeof(name));
		if (tag != DW_TAG_namespace)
			program_type_add(r, &child, name);
		snprintf(inner, sizeof(inner), "%s::", name);
		read_scope(r, &child, inner, depth + 1);
	} while (!r->full && dwarf_siblingof(&child, &child) == 0);
}

static void
read_units(struct reading *r)
{
	Dwarf_Off at = 0, next;
	size_t head;

	while (!r->full && dwarf_nextcu(r->m->dwarf, at, &next, &head, NULL,
			       NULL, NULL) == 0) {
		if (dwarf_offdie(r->m->dwarf, at + head, &r->unit) != NULL)
			read_scope(r, &r->unit, "", 0);
		at = next;
	}
	program_calls_settle(r);
	program_leads_settle(r);
}

/* Of a file without debug information. */
static void
read_table(struct reading *r)
{
	struct program *p = r->p;
	const struct module *m = r->m;
	char name[SYMBOLS_TEXT_BYTES];

	p->functions = calloc(m->nentries + 1, sizeof(*p->functions));
	for (size_t i = 0; p->functions != NULL && i < m->nentries; i++) {
		const struct entry *e = &m->entries[i];

		if (i + 1 < m->nentries && e[1].start == e->start)
			continue; /* the next one is a better name */
		names_plain(e->name, e->bytes, name);
		p->functions[p->nfunctions++] = (struct program_function){
			.name = program_text(p, name),
			.signature = "",
			.file = "",
			.of = "",
			.address = e->start,
			.bytes = e->end - e->start,
			.visible = true,
		};
	}
}

static void
read_libraries(struct program *p, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;
	GElf_Dyn d;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		Elf_Data *data;
		int n;

		if (gelf_getshdr(scn, &h) == NULL || h.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(scn, NULL);
		n = data == NULL ? 0 : (int)(data->d_size / sizeof(Elf64_Dyn));
		for (int i = 0; i < n; i++) {
			const char **more;

			if (gelf_getdyn(data, i, &d) == NULL ||
			    d.d_tag != DT_NEEDED)
				continue;
			more = program_grow(p->libraries, p->nlibraries,
			    sizeof(*more));
			if (more == NULL)
				return;
			p->libraries = more;
			p->libraries[p->nlibraries++] = program_text(p,
			    elf_strptr(elf, h.sh_link, d.d_un.d_val));
		}
	}
}

static int
by_place(const struct program_function *x, const struct program_function *y)
{
	int c = strcmp(x->file, y->file);

	if (c == 0 && x->first != y->first)
		return (x->first < y->first ? -1 : 1);
	if (c == 0)
		c = strcmp(x->name, y->name);
	if (c == 0)
		c = strcmp(x->signature, y->signature);
	return (c);
}

/* One that has code comes before one that has only been put into others. */
static int
by_place_cb(const void *a, const void *b, void *functions)
{
	const struct program_function *all = functions;
	const struct program_function *x = &all[*(const uint32_t *)a];
	const struct program_function *y = &all[*(const uint32_t *)b];
	int c = by_place(x, y);

	if (c == 0 && (x->address == 0) != (y->address == 0))
		c = x->address == 0 ? 1 : -1;
	return (
	    c != 0 ? c : (x->address > y->address) - (x->address < y->address));
}

/* Of one place and name; without a place all are different. */
static bool
are_one(const struct program_function *x, const struct program_function *y)
{
	return (x->first != 0 && by_place(x, y) == 0);
}

static int
rising(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x < y ? -1 : x > y);
}

static void
settle_callees(struct program_function *f, const uint32_t *to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->ncalls; i++)
		f->calls[i] = to[f->calls[i]];
	if (f->ncalls > 0)
		qsort(f->calls, f->ncalls, sizeof(*f->calls), rising);
	for (uint32_t i = 0; i < f->ncalls; i++)
		if (n == 0 || f->calls[n - 1] != f->calls[i])
			f->calls[n++] = f->calls[i];
	f->ncalls = n;
}

/* What the second one calls, the first one does. */
static void
join(struct program_function *f, struct program_function *more)
{
	uint32_t *calls;

	if (f->bytes == 0) {
		f->bytes = more->bytes;
		f->address = more->address;
	}
	if (more->last > f->last)
		f->last = more->last;
	calls = more->ncalls == 0
		    ? NULL
		    : reallocarray(f->calls, f->ncalls + more->ncalls,
			  sizeof(*calls));
	if (calls != NULL) {
		memcpy(calls + f->ncalls, more->calls,
		    more->ncalls * sizeof(*calls));
		f->calls = calls;
		f->ncalls += more->ncalls;
	}
	free(more->calls);
	more->calls = NULL;
	if (*f->of == '\0')
		f->of = more->of;
}

/* In order, and each once. */
static void
sort_functions(struct program *p)
{
	size_t n = p->nfunctions, kept = 0;
	struct program_function *all = calloc(n + 1, sizeof(*all));
	uint32_t *order = calloc(n + 1, sizeof(*order));
	uint32_t *to = calloc(n + 1, sizeof(*to));

	if (all == NULL || order == NULL || to == NULL || n == 0)
		goto out;
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), by_place_cb, p->functions);
	for (size_t i = 0; i < n; i++) {
		struct program_function *f = &p->functions[order[i]];

		if (kept > 0 && are_one(&all[kept - 1], f))
			join(&all[kept - 1], f);
		else
			all[kept++] = *f;
		to[order[i]] = (uint32_t)kept - 1;
	}
	for (size_t i = 0; i < kept; i++)
		settle_callees(&all[i], to);
	free(p->functions);
	p->functions = all;
	p->nfunctions = kept;
	all = NULL;
out:
	free(all);
	free(order);
	free(to);
}

static int
by_name(const void *a, const void *b)
{
	const struct program_type *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	if (c == 0)
		c = strcmp(x->file, y->file);
	if (c == 0 && x->line != y->line)
		c = x->line < y->line ? -1 : 1;
	return (c);
}

static void
sort_types(struct program *p)
{
	size_t kept = 0;

	if (p->ntypes > 0)
		qsort(p->types, p->ntypes, sizeof(*p->types), by_name);
	for (size_t i = 0; i < p->ntypes; i++) {
		struct program_type *t = &p->types[i];

		if (kept > 0 && by_name(&p->types[kept - 1], t) == 0 &&
		    p->types[kept - 1].bytes == t->bytes) {
			free(t->bases);
			free(t->members);
		} else {
			p->types[kept++] = *t;
		}
	}
	p->ntypes = kept;
}

static int
file_by_name(const void *a, const void *b)
{
	return (strcmp(((const struct program_file *)a)->name,
	    ((const struct program_file *)b)->name));
}

static void
add_file(struct program *p, const char *name, bool function, uint32_t line)
{
	struct program_file *more;

	if (*name == '\0')
		return;
	more = program_grow(p->files, p->nfiles, sizeof(*more));
	if (more == NULL)
		return;
	p->files = more;
	p->files[p->nfiles++] = (struct program_file){ .name = name,
		.functions = function,
		.types = !function,
		.lines = line };
}

static void
make_files(struct program *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->nfunctions; i++)
		add_file(p, p->functions[i].file, true, p->functions[i].last);
	for (size_t i = 0; i < p->ntypes; i++)
		add_file(p, p->types[i].file, false, p->types[i].line);
	if (p->nfiles > 0)
		qsort(p->files, p->nfiles, sizeof(*p->files), file_by_name);
	for (size_t i = 0; i < p->nfiles; i++) {
		struct program_file *f = &p->files[i], *to;

		if (kept == 0 ||
		    strcmp(p->files[kept - 1].name, f->name) != 0) {
			p->files[kept++] = *f;
			continue;
		}
		to = &p->files[kept - 1];
		to->functions += f->functions;
		to->types += f->types;
		to->lines = f->lines > to->lines ? f->lines : to->lines;
	}
	p->nfiles = kept;
}

struct program *
program_read(const char *path, const char *build_id, const char **why)
{
	struct reading r = { .m = module_open(path, build_id, false) };

	*why = r.m == NULL ? "there is no memory" : r.m->why;
	if (*why == NULL && (r.p = calloc(1, sizeof(*r.p))) == NULL)
		*why = "there is no memory";
	if (*why != NULL) {
		module_free(r.m);
		return (NULL);
	}
	object_build_id(&r.m->file, r.p->build_id);
	r.p->debug = r.m->dwarf != NULL;
	if (r.p->debug)
		read_units(&r);
	else
		read_table(&r);
	read_libraries(r.p, r.m->file.elf);
	sort_functions(r.p);
	sort_types(r.p);
	program_leads_members(r.p);
	make_files(r.p);
	free(r.where);
	free(r.calls);
	free(r.leads);
	free(r.named);
	module_free(r.m);
	return (r.p);
}

void
program_free(struct program *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->nfunctions; i++)
		free(p->functions[i].calls);
	for (size_t i = 0; i < p->ntypes; i++) {
		free(p->types[i].bases);
		free(p->types[i].members);
	}
	free(p->functions);
	free(p->types);
	free(p->files);
	free(p->libraries);
	program_texts_free(p);
	free(p);
}
