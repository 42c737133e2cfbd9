/*
 * Names: a table that only grows.
 *
 * The entries lie one after the other in the very form that ring.h gives them
 * in the segment, so that publishing is copying what is new.  An index of
 * open addressing finds them.  Look-ups take no lock: an entry is complete
 * before its index slot, one word, says where it is.
 */
#include "internal.h"

#include <string.h>

#define ENTRIES_BYTES (16u << 20)
#define INDEX_SLOTS   (1u << 18)
#define NAMES_MAX     (INDEX_SLOTS / 2)
#define TEXT_MAX      4095
#define FILE_MAX      1023

static uint8_t *entries;
static uint64_t *table;    /* number << 32 | offset in entries */
static uint64_t used;      /* names << 32 | bytes of entries: one store */
static uint64_t published; /* bytes of entries in the segment */

static uint32_t
hash(const char *text, size_t text_bytes, const char *file, size_t file_bytes,
    uint32_t line)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ line;

	for (size_t i = 0; i < text_bytes; i++)
		h = (h ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
	h = (h ^ 0x100) * UINT64_C(0x100000001b3);
	for (size_t i = 0; i < file_bytes; i++)
		h = (h ^ (uint8_t)file[i]) * UINT64_C(0x100000001b3);
	return ((uint32_t)(h ^ h >> 32));
}

static bool
same(const struct ring_name *n, const char *text, size_t text_bytes,
    const char *file, size_t file_bytes, uint32_t line)
{
	const char *p = (const char *)(n + 1);

	return (
	    n->line == line && n->text_bytes == text_bytes &&
	    n->file_bytes == file_bytes && memcmp(p, text, text_bytes) == 0 &&
	    (file_bytes == 0 || memcmp(p + text_bytes, file, file_bytes) == 0));
}

/* Bytes of the entry after this one start here. */
static size_t
entry_bytes(size_t text_bytes, size_t file_bytes)
{
	return ((sizeof(struct ring_name) + text_bytes + file_bytes + 3) &
		~(size_t)3);
}

/*
 * Copies what the segment does not have yet and has room for, whole entries
 * only.  With the lock held.
 */
static void
copy_new(const struct attachment *a)
{
	uint8_t *area = (uint8_t *)a->segment + a->names_offset;
	uint64_t from = published, to = from, end = (uint32_t)used;

	while (to < end) {
		const struct ring_name *n = (const void *)(entries + to);
		size_t bytes = entry_bytes(n->text_bytes, n->file_bytes);

		if (to + bytes > a->names_bytes)
			break;
		to += bytes;
	}
	if (to > from) {
		memcpy(area + from, entries + from, to - from);
		published = to;
		atomic_store_explicit(&a->segment->names_used, to,
		    memory_order_release);
	}
}

void
names_publish(struct attachment *a)
{
	published = 0;
	copy_new(a);
}

static bool
make_tables(void)
{
	uint64_t *t = table;

	if (entries == NULL)
		entries = process_map(ENTRIES_BYTES, false);
	if (t == NULL)
		t = process_map(INDEX_SLOTS * sizeof(*table), false);
	__atomic_store_n(&table, t, __ATOMIC_RELEASE);
	return (entries != NULL && t != NULL);
}

/*
 * The slot in which this name is, or the empty one where it would be; NULL
 * when there is no table yet.
 */
static uint64_t *
find(const char *text, size_t text_bytes, const char *file, size_t file_bytes,
    uint32_t line)
{
	uint64_t *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE), slot;
	uint32_t i = hash(text, text_bytes, file, file_bytes, line);

	if (t == NULL)
		return (NULL);
	for (;; i++) {
		i &= INDEX_SLOTS - 1;
		slot = __atomic_load_n(&t[i], __ATOMIC_ACQUIRE);
		if (slot == 0 || same((const void *)(entries + (uint32_t)slot),
				     text, text_bytes, file, file_bytes, line))
			return (&t[i]);
	}
}

static uint32_t
number(const uint64_t *slot)
{
	return (
	    slot == NULL
		? 0
		: (uint32_t)(__atomic_load_n(slot, __ATOMIC_ACQUIRE) >> 32));
}

/* With the lock held.  Returns the number, or 0: full. */
static uint32_t
add(uint64_t *slot, const char *text, size_t text_bytes, const char *file,
    size_t file_bytes, uint32_t line)
{
	size_t bytes = entry_bytes(text_bytes, file_bytes);
	uint32_t at = (uint32_t)used, n = (uint32_t)(used >> 32) + 1;
	struct ring_name *e = (void *)(entries + at);
	bool attached = attachment.segment != NULL;

	if (n > NAMES_MAX || at + bytes > ENTRIES_BYTES)
		return (0);
	/* a number that the collector cannot know would mean nothing */
	if (attached &&
	    (published != at || at + bytes > attachment.names_bytes))
		return (0);
	e->line = line;
	e->text_bytes = (uint16_t)text_bytes;
	e->file_bytes = (uint16_t)file_bytes;
	memcpy(e + 1, text, text_bytes);
	if (file_bytes > 0)
		memcpy((char *)(e + 1) + text_bytes, file, file_bytes);
	used = (uint64_t)n << 32 | (at + bytes);
	__atomic_store_n(slot, (uint64_t)n << 32 | at, __ATOMIC_RELEASE);
	if (attached)
		copy_new(&attachment);
	return (n);
}

uint32_t
probe_name_at(const char *text, const char *file, uint32_t line)
{
	size_t text_bytes, file_bytes;
	uint64_t *slot;
	uint32_t n;
	struct hold h;

	if (text == NULL || !process_start())
		return (0);
	text_bytes = strnlen(text, TEXT_MAX);
	file_bytes = file == NULL ? 0 : strnlen(file, FILE_MAX);
	n = number(find(text, text_bytes, file, file_bytes, line));
	if (n != 0)
		return (n);
	hold(&h);
	if (make_tables()) {
		slot = find(text, text_bytes, file, file_bytes, line);
		n = number(slot);
		if (n == 0)
			n = add(slot, text, text_bytes, file, file_bytes, line);
	}
	let_go(&h);
	return (n);
}

uint32_t
probe_name(const char *text)
{
	return (probe_name_at(text, NULL, 0));
}
