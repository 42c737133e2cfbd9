/*
 * The definitions of a run, by number.
 *
 * Numbers come from a file or a peer and may be anything up to a limit, so each
 * table is a hash and its size is that of what was really defined.  Strings
 * live in an arena that goes all at once; a definition that comes again
 * replaces the old one in place.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intmap.h"
#include "plain.h"
#include "tracefile.h"

/* Entries by number; the entries never move. */
struct table {
	struct intmap map;
	uint32_t highest;
};

struct chunk {
	struct chunk *next;
	size_t used, bytes;
	char p[];
};

#define CHUNK_BYTES ((size_t)16 << 10)

void
tracefile_kind(const struct event_desc *d, struct msg_kind *m)
{
	*m = (struct msg_kind){ .kind = d->kind,
		.name = BYTES_STR(d->name),
		.class = d->class,
		.shape = d->shape,
		.span = d->span,
		.role = d->role,
		.partner = d->partner,
		.key = d->key,
		.match = d->match,
		.a = BYTES_STR(d->a),
		.b = BYTES_STR(d->b),
		.c = BYTES_STR(d->c),
		.what = BYTES_STR(d->what) };
}

struct defs {
	struct table nodes, pos, threads, names, kinds;
	struct def_module *modules, **modules_end;
	struct chunk *arena;
};

struct defs *
defs_new(void)
{
	return (calloc(1, sizeof(struct defs)));
}

void
defs_free(struct defs *d)
{
	if (d == NULL)
		return;
	while (d->arena != NULL) {
		struct chunk *c = d->arena;

		d->arena = c->next;
		free(c);
	}
	intmap_free(&d->nodes.map);
	intmap_free(&d->pos.map);
	intmap_free(&d->threads.map);
	intmap_free(&d->names.map);
	intmap_free(&d->kinds.map);
	free(d);
}

/* Zeroed memory that lives as long as the table. */
static void *
take(struct defs *d, size_t n)
{
	struct chunk *c = d->arena;
	void *p;

	n = (n + 15) & ~(size_t)15;
	if (c == NULL || c->bytes - c->used < n) {
		size_t bytes = n > CHUNK_BYTES ? n : CHUNK_BYTES;

		c = calloc(1, sizeof(*c) + bytes);
		if (c == NULL)
			return (NULL);
		c->bytes = bytes;
		c->next = d->arena;
		d->arena = c;
	}
	p = c->p + c->used;
	c->used += n;
	return (p);
}

/*
 * The entry of this key, made with this size if need be; NULL: ENOMEM, or
 * EINVAL for a number that is too high.
 */
static void *
entry(struct defs *d, struct table *t, uint64_t key, size_t size)
{
	void *e = intmap_find(&t->map, key);

	if (e != NULL)
		return (e);
	if ((uint32_t)key > DEFS_NUMBER_MAX || key >> 32 > DEFS_NUMBER_MAX) {
		errno = EINVAL;
		return (NULL);
	}
	e = take(d, size);
	if (e == NULL || intmap_reserve(&t->map) == -1)
		return (NULL);
	intmap_put(&t->map, key, e);
	if ((uint32_t)key > t->highest)
		t->highest = (uint32_t)key;
	return (e);
}

/*
 * Sets *to to a copy that may be printed; keeps what is there when it is the
 * same.
 */
static int
set_text(struct defs *d, char **to, struct bytes from)
{
	char *shown = malloc(PLAIN_BYTES(from.n)), *p;
	size_t n;

	if (shown == NULL)
		return (-1);
	n = plain(shown, PLAIN_BYTES(from.n), from.p, from.n);
	if (*to == NULL || strcmp(*to, shown) != 0) {
		p = take(d, n + 1);
		if (p == NULL) {
			free(shown);
			return (-1);
		}
		memcpy(p, shown, n);
		*to = p;
	}
	free(shown);
	return (0);
}

static int
add_node(struct defs *d, const void *msg)
{
	const struct msg_node *m = msg;
	struct def_node *e = entry(d, &d->nodes, m->node, sizeof(*e));

	if (e == NULL || set_text(d, &e->name, m->name) == -1 ||
	    set_text(d, &e->machine, m->machine) == -1)
		return (-1);
	e->node = m->node;
	return (0);
}

static int
add_po(struct defs *d, const void *msg)
{
	const struct msg_po *m = msg;
	struct def_po *e =
	    entry(d, &d->pos, (uint64_t)m->node << 32 | m->po, sizeof(*e));

	if (e == NULL || set_text(d, &e->program, m->program) == -1 ||
	    set_text(d, &e->command, m->command) == -1)
		return (-1);
	e->node = m->node;
	e->po = m->po;
	e->parent_po = m->parent_po;
	e->pid = m->pid;
	e->t_node_ns = m->t_node_ns;
	return (0);
}

static int
add_thread(struct defs *d, const void *msg)
{
	const struct msg_thread *m = msg;
	struct def_thread *e = entry(d, &d->threads, m->location, sizeof(*e));

	if (e == NULL || set_text(d, &e->name, m->name) == -1)
		return (-1);
	e->location = m->location;
	e->node = m->node;
	e->po = m->po;
	e->thread = m->thread;
	e->tid = m->tid;
	return (0);
}

static int
add_name(struct defs *d, const void *msg)
{
	const struct msg_name *m = msg;
	struct def_name *e = entry(d, &d->names, m->name, sizeof(*e));

	if (e != NULL && e->symbol != NULL)
		return (0); /* it is known better */
	if (e == NULL || set_text(d, &e->text, m->text) == -1 ||
	    set_text(d, &e->file, m->file) == -1 ||
	    set_text(d, &e->program, m->program) == -1)
		return (-1);
	e->name = m->name;
	e->line = m->line;
	return (0);
}

/* From now on the name is the function of level 0; the others come behind. */
static int
add_symbol(struct defs *d, const void *msg)
{
	const struct msg_symbol *m = msg;
	struct def_name *e = entry(d, &d->names, m->name, sizeof(*e));
	struct def_symbol *s, **at;
	unsigned level = 0;

	if (e == NULL)
		return (-1);
	for (at = &e->symbol; *at != NULL && level < m->level; level++)
		at = &(*at)->into;
	if (level != m->level || *at != NULL)
		return (0); /* told before, or one is missing */
	s = take(d, sizeof(*s));
	if (s == NULL || set_text(d, &s->function, m->function) == -1 ||
	    set_text(d, &s->file, m->file) == -1)
		return (-1);
	s->line = m->line;
	s->first = m->first;
	*at = s;
	if (level > 0)
		return (0);
	e->name = m->name;
	e->place = e->text;
	e->text = s->function;
	e->file = s->file;
	e->line = s->line;
	return (e->program != NULL
		    ? 0
		    : set_text(d, &e->program, (struct bytes){ "", 0 }));
}

static int
add_module(struct defs *d, const void *msg)
{
	const struct msg_module *m = msg;
	struct def_module *e = take(d, sizeof(*e));

	if (e == NULL || set_text(d, &e->build_id, m->build_id) == -1 ||
	    set_text(d, &e->path, m->path) == -1)
		return (-1);
	e->node = m->node;
	e->po = m->po;
	e->start = m->start;
	e->end = m->end;
	e->base = m->base;
	if (d->modules_end == NULL)
		d->modules_end = &d->modules;
	*d->modules_end = e;
	d->modules_end = &e->next;
	return (0);
}

static int
add_kind(struct defs *d, const void *msg)
{
	const struct msg_kind *m = msg;
	struct event_desc *e;
	char *text[5] = { 0 };

	if (m->kind == 0 || m->kind >= EVENT_KINDS || m->name.n == 0)
		return (0); /* of no use, and no harm */
	e = entry(d, &d->kinds, m->kind, sizeof(*e));
	if (e == NULL || set_text(d, &text[0], m->name) == -1 ||
	    set_text(d, &text[1], m->a) == -1 ||
	    set_text(d, &text[2], m->b) == -1 ||
	    set_text(d, &text[3], m->c) == -1 ||
	    set_text(d, &text[4], m->what) == -1)
		return (-1);
	e->name = text[0];
	e->a = text[1];
	e->b = text[2];
	e->c = text[3];
	e->what = text[4];
	e->kind = m->kind;
	e->partner = m->partner < EVENT_KINDS ? m->partner : EV_none;
	/* what a newer log may have and we have not is taken for the least */
	e->class = m->class < EVENT_CLASSES ? m->class : CLASS_note;
	e->shape = m->shape <= SHAPE_END ? m->shape : SHAPE_POINT;
	e->span = m->span < EVENT_SPANS ? m->span : SPAN_none;
	e->role = m->role <= ROLE_EFFECT ? m->role : ROLE_NONE;
	e->key = m->key <= KEY_AB ? m->key : KEY_A;
	e->match = m->match <= MATCH_all ? m->match : MATCH_one;
	return (0);
}

int
defs_add(struct defs *d, const struct frame *f)
{
	static int (*const add[MSG_TYPES])(struct defs *, const void *) = {
		[MSG_node] = add_node,
		[MSG_po] = add_po,
		[MSG_thread] = add_thread,
		[MSG_name] = add_name,
		[MSG_kind] = add_kind,
		[MSG_module] = add_module,
		[MSG_symbol] = add_symbol,
	};
	union {
		struct msg_node node;
		struct msg_po po;
		struct msg_thread thread;
		struct msg_name name;
		struct msg_kind kind;
		struct msg_module module;
		struct msg_symbol symbol;
	} m;

	if (f->type >= MSG_TYPES || add[f->type] == NULL)
		return (0);
	if (msg_decode(f->type, f->body, f->body_bytes, &m) == -1) {
		errno = EINVAL;
		return (-1);
	}
	return (add[f->type](d, &m));
}

const struct def_node *
defs_node(const struct defs *d, uint32_t node)
{
	return (intmap_find(&d->nodes.map, node));
}

const struct def_po *
defs_po(const struct defs *d, uint32_t node, uint32_t po)
{
	return (intmap_find(&d->pos.map, (uint64_t)node << 32 | po));
}

const struct def_thread *
defs_thread(const struct defs *d, uint32_t location)
{
	return (intmap_find(&d->threads.map, location));
}

const struct def_name *
defs_name(const struct defs *d, uint32_t name)
{
	return (intmap_find(&d->names.map, name));
}

const struct def_module *
defs_modules(const struct defs *d)
{
	return (d->modules);
}

const struct def_module *
defs_module(const struct defs *d, uint32_t node, uint32_t po, uint64_t address)
{
	const struct def_module *found = NULL;

	for (const struct def_module *m = d->modules; m != NULL; m = m->next)
		if (m->node == node && m->po == po && address >= m->start &&
		    address < m->end)
			found = m;
	return (found);
}

const struct event_desc *
defs_kind(const struct defs *d, unsigned kind)
{
	const struct event_desc *e = intmap_find(&d->kinds.map, kind);

	return (e != NULL ? e : event_desc(kind));
}

uint32_t
defs_nodes(const struct defs *d)
{
	return (d->nodes.highest);
}

uint32_t
defs_locations(const struct defs *d)
{
	return (d->threads.highest);
}

uint32_t
defs_names(const struct defs *d)
{
	return (d->names.highest);
}

const char *
defs_name_text(const struct defs *d, uint32_t name)
{
	static _Thread_local char unknown[8][16];
	static _Thread_local unsigned turn;
	const struct def_name *e = defs_name(d, name);
	char *p;

	if (e != NULL)
		return (e->text);
	if (name == 0)
		return ("");
	p = unknown[turn++ % 8];
	snprintf(p, sizeof(unknown[0]), "?%u", name);
	return (p);
}

static const char *
text_of(const void *defs, uint32_t name)
{
	const struct def_name *n = defs_name(defs, name);

	return (n == NULL ? NULL : n->text);
}

struct own *
defs_own(const struct defs *d)
{
	return (own_new(text_of, d));
}
