/* From what a collector calls things to what the run calls them. */
#ifndef MONITORD_NODE_MAP_H
#define MONITORD_NODE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "monitord/registry/registry.h"
#include "nodes.h"

static inline size_t
node_map_slot(const struct node_map *m, uint64_t key)
{
	uint64_t h = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15u;
	size_t at = (size_t)(h >> 32) & (m->cap - 1);

	while (m->slots[at].to != REGISTRY_NONE && m->slots[at].key != key)
		at = (at + 1) & (m->cap - 1);
	return (at);
}

/* REGISTRY_NONE: it has not been told. */
static inline uint32_t
node_map_find(const struct node_map *m, uint64_t key)
{
	return (
	    m->cap == 0 ? REGISTRY_NONE : m->slots[node_map_slot(m, key)].to);
}

/* The run's name of a PO's name that is in no table; 0: it has told none. */
uint32_t node_odd_name(struct node *, uint32_t po, uint32_t name);
/* A definition, in its own message or within a batch.  -1: said why, close. */
int node_define(struct node *, unsigned type, const void *msg);
void node_map_free(struct node *);

#endif
