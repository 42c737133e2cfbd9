/* What an event of each kind holds, and whether a cap is kept. */
#include "tests/bench/scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

void
bench_memory(void)
{
	static const struct {
		const char *name, *unit;
		struct feed_mix mix;
		double part, each, goal; /* of the events; events of one */
	} kinds[] = {
		{ "state change", "B/change", { 0, 0, 0 }, 1, 1, 7 },
		{ "nested call", "B/call", { 8, 0, 0 }, 1, 2, 14 },
		{ "message", "B/message", { 0, 100, 0 }, 0.5, 2, 24 },
		{ "task", "B/task", { 0, 0, 100 }, 0.2, 4, 40 },
	};
	struct feed_made *f;
	struct held h;
	char name[80];
	double n;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		f = calloc(1, sizeof(*f));
		if (f == NULL)
			exit(EX_OSERR);
		f->mix = kinds[i].mix;
		n = option.events * kinds[i].part;
		h = hold(f, n);
		n /= kinds[i].each;
		snprintf(name, sizeof(name), "model %s", kinds[i].name);
		line(name, h.bytes / n, kinds[i].unit, "goal", kinds[i].goal);
		snprintf(name, sizeof(name), "model %s resident",
		    kinds[i].name);
		line(name, h.resident / n, kinds[i].unit, "goal",
		    kinds[i].goal);
		snprintf(name, sizeof(name), "model %s ingest", kinds[i].name);
		line(name, h.ns, "ns/event", "10 M events/s", 100);
		model_free(h.m);
		free(f);
	}
}

#define CAP_EACH 0.7 /* B/event: only summaries have room */
#define CAP_MIN  8e6 /* that what is held in any case does not count */

/* Held to a size: does it keep to that all along? */
void
bench_cap(void)
{
	struct feed_made *f = calloc(1, sizeof(*f));
	struct model *m = feed_model(option.lanes);
	double from = (double)model_bytes(m), most = 0, held;
	double cap = from + fmax(option.events * CAP_EACH, CAP_MIN);

	if (f == NULL)
		exit(EX_OSERR);
	f->lanes = option.lanes;
	f->now = 1000;
	model_set_memory(m, (uint64_t)cap);
	for (uint64_t n = batches(option.events); n > 0; n--) {
		grow(m, f, BATCH);
		held = (double)model_bytes(m);
		most = held > most ? held : most;
	}
	line("model capped", ((double)model_bytes(m) - from) / option.events,
	    "B/event", "goal", CAP_EACH);
	line("model capped at most", most / cap * 100, "% of the cap", "goal",
	    105);
	model_free(m);
	free(f);
}
