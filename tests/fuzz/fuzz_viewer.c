/*
 * A log by anybody, in a window without a server: layouts, contents, then
 * keys, the mouse and commands as the script in the log says, each followed by
 * a frame now and then; at last one view in words, now and then all of it, or
 * as SVG.  A log without a script is asked for all of that.
 *
 * The window is as small as one can be made, so that a run takes about a
 * millisecond: what matters is which figures it is drawn from.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "feed/feed.h"
#include "log.h"
#include "model/keep/both.h"
#include "model/model.h"
#include "tests/fuzz/frames.h"
#include "ui/desk/desk.h"
#include "ui/input/input.h"
#include "ui/out/out.h"
#include "ui/panes/panes.h"
#include "ui/views/view.h"
#include "ui/whole/frame.h"

#define WIDTH  200
#define HEIGHT 150
#define STEPS  4

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *, size_t);
size_t LLVMFuzzerCustomMutator(uint8_t *, size_t, size_t, unsigned);

static uint32_t px[WIDTH * HEIGHT];
static FILE *nowhere;
static char path[64]; /* of the log */
static int log_fd;

/* Where memory came from is told by a run of its own. */
const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
	return ("malloc_context_size=0:quarantine_size_mb=1:"
		"max_malloc_fill_size=64");
}

/* As on a machine with one processor: a run is the same each time. */
void
both(void (*job)(void *, int), void *arg)
{
	job(arg, 0);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	return (frames_mutate(data, n, max, seed));
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	log_init("fuzz", -1);
	nowhere = fopen("/dev/null", "w");
	log_fd = memfd_create("log", MFD_CLOEXEC);
	if (nowhere == NULL || log_fd == -1)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", log_fd);
	/* nothing of the user's is read or written */
	setenv("HOME", "/nonexistent", 1);
	setenv("XDG_CACHE_HOME", "/nonexistent", 1);
	return (0);
}

static void
key(struct ui *ui, struct script *s)
{
	static const char *const names[] = { "w", "s", "a", "d", "Left",
		"Right", "Up", "Down", "plus", "minus", "Tab", "Return",
		"Escape", "Home", "End", "space", "f", "g", "h", "l", "p", "1",
		"2", "3", "4", "5", "6", "m", "n", "slash", "c", "t", "e", "v",
		"comma", "period" };

	keys_press(ui, names[script_below(s, sizeof(names) / sizeof(*names))],
	    script_below(s, 2) == 0 ? "" : "x");
}

static void
mouse(struct ui *ui, struct script *s)
{
	int32_t x = (int32_t)script_below(s, WIDTH + 20) - 10;
	int32_t y = (int32_t)script_below(s, HEIGHT + 20) - 10;
	unsigned how = script_byte(s);
	int button = 1 + how / 2 % 4;

	mouse_move(ui, x, y);
	if (how % 2 == 1) {
		mouse_down(ui, x, y, button, how / 8 % 4, how);
		mouse_move(ui, x + script_byte(s), y);
		mouse_up(ui, x, y, button, 0);
	}
	if (how >= 128)
		mouse_wheel(ui, x, y, how & 64 ? 1 : -1, how / 8 % 4);
}

/* All but those that write files or read others. */
static void
command(struct ui *ui, struct script *s)
{
	static const char *const not [] = { "export", "quit", "save",
		"compare" };
	const char *name, *arguments, *what;
	char line[96];
	size_t n, left;

	if (!command_each(script_below(s, 96), &name, &arguments, &what))
		return;
	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
		if (strcmp(name, not [i]) == 0)
			return;
	if (script_below(s, 2) == 0)
		snprintf(line, sizeof(line), "%s %lld %lld", name,
		    (long long)script_number(s), (long long)script_number(s));
	else {
		n = script_below(s, 24);
		left = (size_t)(s->end - s->p);
		snprintf(line, sizeof(line), "%s %.*s", name,
		    (int)(n < left ? n : left), (const char *)s->p);
	}
	line[strcspn(line, "\n")] = '\0';
	(void)command_run(ui, line);
}

static void
act(struct ui *ui, struct script *s, struct canvas *c)
{
	static void (*const acts[])(struct ui *, struct script *) = { key, key,
		mouse, command, command };

	for (int i = 0; i < STEPS && s->p < s->end; i++) {
		acts[script_below(s, 5)](ui, s);
		if (script_below(s, 4) == 0)
			ui_frame(ui, c);
	}
}

static void
settle(struct ui *ui, struct model *m)
{
	int64_t t0, t1;

	for (unsigned i = 0; i < SUMS_KINDS; i++)
		if (ui_wants_sums(ui, i, &t0, &t1))
			feed_settle(m, path, i, t0, t1);
}

/* One view in words, as the command tab brings it into sight. */
static void
describe(struct ui *ui, unsigned how, struct canvas *c)
{
	enum view_id id = (enum view_id)(how % VIEWS);
	const struct view *v = &views[id];
	char line[64];

	if (v->pane != PANES || !v->there(ui) || model_events(ui->model) == 0)
		return;
	snprintf(line, sizeof(line), "tab %s", v->name);
	if (command_run(ui, line) == -1)
		return;
	if (how / 16 % 4 == 0)
		ui_frame(ui, c);
	(void)v->prepare(ui);
	v->describe(ui, nowhere);
	legend_describe(ui, id, nowhere);
}

static void
ask_all(struct ui *ui, struct model *m, struct canvas *c)
{
	settle(ui, m);
	ui_frame(ui, c);
	ui_describe(ui, nowhere);
	(void)svg_print(ui, nowhere, "all");
}

static void
ask(struct ui *ui, struct model *m, unsigned how, struct canvas *c)
{
	switch (how % 16) {
	case 0:
		settle(ui, m);
		ui_frame(ui, c);
		break;
	case 1:
		ui_describe(ui, nowhere);
		break;
	case 2:
		(void)svg_print(ui, nowhere, how / 16 % 2 ? "radial" : "all");
		break;
	case 3:
	case 4:
	case 5:
		ui_frame(ui, c);
		break;
	default:
		describe(ui, how, c);
	}
}

static void
look(struct model *m, const struct feed_status *st, struct script *s)
{
	struct ui *ui = ui_new(&palette_dark);
	bool all = script_over(s);
	unsigned how = script_byte(s);
	struct canvas c;

	if (ui == NULL)
		abort();
	canvas_init(&c, px, WIDTH, HEIGHT, WIDTH);
	ui_resize(ui, WIDTH, HEIGHT);
	ui_refresh(ui, m, st);
	ui_frame(ui, &c);
	act(ui, s, &c);
	if (all)
		ask_all(ui, m, &c);
	else
		ask(ui, m, how, &c);
	ui_free(ui);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct script s = frames_script(data, n);
	struct feed_status st;
	struct model *m;

	if (ftruncate(log_fd, 0) == -1 ||
	    pwrite(log_fd, data, n, 0) != (ssize_t)n ||
	    (m = model_new()) == NULL)
		abort();
	if (script_below(&s, 2) == 1)
		model_set_memory(m, 1024 * (1 + script_below(&s, 1024)));
	if (feed_read(m, path, &st) == 0)
		look(m, &st, &s);
	model_free(m);
	return (0);
}
