/*
 * Cards: where they are, and how they come and go.
 *
 * A card belongs to a run, and is kept in the layout file with that run's
 * identity: when it is seen again, the card is back where it was.
 */
#include "card.h"

#include <inttypes.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

#define GUESS_PX 180 /* high, before it is drawn */
#define GAP_PX   12

/* placing */

void
card_raise(struct ui *ui, unsigned i)
{
	struct card *c = ui->cards.card, top = c[i];

	memmove(&c[i], &c[i + 1], (ui->cards.n - i - 1) * sizeof(*c));
	c[ui->cards.n - 1] = top;
	picture_changed(ui->picture);
}

void
card_close(struct ui *ui, unsigned i)
{
	struct card *c = ui->cards.card;

	ui->cards.n--;
	memmove(&c[i], &c[i + 1], (ui->cards.n - i) * sizeof(*c));
	picture_changed(ui->picture);
}

static bool
is_free(const struct ui *ui, int32_t x, int32_t y)
{
	for (unsigned i = 0; i < ui->cards.n; i++) {
		const struct rect *r = &ui->cards.card[i].at;

		if (x < r->x1 && x + CARD_PX > r->x0 && y < r->y1 &&
		    y + GUESS_PX > r->y0)
			return (false);
	}
	return (true);
}

void
card_clamp(const struct ui *ui, int32_t *x, int32_t *y)
{
	int32_t right = ui->places.width - CARD_PX - 4;
	int32_t bottom = ui->places.pane[PANE_STATUS].y0 - CARD_TITLE_PX;

	*x = *x > right ? right : *x;
	*x = *x < 0 ? 0 : *x;
	*y = *y > bottom ? bottom : *y;
	*y = *y < ui->places.pane[PANE_TOP].y1 ? ui->places.pane[PANE_TOP].y1
					       : *y;
}

/* From the upper right corner of the lanes on, beside those that are there. */
static struct thing_place
find_room(const struct ui *ui)
{
	const struct rect *r = ui->places.pane[PANE_TIME].x1 > 0
				   ? &ui->places.lanes
				   : &ui->places.tree;
	int32_t by = (int32_t)ui->cards.n * CARD_TITLE_PX;
	int32_t x, y;

	for (x = r->x1 - CARD_PX - GAP_PX; x >= r->x0 + GAP_PX;
	     x -= CARD_PX + GAP_PX)
		for (y = r->y0 + GAP_PX; y + GUESS_PX < r->y1;
		     y += CARD_TITLE_PX)
			if (is_free(ui, x, y))
				return ((struct thing_place){ x, y });
	/* one upon the other, each title to be seen */
	x = r->x1 - CARD_PX - GAP_PX - by;
	y = r->y0 + GAP_PX + by;
	card_clamp(ui, &x, &y);
	return ((struct thing_place){ x, y });
}

int
card_add(struct ui *ui, const struct thing *of, const struct thing_place *at)
{
	struct cards *k = &ui->cards;
	struct thing_place room;
	struct card *c;

	for (unsigned i = 0; i < k->n; i++)
		if (thing_same(&k->card[i].of, of)) {
			card_raise(ui, i);
			return (0);
		}
	if (k->n == CARDS_MAX)
		return (-1);
	room = find_room(ui);
	if (at != NULL && is_free(ui, at->x, at->y))
		room = *at;
	c = &k->card[k->n++];
	*c = (struct card){ .of = *of, .x = room.x, .y = room.y };
	c->at = (struct rect){ c->x, c->y, c->x + CARD_PX, c->y + GUESS_PX };
	snprintf(k->run, sizeof(k->run), "%s", ui->feed.run);
	picture_changed(ui->picture);
	return (0);
}

void
card_move(struct ui *ui, int32_t dx, int32_t dy)
{
	struct card *c = &ui->cards.card[ui->cards.n - 1];

	c->x = c->at.x0 + dx;
	c->y = c->at.y0 + dy;
	card_clamp(ui, &c->x, &c->y);
	picture_changed(ui->picture);
}

void
card_drag(struct ui *ui, int32_t x, int32_t y)
{
	struct card *c = &ui->cards.card[ui->cards.n - 1];

	if (ui->cards.n == 0)
		return;
	c->x = x - ui->cards.grip_x;
	c->y = y - ui->cards.grip_y;
	card_clamp(ui, &c->x, &c->y);
	picture_changed(ui->picture);
}

/* runs */

static int
keep_line(struct cards *k, const char *line)
{
	if (strlen(line) >= sizeof(k->kept[0]))
		return (-1);
	if (k->nkept == CARDS_KEPT) { /* the oldest goes */
		memmove(k->kept[0], k->kept[1],
		    (CARDS_KEPT - 1) * sizeof(k->kept[0]));
		k->nkept--;
	}
	snprintf(k->kept[k->nkept++], sizeof(k->kept[0]), "%s", line);
	return (0);
}

/* "RUN X,Y THING"; where the thing's words begin, 0: it is something else. */
static int
read_line(const char *line, char run[40], struct thing_place *at)
{
	int words = 0;

	if (sscanf(line, "%39s %" SCNd32 ",%" SCNd32 " %n", run, &at->x, &at->y,
		&words) != 3 ||
	    at->x < -16384 || at->x > 16384 || at->y < -16384 || at->y > 16384)
		return (0);
	return (line[words] != '\0' ? words : 0);
}

int
card_keep(struct ui *ui, const char *line)
{
	struct thing_place at;
	char run[40];

	return (
	    read_line(line, run, &at) == 0 ? -1 : keep_line(&ui->cards, line));
}

static void
spell_line(const struct ui *ui, const struct card *c, char *buf, size_t n)
{
	char thing[80];

	snprintf(buf, n, "%s %" PRId32 ",%" PRId32 " %s", ui->cards.run, c->x,
	    c->y, thing_spell(ui, &c->of, thing, sizeof(thing)));
}

void
card_save(const struct ui *ui, FILE *f)
{
	char line[sizeof(ui->cards.kept[0])];
	unsigned all = ui->cards.nkept + ui->cards.n;
	unsigned from = all > CARDS_KEPT ? all - CARDS_KEPT : 0;

	for (unsigned i = from; i < ui->cards.nkept; i++)
		fprintf(f, "card %s\n", ui->cards.kept[i]);
	for (unsigned i = 0; i < ui->cards.n && ui->cards.run[0] != '\0'; i++) {
		spell_line(ui, &ui->cards.card[i], line, sizeof(line));
		fprintf(f, "card %s\n", line);
	}
}

void
card_put_away(struct ui *ui)
{
	char line[sizeof(ui->cards.kept[0])];

	for (unsigned i = 0; i < ui->cards.n && ui->cards.run[0] != '\0'; i++) {
		spell_line(ui, &ui->cards.card[i], line, sizeof(line));
		keep_line(&ui->cards, line);
	}
	ui->cards.n = 0;
	if (ui->drag.what == DRAG_CARD)
		ui->drag.what = DRAG_NONE;
}

void
card_arrive(struct ui *ui)
{
	struct cards *k = &ui->cards;
	struct thing_place at;
	struct thing of;
	char run[40];
	int words;

	for (unsigned i = 0; i < k->nkept;) {
		words = read_line(k->kept[i], run, &at);
		if (strcmp(run, ui->feed.run) != 0 ||
		    thing_parse(ui, k->kept[i] + words, &of) == -1 ||
		    card_add(ui, &of, &at) == -1) {
			i++;
			continue;
		}
		/* where it was, also upon others */
		k->card[k->n - 1].x = at.x;
		k->card[k->n - 1].y = at.y;
		k->nkept--;
		memmove(k->kept[i], k->kept[i + 1],
		    (k->nkept - i) * sizeof(k->kept[0]));
	}
}
