/*
 * Chains of calls, as a sampler finds them: a list of addresses, innermost
 * first.  Equal ones of a process are one chain, whatever their number.
 */
#ifndef COLLECTOR_CHAINS_H
#define COLLECTOR_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHAIN_MAX 48u /* addresses */

struct chain {
	uint32_t pid;
	uint32_t po, stack; /* for whoever names it; 0: nobody has */
	uint32_t n;
	uint64_t hash;
	uint64_t at[];
};

struct chains;

struct chains *chains_new(void);   /* NULL: ENOMEM */
void chains_free(struct chains *); /* NULL is fine */
/*
 * The chain of these addresses, at most CHAIN_MAX; it is there until
 * chains_clear().  NULL: ENOMEM, or there are too many.
 */
struct chain *chains_find(struct chains *, uint32_t pid, const uint64_t *at,
    size_t n);
/* There is no room for more: they are to be forgotten. */
bool chains_full(const struct chains *);
void chains_clear(struct chains *);

#endif
