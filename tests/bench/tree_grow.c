/*
 * A tree that grows: what a frame costs meanwhile and at the end, how fast
 * spawns are taken beside what memory allows, the inquiry for a pixel.
 */
#include "tests/bench/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sysexits.h>

#define HOVER 100000

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

void
bench_grow(enum shape shape, const char *name, uint32_t tasks, int frames)
{
	struct drawn d;
	struct event *e = malloc(BATCH * sizeof(*e));
	double *frame = calloc((size_t)frames + 1, sizeof(*frame)), t, ms = 0;
	double *layout = calloc((size_t)frames + 1, sizeof(*layout));
	uint32_t done = 1, drawn = 0, lean = tasks / (uint32_t)frames + 1;
	struct model *m = model_new();
	int n = 0;

	if (e == NULL || frame == NULL || layout == NULL || m == NULL)
		exit(EX_OSERR);
	drawn_open(&d, SIDE);
	d.view.growing = true;
	while (done <= tasks) {
		uint32_t to = done + BATCH > tasks ? tasks + 1 : done + BATCH;
		size_t k = fill(e, shape, done, to);

		t = now_ms();
		model_add_events(m, e, k);
		ms += now_ms() - t;
		done = to;
		if (n < frames && done - drawn >= lean) {
			draw(&d, m);
			layout[n] = d.layout_ms;
			frame[n++] = d.layout_ms + d.paint_ms;
			drawn = done;
		}
	}
	begin(m, e, tasks);
	d.view.growing = false;
	draw(&d, m);
	picture_write(&d);
	floor_line(&d);
	line("layout, first when it has grown", name, tasks, d.layout_ms, "ms",
	    2);
	draw(&d, m);
	line("layout", name, tasks, d.layout_ms, "ms", 2);
	line("painting", name, tasks, d.paint_ms, "ms", 2);
	t = d.layout_ms + d.paint_ms;
	for (int i = 0; i < option.redraws; i++) {
		draw(&d, m);
		if (d.layout_ms + d.paint_ms < t)
			t = d.layout_ms + d.paint_ms;
	}
	line("frame", name, tasks, t, "ms", 4);
	line("frame, both processors", name, tasks, both_ms(&d, m), "ms", 4);
	qsort(layout, (size_t)n, sizeof(*layout), by_value);
	qsort(frame, (size_t)n, sizeof(*frame), by_value);
	line("layout while it grows, p50", name, tasks, layout[n / 2], "ms", 2);
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
	if (option.actions)
		bench_actions(&d, m, name, tasks);
	drawn_close(&d);
	model_free(m);
	free(layout);
	free(frame);
	free(e);
}
