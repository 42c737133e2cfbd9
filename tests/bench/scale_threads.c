/*
 * Very many threads: one of all events is an error, and they are born while
 * somebody looks.
 */
#include "tests/bench/scale.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sysexits.h>

static void
step_scroll(struct ui *ui, int i)
{
	ui->time.scroll_y += i < FRAMES / 2 ? 40 : -40;
	picture_changed(ui->picture);
}

static void
fold_nodes(struct ui *ui)
{
	for (uint32_t i = 0; i < ui->time.nfolded; i++)
		if (model_lane(ui->model, i)->kind == LANE_NODE)
			ui->timepane.folded[i] |= TIMELINE_FOLDED;
	picture_changed(ui->picture);
}

/* At how many zooms around t something that was lost is in the picture. */
static unsigned
seen(struct screen *s, struct model *m, int64_t t, unsigned *zooms)
{
	int64_t span = model_last_ns(m) - model_first_ns(m);
	unsigned n = 0, found;

	for (*zooms = 0; span > 1000; span /= 7, ++*zooms) {
		time_range(s->ui, t - span / 3, t - span / 3 + span);
		frame_ms(s, m);
		found = 0;
		for (size_t i = 0; i < s->ui->timepane.shown.n; i++)
			found |=
			    s->ui->timepane.shown.items[i].rgb ==
				palette_dark.error &&
			    s->ui->timepane.shown.items[i].type == ITEM_DIAMOND;
		n += found;
	}
	return (n);
}

void
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
	frames(&s, h.m, "zoom anew", "all", step_anew, frame_ms, 16.6);
	frames(&s, h.m, "scroll", "all", step_scroll, frame_ms, 16.6);
	n = seen(&s, h.m, e.t_mon_ns, &zooms);
	line("error seen", n, "zooms", "of", zooms);
	time_fit(s.ui);
	fold_nodes(s.ui);
	frames(&s, h.m, "folded pan", "all", step_pan, frame_ms, 16.6);
	frames(&s, h.m, "folded zoom", "all", step_zoom, frame_ms, 16.6);
	frames(&s, h.m, "folded zoom anew", "all", step_anew, frame_ms, 16.6);
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

/* threads that are born while it is looked at */

struct births {
	struct model *m;
	struct feed_made *f;
	_Atomic bool stop;
	_Atomic uint32_t born;
};

#define BIRTH_EVENTS 2048 /* with each step of 2 ms */

/* Of a node, a process and a thread, as it needs them. */
static void
births_define(struct births *b, struct make_log *log, uint32_t i)
{
	struct frame fr;

	if (i % 64 == 0)
		make_log_node(log, 1 + i / 64, "n");
	if (i % 8 == 0)
		make_log_po(log, 1 + i / 64, 1 + i / 8, "po");
	make_log_thread(log, 1 + i / 64, 1 + i / 8, 1 + i % 8, "");
	for (size_t at = 0; at < log->out.n; at += fr.frame_bytes)
		if (frame_parse(log->out.p + at, log->out.n - at, &fr) !=
			FRAME_OK ||
		    model_add_frame(b->m, &fr) == -1)
			exit(EX_SOFTWARE);
	log->out.n = 0;
}

static void *
births_feed(void *arg)
{
	struct births *b = arg;
	struct make_log log = { .locations = b->f->lanes };
	struct event *e = malloc(BIRTH_EVENTS * sizeof(*e));
	double from = clock_ms(CLOCK_MONOTONIC);
	uint32_t n = b->f->lanes, due;

	if (e == NULL)
		exit(EX_OSERR);
	while (!atomic_load(&b->stop)) {
		due = 1000 + (uint32_t)((clock_ms(CLOCK_MONOTONIC) - from) *
					option.births / 1e3);
		due = due < option.threads ? due : option.threads;
		for (; n < due; n++)
			births_define(b, &log, n);
		b->f->lanes = n;
		feed_fill(b->f, e, BIRTH_EVENTS);
		model_add_events(b->m, e, BIRTH_EVENTS);
		atomic_store(&b->born, n);
		nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
	}
	make_log_free(&log);
	free(e);
	return (NULL);
}

void
bench_births(void)
{
	struct births b = { .f = calloc(1, sizeof(*b.f)) };
	size_t max = (size_t)(option.seconds * 60) + 1, n = 0;
	double *ms = calloc(max, sizeof(*ms)), from, now, due;
	struct screen s;
	pthread_t t;

	if (b.f == NULL || ms == NULL)
		exit(EX_OSERR);
	b.m = feed_model(1000);
	b.f->lanes = 1000;
	b.f->now = 1000;
	b.f->mix = (struct feed_mix){ 0, 10, 1 };
	grow(b.m, b.f, BATCH);
	screen_open(&s, b.m, true);
	frame_ms(&s, b.m);
	if (pthread_create(&t, NULL, births_feed, &b) != 0)
		exit(EX_OSERR);
	from = clock_ms(CLOCK_MONOTONIC);
	for (now = due = from; n < max && now < from + option.seconds * 1e3;
	     now = clock_ms(CLOCK_MONOTONIC)) {
		ms[n++] = frame_ms(&s, b.m);
		now = clock_ms(CLOCK_MONOTONIC);
		due = due + 1e3 / 60 > now ? due + 1e3 / 60 : now;
		nanosleep(&(struct timespec){ 0, (long)((due - now) * 1e6) },
		    NULL);
	}
	atomic_store(&b.stop, true);
	pthread_join(t, NULL);
	of = "births ";
	line("threads", atomic_load(&b.born), "threads", "of", option.threads);
	line("fps", (double)n / (now - from) * 1e3, "frames/s", "goal", 60);
	line("p50", percentile(ms, n, 0.5), "ms", "goal", 16.6);
	line("p99", percentile(ms, n, 0.99), "ms", "goal", 16.6);
	of = "";
	free(ms);
	screen_close(&s);
	model_free(b.m);
	free(b.f);
}
