/*
 * Numbers by address and caller: open addressing.
 */
#include "stacks.h"

#include <stdlib.h>

#define SLOTS_MIN 256u

struct stacks {
	struct stack *all; /* by number, less 1 */
	uint32_t n, cap;
	uint32_t *slots; /* numbers */
	uint32_t mask;
};

void
stacks_free(struct stacks *s)
{
	if (s == NULL)
		return;
	free(s->all);
	free(s->slots);
	free(s);
}

uint32_t
stacks_all(const struct stacks *s)
{
	return (s->n);
}

struct stack
stacks_at(const struct stacks *s, uint32_t number)
{
	return (s->all[number - 1]);
}

static uint32_t *
slot_of(const struct stacks *s, uint32_t caller, uint64_t address)
{
	uint64_t h =
	    (address ^ (uint64_t)caller << 40) * UINT64_C(0x9e3779b97f4a7c15);

	for (uint32_t i = (uint32_t)(h >> 32);; i++) {
		uint32_t *slot = &s->slots[i & s->mask];
		const struct stack *at;

		if (*slot == 0)
			return (slot);
		at = &s->all[*slot - 1];
		if (at->caller == caller && at->address == address)
			return (slot);
	}
}

/* Room for one more.  -1: ENOMEM. */
static int
grow(struct stacks *s)
{
	uint32_t cap = s->cap == 0 ? SLOTS_MIN / 2 : s->cap * 2, *slots;
	struct stack *more;

	if (s->n < s->cap)
		return (0);
	more = reallocarray(s->all, cap, sizeof(*more));
	if (more == NULL)
		return (-1);
	s->all = more;
	slots = calloc((size_t)cap * 2, sizeof(*slots));
	if (slots == NULL)
		return (-1);
	free(s->slots);
	s->slots = slots;
	s->cap = cap;
	s->mask = cap * 2 - 1;
	for (uint32_t i = 0; i < s->n; i++)
		*slot_of(s, s->all[i].caller, s->all[i].address) = i + 1;
	return (0);
}

struct stacks *
stacks_new(void)
{
	struct stacks *s = calloc(1, sizeof(*s));

	if (s == NULL || grow(s) == 0)
		return (s);
	stacks_free(s);
	return (NULL);
}

uint32_t
stacks_number(struct stacks *s, uint32_t caller, uint64_t address)
{
	uint32_t *slot = slot_of(s, caller, address);

	if (*slot != 0)
		return (*slot);
	if (s->n >= STACKS_MAX || grow(s) == -1)
		return (0);
	s->all[s->n++] = (struct stack){ caller, address };
	*slot_of(s, caller, address) = s->n;
	return (s->n);
}
