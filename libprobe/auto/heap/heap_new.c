/*
 * The operators new and delete of C++, by the names that the compilers give
 * them: so the caller is known of what is asked for by malloc inside them,
 * whose code has no frame pointers.
 *
 * Where malloc and they belong to one library, as another allocator's, they do
 * not come by our malloc, and are counted here.
 */
#include "libprobe/auto/heap/heap.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct operator_ {
	const char *name;
	void *real;
	bool direct; /* it does not come by malloc */
};

/* The library of C++ may be one that only a part of the program sees. */
static void *
look_for(const char *name)
{
	static const char *const libraries[] = { "libstdc++.so.6",
		"libc++.so.1", "libc++abi.so.1" };
	void *p = dlsym(RTLD_NEXT, name), *library;

	for (size_t i = 0;
	     p == NULL && i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
		if (library == NULL)
			continue;
		p = dlsym(library, name);
		dlclose(library); /* whoever calls us has it, too */
	}
	(void)dlerror(); /* none of the program's */
	return (p);
}

static void *
find(struct operator_ *o)
{
	void *p = look_for(o->name), *(*real)(size_t) = HEAP_CALL(malloc);
	void *malloc_at;

	if (p == NULL)
		abort(); /* who calls it has nothing to call */
	memcpy(&malloc_at, &real, sizeof(malloc_at)); /* as POSIX has it */
	o->direct = heap_library(p) == heap_library(malloc_at);
	__atomic_store_n(&o->real, p, __ATOMIC_RELEASE);
	return (p);
}

static inline void *
real_of(struct operator_ *o)
{
	void *p = __atomic_load_n(&o->real, __ATOMIC_ACQUIRE);

	return (PROBE_UNLIKELY(p == NULL) ? find(o) : p);
}

typedef struct {
	char unused;
} nothrow_t;

/*
 * What operator new throws passes through here: there is nothing to undo, for
 * malloc, which had no memory, has taken heap_from.
 */
#define NEW(name_, parameters, ...)                                            \
	void *name_ parameters;                                                \
	WRAPPER void *name_ parameters                                         \
	{                                                                      \
		static struct operator_ o = { .name = #name_ };                \
		void *(*real)parameters;                                       \
		void *p;                                                       \
                                                                               \
		*(void **)(&real) = real_of(&o);                               \
		heap_from = __builtin_frame_address(0);                        \
		p = real(__VA_ARGS__);                                         \
		heap_from = NULL;                                              \
		return (PROBE_UNLIKELY(o.direct)                               \
			    ? heap_made(p, n, __builtin_frame_address(0))      \
			    : p);                                              \
	}

#define DELETE(name_, parameters, ...)                                         \
	void name_ parameters;                                                 \
	WRAPPER void name_ parameters                                          \
	{                                                                      \
		static struct operator_ o = { .name = #name_ };                \
		void(*real) parameters;                                        \
                                                                               \
		*(void **)(&real) = real_of(&o);                               \
		if (PROBE_UNLIKELY(o.direct))                                  \
			heap_freed(p, __builtin_frame_address(0));             \
		else                                                           \
			heap_from = __builtin_frame_address(0);                \
		real(__VA_ARGS__);                                             \
		heap_from = NULL;                                              \
	}

/* clang-format off */
NEW(_Znwm, (size_t n), n)
NEW(_Znam, (size_t n), n)
NEW(_ZnwmRKSt9nothrow_t, (size_t n, const nothrow_t *t), n, t)
NEW(_ZnamRKSt9nothrow_t, (size_t n, const nothrow_t *t), n, t)
NEW(_ZnwmSt11align_val_t, (size_t n, size_t a), n, a)
NEW(_ZnamSt11align_val_t, (size_t n, size_t a), n, a)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t n, size_t a, const nothrow_t *t), n, a, t)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t n, size_t a, const nothrow_t *t), n, a, t)
DELETE(_ZdlPv, (void *p), p)
DELETE(_ZdaPv, (void *p), p)
DELETE(_ZdlPvm, (void *p, size_t n), p, n)
DELETE(_ZdaPvm, (void *p, size_t n), p, n)
DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const nothrow_t *t), p, t)
DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const nothrow_t *t), p, t)
DELETE(_ZdlPvSt11align_val_t, (void *p, size_t a), p, a)
DELETE(_ZdaPvSt11align_val_t, (void *p, size_t a), p, a)
DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t n, size_t a), p, n, a)
DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t n, size_t a), p, n, a)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *p, size_t a, const nothrow_t *t), p, a, t)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *p, size_t a, const nothrow_t *t), p, a, t)
