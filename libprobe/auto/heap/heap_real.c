/*
 * Finds what the wrappers of memory wrap, which is the next library's that has
 * it: the C library's, or that of another allocator.
 *
 * dlsym() may want memory itself, and so may whatever runs before that.  It
 * gets some of a small array, until all is found.
 *
 * Sizes are asked of malloc_usable_size(), which has to belong to the same
 * library as malloc; and somebody's malloc before ours would get pieces that
 * are not its own.  In such a case nothing is counted.
 */
#include "libprobe/auto/heap/heap.h"
#include "libprobe/auto/wrap/next.h"
#include "libprobe/meet/bulk.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#define EARLY_BYTES HEAP_EARLY_BYTES
#define EARLY_ALIGN 16u
#define early       heap_early_bytes

struct heap_real heap_real;
enum heap_level heap_level;
struct heap_own heap_own;
static bool muted;
static __thread bool finding;

BULK _Alignas(EARLY_ALIGN) char heap_early_bytes[HEAP_EARLY_BYTES];
bool heap_sized;
extern void *__libc_malloc(size_t); /* the C library's own */
static size_t early_used;

/* Its size stands before it. */
static void *
early_malloc(size_t n)
{
	size_t all =
	    ((n + EARLY_ALIGN - 1) & ~(size_t)(EARLY_ALIGN - 1)) + EARLY_ALIGN;
	size_t at;

	if (n > EARLY_BYTES)
		return (NULL);
	at = __atomic_fetch_add(&early_used, all, __ATOMIC_RELAXED);
	if (at > EARLY_BYTES || all > EARLY_BYTES - at)
		return (NULL);
	memcpy(early + at, &n, sizeof(n));
	return (early + at + EARLY_ALIGN);
}

static size_t
early_size(void *p)
{
	size_t n = 0;

	if (p != NULL)
		memcpy(&n, (char *)p - EARLY_ALIGN, sizeof(n));
	return (n);
}

/* It is zero as long as nobody has had it, and nobody has it twice. */
static void *
early_calloc(size_t n, size_t size)
{
	return (size != 0 && n > EARLY_BYTES / size ? NULL
						    : early_malloc(n * size));
}

static void *
early_realloc(void *p, size_t n)
{
	void *q = early_malloc(n);
	size_t had = early_size(p);

	if (q != NULL && p != NULL)
		memcpy(q, p, had < n ? had : n);
	return (q);
}

static void
early_free(void *p)
{
	(void)p;
}

static const struct heap_real heap_early = {
	.malloc = early_malloc,
	.calloc = early_calloc,
	.realloc = early_realloc,
	.free = early_free,
	.malloc_usable_size = early_size,
};

void *
heap_leave_early(void *p, size_t n)
{
	void *q = HEAP_CALL(malloc)(n);
	size_t had = early_size(p);

	if (q != NULL)
		memcpy(q, p, had < n ? had : n);
	return (q);
}

struct sought {
	uintptr_t at, library;
};

static int
is_in_cb(struct dl_phdr_info *o, size_t n, void *arg)
{
	struct sought *s = arg;

	(void)n;
	for (int i = 0; i < o->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &o->dlpi_phdr[i];

		if (ph->p_type != PT_LOAD ||
		    s->at - (o->dlpi_addr + ph->p_vaddr) >= ph->p_memsz)
			continue;
		s->library = (uintptr_t)o->dlpi_phdr;
		return (1);
	}
	return (0);
}

/* dladdr() would look at every symbol of the library for the nearest one. */
uintptr_t
heap_library(const void *function)
{
	struct sought s = { .at = (uintptr_t)function };

	(void)dl_iterate_phdr(is_in_cb, &s);
	return (s.library);
}

/* All of them are one library's, and nobody's malloc comes before ours. */
static bool
can_be_counted(const struct next *behind)
{
	static const char *const names[] = { "malloc", "calloc", "realloc",
		"free", "malloc_usable_size" };
	uintptr_t library = 0, here = heap_library(&heap_real);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		uintptr_t l = heap_library(next_find(behind, names[i]));

		if (l == 0 || (library != 0 && l != library))
			return (false);
		library = l;
	}
#define OWN(name)                                                              \
	heap_own.name = heap_library(next_find(behind, #name)) == library
	OWN(aligned_alloc);
	OWN(posix_memalign);
	OWN(memalign);
	OWN(valloc);
	OWN(pvalloc);
#undef OWN
	return (heap_library(dlsym(RTLD_DEFAULT, "malloc")) == here &&
		heap_library(dlsym(RTLD_DEFAULT, "free")) == here);
}

static enum heap_level
wanted(void)
{
	static const char *const names[] = { [HEAP_OFF] = "off",
		[HEAP_COUNTS] = "counts",
		[HEAP_SAMPLE] = "sample",
		[HEAP_ALL] = "all" };
	const char *s = getenv("ORRERY_MEMORY");

	for (size_t i = 0; s != NULL && i < sizeof(names) / sizeof(names[0]);
	     i++)
		if (strcmp(s, names[i]) == 0)
			return ((enum heap_level)i);
	return (HEAP_COUNTS);
}

void
heap_mute(void)
{
	muted = true;
	heap_level = HEAP_OFF;
}

static void
set(void *function, void *found)
{
	__atomic_store((void **)function, &found, __ATOMIC_RELAXED);
}

/* valgrind has an allocator of its own behind the C library's functions. */
static bool
is_in_valgrind(void)
{
	const char *s = getenv("LD_PRELOAD");

	return (s != NULL && strstr(s, "vgpreload") != NULL);
}

/*
 * tcmalloc asks for memory when it is asked for a size for the first time,
 * which would ask for its size.
 */
static void
ask_first(void)
{
	void *p = heap_real.malloc(1);
	size_t n = p != NULL ? heap_real.malloc_usable_size(p) : 0;

	heap_sized = p != NULL && heap_real.malloc == __libc_malloc &&
		     !is_in_valgrind() && n == heap_size_before(p);
	heap_real.free(p);
}

const struct heap_real *
heap_find(void)
{
	int saved_errno = errno;
	bool first = PROBE_LOAD(&heap_real.malloc_usable_size) == NULL;
	struct next behind;

	if (finding)
		return (&heap_early);
	finding = true;
	next_open(&behind);
#define HEAP(type, name, arguments)                                            \
	if (PROBE_LOAD(&heap_real.name) == NULL)                               \
		set(&heap_real.name, next_find(&behind, #name));
#include "libprobe/auto/heap/heap.def"
#undef HEAP
	if (first && !muted && !next_is_sanitized() &&
	    can_be_counted(&behind)) {
		ask_first();
		heap_level = wanted();
	}
	finding = false;
	errno = saved_errno;
	return (&heap_real);
}

/* Early, so that hardly any wrapper has to. */
__attribute__((constructor)) static void
heap_constructor(void)
{
	(void)heap_find();
}
