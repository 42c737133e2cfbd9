/*
 * What libprobe asks of us at the start: whether to attach at once, and whether
 * to be there at all.
 *
 * Most processes that a program starts say nothing and are over in a
 * millisecond.  They are not made to wait for a collector: a process attaches
 * when it has something to say.  The one that `monitorctl run` has started is
 * shown in any case.
 */
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "libprobe/auto/descriptors/streams.h"
#include "libprobe/auto/heap/heap.h"
#include "libprobe/auto/wrap/auto.h"

enum found {
	FOUND_LINKED = 1, /* something needs libprobe.so */
	FOUND_INSIDE = 2, /* something has libprobe.a in it */
	FOUND_MPI = 4     /* libprobe-mpi: it tells of the program's messages */
};

/* Does a segment of notes have the one that process.c makes? */
static bool
has_note(const struct dl_phdr_info *o, const ElfW(Phdr) * ph)
{
	const char *p = (const char *)(o->dlpi_addr + ph->p_vaddr);
	const char *end = p + ph->p_memsz;

	while ((size_t)(end - p) >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *n = (const void *)p;
		size_t bytes = sizeof(*n) +
			       (((size_t)n->n_namesz + 3) & ~(size_t)3) +
			       (((size_t)n->n_descsz + 3) & ~(size_t)3);

		if (bytes > (size_t)(end - p))
			break; /* no note, or cut */
		if (n->n_namesz == sizeof(PROCESS_NOTE) &&
		    memcmp(n + 1, PROCESS_NOTE, sizeof(PROCESS_NOTE)) == 0)
			return (true);
		p += bytes;
	}
	return (false);
}

static bool
needs_libprobe(const struct dl_phdr_info *o, const ElfW(Phdr) * ph)
{
	const ElfW(Dyn) *dyn = (const void *)(o->dlpi_addr + ph->p_vaddr);
	const char *strings = NULL;

	for (const ElfW(Dyn) *d = dyn; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_STRTAB)
			strings = (const char *)d->d_un.d_ptr;
	/* not moved yet in the vdso, which needs nothing */
	if (strings == NULL || (uintptr_t)strings < o->dlpi_addr)
		return (false);
	for (; dyn->d_tag != DT_NULL; dyn++)
		if (dyn->d_tag == DT_NEEDED &&
		    strcmp(strings + dyn->d_un.d_val, "libprobe.so.1") == 0)
			return (true);
	return (false);
}

static int
look_cb(struct dl_phdr_info *o, size_t n, void *arg)
{
	const uintptr_t here = (uintptr_t)&auto_mute;
	unsigned *found = arg, seen = 0;

	(void)n;
	if (strstr(o->dlpi_name, "/libprobe-mpi-") != NULL)
		seen |= FOUND_MPI;
	for (int i = 0; i < o->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &o->dlpi_phdr[i];
		uintptr_t at = o->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD && here - at < ph->p_memsz)
			return (0); /* that is us */
		if (ph->p_type == PT_NOTE && has_note(o, ph))
			seen |= FOUND_INSIDE;
		if (ph->p_type == PT_DYNAMIC && needs_libprobe(o, ph))
			seen |= FOUND_LINKED;
	}
	*found |= seen;
	return (0);
}

bool
process_may_start(void)
{
	unsigned found = 0;

	(void)dl_iterate_phdr(look_cb, &found);
	auto_mute = (found & ~(unsigned)FOUND_MPI) != 0;
	if ((found & FOUND_MPI) != 0)
		streams_off(); /* how an MPI talks is its own affair */
	if (auto_mute)
		heap_mute();
	return ((found & FOUND_INSIDE) == 0);
}

bool
process_attaches_first(void)
{
	const char *by = getenv("ORRERY_RUN");
	long pid = by == NULL ? 0 : strtol(by, NULL, 10);

	return (
	    auto_mute || (pid != 0 && (pid == getppid() || pid == getpid())));
}
