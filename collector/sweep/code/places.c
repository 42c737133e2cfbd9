/*
 * See places.h.  An address is found by open addressing; its slot holds the
 * name's ordinal.  Modules are few and asked for only when a place is new.
 *
 * An address in no module is named by process and address: code that has been
 * mapped since the last look.  Its module is looked up again when it is known.
 */
#include "places.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN   256u
#define TEXT_BYTES  320
#define MODULES_MAX 4096u

struct module {
	uint64_t start, end, base;
	char *path, *build_id;
};

struct place {
	uint64_t address;
	uint32_t module; /* index plus one; 0: none is known */
	bool asked;
	bool site; /* nothing but that: a function is called from here */
};

struct places {
	uint32_t pid, first;
	struct module *modules;
	size_t nmodules;
	struct place *places; /* in order of their names */
	uint32_t n, cap;
	uint32_t *slots; /* index plus one */
	uint32_t mask;
	uint32_t told;  /* names that places_fresh() has told */
	uint32_t asked; /* places that places_ask() has passed */
	uint32_t stray; /* in no module, since the last look */
	uint64_t beyond;
	char text[TEXT_BYTES];
};

struct places *
places_new(uint32_t pid, uint32_t first)
{
	struct places *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return (NULL);
	p->pid = pid;
	p->first = first;
	return (p);
}

void
places_free(struct places *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->nmodules; i++) {
		free(p->modules[i].path);
		free(p->modules[i].build_id);
	}
	free(p->modules);
	free(p->places);
	free(p->slots);
	free(p);
}

static bool
same(const char *s, struct bytes b)
{
	return (strlen(s) == b.n && (b.n == 0 || memcmp(s, b.p, b.n) == 0));
}

static char *
copy(struct bytes b)
{
	return (b.n == 0 ? strdup("") : strndup((const char *)b.p, b.n));
}

int
places_module(struct places *p, const struct msg_module *m)
{
	struct module *more, new = { m->start, m->end, m->base, NULL, NULL };

	for (size_t i = p->nmodules; i-- > 0;) {
		const struct module *o = &p->modules[i];

		if (o->start == m->start && o->end == m->end &&
		    o->base == m->base && same(o->path, m->path) &&
		    same(o->build_id, m->build_id))
			return (0);
	}
	if (p->nmodules >= MODULES_MAX)
		return (0);
	more = reallocarray(p->modules, p->nmodules + 1, sizeof(*more));
	if (more == NULL)
		return (-1);
	p->modules = more;
	new.path = copy(m->path);
	new.build_id = copy(m->build_id);
	if (new.path == NULL || new.build_id == NULL) {
		free(new.path);
		free(new.build_id);
		return (-1);
	}
	p->modules[p->nmodules++] = new;
	return (1);
}

/* Index plus one; the last that came is there now. */
static uint32_t
module_at(const struct places *p, uint64_t address)
{
	for (size_t i = p->nmodules; i-- > 0;) {
		if (address >= p->modules[i].start &&
		    address < p->modules[i].end)
			return ((uint32_t)i + 1);
	}
	return (0);
}

bool
places_known(const struct places *p, uint64_t address)
{
	return (module_at(p, address) != 0);
}

static uint32_t
hash_of(uint64_t address)
{
	return ((uint32_t)(address * 0x9e3779b97f4a7c15u >> 32));
}

static uint32_t *
slot_of(const struct places *p, uint64_t address)
{
	uint32_t i = hash_of(address) & p->mask;

	while (
	    p->slots[i] != 0 && p->places[p->slots[i] - 1].address != address)
		i = (i + 1) & p->mask;
	return (&p->slots[i]);
}

/* Room for one more place and its slot.  -1: ENOMEM. */
static int
grow(struct places *p)
{
	uint32_t cap = p->cap == 0 ? SLOTS_MIN / 2 : p->cap * 2;
	struct place *more;
	uint32_t *slots;

	if (p->n < p->cap && p->slots != NULL)
		return (0);
	more = reallocarray(p->places, cap, sizeof(*more));
	if (more == NULL)
		return (-1);
	p->places = more;
	slots = calloc((size_t)cap * 2, sizeof(*slots));
	if (slots == NULL)
		return (-1);
	free(p->slots);
	p->slots = slots;
	p->cap = cap;
	p->mask = cap * 2 - 1;
	for (uint32_t i = 0; i < p->n; i++)
		*slot_of(p, p->places[i].address) = i + 1;
	return (0);
}

static uint32_t
place_new(struct places *p, uint64_t address)
{
	struct place *new;

	if (p->n >= PLACES_MAX) {
		p->beyond++;
		return (0);
	}
	if (address == 0 || grow(p) == -1)
		return (0);
	new = &p->places[p->n++];
	*new = (struct place){ .address = address,
		.module = module_at(p, address) };
	p->stray += new->module == 0;
	*slot_of(p, address) = p->n;
	return (p->first + p->n);
}

uint32_t
places_name(struct places *p, uint64_t address)
{
	uint32_t i = p->slots == NULL ? 0 : *slot_of(p, address);

	return (i != 0 ? p->first + i : place_new(p, address));
}

void
places_site(struct places *p, uint64_t address)
{
	if ((p->slots != NULL && *slot_of(p, address) != 0) ||
	    p->n >= PLACES_MAX / 2 || place_new(p, address) == 0)
		return;
	p->places[p->n - 1].site = true;
}

uint64_t
places_address(const struct places *p, uint32_t name)
{
	if (name <= p->first || name - p->first > p->n ||
	    p->places[name - p->first - 1].site)
		return (0);
	return (p->places[name - p->first - 1].address);
}

uint64_t
places_beyond(const struct places *p)
{
	return (p->beyond);
}

uint32_t
places_fresh(struct places *p, const char **text)
{
	const struct place *place;
	const struct module *m;
	const char *slash;

	if (p->told == p->n)
		return (0);
	place = &p->places[p->told++];
	*text = p->text;
	if (place->module == 0) {
		snprintf(p->text, sizeof(p->text), "%" PRIu32 ":0x%" PRIx64,
		    p->pid, place->address);
		return (p->first + p->told);
	}
	m = &p->modules[place->module - 1];
	slash = strrchr(m->path, '/');
	/* files of one name may differ, so the build is part of it */
	snprintf(p->text, sizeof(p->text), "%.200s%s%.8s+0x%" PRIx64,
	    slash == NULL ? m->path : slash + 1,
	    *m->build_id != '\0' ? "#" : "", m->build_id,
	    place->address - m->base);
	return (p->first + p->told);
}

void
places_again(struct places *p)
{
	p->told -= p->told > 0;
}

static bool
place_is_due(const struct places *p, struct place *place)
{
	if (!place->asked && place->module == 0)
		place->module = module_at(p, place->address);
	return (!place->asked && place->module != 0);
}

bool
places_ask(struct places *p, struct msg_resolve *m)
{
	while (p->asked < p->told) {
		struct place *place = &p->places[p->asked++];
		const struct module *of;

		if (!place_is_due(p, place))
			continue;
		place->asked = true;
		of = &p->modules[place->module - 1];
		if (*of->path != '/')
			continue; /* no file: the kernel's piece of code */
		*m = (struct msg_resolve){ .name = p->first + p->asked,
			.address = place->address - of->base,
			.build_id = BYTES_STR(of->build_id),
			.path = BYTES_STR(of->path) };
		return (true);
	}
	return (false);
}

bool
places_stray(const struct places *p)
{
	return (p->stray > 0);
}

void
places_looked(struct places *p)
{
	if (p->stray > 0)
		p->asked = 0; /* some may have a module now */
	p->stray = 0;
}
