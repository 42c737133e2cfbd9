/* What the panes are drawn with: text, small widgets, scenes, kept layers. */
#ifndef VIEWER_DRAW_H
#define VIEWER_DRAW_H

#include "ui/ui.h"

/* printf at a baseline; return the x behind the text. */
int32_t draw_text(struct canvas *, enum font, int32_t x, int32_t baseline,
    uint32_t rgb, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
int32_t draw_right(struct canvas *, enum font, int32_t x, int32_t baseline,
    uint32_t rgb, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
int32_t draw_centre(struct canvas *, enum font, int32_t x, int32_t baseline,
    uint32_t rgb, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* Cut with "..." when it is wider than width. */
void draw_cut(struct canvas *, enum font, int32_t x, int32_t baseline,
    int32_t width, uint32_t rgb, const char *);
/* How much of a text a line of that width takes; 0: nothing is left. */
size_t draw_line_end(enum font, const char *, int32_t width);
void draw_frame(struct canvas *, const struct rect *, uint32_t rgb);
enum triangle {
	TRIANGLE_RIGHT,
	TRIANGLE_DOWN,
	TRIANGLE_LEFT
};
void draw_triangle(struct canvas *, enum triangle, int32_t x, int32_t y,
    int32_t size, uint32_t rgb); /* x, y: its middle */

/* Makes a place clickable. */
void spot_add(struct ui *, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/*
 * What the box beside the pointer says while it is in this place, a line each
 * after '\n'.  The last one counts.
 */
void hint_add(struct ui *, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* It is there: worth finding words. */
bool hint_wanted(const struct ui *, int32_t x0, int32_t y0, int32_t x1,
    int32_t y1);

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
bool layer_paint(struct ui *, struct layer *, struct canvas *,
    const struct scene *, uint32_t background);
/*
 * Has it ready that this list, which it shows, is painted in other colours
 * (layer_keep), or cannot have it.
 */
bool layer_is_kept(const struct layer *, const struct scene *);
/* Makes it so.  False: it was stopped. */
bool layer_keep(struct ui *, struct layer *, const struct scene *);
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

/* Something more urgent has come than the frame that is being prepared. */
bool draw_stopped(const struct ui *);

/*
 * Number of events as a layer sees it: in a hasty frame what it has seen
 * already, so that only what the user has changed is drawn anew.
 */
static inline uint64_t
layer_events(const struct ui *ui, uint64_t seen)
{
	return (ui->hasty ? seen : model_events(ui->model));
}

/*
 * health.c: how far a node can be relied on.  A rank is 0 when all is well;
 * texts go into buf, with the colour that says how bad it is.
 */
/* How a node is, or was at the instant of the playback. */
void health_of(const struct ui *, uint32_t node, struct node_health *);
unsigned health_rank(const struct node_health *);
/* "locked ±180 ns" */
char *health_clock(const struct ui *, const struct node_health *, uint32_t *rgb,
    char *buf, size_t n);
/* What a node's name must not stand without; false: nothing. */
bool health_badge(const struct ui *, const struct node_health *, uint32_t *rgb,
    char *buf, size_t n);
/* Of a time of doubt: title into buf; returns what it means. */
const char *health_doubt(const struct ui *, const struct doubt *, uint32_t *rgb,
    char *buf, size_t n);
/* A line on how a node is, and one for each time of doubt. */
void health_describe(const struct ui *, uint32_t node, FILE *);
/* The times of doubt of all nodes, on their rows. */
void health_draw(struct ui *, struct canvas *);
/* The one at this place of a node's row; false: there is none. */
bool health_under(const struct ui *, uint32_t lane, int64_t t_mon_ns,
    struct doubt *);

/* summary.c: where details have been given up. */
void summary_draw(struct ui *, struct canvas *);

/* The run goes on: what is dear to draw need not follow each event. */
static inline bool
run_grows(const struct ui *ui)
{
	return (
	    (ui->feed.live || ui->feed.reading) && !model_finished(ui->model));
}

bool rect_has(const struct rect *, int32_t x, int32_t y);

/* Numbers as people read them; into buf, which is returned. */
char *format_count(char *buf, size_t n, uint64_t);  /* 1,204 */
char *format_short(char *buf, size_t n, double);    /* 1.24 M */
char *format_span(char *buf, size_t n, int64_t ns); /* 3.2 ms */
/* 12.4309 s: as many digits as a step of step_ns needs */
char *format_time(char *buf, size_t n, int64_t ns, int64_t step_ns);
char *format_bytes(char *buf, size_t n, uint64_t); /* 212 MB */

#endif
