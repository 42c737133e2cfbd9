/*
 * What was defined, for readers: names and places in the program, nodes and
 * processes, what a lane is called.
 */
#include <stdio.h>
#include <string.h>

#include "model/run/hand.h"
#include "model/run/inside.h"

const char *
model_name(const struct model *m, uint32_t name)
{
	const struct hand *h = model_hand(m);
	const char *s = h == NULL ? NULL : hand_called(&h->functions, name);

	return (s != NULL ? s : model_name_recorded(m, name));
}

const char *
model_name_recorded(const struct model *m, uint32_t name)
{
	const struct name_data *n =
	    name >= model_names(m) ? NULL : chunk_at(&defs_of(m)->names, name);

	return (n == NULL
		    ? NULL
		    : atomic_load_explicit(&n->text, memory_order_acquire));
}

const char *
model_name_code(const struct model *m, uint32_t name)
{
	const struct name_data *n =
	    name >= model_names(m) ? NULL : chunk_at(&defs_of(m)->names, name);

	return (
	    n == NULL ? NULL : __atomic_load_n(&n->place, __ATOMIC_ACQUIRE));
}

const char *
model_name_into(const struct model *m, uint32_t name)
{
	const struct name_data *n =
	    name >= model_names(m) ? NULL : chunk_at(&defs_of(m)->names, name);

	return (n == NULL ? NULL : atomic_load(&n->into));
}

const char *
model_name_program(const struct model *m, uint32_t name)
{
	const struct name_data *n;

	if (model_name_recorded(m, name) == NULL)
		return (NULL);
	n = chunk_at(&defs_of(m)->names, name);
	return (atomic_load_explicit(&n->program, memory_order_acquire));
}

enum name_shared
model_name_shared(const struct model *m, uint32_t name)
{
	const struct name_data *n;

	if (model_name_recorded(m, name) == NULL)
		return (NAME_ALONE);
	n = chunk_at(&defs_of(m)->names, name);
	return ((enum name_shared)SEE(n->shared));
}

const char *
model_name_place(const struct model *m, uint32_t name, uint32_t *line)
{
	const struct name_data *n;

	*line = 0;
	if (model_name_recorded(m, name) == NULL)
		return (NULL);
	n = chunk_at(&defs_of(m)->names, name);
	*line = n->line;
	return (atomic_load_explicit(&n->file, memory_order_acquire));
}

uint32_t
model_name_declared(const struct model *m, uint32_t name)
{
	const struct name_data *n;

	if (model_name_recorded(m, name) == NULL)
		return (0);
	n = chunk_at(&defs_of(m)->names, name);
	return (model_name_code(m, name) != NULL ? n->first : n->line);
}

/* What the user calls a row; NULL: as it was recorded. */
static const char *
row_called(const struct model *m, uint32_t lane)
{
	const struct hand *h = model_hand(m);

	return (h == NULL ? NULL : hand_called(&h->rows, lane));
}

const char *
model_node_name(const struct model *m, uint32_t node)
{
	const struct node_data *n = node_defined(m, node);
	const char *s =
	    n == NULL ? NULL : row_called(m, atomic_load(&n->lane) - 1);

	return (s != NULL ? s : model_node_name_recorded(m, node));
}

const char *
model_node_name_recorded(const struct model *m, uint32_t node)
{
	const struct node_data *n = node_defined(m, node);

	return (n == NULL
		    ? NULL
		    : atomic_load_explicit(&n->name, memory_order_acquire));
}

static const struct po_data *
po_at(const struct model *m, uint32_t node, uint32_t po)
{
	struct retired *r = (struct retired *)&held_of(m)->retired;
	unsigned door;
	uint32_t i;

	door = retired_enter(r);
	i = idmap_find(&defs_of(m)->po_map, (uint64_t)node << 32 | po);
	retired_leave(r, door);
	return (i == IDMAP_NONE ? NULL : chunk_at(&defs_of(m)->pos, i));
}

static const char *
program_recorded(const struct model *m, uint32_t node, uint32_t po)
{
	const struct po_data *p = po_at(m, node, po);

	return (p == NULL
		    ? NULL
		    : atomic_load_explicit(&p->program, memory_order_acquire));
}

const char *
model_program(const struct model *m, uint32_t node, uint32_t po)
{
	const struct po_data *p =
	    model_hand(m) == NULL ? NULL : po_at(m, node, po);
	const char *s = p == NULL ? NULL : row_called(m, p->lane);

	return (s != NULL ? s : program_recorded(m, node, po));
}

uint32_t
model_nodes(const struct model *m)
{
	uint32_t n =
	    atomic_load_explicit(&defs_of(m)->nnodes, memory_order_acquire);

	return (n == 0 ? 0 : n - 1);
}

uint32_t
model_node_rank(const struct model *m, uint32_t node)
{
	const struct node_data *n = node_defined(m, node);

	return (n == NULL ? node : atomic_load(&n->rank));
}

bool
model_node_told(const struct model *m, uint32_t node)
{
	return (node_defined(m, node) != NULL);
}

uint32_t
model_names(const struct model *m)
{
	return (
	    atomic_load_explicit(&defs_of(m)->nnames, memory_order_acquire));
}

uint32_t
model_pos(const struct model *m)
{
	return (atomic_load_explicit(&defs_of(m)->npos, memory_order_acquire));
}

int
model_po(const struct model *m, uint32_t number, uint32_t *node, uint32_t *po)
{
	const struct po_data *p;

	if (number >= model_pos(m))
		return (-1);
	p = chunk_at(&defs_of(m)->pos, number);
	*node = p->node;
	*po = p->po;
	return (0);
}

uint32_t
model_po_lane(const struct model *m, uint32_t number)
{
	const struct po_data *p;

	if (number >= model_pos(m))
		return (UINT32_MAX);
	p = chunk_at(&defs_of(m)->pos, number);
	return (p->lane);
}

void
model_po_life(const struct model *m, uint32_t number, struct po_life *out)
{
	const struct po_life *k;

	*out = (struct po_life){ INT64_MAX, INT64_MAX, 0, 0, 0 };
	if (number >= model_pos(m))
		return;
	k = &((const struct po_data *)chunk_at(&defs_of(m)->pos, number))->life;
	out->begin_mon_ns = SEE(k->begin_mon_ns);
	out->end_mon_ns = SEE(k->end_mon_ns);
	out->pid = SEE(k->pid);
	out->ending = SEE(k->ending);
	out->clean = SEE(k->clean);
}

const char *
model_po_file(const struct model *m, uint32_t number, const char **build_id)
{
	const struct po_data *p;
	const char *file;

	if (number >= model_pos(m))
		return (NULL);
	p = chunk_at(&defs_of(m)->pos, number);
	file = atomic_load_explicit(&p->file, memory_order_acquire);
	*build_id = atomic_load_explicit(&p->build_id, memory_order_acquire);
	return (file == NULL || *build_id == NULL ? NULL : file);
}

/* The last one that is drawn tells of those that are not. */
static int
depth_label(const struct model *m, const struct lane *p, char *buf, size_t n)
{
	uint32_t deeper = 0, lane = p->id;

	while (p->depth + 1 == LANE_DEPTHS_DRAWN &&
	       (lane = model_lane_next_sibling(m, lane)) != UINT32_MAX)
		deeper++;
	return (
	    snprintf(buf, n, deeper > 0 ? "depth %u, +%u deeper" : "depth %u",
		p->depth, deeper));
}

/*
 * A thread that has not said its name is called as the one that made it, in the
 * end as the program, of which the system keeps 15 bytes.  Then it is called by
 * what it begins with, if that is known; several may be, so it has a number.
 */
static int
thread_label(const struct model *m, const struct lane_data *l, char *buf,
    size_t n)
{
	const struct lane *p = &l->pub;
	const char *program = program_recorded(m, p->node, p->po), *begun;
	const char *name = model_name_recorded(m,
	    atomic_load_explicit(&l->renamed, memory_order_acquire));

	if (name != NULL)
		return (snprintf(buf, n, "%s", name));
	name = atomic_load_explicit(&l->label, memory_order_acquire);
	if (name != NULL &&
	    (program == NULL || strlen(name) != strnlen(program, 15) ||
		strncmp(name, program, 15) != 0))
		return (snprintf(buf, n, "%s", name));
	begun = model_name_recorded(m,
	    atomic_load_explicit(&l->begun, memory_order_acquire));
	if (begun != NULL && *begun != '\0')
		name = begun;
	else if (name == NULL)
		name = "thread";
	else if (p->thread == 1)
		return (snprintf(buf, n, "%s", name));
	return (snprintf(buf, n, "%s %u", name, p->thread));
}

int
model_lane_label(const struct model *m, uint32_t lane, char *buf, size_t n)
{
	const struct hand_group *g = hand_group(model_hand(m), lane);
	const struct lane *p = model_lane(m, lane);
	const char *s = g != NULL ? g->name : row_called(m, lane);

	if (s == NULL && lane >= HAND_LANE)
		return (snprintf(buf, n, "no group"));
	if (s == NULL)
		return (model_lane_label_recorded(m, lane, buf, n));
	if (p->kind == LANE_NODE)
		return (snprintf(buf, n, "node %s", s));
	if (p->kind == LANE_PO)
		return (snprintf(buf, n, "%s  PO %u", s, p->po));
	return (snprintf(buf, n, "%s", s));
}

int
model_lane_label_recorded(const struct model *m, uint32_t lane, char *buf,
    size_t n)
{
	static const char *const group[2] = { "objects", "locks" };
	const struct lane_data *l = lane_at(m, lane);
	const struct lane *p = &l->pub;
	uint32_t renamed;
	const char *s;

	switch (p->kind) {
	case LANE_NODE:
		s = model_node_name_recorded(m, p->node);
		if (p->node == 0)
			return (snprintf(buf, n, "monitor"));
		if (s == NULL || *s == '\0')
			return (snprintf(buf, n, "node %u", p->node));
		return (snprintf(buf, n, "node %s", s));
	case LANE_PO:
		s = program_recorded(m, p->node, p->po);
		if (s == NULL || *s == '\0')
			return (snprintf(buf, n, "PO %u", p->po));
		return (snprintf(buf, n, "%s  PO %u", s, p->po));
	case LANE_THREAD:
		return (thread_label(m, l, buf, n));
	case LANE_DEPTH:
		return (depth_label(m, p, buf, n));
	case LANE_GROUP:
		return (snprintf(buf, n, "%s", group[p->thread & 1]));
	}
	renamed = atomic_load_explicit(&l->renamed, memory_order_acquire);
	s = p->kind == LANE_OBJECT ? model_name_recorded(m, renamed) : NULL;
	if (s != NULL && *s != '\0')
		return (snprintf(buf, n, "%s", s));
	s = model_name_recorded(m, p->name);
	if (p->kind == LANE_SYNC) {
		if (s == NULL || strcmp(s, sync_sort_name[p->depth]) == 0)
			return (snprintf(buf, n, "%s %u",
			    sync_sort_name[p->depth], p->thread));
		return (snprintf(buf, n, "%s %s %u", sync_sort_name[p->depth],
		    s, p->thread));
	}
	if (s == NULL)
		s = p->kind == LANE_LOCK ? "lock" : "object";
	if (p->kind == LANE_LOCK && p->depth > 0)
		return (snprintf(buf, n, "%s %u, also held", s, p->thread));
	return (snprintf(buf, n, "%s %u", s, p->thread));
}
