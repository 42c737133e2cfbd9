/*
 * Takes what the plug-in draws.
 *
 * What is outside of the view is brought to its edge, what cannot
 * be printed is written as \xNN; too much, or a colour that there is not, is
 * an error of the whole picture.
 */
#include "plugin/host/pen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

#define TEXT_BYTES 1024 /* of one text, at most */

void
pen_wrong(struct pen *p, const char *fmt, ...)
{
	char said[PLUG_WHY];
	va_list ap;

	if (p->why[0] != '\0')
		return;
	va_start(ap, fmt);
	vsnprintf(said, sizeof(said), fmt, ap);
	va_end(ap);
	plain(p->why, sizeof(p->why), said, strlen(said));
}

static int32_t
near(int32_t px)
{
	return (px < -PLUG_PX_MAX  ? -PLUG_PX_MAX
		: px > PLUG_PX_MAX ? PLUG_PX_MAX
				   : px);
}

/* Of a rectangle the end, not the size, is brought near. */
static int32_t
size(int32_t x, int32_t w)
{
	int64_t end = (int64_t)x + (w > 0 ? w : 0);

	return (
	    near((int32_t)(end > PLUG_PX_MAX ? PLUG_PX_MAX : end)) - near(x));
}

void
pen_add(struct pen *p, enum plug_kind kind, int32_t x, int32_t y, int32_t w,
    int32_t h, unsigned colour, const char *text)
{
	bool sized = kind == PLUG_RECT || kind == PLUG_BUTTON;
	struct plug_item *i;
	size_t room = PLUG_TEXT_MAX - p->text_bytes;

	if (colour >= PLUG_COLOURS)
		pen_wrong(p, "it wants colour %u, and there are %d", colour,
		    PLUG_COLOURS);
	else if (p->nitems == PLUG_ITEMS_MAX || room < PLAIN_BYTES(TEXT_BYTES))
		pen_wrong(p, "it draws more than %d things, or too much text",
		    PLUG_ITEMS_MAX);
	if (p->why[0] != '\0')
		return;
	i = &p->items[p->nitems++];
	*i = (struct plug_item){ near(x), near(y), near(sized ? size(x, w) : w),
		near(sized ? size(y, h) : h), (uint32_t)p->text_bytes, 0,
		(uint16_t)colour, (uint16_t)kind };
	if (text == NULL)
		return;
	i->text_n = (uint32_t)plain(p->text + p->text_bytes, room, text,
	    strnlen(text, TEXT_BYTES));
	p->text_bytes += i->text_n;
}

static void
put(struct pen *p, enum plug_kind kind, int32_t x, int32_t y, int32_t width,
    unsigned colour, const char *fmt, va_list ap)
{
	char said[TEXT_BYTES];

	if (vsnprintf(said, sizeof(said), fmt, ap) >= 0)
		pen_add(p, kind, x, y, width, 0, colour, said);
}

void
pen_add_text(struct pen *p, enum plug_kind kind, int32_t x, int32_t y,
    int32_t width, unsigned colour, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(p, kind, x, y, width, colour, fmt, ap);
	va_end(ap);
}

void
pen_say(struct orrery_pen *pen, const char *fmt, ...)
{
	struct pen *p = (struct pen *)pen;
	size_t room = PLUG_WORDS_MAX - p->words_bytes;
	char said[TEXT_BYTES];
	va_list ap;

	if (room < PLAIN_BYTES(TEXT_BYTES) + 1)
		return; /* of what is said without end */
	va_start(ap, fmt);
	if (vsnprintf(said, sizeof(said), fmt, ap) < 0)
		said[0] = '\0';
	va_end(ap);
	p->words_bytes +=
	    plain(p->words + p->words_bytes, room, said, strlen(said));
	p->words[p->words_bytes++] = '\n';
}

static void
draw_rect(struct orrery_pen *pen, int32_t x, int32_t y, int32_t w, int32_t h,
    unsigned colour)
{
	pen_add((struct pen *)pen, PLUG_RECT, x, y, w, h, colour, NULL);
}

static void
draw_line(struct orrery_pen *pen, int32_t x0, int32_t y0, int32_t x1,
    int32_t y1, unsigned colour)
{
	pen_add((struct pen *)pen, PLUG_LINE, x0, y0, x1, y1, colour, NULL);
}

static void __attribute__((format(printf, 5, 6)))
draw_text(struct orrery_pen *pen, int32_t x, int32_t y, unsigned colour,
    const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put((struct pen *)pen, PLUG_TEXT, x, y, 0, colour, fmt, ap);
	va_end(ap);
}

static void __attribute__((format(printf, 5, 6)))
draw_text_right(struct orrery_pen *pen, int32_t x, int32_t y, unsigned colour,
    const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put((struct pen *)pen, PLUG_TEXT_RIGHT, x, y, 0, colour, fmt, ap);
	va_end(ap);
}

static void
draw_button(struct orrery_pen *pen, int32_t x, int32_t y, int32_t w, int32_t h,
    const char *word)
{
	struct pen *p = (struct pen *)pen;

	if (word == NULL || word[0] == '\0' || strlen(word) >= PLUG_SAID / 4)
		pen_wrong(p, "a word of a button has 1 to %d bytes",
		    PLUG_SAID / 4 - 1);
	pen_add(p, PLUG_BUTTON, x, y, w, h, ORRERY_TEXT, word);
}

int
pen_init(struct pen *p)
{
	memset(p, 0, sizeof(*p));
	p->calls = (struct orrery_pen){ draw_rect, draw_line, draw_text,
		draw_text_right, draw_button, pen_say, pen_area, pen_bars,
		pen_curve, pen_kiviat };
	p->items = calloc(PLUG_ITEMS_MAX, sizeof(*p->items));
	p->text = malloc(PLUG_TEXT_MAX);
	p->words = malloc(PLUG_WORDS_MAX);
	return (
	    p->items != NULL && p->text != NULL && p->words != NULL ? 0 : -1);
}

void
pen_begin(struct pen *p, const struct orrery_view *v, int32_t scroll)
{
	p->view = *v;
	p->x = p->y = 0;
	p->width = v->width;
	p->height = v->height;
	p->scroll = scroll;
	p->scroll_most = 0;
	p->nitems = 0;
	p->text_bytes = p->words_bytes = 0;
	p->why[0] = '\0';
}
