/*
 * See team.h.
 *
 * Memory is blocks of one size, which are never given back: whoever still has a
 * number of a task that is over finds a block, at worst another one's.  A
 * thread keeps some, as those that make tasks are often not those that end
 * them.
 */
#include "libprobe/auto/omp/team.h"

#include <sys/mman.h>

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "libprobe/auto/wrap/auto.h"
#include "libprobe/meet/bulk.h"

#define BLOCK_BYTES 128u
#define CHUNK_BYTES (256u << 10)
#define KEPT_MAX    64u
#define IDS         14u
#define TRIES       1000 /* a fork may have left it locked */
#define NAMES       1024u
#define NAMES_NEAR  16u

struct team_block {
	struct team_block *next;
	uint64_t id[IDS];
};

_Static_assert(sizeof(struct team_block) <= BLOCK_BYTES, "ids fit");
_Static_assert(sizeof(struct team_task) <= BLOCK_BYTES, "a task fits");
_Static_assert(sizeof(struct team) <= BLOCK_BYTES, "a team fits");

static __thread struct {
	struct team_block *first;
	unsigned n;
} kept;

static struct team_block *shared;
static int shared_lock;

static bool
lock_shared(void)
{
	for (int i = 0; i < TRIES; i++)
		if (__atomic_exchange_n(&shared_lock, 1, __ATOMIC_ACQUIRE) == 0)
			return (true);
	return (false);
}

static void
unlock_shared(void)
{
	__atomic_store_n(&shared_lock, 0, __ATOMIC_RELEASE);
}

static void
keep(struct team_block *b)
{
	b->next = kept.first;
	kept.first = b;
	kept.n++;
}

/* Some of what others have given back, or new ones. */
static void
fetch(void)
{
	char *chunk;

	if (lock_shared()) {
		while (shared != NULL && kept.n < KEPT_MAX / 2) {
			struct team_block *b = shared;

			shared = b->next;
			keep(b);
		}
		unlock_shared();
	}
	if (kept.n > 0)
		return;
	chunk = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t at = 0; chunk != MAP_FAILED && at < CHUNK_BYTES;
	     at += BLOCK_BYTES)
		keep((struct team_block *)(void *)(chunk + at));
}

/* Zeroed; NULL: no memory.  errno is as it was. */
static void *
block_new(void)
{
	struct team_block *b;
	int saved = errno;

	if (kept.first == NULL)
		fetch();
	errno = saved;
	b = kept.first;
	if (b == NULL)
		return (NULL);
	kept.first = b->next;
	kept.n--;
	memset(b, 0, BLOCK_BYTES);
	return (b);
}

static void
block_free(void *p)
{
	if (p == NULL)
		return;
	keep(p);
	if (kept.n < KEPT_MAX || !lock_shared())
		return;
	while (kept.n > KEPT_MAX / 2) {
		struct team_block *b = kept.first;

		kept.first = b->next;
		kept.n--;
		b->next = shared;
		shared = b;
	}
	unlock_shared();
}

static void
ids_push(struct team_ids *ids, uint64_t id)
{
	struct team_block *b = ids->top;

	if (ids->n % IDS == 0) {
		b = block_new();
		if (b == NULL)
			return; /* nobody is told that it was joined */
		b->next = ids->top;
		ids->top = b;
	}
	b->id[ids->n++ % IDS] = id;
}

static uint64_t
ids_pop(struct team_ids *ids)
{
	struct team_block *b = ids->top;
	uint64_t id = b->id[--ids->n % IDS];

	if (ids->n % IDS == 0) {
		ids->top = b->next;
		block_free(b);
	}
	return (id);
}

/* --- names --- */

static struct place {
	uint64_t at; /* with a bit of what it is */
	uint32_t name;
} places[NAMES] BULK;

static uint32_t
name_of(const char *what, const void *at)
{
	char text[128];
	Dl_info in;
	const char *slash;

	if (at == NULL || dladdr(at, &in) == 0 || in.dli_fname == NULL)
		return (probe_name(what));
	slash = strrchr(in.dli_fname, '/');
	snprintf(text, sizeof(text), "%s %.80s+0x%lx", what,
	    slash == NULL ? in.dli_fname : slash + 1,
	    (unsigned long)((const char *)at - (const char *)in.dli_fbase));
	return (probe_name(text));
}

uint32_t
team_name(const char *what, const void *at)
{
	uint64_t key = (uint64_t)(uintptr_t)at ^ (uint64_t)what[0] << 56;
	uint32_t h = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40);
	int saved = errno;

	for (uint32_t i = 0; i < NAMES_NEAR; i++) {
		struct place *p = &places[(h + i) % NAMES];
		uint64_t was = PROBE_LOAD(&p->at);
		uint32_t name;

		if (was == 0 && __atomic_compare_exchange_n(&p->at, &was, key,
				    false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			was = key;
		if (was != key)
			continue;
		name = PROBE_LOAD(&p->name);
		if (name == 0) {
			name = name_of(what, at);
			PROBE_STORE(&p->name, name);
		}
		errno = saved;
		return (name);
	}
	return (probe_name(what));
}

/* Threads of a program are its processing elements, as they came. */
static uint32_t
own_pe(void)
{
	static uint32_t last;
	static __thread uint32_t own;

	if (own == 0)
		own = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
	return (own - 1);
}

/* --- the end of regions --- */

/* No barrier of a region but its last has this turn. */
#define LAST_TURN (UINT64_C(1) << 31)

/* Where this thread waits at the end of a region: its maker for the others, the
 * others for the next region. */
static __thread struct {
	uint64_t team; /* 0: nowhere */
	uint32_t width;
} last;

static void
last_enter(const struct team_task *t)
{
	if (t->width < 2)
		return;
	last.team = t->team;
	last.width = t->width;
	probe_barrier_enter(last.team, LAST_TURN, last.width);
}

static void
last_leave(void)
{
	if (last.team != 0)
		probe_barrier_leave(last.team, LAST_TURN, last.width);
	last.team = 0;
}

/* --- tasks --- */

struct team_task *
team_task_new(struct team_task *by, const void *at)
{
	struct team_task *t = block_new();

	if (t == NULL)
		return (NULL);
	t->id = probe_id();
	t->name = team_name("task", at);
	t->live = true;
	probe_task_spawn(t->id, by == NULL ? 0 : by->id, t->name);
	if (by != NULL)
		ids_push(&by->made, t->id);
	return (t);
}

void
team_task_run(struct team_task *t)
{
	if (t == NULL || t->over || t->waiting)
		return;
	if (t->begun && t->asleep)
		probe_task_resume(t->id, own_pe(), t->name);
	else if (!t->begun) {
		while (t->lacks.n > 0)
			probe_future_get(ids_pop(&t->lacks), t->id);
		probe_task_begin(t->id, own_pe(), t->name);
	}
	t->begun = true;
	t->asleep = false;
}

void
team_task_yield(struct team_task *t)
{
	if (t == NULL || !t->begun || t->over || t->asleep)
		return;
	t->asleep = true;
	probe_task_suspend(t->id, 0);
}

void
team_task_end(struct team_task *t)
{
	if (t == NULL || t->over)
		return;
	t->over = true;
	if (t->awaited)
		probe_future_set(t->id, t->id);
	probe_task_end(t->id);
}

void
team_task_free(struct team_task *t)
{
	if (t == NULL)
		return;
	while (t->made.n > 0)
		(void)ids_pop(&t->made);
	while (t->lacks.n > 0)
		(void)ids_pop(&t->lacks);
	t->live = false;
	block_free(t);
}

/* All that it has made since there were so many is done. */
static void
join_from(struct team_task *t, uint32_t n)
{
	while (t->made.n > n)
		probe_task_join(ids_pop(&t->made));
}

void
team_task_wait(struct team_task *t)
{
	team_task_yield(t);
	if (t != NULL)
		t->waiting = true;
}

void
team_task_waited(struct team_task *t)
{
	if (t == NULL)
		return;
	join_from(t, 0);
	t->group = 0;
	t->waiting = false;
	team_task_run(t);
}

/* Of groups in a group the outermost. */
void
team_group(struct team_task *t, bool begin)
{
	if (t == NULL)
		return;
	if (begin) {
		if (t->group == 0)
			t->group = t->made.n + 1;
	} else if (t->group > 0) {
		join_from(t, t->group - 1);
		t->group = 0;
	}
}

void
team_task_after(struct team_task *t, const struct team_task *first)
{
	if (t != NULL && first != NULL && first->live)
		ids_push(&t->lacks, first->id);
}

/* --- regions --- */

struct team *
team_begin(struct team_task *by, uint32_t width, const void *at)
{
	struct team *team = block_new();

	if (team == NULL)
		return (NULL);
	team->id = probe_id();
	team->width = width;
	team->at = at;
	team->name = team_name("parallel", at);
	team->parent = by == NULL ? 0 : by->id;
	probe_block_begin(team->id, width, team->name);
	team_task_yield(by);
	if (by != NULL)
		by->waiting = true;
	return (team);
}

void
team_end(struct team *team, struct team_task *by)
{
	last_leave();
	if (team != NULL)
		probe_block_end(team->id, PROBE_LOAD(&team->width));
	block_free(team);
	if (by == NULL)
		return;
	by->waiting = false;
	team_task_run(by);
}

struct team_task *
team_join(struct team *team, uint32_t index, uint32_t width)
{
	struct team_task *t = block_new();

	last_leave();
	if (t == NULL)
		return (NULL);
	t->id = probe_id();
	t->live = t->implicit = true;
	t->index = index;
	t->width = width;
	t->name = team == NULL ? probe_name("program") : team->name;
	if (team != NULL) {
		PROBE_STORE(&team->width, width);
		t->team = team->id;
		t->region = team->at;
		probe_member_begin(team->id, index, team->name);
	}
	probe_task_spawn(t->id, team == NULL ? 0 : team->parent, t->name);
	team_task_run(t);
	return (t);
}

void
team_leave(struct team_task *t)
{
	if (t == NULL || t->over)
		return;
	team_task_end(t);
	if (t->team == 0)
		return;
	probe_member_end(t->team, t->index, t->width);
	last_enter(t);
}

void
team_barrier(struct team_task *t, bool begin)
{
	if (t == NULL || t->team == 0 || t->over)
		return;
	if (begin) {
		probe_barrier_enter(t->team, ++t->barriers, t->width);
		return;
	}
	probe_barrier_leave(t->team, t->barriers, t->width);
	join_from(t, 0);
}
