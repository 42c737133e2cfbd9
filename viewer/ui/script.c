/*
 * A script: the commands of the table, one a line, and a few that only make
 * sense here: waits, raw input, pictures.  One line is run per frame, so that
 * what a line does is on the screen before the next one.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "log.h"
#include "ui/app.h"
#include "ui/parse.h"

#define LINE_BYTES 1024
#define LIMIT_NS   ((int64_t)60 * 1000000000)

struct script {
	int fd;
	char name[256];
	char buf[8192];
	size_t n;
	bool end; /* nothing more can be read */
	unsigned line;
	/* what is waited for; NULL: nothing */
	bool (*wait)(const struct script *, const struct app *);
	uint64_t wait_for;
	int64_t wait_until_ns;
	int64_t limit_ns;
	int64_t click_ms; /* made-up time of mouse events */
};

struct script *
script_open(const char *path)
{
	struct script *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return (NULL);
	s->limit_ns = LIMIT_NS;
	snprintf(s->name, sizeof(s->name), "%s", path);
	if (strcmp(path, "-") == 0) {
		s->fd = STDIN_FILENO;
		fcntl(s->fd, F_SETFL, fcntl(s->fd, F_GETFL) | O_NONBLOCK);
	} else {
		s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}
	if (s->fd == -1) {
		free(s);
		return (NULL);
	}
	return (s);
}

void
script_close(struct script *s)
{
	if (s == NULL)
		return;
	if (s->fd != STDIN_FILENO)
		close(s->fd);
	free(s);
}

bool
script_done(const struct script *s)
{
	return (s->end && s->n == 0 && s->wait == NULL);
}

int
script_fd(const struct script *s)
{
	return (s->end || s->wait != NULL ? -1 : s->fd);
}

int
script_timeout_ms(const struct script *s)
{
	int64_t left;

	if (s->wait == NULL)
		return (s->n > 0 && memchr(s->buf, '\n', s->n) ? 0 : -1);
	left = (s->wait_until_ns - app_now_ns()) / 1000000 + 1;
	return (left < 0 ? 0 : left > 1000 ? 1000 : (int)left);
}

/* waits */

static bool
wait_events(const struct script *s, const struct app *a)
{
	return (model_events(a->model) >= s->wait_for);
}

static bool
wait_tasks(const struct script *s, const struct app *a)
{
	return (model_tasks(a->model) >= s->wait_for);
}

static bool
wait_frame(const struct script *s, const struct app *a)
{
	return (a->ui->frame >= s->wait_for);
}

static bool
wait_finished(const struct script *s, const struct app *a)
{
	(void)s;
	return (model_finished(a->model));
}

/* All of the file or of what monitord has now. */
static bool
wait_read(const struct script *s, const struct app *a)
{
	(void)s;
	return (a->ui->feed.connected && !a->ui->feed.reading);
}

static bool
wait_connected(const struct script *s, const struct app *a)
{
	(void)s;
	return (a->ui->feed.connected);
}

static bool
wait_never(const struct script *s, const struct app *a)
{
	(void)s;
	(void)a;
	return (false); /* until its time is over */
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
	{ "ms", wait_never },
};

/* words[0] is the command; -1 with a sentence in ui->message */
#define WORDS_MAX 8

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
		s->wait_for =
		    s->wait == wait_frame ? a->ui->frame + (v > 0 ? v : 1) : v;
		if (s->wait == wait_frame)
			a->ui->dirty = true;
		s->wait_until_ns =
		    app_now_ns() + (s->wait == wait_never ? (int64_t)v * 1000000
							  : s->limit_ns);
		return (0);
	}
	snprintf(a->ui->message, sizeof(a->ui->message),
	    "wait is one of "
	    "events N, tasks N, frame [N], finished, read, connected, ms N");
	return (-1);
}

static int
do_limit(struct script *s, struct app *a, char **w, int n)
{
	int64_t ns;

	if (n != 2 || parse_time(w[1], &ns) == -1 || ns <= 0) {
		snprintf(a->ui->message, sizeof(a->ui->message),
		    "limit wants a time, as in: limit 20s");
		return (-1);
	}
	s->limit_ns = ns;
	return (0);
}

static int
do_key(struct script *s, struct app *a, char **w, int n)
{
	const char *text = n == 2 && strlen(w[1]) == 1 ? w[1] : "";

	(void)s;
	if (n != 2)
		return (-1);
	keys_press(a->ui, w[1], strcmp(w[1], "space") == 0 ? " " : text);
	return (0);
}

static int
do_type(struct script *s, struct app *a, char **w, int n)
{
	(void)s;
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

/* Numbers from word 1 on; how many there were. */
static int
numbers(char **w, int n, int *out, int max)
{
	int i;

	for (i = 0; i < max && i + 1 < n; i++) {
		char *end;
		long v = strtol(w[i + 1], &end, 10);

		if (*end != '\0' || v < -100000 || v > 100000)
			break;
		out[i] = (int)v;
	}
	return (i);
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

	if (numbers(w, n, v, 2) < 2)
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
		snprintf(a->ui->message, sizeof(a->ui->message),
		    "snapshot wants: FILE [view] [WxH]");
		return (-1);
	}
	if (app_snapshot(a, w[1], view, width, height) == 0)
		return (0);
	snprintf(a->ui->message, sizeof(a->ui->message),
	    "cannot write %.100s (%.50s): %s", w[1], view, strerror(errno));
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
do_bench(struct script *s, struct app *a, char **w, int n)
{
	int64_t ns;

	(void)s;
	if (n < 2 || n > 3 || parse_time(w[1], &ns) == -1 || ns <= 0 ||
	    (n == 3 && strcmp(w[2], "paced") != 0))
		return (-1);
	app_bench(a, ns, n == 3);
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
		snprintf(a->ui->message, sizeof(a->ui->message),
		    "size wants WxH, and no window");
		return (-1);
	}
	px = calloc((size_t)width * (size_t)height, sizeof(*px));
	if (px == NULL)
		return (-1);
	free(a->canvas.px);
	canvas_init(&a->canvas, px, width, height, width);
	ui_resize(a->ui, width, height);
	return (0);
}

static const struct {
	const char *name;
	int (*run)(struct script *, struct app *, char **, int);
} verbs[] = {
	{ "wait", do_wait },
	{ "limit", do_limit },
	{ "key", do_key },
	{ "type", do_type },
	{ "move", do_move },
	{ "leave", do_leave },
	{ "press", do_press },
	{ "release", do_release },
	{ "click", do_click },
	{ "doubleclick", do_doubleclick },
	{ "drag", do_drag },
	{ "wheel", do_wheel },
	{ "size", do_size },
	{ "snapshot", do_snapshot },
	{ "describe", do_describe },
	{ "bench", do_bench },
};

static int
run_line(struct script *s, struct app *a, char *line)
{
	char copy[LINE_BYTES], *words[WORDS_MAX], *p, *save = NULL;
	int n = 0;

	snprintf(copy, sizeof(copy), "%s", line);
	for (p = strtok_r(copy, " \t", &save); p != NULL && n < WORDS_MAX;
	     p = strtok_r(NULL, " \t", &save))
		words[n++] = p;
	if (n == 0 || words[0][0] == '#')
		return (0);
	a->ui->message[0] = '\0';
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(words[0], verbs[i].name) == 0)
			return (verbs[i].run(s, a, words, n));
	return (command_run(a->ui, line));
}

static void
stop(struct script *s, struct app *a, const char *why)
{
	log_warnx("%s:%u: %s", s->name, s->line,
	    why[0] != '\0' ? why : "arguments make no sense");
	a->code = EX_DATAERR;
	a->ui->quit = true;
}

/* A line is there (without its newline)?  Reads more when it is not. */
static bool
next_line(struct script *s, char *line)
{
	char *nl;
	size_t len, used;
	ssize_t got;

	while ((nl = memchr(s->buf, '\n', s->n)) == NULL && !s->end &&
	       s->n < sizeof(s->buf)) {
		got = read(s->fd, s->buf + s->n, sizeof(s->buf) - s->n);
		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1 && errno == EAGAIN)
			return (false);
		if (got <= 0)
			s->end = true;
		else
			s->n += (size_t)got;
	}
	if (nl == NULL && s->n == 0)
		return (false);
	used = nl != NULL ? (size_t)(nl - s->buf) + 1 : s->n;
	len = nl != NULL ? used - 1 : used;
	len = len < LINE_BYTES ? len : LINE_BYTES - 1;
	memcpy(line, s->buf, len);
	line[len] = '\0';
	s->n -= used;
	memmove(s->buf, s->buf + used, s->n);
	s->line++;
	return (true);
}

void
script_step(struct script *s, struct app *a)
{
	char line[LINE_BYTES];

	while (!a->ui->quit && a->bench_until_ns == 0) {
		if (s->wait != NULL) {
			if (!s->wait(s, a)) {
				if (app_now_ns() < s->wait_until_ns)
					return;
				if (s->wait != wait_never) {
					stop(s, a, "waited too long");
					return;
				}
			}
			s->wait = NULL;
		}
		if (a->ui->dirty || a->state_due) /* show it first */
			return;
		if (!next_line(s, line))
			return;
		if (run_line(s, a, line) == -1)
			stop(s, a, a->ui->message);
	}
}
