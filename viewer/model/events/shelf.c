/*
 * Spans that wait with their task.  A task that is suspended takes what was
 * begun in it off its thread's stack and brings it back when it goes on, there
 * or on another thread.  Of one that has nothing but itself, and goes by its
 * own name, nothing need be kept: that are nearly all.
 */
#include <errno.h>
#include <string.h>

#include "events_inside.h"
#include "model/keep/memory.h"

#define SHELVES_LEAST 16 /* a power of two */

static struct shelf *
shelf_at(const struct shelves *s, uint64_t task)
{
	uint64_t i = idmap_mix(task);

	for (;; i++) {
		struct shelf *f = &s->shelf[i & s->mask];

		if (f->n == 0 || f->task == task)
			return (f);
	}
}

static int
shelves_grow(struct shelves *s)
{
	struct shelf *was = s->shelf;
	uint32_t size = was == NULL ? 0 : s->mask + 1;
	uint32_t to = size == 0 ? SHELVES_LEAST : size * 2;
	struct shelf *p = memory_zero(to, sizeof(*p));

	if (p == NULL)
		return (-1);
	s->shelf = p;
	s->mask = to - 1;
	for (uint32_t i = 0; i < size; i++)
		if (was[i].n != 0)
			*shelf_at(s, was[i].task) = was[i];
	memory_free(was);
	return (0);
}

int
shelf_put(struct model *m, uint64_t task, const struct slot *slot, uint32_t n)
{
	struct shelves *s = shelves_of(m);
	struct slot *copy = memory_alloc(n * sizeof(*copy));
	struct shelf *f;

	if (copy == NULL || (s->n * 2 >= s->mask && shelves_grow(s) == -1)) {
		memory_free(copy);
		held_of(m)->failed = ENOMEM;
		return (-1);
	}
	memcpy(copy, slot, n * sizeof(*copy));
	f = shelf_at(s, task);
	s->n += f->n == 0;
	s->slots += n - f->n;
	memory_free(f->slot);
	*f = (struct shelf){ task, copy, n };
	return (0);
}

/* Those behind it that would not be found any more move up. */
static void
shelf_close_gap(struct shelves *s, uint32_t gap)
{
	uint32_t i = gap, home;

	for (;;) {
		i = (i + 1) & s->mask;
		if (s->shelf[i].n == 0)
			break;
		home = (uint32_t)idmap_mix(s->shelf[i].task) & s->mask;
		if (((i - home) & s->mask) < ((i - gap) & s->mask))
			continue;
		s->shelf[gap] = s->shelf[i];
		gap = i;
	}
	memset(&s->shelf[gap], 0, sizeof(s->shelf[gap]));
}

uint32_t
shelf_take(struct model *m, uint64_t task, struct slot **slot)
{
	struct shelves *s = shelves_of(m);
	struct shelf *f;
	uint32_t n;

	*slot = NULL;
	if (s->n == 0 || (f = shelf_at(s, task))->n == 0)
		return (0);
	*slot = f->slot;
	n = f->n;
	s->n--;
	s->slots -= n;
	shelf_close_gap(s, (uint32_t)(f - s->shelf));
	return (n);
}

void
shelf_drop(struct model *m, uint64_t task)
{
	struct slot *slot;

	shelf_take(m, task, &slot);
	memory_free(slot);
}

void
shelves_clear(struct model *m)
{
	struct shelves *s = shelves_of(m);

	for (uint32_t i = 0; s->shelf != NULL && i <= s->mask; i++)
		memory_free(s->shelf[i].slot);
	memory_free(s->shelf);
	memset(s, 0, sizeof(*s));
}
