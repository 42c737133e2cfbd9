/* Frames while a run grows. */
#include "tests/bench/scale.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

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

void
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
		time_live(s.ui);
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
