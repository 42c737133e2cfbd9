/* Commands of cards: details that stay in sight (card.c). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/views/details/card.h"

/* "[X,Y] [THING]"; without a thing: of what is selected. */
static int
card(struct ui *ui, const char *arg)
{
	struct thing_place at, *where = NULL;
	struct thing of;
	int n = 0;

	if (sscanf(arg, "%" SCNd32 ",%" SCNd32 " %n", &at.x, &at.y, &n) == 2) {
		if (abs(at.x) > 16384 || abs(at.y) > 16384)
			return (desk_fail(ui, "card: there is no such place"));
		where = &at;
		arg += n;
	}
	if (arg[0] == '\0')
		thing_selected(ui, &of);
	else if (thing_parse(ui, arg, &of) == -1)
		return (desk_fail(ui,
		    "there is no such thing; a card is of " THING_SPELLING));
	if (of.kind == THING_RUN)
		return (desk_fail(ui, "select something to make a card of"));
	if (card_add(ui, &of, where) == -1)
		return (desk_fail(ui, "%d cards are enough", CARDS_MAX));
	return (0);
}

/* Of the n-th from below, which comes to the top; without a number: the top. */
static int
to_top(struct ui *ui, const char *arg)
{
	uint64_t n = ui->cards.n;

	if (ui->cards.n == 0)
		return (desk_fail(ui, "there are no cards"));
	if (arg[0] != '\0' &&
	    (parse_number(arg, &n) == -1 || n < 1 || n > ui->cards.n))
		return (desk_fail(ui, "there is no card %s", arg));
	card_raise(ui, (unsigned)n - 1);
	return (0);
}

static int
card_close_(struct ui *ui, const char *arg)
{
	if (strcmp(arg, "all") == 0) {
		while (ui->cards.n > 0)
			card_close(ui, ui->cards.n - 1);
		return (0);
	}
	if (to_top(ui, arg) == -1)
		return (-1);
	card_close(ui, ui->cards.n - 1);
	return (0);
}

static int
card_select(struct ui *ui, const char *arg)
{
	if (to_top(ui, arg) == -1)
		return (-1);
	thing_select(ui, &ui->cards.card[ui->cards.n - 1].of);
	return (0);
}

static int
card_next(struct ui *ui, const char *arg)
{
	(void)arg;
	return (card_select(ui, ui->cards.n > 0 ? "1" : ""));
}

static int
card_show(struct ui *ui, const char *arg)
{
	struct thing of;

	if (to_top(ui, arg) == -1)
		return (-1);
	of = ui->cards.card[ui->cards.n - 1].of;
	history_add(ui, 0);
	thing_show(ui, &of);
	return (0);
}

static int
card_move_(struct ui *ui, const char *arg)
{
	int32_t dx, dy;

	if (sscanf(arg, "%" SCNd32 " %" SCNd32, &dx, &dy) != 2 ||
	    abs(dx) > 16384 || abs(dy) > 16384)
		return (desk_fail(ui,
		    "card-move wants two numbers of pixels, as in: -40 0"));
	if (ui->cards.n == 0)
		return (desk_fail(ui, "there are no cards"));
	card_move(ui, dx, dy);
	return (0);
}

const struct command command_card[] = {
	{ "card", "[X,Y] [THING]",
	    "keeps details in sight: of what is selected, or of a task, row, "
	    "span, link or mark",
	    card },
	{ "card-close", "[N|all]", "closes the topmost card, the Nth or all",
	    card_close_ },
	{ "card-select", "[N]", "selects what a card is of, in all views",
	    card_select },
	{ "card-next", "", "the lowest card comes to the top and is selected",
	    card_next },
	{ "card-show", "[N]", "goes to where what a card is of can be seen",
	    card_show },
	{ "card-move", "DX DY", "moves the topmost card by so many pixels",
	    card_move_ },
	{ 0 },
};
