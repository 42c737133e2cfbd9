/*
 * What the user does, from the window to the panes, and what of it is a reason
 * to give up the frame that is being drawn.
 */
#include "app/app_inside.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "ui/input/input.h"

/* To pixels of ours. */
static int32_t
unscaled(const struct app *a, int32_t v)
{
	int64_t q = (int64_t)v * CANVAS_SCALE_ONE;

	return ((int32_t)(q >= 0 ? q / a->scale_q
				 : -((-q + a->scale_q - 1) / a->scale_q)));
}

void
app_offer(struct app *a)
{
	struct ui *ui = a->ui;

	if (ui->desks->host.offer != OFFER_NONE && a->window != NULL &&
	    ui->desks->host.copied != NULL)
		window_offer(a->window, ui->desks->host.copied,
		    ui->desks->host.offer == OFFER_BOTH);
	ui->desks->host.offer = OFFER_NONE;
}

static void
take_event(struct app *a, const struct window_event *in)
{
	struct window_event scaled = *in, *e = &scaled;
	struct ui *ui = a->ui;

	if (e->type != WINDOW_RESIZE) {
		e->x = unscaled(a, e->x);
		e->y = unscaled(a, e->y);
	}
	switch (e->type) {
	case WINDOW_KEY:
		ui->desks->host.reconnect |=
		    ui->feed.live && !ui->feed.connected;
		keys_down(ui, e->code, e->key, e->text);
		break;
	case WINDOW_KEY_UP:
		keys_up(ui, e->code);
		break;
	case WINDOW_MOVE:
		mouse_move(ui, e->x, e->y);
		break;
	case WINDOW_LEAVE:
		mouse_leave(ui);
		break;
	case WINDOW_DOWN:
		mouse_down(ui, e->x, e->y, e->button, e->mods, e->t_ms);
		break;
	case WINDOW_UP:
		mouse_up(ui, e->x, e->y, e->button, e->mods);
		break;
	case WINDOW_WHEEL:
		mouse_wheel(ui, e->x, e->y, e->dy, e->mods);
		break;
	case WINDOW_RESIZE:
		app_resize(a, e->x, e->y);
		break;
	case WINDOW_EXPOSE:
		picture_lost(ui->picture);
		break;
	case WINDOW_SEEN:
		picture_changed(ui->picture);
		break;
	case WINDOW_CLOSE:
		ui->desks->host.quit = true;
		break;
	}
}

/* Of a key that is held, which goes on without it. */
static bool
is_repetition(const struct app *a, const struct window_event *e)
{
	return (e->type == WINDOW_KEY && a->ui->held.key != NULL &&
		e->code == a->ui->held.code);
}

bool
app_urgent_cb(void *arg)
{
	struct app *a = arg;
	struct window_event *e;
	bool urgent = false;

	if (a->window == NULL)
		return (false);
	while (!urgent && a->nheld < HELD_MAX) {
		e = &a->held[a->nheld];
		if (!window_next(a->window, e))
			break;
		a->nheld++;
		urgent = (e->type != WINDOW_MOVE && !is_repetition(a, e)) ||
			 a->ui->drag.what != DRAG_NONE;
	}
	app_tell_state(a); /* what has reached the screen meanwhile */
	return (urgent && !app_is_stale(a, app_now_ns()));
}

static bool
next_event(struct app *a, struct window_event *e)
{
	if (a->nheld == 0)
		return (a->window != NULL && window_next(a->window, e));
	*e = a->held[0];
	memmove(a->held, a->held + 1, --a->nheld * sizeof(*e));
	return (true);
}

void
app_take_events(struct app *a)
{
	struct window_event e;

	while (next_event(a, &e)) {
		take_event(a, &e);
		picture_awaited(a->ui->picture);
	}
	app_offer(a);
	if (a->window != NULL && a->full_screen != a->ui->places.full_screen) {
		a->full_screen = a->ui->places.full_screen;
		window_full_screen(a->window, a->full_screen);
	}
	if (a->window != NULL && window_lost(a->window)) {
		log_warnx("the X server is gone");
		a->code = EX_UNAVAILABLE;
		a->ui->desks->host.quit = true;
	}
}
