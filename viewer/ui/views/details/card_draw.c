/*
 * Cards as they are drawn: a title to move them by, what is known of the thing,
 * when it was in the run, and thin lines to where it is in sight.
 */
#include <inttypes.h>
#include <string.h>

#include "card.h"
#include "sheet.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/view.h"

#define ROW_PX    15
#define ROWS_MAX  22
#define LABEL_PX  80
#define BAR_PX    5
#define LOW_ALPHA 90
#define TOP_ALPHA 200

/* What a sheet says, before it is known how high the card is. */
struct lines {
	struct sheet s; /* first */
	char title[96];
	uint32_t title_rgb;
	struct line {
		const char *label; /* NULL: words, over the whole width */
		uint32_t rgb;
		char value[96];
	} line[ROWS_MAX];
	int n;
};

static void
take_title(struct sheet *s, uint32_t rgb, const char *title)
{
	struct lines *k = (struct lines *)s;

	snprintf(k->title, sizeof(k->title), "%s", title);
	k->title_rgb = rgb;
}

/* Over as many lines as it needs. */
static void
take_lines(struct lines *k, const char *label, uint32_t rgb, const char *words,
    int32_t width)
{
	struct line *l;
	size_t n;

	while (*words != '\0' && k->n < ROWS_MAX) {
		l = &k->line[k->n++];
		l->label = label;
		l->rgb = rgb;
		n = draw_line_end(FONT_SMALL, words, width);
		snprintf(l->value, sizeof(l->value), "%.*s", (int)n, words);
		words += n;
		words += strspn(words, " ");
		label = label != NULL ? "" : NULL;
	}
}

static void
take_row(struct sheet *s, const char *label, uint32_t rgb, const char *value)
{
	take_lines((struct lines *)s, label, rgb, value,
	    CARD_PX - LABEL_PX - 22);
}

static void
take_words(struct sheet *s, const char *words)
{
	take_lines((struct lines *)s, NULL, s->ui->palette->text, words,
	    CARD_PX - 22);
}

static void
read_card(struct ui *ui, struct card *c, struct lines *k)
{
	memset(k, 0, sizeof(*k));
	k->s = (struct sheet){ ui, false, take_title, take_row, take_words };
	k->title_rgb = ui->palette->text;
	if (thing_refresh(ui, &c->of)) {
		sheet_write(&k->s, &c->of);
		snprintf(c->title, sizeof(c->title), "%s", k->title);
		return;
	}
	take_title(&k->s, ui->palette->dim,
	    c->title[0] != '\0' ? c->title : "not known");
	take_words(&k->s,
	    c->of.kind == THING_PATH
		? "Not in the tree that is shown: see tree-of calls."
		: "What was known of it has been given up for want of memory.");
}

/* lines to where it is */

static int32_t
nearest(int32_t v, int32_t lo, int32_t hi)
{
	return (v < lo ? lo : v > hi ? hi : v);
}

static void
draw_leader(struct ui *ui, const struct card_pen *p, const struct card *k,
    bool top)
{
	struct thing_place at[THING_PLACES];
	int n = thing_places(ui, &k->of, at);
	uint32_t rgb = thing_rgb(ui, &k->of);
	uint8_t alpha = top ? TOP_ALPHA : LOW_ALPHA;

	for (int i = 0; i < n; i++) {
		if (rect_has(&k->at, at[i].x, at[i].y))
			continue;
		p->leader(p->arg, nearest(at[i].x, k->at.x0 + 2, k->at.x1 - 2),
		    nearest(at[i].y, k->at.y0 + 2, k->at.y1 - 2), at[i].x,
		    at[i].y, rgb, alpha);
	}
}

static bool
overlap(const struct rect *a, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
	return (a->x0 < x1 && a->x1 > x0 && a->y0 < y1 && a->y1 > y0);
}

bool
card_touches(const struct ui *ui, const struct rect *r)
{
	struct thing_place at[THING_PLACES];
	int n;

	for (unsigned i = 0; i < ui->cards.n; i++) {
		const struct card *k = &ui->cards.card[i];

		if (overlap(r, k->at.x0, k->at.y0, k->at.x1, k->at.y1))
			return (true);
		n = thing_places(ui, &k->of, at);
		while (n-- > 0) {
			int32_t x0 = k->at.x0 < at[n].x ? k->at.x0 : at[n].x;
			int32_t y0 = k->at.y0 < at[n].y ? k->at.y0 : at[n].y;
			int32_t x1 = k->at.x1 > at[n].x ? k->at.x1 : at[n].x;
			int32_t y1 = k->at.y1 > at[n].y ? k->at.y1 : at[n].y;

			if (overlap(r, x0 - 2 * CARD_RING_PX,
				y0 - 2 * CARD_RING_PX, x1 + 2 * CARD_RING_PX,
				y1 + 2 * CARD_RING_PX))
				return (true);
		}
	}
	return (false);
}

/* Where it lies in the run. */
static void
draw_bar(struct ui *ui, const struct card_pen *p, const struct card *k)
{
	const struct rect *r = &k->at;
	int64_t first = run_begin(ui), last = run_end(ui), t0, t1;
	int32_t x = r->x0 + 10, w = CARD_PX - 20, y = r->y1 - BAR_PX - 6, a, b;

	if (!thing_times(ui, &k->of, &t0, &t1))
		return;
	p->fill(p->arg, &(struct rect){ x, y, x + w, y + BAR_PX },
	    ui->palette->line);
	a = (int32_t)((double)(t0 - first) / (double)(last - first) * w);
	b = (int32_t)((double)(t1 - first) / (double)(last - first) * w);
	a = nearest(a, 0, w - 2);
	b = nearest(b, a + 2, w);
	p->fill(p->arg, &(struct rect){ x + a, y, x + b, y + BAR_PX },
	    thing_rgb(ui, &k->of));
}

static void
draw_title(struct ui *ui, const struct card_pen *c, const struct card *k,
    const struct lines *l, bool selected)
{
	const struct palette *p = ui->palette;
	const struct rect *r = &k->at;
	struct rect x = { r->x1 - CARD_CLOSE_PX, r->y0, r->x1,
		r->y0 + CARD_TITLE_PX };
	bool on = ui->mouse.in && rect_has(&x, ui->mouse.x, ui->mouse.y);

	c->fill(c->arg,
	    &(struct rect){ r->x0, r->y0, r->x1, r->y0 + CARD_TITLE_PX },
	    palette_mix(p->panel, selected ? p->accent : p->text,
		selected ? 50 : 20));
	c->fill(c->arg, &(struct rect){ r->x0, r->y0, r->x0 + 4, r->y1 },
	    thing_rgb(ui, &k->of));
	c->text(c->arg, FONT_BOLD, r->x0 + 12, r->y0 + 16,
	    CARD_PX - 14 - CARD_CLOSE_PX, l->title_rgb, l->title);
	c->text(c->arg, FONT_BOLD, r->x1 - CARD_CLOSE_PX + 7, r->y0 + 16,
	    CARD_CLOSE_PX, on ? p->accent : p->dim, "×");
}

static void
draw_one(struct ui *ui, const struct card_pen *c, struct card *k,
    const struct lines *l, bool selected, bool top)
{
	const struct palette *p = ui->palette;
	int32_t y = k->at.y0 + CARD_TITLE_PX + 14;

	c->fill(c->arg, &k->at, p->panel);
	draw_title(ui, c, k, l, selected);
	c->frame(c->arg, &k->at,
	    selected ? p->accent
	    : top    ? p->dim
		     : p->faint);
	for (int i = 0; i < l->n; i++, y += ROW_PX) {
		const struct line *n = &l->line[i];
		int32_t x = k->at.x0 + 12;

		if (n->label != NULL) {
			c->text(c->arg, FONT_SMALL, x, y, LABEL_PX - 6, p->dim,
			    n->label);
			x += LABEL_PX;
		}
		c->text(c->arg, FONT_SMALL, x, y, k->at.x1 - 8 - x, n->rgb,
		    n->value);
	}
	draw_bar(ui, c, k);
}

static void
place(struct ui *ui, struct card *k, int rows)
{
	int32_t x = k->x, y = k->y;
	int32_t h = CARD_TITLE_PX + rows * ROW_PX + BAR_PX + 14;

	card_clamp(ui, &x, &y);
	k->at = (struct rect){ x, y, x + CARD_PX, y + h };
}

void
card_pen(struct ui *ui, const struct card_pen *p)
{
	struct cards *k = &ui->cards;
	struct thing selected;
	struct lines l[CARDS_MAX];

	if (k->n == 0 || ui->places.only != PANES)
		return;
	thing_selected(ui, &selected);
	for (unsigned i = 0; i < k->n; i++) {
		read_card(ui, &k->card[i], &l[i]);
		place(ui, &k->card[i], l[i].n);
		draw_leader(ui, p, &k->card[i], i + 1 == k->n);
	}
	for (unsigned i = 0; i < k->n; i++)
		draw_one(ui, p, &k->card[i], &l[i],
		    thing_same(&k->card[i].of, &selected), i + 1 == k->n);
}

/* the canvas */

static void
put_fill(void *arg, const struct rect *r, uint32_t rgb)
{
	canvas_fill(arg, r->x0, r->y0, r->x1, r->y1, rgb);
}

static void
put_frame(void *arg, const struct rect *r, uint32_t rgb)
{
	draw_frame(arg, r, rgb);
}

static void
put_text(void *arg, enum font font, int32_t x, int32_t y, int32_t width,
    uint32_t rgb, const char *s)
{
	draw_cut(arg, font, x, y, width, rgb, s);
}

static void
put_leader(void *arg, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
    uint32_t rgb, uint8_t alpha)
{
	canvas_line_aa(arg, x0 * 16 + 8, y0 * 16 + 8, x1 * 16 + 8, y1 * 16 + 8,
	    14, rgb, alpha);
	canvas_circle(arg, x1 * 16 + 8, y1 * 16 + 8, CARD_RING_PX * 16, 20, rgb,
	    255);
}

void
card_draw(struct ui *ui, struct canvas *c)
{
	struct card_pen p = { put_fill, put_frame, put_text, put_leader, c };

	card_pen(ui, &p);
}

void
card_describe(struct ui *ui, FILE *f)
{
	struct lines l;
	char thing[80];

	if (ui->cards.n > 0)
		fprintf(f, "cards: %u\n", ui->cards.n);
	for (unsigned i = 0; i < ui->cards.n; i++) {
		struct card *k = &ui->cards.card[i];

		read_card(ui, k, &l);
		fprintf(f, "  %s at %" PRId32 ",%" PRId32 ": %s\n",
		    thing_spell(ui, &k->of, thing, sizeof(thing)), k->at.x0,
		    k->at.y0, l.title);
		for (int n = 0; n < l.n; n++)
			fprintf(f, "    %s%s%s\n",
			    l.line[n].label != NULL ? l.line[n].label : "",
			    l.line[n].label != NULL &&
				    l.line[n].label[0] != '\0'
				? ": "
				: "",
			    l.line[n].value);
	}
}
