/*
 * A script: the commands of the table, one a line, and a few that only make
 * sense here (script_verbs.c).  One line is run per frame, so that what a line
 * does is on the screen before the next one.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "app/plugins.h"
#include "app/script_inside.h"
#include "log.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/input/input.h"
#include "ui/out/out.h"

#define LINE_BYTES     1024
#define LIMIT_NS       ((int64_t)60 * 1000000000)
/* By then what a hasty frame has left out was drawn, too. */
#define LATER_FRAMES   8
#define SETTLED_FRAMES 10000 /* figures, though it is drawn again */

struct script *
script_open(const char *path)
{
	struct script *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return (NULL);
	s->limit_ns = LIMIT_NS;
	s->limit_frames = SETTLED_FRAMES;
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

bool
script_paced(const struct script *s)
{
	return (s->paced);
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

static int
run_verb(struct script *s, struct app *a, const struct script_verb *verb,
    char **words, int n)
{
	char *message = a->ui->told.message;
	size_t room = sizeof(a->ui->told.message);

	if (n == 1 || verb->arguments[0] != '\0') {
		if (verb->run(s, a, words, n) == 0)
			return (0);
		message = a->ui->told.message; /* of another ui, it may be */
		if (message[0] == '\0')
			snprintf(message, room, "%s wants %s", verb->name,
			    verb->arguments);
	} else {
		snprintf(message, room, "%s takes nothing more", verb->name);
	}
	return (-1);
}

static int
run_command(struct script *s, struct app *a, char *line)
{
	char copy[LINE_BYTES], *words[SCRIPT_WORDS], *p, *save = NULL;
	const struct script_verb *verb;
	int n = 0;

	snprintf(copy, sizeof(copy), "%s", line);
	for (p = strtok_r(copy, " \t", &save); p != NULL && n < SCRIPT_WORDS;
	     p = strtok_r(NULL, " \t", &save))
		words[n++] = p;
	if (n == 0 || words[0][0] == '#')
		return (0);
	a->ui->told.message[0] = '\0';
	if (!parse_text_ok(line))
		return (desk_fail(a->ui, "the line is no UTF-8 text"));
	verb = script_verb(words[0]);
	return (verb != NULL ? run_verb(s, a, verb, words, n)
			     : command_run(a->ui, line));
}

/*
 * "try": an error is no matter.  "refused": the sentence of the error is what
 * is wanted.
 */
static int
run_line(struct script *s, struct app *a, char *line)
{
	char *at = line + strspn(line, " \t");
	size_t n = strcspn(at, " \t");
	bool refused = n == 7 && strncmp(at, "refused", n) == 0;
	int rc;

	s->tries = refused || (n == 3 && strncmp(at, "try", n) == 0);
	if (!s->tries)
		return (run_command(s, a, line));
	rc = run_command(s, a, at + n);
	if (refused) {
		printf("%s\n", rc == 0 ? "done" : a->ui->told.message);
		fflush(stdout);
	}
	return (0);
}

static void
stop(struct script *s, struct app *a, const char *why)
{
	log_warnx("%s:%u: %s", s->name, s->line,
	    why[0] != '\0' ? why : "this cannot be done now");
	a->code = EX_DATAERR;
	a->ui->desks->host.quit = true;
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
	s->too_long = len >= LINE_BYTES;
	len = s->too_long ? LINE_BYTES - 1 : len;
	memcpy(line, s->buf, len);
	line[len] = '\0';
	s->n -= used;
	memmove(s->buf, s->buf + used, s->n);
	s->line++;
	return (true);
}

/* Figures that are only about right yet; of a run that grows they may stay. */
static bool
unsettled(const struct app *a)
{
	return (a->run[0].feed != NULL &&
		(plugins_busy(a->plugins) || ui_settling(a->ui) ||
		    (two_runs(a->ui) && ui_settling(a->ui->desks->desk[1]))));
}

/*
 * What was done is on the screen: nothing is left to be drawn, or, in a run
 * that never stands still, it was drawn some frames ago.
 */
static bool
is_shown(const struct script *s, const struct app *a)
{
	bool drawn = !picture_due(a->ui->picture) &&
		     a->told_frame == a->ui->picture->frame;

	if (drawn && (s->limit_frames < SETTLED_FRAMES ||
			 (!sums_busy(a->ui) && !unsettled(a))))
		return (true);
	return (
	    a->told_frame > s->run_at_frame + (!run_grows(a->ui) && unsettled(a)
						      ? s->limit_frames
						      : LATER_FRAMES));
}

/* False: what was asked for could not be told. */
static bool
was_told(struct script *s, struct app *a)
{
	bool failed = s->asks && a->ui->causality.why[0] != '\0';

	s->asks = false;
	if (failed && !s->tries)
		stop(s, a, a->ui->causality.why);
	return (!failed || s->tries);
}

/* False: it could not be. */
static bool
was_written(struct script *s, struct app *a)
{
	bool failed = s->writes && a->ui->told.failed;

	s->writes = false;
	if (failed && !s->tries)
		stop(s, a, a->ui->told.message);
	return (!failed || s->tries);
}

void
script_step(struct script *s, struct app *a)
{
	char line[LINE_BYTES];

	while (!a->ui->desks->host.quit) {
		if (s->wait != NULL) {
			if (!s->wait(s, a)) {
				if (app_now_ns() < s->wait_until_ns)
					return;
				if (!s->wait_for_ever) {
					stop(s, a, "waited too long");
					return;
				}
			}
			s->wait = NULL;
		}
		if (causality_busy(a->ui)) { /* that comes to an end */
			s->asks = true;
			s->run_at_frame = a->ui->picture->frame;
			return;
		}
		if (list_goes_on(a->ui)) { /* that does, too */
			s->writes = true;
			return;
		}
		if (!was_told(s, a) || !was_written(s, a))
			return;
		if (!is_shown(s, a))
			return;
		if (!next_line(s, line))
			return;
		if (s->too_long) {
			stop(s, a, "a line has less than 1024 bytes");
			return;
		}
		if (run_line(s, a, line) == -1)
			stop(s, a, a->ui->told.message);
		s->run_at_frame = a->ui->picture->frame;
	}
}
