/*
 * OpenMP as gcc has it: libgomp tells no tool, so what gcc's code calls is
 * wrapped.  A region's function and a task's are called by ones of ours, on
 * the threads that libgomp chooses.
 *
 * libgomp may have come by dlopen(), under another name and more than once, as
 * in packages of Python.  Then it is behind no other library, and each caller
 * has its own: it is looked for in what the caller has loaded.  Where there is
 * none at all, as when a program only asks whether there is, what is to be done
 * is done by one thread.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "libprobe/auto/descriptors/attach.h"
#include "libprobe/auto/locks/locks.h"
#include "libprobe/auto/omp/omp.h"
#include "libprobe/auto/omp/team.h"
#include "libprobe/auto/wrap/auto.h"
#include "libprobe/meet/bulk.h"

#define ALIGN       16u   /* of what a task is given, at least */
#define FLAG_DETACH 1024u /* it ends when somebody else says so */

#define CALLER __builtin_return_address(0)

enum gomp {
#define GOMP(type, name, parameters) N_##name,
#include "libprobe/auto/omp/gomp.def"
#undef GOMP
	N_omp_get_thread_num,
	N_omp_get_num_threads,
	N_omp_get_max_threads,
	NAMES
};

static const char *const names[NAMES] = {
#define GOMP(type, name, parameters) #name,
#include "libprobe/auto/omp/gomp.def"
#undef GOMP
	"omp_get_thread_num",
	"omp_get_num_threads",
	"omp_get_max_threads",
};

#define GOMP(type, name, parameters)                                           \
	typedef type type_##name parameters;                                   \
	type_##name name;
#include "libprobe/auto/omp/gomp.def"
#undef GOMP

typedef void any_function(void);

static BULK void *behind[NAMES]; /* us; what is not there is asked for again */

static any_function *
find(enum gomp n, const void *caller)
{
	void *p = PROBE_LOAD(&behind[n]);
	any_function *function;
	struct link_map *map;
	Dl_info in;
	int saved = errno;

	if (p == NULL && (p = dlsym(RTLD_NEXT, names[n])) != NULL)
		PROBE_STORE(&behind[n], p);
	else if (p == NULL &&
		 dladdr1(caller, &in, (void **)&map, RTLD_DL_LINKMAP) != 0)
		p = dlsym(map, names[n]);
	errno = saved;
	/* POSIX lets a pointer to a function be one to data; ISO C does not */
	memcpy(&function, &p, sizeof(function));
	return (function);
}

/* name(arguments) of libgomp, if there is one; arguments in brackets */
#define CALL_GOMP(name, arguments)                                             \
	do {                                                                   \
		type_##name *there = (type_##name *)find(N_##name, CALLER);    \
		if (there != NULL && there != name)                            \
			there arguments;                                       \
	} while (0)

static bool
says(void)
{
	return (!omp_is_told && !auto_mute &&
		(probe_enabled(PROBE_CLASS_task) ||
		    probe_enabled(PROBE_CLASS_block) ||
		    probe_enabled(PROBE_CLASS_lock)));
}

static __thread struct team_task *now; /* that this thread is in */
static struct team_task *program;

/* At first the program itself. */
static struct team_task *
own_task(void)
{
	if (now != NULL)
		return (now);
	auto_attach();
	now = team_join(NULL, 0, 1);
	if (program == NULL)
		program = now;
	return (now);
}

/* --- regions --- */

struct region {
	void (*function)(void *);
	void *data;
	struct team *team;
	int (*index)(void), (*width)(void);
};

static void
share(void *arg)
{
	const struct region *r = arg;
	struct team_task *before = now, *own;

	own = now =
	    team_join(r->team, (uint32_t)r->index(), (uint32_t)r->width());
	r->function(r->data);
	team_leave(own);
	team_task_free(own);
	now = before;
}

/* What is to be called instead; false: nothing is told. */
static bool
region_begin(struct region *r, void (*function)(void *), void *data,
    unsigned width, const void *caller)
{
	int (*most)(void);

	if (!says())
		return (false);
	*r = (struct region){ function, data, NULL,
		(int (*)(void))find(N_omp_get_thread_num, caller),
		(int (*)(void))find(N_omp_get_num_threads, caller) };
	most = (int (*)(void))find(N_omp_get_max_threads, caller);
	if (r->index == NULL || r->width == NULL || most == NULL)
		return (false);
	r->team = team_begin(own_task(), width == 0 ? (unsigned)most() : width,
	    caller);
	return (r->team != NULL);
}

static void
region_end(const struct region *r)
{
	team_end(r->team, now);
}

/* A wrapper of those that make a region; ... is what follows its width. */
#define REGION(name, parameters, ...)                                          \
	WRAPPER void name parameters                                           \
	{                                                                      \
		type_##name *real = (type_##name *)find(N_##name, CALLER);     \
		struct region r;                                               \
                                                                               \
		if (real == NULL || real == name) {                            \
			fn(data);                                              \
		} else if (region_begin(&r, fn, data, width, CALLER)) {        \
			real(share, &r, width, __VA_ARGS__);                   \
			region_end(&r);                                        \
		} else {                                                       \
			real(fn, data, width, __VA_ARGS__);                    \
		}                                                              \
	}

#define FN       void (*fn)(void *), void *data, unsigned width
#define LOOP     (FN, long from, long to, long step, long chunk, unsigned flags)
#define LOOP_ANY (FN, long from, long to, long step, unsigned flags)

REGION(GOMP_parallel, (FN, unsigned flags), flags)
REGION(GOMP_parallel_sections, (FN, unsigned n, unsigned flags), n, flags)
REGION(GOMP_parallel_loop_static, LOOP, from, to, step, chunk, flags)
REGION(GOMP_parallel_loop_dynamic, LOOP, from, to, step, chunk, flags)
REGION(GOMP_parallel_loop_guided, LOOP, from, to, step, chunk, flags)
REGION(GOMP_parallel_loop_nonmonotonic_dynamic, LOOP, from, to, step, chunk,
    flags)
REGION(GOMP_parallel_loop_nonmonotonic_guided, LOOP, from, to, step, chunk,
    flags)
REGION(GOMP_parallel_loop_runtime, LOOP_ANY, from, to, step, flags)
REGION(GOMP_parallel_loop_nonmonotonic_runtime, LOOP_ANY, from, to, step, flags)
REGION(GOMP_parallel_loop_maybe_nonmonotonic_runtime, LOOP_ANY, from, to, step,
    flags)

WRAPPER unsigned
GOMP_parallel_reductions(FN, unsigned flags)
{
	type_GOMP_parallel_reductions *real =
	    (type_GOMP_parallel_reductions *)find(N_GOMP_parallel_reductions,
		CALLER);
	struct region r;
	unsigned n = 1;

	if (real == NULL || real == GOMP_parallel_reductions)
		fn(data);
	else if (region_begin(&r, fn, data, width, CALLER)) {
		/* how many they are, libgomp writes into what data points to */
		n = real(fn, data, width, flags);
		region_end(&r);
	} else
		n = real(fn, data, width, flags);
	return (n);
}

/* --- tasks --- */

/* In front of what the program's function is given. */
struct head {
	void (*function)(void *);
	void (*copy)(void *, void *); /* NULL: byte by byte */
	void *data;
	size_t bytes, offset;
	struct team_task *task;
};

static void
copy(void *to, void *from)
{
	const struct head *h = from;
	char *data = (char *)to + h->offset;

	memcpy(to, h, sizeof(*h));
	if (h->copy != NULL)
		h->copy(data, h->data);
	else if (h->bytes > 0)
		memcpy(data, h->data, h->bytes);
}

static void
run_task(void *arg)
{
	const struct head h = *(const struct head *)arg;
	struct team_task *before = now;

	team_task_yield(before);
	now = h.task;
	team_task_run(h.task);
	h.function((char *)arg + h.offset);
	team_task_end(h.task);
	team_task_free(h.task);
	now = before;
	team_task_run(before);
}

WRAPPER void
GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
    long bytes, long align, bool deferred, unsigned flags, void **depend,
    int priority, void *detach)
{
	type_GOMP_task *real = (type_GOMP_task *)find(N_GOMP_task, CALLER);
	size_t to = align < (long)ALIGN ? ALIGN : (size_t)align;
	struct head h = { fn, cpyfn, data, (size_t)bytes,
		(sizeof(h) + to - 1) / to * to, NULL };

	if (real == NULL || real == GOMP_task) {
		fn(data);
		return;
	}
	if (!says() || bytes < 0 || (flags & FLAG_DETACH) != 0 ||
	    (h.task = team_task_new(own_task(), CALLER)) == NULL) {
		real(fn, data, cpyfn, bytes, align, deferred, flags, depend,
		    priority, detach);
		return;
	}
	real(run_task, &h, copy, (long)(h.offset + h.bytes), (long)to, deferred,
	    flags, depend, priority, detach);
}

WRAPPER void
GOMP_taskwait(void)
{
	bool told = now != NULL && says();

	if (told)
		team_task_wait(now);
	CALL_GOMP(GOMP_taskwait, ());
	if (told)
		team_task_waited(now);
}

WRAPPER void
GOMP_taskgroup_start(void)
{
	if (now != NULL && says())
		team_group(now, true);
	CALL_GOMP(GOMP_taskgroup_start, ());
}

WRAPPER void
GOMP_taskgroup_end(void)
{
	CALL_GOMP(GOMP_taskgroup_end, ());
	if (now != NULL && says())
		team_group(now, false);
}

/* --- barriers and locks --- */

#define BARRIER(name)                                                          \
	WRAPPER void name(void)                                                \
	{                                                                      \
		struct team_task *own = says() ? now : NULL;                   \
                                                                               \
		team_barrier(own, true);                                       \
		CALL_GOMP(name, ());                                           \
		team_barrier(own, false);                                      \
	}

BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)

static struct auto_wait
lock_wait(const void *what, uint32_t name)
{
	struct auto_wait w = { NULL, 0, 0 };

	if (now == NULL || !says())
		return (w);
	w = auto_wait(what);
	probe_lock_wait(w.id, name);
	return (w);
}

static void
lock_got(struct auto_wait w, uint32_t name)
{
	if (w.what != NULL)
		probe_lock_acquire(w.id, turns_take(w.what, w.before), name);
}

static void
lock_given_up(const void *what, uint32_t name)
{
	if (now != NULL && says())
		probe_lock_release(turns_id(what), turns_next(what), name);
}

static const char critical; /* all those without a name are one */

#define LOCK(lock, unlock, parameters, arguments, what, word)                  \
	WRAPPER void lock parameters                                           \
	{                                                                      \
		struct auto_wait w = lock_wait(what, PROBE_NAME(word));        \
                                                                               \
		CALL_GOMP(lock, arguments);                                    \
		lock_got(w, PROBE_NAME(word));                                 \
	}                                                                      \
	WRAPPER void unlock parameters                                         \
	{                                                                      \
		lock_given_up(what, PROBE_NAME(word));                         \
		CALL_GOMP(unlock, arguments);                                  \
	}

LOCK(GOMP_critical_start, GOMP_critical_end, (void), (), &critical, "critical")
LOCK(GOMP_critical_name_start, GOMP_critical_name_end, (void **p), (p), p,
    "critical")
LOCK(omp_set_lock, omp_unset_lock, (void *p), (p), p, "omp lock")

/* Before libprobe ends, which was there first. */
__attribute__((destructor)) static void
gomp_destructor(void)
{
	if (program == NULL)
		return;
	team_leave(program);
	program = NULL;
}
