/* Words that can be clicked, and signs, in one or more lines. */
#include "ui/views/words.h"

#include <string.h>

#include "model/model.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

#define PAD_PX  6
#define GAP_PX  14
#define SIGN_PX 8

void
words_begin(struct words *w, const struct rect *r)
{
	*w = (struct words){ r->x0, r->x1, r->x0, r->y0 + 12 };
}

/* The next line, if so much does not fit into this one. */
static int32_t
place(struct words *w, int32_t px)
{
	int32_t x;

	if (w->x > w->x0 && w->x + px > w->x1) {
		w->x = w->x0;
		w->baseline += WORDS_PX;
	}
	x = w->x;
	w->x += px;
	return (x);
}

void
words_say(struct ui *ui, struct canvas *c, struct words *w, const char *text)
{
	int32_t px = text_width(FONT_SMALL, text, strlen(text));
	int32_t x = place(w, px + GAP_PX / 2);

	draw_text(c, FONT_SMALL, x, w->baseline, ui->palette->dim, "%s", text);
}

void
words_together(struct words *w, const char *a, const char *b)
{
	int32_t px = text_width(FONT_SMALL, a, strlen(a)) +
		     text_width(FONT_SMALL, b, strlen(b)) + 4 * PAD_PX;

	if (w->x > w->x0 && w->x + px > w->x1) {
		w->x = w->x0;
		w->baseline += WORDS_PX;
	}
}

void
words_choice(struct ui *ui, struct canvas *c, struct words *w, const char *text,
    bool on, const char *command)
{
	const struct palette *p = ui->palette;
	int32_t px = text_width(FONT_SMALL, text, strlen(text)) + 2 * PAD_PX;
	int32_t x = place(w, px), y = w->baseline;

	if (on)
		canvas_fill(c, x, y - 12, x + px, y + 5,
		    palette_mix(p->background, p->accent, 60));
	draw_text(c, FONT_SMALL, x + PAD_PX, y, on ? p->text : p->dim, "%s",
	    text);
	spot_add(ui, x, y - 13, x + px, y + 5, "%s", command);
}

void
words_sign(struct ui *ui, struct canvas *c, struct words *w, uint32_t rgb,
    bool waits, const char *text)
{
	int32_t px = text_width(FONT_SMALL, text, strlen(text));
	int32_t x = place(w, SIGN_PX + 5 + px + GAP_PX), y = w->baseline;

	if (waits)
		canvas_hatch(c, x, y - SIGN_PX, x + SIGN_PX, y, rgb,
		    palette_mix(rgb, ui->palette->background, 110));
	else
		canvas_fill(c, x, y - SIGN_PX, x + SIGN_PX, y, rgb);
	draw_text(c, FONT_SMALL, x + SIGN_PX + 5, y, ui->palette->dim, "%s",
	    text);
}

int32_t
words_end(const struct words *w)
{
	return (w->baseline + WORDS_PX - 10);
}

const char *
words_when(const struct ui *ui)
{
	return (model_events(ui->model) > 0 && !figures_whole(ui)
		    ? "in this time"
		: model_finished(ui->model) ? "in this run"
					    : "so far");
}

int32_t
words_empty(struct ui *ui, struct canvas *c, const struct rect *r,
    const char *why, const char *how)
{
	const struct palette *p = ui->palette;
	int32_t y = r->y0 + 16;
	const char *end;

	draw_cut(c, FONT_SMALL, r->x0, y, r->x1 - r->x0, p->text, why);
	for (y += 18; *how != '\0'; y += 16) {
		char line[160];

		end = strchr(how, '\n');
		snprintf(line, sizeof(line), "%.*s",
		    (int)(end == NULL ? strlen(how) : (size_t)(end - how)),
		    how);
		draw_cut(c, FONT_SMALL, r->x0, y, r->x1 - r->x0, p->dim, line);
		how = end == NULL ? "" : end + 1;
	}
	return (y);
}
