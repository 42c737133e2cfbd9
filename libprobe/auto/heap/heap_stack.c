/*
 * Stacks by frame pointers.
 *
 * A frame that has a pointer to the next one lies on the thread's own stack,
 * farther out each time; where there is none, as on a stack of the program's
 * own making, the caller alone is known.  Code without frame pointers leaves
 * anything in that register.  What that leads to is found out when a stack is
 * seen for the first time: a return address is one in code, behind a call.  The
 * stack ends before the first that is not, and the walk from now on as well.
 *
 * The table has no lock: a line belongs to the stack whose hash was put there
 * first, and its number follows; until then whoever needs it makes the same
 * name and gets the same number.
 */
#include "libprobe/auto/heap/heap_stack.h"

#include <sys/resource.h>
#include <sys/syscall.h>

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libprobe/auto/heap/heap.h"
#include "libprobe/meet/bulk.h"

#define LINES      (1u << 16)
#define NEAR       16u /* lines that are looked at */
#define ENDS       (1u << 15)
#define MAIN_BYTES (UINT64_C(8) << 20) /* of a stack without a limit */
#define TEXT_BYTES (HEAP_STACK_MAX * 64)

static struct line {
	uint64_t hash;
	uint64_t number; /* + 1; 0: not known yet */
} lines[LINES] BULK;

/* Where walks end: behind this caller there was no frame.  And what has been
 * told.  By hash: of two addresses of one bit, one is not looked at. */
static BULK uint8_t ends[ENDS / 8], told[ENDS / 8];

static __thread struct {
	uintptr_t low, top;
} stack;

static BULK char program[256]; /* its file, as the system has it */

extern void *__libc_stack_end __attribute__((weak));

static uint64_t
mix(uint64_t x)
{
	x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
	return (x ^ (x >> 32));
}

static bool
has(const uint8_t *bits, uintptr_t at)
{
	uint32_t i = (uint32_t)(mix(at) % ENDS);

	return ((PROBE_LOAD(&bits[i / 8]) >> i % 8 & 1) != 0);
}

static void
add(uint8_t *bits, uintptr_t at)
{
	uint32_t i = (uint32_t)(mix(at) % ENDS);

	__atomic_fetch_or(&bits[i / 8], (uint8_t)(1u << i % 8),
	    __ATOMIC_RELAXED);
}

/* How many return addresses there are. */
static unsigned
walk(const uintptr_t *frame, uintptr_t *at)
{
	uintptr_t top = stack.top, last = (uintptr_t)frame, next;
	unsigned n = 0;

	at[n++] = frame[1];
	if (last < stack.low || last >= top)
		return (n);
	for (;;) {
		next = ((const uintptr_t *)last)[0];
		/* as a distance: the register may hold -16 */
		if (n == HEAP_STACK_MAX || next <= last || next >= top ||
		    top - next < 2 * sizeof(next) || next % sizeof(next) != 0 ||
		    has(ends, at[n - 1]))
			return (n);
		at[n] = ((const uintptr_t *)next)[1];
		if (at[n] == 0)
			return (n);
		n++;
		last = next;
	}
}

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)

/* Does its file have code there? */
static bool
is_code(const struct dl_find_object *o, uintptr_t at)
{
	const char *start = o->dlfo_map_start;
	const ElfW(Ehdr) *e = (const void *)start;
	const ElfW(Phdr) *ph = (const void *)(start + e->e_phoff);
	uintptr_t base = o->dlfo_link_map->l_addr;

	if (memcmp(e->e_ident, ELFMAG, SELFMAG) != 0)
		return (false);
	for (unsigned i = 0; i < e->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && (ph[i].p_flags & PF_X) != 0 &&
		    at - 8 - base - ph[i].p_vaddr < ph[i].p_memsz &&
		    at - base - ph[i].p_vaddr <= ph[i].p_memsz)
			return (true);
	return (false);
}

/* Something calls, and would come back to here. */
static bool
is_behind_call(uintptr_t at)
{
#if defined(__x86_64__)
	static const uint8_t back[] = { 2, 3, 4, 6, 7, 8 }; /* call *... */
	const uint8_t *p = (const uint8_t *)at;

	if (p[-5] == 0xe8)
		return (true);
	for (size_t i = 0; i < sizeof(back); i++)
		if (*(p - back[i]) == 0xff && (p[1 - back[i]] & 0x38) == 0x10)
			return (true);
	return (false);
#else
	(void)at;
	return (true);
#endif
}

static const char *
file_name(const struct dl_find_object *o)
{
	const char *name = o->dlfo_link_map->l_name, *slash;

	if (name == NULL || *name == '\0')
		name = program;
	slash = strrchr(name, '/');
	return (slash == NULL ? name : slash + 1);
}

/* Writes one part; 0: that is no return address. */
static size_t
part(char *to, size_t n, uintptr_t at)
{
	struct dl_find_object o;
	int wrote;

	if (at < 4096 || _dl_find_object((void *)(at - 1), &o) != 0 ||
	    !is_code(&o, at) || !is_behind_call(at))
		return (0);
	wrote = snprintf(to, n, "%.48s+0x%lx", file_name(&o),
	    (unsigned long)(at - 1 - o.dlfo_link_map->l_addr));
	return (wrote > 0 && (size_t)wrote < n ? (size_t)wrote : 0);
}

#else

static size_t
part(char *to, size_t n, uintptr_t at)
{
	int wrote = snprintf(to, n, "0x%lx", (unsigned long)at);

	return (wrote > 0 && (size_t)wrote < n ? (size_t)wrote : 0);
}

#endif

/* Code that was made while the program ran is in no file. */
static size_t
caller_alone(char *to, size_t n, uintptr_t at)
{
	int wrote = snprintf(to, n, "0x%lx", (unsigned long)at);

	return (wrote > 0 ? (size_t)wrote : 0);
}

/* So that its collector finds out what is there. */
static void
tell(uintptr_t at)
{
	if (has(told, at))
		return;
	add(told, at);
	PROBE_EVENT(PROBE_CLASS_memory, 0, PROBE_mem_code, 0, at - 1, 0);
}

static uint32_t
name_of(const uintptr_t *at, unsigned n)
{
	char text[TEXT_BYTES];
	size_t bytes = 0, more;

	for (unsigned i = 0; i < n; i++) {
		size_t sep = i == 0 ? 0 : 3;

		if (sizeof(text) - bytes < sep + 2)
			break;
		more =
		    part(text + bytes + sep, sizeof(text) - bytes - sep, at[i]);
		if (more == 0 && i == 0)
			more = caller_alone(text, sizeof(text), at[i]);
		if (more == 0) {
			if (i > 0)
				add(ends, at[i - 1]);
			break;
		}
		memcpy(text + bytes, " < ", sep);
		bytes += sep + more;
		tell(at[i]);
	}
	text[bytes] = '\0';
	return (probe_name(text));
}

/* The line of a stack, or NULL: there is none for it. */
static struct line *
line_of(uint64_t hash)
{
	for (uint32_t i = 0; i < NEAR; i++) {
		struct line *l = &lines[(hash + i) % LINES];
		uint64_t was = PROBE_LOAD(&l->hash);

		if (was == hash)
			return (l);
		if (was == 0 &&
		    (__atomic_compare_exchange_n(&l->hash, &was, hash, false,
			 __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
			was == hash))
			return (l);
	}
	return (NULL);
}

uint32_t
heap_stack(void *frame)
{
	uintptr_t at[HEAP_STACK_MAX];
	unsigned n = walk(frame, at);
	uint64_t hash = n, number;
	struct line *l;

	for (unsigned i = 0; i < n; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x9e3779b97f4a7c15) +
		       (hash >> 29);
	hash = mix(hash) | 1;
	l = line_of(hash);
	if (l == NULL)
		return (0);
	number = PROBE_LOAD(&l->number);
	if (PROBE_UNLIKELY(number == 0)) {
		number = (uint64_t)name_of(at, n) + 1;
		PROBE_STORE(&l->number, number);
	}
	return ((uint32_t)(number - 1));
}

void
heap_thread_begins(void)
{
	struct heap_count *c = heap_count(), before;
	pthread_attr_t attr;
	void *low;
	size_t bytes;

	if (heap_level <= HEAP_COUNTS || c == NULL)
		return;
	before = *c; /* it wants some memory for a moment: that is ours */
	heap_inside = true;
	if (pthread_getattr_np(pthread_self(), &attr) == 0) {
		if (pthread_attr_getstack(&attr, &low, &bytes) == 0) {
			stack.low = (uintptr_t)low;
			stack.top = (uintptr_t)low + bytes;
		}
		pthread_attr_destroy(&attr);
	}
	heap_inside = false;
	*c = before;
}

/* The first thread's stack grows down to its limit; nothing else is there. */
__attribute__((constructor)) static void
stack_constructor(void)
{
	struct rlimit most;
	uint64_t bytes = MAIN_BYTES;

	(void)HEAP_CALL(malloc); /* then the level is known */
	if (heap_level <= HEAP_COUNTS)
		return;
	(void)syscall(SYS_readlink, "/proc/self/exe", program,
	    sizeof(program) - 1);
	if (&__libc_stack_end == NULL || __libc_stack_end == NULL)
		return;
	if (getrlimit(RLIMIT_STACK, &most) == 0 && most.rlim_cur < bytes)
		bytes = most.rlim_cur;
	stack.top = (uintptr_t)__libc_stack_end;
	stack.low = stack.top - bytes;
}
