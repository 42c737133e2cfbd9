/*
 * Shared by the parts of the bench of the viewer at full size (scale.c).
 */
#ifndef TESTS_BENCH_SCALE_H
#define TESTS_BENCH_SCALE_H

#include <time.h>

#include "frame.h"
#include "tests/unit/make_feed.h"
#include "ui/desk/desk.h"
#include "ui/desk/ui.h"
#include "ui/whole/frame.h"

#define BATCH  32768
#define FRAMES 20

struct scale_option {
	double events, rate, seconds, births;
	uint32_t lanes, threads;
	const char *only;
};
extern struct scale_option option;
extern const char *of; /* what a line is of, as it begins */

double clock_ms(clockid_t);
/* A line of TSV; the ratio is value / ref. */
void line(const char *name, double value, const char *unit,
    const char *reference, double ref);
/* Of BATCH each, so many events at least. */
uint64_t batches(double events);
/* Sorts; 0 of none. */
double percentile(double *v, size_t n, double part);

/* scale_feed.c: Feeds the model; returns the writer's ns an event. */
double grow(struct model *, struct feed_made *, double events);
/* The same with decoding. */
double grow_decoded(struct model *, struct feed_made *, double events);
struct held {
	struct model *m;
	double bytes, resident, ns;
};

/* A model of option.lanes threads with so many events. */
struct held hold(struct feed_made *, double events);
/* So many events at least, as blocks of the log of BATCH each. */
void blocks_make(struct feed_made *, double events, struct buf *out);
/* The block at a place of those; returns the place behind it. */
size_t block_feed(struct model *, const struct buf *blocks, size_t at);

/* scale_frames.c */
struct screen {
	struct ui *ui;
	struct canvas canvas;
	struct feed_status feed;
};

void screen_open(struct screen *, struct model *, bool grows);
void screen_close(struct screen *);
/* One frame, all of it. */
double frame_ms(struct screen *, struct model *);
/* The median of FRAMES after a step each; the first one does not count. */
void frames(struct screen *, struct model *, const char *what, const char *zoom,
    void (*step)(struct ui *, int),
    double (*cost)(struct screen *, struct model *), double goal);
void step_redo(struct ui *, int i);
void step_pan(struct ui *, int i);
void step_zoom(struct ui *, int i);
void step_anew(struct ui *, int i); /* zooms, never back to a view */

/* The benches: scale_memory.c, scale_frames.c, scale_live.c ... */
void bench_memory(void);
void bench_cap(void);
void bench_frames(struct model *);
/* While blocks come in at option.rate, and threads at option.births. */
void bench_live(struct model *, struct feed_made *, const char *what,
    bool follow);
void bench_threads(void);
void bench_births(void);
void bench_statistics(void);
void bench_list(void);
void bench_tables(void);

#endif
