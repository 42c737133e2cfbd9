/*
 * Cards: details of things that stay in sight over the views, several at once,
 * while something else is selected.
 *
 * UI thread only.
 */
#ifndef VIEWER_CARD_H
#define VIEWER_CARD_H

#include "ui/things/thing.h"

#define CARD_PX       272 /* wide */
#define CARD_TITLE_PX 22
#define CARD_CLOSE_PX 22 /* at the end of the title */

/*
 * A card of it, on top; one that there is already comes to the top.  at NULL:
 * where there is room.  -1: there are too many.
 */
int card_add(struct ui *, const struct thing *, const struct thing_place *at);
void card_close(struct ui *, unsigned i);
void card_raise(struct ui *, unsigned i); /* it is the last one now */
void card_move(struct ui *, int32_t dx, int32_t dy); /* the topmost, px */
/* The title stays in the window, whatever its size. */
void card_clamp(const struct ui *, int32_t *x, int32_t *y);
/* Brings those that belong to this run and are known by now. */
void card_arrive(struct ui *);
/* Another run begins: they are kept for when this one is seen again. */
void card_put_away(struct ui *);

void card_drag(struct ui *, int32_t x, int32_t y);

/* What cards are drawn with; px of the window. */
struct card_pen {
	void (*fill)(void *arg, const struct rect *, uint32_t rgb);
	void (*frame)(void *arg, const struct rect *, uint32_t rgb);
	/* no wider than so much */
	void (*text)(void *arg, enum font, int32_t x, int32_t y, int32_t width,
	    uint32_t rgb, const char *);
	/* a line to where it is, with a ring there */
	void (*leader)(void *arg, int32_t x0, int32_t y0, int32_t x1,
	    int32_t y1, uint32_t rgb, uint8_t alpha);
	void *arg;
};
#define CARD_RING_PX 7 /* radius of that */
void card_pen(struct ui *, const struct card_pen *);
void card_draw(struct ui *, struct canvas *);
/* As they were drawn: one of them, or a line to what it is of, is in there. */
bool card_touches(const struct ui *, const struct rect *);
void card_describe(struct ui *, FILE *);

/* Lines of the layout file, without their first word.  -1: not one of them. */
int card_keep(struct ui *, const char *line);
void card_save(const struct ui *, FILE *);

#endif
