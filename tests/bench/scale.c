/*
 * The viewer's model and its frames at full size, from a made-up feed: what an
 * event costs and holds, what frames cost of a run that stands still and of
 * one that grows, exact statistics.  Lines of TSV:
 * name, value, unit, reference, reference value, ratio.
 */
#include <getopt.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "block.h"
#include "tests/unit/make_feed.h"
#include "tests/unit/make_log.h"
#include "ui/ui.h"

#define BATCH  32768
#define WIDTH  1600
#define HEIGHT 1000
#define FRAMES 20

static struct {
	double events, rate, seconds;
	uint32_t lanes, threads;
	const char *only;
} option = { 1e6, 1e7, 2, 64, 100000, "" };

static const char *of = ""; /* what a line is of, as it begins */

static double
clock_ms(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return ((double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6);
}

static void
line(const char *name, double value, const char *unit, const char *reference,
    double ref)
{
	printf("%s%s %.0e\t%.4g\t%s\t%s\t%.4g\t%.3g\n", of, name, option.events,
	    value, unit, reference, ref, value / ref);
	fflush(stdout);
}

/* Memory that is really there. */
static double
resident_bytes(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (f == NULL || fscanf(f, "%*d %ld", &pages) != 1)
		pages = 0;
	if (f != NULL)
		fclose(f);
	return ((double)pages * (double)sysconf(_SC_PAGESIZE));
}

/* Feeds the model; returns the writer's ns an event. */
static double
grow(struct model *m, struct feed_made *f, double events)
{
	struct event *e = malloc(BATCH * sizeof(*e));
	double ms = 0, t;

	if (e == NULL)
		exit(EX_OSERR);
	for (double i = 0; i < events; i += BATCH) {
		feed_fill(f, e, BATCH);
		t = clock_ms(CLOCK_THREAD_CPUTIME_ID);
		model_add_events(m, e, BATCH);
		ms += clock_ms(CLOCK_THREAD_CPUTIME_ID) - t;
	}
	free(e);
	return (ms * 1e6 / (ceil(events / BATCH) * BATCH));
}

/* memory */

struct held {
	struct model *m;
	double bytes, resident, ns;
};

static struct held
hold(struct feed_made *f, double events)
{
	struct held h = { .m = feed_model(option.lanes) };
	double resident, bytes = (double)model_bytes(h.m);

	malloc_trim(0);
	resident = resident_bytes();
	f->lanes = option.lanes;
	f->now = 1000;
	h.ns = grow(h.m, f, events);
	h.resident = resident_bytes() - resident;
	h.bytes = (double)model_bytes(h.m) - bytes;
	return (h);
}

static void
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
static void
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
	for (double i = 0; i < option.events; i += BATCH) {
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

/* So many events at least, as blocks of the log of BATCH each. */
static void
blocks_make(struct feed_made *f, double events, struct buf *out)
{
	struct block_writer *w = block_writer_new();
	struct event *e = malloc(BATCH * sizeof(*e));
	uint64_t *seq = calloc(FEED_LANES + 1, sizeof(*seq));

	if (w == NULL || e == NULL || seq == NULL)
		exit(EX_OSERR);
	for (double i = 0; i < events; i += BATCH) {
		feed_fill(f, e, BATCH);
		for (size_t k = 0; k < BATCH; k++) {
			e[k].seq = seq[e[k].location]++;
			e[k].t_node_ns = e[k].t_mon_ns;
		}
		if (block_take(w, e, BATCH) != BATCH ||
		    block_finish(w, 0, BLOCK_LEVEL_FAST, out) == -1)
			exit(EX_SOFTWARE);
	}
	block_writer_free(w);
	free(e);
	free(seq);
}

/* The block at a place of those; returns the place behind it. */
static size_t
block_feed(struct model *m, const struct buf *blocks, size_t at)
{
	struct frame fr;

	if (frame_parse(blocks->p + at, blocks->n - at, &fr) != FRAME_OK ||
	    model_add_frame(m, &fr) == -1)
		exit(EX_SOFTWARE);
	return (at + fr.frame_bytes);
}

/* ns an event, with decoding. */
static double
grow_decoded(struct model *m, struct feed_made *f, double events)
{
	struct buf blocks = { 0 };
	double t;

	blocks_make(f, events, &blocks);
	t = clock_ms(CLOCK_THREAD_CPUTIME_ID);
	for (size_t at = 0; at < blocks.n;)
		at = block_feed(m, &blocks, at);
	t = clock_ms(CLOCK_THREAD_CPUTIME_ID) - t;
	buf_free(&blocks);
	return (t * 1e6 / (ceil(events / BATCH) * BATCH));
}

/* frames */

struct screen {
	struct ui *ui;
	struct canvas canvas;
	struct feed_status feed;
};

/* As the loop draws it: nobody is waited for, but somebody may come. */
static bool
nobody(void *arg)
{
	(void)arg;
	return (false);
}

static void
draw(struct screen *s)
{
	ui_prepare(s->ui);
	ui_show(s->ui, &s->canvas);
}

static void
screen_open(struct screen *s, struct model *m, bool grows)
{
	uint32_t *px = calloc(WIDTH * HEIGHT, sizeof(*px));

	memset(&s->feed, 0, sizeof(s->feed));
	s->feed.connected = true;
	s->feed.finished = !grows;
	s->feed.live = grows;
	s->ui = ui_new(&palette_dark);
	if (px == NULL || s->ui == NULL)
		exit(EX_OSERR);
	canvas_init(&s->canvas, px, WIDTH, HEIGHT, WIDTH);
	s->ui->stop_cb = nobody;
	ui_resize(s->ui, WIDTH, HEIGHT);
	ui_refresh(s->ui, m, &s->feed);
}

static void
screen_close(struct screen *s)
{
	free(s->canvas.px);
	ui_free(s->ui);
}

static double
frame_ms(struct screen *s, struct model *m)
{
	double t = clock_ms(CLOCK_MONOTONIC);

	ui_refresh(s->ui, m, &s->feed);
	draw(s);
	return (clock_ms(CLOCK_MONOTONIC) - t);
}

/* As when a key was pressed: what is shown at once. */
static double
hasty_ms(struct screen *s, struct model *m)
{
	double t = clock_ms(CLOCK_MONOTONIC);

	ui_refresh(s->ui, m, &s->feed);
	s->ui->hasty = s->ui->pressed = true;
	draw(s);
	t = clock_ms(CLOCK_MONOTONIC) - t;
	s->ui->hasty = s->ui->pressed = false;
	draw(s); /* what follows */
	return (t);
}

static int
double_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x < *y ? -1 : *x > *y);
}

static double
percentile(double *v, size_t n, double part)
{
	if (n == 0)
		return (0);
	qsort(v, n, sizeof(*v), double_compare);
	return (v[(size_t)((double)(n - 1) * part)]);
}

static void
step_redo(struct ui *ui, int i)
{
	(void)i;
	ui_redo(ui);
}

static void
step_pan(struct ui *ui, int i)
{
	view_pan(ui, i < FRAMES / 2 ? -0.02 : 0.02);
}

static void
step_zoom(struct ui *ui, int i)
{
	view_zoom(ui, i % 2 == 0 ? 0.8 : 1.25, -1);
}

/* The first frame must not count: it fills what is kept. */
static void
frames(struct screen *s, struct model *m, const char *what, const char *zoom,
    void (*step)(struct ui *, int),
    double (*cost)(struct screen *, struct model *), double goal)
{
	double ms[FRAMES];
	char name[80];

	frame_ms(s, m);
	for (int i = 0; i < FRAMES; i++) {
		step(s->ui, i);
		ms[i] = cost(s, m);
	}
	snprintf(name, sizeof(name), "frame %s %s", what, zoom);
	line(name, percentile(ms, FRAMES, 0.5), "ms", "goal", goal);
}

static void
bench_frames(struct model *m)
{
	static const struct {
		const char *name;
		double part;
	} zooms[] = { { "all", 1 }, { "1/10", 0.1 }, { "1/100", 0.01 },
		{ "1/1000", 0.001 } };
	struct screen s;

	screen_open(&s, m, false);
	line("first frame", frame_ms(&s, m), "ms", "goal", 50);
	for (size_t i = 0; i < sizeof(zooms) / sizeof(zooms[0]); i++) {
		view_fit_all(s.ui);
		view_zoom(s.ui, zooms[i].part, -1);
		frames(&s, m, "cold", zooms[i].name, step_redo, frame_ms, 50);
		frames(&s, m, "pan", zooms[i].name, step_pan, frame_ms, 8);
		frames(&s, m, "zoom", zooms[i].name, step_zoom, frame_ms, 50);
		frames(&s, m, "key pan", zooms[i].name, step_pan, hasty_ms, 3);
		frames(&s, m, "key zoom", zooms[i].name, step_zoom, hasty_ms,
		    3);
	}
	screen_close(&s);
}

/* frames while the run grows */

struct live {
	struct model *m;
	struct buf blocks;
	_Atomic bool stop;
	double fed, seconds;
};

/* A block when it is due, decoded; what is late is made up for. */
static void *
live_feed(void *arg)
{
	struct live *l = arg;
	double from = clock_ms(CLOCK_MONOTONIC), due;
	struct timespec ts = { 0, 0 };
	size_t at = 0;

	while (at < l->blocks.n && !atomic_load(&l->stop)) {
		at = block_feed(l->m, &l->blocks, at);
		l->fed += BATCH;
		due = from + l->fed / option.rate * 1e3 -
		      clock_ms(CLOCK_MONOTONIC);
		ts.tv_nsec = due > 0 ? (long)(due * 1e6) : 0;
		nanosleep(&ts, NULL);
	}
	l->seconds = (clock_ms(CLOCK_MONOTONIC) - from) / 1e3;
	return (NULL);
}

static void
bench_live(struct model *m, struct feed_made *f, const char *what, bool follow)
{
	struct live l = { .m = m };
	size_t max = (size_t)(option.seconds * 60) + 1, n = 0;
	double *ms = calloc(max, sizeof(*ms)), from, now, due, cpu;
	struct timespec ts = { 0, 0 };
	struct screen s;
	pthread_t t;
	char name[80];

	blocks_make(f, option.seconds * option.rate, &l.blocks);
	screen_open(&s, m, true);
	frame_ms(&s, m);
	if (follow)
		view_live(s.ui);
	if (ms == NULL || pthread_create(&t, NULL, live_feed, &l) != 0)
		exit(EX_OSERR);
	cpu = clock_ms(CLOCK_THREAD_CPUTIME_ID);
	from = clock_ms(CLOCK_MONOTONIC);
	for (now = due = from; n < max && now < from + option.seconds * 1e3;
	     now = clock_ms(CLOCK_MONOTONIC)) {
		ms[n++] = frame_ms(&s, m);
		now = clock_ms(CLOCK_MONOTONIC);
		due = due + 1e3 / 60 > now ? due + 1e3 / 60 : now;
		ts.tv_nsec = due > now ? (long)((due - now) * 1e6) : 0;
		nanosleep(&ts, NULL);
	}
	cpu = clock_ms(CLOCK_THREAD_CPUTIME_ID) - cpu;
	atomic_store(&l.stop, true);
	pthread_join(t, NULL);
	snprintf(name, sizeof(name), "live %s fps", what);
	line(name, (double)n / (now - from) * 1e3, "frames/s", "goal", 60);
	snprintf(name, sizeof(name), "live %s cpu", what);
	line(name, cpu / (double)n, "ms/frame", "a frame at 60 Hz", 16.6);
	snprintf(name, sizeof(name), "live %s p50", what);
	line(name, percentile(ms, n, 0.5), "ms", "goal", 16.6);
	snprintf(name, sizeof(name), "live %s p99", what);
	line(name, percentile(ms, n, 0.99), "ms", "goal", 16.6);
	snprintf(name, sizeof(name), "live %s feed", what);
	line(name, l.fed / l.seconds, "events/s", "asked for", option.rate);
	free(ms);
	buf_free(&l.blocks);
	screen_close(&s);
}

static void
step_scroll(struct ui *ui, int i)
{
	ui->time.scroll_y += i < FRAMES / 2 ? 40 : -40;
	ui->dirty = true;
}

static void
fold_nodes(struct ui *ui)
{
	for (uint32_t i = 0; i < ui->time.nfolded; i++)
		if (model_lane(ui->model, i)->kind == LANE_NODE)
			ui->folded[i] |= TIMELINE_FOLDED;
	ui->dirty = true;
}

/* At how many zooms around t something that was lost is in the picture. */
static unsigned
seen(struct screen *s, struct model *m, int64_t t, unsigned *zooms)
{
	int64_t span = model_last_ns(m) - model_first_ns(m);
	unsigned n = 0, found;

	for (*zooms = 0; span > 1000; span /= 7, ++*zooms) {
		view_range(s->ui, t - span / 3, t - span / 3 + span);
		frame_ms(s, m);
		found = 0;
		for (size_t i = 0; i < s->ui->time_shown.n; i++)
			found |=
			    s->ui->time_shown.items[i].rgb ==
				palette_dark.error &&
			    s->ui->time_shown.items[i].type == ITEM_DIAMOND;
		n += found;
	}
	return (n);
}

/* Very many threads, and one of all events is an error. */
static void
bench_threads(void)
{
	struct feed_made *f = calloc(1, sizeof(*f));
	uint32_t lanes = option.lanes;
	struct event e = { .kind = EV_lost, .a = 1, .c = LOST_RING_FULL };
	struct screen s;
	unsigned zooms, n;
	struct held h;

	if (f == NULL)
		exit(EX_OSERR);
	of = "threads ";
	option.lanes = option.threads;
	f->mix = (struct feed_mix){ 0, 10, 1 };
	h = hold(f, option.events / 2);
	e.location = 1 + option.threads / 3;
	e.t_mon_ns = f->now;
	model_add_events(h.m, &e, 1);
	grow(h.m, f, option.events / 2);
	screen_open(&s, h.m, false);
	line("first frame", frame_ms(&s, h.m), "ms", "goal", 50);
	frames(&s, h.m, "cold", "all", step_redo, frame_ms, 16.6);
	frames(&s, h.m, "pan", "all", step_pan, frame_ms, 16.6);
	frames(&s, h.m, "zoom", "all", step_zoom, frame_ms, 16.6);
	frames(&s, h.m, "scroll", "all", step_scroll, frame_ms, 16.6);
	n = seen(&s, h.m, e.t_mon_ns, &zooms);
	line("error seen", n, "zooms", "of", zooms);
	view_fit_all(s.ui);
	fold_nodes(s.ui);
	frames(&s, h.m, "folded pan", "all", step_pan, frame_ms, 16.6);
	frames(&s, h.m, "folded zoom", "all", step_zoom, frame_ms, 16.6);
	n = seen(&s, h.m, e.t_mon_ns, &zooms);
	line("error seen folded", n, "zooms", "of", zooms);
	screen_close(&s);
	bench_live(h.m, f, "all", false);
	bench_live(h.m, f, "follow", true);
	option.lanes = lanes;
	of = "";
	model_free(h.m);
	free(f);
}

static void
bench_views(void)
{
	struct feed_made *f = calloc(1, sizeof(*f));
	struct held h;
	bool frames, live;

	if (f == NULL)
		exit(EX_OSERR);
	f->mix = (struct feed_mix){ 0, 10, 1 };
	frames = strchr(option.only, 'f') != NULL || *option.only == '\0';
	live = strchr(option.only, 'l') != NULL || *option.only == '\0';
	h = hold(f, option.events);
	line("model mix", h.bytes / option.events, "B/event", "goal", 7);
	line("model mix ingest", h.ns, "ns/event", "10 M events/s", 100);
	line("model mix decoded", grow_decoded(h.m, f, 1 << 21), "ns/event",
	    "10 M events/s", 100);
	if (frames)
		bench_frames(h.m);
	if (live) {
		bench_live(h.m, f, "all", false);
		bench_live(h.m, f, "follow", true);
	}
	model_free(h.m);
	free(f);
}

/* statistics */

static void
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

static void
usage(void)
{
	printf("usage: scale [-n events] [-l lanes] [-t threads] "
	       "[-r events/s] [-s seconds] [-o mflst]\n"
	       "  -o: only memory, frames, live, statistics, very many "
	       "threads\n");
}

int
main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "n:l:t:r:s:o:h")) != -1) {
		if (c == 'n')
			option.events = strtod(optarg, NULL);
		else if (c == 'l')
			option.lanes = (uint32_t)strtoul(optarg, NULL, 10);
		else if (c == 't')
			option.threads = (uint32_t)strtoul(optarg, NULL, 10);
		else if (c == 'r')
			option.rate = strtod(optarg, NULL);
		else if (c == 's')
			option.seconds = strtod(optarg, NULL);
		else if (c == 'o')
			option.only = optarg;
		else {
			usage();
			return (c == 'h' ? 0 : EX_USAGE);
		}
	}
	if (option.events < BATCH || option.lanes < 1 ||
	    option.lanes > FEED_LANES || option.threads < 3 ||
	    option.threads > FEED_LANES || option.rate < 1000) {
		usage();
		return (EX_USAGE);
	}
	if (*option.only == '\0' || strchr(option.only, 'm') != NULL) {
		bench_memory();
		bench_cap();
	}
	if (*option.only == '\0' || strpbrk(option.only, "fl") != NULL)
		bench_views();
	if (*option.only == '\0' || strchr(option.only, 's') != NULL)
		bench_statistics();
	if (*option.only == '\0' || strchr(option.only, 't') != NULL)
		bench_threads();
	return (0);
}
