/*
 * Keys: from what is pressed to the command that it stands for.
 *
 * A key that is held goes on from frame to frame by the time that has passed,
 * however often the server repeats it: the repetitions mean nothing, so none
 * of them waits behind a frame that takes long.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "ui/commands/command.h"
#include "ui/desk/macro.h"
#include "ui/input/bindings.h"
#include "ui/input/input.h"

/* From then on it is held, and not just pressed. */
#define HOLD_NS ((int64_t)200000000)

/* What these keys do while the tree is the pane that keys are about. */
static const struct {
	const char *key, *command;
} in_tree[] = { { "m", "centre" } };

static const struct binding *
find(const char *key)
{
	const struct binding *b = binding_find(key);
	char lower[2] = { 0 };

	if (b != NULL || strlen(key) != 1)
		return (b);
	lower[0] = (char)tolower((unsigned char)key[0]); /* caps lock */
	return (binding_find(lower));
}

/* What it did; NULL: it was for what is open over the panes, or nothing. */
static const char *
press(struct ui *ui, const char *key, const char *text)
{
	const struct binding *b;
	const char *own, *command;
	char line[MACRO_BODY]; /* what it does may bind the key anew */

	if (menu_press(ui, key) || help_press(ui, key))
		return (NULL);
	if (ui->prompt.kind != 0) {
		prompt_press(ui, key, text);
		return (NULL);
	}
	own = macro_key(ui, key);
	b = own == NULL ? find(key) : NULL;
	if (own == NULL && b == NULL)
		return (NULL);
	if (own != NULL)
		snprintf(line, sizeof(line), "%s", own);
	command = own != NULL ? line : b->command;
	for (size_t i = 0; i < sizeof(in_tree) / sizeof(in_tree[0]); i++)
		if (own == NULL && strcmp(key, in_tree[i].key) == 0 &&
		    command_in_tree(ui))
			command = in_tree[i].command;
	ui->told.message[0] = '\0';
	picture_changed(ui->picture);
	command_run(ui, command);
	return (own != NULL ? NULL : b->command);
}

void
keys_press(struct ui *ui, const char *key, const char *text)
{
	press(ui, key, text);
}

void
keys_down(struct ui *ui, unsigned code, const char *key, const char *text)
{
	const char *did;

	if (ui->held.key != NULL && code == ui->held.code)
		return; /* a repetition */
	did = press(ui, key, text);
	ui->held.key = did != NULL ? binding_hold(did) : NULL;
	if (ui->held.key == NULL)
		return;
	if (ui->held.key->what == HOLD_SCROLL &&
	    ui->places.focus >= PANE_LEFT && ui->places.focus <= PANE_DOCK)
		ui->held.key = NULL; /* row by row */
	ui->held.code = code;
	ui->held.ns = 0;
}

bool
keys_held(const struct ui *ui)
{
	return (ui->held.key != NULL && ui->held.ns >= HOLD_NS);
}

void
keys_up(struct ui *ui, unsigned code)
{
	if (code != 0 && code != ui->held.code)
		return;
	if (keys_held(ui)) /* now as it is when it stands still */
		picture_changed(ui->picture);
	ui->held.key = NULL;
}

void
keys_advance(struct ui *ui, int64_t ns)
{
	const struct hold *h = ui->held.key;
	char line[64];
	double by;

	if (h == NULL)
		return;
	ui->held.ns += ns;
	if (!keys_held(ui))
		return;
	by = h->rate * (double)ns / 1e9;
	if (h->what == HOLD_ZOOM)
		by = fmax(pow(h->rate, (double)ns / 1e9), 1.001);
	snprintf(line, sizeof(line), "%.*s %.6f", (int)strcspn(h->command, " "),
	    h->command, by);
	command_run(ui, line);
}
