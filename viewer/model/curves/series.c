/*
 * Values on their way in: gathered in the tail, packed when there are enough,
 * summed up block by block, and again for every so many blocks.  A late value
 * is put into the block that it belongs to.
 */
#include "model/curves/series.h"

#include <string.h>

#include "model/curves/series_inside.h"
#include "model/keep/memory.h"
#include "varint.h"

double
series_number(const struct series *s, int64_t value)
{
	double v;

	if (!s->real)
		return ((double)value);
	memcpy(&v, &value, sizeof(v));
	return (v);
}

static void
sum_values(const struct series *s, const int64_t *t, const int64_t *v, size_t n,
    struct series_sum *sum)
{
	*sum = (struct series_sum){ t[0], t[n - 1], v[0], v[n - 1], v[0], v[0],
		0, n };
	for (size_t i = 1; i < n; i++) {
		sum->area +=
		    series_number(s, v[i - 1]) * (double)(t[i] - t[i - 1]);
		sum->min = series_less(s, v[i], sum->min) ? v[i] : sum->min;
		sum->max = series_less(s, sum->max, v[i]) ? v[i] : sum->max;
	}
}

static void
sum_more(const struct series *s, struct series_sum *to,
    const struct series_sum *next)
{
	if (to->n == 0) {
		*to = *next;
		return;
	}
	to->area +=
	    series_number(s, to->last) * (double)(next->t0_ns - to->t1_ns) +
	    next->area;
	to->min = series_less(s, next->min, to->min) ? next->min : to->min;
	to->max = series_less(s, to->max, next->max) ? next->max : to->max;
	to->last = next->last;
	to->t1_ns = next->t1_ns;
	to->n += next->n;
}

/* Makes room for one element more.  -1: ENOMEM. */
static int
room(void *array, size_t n, size_t *cap, size_t size, _Atomic uint64_t *bytes)
{
	size_t more = *cap == 0 ? 4 : *cap * 2;
	void *p;

	if (n < *cap)
		return (0);
	p = memory_grow(*(void **)array, more * size);
	if (p == NULL)
		return (-1);
	atomic_fetch_add_explicit(bytes, (more - *cap) * size,
	    memory_order_relaxed);
	*(void **)array = p;
	*cap = more;
	return (0);
}

/* Differences; those of doubles are of their bits. */
static int
pack(const struct series *s, const int64_t *t, const int64_t *v, size_t n,
    struct series_block *b, _Atomic uint64_t *bytes)
{
	uint8_t buf[(SERIES_BLOCK_MAX + 1) * 20], *p = buf, *copy;
	uint64_t was_t = 0, was_v = 0;

	for (size_t i = 0; i < n; i++) {
		p = varint_write(p, zigzag((int64_t)((uint64_t)t[i] - was_t)));
		p = varint_write(p, zigzag((int64_t)((uint64_t)v[i] - was_v)));
		was_t = (uint64_t)t[i];
		was_v = (uint64_t)v[i];
	}
	copy = memory_alloc((size_t)(p - buf));
	if (copy == NULL)
		return (-1);
	memcpy(copy, buf, (size_t)(p - buf));
	atomic_fetch_add_explicit(bytes, (uint64_t)(p - buf),
	    memory_order_relaxed);
	b->p = copy;
	b->bytes = (uint32_t)(p - buf);
	sum_values(s, t, v, n, &b->sum);
	return (0);
}

void
series_unpack(const struct series *s, size_t block, struct series_reader *r)
{
	const struct series_block *b;
	uint64_t v = 0, was_t = 0, was_v = 0;
	const uint8_t *p;

	if (r->block == block)
		return;
	r->block = block;
	if (block == s->nblocks) {
		r->n = s->ntail;
		memcpy(r->t, s->tail_t, r->n * sizeof(*r->t));
		memcpy(r->v, s->tail_v, r->n * sizeof(*r->v));
		return;
	}
	b = &s->blocks[block];
	r->n = (size_t)b->sum.n;
	p = b->p;
	for (size_t i = 0; i < r->n; i++) {
		p = varint_get(p, b->p + b->bytes, &v);
		was_t += (uint64_t)unzigzag(v);
		p = varint_get(p, b->p + b->bytes, &v);
		was_v += (uint64_t)unzigzag(v);
		r->t[i] = (int64_t)was_t;
		r->v[i] = (int64_t)was_v;
	}
}

/* Of groups of blocks that are complete and not summed up yet. */
static int
sum_groups(struct series *s, _Atomic uint64_t *bytes)
{
	while ((s->nsums + 1) * SERIES_BLOCK <= s->nblocks) {
		struct series_sum sum = { 0 };

		if (room(&s->sums, s->nsums, &s->sums_cap, sizeof(*s->sums),
			bytes) == -1)
			return (-1);
		for (size_t i = 0; i < SERIES_BLOCK; i++)
			sum_more(s, &sum,
			    &s->blocks[s->nsums * SERIES_BLOCK + i].sum);
		s->sums[s->nsums++] = sum;
	}
	return (0);
}

static int
tail_pack(struct series *s, _Atomic uint64_t *bytes)
{
	if (room(&s->blocks, s->nblocks, &s->blocks_cap, sizeof(*s->blocks),
		bytes) == -1 ||
	    pack(s, s->tail_t, s->tail_v, s->ntail, &s->blocks[s->nblocks],
		bytes) == -1)
		return (-1);
	s->nblocks++;
	s->ntail = 0;
	return (sum_groups(s, bytes));
}

size_t
series_find(const struct series *s, int64_t t_ns)
{
	size_t lo = 0, hi = s->nblocks;

	if (s->ntail > 0 && s->tail_t[0] <= t_ns)
		return (s->nblocks);
	while (lo < hi) { /* the first that begins after t */
		size_t mid = lo + (hi - lo) / 2;

		if (s->blocks[mid].sum.t0_ns <= t_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo == 0 ? 0 : lo - 1);
}

static void
insert(int64_t *t, int64_t *v, size_t n, int64_t t_ns, int64_t value)
{
	size_t i = n;

	for (; i > 0 && t[i - 1] > t_ns; i--) {
		t[i] = t[i - 1];
		v[i] = v[i - 1];
	}
	t[i] = t_ns;
	v[i] = value;
}

/* Packs the values of a run anew, as one block or as two. */
static int
repack(struct series *s, const struct series_reader *r, _Atomic uint64_t *bytes)
{
	size_t k = r->block, half = r->n > SERIES_BLOCK_MAX ? r->n / 2 : r->n;
	struct series_block one, two;

	if (pack(s, r->t, r->v, half, &one, bytes) == -1)
		return (-1);
	if (half < r->n) {
		if (room(&s->blocks, s->nblocks, &s->blocks_cap,
			sizeof(*s->blocks), bytes) == -1 ||
		    pack(s, r->t + half, r->v + half, r->n - half, &two,
			bytes) == -1) {
			memory_free(one.p);
			return (-1);
		}
		memmove(&s->blocks[k + 2], &s->blocks[k + 1],
		    (s->nblocks - k - 1) * sizeof(*s->blocks));
		s->blocks[k + 1] = two;
		s->nblocks++;
	}
	atomic_fetch_sub_explicit(bytes, s->blocks[k].bytes,
	    memory_order_relaxed);
	memory_free(s->blocks[k].p);
	s->blocks[k] = one;
	return (0);
}

static int
add_late(struct series *s, int64_t t_ns, int64_t value, _Atomic uint64_t *bytes)
{
	struct series_reader r = SERIES_READER;

	series_unpack(s, series_find(s, t_ns), &r);
	insert(r.t, r.v, r.n++, t_ns, value);
	if (repack(s, &r, bytes) == -1)
		return (-1);
	s->n++;
	if (s->nsums > r.block / SERIES_BLOCK)
		s->nsums = r.block / SERIES_BLOCK;
	return (sum_groups(s, bytes));
}

int
series_add(struct series *s, int64_t t_ns, int64_t value,
    _Atomic uint64_t *bytes)
{
	if (s->ntail == SERIES_BLOCK && tail_pack(s, bytes) == -1)
		return (-1);
	if (s->nblocks > 0 && t_ns < s->blocks[s->nblocks - 1].sum.t1_ns)
		return (add_late(s, t_ns, value, bytes));
	insert(s->tail_t, s->tail_v, s->ntail++, t_ns, value);
	s->n++;
	return (0);
}

void
series_clear(struct series *s)
{
	for (size_t i = 0; i < s->nblocks; i++)
		memory_free(s->blocks[i].p);
	memory_free(s->blocks);
	memory_free(s->sums);
}
