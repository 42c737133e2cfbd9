/*
 * The loop: what the user did, what the run did, what the script says, a
 * frame; then waiting until there is something to do again.  What the server
 * has already sent is taken before every wait, since its descriptor stays
 * silent about that.
 */
#include "app/app_inside.h"

#include <errno.h>
#include <poll.h>
#include <sysexits.h>
#include <time.h>

#include "app/plugins.h"
#include "log.h"
#include "ui/out/out.h"
#include "ui/whole/frame.h"

int64_t
app_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

int64_t
app_cpu_ns(void)
{
	struct timespec ts = { 0, 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

/* Contents of a window of so many dots. */
void
app_resize(struct app *a, int32_t width, int32_t height)
{
	a->dots_x = width;
	a->dots_y = height;
	ui_resize(a->ui, canvas_px(width), canvas_px(height));
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
	int ms = a->script != NULL ? script_timeout_ms(a->script) : -1;
	int64_t script = ms < 0 ? INT64_MAX : (int64_t)ms * 1000000;
	int64_t wait = INT64_MAX;

	if (app_asleep(a))
		wait = INT64_MAX;
	else if (app_moves(a))
		wait = app_frame_due(a) - app_now_ns();
	else if (a->resting)
		wait = a->rest_due_ns - app_now_ns();
	if (!app_asleep(a) && wait > app_far_ns(a, app_now_ns()))
		wait = app_far_ns(a, app_now_ns());
	if (wait <= 0 && a->window != NULL)
		wait = held_up_ns(a);
	wait = wait < 0 ? 0 : wait;
	if (wait > plugins_due_ns(a->plugins, app_now_ns()))
		wait = plugins_due_ns(a->plugins, app_now_ns());
	wait = wait < script ? wait : script;
	return (wait == INT64_MAX ? -1 : wait);
}

static void
wait_for_something(struct app *a)
{
	struct pollfd p[4 + PLUGINS_MAX];
	struct timespec ts;
	int64_t wait = timeout_ns(a);
	nfds_t n = 0;

	if (a->run[0].feed != NULL && !app_asleep(a))
		p[n++] = (struct pollfd){ feed_fd(a->run[0].feed), POLLIN, 0 };
	if (a->run[1].feed != NULL && !app_asleep(a))
		p[n++] = (struct pollfd){ feed_fd(a->run[1].feed), POLLIN, 0 };
	if (a->window != NULL)
		p[n++] = (struct pollfd){ window_fd(a->window), POLLIN, 0 };
	if (a->script != NULL && script_fd(a->script) != -1)
		p[n++] = (struct pollfd){ script_fd(a->script), POLLIN, 0 };
	n += plugins_fds(a->plugins, p + n);
	ts.tv_sec = wait / 1000000000;
	ts.tv_nsec = wait % 1000000000;
	if (ppoll(p, n, wait < 0 ? NULL : &ts, NULL) == -1 && errno != EINTR) {
		log_warn("cannot wait");
		a->code = EX_OSERR;
		a->ui->desks->host.quit = true;
	}
}

static void
step_script(struct app *a)
{
	if (a->script == NULL)
		return;
	script_step(a->script, a);
	app_offer(a); /* of what was seen when it was copied */
}

static bool
script_ends(struct app *a)
{
	if (a->script == NULL || !script_done(a->script))
		return (false);
	script_close(a->script);
	a->script = NULL;
	return (true);
}

int
app_run(struct app *a)
{
	a->ui->picture->stop_cb = app_urgent_cb;
	a->ui->picture->late_cb = app_late_cb;
	a->ui->picture->stop_arg = a;
	while (!a->ui->desks->host.quit) {
		app_feed_go(a);
		app_take_events(a);
		app_take_news(a);
		plugins_poll(a->plugins);
		app_tell_state(a);
		step_script(a);
		if (a->ui->desks->host.quit)
			break;
		if (a->window != NULL) /* frames have their pace from now on */
			script_ends(a);
		if (app_draw(a)) {
			/* now, before news make the next frame due */
			step_script(a);
			continue;
		}
		if (a->window == NULL && script_ends(a))
			break;
		app_take_events(a); /* a round trip may have read some */
		app_tell_state(a);
		wait_for_something(a);
	}
	if (list_goes_on(a->ui) && list_stop(a->ui) == 0)
		log_warnx("%s", a->ui->told.message);
	return (a->code);
}
