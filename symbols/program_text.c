/* The texts of a program: each is there once, and goes with it. */
#include <stdlib.h>
#include <string.h>

#include "program_inside.h"

struct texts {
	char **slots;
	size_t n, mask;
};

static size_t
hash_of(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s != '\0'; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3u;
	return ((size_t)(h ^ h >> 29));
}

static char **
slot_of(const struct texts *t, const char *s)
{
	size_t i = hash_of(s) & t->mask;

	while (t->slots[i] != NULL && strcmp(t->slots[i], s) != 0)
		i = (i + 1) & t->mask;
	return (&t->slots[i]);
}

static int
grow(struct texts *t)
{
	struct texts more = { .n = t->n,
		.mask = t->slots == NULL ? 1023 : t->mask * 2 + 1 };

	if (t->slots != NULL && t->n * 2 <= t->mask)
		return (0);
	more.slots = calloc(more.mask + 1, sizeof(*more.slots));
	if (more.slots == NULL)
		return (-1);
	for (size_t i = 0; t->slots != NULL && i <= t->mask; i++)
		if (t->slots[i] != NULL)
			*slot_of(&more, t->slots[i]) = t->slots[i];
	free(t->slots);
	*t = more;
	return (0);
}

const char *
program_text(struct program *p, const char *s)
{
	struct texts *t = p->texts;
	char **slot;

	if (s == NULL || *s == '\0')
		return ("");
	if (t == NULL)
		t = p->texts = calloc(1, sizeof(*t));
	if (t == NULL || grow(t) == -1)
		return ("");
	slot = slot_of(t, s);
	if (*slot == NULL) {
		*slot = strdup(s);
		t->n += *slot != NULL;
	}
	return (*slot == NULL ? "" : *slot);
}

void
program_texts_free(struct program *p)
{
	struct texts *t = p->texts;

	for (size_t i = 0; t != NULL && t->slots != NULL && i <= t->mask; i++)
		free(t->slots[i]);
	if (t != NULL)
		free(t->slots);
	free(t);
}

void *
program_grow(void *array, size_t n, size_t size)
{
	if (n != 0 && (n & (n - 1)) != 0) /* a power of two is full */
		return (array);
	return (reallocarray(array, n == 0 ? 1 : n * 2, size));
}
