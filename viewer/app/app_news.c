/*
 * What comes from the feeds: the run, and another one beside it while two are
 * compared.
 */
#include "app/app_inside.h"

#include <sysexits.h>

#include "feed/cone.h"
#include "log.h"
#include "ui/desk/desk.h"
#include "ui/whole/compare.h"
#include "ui/whole/frame.h"

void
app_feed_go(struct app *a)
{
	if (a->feed_goes || a->run[0].feed == NULL ||
	    (a->ui->picture->frame == 0 && !app_asleep(a)))
		return;
	a->feed_goes = true;
	if (feed_go(a->run[0].feed) == 0)
		return;
	log_warn("nothing can be read");
	a->code = EX_OSERR;
	a->ui->desks->host.quit = true;
}

/* Figures that are to be exact. */
static void
want_sums(struct ui *ui, struct feed *f)
{
	int64_t t0, t1;

	for (unsigned i = 0; i < SUMS_KINDS; i++) {
		if (!ui_wants_sums(ui, i, &t0, &t1))
			continue;
		feed_want_sums(f, i, t0, t1);
		/* until the feed says so itself: scripts wait for it, too */
		ui->feed.summing = true;
	}
}

/* The log once more, for causes, where its file is not at hand. */
static void
bring_frames(struct cone *c, struct feed *f)
{
	struct buf in;
	uint64_t from, until;
	enum feed_frames got;

	if (cone_wants(c, &from))
		feed_want_frames(f, from);
	if (c == NULL || !cone_hungry(c))
		return;
	got = feed_frames(f, &in, &until);
	cone_bring(c, &in, until, got);
}

/* What one of the runs has done since; m: its model, which may be new. */
static void
take_run(struct ui *ui, struct app_run *r, struct model *m)
{
	struct model *old = r->model;
	struct feed_status st;
	int64_t t0, t1;

	feed_status(r->feed, &st);
	if (m != NULL)
		r->model = m;
	ui_refresh(ui, r->model, &st);
	if (m != NULL)
		model_free(old);
	ui_sketch(ui, feed_sketch(r->feed));
	if (feed_detail(r->feed, r->model))
		picture_changed(ui->picture);
	if (feed_sums(r->feed, r->model))
		picture_changed(ui->picture);
	if (ui_wants(ui, &t0, &t1))
		feed_want(r->feed, t0, t1);
	want_sums(ui, r->feed);
}

void
app_take_news(struct app *a)
{
	struct app_run *r = a->run;

	if (r[0].feed == NULL)
		return;
	if (a->ui->desks->host.reconnect)
		feed_reconnect(r[0].feed);
	a->ui->desks->host.reconnect = false;
	if (a->ui->desks->host.probe != NULL)
		feed_probe(r[0].feed, a->ui->desks->host.probe);
	a->ui->desks->host.probe = NULL;
	take_run(a->ui, &r[0], feed_new_model(r[0].feed));
	bring_frames(a->ui->causality.cone, r[0].feed);
	if (r[1].feed != NULL)
		take_run(a->ui->desks->desk[1], &r[1], NULL);
}

/* The other run goes, if there is one. */
static void
compare_close(struct app *a)
{
	if (a->run[1].model == NULL)
		return;
	compare_with(a->ui, NULL);
	feed_stop(a->run[1].feed);
	model_free(a->run[1].model);
	a->run[1].feed = NULL;
	a->run[1].model = NULL;
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
			  : feed_new(m, path, NULL, why, n, &a->other_code);
	if (f == NULL || feed_go(f) == -1) {
		feed_stop(f);
		ui_free(other);
		model_free(m);
		return (-1);
	}
	model_set_memory(m, model_memory(a->run[0].model));
	compare_close(a);
	a->run[1].model = m;
	a->run[1].feed = f;
	feed_status(f, &st);
	ui_refresh(other, m, &st);
	compare_with(a->ui, other);
	return (0);
}
