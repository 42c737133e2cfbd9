/*
 * How long a thread has been busy by an instant, or idle.
 *
 * A streak ends at the instant and begins where the time between has as much
 * busy time as it is long, or none at all: that is sought by halves in the
 * sums, so that a thread of millions of states costs no more than one of few.
 */
#include "streak.h"

#include <inttypes.h>
#include <math.h>

#include "model/detail.h"
#include "ui/draw/draw.h"
#include "ui/views/view.h"

#define HALF_PX   24
#define SHORT_NS  1e3 /* nothing to be seen of it */
#define DECADES   8   /* more of it is as long as there is room */
#define DESCRIBED 256

static int64_t
busy_ns(const struct ui *ui, uint32_t lane, int64_t t0, int64_t t1, bool *about)
{
	int64_t by_class[LANE_CLASSES] = { 0 };
	uint64_t spans;

	*about |= !model_lane_totals(ui->model, lane, t0, t1, by_class, &spans);
	return (span_add(by_class[LANE_running], by_class[LANE_overhead]));
}

/* From a to t it was all the time what it was at its end. */
static bool
holds(const struct ui *ui, uint32_t lane, int64_t a, int64_t t,
    struct streak *s)
{
	return (busy_ns(ui, lane, a, t, &s->about) == (s->busy ? t - a : 0));
}

struct streak
streak_until(const struct ui *ui, uint32_t lane, int64_t t)
{
	struct streak s = { 0, false, false };
	int64_t first, end, lo, hi, mid, last = model_last_ns(ui->model);

	t = t < last ? t : last;
	if (!model_lane_life(ui->model, lane, &first, &end) || t <= first)
		return (s);
	s.busy = busy_ns(ui, lane, t - 1, t, &s.about) > 0;
	if (s.about) /* what it is at the instant is not known */
		return (s);
	/* it holds from hi on, and does not from lo on, or there is no more */
	hi = t - 1;
	for (int64_t ns = 1024;; ns *= 2) {
		lo = ns < t - first ? t - ns : first - 1;
		if (lo < first || !holds(ui, lane, lo, t, &s))
			break;
		hi = lo;
	}
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (holds(ui, lane, mid, t, &s))
			hi = mid;
		else
			lo = mid;
	}
	s.ns = t - hi;
	return (s);
}

static int32_t
length_px(int64_t ns)
{
	double decades = log10((double)ns / SHORT_NS);

	return (decades <= 0 ? 1
		: decades >= DECADES
		    ? HALF_PX
		    : 1 + (int32_t)(decades * (HALF_PX - 1) / DECADES));
}

void
streak_draw(struct ui *ui, struct canvas *c, const struct streak *s, int32_t x,
    int32_t y, int32_t h)
{
	const struct palette *p = ui->palette;
	int32_t mid = x + HALF_PX, px;
	char span[32];

	if (s->ns <= 0)
		return;
	px = length_px(s->ns);
	canvas_fill(c, mid, y, mid + 1, y + h, p->line);
	if (s->busy)
		canvas_fill(c, mid, y + 2, mid + px, y + h - 2,
		    p->state[LANE_running]);
	else
		canvas_fill(c, mid - px, y + 2, mid, y + h - 2, p->dim);
	draw_right(c, FONT_SMALL, x + STREAK_PX - 12, y + h - 3, p->text,
	    "%s%s", s->about ? "~" : "",
	    format_span(span, sizeof(span), s->ns));
	if (hint_wanted(ui, x, y, x + STREAK_PX - 8, y + h))
		snprintf(ui->spots.hint, sizeof(ui->spots.hint),
		    "%s for %s\nwithout a break until the instant",
		    s->busy ? "busy" : "waiting or idle", span);
}

void
streak_describe(const struct ui *ui, int64_t t, FILE *f)
{
	uint32_t told = 0, all = 0;
	char name[96];

	fprintf(f, "streaks until %" PRId64 " ns\n", t - run_origin(ui));
	for (uint32_t i = 0; i < model_lanes(ui->model); i++) {
		const struct lane *l = model_lane(ui->model, i);
		struct streak s;

		if (!stacks_meant(ui, i, t) || ++all > DESCRIBED)
			continue;
		told++;
		s = streak_until(ui, i, t);
		if (s.ns <= 0 && !s.about)
			continue;
		fprintf(f,
		    "  %s PO %" PRIu32 " %s: ", label_node(ui->model, l->node),
		    l->po, label_lane(ui->model, l, name, sizeof(name)));
		if (s.ns > 0)
			fprintf(f, "%s %s%" PRId64 " ns\n",
			    s.busy ? "busy" : "not busy", s.about ? "~" : "",
			    s.ns);
		else
			fprintf(f, "not known\n");
	}
	if (told < all)
		fprintf(f, "  and %" PRIu32 " more\n", all - told);
}
