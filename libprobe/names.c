/*
 * Names: a table that only grows.
 *
 * The entries lie one after the other in the very form that ring.h gives them
 * in the segment, so that publishing is copying what is new.  They are in
 * pieces, each twice as long as the one before, which never move; an index of
 * open addressing finds them, and is made anew, twice as large, when it is
 * half full.  So a program pays for the names that it has.
 *
 * Look-ups take no lock: an entry is complete before its index slot, one word,
 * says where it is, and an index that has been replaced stays readable: what
 * is not in there is looked for again with the lock held.
 */
#include "memory.h"

#include <string.h>

#include "choice.h"
#include "first.h"

#define PIECES      13
#define PIECE_BYTES 4096u /* of the first */
#define SLOTS       512u  /* of the first index: a page */
#define NAMES_MAX   (1u << 20)
#define TEXT_MAX    4095
#define FILE_MAX    1023

/* An entry is smaller than any piece but the first. */
_Static_assert(sizeof(struct ring_name) + TEXT_MAX + FILE_MAX < 2 * PIECE_BYTES,
    "a name fits");

struct index {
	uint64_t mask;   /* slots, less one */
	uint64_t slot[]; /* number << 32 | place of the entry */
};

static uint8_t *pieces[PIECES];
static struct index *table;
static uint64_t used; /* names << 32 | place of the next one: one store */

/* What the collector has of them, or had. */
static struct {
	struct names_known known;
	uint32_t at;    /* place of the next one */
	uint64_t bytes; /* in the segment */
} told;

/* Which piece a place is in: they begin at 0, 1, 3, 7... times the first. */
static unsigned
piece_of(uint32_t at)
{
	return (31 - (unsigned)__builtin_clz(at / PIECE_BYTES + 1));
}

static uint32_t
piece_start(unsigned piece)
{
	return (((1u << piece) - 1) * PIECE_BYTES);
}

static struct ring_name *
entry(uint32_t at)
{
	unsigned piece = piece_of(at);

	return ((void *)(pieces[piece] + (at - piece_start(piece))));
}

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

static size_t
entry_bytes(size_t text_bytes, size_t file_bytes)
{
	return ((sizeof(struct ring_name) + text_bytes + file_bytes + 3) &
		~(size_t)3);
}

/*
 * The entry here, or at the start of the next piece, if it had no room here:
 * then there are zeros, if anything.
 */
static const struct ring_name *
entry_here(uint32_t *at)
{
	uint32_t end = piece_start(piece_of(*at) + 1);

	if (end - *at < sizeof(struct ring_name) || entry(*at)->text_bytes == 0)
		*at = end;
	return (entry(*at));
}

/* Copies an entry to the segment.  false: it has no room there. */
static bool
copy(struct attachment *a, const struct ring_name *e)
{
	size_t bytes = entry_bytes(e->text_bytes, e->file_bytes), done = 0, n;

	if (told.bytes + bytes > a->names_bytes)
		return (false);
	while (done < bytes) {
		uint8_t *to = memory_names(a, told.bytes + done, &n);

		if (to == NULL)
			return (false);
		if (n > bytes - done)
			n = bytes - done;
		memcpy(to, (const uint8_t *)e + done, n);
		done += n;
	}
	told.bytes += bytes;
	return (true);
}

/*
 * Copies what the segment does not have yet and has room for, whole entries
 * only.  With the lock held.
 */
static void
copy_new(struct attachment *a)
{
	uint32_t names = (uint32_t)(used >> 32);
	uint64_t before = told.bytes;

	for (; told.known.names < names; told.known.names++) {
		const struct ring_name *e = entry_here(&told.at);

		if (!copy(a, e))
			break;
		told.at += (uint32_t)entry_bytes(e->text_bytes, e->file_bytes);
	}
	if (told.bytes > before)
		atomic_store_explicit(&a->segment->names_used, told.bytes,
		    memory_order_release);
}

struct names_known
names_known(void)
{
	return (told.known);
}

void
names_publish(struct attachment *a)
{
	uint32_t names = (uint32_t)(used >> 32);

	told.known = a->known;
	if (told.known.names > names)
		told.known.names = names; /* it cannot be */
	told.at = 0;
	told.bytes = 0;
	for (uint32_t i = 0; i < told.known.names; i++) {
		const struct ring_name *e = entry_here(&told.at);

		told.at += (uint32_t)entry_bytes(e->text_bytes, e->file_bytes);
	}
	copy_new(a);
}

/*
 * The slot in which this name is, or the empty one where it would be; NULL
 * when there is no index yet.
 */
static uint64_t *
find(struct index *x, const char *text, size_t text_bytes, const char *file,
    size_t file_bytes, uint32_t line)
{
	uint32_t i = hash(text, text_bytes, file, file_bytes, line);
	uint64_t slot;

	if (x == NULL)
		return (NULL);
	for (;; i++) {
		i &= x->mask;
		slot = __atomic_load_n(&x->slot[i], __ATOMIC_ACQUIRE);
		if (slot == 0 || same(entry((uint32_t)slot), text, text_bytes,
				     file, file_bytes, line))
			return (&x->slot[i]);
	}
}

static void
index_put(struct index *x, uint64_t slot)
{
	const struct ring_name *e = entry((uint32_t)slot);
	const char *text = (const char *)(e + 1);

	__atomic_store_n(find(x, text, e->text_bytes, text + e->text_bytes,
			     e->file_bytes, e->line),
	    slot, __ATOMIC_RELEASE);
}

/* Room in the index for one more.  With the lock held. */
static struct index *
index_ready(void)
{
	uint64_t slots = table == NULL ? 0 : table->mask + 1;
	struct index *x;

	if ((used >> 32) * 2 < slots)
		return (table);
	slots = slots == 0 ? SLOTS : slots * 2;
	x = process_map(sizeof(*x) + slots * sizeof(x->slot[0]), false);
	if (x == NULL)
		return (NULL);
	x->mask = slots - 1;
	for (uint64_t i = 0; table != NULL && i <= table->mask; i++) {
		uint64_t slot = table->slot[i];

		if (slot != 0)
			index_put(x, slot);
	}
	__atomic_store_n(&table, x, __ATOMIC_RELEASE);
	return (x);
}

static uint32_t
number(const uint64_t *slot)
{
	return (
	    slot == NULL
		? 0
		: (uint32_t)(__atomic_load_n(slot, __ATOMIC_ACQUIRE) >> 32));
}

static bool
piece_ready(unsigned piece)
{
	if (piece < PIECES && pieces[piece] == NULL)
		pieces[piece] =
		    process_map((size_t)PIECE_BYTES << piece, false);
	return (piece < PIECES && pieces[piece] != NULL);
}

/* Room for an entry, at *at or at the start of the next piece. */
static bool
entry_ready(uint32_t *at, size_t bytes)
{
	unsigned piece = piece_of(*at);
	uint32_t left = piece_start(piece + 1) - *at;

	if (!piece_ready(piece))
		return (false);
	if (left >= bytes)
		return (true);
	/* what a parent had begun when it was forked may lie there */
	if (left >= sizeof(struct ring_name))
		memset(entry(*at), 0, sizeof(struct ring_name));
	*at = piece_start(piece + 1);
	return (piece_ready(piece + 1));
}

static void
choose(uint32_t number, const struct ring_name *e)
{
	const char *text = (const char *)(e + 1);

	choice_name(number, text, e->text_bytes, text + e->text_bytes,
	    e->file_bytes);
}

void
names_choose(void)
{
	uint32_t names = (uint32_t)(used >> 32), at = 0;

	for (uint32_t i = 0; i < names; i++) {
		const struct ring_name *e = entry_here(&at);

		choose(i + 1, e);
		at += (uint32_t)entry_bytes(e->text_bytes, e->file_bytes);
	}
}

/* With the lock held.  Returns the number, or 0: full. */
static uint32_t
add(struct index *x, const char *text, size_t text_bytes, const char *file,
    size_t file_bytes, uint32_t line)
{
	size_t bytes = entry_bytes(text_bytes, file_bytes);
	uint32_t at = (uint32_t)used, n = (uint32_t)(used >> 32) + 1;
	bool attached = attachment.segment != NULL;
	struct ring_name *e;

	if (n > NAMES_MAX)
		return (0);
	/* a number that the collector cannot know would mean nothing */
	if (attached && (told.known.names + 1 != n ||
			    told.bytes + bytes > attachment.names_bytes))
		return (0);
	if (!entry_ready(&at, bytes))
		return (0);
	e = entry(at);
	e->line = line;
	e->text_bytes = (uint16_t)text_bytes;
	e->file_bytes = (uint16_t)file_bytes;
	memcpy(e + 1, text, text_bytes);
	if (file_bytes > 0)
		memcpy((char *)(e + 1) + text_bytes, file, file_bytes);
	used = (uint64_t)n << 32 | (at + bytes);
	if (attached)
		choose(n, e);
	index_put(x, (uint64_t)n << 32 | at);
	if (attached) {
		copy_new(&attachment);
		choose(n, e); /* now the collector would, too */
	}
	return (n);
}

uint32_t
probe_name_at(const char *text, const char *file, uint32_t line)
{
	size_t text_bytes, file_bytes;
	struct index *x;
	uint32_t n;
	struct hold h;

	if (is_second())
		return (probe_first.name_at(text, file, line));
	if (text == NULL || *text == '\0' || held_here || !process_start())
		return (0);
	text_bytes = strnlen(text, TEXT_MAX);
	file_bytes = file == NULL ? 0 : strnlen(file, FILE_MAX);
	x = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
	n = number(find(x, text, text_bytes, file, file_bytes, line));
	if (n != 0)
		return (n);
	hold(&h);
	n = number(find(table, text, text_bytes, file, file_bytes, line));
	x = index_ready();
	if (n == 0 && x != NULL)
		n = add(x, text, text_bytes, file, file_bytes, line);
	if (n == 0 && attachment.segment != NULL)
		atomic_fetch_add(&attachment.segment->names_missed, 1);
	let_go(&h);
	return (n);
}

uint32_t
probe_name(const char *text)
{
	return (probe_name_at(text, NULL, 0));
}
