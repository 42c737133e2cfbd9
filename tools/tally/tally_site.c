/*
 * From where in the code functions are called, as far as their calls say so
 * (enter.caller).
 *
 * An event has a return address; a collector has named the place by its module
 * and by what the module calls the address before it.  That text is made again
 * here, of the same modules, and the name that had it is the place.  Places in
 * one line are one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tally_inside.h"

#define TEXT_BYTES 320

/* 1, 2 ... as keys come; 0: ENOMEM. */
static uint32_t
number_of(struct intmap *m, uint64_t key, uint32_t *n)
{
	uintptr_t i = (uintptr_t)intmap_find(m, key);

	if (i != 0)
		return ((uint32_t)i);
	if (intmap_reserve(m) == -1)
		return (0);
	i = ++*n;
	intmap_put(m, key, (void *)i); /* NOLINT(performance-no-int-to-ptr) */
	return ((uint32_t)i);
}

/* A function of a process, and where it is called: too much for one key. */
int
tally_enter(struct tally *t, const struct event *e)
{
	struct tally_inside *in = t->inside;
	uint32_t callee, address;
	struct tally_site *s;
	int64_t po;
	bool fresh;

	if (e->b == 0)
		return (0);
	if ((po = tally_po(t, e->location)) == -1 ||
	    (callee = number_of(&in->callee, tally_key((uint32_t)po, e->c),
		 &in->ncallees)) == 0 ||
	    (address = number_of(&in->address, e->b, &in->naddresses)) == 0)
		return (-1);
	s = tally_row(&in->site, tally_key(callee, address), &t->sites,
	    &t->nsites, sizeof(*s), &fresh);
	if (s == NULL)
		return (-1);
	if (fresh)
		*s = (struct tally_site){ .name = e->c,
			.program = tally_this(t)->program,
			.po = (uint32_t)po,
			.address = e->b };
	s->calls++;
	return (0);
}

/* --- places by what they were called at first --- */

static const char *
first_text(const struct def_name *d)
{
	return (d->place != NULL ? d->place : d->text);
}

static uint64_t
hash(const char *s)
{
	uint64_t key = 14695981039346656037u; /* FNV-1a */

	for (; *s != '\0'; s++)
		key = (key ^ (unsigned char)*s) * 1099511628211u;
	return (key);
}

/* Texts of one hash are at keys one after the other. */
static const struct def_name *
name_of(const struct intmap *texts, const char *text)
{
	const struct def_name *d;

	for (uint64_t key = hash(text);; key++)
		if ((d = intmap_find(texts, key)) == NULL ||
		    strcmp(first_text(d), text) == 0)
			return (d);
}

static int
texts_of(const struct defs *defs, struct intmap *texts)
{
	for (uint32_t i = 1; i <= defs_names(defs); i++) {
		const struct def_name *d = defs_name(defs, i);
		const struct def_name *other;
		uint64_t key;

		if (d == NULL || first_text(d) == NULL)
			continue;
		key = hash(first_text(d));
		while ((other = intmap_find(texts, key)) != NULL &&
		       strcmp(first_text(other), first_text(d)) != 0)
			key++;
		if (other != NULL)
			continue;
		if (intmap_reserve(texts) == -1)
			return (-1);
		intmap_put(texts, key, (void *)(uintptr_t)d);
	}
	return (0);
}

static uint32_t
place_of(const struct tally *t, const struct intmap *texts,
    const struct tally_site *s)
{
	const struct defs *defs = t->inside->defs;
	const struct tally_po *at = &t->pos[s->po];
	uint64_t address = s->address - 1; /* of the call, not behind it */
	const struct def_module *m =
	    defs_module(defs, at->node, at->po, address);
	const struct def_po *po = defs_po(defs, at->node, at->po);
	const struct def_name *d = NULL;
	const char *path, *slash;
	char text[TEXT_BYTES];

	if (m != NULL) {
		path = m->path == NULL ? "" : m->path;
		slash = strrchr(path, '/');
		snprintf(text, sizeof(text), "%.200s%s%.8s+0x%" PRIx64,
		    slash == NULL ? path : slash + 1,
		    m->build_id == NULL || m->build_id[0] == '\0' ? "" : "#",
		    m->build_id == NULL ? "" : m->build_id, address - m->base);
		d = name_of(texts, text);
	}
	if (d == NULL && po != NULL) { /* its module was not known yet */
		snprintf(text, sizeof(text), "%" PRIu32 ":0x%" PRIx64, po->pid,
		    address);
		d = name_of(texts, text);
	}
	return (d == NULL ? 0 : d->name);
}

/* --- rows --- */

static int
by_text(const char *a, const char *b)
{
	return (strcmp(a == NULL ? "" : a, b == NULL ? "" : b));
}

/* Of one function, and from one line of another. */
static int
by_line(const void *a, const void *b, void *arg)
{
	const struct tally_site *x = a, *y = b;
	const struct def_name *p = defs_name(arg, x->place);
	const struct def_name *q = defs_name(arg, y->place);
	int c = 0;

	if (x->program != y->program)
		return (x->program < y->program ? -1 : 1);
	if (x->name != y->name)
		return (x->name < y->name ? -1 : 1);
	if (p == NULL || q == NULL)
		return ((p != NULL) - (q != NULL));
	if ((c = by_text(p->text, q->text)) == 0 &&
	    (c = by_text(p->file, q->file)) == 0)
		c = (p->line > q->line) - (p->line < q->line);
	return (c);
}

static int
by_calls(const void *a, const void *b, void *arg)
{
	const struct tally_site *x = a, *y = b;

	if (x->calls != y->calls)
		return (x->calls < y->calls ? 1 : -1);
	return (by_line(a, b, arg));
}

int
tally_sites_end(struct tally *t)
{
	void *defs = (void *)(uintptr_t)t->inside->defs;
	struct intmap texts = { 0 };
	size_t to = 0;

	if (t->nsites == 0)
		return (0);
	if (texts_of(defs, &texts) == -1) {
		intmap_free(&texts);
		return (-1);
	}
	for (size_t i = 0; i < t->nsites; i++)
		t->sites[i].place = place_of(t, &texts, &t->sites[i]);
	intmap_free(&texts);
	qsort_r(t->sites, t->nsites, sizeof(*t->sites), by_line, defs);
	for (size_t i = 1; i < t->nsites; i++)
		if (by_line(&t->sites[to], &t->sites[i], defs) == 0)
			t->sites[to].calls += t->sites[i].calls;
		else
			t->sites[++to] = t->sites[i];
	t->nsites = to + 1;
	qsort_r(t->sites, t->nsites, sizeof(*t->sites), by_calls, defs);
	return (0);
}
