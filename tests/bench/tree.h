/* Shared by the parts of the bench of the radial view (tree.c). */
#ifndef TESTS_BENCH_TREE_H
#define TESTS_BENCH_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/radial/radial.h"
#include "model/model.h"
#include "raster/canvas.h"

#define BATCH 65536
#define SIDE  1000

enum shape {
	RANDOM, /* a child of any task: deep as the logarithm, many children */
	BINARY, /* a heap */
	DEEP,   /* a child of one of the last forty: hundreds of levels */
	FLAT,   /* all children of the first */
	SHAPES
};

struct tree_option {
	int redraws;         /* times that the same picture is drawn */
	const char *picture; /* where to, NULL: nowhere */
	enum radial_form form;
	bool actions;
	bool fit; /* rings as far apart as the viewer has them */
};
extern struct tree_option option;

uint32_t random_below(uint32_t n);
double now_ms(void); /* of this thread */
void line(const char *what, const char *shape, uint32_t tasks, double value,
    const char *unit, double ref);

/* tree_draw.c: a picture of SIDE pixels and what it cost */
struct drawn {
	struct radial_view view;
	struct radial_layout layout;
	struct scene scene;
	struct canvas canvas;
	double layout_ms, paint_ms;
};
void drawn_open(struct drawn *, int32_t side); /* may exit */
void drawn_close(struct drawn *);
void draw(struct drawn *, const struct model *);
double wall_ms(void);
/* As the viewer does it: by two threads, and what has not changed stays. */
void draw_both(struct drawn *, const struct model *);
/* All of it anew, by the clock on the wall; the best of some. */
double both_ms(struct drawn *, const struct model *);
void floor_line(struct drawn *);
void picture_write(struct drawn *); /* if one is asked for */

/* The benches: tree_grow.c, tree_actions.c, tree_cap.c, tree_log.c */
void bench_grow(enum shape, const char *name, uint32_t tasks, int frames);
void bench_actions(struct drawn *, struct model *, const char *name,
    uint32_t tasks);
void bench_cap(double tasks, double cap_bytes);
void bench_log(const char *path);

#endif
