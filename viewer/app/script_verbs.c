/*
 * What only scripts can do: wait, press keys and buttons, take pictures.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/script_inside.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/input/bindings.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/out/outfile.h"
#include "ui/whole/frame.h"

static bool
wait_events(const struct script *s, const struct app *a)
{
	return (model_events(a->run[0].model) >= s->wait_for);
}

static bool
wait_tasks(const struct script *s, const struct app *a)
{
	return (model_tasks(a->run[0].model) >= s->wait_for);
}

static bool
wait_frame(const struct script *s, const struct app *a)
{
	bool there = a->ui->picture->frame >= s->wait_for;

	if (!there) /* a still picture is drawn for this alone */
		picture_changed(a->ui->picture);
	return (there);
}

static bool
wait_finished(const struct script *s, const struct app *a)
{
	(void)s;
	return (model_finished(a->run[0].model));
}

/* All of the file or of what monitord has now. */
static bool
wait_read(const struct script *s, const struct app *a)
{
	(void)s;
	return (a->ui->feed.connected && !a->ui->feed.reading &&
		(!two_runs(a->ui) || !a->ui->desks->desk[1]->feed.reading));
}

/* To a run whose name is here: what is asked about it can be answered. */
static bool
wait_connected(const struct script *s, const struct app *a)
{
	(void)s;
	return (a->ui->feed.connected && a->ui->feed.run[0] != '\0');
}

static bool
wait_never(const struct script *s, const struct app *a)
{
	(void)s;
	(void)a;
	return (false); /* until its time is over */
}

/* The same, while everything is drawn anew as fast as it can be. */
static bool
wait_redrawn(const struct script *s, const struct app *a)
{
	(void)s;
	picture_changed(a->ui->picture);
	ui_redo(a->ui);
	return (false);
}

/* All of a file, and what is in sight one by one, if there is room for it. */
static bool
wait_known(const struct script *s, const struct app *a)
{
	return ((a->ui->feed.live || wait_read(s, a)) && ui_known(a->ui));
}

static const struct {
	const char *what;
	bool (*wait)(const struct script *, const struct app *);
} waits[] = {
	{ "events", wait_events },
	{ "tasks", wait_tasks },
	{ "frame", wait_frame },
	{ "finished", wait_finished },
	{ "read", wait_read },
	{ "connected", wait_connected },
	{ "known", wait_known },
	{ "ms", wait_never },
	{ "redrawn", wait_redrawn },
};

static int
do_wait(struct script *s, struct app *a, char **w, int n)
{
	uint64_t v = 0;

	if (n > 2 && parse_number(w[2], &v) == -1)
		n = 0;
	for (size_t i = 0; n > 1 && i < sizeof(waits) / sizeof(waits[0]); i++) {
		if (strcmp(w[1], waits[i].what) != 0)
			continue;
		s->wait = waits[i].wait;
		s->wait_for_ever =
		    s->wait == wait_never || s->wait == wait_redrawn;
		s->wait_for = s->wait == wait_frame
				  ? a->ui->picture->frame + (v > 0 ? v : 1)
				  : v;
		s->wait_until_ns =
		    app_now_ns() +
		    (s->wait_for_ever ? (int64_t)v * 1000000 : s->limit_ns);
		return (0);
	}
	snprintf(a->ui->told.message, sizeof(a->ui->told.message),
	    "wait is one of "
	    "events N, tasks N, frame [N], finished, read, connected, known, "
	    "ms N, redrawn MS");
	return (-1);
}

static int
do_limit(struct script *s, struct app *a, char **w, int n)
{
	uint64_t frames;
	int64_t ns;

	if (n == 3 && strcmp(w[1], "frames") == 0 &&
	    parse_number(w[2], &frames) == 0 && frames > 0) {
		s->limit_frames = frames;
		return (0);
	}
	if (n != 2 || parse_time(w[1], &ns) == -1 || ns <= 0) {
		snprintf(a->ui->told.message, sizeof(a->ui->told.message),
		    "limit wants a time, as in: limit 20s; or frames and a "
		    "number");
		return (-1);
	}
	s->limit_ns = ns;
	return (0);
}

static int
do_pace(struct script *s, struct app *a, char **w, int n)
{
	(void)a;
	s->paced = n == 2 && strcmp(w[1], "user") == 0;
	return (s->paced || (n == 2 && strcmp(w[1], "none") == 0) ? 0 : -1);
}

static int
do_key(struct script *s, struct app *a, char **w, int n)
{
	const char *text = n == 2 && strlen(w[1]) == 1 ? w[1] : "";

	(void)s;
	if (n != 2)
		return (-1);
	if (binding_find(w[1]) == NULL && !parse_key_ok(w[1]))
		return (desk_fail(a->ui, "no key is called %.40s", w[1]));
	keys_press(a->ui, w[1], strcmp(w[1], "space") == 0 ? " " : text);
	return (0);
}

static int
do_type(struct script *s, struct app *a, char **w, int n)
{
	(void)s;
	if (n < 2)
		return (-1);
	for (int i = 1; i < n; i++) {
		for (const char *p = w[i]; *p != '\0'; p++) {
			char one[2] = { *p, '\0' };

			keys_press(a->ui, one, one);
		}
		if (i + 1 < n)
			keys_press(a->ui, "space", " ");
	}
	return (0);
}

/* Numbers from word 1 on, up to max; how many, -1: there is something else. */
static int
numbers(char **w, int n, int *out, int max)
{
	int i;

	for (i = 0; i < max && i + 1 < n; i++) {
		char *end;
		long v = strtol(w[i + 1], &end, 10);

		if (*end != '\0' || v < -100000 || v > 100000)
			return (-1);
		out[i] = (int)v;
	}
	return (i + 1 == n ? i : -1);
}

static int
do_move(struct script *s, struct app *a, char **w, int n)
{
	int v[2];

	(void)s;
	if (numbers(w, n, v, 2) != 2)
		return (-1);
	mouse_move(a->ui, v[0], v[1]);
	return (0);
}

static int
do_press(struct script *s, struct app *a, char **w, int n)
{
	int v[4] = { 0, 0, 1, 0 };

	if (numbers(w, n, v, 4) < 2)
		return (-1);
	s->click_ms += 1000;
	mouse_down(a->ui, v[0], v[1], v[2], (unsigned)v[3], s->click_ms);
	return (0);
}

static int
do_release(struct script *s, struct app *a, char **w, int n)
{
	int v[3] = { 0, 0, 1 };

	(void)s;
	if (numbers(w, n, v, 3) < 2)
		return (-1);
	mouse_up(a->ui, v[0], v[1], v[2], 0);
	return (0);
}

static int
do_click(struct script *s, struct app *a, char **w, int n)
{
	int v[4] = { 0, 0, 1, 0 };

	if (numbers(w, n, v, 4) < 2)
		return (-1);
	s->click_ms += 1000;
	mouse_down(a->ui, v[0], v[1], v[2], (unsigned)v[3], s->click_ms);
	mouse_up(a->ui, v[0], v[1], v[2], (unsigned)v[3]);
	return (0);
}

static int
do_doubleclick(struct script *s, struct app *a, char **w, int n)
{
	int v[2];

	if (numbers(w, n, v, 2) != 2)
		return (-1);
	s->click_ms += 1000;
	for (int i = 0; i < 2; i++) {
		mouse_down(a->ui, v[0], v[1], 1, 0, s->click_ms + i * 100);
		mouse_up(a->ui, v[0], v[1], 1, 0);
	}
	return (0);
}

static int
do_drag(struct script *s, struct app *a, char **w, int n)
{
	int v[6] = { 0, 0, 0, 0, 1, 0 };

	if (numbers(w, n, v, 6) < 4)
		return (-1);
	s->click_ms += 1000;
	mouse_down(a->ui, v[0], v[1], v[4], (unsigned)v[5], s->click_ms);
	mouse_move(a->ui, (v[0] + v[2]) / 2, (v[1] + v[3]) / 2);
	mouse_move(a->ui, v[2], v[3]);
	mouse_up(a->ui, v[2], v[3], v[4], (unsigned)v[5]);
	return (0);
}

static int
do_wheel(struct script *s, struct app *a, char **w, int n)
{
	int v[4] = { 0 };

	(void)s;
	if (numbers(w, n, v, 4) < 3)
		return (-1);
	mouse_wheel(a->ui, v[0], v[1], v[2], (unsigned)v[3]);
	return (0);
}

static int
do_leave(struct script *s, struct app *a, char **w, int n)
{
	(void)s;
	(void)w;
	(void)n;
	mouse_leave(a->ui);
	return (0);
}

static int
do_snapshot(struct script *s, struct app *a, char **w, int n)
{
	int32_t width = 0, height = 0;
	const char *view = n > 2 ? w[2] : "all";

	(void)s;
	if (n < 2 || (n > 3 && parse_size(w[3], &width, &height) == -1)) {
		snprintf(a->ui->told.message, sizeof(a->ui->told.message),
		    "snapshot wants: FILE [view] [WxH]");
		return (-1);
	}
	if (app_snapshot(a, w[1], view, width, height) == 0)
		return (0);
	snprintf(a->ui->told.message, sizeof(a->ui->told.message),
	    "cannot write %.100s (%.30s): %s", w[1], view,
	    outfile_trouble(errno));
	return (-1);
}

static int
do_describe(struct script *s, struct app *a, char **w, int n)
{
	(void)s;
	(void)w;
	(void)n;
	ui_describe(a->ui, stdout);
	fflush(stdout);
	return (0);
}

static int
do_size(struct script *s, struct app *a, char **w, int n)
{
	int32_t width, height;
	uint32_t *px;

	(void)s;
	if (a->window != NULL || n != 2 ||
	    parse_size(w[1], &width, &height) == -1) {
		snprintf(a->ui->told.message, sizeof(a->ui->told.message),
		    "size wants WxH, and no window");
		return (-1);
	}
	px = calloc((size_t)width * (size_t)height, sizeof(*px));
	if (px == NULL)
		return (-1);
	free(a->canvas.px);
	canvas_init(&a->canvas, px, width, height, width);
	app_resize(a, width, height);
	return (0);
}

/* A word for whoever reads the state lines. */
static int
do_tell(struct script *s, struct app *a, char **w, int n)
{
	struct picture *p = a->ui->picture;

	(void)s;
	if (n != 2)
		return (-1);
	if (a->state != NULL)
		fprintf(a->state, "tell %s\n", w[1]);
	else
		printf("tell %s frame=%" PRIu64
		       " cpu-ms=%.3f frames-ms=%.3f most-ms=%.3f ms=%.3f "
		       "events=%" PRIu64 "\n",
		    w[1], p->frame, (double)app_cpu_ns() / 1e6,
		    (double)p->cpu_ns / 1e6, (double)p->most_ns / 1e6,
		    (double)app_now_ns() / 1e6, model_events(a->ui->model));
	p->most_ns = 0;
	fflush(a->state != NULL ? a->state : stdout);
	return (0);
}

/* All that can be seen is as it was at the start. */
static int
do_anew(struct script *s, struct app *a, char **w, int n)
{
	struct ui *old = a->ui, *ui = ui_new(&palette_dark);

	(void)s;
	(void)w;
	(void)n;
	if (ui == NULL)
		return (-1);
	ui->desks->host.export_cb = old->desks->host.export_cb;
	ui->desks->host.export_arg = old->desks->host.export_arg;
	ui->desks->host.save_cb = old->desks->host.save_cb;
	ui->desks->host.save_arg = old->desks->host.save_arg;
	ui->desks->host.compare_cb = old->desks->host.compare_cb;
	ui->desks->host.open_cb = old->desks->host.open_cb;
	ui->desks->host.beside_cb = old->desks->host.beside_cb;
	ui->desks->host.edit_cb = old->desks->host.edit_cb;
	ui->desks->host.plugin_add_cb = old->desks->host.plugin_add_cb;
	ui->desks->host.plugin_close_cb = old->desks->host.plugin_close_cb;
	ui->desks->host.plugin_show_cb = old->desks->host.plugin_show_cb;
	ui->desks->host.plugin_tell_cb = old->desks->host.plugin_tell_cb;
	ui->picture->stop_cb = old->picture->stop_cb;
	ui->picture->stop_arg = old->picture->stop_arg;
	ui->picture->late_cb = old->picture->late_cb;
	ui->picture->frame = old->picture->frame;
	ui_resize(ui, old->places.width, old->places.height);
	ui_refresh(ui, a->run[0].model, &old->feed);
	a->ui = ui;
	ui_free(old);
	return (0);
}

static const struct script_verb verbs[] = {
	{ "wait", do_wait, "WHAT [N]" },
	{ "limit", do_limit, "TIME | frames N" },
	{ "pace", do_pace, "user | none" },
	{ "key", do_key, "NAME" },
	{ "type", do_type, "TEXT" },
	{ "move", do_move, "X Y" },
	{ "leave", do_leave, "" },
	{ "press", do_press, "X Y [BUTTON [MODS]]" },
	{ "release", do_release, "X Y [BUTTON]" },
	{ "click", do_click, "X Y [BUTTON [MODS]]" },
	{ "doubleclick", do_doubleclick, "X Y" },
	{ "drag", do_drag, "X0 Y0 X1 Y1 [BUTTON [MODS]]" },
	{ "wheel", do_wheel, "X Y DY [MODS]" },
	{ "size", do_size, "WxH" },
	{ "snapshot", do_snapshot, "FILE [VIEW [WxH]]" },
	{ "describe", do_describe, "" },
	{ "tell", do_tell, "WORD" },
	{ "anew", do_anew, "" },
};

const struct script_verb *
script_verb(const char *name)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(name, verbs[i].name) == 0)
			return (&verbs[i]);
	return (NULL);
}
