/*
 * Code under test: what it allocates may not be there, and how it gives up
 * comes back here.
 */
#include "tests/sim/inside.h"

#include <errno.h>
#include <string.h>

#include "log.h"

bool
sim_inside(struct env *env, void (*cb)(void *), void *arg)
{
	struct env_sim *e = (struct env_sim *)env;
	struct sim *s = e->sim;

	e->wakes++;
	if (setjmp(s->fatal) != 0) {
		s->inside = NULL;
		e->dead = true;
		return (false);
	}
	s->inside = e;
	cb(arg);
	s->inside = NULL;
	return (true);
}

void
sim_call(struct sim *s, struct env_sim *e, void (*cb)(void *), void *arg)
{
	if (e == NULL || e->dead)
		cb(arg);
	else if (!sim_inside(&e->env, cb, arg) && s->on_fatal != NULL)
		s->on_fatal(s->on_fatal_arg, &e->env);
}

void
sim_on_send(struct sim *s, sim_sent *cb, void *arg)
{
	s->on_send = cb;
	s->on_send_arg = arg;
}

void
sim_on_fatal(struct sim *s, void (*cb)(void *, struct env *), void *arg)
{
	s->on_fatal = cb;
	s->on_fatal_arg = arg;
}

/* The linker sends the code under test here (see mk/sim.mk). */
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void *__wrap_reallocarray(void *, size_t, size_t);
char *__wrap_strdup(const char *);
_Noreturn void __wrap_fatal(int, const char *, ...);
_Noreturn void __wrap_fatalx(int, const char *, ...);

static bool
no_memory(void)
{
	if (sim_current == NULL || sim_current->inside == NULL ||
	    !sim_strikes(sim_current, FAULT_NO_MEMORY))
		return (false);
	errno = ENOMEM;
	return (true);
}

static void *
must(void *p)
{
	if (p == NULL)
		abort();
	return (p);
}

void *
sim_malloc(size_t n)
{
	return (must(__real_malloc(n > 0 ? n : 1)));
}

void *
sim_calloc(size_t n, size_t k)
{
	return (must(__real_calloc(n > 0 ? n : 1, k)));
}

void *
sim_realloc(void *p, size_t n)
{
	return (must(__real_realloc(p, n > 0 ? n : 1)));
}

char *
sim_strdup(const char *text)
{
	size_t n = strlen(text) + 1;

	return (memcpy(sim_malloc(n), text, n));
}

void *
__wrap_malloc(size_t n)
{
	return (no_memory() ? NULL : __real_malloc(n));
}

void *
__wrap_calloc(size_t n, size_t k)
{
	return (no_memory() ? NULL : __real_calloc(n, k));
}

void *
__wrap_realloc(void *p, size_t n)
{
	return (no_memory() ? NULL : __real_realloc(p, n));
}

void *
__wrap_reallocarray(void *p, size_t n, size_t k)
{
	return (no_memory() ? NULL : __real_realloc(p, n * k));
}

char *
__wrap_strdup(const char *text)
{
	size_t n = strlen(text) + 1;
	char *copy = no_memory() ? NULL : __real_malloc(n);

	return (copy == NULL ? NULL : memcpy(copy, text, n));
}

_Noreturn void
__wrap_fatal(int code, const char *fmt, ...)
{
	log_warnx("fatal (%d): %s", code, fmt);
	if (sim_current == NULL || sim_current->inside == NULL)
		abort();
	longjmp(sim_current->fatal, 1);
}

_Noreturn void
__wrap_fatalx(int code, const char *fmt, ...)
{
	__wrap_fatal(code, fmt);
}

void
sim_may_crash(struct sim *s)
{
	if (s->inside != NULL && sim_strikes(s, FAULT_CRASH))
		longjmp(s->fatal, 1);
}
