/*
 * Ids of tasks, to numbers and back.
 *
 * Ids mostly come in rows (of a counter, of one counter a thread), so the
 * numbers of 1024 consecutive ids are one page: 4 bytes for the way there, and
 * 4 for the way back: page and place in it.  Ids that do not come in rows
 * would waste pages; when less than an eighth of the pages is in use, those
 * that have none are kept whole and found through a table of hashes, which
 * takes 20 to 27 bytes (ids_alone.c).
 *
 * Where ids are low, as those of one counter are, the writer finds their pages
 * in an array, else he remembers those that he used last; and the slots of any
 * page without looking at what it is.  So of all this mostly nothing but the
 * slots lies outside the cache.
 */
#include <string.h>

#include "model/ids/ids_inside.h"
#include "model/keep/memory.h"

#define PAGE_BITS   10
#define PAGE_IDS    (1u << PAGE_BITS)
#define BLOCK_PAGES (SLAB_BLOCK / sizeof(uint32_t) / PAGE_IDS)
#define PAGES_MAX   (1u << 21)
#define PAGES_FREE  16 /* are made before anybody counts */
#define LOW_SPARSE  16 /* of the array of low ids, so many for a page */

#define ID_ALONE 0x80000000u /* the rest is its number among those */

struct id_page {
	uint64_t key; /* what its ids have in common */
	_Atomic uint32_t *slot;
	uint32_t gone; /* of its ids; on a list of free pages: the next */
};

static struct id_page *
page_at(const struct model *m, uint32_t page)
{
	return (chunk_known(&ids_of(m)->id_page, page));
}

static _Atomic uint32_t *
slot_at(const struct model *m, uint32_t page, uint64_t id)
{
	return (&page_at(m, page)->slot[(uint32_t)id & (PAGE_IDS - 1)]);
}

/* What a page says of an id; 0: nothing. */
static uint32_t
look_in(const struct model *m, uint32_t page, const _Atomic uint32_t *slot,
    uint64_t id)
{
	uint32_t v = 0;

	if (page == PAGE_GONE)
		return (ID_GONE);
	if (page != IDMAP_NONE)
		v = atomic_load_explicit(slot, memory_order_acquire);
	if (v != 0)
		return (v == UINT32_MAX ? ID_GONE : v - 1);
	return (ids_of(m)->nalone == 0 ? ID_NONE : alone_find(m, id));
}

uint32_t
ids_look(const struct model *m, uint64_t id)
{
	uint32_t page = idmap_find(&ids_of(m)->id_pages, id >> PAGE_BITS);

	return (look_in(m, page, page < PAGE_GONE ? slot_at(m, page, id) : NULL,
	    id));
}

/* Where a page is remembered; another thread's mostly lies elsewhere. */
static inline struct id_recent *
recent_at(struct model *m, uint64_t key)
{
	return (&ids_of(m)
		     ->id_recent[(unsigned)(key * 0x9e3779b97f4a7c15ull >> 60) %
				 ID_RECENT]);
}

/* The writer's ways to a page and to a slot. */
static inline uint32_t
page_find(struct model *m, uint64_t id)
{
	uint64_t key = id >> PAGE_BITS;
	struct id_recent *r = recent_at(m, key);
	uint32_t page;

	if (key < ids_of(m)->id_low_cap && ids_of(m)->id_low[key] != 0)
		return (ids_of(m)->id_low[key] - 1);
	if (r->key_1 == key + 1)
		return (r->page);
	page = idmap_find(&ids_of(m)->id_pages, key);
	if (page < PAGE_GONE)
		*r = (struct id_recent){ key + 1, page };
	return (page);
}

static void
page_forget(struct model *m, uint64_t key)
{
	if (key < ids_of(m)->id_low_cap)
		ids_of(m)->id_low[key] = 0;
	if (recent_at(m, key)->key_1 == key + 1)
		*recent_at(m, key) = (struct id_recent){ 0 };
}

static inline _Atomic uint32_t *
slot_find(const struct model *m, uint32_t page, uint64_t id)
{
	return (ids_of(m)->id_blocks[page / BLOCK_PAGES] +
		page % BLOCK_PAGES * PAGE_IDS + (id & (PAGE_IDS - 1)));
}

uint32_t
ids_look_own(struct model *m, uint64_t id)
{
	uint32_t page = page_find(m, id);

	return (look_in(m, page,
	    page < PAGE_GONE ? slot_find(m, page, id) : NULL, id));
}

/* Its page is found in the array, if that is not mostly empty. */
static void
note_low(struct model *m, uint64_t key, uint32_t page)
{
	uint32_t was = ids_of(m)->id_low_cap,
		 cap = (uint32_t)key + (uint32_t)key / 2;
	uint32_t *low;

	if (key / LOW_SPARSE > page)
		return;
	if (key >= was) {
		cap = (cap | 1023) + 1;
		low = memory_grow(ids_of(m)->id_low, cap * sizeof(*low));
		if (low == NULL)
			return; /* it is found without */
		memset(low + was, 0, (cap - was) * sizeof(*low));
		ids_of(m)->id_low = low;
		ids_of(m)->id_low_cap = cap;
		atomic_fetch_add(&held_of(m)->bytes,
		    (cap - was) * sizeof(*low));
	}
	ids_of(m)->id_low[key] = page + 1;
}

/* One that is used again; its tasks are long gone. */
static uint32_t
page_reuse(struct model *m, uint64_t key)
{
	uint32_t page = ids_of(m)->id_page_free;
	struct id_page *p = page_at(m, page);

	ids_of(m)->id_page_free = p->gone;
	memset((void *)p->slot, 0, PAGE_IDS * sizeof(*p->slot));
	p->key = key;
	p->gone = 0;
	if (idmap_add(&ids_of(m)->id_pages, key, page, &held_of(m)->retired,
		&held_of(m)->bytes) == -1)
		return (IDMAP_NONE);
	note_low(m, key, page);
	return (page);
}

/* No task of it is left: that is all that is remembered. */
static void
page_gone(struct model *m, uint32_t page)
{
	struct id_page *p = page_at(m, page);

	idmap_set(&ids_of(m)->id_pages, p->key, PAGE_GONE);
	page_forget(m, p->key);
	p->gone = ids_of(m)->id_page_free;
	ids_of(m)->id_page_free = page;
}

/* Slots of BLOCK_PAGES pages. */
static int
block_make(struct model *m, uint32_t page)
{
	uint32_t n = page / BLOCK_PAGES, cap = n * 2 + 16;
	_Atomic uint32_t **blocks, *block;

	if (n == ids_of(m)->id_blocks_cap) {
		blocks =
		    memory_grow(ids_of(m)->id_blocks, cap * sizeof(*blocks));
		if (blocks == NULL)
			return (-1);
		ids_of(m)->id_blocks = blocks;
		ids_of(m)->id_blocks_cap = cap;
	}
	block = slab_take(&held_of(m)->slab, &held_of(m)->bytes);
	if (block == NULL)
		return (-1);
	memset((void *)block, 0, SLAB_BLOCK);
	ids_of(m)->id_blocks[n] = block;
	return (0);
}

static uint32_t
page_make(struct model *m, uint64_t key)
{
	uint32_t page = ids_of(m)->nid_pages;
	struct id_page *p;

	if (ids_of(m)->id_page_free != IDMAP_NONE)
		return (page_reuse(m, key));
	p = chunk_make(&ids_of(m)->id_page, page, &held_of(m)->bytes);
	if (p == NULL || (page % BLOCK_PAGES == 0 && block_make(m, page) == -1))
		return (IDMAP_NONE);
	p->key = key;
	p->slot = slot_find(m, page, 0);
	if (idmap_add(&ids_of(m)->id_pages, key, page, &held_of(m)->retired,
		&held_of(m)->bytes) == -1)
		return (IDMAP_NONE);
	note_low(m, key, page);
	ids_of(m)->nid_pages++;
	return (page);
}

/* The page where an id belongs; IDMAP_NONE: it has none and gets none. */
static uint32_t
page_for(struct model *m, uint64_t id)
{
	uint32_t page = page_find(m, id), n = ids_of(m)->nid_pages;

	if (page != IDMAP_NONE)
		return (page);
	if (n >= PAGES_MAX || (n > PAGES_FREE && (uint64_t)n * (PAGE_IDS / 8) >
						     ids_of(m)->nid_paged))
		return (IDMAP_NONE);
	return (page_make(m, id >> PAGE_BITS));
}

uint32_t
ids_word(struct model *m, uint64_t id)
{
	uint32_t page = page_for(m, id);

	if (page != IDMAP_NONE && page != PAGE_GONE) {
		ids_of(m)->nid_paged++;
		return (page << PAGE_BITS | ((uint32_t)id & (PAGE_IDS - 1)));
	}
	return (alone_reserve(m, id) == -1
		    ? ID_NONE
		    : ID_ALONE | (ids_of(m)->nalone - 1));
}

void
ids_put(struct model *m, uint32_t word, uint32_t task)
{
	if (word & ID_ALONE) {
		alone_put(m, word & ~ID_ALONE, task);
		return;
	}
	atomic_store_explicit(slot_find(m, word >> PAGE_BITS, word), task + 1,
	    memory_order_release);
}

void
ids_gone(struct model *m, uint32_t word)
{
	struct id_page *p;

	if (word & ID_ALONE) {
		alone_gone(m, word & ~ID_ALONE);
		return;
	}
	p = page_at(m, word >> PAGE_BITS);
	atomic_store_explicit(&p->slot[word & (PAGE_IDS - 1)], UINT32_MAX,
	    memory_order_release);
	if (++p->gone == PAGE_IDS)
		page_gone(m, word >> PAGE_BITS);
}

uint64_t
ids_of_word(const struct model *m, uint32_t word)
{
	const struct id_page *p;
	const uint64_t *at;

	if (word & ID_ALONE) {
		at = chunk_at(&ids_of(m)->alone, word & ~ID_ALONE);
		return (at == NULL ? 0 : *at);
	}
	p = chunk_at(&ids_of(m)->id_page, word >> PAGE_BITS);
	return (p == NULL ? 0 : p->key << PAGE_BITS | (word & (PAGE_IDS - 1)));
}

/* Asks for an id's slot. */
void
ids_ahead(struct model *m, uint64_t id)
{
	uint32_t page = page_find(m, id);

	if (page < PAGE_GONE)
		__builtin_prefetch(slot_find(m, page, id));
	else if (ids_of(m)->nalone > 0)
		alone_ahead(m, id);
}

/* Most likely the task of this id; ID_NONE: not that simple. */
uint32_t
ids_guess(struct model *m, uint64_t id)
{
	uint32_t page = page_find(m, id), v;

	if (page < PAGE_GONE) {
		v = atomic_load_explicit(slot_find(m, page, id),
		    memory_order_relaxed);
		return (v == UINT32_MAX ? ID_NONE : v - 1);
	}
	return (ids_of(m)->nalone > 0 ? alone_guess(m, id) : ID_NONE);
}

void
ids_init(struct model *m)
{
	ids_of(m)->id_page_free = IDMAP_NONE;
	chunk_init(&ids_of(m)->id_page, sizeof(struct id_page), 4);
	chunk_init(&ids_of(m)->alone, sizeof(uint64_t), 4);
	chunk_init(&ids_of(m)->alone_task, sizeof(uint32_t), 4);
}

void
ids_clear(struct model *m)
{
	alone_clear(m);
	memory_free(ids_of(m)->id_low);
	memory_free(ids_of(m)->id_blocks);
	chunk_clear(&ids_of(m)->id_page);
	idmap_clear(&ids_of(m)->id_pages);
}
