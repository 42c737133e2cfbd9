/*
 * What comes from the feeds: the run, and another one beside it while two are
 * compared.
 */
#include "app/app_inside.h"

#include <sysexits.h>

#include "app/compare.h"
#include "app/frame.h"
#include "feed/cone.h"
#include "frame.h"
#include "log.h"
#include "ui/desk/desk.h"

void
app_feed_go(struct app *a)
{
	if (a->feed_goes || a->feed == NULL ||
	    (a->ui->picture.frame == 0 && !app_asleep(a)))
		return;
	a->feed_goes = true;
	if (feed_go(a->feed) == 0)
		return;
	log_warn("nothing can be read");
	a->code = EX_OSERR;
	a->ui->host.quit = true;
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

void
app_take_news(struct app *a)
{
	struct feed_status st;
	struct model *m, *old = a->model;
	int64_t t0, t1;

	if (a->feed == NULL)
		return;
	if (a->ui->host.reconnect)
		feed_reconnect(a->feed);
	a->ui->host.reconnect = false;
	m = feed_new_model(a->feed);
	feed_status(a->feed, &st);
	if (m != NULL)
		a->model = m;
	ui_refresh(a->ui, a->model, &st);
	if (m != NULL)
		model_free(old);
	ui_sketch(a->ui, feed_sketch(a->feed));
	if (feed_detail(a->feed, a->model))
		picture_changed(&a->ui->picture);
	if (feed_sums(a->feed, a->model))
		picture_changed(&a->ui->picture);
	if (ui_wants(a->ui, &t0, &t1))
		feed_want(a->feed, t0, t1);
	want_sums(a->ui, a->feed);
	bring_frames(a->ui->causality.cone, a->feed);
	if (a->other_feed == NULL)
		return;
	feed_status(a->other_feed, &st);
	ui_refresh(a->ui->compare.other, a->other_model, &st);
	ui_sketch(a->ui->compare.other, feed_sketch(a->other_feed));
	if (feed_detail(a->other_feed, a->other_model))
		picture_changed(&a->ui->compare.other->picture);
	if (feed_sums(a->other_feed, a->other_model))
		picture_changed(&a->ui->compare.other->picture);
	if (ui_wants(a->ui->compare.other, &t0, &t1))
		feed_want(a->other_feed, t0, t1);
	want_sums(a->ui->compare.other, a->other_feed);
	if (picture_due(&a->ui->compare.other->picture))
		picture_changed(&a->ui->picture);
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
			  : feed_new(m, path, NULL, why, n, &a->other_code);
	if (f == NULL || feed_go(f) == -1) {
		feed_stop(f);
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
