/* A thread is put onto a processor, or taken off: its functions are told. */
#include "model/run/cpu.h"

#include "model/run/opened.h"

/* With all functions that it is in. */
static void
functions_on_cpu(const struct location *l, int by, int64_t t)
{
	const struct slot *s;

	for (uint32_t i = 0; i < l->top; i++) {
		s = &l->stack[i];
		if (s->function == NULL || !s->outer || s->open == 0)
			continue;
		function_on_cpu(s->function, l, &l->opened[s->open - 1], by, t);
		function_tell(s->function);
	}
}

static void
functions_known(const struct location *l)
{
	const struct slot *s;

	for (uint32_t i = 0; i < l->top; i++) {
		s = &l->stack[i];
		if (s->function != NULL && s->outer && s->open != 0)
			PUT(s->function->blind, s->function->blind - 1);
	}
}

void
cpu_set(struct location *l, bool on, int64_t since_ns)
{
	bool was = l->cpu.is == CPU_ON;

	if (l->cpu.is < CPU_ON)
		functions_known(l);
	if (was && !on)
		functions_on_cpu(l, -1, since_ns);
	l->cpu.is = on ? CPU_ON : CPU_OFF;
	if (was || !on)
		return;
	l->cpu.since_ns = since_ns;
	functions_on_cpu(l, 1, since_ns);
}
