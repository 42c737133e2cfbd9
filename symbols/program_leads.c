/*
 * Which class a member, a base or a first parameter leads to, and what lies in
 * a class.
 *
 * Debug information says it by the place of another entry, which may be one
 * that only tells of a class.  So places are noted with the names that they
 * have, and looked up when all have been seen.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "program_inside.h"

#define LEADS_MAX  (8u << 20)
#define STEPS_MAX  32 /* a pointer to an array of a typedef of ... */
#define SCOPE_MARK "::"

/* The class at the end of the way; false: it ends elsewhere. */
static bool
class_at(Dwarf_Die *die, bool *points, Dwarf_Die *to)
{
	Dwarf_Attribute attr;
	Dwarf_Die at;

	if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr),
		&at) == NULL)
		return (false);
	for (int i = 0; i < STEPS_MAX; i++) {
		switch (dwarf_tag(&at)) {
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			*to = at;
			return (true);
		case DW_TAG_pointer_type:
		case DW_TAG_reference_type:
		case DW_TAG_rvalue_reference_type:
			*points = true;
			break;
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
		case DW_TAG_array_type:
			break;
		default:
			return (false);
		}
		if (dwarf_formref_die(dwarf_attr(&at, DW_AT_type, &attr),
			&at) == NULL)
			return (false);
	}
	return (false);
}

void
program_leads_add(struct reading *r, Dwarf_Die *die, const struct leads *l,
    bool *points)
{
	struct leads *more;
	Dwarf_Die to;

	*points = false;
	if (r->nleads >= LEADS_MAX || !class_at(die, points, &to) ||
	    dwarf_cu_getdwarf(to.cu) != r->m->dwarf)
		return;
	more = program_grow(r->leads, r->nleads, sizeof(*more));
	if (more == NULL)
		return;
	r->leads = more;
	more = &r->leads[r->nleads++];
	*more = *l;
	more->to = dwarf_dieoffset(&to);
}

void
program_named_add(struct reading *r, Dwarf_Die *die, const char *name)
{
	struct named *more;

	if (dwarf_diename(die) == NULL || r->nnamed >= LEADS_MAX)
		return;
	more = program_grow(r->named, r->nnamed, sizeof(*more));
	if (more == NULL)
		return;
	r->named = more;
	r->named[r->nnamed++] = (struct named){
		.where = dwarf_dieoffset(die),
		.name = program_text(r->p, name),
	};
}

static int
by_where(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return (x->where < y->where ? -1 : x->where > y->where);
}

void
program_leads_settle(struct reading *r)
{
	const struct named *n;
	struct named key;

	if (r->nnamed == 0)
		return;
	qsort(r->named, r->nnamed, sizeof(*r->named), by_where);
	for (size_t i = 0; i < r->nleads; i++) {
		const struct leads *l = &r->leads[i];

		key.where = l->to;
		n = bsearch(&key, r->named, r->nnamed, sizeof(*n), by_where);
		if (n == NULL)
			continue;
		if (l->what == LEADS_MEMBER)
			r->p->types[l->from].members[l->number].of = n->name;
		else if (l->what == LEADS_BASE)
			r->p->types[l->from].bases[l->number].name = n->name;
		else
			r->p->functions[l->from].of = n->name;
	}
}

const struct program_type *
program_type_find(const struct program *p, const char *name, const char *file)
{
	size_t low = 0, high = p->ntypes;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(p->types[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == p->ntypes || strcmp(p->types[low].name, name) != 0)
		return (NULL);
	for (size_t i = low;
	     i < p->ntypes && strcmp(p->types[i].name, name) == 0; i++)
		if (strcmp(p->types[i].file, file) == 0)
			return (&p->types[i]);
	return (&p->types[low]);
}

/* Bytes before the last "::" that is in no brackets; 0: there is none. */
static size_t
scope_bytes(const char *name)
{
	size_t n = 0;
	int depth = 0;

	for (size_t i = 0; name[i] != '\0'; i++) {
		if (i >= 8 && memcmp(name + i - 8, "operator", 8) == 0)
			break; /* what is behind may be < or > */
		depth += (name[i] == '<' || name[i] == '(') -
			 (name[i] == '>' || name[i] == ')');
		if (depth == 0 && strncmp(name + i, SCOPE_MARK, 2) == 0)
			n = i;
	}
	return (n);
}

void
program_leads_members(struct program *p)
{
	char scope[SYMBOLS_TEXT_BYTES];
	const struct program_type *t;

	for (size_t i = 0; i < p->nfunctions; i++) {
		struct program_function *f = &p->functions[i];
		size_t n = scope_bytes(f->name);

		if (n == 0 || n >= sizeof(scope))
			continue;
		memcpy(scope, f->name, n);
		scope[n] = '\0';
		t = program_type_find(p, scope, f->file);
		if (t != NULL)
			f->of = t->name;
	}
}

/* Bytes from a place on, up to another one. */
struct stretch {
	int64_t from, to;
};

static int
by_from(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	return (x->from < y->from ? -1 : x->from > y->from);
}

static struct stretch
stretch_of(const struct program_member *m)
{
	uint64_t bytes =
	    m->bits > 0 ? (m->first_bit + m->bits + 7) / 8 : m->bytes;

	if (bytes > INT32_MAX || m->at_bytes < 0 || m->at_bytes > INT32_MAX)
		return ((struct stretch){ 0, 0 });
	return ((struct stretch){ m->at_bytes, m->at_bytes + (int64_t)bytes });
}

int64_t
program_type_unused(const struct program_type *t)
{
	size_t n = (size_t)t->nmembers + t->nbases, k = 0;
	struct stretch *s = calloc(n + 1, sizeof(*s));
	int64_t unused = 0, at = 0, bytes = (int64_t)t->bytes;

	if (s == NULL || t->bytes > INT32_MAX)
		unused = -1;
	for (uint32_t i = 0; unused == 0 && i < t->nmembers; i++)
		s[k++] = stretch_of(&t->members[i]);
	for (uint32_t i = 0; unused == 0 && i < t->nbases; i++) {
		const struct program_base *b = &t->bases[i];

		if (b->at_bytes < 0 || b->at_bytes > INT32_MAX ||
		    b->bytes > INT32_MAX) {
			unused = -1;
			break;
		}
		s[k++] = (struct stretch){ b->at_bytes,
			b->at_bytes + (int64_t)b->bytes };
	}
	if (unused == -1 || strcmp(t->kind, "union") == 0) {
		free(s);
		return (unused);
	}
	qsort(s, k, sizeof(*s), by_from);
	for (size_t i = 0; i < k; i++) {
		unused += s[i].from > at ? s[i].from - at : 0;
		at = s[i].to > at ? s[i].to : at;
	}
	free(s);
	return (bytes > at ? unused + bytes - at : unused);
}
