/*
 * What the viewer's model and layouts cost.  Lines of TSV:
 * name, value, unit, reference, reference value, ratio.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "layout/radial/radial.h"
#include "layout/time/timeline.h"
#include "model/keep/retired.h"
#include "model/lod/lod.h"
#include "model/lod/lodstore.h"
#include "model/model.h"
#include "tests/unit/make_log.h"

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return ((double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6);
}

static void
line(const char *name, double value, const char *unit, const char *reference,
    double ref)
{
	printf("%s\t%.4g\t%s\t%s\t%.4g\t%.3g\n", name, value, unit, reference,
	    ref, value / ref);
	fflush(stdout);
}

static uint64_t seed = 1;

static uint32_t
random_below(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(seed >> 33) % n);
}

/* A model with 64 threads on 4 nodes, ready for events. */
static struct model *
model_64(struct make_log *log)
{
	struct model *m = model_new();
	struct frame f;
	size_t at = 0;
	char text[16];

	memset(log, 0, sizeof(*log));
	make_log_head(log, "bench");
	for (uint32_t i = 0; i < 16; i++) {
		snprintf(text, sizeof(text), "work%u", i);
		make_log_name(log, text);
	}
	for (uint32_t i = 0; i < 64; i++) {
		if (i % 16 == 0)
			make_log_node(log, 1 + i / 16, "n");
		if (i % 4 == 0)
			make_log_po(log, 1 + i / 16, 1 + i / 4, "po");
		make_log_thread(log, 1 + i / 16, 1 + i / 4, 1 + i % 4, "");
	}
	while (frame_parse(log->out.p + at, log->out.n - at, &f) == FRAME_OK) {
		model_add_frame(m, &f);
		at += f.frame_bytes;
	}
	return (m);
}

#define BATCH 32768

/* Function calls on 64 threads; 15 % messages if so wanted. */
static size_t
fill(struct event *e, size_t n, int64_t *now, uint64_t *message, int mixed)
{
	size_t i = 0;
	uint32_t w;

	while (i + 2 <= n) {
		*now += random_below(60);
		w = 1 + random_below(64);
		memset(&e[i], 0, 2 * sizeof(*e));
		e[i].location = e[i + 1].location = w;
		e[i].t_mon_ns = *now;
		e[i + 1].t_mon_ns = *now += random_below(400);
		if (mixed && random_below(100) < 15) {
			e[i].kind = EV_send;
			e[i + 1].kind = EV_receive;
			e[i + 1].location = 1 + random_below(64);
			e[i].a = e[i + 1].a = ++*message;
		} else {
			e[i].kind = EV_enter;
			e[i + 1].kind = EV_leave;
			e[i].c = e[i + 1].c = 1 + random_below(16);
		}
		i += 2;
	}
	return (i);
}

static struct model *
grow(struct make_log *log, size_t events, int mixed, double *ns)
{
	struct model *m = model_64(log);
	struct event *e = malloc(BATCH * sizeof(*e));
	int64_t now = 1000;
	uint64_t message = 0;
	double ms = 0, t;

	for (size_t i = 0; i < events;) {
		size_t n = fill(e, BATCH, &now, &message, mixed);

		t = now_ms();
		model_add_events(m, e, n);
		ms += now_ms() - t;
		i += n;
	}
	*ns = ms * 1e6 / (double)events;
	free(e);
	return (m);
}

static void
bench_pixels(const struct model *m, const char *name, double ref)
{
	uint8_t *share = malloc(1600 * LANE_CLASSES);
	double best = 1e9, t;

	for (int r = 0; r < 5; r++) {
		t = now_ms();
		for (uint32_t i = 1; i <= 64; i++)
			model_lane_pixels(m, model_location_lane(m, i),
			    model_first_ns(m), model_last_ns(m), 1600, 0, 1600,
			    share, NULL);
		t = now_ms() - t;
		best = t < best ? t : best;
	}
	line(name, best, "ms", "prototype", ref);
	free(share);
}

static void
bench_timeline(const struct model *m, const char *name)
{
	struct timeline_view v = { .t0_mon_ns = model_first_ns(m),
		.t1_mon_ns = model_last_ns(m),
		.width = 1600,
		.height = 1600,
		.lane_height = 22,
		.colour = TIMELINE_BY_NAME,
		.links = true,
		.selected_lane = UINT32_MAX };
	struct timeline_layout l = { 0 };
	struct scene s = { 0 };
	double best = 1e9, t;

	for (int r = 0; r < 5; r++) {
		t = now_ms();
		timeline_layout(m, &palette_dark, &v, &l, &s);
		t = now_ms() - t;
		best = t < best ? t : best;
	}
	line(name, best, "ms", "frame of 60 Hz", 16.7);
	timeline_layout_free(&l);
	scene_free(&s);
}

static void
bench_lanes(void)
{
	static const struct {
		size_t events;
		const char *ingest, *bytes, *pixels, *timeline;
		double ref;
		int mixed;
	} runs[] = {
		{ 1000000, "model ingest 1e6", "model memory 1e6",
		    "lane pixels 64x1600 1e6", "timeline layout 1e6", 3.2, 0 },
		{ 1000000, "model ingest 1e6 15% messages",
		    "model memory 1e6 15% messages",
		    "lane pixels 64x1600 1e6 15% messages",
		    "timeline layout 1e6 15% messages", 3.2, 1 },
		{ 10000000, "model ingest 1e7", "model memory 1e7",
		    "lane pixels 64x1600 1e7", "timeline layout 1e7", 4.6, 0 },
	};
	struct make_log log;
	struct model *m;
	double ns;

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		m = grow(&log, runs[i].events, runs[i].mixed, &ns);
		line(runs[i].ingest, ns, "ns/event", "goal", 50);
		line(runs[i].bytes,
		    (double)model_bytes(m) / (double)runs[i].events, "B/event",
		    "goal", 7);
		bench_pixels(m, runs[i].pixels, runs[i].ref);
		bench_timeline(m, runs[i].timeline);
		model_free(m);
		make_log_free(&log);
	}
}

static void
bench_lod(void)
{
	struct lod lod;
	struct lod_state states[32];
	_Atomic uint64_t bytes = 0;
	struct retired retired = { .before = { NULL, 0, 0 } };
	struct lod_store store = { NULL, NULL, 0 };
	struct lod_env env = { states, &bytes, &retired, &store };
	int64_t at = 0;
	double t;

	for (uint32_t i = 0; i < 32; i++)
		states[i] = (struct lod_state){ .name = i,
			.class = i % LOD_PLACES,
			.fresh = 1 };
	lod_init(&lod, LOD_OF_THREAD);
	t = now_ms();
	for (uint32_t i = 0; i < 10000000; i++) {
		lod_append(&lod, &env, at += 10 + (i * 7919 >> 4) % 500,
		    (uint16_t)((i * 40503u >> 8) & 31), 0);
		if (i % 32768 == 0)
			retired_sweep(&retired);
	}
	t = now_ms() - t;
	line("lod append 1e7", t / 10, "ns", "prototype", 2.5);
	line("lod memory 1e7", (double)bytes / 1e7, "B/change", "prototype",
	    6.8);
	lod_clear(&lod);
	lod_store_clear(&store);
	retired_clear(&retired);
}

static void
bench_radial(uint32_t tasks, int deep, const char *ingest, const char *name,
    const char *memory)
{
	struct make_log log;
	struct model *m = model_64(&log);
	uint64_t before = model_bytes(m);
	struct event *e = malloc(BATCH * sizeof(*e));
	struct radial_view v = { .width = 1000,
		.height = 1000,
		.zoom = 1,
		.ring_px_min = 4,
		.until_mon_ns = INT64_MAX };
	struct radial_layout l = { 0 };
	struct scene s = { 0 };
	double ms = 0, t, best = 1e9;
	size_t n = 0;

	for (uint32_t i = 1; i <= tasks; i++) {
		uint32_t parent =
		    i == 1 ? 0
		    : deep ? i - 1 - random_below(i < 40 ? i - 1 : 40)
			   : 1 + random_below(i - 1);

		e[n++] = (struct event){ .t_mon_ns = i * 10,
			.location = 1,
			.a = i,
			.b = parent,
			.c = 1 + i % 16,
			.kind = EV_task_spawn };
		if (n == BATCH || i == tasks) {
			t = now_ms();
			model_add_events(m, e, n);
			ms += now_ms() - t;
			n = 0;
		}
	}
	line(ingest, ms * 1e6 / tasks, "ns/spawn", "prototype", 184);
	line(memory, (double)(model_bytes(m) - before) / tasks, "B/task",
	    "goal", 96);
	for (int r = 0; r < 5; r++) {
		t = now_ms();
		radial_layout(m, &palette_dark, &v, &l, &s);
		t = now_ms() - t;
		best = t < best ? t : best;
		if (r == 0 && deep)
			line("radial layout 1e6 deep, first", t, "ms",
			    "frame of 60 Hz", 16.7);
	}
	line(name, best, "ms", "goal", 5);
	radial_layout_free(&l);
	scene_free(&s);
	model_free(m);
	make_log_free(&log);
	free(e);
}

int
main(void)
{
	bench_lod();
	bench_lanes();
	bench_radial(100000, 0, "task ingest 1e5", "radial layout 1e5",
	    "task memory 1e5");
	bench_radial(1000000, 0, "task ingest 1e6", "radial layout 1e6",
	    "task memory 1e6");
	bench_radial(1000000, 1, "task ingest 1e6 deep",
	    "radial layout 1e6 deep", "task memory 1e6 deep");
	return (0);
}
