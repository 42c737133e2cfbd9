/* See forest.h.  Nodes are made by the events that would have told of them. */
#include "model/forest.h"

#include <stdlib.h>
#include <string.h>

#include "model/inside.h"
#include "model/tree/grow.h"

uint64_t
forest_hash(uint64_t h, const char *name)
{
	for (h = idmap_mix(h + 1); *name != '\0'; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3ull;
	h = idmap_mix(h);
	return (h != 0 ? h : 1);
}

struct model *
forest_new(void)
{
	return (model_new());
}

/* The number of a name; 0: there is none. */
static uint32_t
name_number(struct model *m, const char *text)
{
	uint64_t key = forest_hash(0, text);
	uint32_t i = idmap_find(&objects_of(m)->object_map, key), n;
	struct name_data *d;
	char *copy;

	if (i != IDMAP_NONE)
		return (i);
	n = atomic_load_explicit(&defs_of(m)->nnames, memory_order_relaxed);
	n = n == 0 ? 1 : n;
	d = chunk_make(&defs_of(m)->names, n, &held_of(m)->bytes);
	copy = strdup(text);
	if (d == NULL || copy == NULL ||
	    idmap_add(&objects_of(m)->object_map, key, n, &held_of(m)->retired,
		&held_of(m)->bytes) == -1) {
		free(copy);
		return (0);
	}
	atomic_store_explicit(&d->text, copy, memory_order_release);
	atomic_store_explicit(&defs_of(m)->nnames, n + 1, memory_order_release);
	return (n);
}

/* What would have been told of a node that has begun. */
static void
node_lived(struct model *m, const struct forest_node *n, uint32_t task)
{
	struct location nowhere = { .lane = UINT32_MAX };
	struct event e = { .kind = EV_task_begin,
		.t_mon_ns = n->begin_ns,
		.a = n->id,
		.b = n->pe };
	uint32_t pe;

	task_event(m, &nowhere, &e);
	for (uint32_t i = 0; i < n->suspensions && i < 1000; i++) {
		e.kind = EV_task_suspend;
		task_event(m, &nowhere, &e);
		e.kind = EV_task_resume;
		task_event(m, &nowhere, &e);
	}
	if (n->busy_ns > 0)
		task_ran(m, task, n->busy_ns, &pe);
	if (n->end_ns == INT64_MIN)
		return;
	e.kind = EV_task_end;
	e.t_mon_ns = n->end_ns;
	task_event(m, &nowhere, &e);
}

uint32_t
forest_add(struct model *m, const struct forest_node *n)
{
	uint32_t task, name;

	if (tree_find(m, n->id) != TASK_NONE)
		return (TASK_NONE);
	task = tree_new(m, n->id, n->parent);
	if (task == TASK_NONE)
		return (task);
	name = n->name != NULL ? name_number(m, n->name) : 0;
	if (name != 0)
		tree_name(m, task, name);
	if (n->begin_ns == INT64_MIN) {
		atomic_store(&shape_of(m)->unordered, 1);
		return (task);
	}
	task_set_spawn(m, task, n->begin_ns);
	node_lived(m, n, task);
	return (task);
}

void
forest_done(struct model *m)
{
	tree_settle(m);
}
