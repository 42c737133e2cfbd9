/*
 * Frames: when the next one is due, and drawing it.  One is drawn when
 * something has changed, at most 60 times a second for what the run does and
 * at once for what the user does, and never when nothing has.
 *
 * A key must not wait for a frame that is drawn for the run's sake: such a
 * frame is given up for it, and the answer is drawn first, with what has come
 * in the meantime only where it must be (a hasty frame).  What the run does is
 * never more than STALE_NS behind for that.
 */
#include "app/app_inside.h"

#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/out/out.h"
#include "ui/whole/frame.h"
#include "ui/whole/state.h"

#define FRAME_NS         ((int64_t)1000000000 / 60)
#define READING_FRAME_NS ((int64_t)1000000000 / 10)
/* From then on figures that may come later do: the rest is to be painted yet.
 */
#define LATE_NS          ((int64_t)6000000)
#define HASTE_NS         ((int64_t)4000000) /* between answers to the user */
#define STALE_NS         ((int64_t)60000000)
/* After an answer, before it is drawn in full: another key may follow. */
#define CALM_NS          ((int64_t)25000000)
/* Playback without a window: as if 60 frames a second were drawn. */
#define PLAY_STEP_MAX_NS ((int64_t)100000000)

bool
app_is_stale(const struct app *a, int64_t now)
{
	return (run_grows(a->ui) && a->behind_ns != 0 &&
		now - a->behind_ns > STALE_NS);
}

/* The line about the frame that has just been drawn: told when it is shown. */
static void
note_state(struct app *a)
{
	struct canvas c = a->canvas;
	size_t n;
	FILE *f;

	if (a->state == NULL || a->nlines == LINES_MAX ||
	    (a->window != NULL && !window_last(a->window, &c)))
		return;
	f = open_memstream(&a->line[a->nlines], &n);
	if (f == NULL)
		return;
	state_print(f, a->ui, &c);
	if (fclose(f) == 0)
		a->nlines++;
}

void
app_tell_state(struct app *a)
{
	unsigned on_way = a->window != NULL ? window_on_way(a->window) : 0;

	while (a->nlines > on_way) {
		fputs(a->line[0], a->state);
		fflush(a->state);
		free(a->line[0]);
		memmove(a->line, a->line + 1, --a->nlines * sizeof(*a->line));
	}
	if (a->ui->picture->frame > on_way)
		a->told_frame = a->ui->picture->frame - on_way;
}

bool
app_moves(const struct app *a)
{
	return (picture_due(a->ui->picture) || a->ui->play.playing ||
		a->ui->held.key != NULL);
}

int64_t
app_frame_due(const struct app *a)
{
	int64_t haste = a->last_frame_ns + HASTE_NS;

	if (a->ui->held.key != NULL) /* it goes on by itself, evenly */
		return (a->last_frame_ns + FRAME_NS);
	return (picture_hasty(a->ui->picture) && haste < a->due_ns ? haste
								   : a->due_ns);
}

bool
app_asleep(const struct app *a)
{
	return (
	    a->window != NULL && a->script == NULL && window_hidden(a->window));
}

/* A script's frames follow each other at once, if it does not say otherwise. */
static bool
hurries(const struct app *a)
{
	return (a->script != NULL && !script_paced(a->script));
}

static void
put_off(struct app *a, int64_t now)
{
	if (a->behind_ns == 0)
		a->behind_ns = now;
}

/* A log that is being read wants both processors; keys do not wait for this. */
static int64_t
frame_ns(const struct app *a)
{
	return (a->ui->feed.left_s > 1 ? READING_FRAME_NS : FRAME_NS);
}

/* In step, unless it is late by a frame. */
static void
full_frame(struct app *a, int64_t now)
{
	a->behind_ns = 0;
	if (now < a->due_ns)
		return;
	a->due_ns += frame_ns(a);
	if (a->due_ns <= now)
		a->due_ns = now + frame_ns(a);
}

static bool
draw(struct app *a, int64_t now)
{
	struct canvas c = a->canvas, in_px;
	struct picture *p = a->ui->picture;
	int64_t step;
	bool all, answers;

	if (a->window != NULL && !window_begin(a->window, &c))
		return (false);
	step = a->window == NULL ? FRAME_NS : now - a->last_advance_ns;
	ui_advance(a->ui, step > PLAY_STEP_MAX_NS ? FRAME_NS : step);
	a->last_advance_ns = now;
	if (a->window != NULL)
		p->now_ns = now;
	picture_begin(p, picture_kind(p, a->ui->held.key != NULL,
			     a->ui->play.playing || app_is_stale(a, now)));
	if (!ui_prepare(a->ui)) {
		put_off(a, now);
		return (true);
	}
	all = p->lost;
	p->lost = false;
	answers = picture_answers(p);
	if (p->state == PICTURE_HASTY) {
		put_off(a, now);
		if (!run_grows(a->ui) && a->due_ns < now + CALM_NS)
			a->due_ns = now + CALM_NS;
	} else {
		full_frame(a, now);
	}
	canvas_init_dots(&in_px, c.px, c.width, c.height, c.stride);
	ui_show(a->ui, &in_px);
	app_rest(a, &c, answers, now);
	if (a->window != NULL) {
		app_tell_moved(a);
		app_far_lines(a);
		window_end(a->window, all);
	}
	a->last_frame_ns = now;
	note_state(a);
	app_tell_state(a);
	return (true);
}

bool
app_late_cb(void *arg)
{
	const struct app *a = arg;

	return (app_cpu_ns() - a->ui->picture->from_ns > LATE_NS);
}

bool
app_draw(struct app *a)
{
	struct picture *p = a->ui->picture;
	int64_t now = app_now_ns(), ns;
	bool goes_on;

	app_rest_over(a, now);
	app_far(a, now);
	if (app_asleep(a))
		return (list_go_on(a->ui));
	if (!app_moves(a) || (!hurries(a) && now < app_frame_due(a)))
		return (ui_go_on(a->ui));
	p->from_ns = app_cpu_ns();
	goes_on = draw(a, now);
	ns = app_cpu_ns() - p->from_ns;
	p->cpu_ns += ns;
	p->most_ns = ns > p->most_ns ? ns : p->most_ns;
	list_go_on(a->ui); /* though one frame should follow the other */
	return (goes_on);
}
