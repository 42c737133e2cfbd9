/*
 * Definitions: copied from the log into tables by number.  Numbers are dense
 * in a good log; absurd ones are refused, so that a damaged frame cannot make
 * us allocate the world.  What is defined twice keeps its first meaning; what
 * refers to something that is not there is left out (odd.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/keep/memory.h"
#include "model/run/inside.h"

static int
define_text(struct model *m, _Atomic(char *) *where, struct bytes s)
{
	char *copy;

	if (atomic_load_explicit(where, memory_order_relaxed) != NULL)
		return (0);
	copy = memory_alloc(s.n + 1);
	if (copy == NULL)
		return (-1);
	if (s.n > 0)
		memcpy(copy, s.p, s.n);
	copy[s.n] = '\0';
	atomic_fetch_add_explicit(&held_of(m)->bytes, s.n + 1,
	    memory_order_relaxed);
	atomic_store_explicit(where, copy, memory_order_release);
	return (0);
}

static int
refuse(struct model *m, enum odd what, uint32_t number)
{
	odd_note(m, what, number);
	errno = EINVAL;
	return (-1);
}

/* Its place among those of lower names; those of higher ones move on. */
static void
node_rank(struct model *m, uint32_t node)
{
	struct node_data *n = chunk_at(&defs_of(m)->nodes, node), *other;
	const char *name = atomic_load(&n->name), *of;
	uint32_t count = model_nodes(m) + 1, rank = 0;

	for (uint32_t i = 1; i < count && count <= NODES_RANKED; i++) {
		other = i == node ? NULL : chunk_at(&defs_of(m)->nodes, i);
		of = other == NULL ? NULL : atomic_load(&other->name);
		if (of == NULL || name == NULL)
			continue;
		if (strverscmp(of, name) < 0)
			rank++;
		else
			atomic_fetch_add(&other->rank, 1);
	}
	atomic_store(&n->rank, count <= NODES_RANKED ? rank : node - 1);
}

static int
define_node(struct model *m, const struct frame *f)
{
	struct msg_node d;
	struct node_data *n;
	bool first;

	if (msg_decode(MSG_node, f->body, f->body_bytes, &d) == -1)
		return (refuse(m, ODD_FRAME, MSG_node));
	if (!node_is_possible(m, d.node))
		return (refuse(m, ODD_NUMBER, d.node));
	if (lane_of_node(m, d.node) == UINT32_MAX)
		return (-1);
	n = chunk_at(&defs_of(m)->nodes, d.node);
	first = atomic_load(&n->name) == NULL;
	if (define_text(m, &n->name, d.name) == -1)
		return (-1);
	if (first && d.node != 0)
		node_rank(m, d.node);
	return (0);
}

/* Number of a PO by order of definition; made when it is new. */
static uint32_t
po_number(struct model *m, uint32_t node, uint32_t po)
{
	uint64_t key = (uint64_t)node << 32 | po;
	uint32_t i = idmap_find(&defs_of(m)->po_map, key), above;
	struct lane pub = { .kind = LANE_PO, .node = node, .po = po };
	struct po_data *p;

	if (i != IDMAP_NONE)
		return (i);
	i = atomic_load_explicit(&defs_of(m)->npos, memory_order_relaxed);
	above = lane_of_node(m, node);
	p = chunk_make(&defs_of(m)->pos, i, &held_of(m)->bytes);
	if (p == NULL || above == UINT32_MAX)
		return (IDMAP_NONE);
	pub.parent = above;
	p->node = node;
	p->po = po;
	/* PO 0 is the collector: it has a word to say but no row */
	p->lane = po == 0 ? above : lane_add(m, &pub, 0);
	p->life.begin_mon_ns = p->life.end_mon_ns = INT64_MAX;
	chunk_init(&p->talks, sizeof(struct talk_places), 4);
	if (p->lane == UINT32_MAX ||
	    idmap_add(&defs_of(m)->po_map, key, i, &held_of(m)->retired,
		&held_of(m)->bytes) == -1)
		return (IDMAP_NONE);
	atomic_store_explicit(&defs_of(m)->npos, i + 1, memory_order_release);
	return (i);
}

/* Which process has forked this one, or become it. */
static void
define_parent(struct model *m, uint32_t node, uint32_t number, uint32_t parent)
{
	const struct po_data *p = chunk_at(&defs_of(m)->pos, number), *up;
	uint32_t i = parent == 0 ? IDMAP_NONE : po_number(m, node, parent);

	if (i == IDMAP_NONE || i == number)
		return;
	up = chunk_at(&defs_of(m)->pos, i);
	atomic_store_explicit(&lane_at(m, p->lane)->maker, up->lane + 1,
	    memory_order_relaxed);
}

static int
define_po(struct model *m, const struct frame *f)
{
	struct msg_po d;
	uint32_t i;

	if (msg_decode(MSG_po, f->body, f->body_bytes, &d) == -1)
		return (refuse(m, ODD_FRAME, MSG_po));
	if (!node_is_possible(m, d.node))
		return (refuse(m, ODD_NUMBER, d.node));
	i = po_number(m, d.node, d.po);
	if (i == IDMAP_NONE)
		return (-1);
	define_parent(m, d.node, i, d.parent_po);
	((struct po_data *)chunk_at(&defs_of(m)->pos, i))->pid = d.pid;
	return (define_text(m,
	    &((struct po_data *)chunk_at(&defs_of(m)->pos, i))->program,
	    d.program));
}

/* The first one of a process is what it is run from; the rest are libraries. */
static int
define_module(struct model *m, const struct frame *f)
{
	struct msg_module d;
	struct po_data *p;
	uint32_t i;

	if (msg_decode(MSG_module, f->body, f->body_bytes, &d) == -1)
		return (refuse(m, ODD_FRAME, MSG_module));
	i = idmap_find(&defs_of(m)->po_map, (uint64_t)d.node << 32 | d.po);
	if (i == IDMAP_NONE)
		return (0);
	p = chunk_at(&defs_of(m)->pos, i);
	if (site_module(m, p, &d) == -1)
		return (-1);
	if (define_text(m, &p->build_id, d.build_id) == -1)
		return (-1);
	return (define_text(m, &p->file, d.path));
}

void
define_po_life(struct model *m, const struct location *l, const struct event *e)
{
	struct po_data *p = chunk_at(&defs_of(m)->pos, l->po_number);

	if (l->po == 0)
		return;
	if (e->kind == EV_po_begin) {
		PUT(p->life.pid, e->a);
		PUT(p->life.begin_mon_ns, e->t_mon_ns);
		return;
	}
	PUT(p->life.ending, e->c);
	PUT(p->life.clean, e->b != 0);
	PUT(p->life.end_mon_ns, e->t_mon_ns);
}

static struct location *
location_make(struct model *m, uint32_t number, uint32_t node, uint32_t po,
    uint32_t thread)
{
	struct lane pub = { .kind = LANE_THREAD,
		.node = node,
		.po = po,
		.thread = thread,
		.location = number };
	_Atomic uint32_t *lane;
	struct location *l;
	uint32_t i;

	l = chunk_make(&defs_of(m)->locations, number, &held_of(m)->bytes);
	lane =
	    chunk_make(&defs_of(m)->location_lane, number, &held_of(m)->bytes);
	if (l == NULL || lane == NULL)
		return (NULL);
	if (l->known)
		return (l);
	i = po_number(m, node, po);
	if (i == IDMAP_NONE)
		return (NULL);
	l->node = node;
	l->po = po;
	l->thread = thread;
	l->po_number = i;
	l->first_ns = INT64_MAX;
	l->last_ns = INT64_MIN;
	pub.parent = ((struct po_data *)chunk_at(&defs_of(m)->pos, i))->lane;
	l->lane = pub.parent;
	if (po != 0 && thread != 0) {
		l->lane = lane_add(m, &pub, 1);
		if (l->lane == UINT32_MAX)
			return (NULL);
		l->runs = 1;
	}
	l->known = 1;
	atomic_store_explicit(lane, l->lane + 1, memory_order_release);
	if (number >=
	    atomic_load_explicit(&defs_of(m)->nlocations, memory_order_relaxed))
		atomic_store_explicit(&defs_of(m)->nlocations, number + 1,
		    memory_order_release);
	return (l);
}

/* For events; a location that was never defined is a thread of node 0. */
struct location *
define_location(struct model *m, uint32_t number)
{
	struct location *l;

	l = chunk_at(&defs_of(m)->locations, number);
	if (l != NULL && l->known)
		return (l);
	if (fetched_of(m)->whole != NULL)
		return (NULL);
	if (number != 0) /* which is monitord's own */
		odd_note(m, ODD_LOCATION, number);
	if (!number_is_possible(m, number))
		return (NULL);
	return (location_make(m, number, 0, 0, number));
}

static int
define_thread(struct model *m, const struct frame *f)
{
	struct msg_thread d;
	struct location *l;
	struct lane_data *lane;

	if (msg_decode(MSG_thread, f->body, f->body_bytes, &d) == -1)
		return (refuse(m, ODD_FRAME, MSG_thread));
	if (!number_is_possible(m, d.location))
		return (refuse(m, ODD_NUMBER, d.location));
	if (!node_is_possible(m, d.node))
		return (refuse(m, ODD_NUMBER, d.node));
	l = location_make(m, d.location, d.node, d.po, d.thread);
	if (l == NULL)
		return (-1);
	if (!l->runs)
		return (0);
	lane = lane_at(m, l->lane);
	return (d.name.n == 0 ? 0 : define_text(m, &lane->label, d.name));
}

uint64_t
hash_on(uint64_t h, const void *p, size_t n)
{
	const uint8_t *b = p;

	for (size_t i = 0; i < n; i++)
		h = (h ^ b[i]) * 0x100000001b3u;
	return ((h ^ 0x100) * 0x100000001b3u);
}

/* Two names have this hash of what they are called: both are told so. */
static int
share_name(struct model *m, uint32_t name, uint64_t hash,
    enum name_shared shared)
{
	struct idmap *map = &defs_of(m)->text_map;
	uint32_t other = idmap_find(map, hash);
	struct name_data *n;

	if (other == IDMAP_NONE)
		return (idmap_add(map, hash, name, &held_of(m)->retired,
		    &held_of(m)->bytes));
	for (int i = 0; i < 2 && other != name; i++) {
		n = chunk_at(&defs_of(m)->names, i == 0 ? other : name);
		if (n != NULL && SEE(n->shared) < (uint32_t)shared)
			PUT(n->shared, (uint32_t)shared);
	}
	return (0);
}

static int
name_called(struct model *m, const struct msg_name *d)
{
	uint64_t text = hash_on(TEXT_HASH, d->text.p, d->text.n);
	uint64_t place = hash_on(text, d->file.p, d->file.n);

	if (share_name(m, d->name, text, NAME_TEXT_SHARED) == -1)
		return (-1);
	place = hash_on(place, &d->line, sizeof(d->line));
	return (share_name(m, d->name, place, NAME_PLACE_SHARED));
}

static int
define_name(struct model *m, const struct frame *f)
{
	struct msg_name d;
	struct name_data *n;

	if (msg_decode(MSG_name, f->body, f->body_bytes, &d) == -1)
		return (refuse(m, ODD_FRAME, MSG_name));
	if (!number_is_possible(m, d.name))
		return (refuse(m, ODD_NUMBER, d.name));
	n = chunk_make(&defs_of(m)->names, d.name, &held_of(m)->bytes);
	if (n == NULL)
		return (-1);
	if (atomic_load(&n->text) == NULL)
		n->line = d.line;
	if (define_text(m, &n->file, d.file) == -1 ||
	    define_text(m, &n->program, d.program) == -1 ||
	    define_text(m, &n->text, d.text) == -1 || name_called(m, &d) == -1)
		return (-1);
	if (d.name >=
	    atomic_load_explicit(&defs_of(m)->nnames, memory_order_relaxed))
		atomic_store_explicit(&defs_of(m)->nnames, d.name + 1,
		    memory_order_release);
	return (0);
}

/* Levels come one after the other; each is a line more. */
static int
compiled_into(struct model *m, struct name_data *n, const struct msg_symbol *d)
{
	char *before = atomic_load(&n->into), *text;
	size_t had = before == NULL ? 0 : strlen(before) + 1;

	if (n->place == NULL || d->level != n->levels + 1)
		return (0);
	text = memory_zero(had + d->function.n + 1, 1);
	if (text == NULL)
		return (-1);
	if (had > 0) {
		memcpy(text, before, had - 1);
		text[had - 1] = '\n';
	}
	if (d->function.n > 0)
		memcpy(text + had, d->function.p, d->function.n);
	n->levels++;
	atomic_store(&n->into, text);
	if (before != NULL)
		retired_add(&held_of(m)->retired, before);
	return (0);
}

/*
 * The name of a place in the code is the function from now on.  What it was
 * called before stays: readers may have it in hand.
 */
static int
define_symbol(struct model *m, const struct frame *f)
{
	struct msg_symbol d;
	_Atomic(char *) text = NULL, file = NULL;
	struct msg_name as;
	struct name_data *n;

	if (msg_decode(MSG_symbol, f->body, f->body_bytes, &d) == -1)
		return (refuse(m, ODD_FRAME, MSG_symbol));
	n = d.name >= model_names(m) ? NULL
				     : chunk_at(&defs_of(m)->names, d.name);
	if (n == NULL || atomic_load(&n->text) == NULL)
		return (refuse(m, ODD_FRAME, MSG_symbol));
	if (d.level > 0)
		return (compiled_into(m, n, &d));
	if (n->place != NULL)
		return (0);
	if (define_text(m, &file, d.file) == -1 ||
	    define_text(m, &text, d.function) == -1) {
		memory_free(atomic_load(&file));
		return (-1);
	}
	n->line = d.line;
	n->first = d.first;
	n->place_file = atomic_exchange(&n->file, atomic_load(&file));
	n->place = atomic_exchange(&n->text, atomic_load(&text));
	as = (struct msg_name){ .name = d.name,
		.text = d.function,
		.file = d.file,
		.line = d.line };
	/* a place within a function is not another function of its name */
	return (d.line != d.first ? 0 : name_called(m, &as));
}

static int
define_segment(struct model *m, const struct frame *f)
{
	struct msg_segment d;
	struct node_data *n;

	if (msg_decode(MSG_segment, f->body, f->body_bytes, &d) == -1)
		return (refuse(m, ODD_FRAME, MSG_segment));
	n = node_defined(m, d.node);
	if (n == NULL)
		return (refuse(m, ODD_SEGMENT, d.node));
	if (!time_is_near(d.base_mon_ns))
		return (refuse(m, ODD_TIME, MSG_segment));
	health_segment(m, n, &d);
	return (0);
}

/* A kind that we do not know: the log says what to do with it. */
static int
define_kind(struct model *m, const struct frame *f)
{
	struct msg_kind d;
	struct kind_info *k;

	if (msg_decode(MSG_kind, f->body, f->body_bytes, &d) == -1)
		return (refuse(m, ODD_FRAME, MSG_kind));
	if (d.kind == EV_none || d.kind >= EVENT_KINDS)
		return (refuse(m, ODD_KIND, d.kind));
	k = &held_of(m)->kinds[d.kind];
	if (k->known || d.shape > SHAPE_END || d.span >= EVENT_SPANS)
		return (0); /* a newer log may have more of them */
	k->known = 1;
	k->shape = d.shape;
	k->span = d.span;
	k->class = d.class;
	k->named = d.c.n > 5 &&
		   memcmp((const char *)d.c.p + d.c.n - 5, ":name", 5) == 0;
	return (0);
}

static int
define_receipt(struct model *m, const struct frame *f)
{
	struct msg_receipt d;

	if (msg_decode(MSG_receipt, f->body, f->body_bytes, &d) == -1)
		return (refuse(m, ODD_FRAME, MSG_receipt));
	atomic_store(&facts_of(m)->finished, 1);
	return (0);
}

int
define_frame(struct model *m, const struct frame *f)
{
	static int (*const take[MSG_TYPES])(struct model *,
	    const struct frame *) = {
		[MSG_kind] = define_kind,
		[MSG_node] = define_node,
		[MSG_po] = define_po,
		[MSG_thread] = define_thread,
		[MSG_name] = define_name,
		[MSG_segment] = define_segment,
		[MSG_module] = define_module,
		[MSG_symbol] = define_symbol,
		[MSG_receipt] = define_receipt,
	};

	if (f->type >= MSG_TYPES || take[f->type] == NULL)
		return (0);
	return (take[f->type](m, f));
}

static void
location_clear(struct location *l)
{
	memory_free(l->stack);
	memory_free(l->deep_lane);
	functions_forget(l);
}

void
define_clear(struct model *m)
{
	struct name_data *n;
	struct node_data *d;
	struct po_data *p;
	struct location *l;

	for (uint32_t i = 0; i < defs_of(m)->nnames; i++)
		if ((n = chunk_at(&defs_of(m)->names, i)) != NULL) {
			memory_free(atomic_load(&n->text));
			memory_free(atomic_load(&n->file));
			memory_free(atomic_load(&n->program));
			memory_free(n->place);
			memory_free(atomic_load(&n->into));
			memory_free(n->place_file);
		}
	for (uint32_t i = 0; i < defs_of(m)->nnodes; i++)
		if ((d = chunk_at(&defs_of(m)->nodes, i)) != NULL) {
			memory_free(atomic_load(&d->name));
			health_clear(d);
		}
	for (uint32_t i = 0; i < defs_of(m)->npos; i++) {
		p = chunk_at(&defs_of(m)->pos, i);
		memory_free(atomic_load(&p->program));
		memory_free(atomic_load(&p->file));
		memory_free(atomic_load(&p->build_id));
		chunk_clear(&p->talks);
	}
	for (uint32_t i = 0; i < defs_of(m)->nlocations; i++)
		if ((l = chunk_at(&defs_of(m)->locations, i)) != NULL)
			location_clear(l);
	chunk_clear(&defs_of(m)->names);
	chunk_clear(&defs_of(m)->nodes);
	chunk_clear(&defs_of(m)->pos);
	chunk_clear(&defs_of(m)->locations);
	chunk_clear(&defs_of(m)->location_lane);
	idmap_clear(&defs_of(m)->po_map);
	idmap_clear(&defs_of(m)->text_map);
}
