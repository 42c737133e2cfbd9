/*
 * What a plug-in draws with, in its process: calls become the items, texts and
 * words of an answer.
 */
#ifndef VIEWER_PLUGIN_PEN_H
#define VIEWER_PLUGIN_PEN_H

#include <stdarg.h>

#include "plugin/orrery-plugin.h"
#include "plugin/picture.h"

struct pen {
	struct orrery_pen calls; /* first: a plug-in has this part */
	struct orrery_view view;
	int32_t x, y, width, height; /* the area of the ready ones */
	int32_t scroll, scroll_most;
	struct plug_item *items; /* PLUG_ITEMS_MAX */
	char *text;              /* PLUG_TEXT_MAX */
	char *words;             /* PLUG_WORDS_MAX */
	uint32_t nitems;
	size_t text_bytes, words_bytes;
	char why[PLUG_WHY]; /* the first thing that made no sense; "" */
};

/* -1: out of memory.  The arrays are kept from picture to picture. */
int pen_init(struct pen *);
void pen_begin(struct pen *, const struct orrery_view *, int32_t scroll);
/* The first that makes no sense is kept. */
void pen_wrong(struct pen *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void pen_add(struct pen *, enum plug_kind, int32_t x, int32_t y, int32_t w,
    int32_t h, unsigned colour, const char *text);
void pen_add_text(struct pen *, enum plug_kind, int32_t x, int32_t y,
    int32_t width, unsigned colour, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));
void pen_say(struct orrery_pen *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* pen_ready.c */
void pen_area(struct orrery_pen *, int32_t x, int32_t y, int32_t w, int32_t h);
void pen_bars(struct orrery_pen *, const struct orrery_bar *, size_t n,
    const char *unit);
void pen_curve(struct orrery_pen *, const double *, size_t n, const char *unit,
    unsigned colour);
void pen_kiviat(struct orrery_pen *, const struct orrery_bar *, size_t n,
    double most);

#endif
