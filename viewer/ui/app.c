/*
 * The loop.  Draw when something has changed, at most 60 times a second for
 * what the run does and at once for what the user does, and never when nothing
 * has; take what the server has already sent before every wait, since its
 * descriptor stays silent about that.
 *
 * A key must not wait for a frame that is drawn for the run's sake: such a
 * frame is given up for it, and the answer is drawn first, with what has come
 * in the meantime only where it must be (a hasty frame).  What the run does is
 * never more than STALE_NS behind for that.
 */
#include "ui/app.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

#include "log.h"
#include "ui/compare.h"
#include "ui/window.h"

#define FRAME_NS         ((int64_t)1000000000 / 60)
#define READING_FRAME_NS ((int64_t)1000000000 / 10)
#define HASTE_NS         ((int64_t)4000000) /* between answers to the user */
#define STALE_NS         ((int64_t)60000000)
/* After an answer, before it is drawn in full: another key may follow. */
#define CALM_NS          ((int64_t)25000000)
/* Playback without a window: as if 60 frames a second were drawn. */
#define PLAY_STEP_MAX_NS ((int64_t)100000000)

static int64_t
clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

int64_t
app_now_ns(void)
{
	return (clock_ns(CLOCK_MONOTONIC));
}

void
app_bench(struct app *a, int64_t ns, bool paced)
{
	a->bench_paced = paced;
	a->bench_longest_ns = 0;
	a->bench_from_ns = app_now_ns();
	a->bench_until_ns = a->bench_from_ns + ns;
	a->bench_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	a->bench_frames = 0;
}

/* Contents of a window of so many dots. */
void
app_resize(struct app *a, int32_t width, int32_t height)
{
	a->dots_x = width;
	a->dots_y = height;
	ui_resize(a->ui, canvas_px(width), canvas_px(height));
}

/* To pixels of ours. */
static int32_t
unscaled(const struct app *a, int32_t v)
{
	int64_t q = (int64_t)v * CANVAS_SCALE_ONE;

	return ((int32_t)(q >= 0 ? q / a->scale_q
				 : -((-q + a->scale_q - 1) / a->scale_q)));
}

/* What is selected, and what was copied, is there for other programs. */
static void
offer(struct app *a)
{
	struct window_copy copy = { .text = a->ui->copied };

	if (a->ui->offer == OFFER_NONE)
		return;
	if (a->window != NULL && copy.text != NULL) {
		copy.clipboard = a->ui->offer == OFFER_BOTH;
		if (copy.clipboard)
			app_picture(a, a->ui->copied_view, &copy.png,
			    &copy.png_bytes);
		window_offer(a->window, &copy);
		free(copy.png);
	}
	a->ui->offer = OFFER_NONE;
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
		ui->reconnect |= ui->feed.live && !ui->feed.connected;
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
		ui->exposed = ui->dirty = true;
		break;
	case WINDOW_SEEN:
		ui->dirty = true;
		break;
	case WINDOW_CLOSE:
		ui->quit = true;
		break;
	}
}

/* What the run does has been put off for long enough. */
static bool
is_stale(const struct app *a, int64_t now)
{
	return (run_grows(a->ui) && a->behind_ns != 0 &&
		now - a->behind_ns > STALE_NS);
}

/* Of a key that is held, which goes on without it. */
static bool
is_repetition(const struct app *a, const struct window_event *e)
{
	return (e->type == WINDOW_KEY && a->ui->held != NULL &&
		e->code == a->ui->held_code);
}

static void tell_state(struct app *);

/*
 * Asked while a frame is drawn.  The mouse that just moves about is no reason
 * to give it up; keys, buttons and what is dragged are.
 */
static bool
urgent_cb(void *arg)
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
			 a->ui->drag != DRAG_NONE;
	}
	tell_state(a); /* what has reached the screen meanwhile */
	return (urgent && !is_stale(a, app_now_ns()));
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

static void
take_events(struct app *a)
{
	struct window_event e;

	while (next_event(a, &e)) {
		take_event(a, &e);
		a->ui->hasty |= a->ui->dirty;
	}
	offer(a);
	if (a->window != NULL && a->full_screen != a->ui->full_screen) {
		a->full_screen = a->ui->full_screen;
		window_full_screen(a->window, a->full_screen);
	}
	if (a->window != NULL && window_lost(a->window)) {
		log_warnx("the X server is gone");
		a->code = EX_UNAVAILABLE;
		a->ui->quit = true;
	}
}

static void
take_news(struct app *a)
{
	struct feed_status st;
	struct model *m, *old = a->model;
	int64_t t0, t1;

	if (a->feed == NULL)
		return;
	if (a->ui->reconnect)
		feed_reconnect(a->feed);
	a->ui->reconnect = false;
	m = feed_new_model(a->feed);
	feed_status(a->feed, &st);
	if (m != NULL)
		a->model = m;
	ui_refresh(a->ui, a->model, &st);
	if (m != NULL)
		model_free(old);
	if (feed_detail(a->feed, a->model))
		a->ui->dirty = true;
	if (ui_wants(a->ui, &t0, &t1))
		feed_want(a->feed, t0, t1);
	if (a->other_feed == NULL)
		return;
	feed_status(a->other_feed, &st);
	ui_refresh(a->ui->other, a->other_model, &st);
	if (feed_detail(a->other_feed, a->other_model))
		a->ui->other->dirty = true;
	if (ui_wants(a->ui->other, &t0, &t1))
		feed_want(a->other_feed, t0, t1);
	a->ui->dirty |= a->ui->other->dirty;
}

/* The other run goes, if there is one. */
static void
compare_close(struct app *a)
{
	if (a->other_model == NULL)
		return;
	compare_with(a->ui, NULL);
	feed_stop(a->other_feed);
	model_free(a->other_model);
	a->other_feed = NULL;
	a->other_model = NULL;
}

int
app_compare(void *arg, const char *path, char *why, size_t n)
{
	struct app *a = arg;
	struct feed_status st;
	struct ui *other;
	struct model *m;
	struct feed *f;

	if (path == NULL) {
		compare_close(a);
		return (0);
	}
	m = model_new();
	other = m == NULL ? NULL : ui_new(a->ui->palette);
	a->other_code = EX_OSERR;
	f = other == NULL ? NULL
			  : feed_start(m, path, NULL, why, n, &a->other_code);
	if (f == NULL) {
		ui_free(other);
		model_free(m);
		return (-1);
	}
	model_set_memory(m, model_memory(a->model));
	compare_close(a);
	a->other_model = m;
	a->other_feed = f;
	feed_status(f, &st);
	ui_refresh(other, m, &st);
	compare_with(a->ui, other);
	return (0);
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

static void
tell_state(struct app *a)
{
	unsigned on_way = a->window != NULL ? window_on_way(a->window) : 0;

	while (a->nlines > on_way) {
		fputs(a->line[0], a->state);
		fflush(a->state);
		free(a->line[0]);
		memmove(a->line, a->line + 1, --a->nlines * sizeof(*a->line));
	}
	if (a->ui->frame > on_way)
		a->told_frame = a->ui->frame - on_way;
}

/* Something is to be drawn. */
static bool
moves(const struct ui *ui)
{
	return (ui->dirty || ui->playing || ui->held != NULL);
}

/* When the next frame may be drawn. */
static int64_t
frame_due(const struct app *a)
{
	int64_t haste = a->last_frame_ns + HASTE_NS;

	if (a->ui->held != NULL) /* it goes on by itself, evenly */
		return (a->last_frame_ns + FRAME_NS);
	return (a->ui->hasty && haste < a->due_ns ? haste : a->due_ns);
}

static bool
benching_freely(const struct app *a)
{
	return (a->bench_until_ns != 0 && !a->bench_paced);
}

/* A script is in no hurry to see, only to go on. */
static bool
paced(const struct app *a)
{
	return (
	    a->script == NULL || (a->bench_until_ns != 0 && a->bench_paced));
}

/* Nobody can see the window, so nobody waits for a frame. */
static bool
asleep(const struct app *a)
{
	return (a->window != NULL && a->script == NULL &&
		a->bench_until_ns == 0 && window_hidden(a->window));
}

/* What the user waits for comes before what the run has done. */
static bool
in_haste(const struct app *a, int64_t now)
{
	return (a->ui->hasty && !a->ui->playing && !benching_freely(a) &&
		!is_stale(a, now));
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

/*
 * Draws a frame if there is reason to and it is time.  True: the loop must go
 * on at once, a frame was drawn or given up.
 */
static bool
draw(struct app *a)
{
	struct canvas c = a->canvas, in_px;
	int64_t now = app_now_ns(), step;
	bool all;

	app_rest_over(a, now);
	app_far(a, now);
	if (benching_freely(a)) {
		a->ui->dirty = true;
		ui_redo(a->ui);
	}
	if (asleep(a))
		return (false);
	if (!moves(a->ui) || (paced(a) && now < frame_due(a)))
		return (sums_go_on(a->ui));
	if (a->window != NULL && !window_begin(a->window, &c))
		return (false);
	step = a->window == NULL ? FRAME_NS : now - a->last_advance_ns;
	ui_advance(a->ui, step > PLAY_STEP_MAX_NS ? FRAME_NS : step);
	a->last_advance_ns = now;
	a->ui->hasty |= a->ui->held != NULL;
	a->ui->pressed = a->ui->hasty;
	a->ui->hasty = in_haste(a, now);
	if (!ui_prepare(a->ui)) {
		put_off(a, now);
		return (true);
	}
	all = a->ui->exposed;
	a->ui->exposed = false;
	if (a->ui->hasty) {
		put_off(a, now);
		if (!run_grows(a->ui) && a->due_ns < now + CALM_NS)
			a->due_ns = now + CALM_NS;
	} else {
		full_frame(a, now);
	}
	canvas_init_dots(&in_px, c.px, c.width, c.height, c.stride);
	ui_show(a->ui, &in_px);
	app_rest(a, &c, a->ui->hasty || a->ui->pressed, now);
	a->ui->hasty = a->ui->pressed = false;
	if (a->window != NULL) {
		app_tell_moved(a);
		app_far_lines(a);
		window_end(a->window, all);
	}
	if (a->bench_frames > 0 && now - a->last_frame_ns > a->bench_longest_ns)
		a->bench_longest_ns = now - a->last_frame_ns;
	a->last_frame_ns = now;
	a->bench_frames++;
	note_state(a);
	tell_state(a);
	return (true);
}

/*
 * A frame is due and was not drawn: what it waits for is with the server, who
 * will say so, or memory is out.
 */
static int64_t
held_up_ns(const struct app *a)
{
	if (!window_ready(a->window))
		return (INT64_MAX);
	return (window_lost(a->window) ? 0 : 10000000);
}

/* How long there is nothing to do; -1: until something comes. */
static int64_t
timeout_ns(const struct app *a)
{
	int ms = a->script != NULL && a->bench_until_ns == 0
		     ? script_timeout_ms(a->script)
		     : -1;
	int64_t script = ms < 0 ? INT64_MAX : (int64_t)ms * 1000000;
	int64_t wait = INT64_MAX;

	if (asleep(a))
		wait = INT64_MAX;
	else if (benching_freely(a))
		wait = 0;
	else if (moves(a->ui))
		wait = frame_due(a) - app_now_ns();
	else if (a->bench_until_ns != 0)
		wait = a->bench_until_ns - app_now_ns();
	else if (a->resting)
		wait = a->rest_due_ns - app_now_ns();
	if (!asleep(a) && wait > app_far_ns(a, app_now_ns()))
		wait = app_far_ns(a, app_now_ns());
	if (wait <= 0 && a->window != NULL)
		wait = held_up_ns(a);
	wait = wait < 0 ? 0 : wait;
	wait = wait < script ? wait : script;
	return (wait == INT64_MAX ? -1 : wait);
}

static void
wait_for_something(struct app *a)
{
	struct pollfd p[4];
	struct timespec ts;
	int64_t wait = timeout_ns(a);
	nfds_t n = 0;

	if (a->feed != NULL && !asleep(a))
		p[n++] = (struct pollfd){ feed_fd(a->feed), POLLIN, 0 };
	if (a->other_feed != NULL && !asleep(a))
		p[n++] = (struct pollfd){ feed_fd(a->other_feed), POLLIN, 0 };
	if (a->window != NULL)
		p[n++] = (struct pollfd){ window_fd(a->window), POLLIN, 0 };
	if (a->script != NULL && script_fd(a->script) != -1 &&
	    a->bench_until_ns == 0)
		p[n++] = (struct pollfd){ script_fd(a->script), POLLIN, 0 };
	ts.tv_sec = wait / 1000000000;
	ts.tv_nsec = wait % 1000000000;
	if (ppoll(p, n, wait < 0 ? NULL : &ts, NULL) == -1 && errno != EINTR) {
		log_warn("cannot wait");
		a->code = EX_OSERR;
		a->ui->quit = true;
	}
}

static void
bench_end(struct app *a)
{
	int64_t now = app_now_ns();
	double s = (double)(now - a->bench_from_ns) / 1e9;

	if (a->bench_until_ns == 0 || now < a->bench_until_ns)
		return;
	a->bench_until_ns = 0;
	printf("bench frames=%llu seconds=%.3f fps=%.1f cpu_ms=%.3f "
	       "longest_ms=%.1f events=%llu\n",
	    (unsigned long long)a->bench_frames, s, (double)a->bench_frames / s,
	    (double)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - a->bench_cpu_ns) /
		1e6 / (double)a->bench_frames,
	    (double)a->bench_longest_ns / 1e6,
	    (unsigned long long)model_events(a->model));
	fflush(stdout);
}

static void
step_script(struct app *a)
{
	if (a->script == NULL || a->bench_until_ns != 0)
		return;
	script_step(a->script, a);
	offer(a); /* of what was seen when it was copied */
}

int
app_run(struct app *a)
{
	a->ui->stop_cb = urgent_cb;
	a->ui->stop_arg = a;
	while (!a->ui->quit) {
		take_events(a);
		take_news(a);
		tell_state(a);
		step_script(a);
		if (a->ui->quit)
			break;
		if (draw(a)) {
			bench_end(a);
			/* now, before news make the next frame due */
			step_script(a);
			continue;
		}
		bench_end(a);
		if (a->script != NULL && script_done(a->script)) {
			script_close(a->script);
			a->script = NULL;
			if (a->window == NULL)
				break;
			continue;
		}
		take_events(a); /* a round trip may have read some */
		tell_state(a);
		wait_for_something(a);
	}
	return (a->code);
}
