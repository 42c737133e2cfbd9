/*
 * tree [--tasks N] [--shape random|binary|deep|flat] [--frames N]: the radial
 * view while a tree grows to N tasks: what a frame costs with its painting, how
 * fast spawns are taken, how long the inquiry for a pixel takes.  With --cap,
 * what is held of N tasks that end.  With a log, how long it takes to load and
 * show it.  Lines of TSV: name, value, unit,
 * reference, reference value, ratio.
 */
#include <err.h>
#include <getopt.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sysexits.h>
#include <time.h>

#include "layout/radial.h"
#include "model/model.h"
#include "raster/canvas.h"
#include "ui/both.h"
#include "ui/draw.h"
#include "ui/feed.h"
#include "ui/png.h"

#define BATCH 65536
#define SIDE  1000
#define HOVER 100000

enum shape {
	RANDOM, /* a child of any task: deep as the logarithm, many children */
	BINARY, /* a heap */
	DEEP,   /* a child of one of the last forty: hundreds of levels */
	FLAT,   /* all children of the first */
	SHAPES
};
static const char *const shape_name[SHAPES] = { "random", "binary", "deep",
	"flat" };

static uint64_t seed = 1;
static int redraws = 9;     /* times that the same picture is drawn */
static const char *picture; /* where to, NULL: nowhere */
static enum radial_form form;
static bool all_actions;

static uint32_t
random_below(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(seed >> 33) % n);
}

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return ((double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6);
}

static void
line(const char *what, const char *shape, uint32_t tasks, double value,
    const char *unit, double ref)
{
	printf("tree %s %s %.0e\t%.4g\t%s\tgoal\t%.4g\t%.3g\n", what, shape,
	    (double)tasks, value, unit, ref, value / ref);
	fflush(stdout);
}

static uint32_t
parent_of(enum shape shape, uint32_t i)
{
	if (i == 1)
		return (0);
	if (shape == FLAT)
		return (1);
	if (shape == BINARY)
		return (i / 2);
	if (shape == DEEP)
		return (i - 1 - random_below(i < 40 ? i - 1 : 40));
	return (1 + random_below(i - 1));
}

/* Each is spawned. */
static size_t
fill(struct event *e, enum shape shape, uint32_t from, uint32_t to)
{
	size_t n = 0;

	for (uint32_t i = from; i < to; i++)
		e[n++] = (struct event){ .t_mon_ns = i * 200ll,
			.location = 1,
			.a = i,
			.b = parent_of(shape, i),
			.c = 1 + i % 16,
			.kind = EV_task_spawn };
	return (n);
}

/* And begun, by one of eight PEs. */
static void
begin(struct model *m, struct event *e, uint32_t tasks)
{
	size_t n = 0;

	for (uint32_t i = 1; i <= tasks; i++) {
		e[n++] = (struct event){ .t_mon_ns = (tasks + i) * 200ll,
			.location = 1,
			.a = i,
			.b = (i / (tasks / 64 + 1) + i % 3 / 2) % 8,
			.kind = EV_task_begin };
		if (n == BATCH || i == tasks) {
			model_add_events(m, e, n);
			n = 0;
		}
	}
}

struct drawn {
	struct radial_view view;
	struct radial_layout layout;
	struct scene scene;
	struct canvas canvas;
	double layout_ms, paint_ms;
};

static void
draw(struct drawn *d, const struct model *m)
{
	double t0 = now_ms(), t1;

	radial_layout(m, &palette_dark, &d->view, &d->layout, &d->scene);
	t1 = now_ms();
	canvas_fill(&d->canvas, 0, 0, SIDE, SIDE, palette_dark.background);
	paint_items(&d->canvas, &d->scene, 0, d->scene.n);
	d->layout_ms = t1 - t0;
	d->paint_ms = now_ms() - t1;
}

/* As the window has it painted: in bands, by two threads. */
#define BANDS 6

struct bands {
	struct drawn *d;
	_Atomic int next;
};

static void
paint_bands(void *arg, int who)
{
	struct bands *b = arg;
	int band;

	(void)who;
	while ((band = atomic_fetch_add(&b->next, 1)) < BANDS) {
		struct canvas c = b->d->canvas;

		canvas_clip(&c, 0, SIDE * band / BANDS, SIDE,
		    SIDE * (band + 1) / BANDS);
		paint_items(&c, &b->d->scene, 0, b->d->scene.n);
	}
}

/* By the clock on the wall; the best of some. */
static double
both_ms(struct drawn *d, const struct model *m)
{
	double best = 1e9, ms;
	struct timespec a, b;

	for (int i = 0; i < 20; i++) {
		struct bands bands = { .d = d };

		clock_gettime(CLOCK_MONOTONIC, &a);
		radial_layout(m, &palette_dark, &d->view, &d->layout,
		    &d->scene);
		canvas_fill(&d->canvas, 0, 0, SIDE, SIDE,
		    palette_dark.background);
		both(paint_bands, &bands);
		clock_gettime(CLOCK_MONOTONIC, &b);
		ms = (double)(b.tv_sec - a.tv_sec) * 1e3 +
		     (double)(b.tv_nsec - a.tv_nsec) / 1e6;
		best = ms < best ? ms : best;
	}
	return (best);
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return ((x > y) - (x < y));
}

static double
hover_us(struct drawn *d)
{
	double t0 = now_ms();
	uint32_t sum = 0;

	for (int i = 0; i < HOVER; i++) {
		const struct radial_node *n = radial_nearest(&d->layout,
		    &d->view, (int32_t)random_below(SIDE),
		    (int32_t)random_below(SIDE), 14);

		sum += n != NULL ? n->task : 0;
	}
	if (sum == 1) /* so that it is needed */
		puts("");
	return ((now_ms() - t0) * 1e3 / HOVER);
}

static void
floor_line(struct drawn *d)
{
	double best = 1e9, t;

	for (int i = 0; i < 9; i++) {
		t = now_ms();
		canvas_fill(&d->canvas, 0, 0, SIDE, SIDE, (uint32_t)i);
		t = now_ms() - t;
		best = t < best ? t : best;
	}
	printf("tree floor: filling %dx%d\t%.4g\tms\tquiet machine\t0.08"
	       "\t%.3g\n",
	    SIDE, SIDE, best, best / 0.08);
}

/* What a user does with the tree, each as the first frame that shows it. */
static void
actions(struct drawn *d, struct model *m, const char *name, uint32_t tasks)
{
	static const struct {
		const char *what;
		double zoom, x;
		uint32_t part; /* of the tasks: the root; 0: all */
		enum radial_form form;
		enum radial_colour colour;
		enum radial_order order;
		bool until, selected;
	} todo[] = {
		{ .what = "PE" },
		{ .what = "time", .colour = RADIAL_TIME },
		{ .what = "PE-time", .colour = RADIAL_PE_TIME },
		{ .what = "procedure", .colour = RADIAL_PROCEDURE },
		{ .what = "state", .colour = RADIAL_STATE },
		{ .what = "zoom 3", .zoom = 3, .x = 300 },
		{ .what = "zoom 1000", .zoom = 1000, .x = 300000 },
		{ .what = "centre", .x = 200 },
		{ .what = "sunburst", .form = RADIAL_SUNBURST },
		{ .what = "icicle", .form = RADIAL_ICICLE },
		{ .what = "order by path", .order = RADIAL_BY_PATH },
		{ .what = "until an instant", .until = true },
		{ .what = "selected", .selected = true },
		{ .what = "subtree, early", .part = 1000000 },
		{ .what = "and again", .part = 1000000 },
		{ .what = "subtree, late", .part = 2 },
		{ .what = "back" },
	};
	struct radial_view was = d->view;
	const struct radial_node *n;
	double t, worst = 0;
	char what[80];

	for (size_t i = 0; i < sizeof(todo) / sizeof(todo[0]); i++) {
		d->view = was;
		d->view.colour = todo[i].colour;
		d->view.form = todo[i].form;
		d->view.order = todo[i].order;
		d->view.zoom = todo[i].zoom > 0 ? todo[i].zoom : 1;
		d->view.centre_x = todo[i].x;
		d->view.subtree = todo[i].part > 0;
		if (todo[i].part > 0)
			d->view.root = tasks / todo[i].part;
		if (todo[i].until)
			d->view.until_mon_ns = model_last_ns(m) / 4;
		d->view.selected_task = todo[i].selected ? tasks - 3 : 0;
		draw(d, m);
		snprintf(what, sizeof(what), "action: %s", todo[i].what);
		line(what, name, tasks, d->layout_ms + d->paint_ms, "ms", 16);
		worst = d->layout_ms + d->paint_ms > worst
			    ? d->layout_ms + d->paint_ms
			    : worst;
	}
	d->view = was;
	draw(d, m);
	t = now_ms();
	n = radial_find(&d->layout, m, tasks - 3);
	t = now_ms() - t;
	line("action: where a task is", name, tasks, t, "ms", 16);
	t = now_ms();
	if (n != NULL && model_task_by_id(m, tasks / 2) != tasks / 2 - 1)
		errx(EX_SOFTWARE, "a task is not found");
	line("action: task by id", name, tasks, now_ms() - t, "ms", 16);
	line("action: the worst", name, tasks, worst, "ms", 16);
}

/*
 * What memory allows: reads anywhere in as much of it as the tasks take, in
 * large pages, each asked for sixteen ahead.  Returns M/s.
 */
static double
misses_line(uint32_t tasks)
{
	enum {
		READS = 2000000,
		AHEAD = 16,
		LINE = 64
	};
	size_t n = (size_t)tasks * 40 / LINE + 1024, page = (size_t)2 << 20;
	size_t bytes = (n * LINE + page - 1) / page * page;
	uint32_t *at = malloc((READS + AHEAD) * sizeof(*at));
	char *p = aligned_alloc(page, bytes);
	volatile char sum = 0;
	double t;

	if (at == NULL || p == NULL)
		exit(EX_OSERR);
#ifdef MADV_HUGEPAGE
	madvise(p, bytes, MADV_HUGEPAGE);
#endif
	memset(p, 1, bytes);
	for (int i = 0; i < READS + AHEAD; i++)
		at[i] = random_below((uint32_t)n);
	t = now_ms();
	for (int i = 0; i < READS; i++) {
		__builtin_prefetch(p + (size_t)at[i + AHEAD] * LINE);
		sum = (char)(sum + p[(size_t)at[i] * LINE]);
	}
	t = READS / (now_ms() - t) / 1e3;
	printf("tree floor: reads anywhere in %.0f MB\t%.4g\tM/s\tquiet "
	       "machine\t110\t%.3g\n",
	    (double)bytes / 1048576, t, t / 110);
	free(p);
	free(at);
	return (t);
}

static void
bench(enum shape shape, uint32_t tasks, int frames)
{
	struct drawn d = { .view = { .width = SIDE,
			       .height = SIDE,
			       .zoom = 1,
			       .form = form,
			       .ring_px_min = 4,
			       .root = 0,
			       .until_mon_ns = INT64_MAX } };
	struct event *e = malloc(BATCH * sizeof(*e));
	double *frame = calloc((size_t)frames + 1, sizeof(*frame)), t, ms = 0;
	uint32_t *px = calloc((size_t)SIDE * SIDE, sizeof(*px));
	uint32_t done = 1, drawn = 0, lean = tasks / (uint32_t)frames + 1;
	struct model *m = model_new();
	const char *name = shape_name[shape];
	int n = 0;

	if (e == NULL || frame == NULL || px == NULL || m == NULL)
		exit(EX_OSERR);
	canvas_init(&d.canvas, px, SIDE, SIDE, SIDE);
	while (done <= tasks) {
		uint32_t to = done + BATCH > tasks ? tasks + 1 : done + BATCH;
		size_t k = fill(e, shape, done, to);

		t = now_ms();
		model_add_events(m, e, k);
		ms += now_ms() - t;
		done = to;
		if (n < frames && done - drawn >= lean) {
			draw(&d, m);
			frame[n++] = d.layout_ms + d.paint_ms;
			drawn = done;
		}
	}
	begin(m, e, tasks);
	draw(&d, m);
	if (picture != NULL && png_write(picture, &d.canvas) == -1)
		err(EX_CANTCREAT, "%s", picture);
	floor_line(&d);
	line("layout", name, tasks, d.layout_ms, "ms", 2);
	line("painting", name, tasks, d.paint_ms, "ms", 2);
	t = d.layout_ms + d.paint_ms;
	for (int i = 0; i < redraws; i++) {
		draw(&d, m);
		if (d.layout_ms + d.paint_ms < t)
			t = d.layout_ms + d.paint_ms;
	}
	line("frame", name, tasks, t, "ms", 4);
	line("frame, both processors", name, tasks, both_ms(&d, m), "ms", 4);
	qsort(frame, (size_t)n, sizeof(*frame), by_value);
	line("frame while it grows, p50", name, tasks, frame[n / 2], "ms", 4);
	line("frame while it grows, p99", name, tasks, frame[n * 99 / 100],
	    "ms", 4);
	line("spawns", name, tasks, tasks / ms / 1e3, "M/s", 5);
	t = misses_line(tasks);
	line("reads in the time of a spawn", name, tasks,
	    t / (tasks / ms / 1e3), "reads", 20);
	line("memory", name, tasks, (double)model_bytes(m) / tasks, "B/task",
	    40);
	line("nodes drawn", name, tasks, d.layout.drawn, "nodes", 37600);
	line("hover", name, tasks, hover_us(&d), "us", 1);
	if (all_actions)
		actions(&d, m, name, tasks);
	radial_layout_free(&d.layout);
	scene_free(&d.scene);
	model_free(m);
	free(px);
	free(frame);
	free(e);
}

static void
draw_picture(const struct model *m)
{
	struct drawn d = { .view = { .width = SIDE,
			       .height = SIDE,
			       .zoom = 1,
			       .form = form,
			       .ring_px_min = 4,
			       .until_mon_ns = INT64_MAX } };
	uint32_t *px = calloc((size_t)SIDE * SIDE, sizeof(*px));

	if (px == NULL)
		exit(EX_OSERR);
	canvas_init(&d.canvas, px, SIDE, SIDE, SIDE);
	draw(&d, m);
	if (png_write(picture, &d.canvas) == -1)
		err(EX_CANTCREAT, "%s", picture);
	radial_layout_free(&d.layout);
	scene_free(&d.scene);
	free(px);
}

/*
 * Tasks that end, as a program with many threads makes them: each thread goes
 * down and up its own part of the tree.  Held under a cap.
 */
#define THREADS 64
#define DEPTH   24

struct program {
	uint64_t stack[THREADS][DEPTH], next;
	uint32_t top[THREADS];
	int64_t now;
};

static size_t
program_events(struct program *p, struct event *e, size_t n)
{
	uint32_t t, *top;
	size_t i = 0;

	while (i + 2 <= n) {
		t = random_below(THREADS);
		top = &p->top[t];
		p->now += 100;
		if (*top < 3 || (*top < DEPTH && random_below(2) == 0)) {
			e[i++] = (struct event){ .t_mon_ns = p->now,
				.location = 1 + t,
				.a = ++p->next,
				.b = *top == 0 ? 1 : p->stack[t][*top - 1],
				.c = 1 + p->next % 16,
				.kind = EV_task_spawn };
			e[i] = e[i - 1];
			e[i].kind = EV_task_begin;
			e[i].b = t;
			e[i++].t_mon_ns += 20;
			p->stack[t][(*top)++] = p->next;
		} else {
			e[i++] = (struct event){ .t_mon_ns = p->now,
				.location = 1 + t,
				.a = p->stack[t][--*top],
				.kind = EV_task_end };
		}
	}
	return (i);
}

static void
bench_cap(double tasks, double cap)
{
	struct event *e = malloc(BATCH * sizeof(*e));
	struct program *p = calloc(1, sizeof(*p));
	struct model *m = model_new();
	double most = 0, ms = 0, t, events = 0, worst = 0;
	size_t n;

	if (e == NULL || p == NULL || m == NULL)
		exit(EX_OSERR);
	p->next = 1;
	*e = (struct event){ .location = 1, .a = 1, .kind = EV_task_spawn };
	model_add_events(m, e, 1);
	model_set_memory(m, (uint64_t)cap);
	while ((double)p->next < tasks) {
		n = program_events(p, e, BATCH);
		t = now_ms();
		model_add_events(m, e, n);
		t = now_ms() - t;
		ms += t;
		worst = t > worst ? t : worst;
		events += (double)n;
		if ((double)model_bytes(m) > most)
			most = (double)model_bytes(m);
	}
	line("cap: most held", "finished", (uint32_t)tasks, most / cap, "of it",
	    1.05);
	line("cap: held", "finished", (uint32_t)tasks,
	    (double)model_bytes(m) / events, "B/event", 0.7);
	line("cap: tasks there", "finished", (uint32_t)tasks,
	    model_tasks(m) - model_tasks_gone(m), "tasks", tasks);
	line("cap: events", "finished", (uint32_t)tasks, events / ms / 1e3,
	    "M/s", 10);
	line("cap: longest batch", "finished", (uint32_t)tasks, worst, "ms",
	    100);
	if (picture != NULL)
		draw_picture(m);
	model_free(m);
	free(p);
	free(e);
}

/*
 * VISTA's own measurement: a trace is loaded and shown, then shown with other
 * colours.  45 s and 4 s for semigroup, in 1991.
 */
static void
bench_log(const char *path)
{
	struct drawn d = { .view = { .width = 850,
			       .height = 850,
			       .zoom = 1,
			       .ring_px_min = 4,
			       .until_mon_ns = INT64_MAX } };
	uint32_t *px = calloc((size_t)SIDE * SIDE, sizeof(*px));
	double load = 1e9, again = 1e9, layout = 1e9, t;
	struct model *m = NULL;
	struct feed_status st;
	uint32_t tasks = 0;

	if (px == NULL)
		exit(EX_OSERR);
	canvas_init(&d.canvas, px, SIDE, SIDE, SIDE);
	for (int i = 0; i < 5; i++) {
		model_free(m);
		t = now_ms();
		m = model_new();
		if (m == NULL || feed_read(m, path, &st) != 0)
			errx(EX_NOINPUT, "%s cannot be read", path);
		draw(&d, m);
		t = now_ms() - t;
		load = t < load ? t : load;
		for (int c = 0; c < RADIAL_COLOURS; c++) {
			d.view.colour = (enum radial_colour)c;
			draw(&d, m);
			t = d.layout_ms + d.paint_ms;
			again = t < again ? t : again;
			layout = d.layout_ms < layout ? d.layout_ms : layout;
		}
	}
	floor_line(&d);
	tasks = d.layout.tasks;
	line("loaded and shown", "log", tasks, load, "ms", 5);
	line("shown again", "log", tasks, again, "ms", 1);
	line("shown again, both processors", "log", tasks, both_ms(&d, m), "ms",
	    1);
	line("layout of that", "log", tasks, layout, "ms", 1);
	line("nodes drawn", "log", tasks, d.layout.drawn, "nodes", 11334);
	if (picture != NULL && png_write(picture, &d.canvas) == -1)
		err(EX_CANTCREAT, "%s", picture);
	radial_layout_free(&d.layout);
	scene_free(&d.scene);
	model_free(m);
	free(px);
}

static _Noreturn void
usage(int code)
{
	fprintf(code == 0 ? stdout : stderr,
	    "usage: tree [--tasks N] [--frames N] [--again N] [--actions]\n"
	    "            [--shape random|binary|deep|flat]\n"
	    "            [--form polygons|sunburst|icicle] "
	    "[--picture FILE.png] [run.orr]\n"
	    "       tree --cap MB [--tasks N]\n");
	exit(code);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "tasks", required_argument, NULL, 't' },
		{ "frames", required_argument, NULL, 'f' },
		{ "shape", required_argument, NULL, 's' },
		{ "picture", required_argument, NULL, 'p' },
		{ "form", required_argument, NULL, 'F' },
		{ "actions", no_argument, NULL, 'A' },
		{ "again", required_argument, NULL, 'a' },
		{ "cap", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	double tasks = 1e6, frames = 100, cap = 0;
	const char *only = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 't':
			tasks = strtod(optarg, NULL);
			break;
		case 'f':
			frames = strtod(optarg, NULL);
			break;
		case 's':
			only = optarg;
			break;
		case 'p':
			picture = optarg;
			break;
		case 'A':
			all_actions = true;
			break;
		case 'a':
			redraws = atoi(optarg);
			break;
		case 'c':
			cap = strtod(optarg, NULL);
			break;
		case 'F':
			while (form < RADIAL_FORMS &&
			       strcmp(optarg, radial_form_name[form]) != 0)
				form++;
			if (form == RADIAL_FORMS)
				usage(EX_USAGE);
			break;
		default:
			usage(c == 'h' ? 0 : EX_USAGE);
		}
	if (optind + 1 == argc) {
		bench_log(argv[optind]);
		return (0);
	}
	if (optind < argc || !(tasks >= 1 && tasks <= 1e9) ||
	    !(frames >= 1 && frames <= 1e6))
		usage(EX_USAGE);
	if (cap > 0) {
		bench_cap(tasks, cap * 1048576);
		return (0);
	}
	for (int i = 0; i < SHAPES; i++)
		if (only == NULL || strcmp(only, shape_name[i]) == 0)
			bench((enum shape)i, (uint32_t)tasks, (int)frames);
	return (0);
}
