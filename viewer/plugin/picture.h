/*
 * What goes between the viewer and the process that holds a plug-in: it asks
 * for a picture, the answer is one.  Nothing that comes is believed: a plug-in
 * shares its memory with who writes the answer.
 *
 * The two are the same program, so these are its structs as they are.
 */
#ifndef VIEWER_PLUGIN_PICTURE_H
#define VIEWER_PLUGIN_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLUGINS_MAX     4
#define PLUG_MAGIC      0x676c5072u
#define PLUG_ITEMS_MAX  16384
#define PLUG_TEXT_MAX   ((size_t)1 << 20)
#define PLUG_WORDS_MAX  ((size_t)256 << 10)
#define PLUG_NAME       32 /* bytes with their end */
#define PLUG_WHY        200
#define PLUG_SAID       64
#define PLUG_PX_MAX     32000 /* a coordinate is within +- this */
#define PLUG_COLOURS    272
#define PLUG_SIZE_MAX   16384 /* px, of a view */
#define PLUG_SCROLL_MAX 1000000
#define PLUG_FILL_MAX   ((int64_t)1 << 27) /* px of all rectangles, at least */

struct plug_ask {
	uint32_t magic, seq;
	int32_t width, height, scroll;
	uint32_t pad;
	int64_t t0_mon_ns, t1_mon_ns;
	char said[PLUG_SAID]; /* "": nothing */
};

enum plug_kind {
	PLUG_RECT,       /* w, h: its size */
	PLUG_LINE,       /* w, h: its other end */
	PLUG_TEXT,       /* baseline; w: at most so wide, 0: as it is */
	PLUG_TEXT_RIGHT, /* the same, ends at x */
	PLUG_BUTTON,     /* a place; its text is what a click says */
	PLUG_KINDS
};

struct plug_item {
	int32_t x, y, w, h;
	uint32_t text, text_n; /* bytes in the texts */
	uint16_t colour;
	uint16_t kind;
};

/* Before the items, the texts and the lines of words. */
struct plug_reply {
	uint32_t magic, seq; /* of what was asked */
	uint32_t items, text_bytes, words_bytes;
	int32_t scroll_most; /* rows that can be scrolled */
	uint64_t events;
	uint32_t permille;  /* of the log, read; 1000: all that there is */
	uint32_t over;      /* it will not answer again: why says why */
	char why[PLUG_WHY]; /* "", or why there is no picture */
	char name[PLUG_NAME];
	char about[PLUG_WHY];
};

struct plug_picture {
	struct plug_reply head;
	struct plug_item *items;
	char *text;  /* not terminated */
	char *words; /* whole lines, terminated */
};

/* What is wrong with the head of an answer to seq, in words; NULL: nothing. */
const char *plug_head_wrong(const struct plug_reply *, uint32_t seq);
/* So many bytes follow it; the head is right. */
size_t plug_body_bytes(const struct plug_reply *);
/*
 * Makes a picture of an answer, which replaces *p.  What is wrong with it, in
 * words, and then *p is as it was; NULL: nothing.
 */
const char *plug_picture_take(struct plug_picture *p, const struct plug_reply *,
    const void *body);
/*
 * In a view of this size, px, it would hold up the window: it fills more than
 * PLUG_FILL_MAX and four times the view.  In words; NULL: it would not.
 */
const char *plug_picture_heavy(const struct plug_picture *, int32_t width,
    int32_t height);
void plug_picture_clear(struct plug_picture *);
/* The same of what is asked. */
bool plug_ask_right(const struct plug_ask *);

#endif
