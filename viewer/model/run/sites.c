/*
 * From where functions are called, by address and by name.
 *
 * A collector names the places from which functions are called as it names
 * functions (collector/sweep/code/places.c), but events have their addresses.
 * So the text that it has made of an address is made again here, of the same
 * modules; a name has that text from the beginning.
 */
#include "model/run/sites.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/keep/memory.h"
#include "model/run/inside.h"

#define SITES_MAX  (1u << 20)
#define TEXT_BYTES 320

/* Code in the memory of a PO, and what its places are called. */
struct module {
	uint64_t start, end, base;
	uint32_t before; /* that the PO has had before, index + 1 */
	char *called;
};

void
sites_init(struct model *m)
{
	chunk_init(&sites_of(m)->modules, sizeof(struct module), 4);
	chunk_init(&sites_of(m)->found, sizeof(struct call_site), 6);
}

void
sites_clear(struct model *m)
{
	struct sites *all = sites_of(m);

	for (uint32_t i = 0; i < all->nmodules; i++)
		memory_free(
		    ((struct module *)chunk_at(&all->modules, i))->called);
	chunk_clear(&all->modules);
	chunk_clear(&all->found);
	idmap_clear(&all->map);
}

int
site_module(struct model *m, struct po_data *p, const struct msg_module *d)
{
	struct sites *all = sites_of(m);
	struct module *new =
	    chunk_make(&all->modules, all->nmodules, &held_of(m)->bytes);
	const char *path = d->path.n == 0 ? "" : (const char *)d->path.p;
	int n = (int)d->path.n, id = d->build_id.n > 8 ? 8 : (int)d->build_id.n;
	char text[TEXT_BYTES];

	if (new == NULL)
		return (-1);
	for (int i = n; i-- > 0;)
		if (path[i] == '/') {
			path += i + 1;
			n -= i + 1;
			break;
		}
	n = snprintf(text, sizeof(text), "%.*s%s%.*s", n > 200 ? 200 : n, path,
	    id > 0 ? "#" : "", id, id > 0 ? (const char *)d->build_id.p : "");
	*new = (struct module){ d->start, d->end, d->base, p->module,
		memory_alloc((size_t)n + 1) };
	if (new->called == NULL)
		return (-1);
	memcpy(new->called, text, (size_t)n + 1);
	p->module = ++all->nmodules;
	return (0);
}

/* The name that has this text; 0: none by now. */
static uint32_t
name_of(const struct model *m, const char *text)
{
	uint32_t i = idmap_find(&defs_of(m)->text_map,
	    hash_on(TEXT_HASH, text, strlen(text)));

	return (i == IDMAP_NONE ? 0 : i);
}

static uint32_t
place_of(const struct model *m, const struct po_data *p, uint64_t address)
{
	const struct module *of = NULL;
	char text[TEXT_BYTES];
	uint32_t name = 0;

	for (uint32_t i = p->module; i != 0; i = of->before) {
		of = chunk_at(&sites_of(m)->modules, i - 1);
		if (address < of->start || address >= of->end)
			continue;
		snprintf(text, sizeof(text), "%s+0x%" PRIx64, of->called,
		    address - of->base);
		name = name_of(m, text);
		break;
	}
	if (name != 0)
		return (name);
	/* it was called so before its module was known */
	snprintf(text, sizeof(text), "%" PRIu32 ":0x%" PRIx64, p->pid, address);
	return (name_of(m, text));
}

static struct call_site *
site_of(struct model *m, const struct location *l, const struct event *e)
{
	struct sites *all = sites_of(m);
	uint64_t key =
	    e->b + idmap_mix((uint64_t)l->po_number << 32 | (uint32_t)e->c);
	uint32_t i = idmap_find(&all->map, key);
	struct call_site *s;

	if (i != IDMAP_NONE)
		return (chunk_at(&all->found, i));
	i = atomic_load_explicit(&all->n, memory_order_relaxed);
	if (i == SITES_MAX)
		return (NULL);
	s = chunk_make(&all->found, i, &held_of(m)->bytes);
	if (s == NULL || idmap_add(&all->map, key, i, &held_of(m)->retired,
			     &held_of(m)->bytes) == -1) {
		held_of(m)->failed = ENOMEM;
		return (NULL);
	}
	*s = (struct call_site){ .function = (uint32_t)e->c,
		.node = l->node,
		.po = l->po,
		.address = e->b };
	atomic_store_explicit(&all->n, i + 1, memory_order_release);
	return (s);
}

void
site_event(struct model *m, const struct location *l, const struct event *e)
{
	struct call_site *s;

	if (fetched_of(m)->whole != NULL)
		return; /* it has been told */
	s = site_of(m, l, e);
	if (s == NULL)
		return;
	/* asked for again now and then: its name may come behind it */
	if (s->place == 0 && (s->calls & (s->calls + 1)) == 0)
		PUT(s->place,
		    place_of(m, chunk_at(&defs_of(m)->pos, l->po_number),
			e->b - 1));
	ADD(s->calls, 1);
}

uint32_t
model_call_sites(const struct model *m)
{
	return (atomic_load_explicit(&sites_of(m)->n, memory_order_acquire));
}

struct call_site
model_call_site(const struct model *m, uint32_t i)
{
	const struct call_site *s = chunk_at(&sites_of(m)->found, i);
	struct call_site now = *s;

	now.place = SEE(s->place);
	now.calls = SEE(s->calls);
	return (now);
}
