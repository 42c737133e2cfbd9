/* What registry.c and registry_index.c share; nobody else includes this. */
#ifndef MONITORD_REGISTRY_INSIDE_H
#define MONITORD_REGISTRY_INSIDE_H

#include "intmap.h"
#include "registry.h"

struct reg_node {
	char *name, *machine;
	uint32_t next_po;
	uint8_t *defined; /* a bit for each PO */
	size_t defined_bytes;
};

/* What makes two names one: text, and with a place NUL, file, NUL, program,
 * NUL, line. */
struct reg_name {
	char *key;
	size_t key_bytes;
	uint8_t levels; /* of its symbol, told so far */
};

/* Indices plus one, by hash; 0 is free.  cap is a power of two. */
struct index {
	uint32_t *slots;
	size_t n, cap;
};

struct registry {
	registry_define *define;
	void *arg;
	struct reg_node *nodes;
	struct location *locations;
	struct reg_name *names; /* [0] is unused */
	size_t nnodes, nodes_cap, nlocations, locations_cap, nnames, names_cap;
	struct index by_thread, by_key;
	struct intmap modules; /* by hash of all that is said of one */
	size_t names_max, locations_max;
	uint32_t po_max;
	uint64_t names_beyond;
};

/* registry_index.c */
/* The key of a name, to be freed; NULL: ENOMEM. */
char *registry_key(const struct msg_name *, size_t *bytes);
uint64_t registry_hash_bytes(const void *, size_t n);
uint64_t registry_hash_thread(uint32_t node, uint32_t po, uint32_t thread);
/* Makes room for one more element of an array.  -1: ENOMEM. */
int registry_array_grow(void **array, size_t n, size_t *cap, size_t size);
/* Makes room for one more; the hash is at most half full.  -1: ENOMEM. */
int registry_index_grow(const struct registry *, struct index *);
void registry_index_put(struct index *, uint64_t hash, uint32_t i);
/* n bytes as a string; NULL: ENOMEM. */
char *registry_copy(const void *, size_t n);

#endif
