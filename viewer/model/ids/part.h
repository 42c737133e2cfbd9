/* The part of a model that has the ids of its tasks; see keep/held.h. */
#ifndef VIEWER_IDS_PART_H
#define VIEWER_IDS_PART_H

#include "model/keep/chunk.h"
#include "model/keep/held.h"
#include "model/keep/idmap.h"

#define ID_RECENT 16

struct id_table;

/* See ids.c. */
struct task_ids {
	struct idmap id_pages;        /* upper part of an id -> page */
	struct chunk id_page;         /* of struct id_page */
	_Atomic uint32_t **id_blocks; /* slots of 16 pages each */
	uint32_t *id_low;             /* page + 1, where this part is low */
	uint32_t id_blocks_cap, id_low_cap;
	uint32_t nid_pages, nid_paged, id_page_free;
	struct id_recent {      /* pages that the writer used last */
		uint64_t key_1; /* key + 1; 0: none */
		uint32_t page;
	} id_recent[ID_RECENT];
	_Atomic(struct id_table *) id_table;
	struct chunk alone;      /* of uint64_t */
	struct chunk alone_task; /* of _Atomic uint32_t */
	_Atomic uint32_t nalone;
};

struct ids_part {
	struct held held;
	struct task_ids ids;
};

static inline struct task_ids *
ids_of(const struct model *m)
{
	return (&((struct ids_part *)m)->ids);
}

#endif
