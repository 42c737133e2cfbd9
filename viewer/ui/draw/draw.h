/* What the panes are drawn with: text, small widgets, numbers as text. */
#ifndef VIEWER_DRAW_H
#define VIEWER_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raster/canvas.h"

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
/* The same in its middle: what tells names apart is often at their ends. */
void draw_cut_middle(struct canvas *, enum font, int32_t x, int32_t baseline,
    int32_t width, uint32_t rgb, const char *);
/*
 * Who hears each text that is drawn, whole, also where it is cut; x1 is where
 * it ends, right: it was put there by that.  NULL: nobody.  UI thread only.
 */
typedef void draw_heard(void *arg, int32_t x0, int32_t x1, int32_t baseline,
    bool right, const char *text, size_t n);
void draw_listen(draw_heard *, void *arg);
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

bool rect_has(const struct rect *, int32_t x, int32_t y);

/* Numbers as people read them; into buf, which is returned. */
char *format_count(char *buf, size_t n, uint64_t);  /* 1,204 */
char *format_short(char *buf, size_t n, double);    /* 1.24 M */
char *format_span(char *buf, size_t n, int64_t ns); /* 3.2 ms */
/* 12.4309 s: as many digits as a step of step_ns needs */
char *format_time(char *buf, size_t n, int64_t ns, int64_t step_ns);
char *format_date(char *buf, size_t n, int64_t real_ns); /* also the day */
/* 20:22:05.067, from ns since 1970, UTC */
char *format_day(char *buf, size_t n, int64_t real_ns, int64_t step_ns);
char *format_bytes(char *buf, size_t n, uint64_t); /* 212 MB */

#endif
