/*
 * What the loader would find with dlsym(RTLD_NEXT), for the hundred and more
 * names that every process looks for at its start: there it was a third of the
 * instructions of a short program.  The libraries behind this one are looked
 * through in the order of their loading, by the hash tables that the linker has
 * put into them (DT_GNU_HASH: a Bloom filter, buckets, and the hashes of all
 * symbols, bucket by bucket, the last of each with bit 0 set).
 *
 * Whatever is not plain is left to dlsym(): a name that is not in the first
 * libraries, one that is chosen by a function, a library without that table.
 */
#include "libprobe/auto/wrap/next.h"

#include <sys/auxv.h>

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define VERSION_HIDDEN 0x8000u /* not the one that is meant without version */

struct looking {
	struct next *next;
	bool behind; /* we have been */
};

/* false: it cannot be read like that. */
static bool
read_dynamic(struct next_library *l, const ElfW(Dyn) * d)
{
	uintptr_t at[4] = { 0 };

	for (; d->d_tag != DT_NULL; d++) {
		int i = d->d_tag == DT_GNU_HASH ? 0
			: d->d_tag == DT_STRTAB ? 1
			: d->d_tag == DT_SYMTAB ? 2
			: d->d_tag == DT_VERSYM ? 3
						: -1;

		if (i != -1)
			at[i] = d->d_un.d_ptr;
	}
	/* not every loader leaves here where they are by now */
	for (int i = 0; i < 4; i++)
		if (at[i] < l->base && (i < 3 || at[i] != 0))
			return (false);
	l->hash = (const uint32_t *)at[0];
	l->strings = (const char *)at[1];
	l->symbols = (const void *)at[2];
	l->versions = (const uint16_t *)at[3];
	return (l->base != 0);
}

static int
look_cb(struct dl_phdr_info *o, size_t bytes, void *arg)
{
	struct looking *l = arg;
	struct next *next = l->next;
	const ElfW(Dyn) *dynamic = NULL;
	uintptr_t here = (uintptr_t)&look_cb;
	struct next_library *at = &next->library[next->n];

	(void)bytes;
	for (int i = 0; i < o->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &o->dlpi_phdr[i];
		uintptr_t start = o->dlpi_addr + ph->p_vaddr;

		if (!l->behind && ph->p_type == PT_LOAD &&
		    here - start < ph->p_memsz) {
			l->behind = true;
			return (0);
		}
		if (ph->p_type == PT_DYNAMIC)
			dynamic = (const ElfW(Dyn) *)start;
	}
	/* the kernel's piece of code is no library */
	if (!l->behind || o->dlpi_addr == getauxval(AT_SYSINFO_EHDR))
		return (0);
	at->base = o->dlpi_addr;
	if (dynamic == NULL || !read_dynamic(at, dynamic))
		return (1); /* those behind it must wait for dlsym() */
	return (++next->n == NEXT_LIBRARIES);
}

extern char __asan_init[] __attribute__((weak));
extern char __tsan_init[] __attribute__((weak));
extern char __msan_init[] __attribute__((weak));
extern char __lsan_init[] __attribute__((weak));
extern char __hwasan_init[] __attribute__((weak));

bool
next_is_sanitized(void)
{
	return (__asan_init != NULL || __tsan_init != NULL ||
		__msan_init != NULL || __lsan_init != NULL ||
		__hwasan_init != NULL);
}

/* A sanitizer has a dl_iterate_phdr() of its own, which is not ready yet. */
void
next_open(struct next *next)
{
	struct looking l = { .next = next };

	next->n = 0;
	if (!next_is_sanitized())
		(void)dl_iterate_phdr(look_cb, &l);
}

static uint32_t
hash_of(const char *name)
{
	uint32_t h = 5381;

	for (; *name != '\0'; name++)
		h = h * 33 + (uint8_t)*name;
	return (h);
}

/* Is it what is meant, and can it be given away as it is? */
static bool
is_it(const struct next_library *l, uint32_t i, const char *name)
{
	const ElfW(Sym) *s = (const ElfW(Sym) *)l->symbols + i;

	return (
	    s->st_shndx != SHN_UNDEF && s->st_value != 0 &&
	    (l->versions == NULL || (l->versions[i] & VERSION_HIDDEN) == 0) &&
	    strcmp(l->strings + s->st_name, name) == 0);
}

static const ElfW(Sym) *
    find_in(const struct next_library *l, uint32_t h, const char *name)
{
	const unsigned bits = 8 * sizeof(ElfW(Addr));
	uint32_t buckets = l->hash[0], first = l->hash[1], words = l->hash[2];
	const ElfW(Addr) *filter = (const ElfW(Addr) *)(l->hash + 4);
	const uint32_t *bucket = (const uint32_t *)(filter + words);
	const uint32_t *chain = bucket + buckets;
	ElfW(Addr) word = filter[h / bits % words];
	uint32_t i;

	if ((word >> h % bits & word >> (h >> l->hash[3]) % bits & 1) == 0)
		return (NULL);
	for (i = bucket[h % buckets]; i >= first; i++) {
		if (((chain[i - first] ^ h) >> 1) == 0 && is_it(l, i, name))
			return ((const ElfW(Sym) *)l->symbols + i);
		if ((chain[i - first] & 1) != 0)
			break;
	}
	return (NULL);
}

void *
next_find(const struct next *next, const char *name)
{
	uint32_t h = hash_of(name);
	const ElfW(Sym) *s = NULL;
	uint32_t i;

	for (i = 0; s == NULL && i < next->n; i++)
		s = find_in(&next->library[i], h, name);
	if (s == NULL || ELF64_ST_TYPE(s->st_info) != STT_FUNC)
		return (dlsym(RTLD_NEXT, name));
	return ((char *)next->library[i - 1].base + s->st_value);
}
