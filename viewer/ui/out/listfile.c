/*
 * The list of spans as a file for other programs: a head, then a line each with
 * tabs between, times in ns from the start of the run.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "ui/desk/desk.h"
#include "ui/out/out.h"
#include "ui/out/outfile.h"
#include "ui/views/calls/list.h"

#define PART 256 /* rows that are asked for at once */

static const char head[] = LIST_HEAD "\tends_ns\tstate\twhat\t"
				     "within\twaits_ns\tin\tfor\thow\n";

struct writing {
	struct ui *ui;
	FILE *f;
	uint32_t lane;
	int64_t t0, t1, now;
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

	list_row(w->ui, w->lane, piece, &l);
	open = l.s.t1_mon_ns == INT64_MAX || l.s.t1_mon_ns > w->now;
	end = open ? w->now : l.s.t1_mon_ns;
	put(w->f, label_where(w->ui, w->lane, INT64_MIN, where, sizeof(where)),
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
	put(w->f, list_word(w->ui, &l.s), '\t');
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

	model_lane_totals(w->ui->model, w->lane, INT64_MIN / 4, t, by_class,
	    &n);
	return (n);
}

/* -1: some of them have been given up. */
static int
put_rows(const struct writing *w, uint64_t from, uint64_t n)
{
	struct span span[PART];
	size_t got, most;

	for (; n > 0; from += got, n -= got) {
		most = n < PART ? (size_t)n : PART;
		got = model_lane_list(w->ui->model, w->lane, from, span, most);
		if (got > most)
			return (-1);
		if (got == 0)
			break;
		for (size_t i = 0; i < got; i++)
			put_row(w, from + i + 1, &span[i]);
	}
	return (0);
}

int
list_write(struct ui *ui, const char *path)
{
	struct writing w = { .ui = ui,
		.lane = ui->time.selected_lane,
		.now = run_now(ui) };
	struct outfile o;
	uint64_t all, from, n, put;
	int rc;

	if (w.lane == UINT32_MAX || !model_lane_listed(ui->model, w.lane, &all))
		return (desk_fail(ui,
		    "select the row of a thread, object or lock: its list is "
		    "written"));
	if (!figures_range(ui, &w.t0, &w.t1))
		return (desk_fail(ui, "nothing has happened in this time"));
	from = rank(&w, w.t0);
	n = rank(&w, w.t1 + 1) - from; /* the last instant, too */
	put = n < LIST_WRITES ? n : LIST_WRITES;
	if (outfile_open(&o, path) == -1)
		return (desk_fail(ui, "cannot write %.120s: %s", path,
		    outfile_trouble(errno)));
	w.f = o.f;
	fputs(head, w.f);
	rc = put_rows(&w, from, put);
	if (rc == -1)
		desk_fail(ui,
		    "%.120s: given up for want of memory (--memory): "
		    "only sums are left",
		    path);
	if (outfile_close(&o, rc == 0 && ferror(o.f) == 0) == -1 && rc == 0)
		rc = desk_fail(ui, "cannot write %.120s: %s", path,
		    outfile_trouble(errno));
	if (rc == 0)
		snprintf(ui->told.message, sizeof(ui->told.message),
		    "written to %.120s: %" PRIu64 " of %" PRIu64
		    " in this time",
		    path, put, n);
	return (rc);
}
