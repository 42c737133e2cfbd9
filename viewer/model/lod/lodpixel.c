/*
 * What one pixel of a lane has, as it is collected.
 *
 * One pixel after the other.  Bounds are t0 + (t1 - t0) * i / n, advanced by
 * quotient and remainder.  Only places that have something are touched when a
 * pixel is done; place 0, of what is idle, has what is left.
 */
#include "model/lod/lodpixel.h"

#define STEPS 4 /* pixels further on that are not worth a division */

/* Places but the first that have something, bit by bit. */
static uint32_t
places_of(const struct pixels *p)
{
	uint32_t mask = 0;

	for (unsigned c = 1; c < LOD_PLACES; c++)
		mask |= (uint32_t)(p->acc[c] != 0) << c;
	return (mask);
}

/* Of a pixel, in the parts that scale makes. */
static uint32_t
scaled(uint64_t acc, double scale)
{
	double exact = (double)acc * scale;

	return ((uint32_t)(exact + 0.5));
}

/* The shares of a lane by itself; where nothing is known it is idle. */
static void
flush_share(struct pixels *p, double scale)
{
	uint8_t *share = p->share + (size_t)p->at * LOD_CLASSES;
	uint32_t sum[LOD_PLACES], all = 0, d, mask = places_of(p);

	for (uint32_t m = mask; m != 0; m &= m - 1) {
		unsigned c = (unsigned)__builtin_ctz(m);

		sum[c] = scaled(p->acc[c], scale);
		all += sum[c];
		p->acc[c] = 0;
	}
	d = all > LOD_FULL ? all : LOD_FULL;
	sum[0] = d - all;
	for (uint32_t m = mask | 1; m != 0; m &= m - 1) {
		unsigned c = (unsigned)__builtin_ctz(m);

		share[lod_class(p->l->kind, c)] =
		    d == LOD_FULL
			? (uint8_t)((sum[c] * 255 + LOD_FULL / 2) / LOD_FULL)
			: (uint8_t)((sum[c] * 255ull + d / 2) / d);
	}
}

static void
flush_sum(struct pixels *p, double scale)
{
	uint64_t *sum = p->many.sum + (size_t)p->at * LOD_CLASSES;
	uint64_t rest = p->known * 255;

	for (uint32_t m = places_of(p); m != 0; m &= m - 1) {
		unsigned c = (unsigned)__builtin_ctz(m);

		sum[lod_class(p->l->kind, c)] += scaled(p->acc[c], scale);
		rest -= p->acc[c];
		p->acc[c] = 0;
	}
	sum[lod_class(p->l->kind, 0)] += scaled(rest, scale);
}

static void
flush_name(struct pixels *p)
{
	uint64_t best = 0;
	uint32_t name = 0;

	for (unsigned i = 0; i < p->ntops; i++) {
		const struct top *t = &p->tops[p->order[i]];

		if (t->ns > best) {
			best = t->ns;
			name = t->name;
		}
	}
	p->ntops = 0;
	p->turn++;
	if (best == 0)
		return;
	if (p->many.weight != NULL) {
		if (best <= p->many.weight[p->at])
			return;
		p->many.weight[p->at] = best;
	}
	p->name[p->at] = name;
}

void
pixel_flush(struct pixels *p)
{
	uint64_t dur = (uint64_t)(p->p1 - p->p0);

	if (p->ntops > 0)
		flush_name(p);
	if (p->known == 0 || dur == 0)
		return;
	if (p->share != NULL)
		flush_share(p, 256.0 / (double)dur);
	else
		flush_sum(p, 256.0 / (double)dur);
	p->known = p->acc[0] = 0;
}

static void
pixel_next(struct pixels *p)
{
	p->at++;
	p->p0 = p->p1;
	p->p1 += (int64_t)p->each;
	p->carry += p->rest;
	if (p->carry >= p->n) {
		p->carry -= p->n;
		p->p1++;
	}
}

void
pixels_move(struct pixels *p, int64_t t)
{
	uint64_t i;

	pixel_flush(p);
	for (int k = 0; k < STEPS && t >= p->p1; k++)
		pixel_next(p);
	if (t < p->p1)
		return;
	/* one too early is put right below, too late it never is */
	i = (uint64_t)((double)(t - p->t0) * p->scale);
	i = i > p->at + 1 ? i - 1 : p->at;
	if (i >= p->n)
		i = p->n - 1;
	p->at = (unsigned)i;
	p->p0 = p->t0 + (int64_t)(p->each * i + p->rest * i / p->n);
	p->p1 = p->t0 + (int64_t)(p->each * (i + 1) + p->rest * (i + 1) / p->n);
	p->carry = p->rest * (i + 1) % p->n;
	while (t >= p->p1)
		pixel_next(p);
}

void
pixels_go(struct pixels *p, unsigned i)
{
	pixel_flush(p);
	p->at = i;
	p->p0 = p->steps->edge[i];
	p->p1 = p->steps->edge[i + 1];
	p->carry = p->rest * (i + 1ull) % p->n;
}

void
top_replace(struct pixels *p, uint32_t name, uint64_t ns)
{
	struct top *least = &p->tops[p->order[0]], *t;

	for (unsigned i = 0; i < p->ntops; i++) {
		t = &p->tops[p->order[i]];
		if (t->name == name) {
			t->ns += ns;
			return;
		}
		if (t->ns < least->ns)
			least = t;
	}
	if (least->ns < ns) {
		least->name = name; /* found again by looking at all */
		least->ns = ns;
	}
}

void
pixels_start(struct pixels *p, unsigned first, unsigned until)
{
	for (unsigned c = 0; c < LOD_CLASSES; c++)
		p->place[c] = (uint8_t)lod_place(p->l->kind, c);
	p->turn = 1;
	p->each = (uint64_t)(p->t1 - p->t0) / p->n;
	p->rest = (uint64_t)(p->t1 - p->t0) % p->n;
	p->small = p->each / 510;
	p->many.most = p->each > 0 ? p->each : 1;
	p->scale = (double)p->n / (double)(p->t1 - p->t0);
	p->at = first;
	p->p0 = p->t0 + (int64_t)(p->each * first + p->rest * first / p->n);
	p->p1 = p->t0 + (int64_t)(p->each * (first + 1ull) +
				  p->rest * (first + 1ull) / p->n);
	p->carry = p->rest * (first + 1ull) % p->n;
	p->from = p->p0;
	p->until = until;
	p->to = p->t0 + (int64_t)(p->each * until + p->rest * until / p->n);
}
