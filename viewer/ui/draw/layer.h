/* Pictures that are kept: of what is slow to draw. */
#ifndef VIEWER_LAYER_H
#define VIEWER_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout/scene.h"
#include "raster/canvas.h"

/* A kept picture of something that is slow to draw. */
struct layer {
	uint32_t *px;   /* NULL: there is none yet */
	uint32_t *back; /* the next one, while it is drawn */
	int32_t width, height;
	uint64_t key;        /* hash of all that it was made from */
	uint64_t next;       /* the same of what is in back */
	bool whole;          /* no part of it may stay */
	uint64_t version;    /* of the run or the tree, when it was made */
	struct cover *cover; /* of its items; NULL: nobody has asked */
};

/* Asked between the parts of what takes long: must it be given up? */
struct stop {
	bool (*cb)(void *); /* NULL: never */
	void *arg;
};

/* Paints items from..to - 1 of a display list, but for those that are plainly
 * outside of the clip. */
void paint_items(struct canvas *, const struct scene *, size_t from, size_t to);

/*
 * A layer of this size whose contents depend on the n bytes at key: true when
 * it must be drawn anew, into *c, which takes its place at layer_end().
 */
bool layer_begin(struct layer *, int32_t width, int32_t height, const void *key,
    size_t n, struct canvas *c);
void layer_end(struct layer *);
/* What is drawn into its dots px. */
void layer_canvas(const struct layer *, uint32_t *px, struct canvas *);
/* Paints a scene on a background and ends.  False: it was stopped, the layer is
 * as before. */
bool layer_paint(struct layer *, struct canvas *, const struct scene *,
    uint32_t background, const struct stop *);
/*
 * Has it ready that this list, which it shows, is painted in other colours
 * (layer_keep), or cannot have it.
 */
bool layer_is_kept(const struct layer *, const struct scene *);
/* Makes it so.  False: it was stopped. */
bool layer_keep(struct layer *, const struct scene *, const struct stop *);
void layer_drop(struct layer *); /* all of it must be drawn anew */
/*
 * damage.c: a canvas that shows one display list becomes one that shows
 * another, by painting only where they differ.  False: they differ in most
 * of the picture, or have polygons; nothing was painted.
 */
bool damage_paint(struct canvas *, const struct scene *was,
    const struct scene *now, uint32_t background);
void layer_show(const struct layer *, struct canvas *, int32_t x, int32_t y);
void layer_free(struct layer *);
/* Fills what lies in a pane and not under the layer shown at x, y in it. */
void draw_around(struct canvas *, const struct rect *pane, const struct layer *,
    int32_t x, int32_t y, uint32_t rgb);

#endif
