/*
 * Stable sorting by time.
 *
 * A batch of ready events is k sorted runs, one for each stream.  Merging them
 * with a heap costs a mispredicted branch for each level; a radix sort of the
 * whole batch has none, and as many passes as the time span has digits, which
 * is two for a few milliseconds.
 */
#include "sort.h"

#include <stdbool.h>
#include <string.h>

#define SORT_SMALL 48 /* below: insertion */
#define SORT_BITS  11
#define SORT_SIZE  (1u << SORT_BITS)

static uint64_t *
sort_insertion(uint64_t *keys, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t key = keys[i];
		size_t j = i;

		for (; j > 0 && keys[j - 1] >> 32 > key >> 32; j--)
			keys[j] = keys[j - 1];
		keys[j] = key;
	}
	return (keys);
}

static void
sort_pass(const uint64_t *from, uint64_t *to, size_t n, unsigned shift,
    uint32_t mask)
{
	uint32_t at[SORT_SIZE];
	uint32_t sum = 0;

	memset(at, 0, (mask + 1) * sizeof(at[0]));
	for (size_t i = 0; i < n; i++)
		at[from[i] >> shift & mask]++;
	for (uint32_t d = 0; d <= mask; d++) {
		uint32_t count = at[d];

		at[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i] >> shift & mask]++] = from[i];
}

uint64_t *
sort_packed(uint64_t *keys, uint64_t *tmp, size_t n, uint32_t span)
{
	unsigned bits = span == 0 ? 0 : 32 - (unsigned)__builtin_clz(span);
	unsigned most = n < 2048 ? 8 : SORT_BITS;
	unsigned passes = (bits + most - 1) / most;
	unsigned digit = passes == 0 ? 0 : (bits + passes - 1) / passes;

	if (n < SORT_SMALL)
		return (sort_insertion(keys, n));
	for (unsigned p = 0; p < passes; p++) {
		uint64_t *swap = keys;

		sort_pass(keys, tmp, n, 32 + p * digit, (1u << digit) - 1);
		keys = tmp;
		tmp = swap;
	}
	return (keys);
}

static bool
sort_before(const struct sort_item *a, const struct sort_item *b)
{
	if (a->t_mon_ns != b->t_mon_ns)
		return (a->t_mon_ns < b->t_mon_ns);
	return (a->lane < b->lane);
}

static void
sort_merge(const struct sort_item *a, const struct sort_item *middle,
    const struct sort_item *end, struct sort_item *to)
{
	const struct sort_item *b = middle;

	while (a < middle && b < end)
		*to++ = sort_before(b, a) ? *b++ : *a++;
	while (a < middle)
		*to++ = *a++;
	while (b < end)
		*to++ = *b++;
}

struct sort_item *
sort_items(struct sort_item *items, struct sort_item *tmp, size_t n)
{
	for (size_t width = 1; width < n; width *= 2) {
		struct sort_item *swap = items;

		for (size_t i = 0; i < n; i += 2 * width) {
			size_t middle = i + width < n ? i + width : n;
			size_t end = i + 2 * width < n ? i + 2 * width : n;

			sort_merge(items + i, items + middle, items + end,
			    tmp + i);
		}
		items = tmp;
		tmp = swap;
	}
	return (items);
}
