/*
 * What is mapped of a segment.
 *
 * The file is large: room for many rings that may grow, and for many names.
 * A mapping counts although nothing is in it, against limits of the address
 * space and for mlockall(2), which fills it; so only what is in use is mapped.
 * The descriptor has been closed long since, as a program would find it: a
 * mapping of the first pages of the file makes the others, since mremap(2) of
 * no bytes is a second mapping, as long as one likes.
 *
 * All of this is with the lock held.
 */
#include "memory.h"

#include "libprobe/meet/direct.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#define PAGE         4096u
#define NAMES_WINDOW 65536u

/* The part of the names that is being written. */
static uint8_t *names;
static uint64_t names_at;

/* Between the rings and the names, if it is there. */
static bool
choice_fits(const struct attachment *a)
{
	uint64_t bytes = sizeof(struct ring_choice);

	return (a->choice_offset == 0 ||
		(a->choice_offset % 64 == 0 &&
		    a->choice_offset >=
			a->rings_offset + a->nrings * sizeof(struct ring) &&
		    a->names_offset >= bytes &&
		    a->choice_offset <= a->names_offset - bytes));
}

/* The geometry that a segment claims is taken over if it fits. */
static bool
sizes_fit(struct attachment *a, const struct ring_segment *s, uint64_t bytes)
{
	uint64_t ring_max;

	if (s->magic != RING_MAGIC || s->layout != RING_LAYOUT)
		return (false);
	a->rings_offset = s->rings_offset;
	a->names_offset = s->names_offset;
	a->names_bytes = s->names_bytes;
	a->records_offset = s->records_offset;
	a->ring_bytes = s->ring_bytes;
	a->choice_offset = s->choice_offset;
	a->nrings = s->nrings;
	a->ring_first = s->ring_first;
	a->generations = s->generations;
	a->reserve_records = s->reserve_records;
	if (a->nrings == 0 || a->nrings > 65536 || a->generations == 0 ||
	    a->generations > RING_GENERATIONS || a->ring_first < 16 ||
	    a->ring_first > 1u << 26 ||
	    (a->ring_first & (a->ring_first - 1)) != 0)
		return (false);
	ring_max = ring_size(a->ring_first, a->generations - 1);
	return (ring_max <= 1u << 26 && a->reserve_records <= ring_max / 2 &&
		a->rings_offset % 64 == 0 && a->rings_offset >= sizeof(*s) &&
		a->rings_offset <= bytes && a->names_offset % PAGE == 0 &&
		a->names_offset <= bytes &&
		a->names_offset >=
		    a->rings_offset + a->nrings * sizeof(struct ring) &&
		a->names_bytes <= bytes - a->names_offset && choice_fits(a) &&
		a->records_offset % PAGE == 0 && a->records_offset <= bytes &&
		a->ring_bytes % PAGE == 0 &&
		a->ring_bytes >= ring_before(a->ring_first, a->generations) *
				     sizeof(struct ring_record) &&
		a->ring_bytes <= (bytes - a->records_offset) / a->nrings);
}

/*
 * The user has limited the address space, and the program would miss what we
 * take: an eighth of it is enough for us.
 */
static bool
keep_to_limits(struct attachment *a)
{
	struct rlimit limit;
	uint64_t room;

	if (getrlimit(RLIMIT_AS, &limit) == -1 ||
	    limit.rlim_cur == RLIM_INFINITY)
		return (true);
	room = limit.rlim_cur / 8 / a->ring_bytes;
	if (a->nrings > room)
		a->nrings = (uint32_t)room;
	return (room > 0);
}

bool
memory_open(struct attachment *a, int fd)
{
	struct ring_segment *s = MAP_FAILED;
	struct stat st;
	int seals = fcntl(fd, F_GET_SEALS);

	/* nobody may shrink it under us, or a store would be our death */
	if (seals == -1 || (seals & F_SEAL_SHRINK) == 0 ||
	    fstat(fd, &st) == -1 || st.st_size < (off_t)PAGE)
		return (false);
	s = direct_mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd);
	if (s == MAP_FAILED)
		return (false);
	if (!sizes_fit(a, s, (uint64_t)st.st_size) || !keep_to_limits(a)) {
		direct_munmap(s, PAGE);
		return (false);
	}
	direct_munmap(s, PAGE);
	s = direct_mmap(NULL, a->names_offset, PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd);
	if (s == MAP_FAILED)
		return (false);
	(void)direct_madvise(s, a->names_offset, MADV_DONTDUMP);
	(void)munlock(s, a->names_offset);
	a->records =
	    process_map(a->nrings * sizeof(struct probe_record *), false);
	if (a->records == NULL) {
		direct_munmap(s, a->names_offset);
		return (false);
	}
	a->segment = s;
	return (true);
}

static void
names_drop(void)
{
	if (names != NULL)
		direct_munmap(names, NAMES_WINDOW);
	names = NULL;
}

void
memory_close(struct attachment *a)
{
	names_drop();
	direct_munmap(a->segment, a->names_offset);
	direct_munmap(a->records, a->nrings * sizeof(struct probe_record *));
}

/*
 * Another part of the file.  After mlockall(2) it would have all its pages at
 * once, and be taken from what the program may lock: a mapping takes after the
 * one that it is made from, so that one is not locked.  But not every program
 * that has shut itself in allows a call that it would never make.
 */
static void *
map_part(const struct attachment *a, uint64_t offset, uint64_t bytes)
{
	char *p;

	if (prctl(PR_GET_SECCOMP) <= 0)
		(void)munlock(a->segment, a->names_offset);
	p = direct_mremap(a->segment, 0, offset + bytes, MREMAP_MAYMOVE);
	if (p == MAP_FAILED)
		return (NULL);
	direct_munmap(p, offset);
	return (p + offset);
}

struct probe_record *
memory_ring(struct attachment *a, uint32_t i)
{
	/* left by a thread that ended without a word */
	if (a->records[i] == NULL)
		a->records[i] = map_part(a,
		    a->records_offset + a->ring_bytes * i, a->ring_bytes);
	return (a->records[i]);
}

void
memory_ring_drop(struct attachment *a, uint32_t i)
{
	direct_munmap(a->records[i], a->ring_bytes);
	a->records[i] = NULL;
}

uint8_t *
memory_names(struct attachment *a, uint64_t at, size_t *n)
{
	uint64_t from = at - at % NAMES_WINDOW;

	if (names == NULL || from != names_at) {
		names_drop();
		names = map_part(a, a->names_offset + from, NAMES_WINDOW);
		names_at = from;
		if (names != NULL) /* a child has no use for it */
			(void)direct_madvise(names, NAMES_WINDOW,
			    MADV_DONTFORK);
	}
	*n = NAMES_WINDOW - (at - from);
	return (names == NULL ? NULL : names + (at - from));
}

void
memory_forked(struct attachment *a, const struct probe_record *own)
{
	const int cover =
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;

	for (uint32_t i = 0; i < a->nrings; i++) {
		void *p = a->records[i];

		if (p == NULL)
			continue;
		if (p != own)
			direct_munmap(p, a->ring_bytes);
		else if (direct_mmap(p, a->ring_bytes, PROT_READ | PROT_WRITE,
			     cover, -1) == MAP_FAILED)
			process_debug("cannot cover a ring of", "the parent");
	}
	if (direct_mmap(a->segment, a->names_offset, PROT_READ | PROT_WRITE,
		cover, -1) == MAP_FAILED)
		process_debug("cannot cover the memory of", "the parent");
	direct_munmap(a->records, a->nrings * sizeof(struct probe_record *));
	names = NULL; /* something else may be there in the meantime */
}

void
memory_give_up(struct attachment *a)
{
	for (uint32_t i = 0; i < a->nrings; i++) {
		struct probe_record *p = a->records[i];

		if (p == NULL)
			continue;
		(void)munlock(p, a->ring_bytes);
		(void)direct_madvise(p, a->ring_bytes, MADV_REMOVE);
	}
	names_drop();
}
