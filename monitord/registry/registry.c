/*
 * Every node, PO, thread and name of the run.
 *
 * Numbers are dense and given in order of first appearance, so the tables are
 * plain arrays; a hash of indices beside each (registry_index.c) finds a thing
 * by what it is called.  Nothing is ever taken out: a run's things are for
 * ever.
 */
#include "registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "registry_inside.h"

#define NAMES_MAX     (16u << 20)
#define LOCATIONS_MAX (16u << 20)
#define PO_MAX        (4u << 20)
#define PO_NONSENSE   (1u << 30) /* nobody has counted so far */

struct registry *
registry_new(registry_define *define, void *arg)
{
	struct registry *r;

	r = calloc(1, sizeof(*r));
	if (r == NULL)
		return (NULL);
	r->define = define;
	r->arg = arg;
	r->names_max = NAMES_MAX;
	r->locations_max = LOCATIONS_MAX;
	r->po_max = PO_MAX;
	if (registry_array_grow((void **)&r->names, 0, &r->names_cap,
		sizeof(*r->names)) == -1) {
		free(r);
		return (NULL);
	}
	r->nnames = 1;
	return (r);
}

void
registry_free(struct registry *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->nnodes; i++) {
		free(r->nodes[i].name);
		free(r->nodes[i].machine);
		free(r->nodes[i].defined);
	}
	for (size_t i = 1; i < r->nnames; i++)
		free(r->names[i].key);
	free(r->nodes);
	free(r->locations);
	free(r->names);
	free(r->by_thread.slots);
	free(r->by_key.slots);
	intmap_free(&r->modules);
	free(r);
}

uint32_t
registry_find_node(const struct registry *r, const char *name)
{
	for (size_t i = 0; i < r->nnodes; i++)
		if (strcmp(r->nodes[i].name, name) == 0)
			return ((uint32_t)i);
	return (REGISTRY_NONE);
}

static uint32_t
node_add(struct registry *r, const char *name, const char *machine)
{
	struct reg_node *n;

	if (registry_array_grow((void **)&r->nodes, r->nnodes, &r->nodes_cap,
		sizeof(*r->nodes)) == -1)
		return (REGISTRY_NONE);
	n = &r->nodes[r->nnodes];
	n->name = registry_copy(name, strlen(name));
	n->machine = registry_copy(machine, strlen(machine));
	n->next_po = 1;
	if (n->name == NULL || n->machine == NULL) {
		free(n->name);
		free(n->machine);
		return (REGISTRY_NONE);
	}
	return ((uint32_t)r->nnodes++);
}

static int
node_moved(struct reg_node *n, const char *machine)
{
	char *m = registry_copy(machine, strlen(machine));

	if (m == NULL)
		return (-1);
	free(n->machine);
	n->machine = m;
	return (0);
}

uint32_t
registry_node(struct registry *r, const char *name, const char *machine)
{
	struct msg_node def;
	uint32_t i = registry_find_node(r, name);

	if (i == REGISTRY_NONE) {
		i = node_add(r, name, machine);
		if (i == REGISTRY_NONE)
			return (REGISTRY_NONE);
	} else if (strcmp(r->nodes[i].machine, machine) == 0) {
		return (i);
	} else if (node_moved(&r->nodes[i], machine) == -1) {
		return (REGISTRY_NONE);
	}
	def = (struct msg_node){ i, BYTES_STR(name), BYTES_STR(machine) };
	r->define(r->arg, MSG_node, &def);
	return (i);
}

/* Takes note of a PO.  1: it is new, 0: it is not, or too many, -1: cannot. */
static int
po_add(struct registry *r, uint32_t node, uint32_t po)
{
	struct reg_node *n;
	uint8_t *p;
	size_t want;

	if (node >= r->nnodes || po > PO_NONSENSE)
		return (-1);
	if (po > r->po_max)
		return (0);
	n = &r->nodes[node];
	if (po / 8 >= n->defined_bytes) {
		want = (po / 8 + 1) * 2;
		p = realloc(n->defined, want);
		if (p == NULL)
			return (-1);
		memset(p + n->defined_bytes, 0, want - n->defined_bytes);
		n->defined = p;
		n->defined_bytes = want;
	}
	if (n->defined[po / 8] & 1u << po % 8)
		return (0);
	n->defined[po / 8] |= (uint8_t)(1u << po % 8);
	if (po >= n->next_po)
		n->next_po = po + 1;
	return (1);
}

int
registry_po(struct registry *r, const struct msg_po *po)
{
	int added = po_add(r, po->node, po->po);

	/* a collector repeats its definitions; each is written once */
	if (added == 1)
		r->define(r->arg, MSG_po, po);
	return (added == -1 ? -1 : 0);
}

uint32_t
registry_find(const struct registry *r, uint32_t node, uint32_t po,
    uint32_t thread)
{
	const struct index *ix = &r->by_thread;
	const struct location *l;
	size_t at;

	if (ix->cap == 0)
		return (REGISTRY_NONE);
	at = registry_hash_thread(node, po, thread) & (ix->cap - 1);
	for (; ix->slots[at] != 0; at = (at + 1) & (ix->cap - 1)) {
		l = &r->locations[ix->slots[at] - 1];
		if (l->node == node && l->po == po && l->thread == thread)
			return (ix->slots[at] - 1);
	}
	return (REGISTRY_NONE);
}

static uint32_t
location_add(struct registry *r, const struct msg_thread *t)
{
	struct location *l;

	if (r->nlocations >= r->locations_max || t->po > r->po_max)
		return (REGISTRY_BEYOND);
	if (registry_array_grow((void **)&r->locations, r->nlocations,
		&r->locations_cap, sizeof(*r->locations)) == -1 ||
	    registry_index_grow(r, &r->by_thread) == -1)
		return (REGISTRY_NONE);
	l = &r->locations[r->nlocations];
	memset(l, 0, sizeof(*l));
	l->node = t->node;
	l->po = t->po;
	l->thread = t->thread;
	l->floor_mon_ns = INT64_MIN;
	registry_index_put(&r->by_thread,
	    registry_hash_thread(t->node, t->po, t->thread),
	    (uint32_t)r->nlocations);
	return ((uint32_t)r->nlocations++);
}

uint32_t
registry_thread(struct registry *r, const struct msg_thread *t)
{
	struct msg_thread def = *t;
	uint32_t i = registry_find(r, t->node, t->po, t->thread);

	if (i != REGISTRY_NONE)
		return (i);
	i = location_add(r, t);
	if (i == REGISTRY_NONE || i == REGISTRY_BEYOND)
		return (i);
	def.location = i;
	r->define(r->arg, MSG_thread, &def);
	return (i);
}

static uint32_t
find_key(const struct registry *r, const char *key, size_t bytes)
{
	const struct index *ix = &r->by_key;
	const struct reg_name *n;
	size_t at;

	if (ix->cap == 0)
		return (0);
	at = registry_hash_bytes(key, bytes) & (ix->cap - 1);
	for (; ix->slots[at] != 0; at = (at + 1) & (ix->cap - 1)) {
		n = &r->names[ix->slots[at] - 1];
		if (n->key_bytes == bytes && memcmp(n->key, key, bytes) == 0)
			return (ix->slots[at] - 1);
	}
	return (0);
}

/* Takes the key, if it succeeds. */
static uint32_t
name_add(struct registry *r, char *key, size_t bytes)
{
	if (r->nnames >= r->names_max) {
		if (r->names_beyond++ == 0)
			log_warnx("a run has %zu names; what else is named "
				  "stays without",
			    r->names_max);
		return (0);
	}
	if (registry_array_grow((void **)&r->names, r->nnames, &r->names_cap,
		sizeof(*r->names)) == -1 ||
	    registry_index_grow(r, &r->by_key) == -1)
		return (REGISTRY_NONE);
	r->names[r->nnames] =
	    (struct reg_name){ .key = key, .key_bytes = bytes };
	registry_index_put(&r->by_key, registry_hash_bytes(key, bytes),
	    (uint32_t)r->nnames);
	return ((uint32_t)r->nnames++);
}

uint32_t
registry_name(struct registry *r, const struct msg_name *m)
{
	struct msg_name def = *m;
	size_t bytes;
	char *key = registry_key(m, &bytes);
	uint32_t i;

	if (key == NULL)
		return (REGISTRY_NONE);
	i = find_key(r, key, bytes);
	if (i != 0) {
		free(key);
		return (i);
	}
	i = name_add(r, key, bytes);
	if (i == REGISTRY_NONE || i == 0) {
		free(key);
		return (i);
	}
	def.name = i;
	def.po = 0;
	if (def.file.n == 0)
		def.program.n = 0;
	r->define(r->arg, MSG_name, &def);
	return (i);
}

void
registry_symbol(struct registry *r, const struct msg_symbol *m)
{
	struct reg_name *n;

	if (m->name >= r->nnames)
		return;
	n = &r->names[m->name];
	if (m->level != n->levels || n->levels == UINT8_MAX)
		return;
	n->levels++;
	r->define(r->arg, MSG_symbol, m);
}

static uint64_t
module_hash(const struct msg_module *m)
{
	const uint64_t numbers[] = { (uint64_t)m->node << 32 | m->po, m->start,
		m->end, m->base, registry_hash_bytes(m->path.p, m->path.n),
		registry_hash_bytes(m->build_id.p, m->build_id.n) };

	return (registry_hash_bytes(numbers, sizeof(numbers)));
}

/* 1: it is new. */
static int
module_add(struct registry *r, const struct msg_module *m)
{
	uint64_t key = module_hash(m);

	if (intmap_find(&r->modules, key) != NULL)
		return (0);
	if (intmap_reserve(&r->modules) == -1)
		return (-1);
	intmap_put(&r->modules, key, r);
	return (1);
}

int
registry_module(struct registry *r, const struct msg_module *m)
{
	int rc = module_add(r, m);

	if (rc == 1)
		r->define(r->arg, MSG_module, m);
	return (rc == -1 ? -1 : 0);
}

static int
restore_node(struct registry *r, const struct frame *f)
{
	struct msg_node m;
	char name[256], machine[256];

	if (frame_decode(f, MSG_node, &m) == -1 || m.name.n >= sizeof(name) ||
	    m.machine.n >= sizeof(machine))
		return (-1);
	memcpy(name, m.name.p, m.name.n);
	name[m.name.n] = '\0';
	memcpy(machine, m.machine.p, m.machine.n);
	machine[m.machine.n] = '\0';
	if (m.node < r->nnodes)
		return (node_moved(&r->nodes[m.node], machine));
	if (m.node != r->nnodes)
		return (-1);
	return (node_add(r, name, machine) == REGISTRY_NONE ? -1 : 0);
}

static int
restore_po(struct registry *r, const struct frame *f)
{
	struct msg_po m;

	if (frame_decode(f, MSG_po, &m) == -1)
		return (-1);
	return (po_add(r, m.node, m.po) == -1 ? -1 : 0);
}

static int
restore_thread(struct registry *r, const struct frame *f)
{
	struct msg_thread m;

	if (frame_decode(f, MSG_thread, &m) == -1 ||
	    m.location != r->nlocations)
		return (-1);
	return (location_add(r, &m) == m.location ? 0 : -1);
}

static int
restore_name(struct registry *r, const struct frame *f)
{
	struct msg_name m;
	size_t bytes;
	char *key;

	if (frame_decode(f, MSG_name, &m) == -1 || m.name == 0 ||
	    m.name > r->nnames)
		return (-1);
	if (m.name < r->nnames)
		return (0); /* its place came later, in a log of old */
	key = registry_key(&m, &bytes);
	if (key == NULL || name_add(r, key, bytes) != m.name) {
		free(key);
		return (-1);
	}
	return (0);
}

static int
restore_symbol(struct registry *r, const struct frame *f)
{
	struct msg_symbol m;

	if (frame_decode(f, MSG_symbol, &m) == -1)
		return (-1);
	if (m.name < r->nnames && m.level == r->names[m.name].levels &&
	    m.level < UINT8_MAX)
		r->names[m.name].levels++;
	return (0);
}

static int
restore_module(struct registry *r, const struct frame *f)
{
	struct msg_module m;

	if (frame_decode(f, MSG_module, &m) == -1)
		return (-1);
	return (module_add(r, &m) == -1 ? -1 : 0);
}

int
registry_restore(struct registry *r, const struct frame *f)
{
	static int (*const restore[MSG_TYPES])(struct registry *,
	    const struct frame *) = {
		[MSG_node] = restore_node,
		[MSG_po] = restore_po,
		[MSG_thread] = restore_thread,
		[MSG_name] = restore_name,
		[MSG_module] = restore_module,
		[MSG_symbol] = restore_symbol,
	};

	/* whatever else may be in a log is nothing to us */
	if (f->type >= MSG_TYPES || restore[f->type] == NULL)
		return (0);
	return (restore[f->type](r, f));
}

struct location *
registry_location(struct registry *r, uint32_t location)
{
	assert(location < r->nlocations);
	return (&r->locations[location]);
}

const char *
registry_node_name(const struct registry *r, uint32_t node)
{
	return (node < r->nnodes ? r->nodes[node].name : "?");
}

const char *
registry_node_machine(const struct registry *r, uint32_t node)
{
	return (node < r->nnodes ? r->nodes[node].machine : "");
}

uint32_t
registry_next_po(const struct registry *r, uint32_t node)
{
	return (node < r->nnodes ? r->nodes[node].next_po : 1);
}

bool
registry_name_is(const struct registry *r, uint32_t name, const char *text)
{
	const struct reg_name *n;
	size_t bytes = strlen(text);

	if (name == 0 || name >= r->nnames)
		return (false);
	n = &r->names[name];
	if (n->key_bytes < bytes)
		return (false);
	/* a key begins with it, and ends there if it has no place */
	return (memcmp(n->key, text, bytes) == 0 &&
		(n->key_bytes == bytes || n->key[bytes] == '\0'));
}

uint32_t
registry_nodes(const struct registry *r)
{
	return ((uint32_t)r->nnodes);
}

uint32_t
registry_locations(const struct registry *r)
{
	return ((uint32_t)r->nlocations);
}

uint32_t
registry_names(const struct registry *r)
{
	return ((uint32_t)r->nnames - 1);
}
