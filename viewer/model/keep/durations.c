/* Buckets of durations, added to and read. */
#include "model/keep/durations.h"

#include <string.h>

#include "model/keep/memory.h"

#define BITS 5 /* of DURATIONS_PARTS */

/* The bucket: in its octave the part. */
static unsigned
octave_of(int64_t ns, unsigned *part)
{
	unsigned e;

	if (ns < DURATIONS_PARTS) {
		*part = ns < 0 ? 0 : (unsigned)ns;
		return (0);
	}
	e = 63u - (unsigned)__builtin_clzll((uint64_t)ns);
	*part = (unsigned)(ns >> (e - BITS)) & (DURATIONS_PARTS - 1);
	return (e - BITS + 1);
}

/* Its shortest; how wide it is. */
static int64_t
edge(unsigned octave, unsigned part, int64_t *wide)
{
	if (octave == 0) {
		*wide = 1;
		return (part);
	}
	*wide = (int64_t)1 << (octave - 1);
	return ((int64_t)(DURATIONS_PARTS + part) << (octave - 1));
}

/* So many more in a bucket, the shortest of them so long. */
static int
put(struct durations *d, unsigned o, unsigned part, uint64_t n,
    int64_t least_ns, _Atomic uint64_t *bytes)
{
	_Atomic uint64_t *at =
	    atomic_load_explicit(&d->octave[o], memory_order_relaxed);

	if (at == NULL) {
		at = memory_zero(DURATIONS_PARTS, sizeof(*at));
		if (at == NULL)
			return (-1);
		atomic_fetch_add(bytes, DURATIONS_PARTS * sizeof(*at));
		atomic_store_explicit(&d->octave[o], at, memory_order_release);
	}
	atomic_store_explicit(&at[part],
	    atomic_load_explicit(&at[part], memory_order_relaxed) + n,
	    memory_order_relaxed);
	if (atomic_load_explicit(&d->n, memory_order_relaxed) == 0 ||
	    least_ns < atomic_load_explicit(&d->least_ns, memory_order_relaxed))
		atomic_store_explicit(&d->least_ns, least_ns,
		    memory_order_relaxed);
	atomic_store_explicit(&d->n,
	    atomic_load_explicit(&d->n, memory_order_relaxed) + n,
	    memory_order_release);
	return (0);
}

int
durations_add(struct durations *d, int64_t ns, _Atomic uint64_t *bytes)
{
	unsigned part, o = octave_of(ns, &part);

	return (put(d, o, part, 1, ns < 0 ? 0 : ns, bytes));
}

int
durations_add_all(struct durations *d, const struct durations *more,
    _Atomic uint64_t *bytes)
{
	int64_t least = durations_least(more), lo, hi;
	unsigned at = 0;
	uint64_t n;

	while ((n = durations_next(more, &at, &lo, &hi)) > 0)
		if (put(d, (at - 1) / DURATIONS_PARTS,
			(at - 1) % DURATIONS_PARTS, n, least, bytes) == -1)
			return (-1);
	return (0);
}

void
durations_clear(struct durations *d)
{
	for (unsigned o = 0; o < DURATIONS_OCTAVES; o++)
		memory_free((void *)atomic_load(&d->octave[o]));
	memset(d, 0, sizeof(*d));
}

void
durations_zero(struct durations *d)
{
	_Atomic uint64_t *at;

	for (unsigned o = 0; o < DURATIONS_OCTAVES; o++) {
		at = atomic_load(&d->octave[o]);
		for (unsigned i = 0; at != NULL && i < DURATIONS_PARTS; i++)
			atomic_store_explicit(&at[i], 0, memory_order_relaxed);
	}
	atomic_store(&d->n, 0);
}

int64_t
durations_least(const struct durations *d)
{
	return (atomic_load_explicit(&d->n, memory_order_acquire) == 0
		    ? 0
		    : atomic_load_explicit(&d->least_ns, memory_order_relaxed));
}

uint64_t
durations_next(const struct durations *d, unsigned *at, int64_t *lo_ns,
    int64_t *hi_ns)
{
	const _Atomic uint64_t *of;
	unsigned o, part;
	int64_t wide;
	uint64_t n;

	for (; *at < DURATIONS_OCTAVES * DURATIONS_PARTS; ++*at) {
		o = *at / DURATIONS_PARTS;
		part = *at % DURATIONS_PARTS;
		of = atomic_load_explicit(&d->octave[o], memory_order_acquire);
		if (of == NULL) {
			*at += DURATIONS_PARTS - 1 - part;
			continue;
		}
		n = atomic_load_explicit(&of[part], memory_order_relaxed);
		if (n == 0)
			continue;
		*lo_ns = edge(o, part, &wide);
		*hi_ns = *lo_ns + (wide - 1);
		++*at;
		return (n);
	}
	return (0);
}

int64_t
durations_quantile(const struct durations *d, unsigned mille)
{
	uint64_t all = atomic_load_explicit(&d->n, memory_order_acquire);
	uint64_t rank = (all * mille + 999) / 1000, n, sum = 0;
	int64_t lo, hi = 0;
	unsigned at = 0;

	while (sum < rank && (n = durations_next(d, &at, &lo, &hi)) > 0)
		sum += n;
	return (all == 0 ? 0 : hi);
}
