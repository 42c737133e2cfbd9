/* A disk that errs in reading: a bit is wrong in two reads of three. */
#ifndef TESTS_MAKE_FLIPS_H
#define TESTS_MAKE_FLIPS_H

#include <stdint.h>
#include <sys/types.h>

#include "env.h"

static struct flips {
	const struct env_ops *real;
	uint32_t random; /* 0: reads are right */
} flips;

/* For env_ops, over those that are real. */
static inline ssize_t
flips_read_at(struct env_file *f, void *p, size_t n, uint64_t offset)
{
	ssize_t got = flips.real->read_at(f, p, n, offset);
	uint32_t bit;

	if (got <= 0 || flips.random == 0)
		return (got);
	flips.random = flips.random * 1664525u + 1013904223u;
	bit = (flips.random >> 8) % (uint32_t)(8 * got);
	if (flips.random >> 24 >= 85)
		((uint8_t *)p)[bit / 8] ^= (uint8_t)(1u << bit % 8);
	return (got);
}

#endif
