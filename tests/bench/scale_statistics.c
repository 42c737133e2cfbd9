/* Exact statistics of a range, of 1,024 lanes. */
#include "tests/bench/scale.h"

#include <stdlib.h>
#include <sysexits.h>

void
bench_statistics(void)
{
	struct feed_made *f = calloc(1, sizeof(*f));
	struct held h;
	uint32_t lanes = option.lanes, wrong = 0;
	int64_t by_class[LANE_CLASSES], span;
	uint64_t spans;
	double best = 1e9, t;

	if (f == NULL)
		exit(EX_OSERR);
	option.lanes = 1024;
	f->ran = calloc(1024, sizeof(*f->ran));
	f->calls = calloc(1024, sizeof(*f->calls));
	if (f->ran == NULL || f->calls == NULL)
		exit(EX_OSERR);
	span = (int64_t)(option.events * 99.5);
	f->t0 = span / 3 + 17;
	f->t1 = span / 3 * 2 + 11;
	h = hold(f, option.events);
	for (int r = 0; r < 10; r++) {
		wrong = 0;
		t = clock_ms(CLOCK_MONOTONIC);
		for (uint32_t i = 0; i < 1024; i++) {
			model_lane_totals(h.m, model_location_lane(h.m, 1 + i),
			    f->t0, f->t1, by_class, &spans);
			wrong += by_class[LANE_running] != f->ran[i] ||
				 spans != f->calls[i];
		}
		t = clock_ms(CLOCK_MONOTONIC) - t;
		best = t < best ? t : best;
	}
	line("statistics 1024 lanes", best, "ms", "goal", 5);
	line("statistics 1024 lanes wrong", wrong, "lanes", "goal 0; of", 1024);
	option.lanes = lanes;
	model_free(h.m);
	free(f->ran);
	free(f->calls);
	free(f);
}
