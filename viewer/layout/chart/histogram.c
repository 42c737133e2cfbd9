/* Histograms of durations on a logarithmic axis. */
#include "layout/chart/histogram.h"

#define FIRST_POWER 4 /* 16 ns */
#define TICKS_APART 40

unsigned
histogram_bin(int64_t ns)
{
	unsigned power, bin;

	if (ns < 1 << FIRST_POWER)
		return (0);
	power = 63 - (unsigned)__builtin_clzll((uint64_t)ns);
	bin = (power - FIRST_POWER) * 2 +
	      (unsigned)((uint64_t)ns >> (power - 1) & 1);
	return (bin < HISTOGRAM_BINS ? bin : HISTOGRAM_BINS - 1);
}

int64_t
histogram_edge_ns(unsigned bin)
{
	unsigned power = bin / 2 + FIRST_POWER;
	int64_t ns = (int64_t)1 << power;

	return (bin % 2 == 0 ? ns : ns + ns / 2);
}

static uint64_t
sum_of_bin(const struct bins *count, size_t series, unsigned bin)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < series; k++)
		sum += count[k].n[bin];
	return (sum);
}

uint64_t
histogram_fit(struct histogram *h, const struct bins *count, size_t series,
    int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
	uint64_t all = 0, most = 0;

	*h = (struct histogram){ .first = HISTOGRAM_BINS };
	for (unsigned b = 0; b < HISTOGRAM_BINS; b++) {
		uint64_t n = sum_of_bin(count, series, b);

		if (n == 0)
			continue;
		h->first = h->first == HISTOGRAM_BINS ? b : h->first;
		h->last = b;
		most = n > most ? n : most;
		all += n;
	}
	if (all == 0)
		return (0);
	h->x = (struct axis){ (double)histogram_edge_ns(h->first),
		(double)histogram_edge_ns(h->last + 1), x0, x1, AXIS_LOG,
		AXIS_NS };
	h->y =
	    (struct axis){ 0, (double)most, y1, y0, AXIS_LINEAR, AXIS_COUNT };
	axis_round_up(&h->y, TICKS_APART);
	return (all);
}

static int32_t
edge_px(const struct histogram *h, unsigned bin)
{
	int32_t q = axis_at_q(&h->x, (double)histogram_edge_ns(bin));

	return ((q + SCENE_ONE / 2) / SCENE_ONE);
}

void
histogram_scene(const struct histogram *h, const struct bins *count,
    const uint32_t *rgb, size_t series, struct scene *s)
{
	for (unsigned b = h->first; b <= h->last && b < HISTOGRAM_BINS; b++) {
		int32_t x0 = edge_px(h, b), x1 = edge_px(h, b + 1), low, high;
		uint64_t sum = 0;

		x1 -= x1 - x0 > 3; /* a gap */
		low = h->y.lo_px * SCENE_ONE;
		for (size_t k = 0; k < series; k++) {
			size_t at = s->n;

			sum += count[k].n[b];
			high = axis_at_q(&h->y, (double)sum);
			/* what is there has a pixel, the lowest one */
			if (k == 0 && count[k].n[b] > 0 &&
			    low - high < SCENE_ONE)
				high = low - SCENE_ONE;
			scene_rect(s, x0 * SCENE_ONE, high, x1 * SCENE_ONE, low,
			    rgb[k]);
			if (s->n > at) {
				s->items[at].of = OF_MARK;
				s->items[at].id = b;
			}
			low = high < low ? high : low;
		}
	}
}
