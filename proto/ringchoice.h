/*
 * What is recorded by name, in the memory that a process shares with its
 * collector (ring.h): who finds or makes a slot, and what the rules say of a
 * name.  Both sides use this; loops are bounded whatever the other one writes.
 */
#ifndef PROTO_RINGCHOICE_H
#define PROTO_RINGCHOICE_H

#include <string.h>

#include "glob.h"
#include "ownkind.h"
#include "ring.h"

/* ThreadSanitizer knows no fences, and its order is as strong without. */
#ifdef __SANITIZE_THREAD__
#define CHOICE_FENCE(order) ((void)0)
#else
#define CHOICE_FENCE(order) atomic_thread_fence(order)
#endif

static inline uint32_t
ringchoice_home(uint64_t key)
{
	return (
	    (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 51) % RING_SLOTS);
}

/* NULL: there is none.  One load if nothing is near. */
static inline struct ring_slot *
ringchoice_find(struct ring_choice *c, uint64_t key)
{
	uint32_t at = ringchoice_home(key);

	for (uint32_t i = 0; i < RING_SLOT_STEPS; i++) {
		struct ring_slot *s = &c->slots[(at + i) % RING_SLOTS];
		uint64_t is =
		    atomic_load_explicit(&s->key, memory_order_acquire);

		if (is == key)
			return (s);
		if (is == 0)
			break;
	}
	return (NULL);
}

/* Made if need be; NULL: there is no room near its place. */
static inline struct ring_slot *
ringchoice_make(struct ring_choice *c, uint64_t key)
{
	uint32_t at = ringchoice_home(key);

	for (uint32_t i = 0; i < RING_SLOT_STEPS; i++) {
		struct ring_slot *s = &c->slots[(at + i) % RING_SLOTS];
		uint64_t is = 0;

		if (atomic_compare_exchange_strong(&s->key, &is, key) ||
		    is == key)
			return (s);
	}
	return (NULL);
}

/*
 * Of the declaration of a kind of event the kind, which it is known by; of
 * other names all of it.
 */
static inline size_t
ringchoice_known_bytes(const char *text, size_t n)
{
	char copy[OWN_TEXT];
	struct own_kind k;

	if (n >= sizeof(copy) || memchr(text, ' ', n) == NULL)
		return (n);
	memcpy(copy, text, n);
	copy[n] = '\0';
	return (own_parse(&k, copy) == NULL ? strlen(k.name) : n);
}

/* Does a rule's pattern mean this name, or with file: its file? */
static inline bool
ringchoice_means(const char *pattern, const char *text, size_t n,
    const char *file, size_t file_n)
{
	if (strncmp(pattern, "file:", 5) == 0)
		return (file_n > 0 && glob_is(pattern + 5, file, file_n));
	return (glob_is(pattern, text, ringchoice_known_bytes(text, n)));
}

struct ringchoice_says {
	uint32_t off, on; /* classes; the others are as they are for all */
};

static inline void
ringchoice_rule(struct ringchoice_says *says, uint32_t classes, bool on)
{
	says->on = on ? says->on | classes : says->on & ~classes;
	says->off = on ? says->off & ~classes : says->off | classes;
}

/*
 * The rules of names, or (thread) of threads, as they are in the shared memory
 * now.  false: they are being changed, ask again; *serial is set otherwise.
 */
static inline bool
ringchoice_ask(struct ring_choice *c, bool thread, const char *text, size_t n,
    const char *file, size_t file_n, struct ringchoice_says *says,
    uint32_t *serial)
{
	char pattern[RING_RULE_PATTERN + 1];
	uint32_t rules;

	*serial = atomic_load(&c->serial);
	if (*serial % 2 != 0)
		return (false);
	rules = atomic_load(&c->nrules);
	if (rules > RING_RULES)
		rules = RING_RULES;
	says->off = says->on = 0;
	for (uint32_t i = 0; i < rules; i++) {
		const struct ring_rule *r = &c->rules[i];
		uint32_t classes = r->classes, flags = r->flags;

		memcpy(pattern, r->pattern, RING_RULE_PATTERN);
		pattern[RING_RULE_PATTERN] = '\0';
		if (((flags & RULE_THREAD) != 0) == thread &&
		    ringchoice_means(pattern, text, n, file, file_n))
			ringchoice_rule(says, classes, (flags & RULE_ON) != 0);
	}
	CHOICE_FENCE(memory_order_acquire);
	return (atomic_load(&c->serial) == *serial);
}

#endif
