/*
 * See plugins.h: which plug-ins there are, what each is wanted for now, and
 * when a picture is one of all that there is.
 */
#include "app/plugins.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "plugin/process/process.h"
#include "ui/desk/desk.h"
#include "ui/panes/panes.h"
#include "ui/views/plugged.h"

#define PATIENT_S 60 /* for a picture of all that is there */

/* Words for a plug-in, each to be said with a question of its own. */
struct words {
	unsigned n;
	char word[PLUGGED_SAID][sizeof(((struct plug_ask *)0)->said)];
};

struct plugins {
	struct app *app;
	unsigned n; /* in use, or were: what has no path is free */
	bool patient;
	struct plug_process of[PLUGINS_MAX];
	char with[PLUGINS_MAX][PLUGGED_WORDS]; /* said to it when it begins */
	char run[PLUGINS_MAX][40];             /* that it was begun for */
	uint64_t events[PLUGINS_MAX]; /* of the run, when it was asked */
	struct words words[PLUGINS_MAX];
};

/* With the next word for it. */
static void
ask(struct plugins *ps, struct plug_process *p, const struct plug_ask *wish)
{
	struct words *w = &ps->words[p - ps->of];
	struct plug_ask what = *wish;

	if (w->n > 0) {
		memcpy(what.said, w->word[0], sizeof(what.said));
		memmove(w->word[0], w->word[1], --w->n * sizeof(w->word[0]));
	}
	ps->events[p - ps->of] = model_events(ps->app->ui->model);
	plug_ask(p, &what);
}

static bool
has_word(const struct plugins *ps, const struct plug_process *p)
{
	return (
	    p->state == PLUG_IDLE && p->drawn && ps->words[p - ps->of].n > 0);
}

static bool
unfinished(const struct plugins *ps, const struct plug_process *p)
{
	return (has_word(ps, p) ||
		(p->state == PLUG_IDLE && p->drawn && p->why[0] == '\0' &&
		    p->picture.head.permille < 1000));
}

static void
poll_one(struct plugins *ps, struct plug_process *p)
{
	plug_receive(p);
	plug_watch(p);
	if (unfinished(ps, p) &&
	    (has_word(ps, p) || app_now_ns() >= p->again_ns))
		ask(ps, p, &p->ask);
	if (p->news)
		picture_changed(ps->app->ui->picture);
	p->news = false;
}

void
plugins_poll(struct plugins *ps)
{
	for (unsigned i = 0; i < ps->n; i++)
		poll_one(ps, &ps->of[i]);
}

nfds_t
plugins_fds(const struct plugins *ps, struct pollfd *to)
{
	nfds_t n = 0;

	for (unsigned i = 0; i < ps->n; i++)
		if (plug_waits(&ps->of[i]))
			to[n++] = (struct pollfd){ ps->of[i].fd, POLLIN, 0 };
	return (n);
}

int64_t
plugins_due_ns(const struct plugins *ps, int64_t now)
{
	int64_t due = INT64_MAX, at;

	for (unsigned i = 0; i < ps->n; i++) {
		if (!plug_waits(&ps->of[i]) && !unfinished(ps, &ps->of[i]))
			continue;
		at = plug_waits(&ps->of[i])     ? PLUG_AGAIN_NS
		     : has_word(ps, &ps->of[i]) ? 0
						: ps->of[i].again_ns - now;
		due = at < due ? at : due;
	}
	return (due < 0 ? 0 : due);
}

bool
plugins_busy(const struct plugins *ps)
{
	for (unsigned i = 0; i < ps->n; i++)
		if (plug_waits(&ps->of[i]) || unfinished(ps, &ps->of[i]))
			return (true);
	return (false);
}

void
plugins_patient(struct plugins *ps, bool patient)
{
	ps->patient = patient;
}

static bool
is_of(const struct plug_process *p, const struct plug_ask *wish)
{
	return (p->drawn && p->ask.width == wish->width &&
		p->ask.height == wish->height &&
		p->ask.scroll == wish->scroll &&
		p->ask.t0_mon_ns == wish->t0_mon_ns &&
		p->ask.t1_mon_ns == wish->t1_mon_ns);
}

/* The next time that it is wanted it begins. */
static void
forget(struct plugins *ps, struct plug_process *p)
{
	ps->words[p - ps->of].n = 0;
	plug_over(p, "");
	p->state = PLUG_NOT_BEGUN;
}

/* The words that it was opened with come first. */
static void
say_first(struct plugins *ps, struct plug_process *p)
{
	struct words *w = &ps->words[p - ps->of];
	const char *at = ps->with[p - ps->of];

	w->n = 0;
	for (size_t n; *at != '\0'; at += n + (at[n] == ',')) {
		n = strcspn(at, ",");
		if (n > 0 && w->n < PLUGGED_SAID)
			snprintf(w->word[w->n++], sizeof(w->word[0]), "%.*s",
			    (int)n, at);
	}
}

/* The log that is shown; another one than it has begins anew. */
static void
follow(struct plugins *ps, struct plug_process *p)
{
	const struct app *a = ps->app;
	const char *log = a->file != NULL ? a->file : a->ui->feed.log;
	char *run = ps->run[p - ps->of];

	if (p->state != PLUG_NOT_BEGUN && a->file == NULL &&
	    a->ui->feed.run[0] != '\0' && strcmp(run, a->ui->feed.run) != 0)
		forget(ps, p);
	if (p->state != PLUG_NOT_BEGUN || log[0] == '\0')
		return; /* perhaps it will be known */
	snprintf(run, sizeof(ps->run[0]), "%s", a->ui->feed.run);
	say_first(ps, p);
	plug_begin(p, log);
}

/* Waits until the picture is of this, and of all that is there. */
static void
wait_for(struct plugins *ps, struct plug_process *p,
    const struct plug_ask *wish)
{
	int64_t until = app_now_ns() + PATIENT_S * (int64_t)1000000000;
	uint32_t from = 0;
	bool first = true;

	while (p->state != PLUG_OVER && app_now_ns() < until) {
		struct pollfd fd = { p->fd, POLLIN, 0 };

		if (p->state == PLUG_IDLE && !first && is_of(p, wish) &&
		    p->seq > from && !unfinished(ps, p))
			return;
		if (p->state == PLUG_IDLE) {
			from = first ? p->seq : from;
			first = false;
			ask(ps, p, wish);
		}
		if (plug_waits(p))
			poll(&fd, 1, 10);
		plug_receive(p);
		plug_watch(p);
	}
}

static void
show(void *arg, unsigned i, const struct plug_ask *wish, bool wait,
    struct plug_shown *to)
{
	struct plugins *ps = ((struct app *)arg)->plugins;
	struct plug_process *p = &ps->of[i];
	bool stale;

	follow(ps, p);
	stale = ps->events[i] != model_events(ps->app->ui->model) &&
		app_now_ns() >= p->again_ns;
	if (p->state == PLUG_NOT_BEGUN)
		snprintf(p->why, sizeof(p->why),
		    "a plug-in reads the file of the log, which is not on "
		    "this machine, or not known yet");
	else if (wait || ps->patient)
		wait_for(ps, p, wish);
	else if (p->state == PLUG_IDLE && (!is_of(p, wish) || stale))
		ask(ps, p, wish);
	to->picture = p->drawn && p->why[0] == '\0' ? &p->picture : NULL;
	to->why = p->why;
	to->words = ps->with[i];
	to->over = p->state == PLUG_OVER;
}

/* Now, or when it has answered what it was asked before. */
static int
tell(void *arg, unsigned i, const char *word)
{
	struct plugins *ps = ((struct app *)arg)->plugins;
	struct plug_process *p = &ps->of[i];
	struct plug_ask what = p->ask;
	struct words *w = &ps->words[i];

	if (p->state == PLUG_NOT_BEGUN || p->state == PLUG_OVER || !p->drawn)
		return (-1);
	snprintf(what.said, sizeof(what.said), "%s", word);
	if (!plug_ask_right(&what) || w->n == PLUGGED_SAID)
		return (-1);
	memcpy(w->word[w->n++], what.said, sizeof(what.said));
	if (p->state == PLUG_IDLE)
		ask(ps, p, &p->ask);
	return (0);
}

static int
add(void *arg, const char *path, char *why, size_t n)
{
	return (plugins_add(((struct app *)arg)->plugins, path, why, n));
}

static void
close_(void *arg, unsigned i)
{
	struct plugins *ps = ((struct app *)arg)->plugins;
	struct plug_process *p = &ps->of[i];

	forget(ps, p);
	p->path[0] = '\0';
	p->news = false;
	plugged_name_set(i, "");
}

struct plugins *
plugins_new(struct app *a)
{
	struct plugins *ps = calloc(1, sizeof(*ps));
	struct host *h = &a->ui->desks->host;

	if (ps == NULL)
		return (NULL);
	ps->app = a;
	h->plugin_add_cb = add;
	h->plugin_close_cb = close_;
	h->plugin_show_cb = show;
	h->plugin_tell_cb = tell;
	return (ps);
}

void
plugins_free(struct plugins *ps)
{
	if (ps == NULL)
		return;
	for (unsigned i = 0; i < ps->n; i++) {
		plug_reap(&ps->of[i]);
		plug_picture_clear(&ps->of[i].picture);
		plugged_name_set(i, "");
	}
	free(ps);
}

static int
anew(struct plugins *ps, enum view_id v)
{
	forget(ps, &ps->of[v - VIEW_PLUGIN_1]);
	return (0);
}

/* One of that name begins anew, with these words. */
static int
again(struct plugins *ps, enum view_id v, const struct plugged_spec *s,
    const char *path)
{
	if (strcmp(path, ps->of[v - VIEW_PLUGIN_1].path) != 0)
		return (-1);
	memcpy(ps->with[v - VIEW_PLUGIN_1], s->words, sizeof(s->words));
	return (anew(ps, v));
}

int
plugins_add(struct plugins *ps, const char *spec, char *why, size_t n)
{
	char path[PATH_MAX];
	struct plugged_spec s;
	enum view_id v = view_named(spec, strlen(spec));
	unsigned i = 0;

	if (v >= VIEW_PLUGIN_1 && v < VIEWS)
		return (anew(ps, v));
	if (!plugged_spec_read(spec, &s)) {
		snprintf(why, n,
		    "%.100s: expected FILE.so, NAME=FILE.so, and behind that "
		    ",WORD,WORD of up to 63 bytes",
		    spec);
		return (-1);
	}
	if (access(s.path, R_OK) == -1 || realpath(s.path, path) == NULL) {
		snprintf(why, n, "%s: %s", s.path, strerror(errno));
		return (-1);
	}
	v = view_named(s.name, strlen(s.name));
	if (v >= VIEW_PLUGIN_1 && v < VIEWS && again(ps, v, &s, path) == 0)
		return (0);
	if (v != VIEWS) {
		snprintf(why, n,
		    "%s: a view has the name %s: say another, as in mine=%s",
		    s.path, s.name, s.path);
		return (-1);
	}
	while (i < ps->n && ps->of[i].path[0] != '\0')
		i++;
	if (i == PLUGINS_MAX) {
		snprintf(why, n, "%s: %d plug-ins are all there can be", s.path,
		    PLUGINS_MAX);
		return (-1);
	}
	ps->n = i == ps->n ? ps->n + 1 : ps->n;
	memset(&ps->of[i], 0, sizeof(ps->of[i]));
	ps->of[i].fd = -1;
	memcpy(ps->of[i].path, path, sizeof(path));
	memcpy(ps->with[i], s.words, sizeof(s.words));
	plugged_name_set(i, s.name);
	return (0);
}
