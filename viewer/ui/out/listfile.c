/*
 * The list of spans as a file for other programs: a head, then a line each with
 * tabs between, times in ns from the start of the run.
 *
 * A long one takes seconds: it is written part by part, between frames.  Which
 * rows it has, and of which instant they are, is decided when it is begun.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/out/out.h"
#include "ui/out/outfile.h"
#include "ui/views/calls/list.h"

#define PART    256 /* rows that are asked for at once */
#define AT_ONCE 4   /* parts, before anybody would see that it takes long */
#define IDLE    2   /* parts between frames: some 2 ms */

static const char head[] = LIST_HEAD "\tends_ns\tstate\twhat\t"
				     "within\twaits_ns\tin\tfor\thow\n";

struct writing {
	struct ui *ui;
	FILE *f; /* of the file */
	struct outfile file;
	char path[200];
	struct list_of of;
	int64_t now;
	uint64_t next, n, all; /* row; rows that are wanted, and there are */
	uint64_t put;
	unsigned percent; /* that was told */
};

/* A name may have anything in it. */
static void
put(FILE *f, const char *text, char end)
{
	for (; *text != '\0'; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, f);
	fputc(end, f);
}

static void
put_whom(const struct writing *w, const struct listed *l)
{
	static const char *const how[] = { "", "holds it", "serves it" };
	const struct wait *x = &l->wait;
	char who[160] = "";

	if (x->of != UINT32_MAX)
		label_where(w->ui, x->of, INT64_MIN, who, sizeof(who));
	put(w->f, who, '\t');
	put(w->f,
	    x->how != WAIT_ENDED ? how[x->how]
	    : wait_binds(x)      ? "ended it"
				 : "had ended it before",
	    '\n');
}

static void
put_row(const struct writing *w, uint64_t number, const struct span *piece)
{
	struct listed l;
	char where[160];
	bool open;
	int64_t end, origin = run_origin(w->ui);

	list_row(w->ui, &w->of, piece, &l);
	open = l.s.t1_mon_ns == INT64_MAX || l.s.t1_mon_ns > w->now;
	end = open ? w->now : l.s.t1_mon_ns;
	put(w->f,
	    label_where(w->ui, w->of.lane, INT64_MIN, where, sizeof(where)),
	    '\t');
	fprintf(w->f, "%" PRIu64 "\t%" PRId64 "\t%s%" PRId64 "\t", number,
	    l.s.t0_mon_ns - origin, l.w.more ? ">" : "", end - l.s.t0_mon_ns);
	if (l.so_far_ns >= 0)
		fprintf(w->f, "%s%" PRId64, l.about ? "~" : "", l.so_far_ns);
	fputc('\t', w->f);
	if (!open && !l.w.more)
		fprintf(w->f, "%" PRId64, end - origin);
	fputc('\t', w->f);
	put(w->f, label_state(&l.s), '\t');
	put(w->f, list_word(w->ui, w->of.lane, &l.s), '\t');
	fprintf(w->f, "%" PRIu64 "\t%" PRId64 "\t", l.w.within, l.w.waits_ns);
	put(w->f, l.in != 0 ? label_name(w->ui->model, l.in) : "", '\t');
	put_whom(w, &l);
}

/* How many began before t. */
static uint64_t
rank(const struct writing *w, int64_t t)
{
	int64_t by_class[LANE_CLASSES];
	uint64_t n = 0;

	model_lane_totals(w->ui->model, w->of.lane, INT64_MIN / 4, t, by_class,
	    &n);
	return (n);
}

/* Some rows, as they were when it was begun; -1: some have been given up. */
static int
put_part(struct writing *w)
{
	int64_t was = w->ui->play.head_mon_ns;
	struct span span[PART];
	size_t most = w->n - w->put < PART ? (size_t)(w->n - w->put) : PART;
	size_t got =
	    model_lane_list(w->ui->model, w->of.lane, w->next, span, most);

	if (got > most)
		return (-1);
	w->ui->play.head_mon_ns = w->now;
	for (size_t i = 0; i < got; i++)
		put_row(w, w->next + i + 1, &span[i]);
	w->ui->play.head_mon_ns = was;
	w->next += got;
	w->put += got;
	if (got == 0) /* there are no more */
		w->n = w->put;
	return (0);
}

static void
writing_free(struct ui *ui)
{
	free(ui->lists.writing);
	ui->lists.writing = NULL;
	ui->told.goes_on[0] = '\0';
	picture_changed(ui->picture);
}

static int
end(struct ui *ui, int rc)
{
	struct writing *w = ui->lists.writing;

	if (rc == -1)
		desk_fail(ui,
		    "%.120s: given up for want of memory (--memory): "
		    "only sums are left",
		    w->path);
	if (outfile_close(&w->file, rc == 0 && ferror(w->f) == 0) == -1 &&
	    rc == 0)
		rc = desk_fail(ui, "cannot write %.120s: %s", w->path,
		    outfile_trouble(errno));
	if (rc == 0)
		snprintf(ui->told.message, sizeof(ui->told.message),
		    "written to %.120s: %" PRIu64 " of %" PRIu64
		    " in this time",
		    w->path, w->put, w->all);
	ui->told.failed = rc == -1;
	writing_free(ui);
	return (rc);
}

static void
tell(struct ui *ui)
{
	struct writing *w = ui->lists.writing;
	unsigned percent = (unsigned)(w->put * 100 / w->n);
	char rows[32];

	if (percent == w->percent && ui->told.goes_on[0] != '\0')
		return;
	w->percent = percent;
	snprintf(ui->told.goes_on, sizeof(ui->told.goes_on),
	    "%u %% of %s rows written, Escape stops it: %s", percent,
	    format_count(rows, sizeof(rows), w->n), w->path);
	picture_changed(ui->picture);
}

/* So many parts at most; -1: it could not be written. */
static int
go_on(struct ui *ui, unsigned parts, bool all)
{
	struct writing *w = ui->lists.writing;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && w->put < w->n && (all || i < parts);
	     i++) {
		rc = put_part(w);
		if (!all && draw_stopped(ui))
			break;
	}
	if (rc == -1 || w->put == w->n || ferror(w->f) != 0)
		return (end(ui, rc));
	tell(ui);
	return (0);
}

bool
list_goes_on(const struct ui *ui)
{
	return (ui->lists.writing != NULL);
}

bool
list_go_on(struct ui *ui)
{
	if (ui->lists.writing == NULL)
		return (false);
	go_on(ui, IDLE, false);
	return (true);
}

int
list_stop(struct ui *ui)
{
	struct writing *w = ui->lists.writing;

	if (w == NULL)
		return (desk_fail(ui, "no list is being written"));
	outfile_close(&w->file, 0);
	snprintf(ui->told.message, sizeof(ui->told.message),
	    "stopped: %s is not written", w->path);
	writing_free(ui);
	return (0);
}

/* Which rows, of which file; NULL: what is wrong is said. */
static struct writing *
writing_new(struct ui *ui, const char *path)
{
	struct writing *w = calloc(1, sizeof(*w));
	uint64_t all;

	if (w == NULL) {
		desk_fail(ui, "memory is out");
		return (NULL);
	}
	w->ui = ui;
	w->of = list_selected(ui);
	w->now = run_now(ui);
	snprintf(w->path, sizeof(w->path), "%s", path);
	if (w->of.lane == UINT32_MAX ||
	    !model_lane_listed(ui->model, w->of.lane, &all))
		desk_fail(ui,
		    "select the row of a thread, object or lock: its list is "
		    "written");
	else if (w->of.t1 < w->of.t0)
		desk_fail(ui, "nothing has happened in this time");
	else if (outfile_open(&w->file, w->path) == -1)
		desk_fail(ui, "cannot write %.120s: %s", path,
		    outfile_trouble(errno));
	else {
		w->f = w->file.f;
		w->next = rank(w, w->of.t0);
		w->all = rank(w, w->of.t1 + 1) - w->next; /* the last, too */
		w->n = w->all < LIST_WRITES ? w->all : LIST_WRITES;
		return (w);
	}
	free(w);
	return (NULL);
}

int
list_write(struct ui *ui, const char *path)
{
	if (ui->lists.writing != NULL)
		return (desk_fail(ui, "%.120s is still being written",
		    ui->lists.writing->path));
	ui->lists.writing = writing_new(ui, path);
	if (ui->lists.writing == NULL)
		return (-1);
	fputs(head, ui->lists.writing->f);
	return (go_on(ui, AT_ONCE, ui->picture->stop_cb == NULL));
}
