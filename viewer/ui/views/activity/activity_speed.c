/*
 * How fast the work went: what programs say at the end of a phase that they
 * have done, by how long it took.  Above the mean of each phase, with a dot for
 * each thread; below each thread's phases over time, brighter where they were
 * faster.  A phase belongs to the range in which it ends.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/chart/curve.h"
#include "layout/chart/shades.h"
#include "speed.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/draw/layer.h"
#include "ui/views/view.h"
#include "ui/views/words.h"

#define PAUSE     20 /* frames, while a run grows */
#define LEFT_PX   150
#define BELOW_PX  30
#define TIMES_PX  18
#define ROW_PX    14
#define BAR_MOST  110 /* px */
#define BAR_LEAST 44  /* of a phase, with its dots */
#define SCALE_PX  160
#define TICKS     40
#define DESCRIBED 64

/* --- added up --- */

void
speeds_clear(struct speeds *s)
{
	free(s->by_name);
	free(s->by_thread);
	memset(s, 0, sizeof(*s));
}

/* Units a second; 0 if it took no time. */
static double
speed_of(const struct speed *s)
{
	return (s->ns <= 0 ? 0 : (double)s->units * 1e9 / (double)s->ns);
}

/* It ends in the range, and its name is one of those that are shown. */
static bool
is_meant(const struct ui *ui, const struct speeds *s, const struct phase *p)
{
	return (p->t1_mon_ns >= s->t0 && p->t1_mon_ns < s->t1 &&
		(s->only[0] == '\0' ||
		    strstr(label_name(ui->model, p->name), s->only) != NULL));
}

/* Of one phase alone. */
static struct speed
of_phase(const struct phase *p)
{
	return ((struct speed){ p->name, p->lane, 1, p->units,
	    p->t1_mon_ns - p->t0_mon_ns });
}

static int
by_name_lane(const void *a, const void *b)
{
	const struct speed *p = a, *q = b;

	if (p->name != q->name)
		return (p->name < q->name ? -1 : 1);
	return (p->lane < q->lane ? -1 : p->lane > q->lane);
}

/* Equal ones become one; returns how many are left. */
static size_t
merge(struct speed *v, size_t n, bool lanes)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		struct speed *last = to == 0 ? NULL : &v[to - 1];

		if (last == NULL || last->name != v[i].name ||
		    (lanes && last->lane != v[i].lane)) {
			v[to] = v[i];
			v[to].lane = lanes ? v[i].lane : UINT32_MAX;
			to++;
			continue;
		}
		last->count += v[i].count;
		last->units += v[i].units;
		last->ns = span_add(last->ns, v[i].ns);
	}
	return (to);
}

static void
add_up(struct ui *ui, struct speeds *s)
{
	struct speed *v = malloc((s->phases + 1) * sizeof(*v)), *names;
	size_t n = 0;

	for (uint32_t i = 0; v != NULL && i < s->phases; i++) {
		const struct phase *p = model_phase(ui->model, i);

		if (!is_meant(ui, s, p))
			continue;
		if (p->units == 0) {
			s->without++;
			continue;
		}
		v[n++] = of_phase(p);
	}
	if (n > 1)
		qsort(v, n, sizeof(*v), by_name_lane);
	s->by_thread = v;
	s->threads = merge(v, n, true);
	names = malloc((s->threads + 1) * sizeof(*names));
	if (names != NULL && v != NULL && s->threads > 0)
		memcpy(names, v, s->threads * sizeof(*names));
	s->by_name = names;
	s->names = names == NULL ? 0 : merge(names, s->threads, false);
}

static struct speeds
wanted(const struct ui *ui)
{
	struct speeds s = { .model = ui->model,
		.phases = model_phases(ui->model) };

	if (!figures_range(ui, &s.t0, &s.t1))
		s.t1 = s.t0;
	else if (s.t1 >= run_end(ui) || s.t1 == ui->play.head_mon_ns)
		s.t1++; /* what happens with the last event belongs to it */
	snprintf(s.only, sizeof(s.only), "%s", ui->chosen.talk.phase);
	return (s);
}

static bool
same(const struct speeds *a, const struct speeds *b)
{
	return (a->model == b->model && a->t0 == b->t0 && a->t1 == b->t1 &&
		a->phases == b->phases && strcmp(a->only, b->only) == 0);
}

void
speed_prepare(struct ui *ui)
{
	struct speeds *s = activity_speeds(ui), want = wanted(ui);

	if (same(s, &want))
		return;
	if (s->model == ui->model && ui->picture->stop_cb != NULL &&
	    (picture_hasty(ui->picture) ||
		(run_grows(ui) && ui->picture->frame < s->due))) {
		ui->picture->undone = true;
		return;
	}
	speeds_clear(s);
	*s = want;
	s->due = ui->picture->frame + PAUSE;
	add_up(ui, s);
}

/* --- the mean of each phase --- */

static void
hint_speed(struct ui *ui, const struct speed *s, const char *who)
{
	char a[32], b[32], c[32];

	snprintf(ui->spots.hint, sizeof(ui->spots.hint),
	    "%.60s\n%.100s\n%s units/s\n%" PRIu64 " phase%s, %s units in %s",
	    label_name(ui->model, s->name), who,
	    format_short(a, sizeof(a), speed_of(s)), s->count,
	    s->count == 1 ? "" : "s", format_count(b, sizeof(b), s->units),
	    format_span(c, sizeof(c), s->ns));
}

static double
fastest(const struct speeds *s)
{
	double most = 0;

	for (size_t i = 0; i < s->threads; i++)
		if (speed_of(&s->by_thread[i]) > most)
			most = speed_of(&s->by_thread[i]);
	return (most);
}

/* A dot for each thread, beside its phase's bar. */
static void
draw_dots(struct ui *ui, struct canvas *c, const struct speeds *s,
    uint32_t name, const struct axis *y, int32_t x)
{
	char who[160];

	for (size_t i = 0; i < s->threads; i++) {
		const struct speed *k = &s->by_thread[i];
		int32_t at = axis_at_q(y, speed_of(k));

		if (k->name != name)
			continue;
		canvas_disc(c, x * SCENE_ONE, at, 2 * SCENE_ONE,
		    ui->palette->text, 255);
		at /= SCENE_ONE;
		if (hint_wanted(ui, x - 5, at - 3, x + 5, at + 3))
			hint_speed(ui, k,
			    label_where(ui, k->lane, INT64_MIN, who,
				sizeof(who)));
	}
}

static void
draw_mean(struct ui *ui, struct canvas *c, const struct speeds *s, size_t i,
    const struct axis *y, int32_t x, int32_t w)
{
	const struct speed *k = &s->by_name[i];
	const char *name = label_name(ui->model, k->name);
	int32_t top = axis_at_q(y, speed_of(k)) / SCENE_ONE;
	uint32_t rgb = palette_of_name(ui->model, k->name);
	char text[64], command[80];

	canvas_fill(c, x, top, x + w - 20, y->lo_px, rgb);
	draw_dots(ui, c, s, k->name, y, x + w - 12);
	draw_cut(c, FONT_SMALL, x, y->lo_px + 12, w - 4, ui->palette->text,
	    name);
	draw_text(c, FONT_SMALL, x, y->lo_px + 25, ui->palette->dim, "%s",
	    format_short(text, sizeof(text), speed_of(k)));
	if (hint_wanted(ui, x, y->hi_px, x + w - 20, y->lo_px))
		hint_speed(ui, k, "all threads, mean");
	snprintf(command, sizeof(command), "phases %s",
	    ui->chosen.talk.phase[0] == '\0' ? name : "");
	if (strlen(command) < sizeof(ui->spots.spot[0].command))
		spot_add(ui, x, y->hi_px, x + w - 20, y->lo_px + 28, "%s",
		    command);
}

/*
 * Of all phases together: units, units a second of the range (rate), and of the
 * time of the phases (power).
 */
struct work {
	uint64_t units;
	int64_t range_ns, phases_ns;
	double rate, power;
};

static struct work
work_of(const struct speeds *s)
{
	struct work w = { .range_ns = s->t1 - s->t0 };

	for (size_t i = 0; i < s->names; i++) {
		w.units += s->by_name[i].units;
		w.phases_ns += s->by_name[i].ns;
	}
	if (w.range_ns > 0)
		w.rate = (double)w.units * 1e9 / (double)w.range_ns;
	if (w.phases_ns > 0)
		w.power = (double)w.units * 1e9 / (double)w.phases_ns;
	return (w);
}

static void
means_draw(struct ui *ui, struct canvas *c, const struct speeds *s,
    const struct rect *r)
{
	struct axis y = { 0, 1, r->y1 - BELOW_PX, r->y0 + 22, AXIS_LINEAR,
		AXIS_NUMBER };
	int32_t left = r->x0 + 60, room = r->x1 - left;
	int32_t w = s->names == 0 ? 0 : room / (int32_t)s->names;
	size_t n = s->names, ticks;
	struct work work = work_of(s);
	struct tick t[TICKS];
	char title[240], num[3][32];

	if (y.lo_px - y.hi_px < 24 || room < BAR_LEAST)
		return;
	w = w > BAR_MOST ? BAR_MOST : w < BAR_LEAST ? BAR_LEAST : w;
	n = (int32_t)n * w > room ? (size_t)(room / w) : n;
	y.hi = fastest(s) > 0 ? fastest(s) : 1;
	axis_round_up(&y, 24);
	ticks = axis_ticks(&y, 32, t, TICKS);
	for (size_t i = 0; i < ticks; i++) {
		int32_t at = t[i].at_q / SCENE_ONE;

		canvas_fill(c, left, at, r->x1, at + 1, ui->palette->grid);
		draw_right(c, FONT_SMALL, left - 6, at + 4, ui->palette->dim,
		    "%s", t[i].label);
	}
	for (size_t i = 0; i < n; i++)
		draw_mean(ui, c, s, i, &y, left + (int32_t)i * w + 4, w);
	snprintf(title, sizeof(title),
	    "mean speed by phase, units/s   bar: mean, dot: one thread   work "
	    "%s units, rate %s/s in this time, power %s/s in phases",
	    format_short(num[0], sizeof(num[0]), (double)work.units),
	    format_short(num[1], sizeof(num[1]), work.rate),
	    format_short(num[2], sizeof(num[2]), work.power));
	draw_cut(c, FONT_SMALL, r->x0, r->y0 + 12,
	    r->x1 - r->x0 - (n < s->names ? 120 : 0), ui->palette->dim, title);
	if (n < s->names)
		draw_right(c, FONT_SMALL, r->x1, r->y0 + 12, ui->palette->dim,
		    "%zu of %zu shown", n, s->names);
}

/* --- each thread's phases over time --- */

struct rows {
	uint32_t *row;  /* of each lane; UINT32_MAX: none */
	uint32_t *lane; /* of each row */
	int32_t *until; /* px, drawn up to here */
	uint32_t lanes, n, first, shown;
};

static void
rows_free(struct rows *k)
{
	free(k->row);
	free(k->lane);
	free(k->until);
}

static bool
rows_make(struct ui *ui, const struct speeds *s, uint32_t room, struct rows *k)
{
	int32_t *scroll = &ui->lists.scroll[VIEW_ACTIVITY];

	memset(k, 0, sizeof(*k));
	k->lanes = model_lanes(ui->model);
	k->row = malloc((k->lanes + 1) * sizeof(*k->row));
	k->lane = malloc((s->threads + 1) * sizeof(*k->lane));
	k->until = calloc(s->threads + 1, sizeof(*k->until));
	if (k->row == NULL || k->lane == NULL || k->until == NULL) {
		rows_free(k);
		return (false);
	}
	memset(k->row, 0xff, (k->lanes + 1) * sizeof(*k->row));
	for (size_t i = 0; i < s->threads; i++)
		if (s->by_thread[i].lane < k->lanes)
			k->row[s->by_thread[i].lane] = 0;
	for (uint32_t i = 0; i < k->lanes; i++)
		if (k->row[i] == 0) {
			k->lane[k->n] = i;
			k->row[i] = k->n++;
		}
	k->shown = k->n < room ? k->n : room;
	if (*scroll > (int32_t)(k->n - k->shown))
		*scroll = (int32_t)(k->n - k->shown);
	*scroll = *scroll < 0 ? 0 : *scroll;
	k->first = (uint32_t)*scroll;
	return (true);
}

static void
hint_phase(struct ui *ui, const struct phase *p, int32_t x0, int32_t y0,
    int32_t x1, int32_t y1)
{
	struct speed s = of_phase(p);
	char who[160];

	if (!hint_wanted(ui, x0, y0, x1, y1))
		return;
	hint_speed(ui, &s,
	    label_where(ui, p->lane, INT64_MIN, who, sizeof(who)));
	spot_add(ui, x0, y0, x1, y1, "select-range %" PRId64 "ns:%" PRId64 "ns",
	    p->t0_mon_ns - run_origin(ui), p->t1_mon_ns - run_origin(ui));
}

static void
draw_phase(struct ui *ui, struct canvas *c, const struct phase *p,
    const struct shades *shades, const struct axis *x, struct rows *k,
    int32_t top)
{
	struct speed s = of_phase(p);
	uint32_t row = p->lane < k->lanes ? k->row[p->lane] : UINT32_MAX;
	uint32_t rgb = shades_rgb(shades, ui->palette, speed_of(&s));
	int32_t x0, x1, y;
	char text[100], n[32];

	if (row == UINT32_MAX || row < k->first || row >= k->first + k->shown)
		return;
	x0 = axis_at_q(x, (double)(p->t0_mon_ns - run_origin(ui))) / SCENE_ONE;
	x1 = axis_at_q(x, (double)(p->t1_mon_ns - run_origin(ui))) / SCENE_ONE;
	x1 = x1 > x0 ? x1 : x0 + 1;
	if (x1 <= k->until[row])
		return; /* in a pixel that has one already */
	k->until[row] = x1;
	y = top + (int32_t)(row - k->first) * ROW_PX;
	canvas_fill(c, x0, y, x1 > x0 + 2 ? x1 - 1 : x1, y + ROW_PX - 2, rgb);
	snprintf(text, sizeof(text), "%.60s %s", label_name(ui->model, p->name),
	    format_short(n, sizeof(n), speed_of(&s)));
	if (x1 - x0 > 40)
		draw_cut(c, FONT_SMALL, x0 + 4, y + 10, x1 - x0 - 8,
		    palette_text_on(rgb), text);
	hint_phase(ui, p, x0, y, x1, y + ROW_PX - 2);
}

static void
draw_names(struct ui *ui, struct canvas *c, const struct rect *r,
    const struct rows *k, int32_t top)
{
	char name[160];

	for (uint32_t i = 0; i < k->shown; i++) {
		uint32_t lane = k->lane[k->first + i];
		int32_t y = top + (int32_t)i * ROW_PX;

		draw_cut_middle(c, FONT_SMALL, r->x0, y + 10, LEFT_PX - 16,
		    ui->palette->dim,
		    label_where(ui, lane, INT64_MIN, name, sizeof(name)));
		canvas_fill(c, r->x0 + LEFT_PX - 8, y, r->x0 + LEFT_PX - 6,
		    y + ROW_PX,
		    palette_on(ui->palette,
			palette_of_node(ui->model,
			    model_lane(ui->model, lane)->node)));
	}
}

/* The scale of the colours, at the right of the title. */
static void
draw_scale(struct ui *ui, struct canvas *c, const struct shades *s, int32_t x1,
    int32_t y)
{
	int32_t x = x1 - SCALE_PX - 50;
	char text[32];

	for (int32_t i = 0; i < SCALE_PX; i++)
		canvas_fill(c, x + i, y, x + i + 1, y + 7,
		    shades_rgb(s, ui->palette,
			shades_value(s, (double)i / SCALE_PX)));
	draw_right(c, FONT_SMALL, x - 5, y + 8, ui->palette->dim, "%s",
	    format_short(text, sizeof(text), shades_value(s, 0)));
	draw_text(c, FONT_SMALL, x + SCALE_PX + 5, y + 8, ui->palette->dim,
	    "%s", format_short(text, sizeof(text), shades_value(s, 1)));
}

static void
shades_of(const struct speeds *s, struct shades *shades)
{
	double *v = malloc((s->threads + 1) * sizeof(*v));

	*shades = (struct shades){ 0 };
	for (size_t i = 0; v != NULL && i < s->threads; i++)
		v[i] = speed_of(&s->by_thread[i]);
	if (v != NULL)
		shades_fit(shades, v, s->threads, true);
	free(v);
}

static void
times_draw(struct ui *ui, struct canvas *c, const struct speeds *s,
    const struct rect *r)
{
	struct axis x = { (double)(s->t0 - run_origin(ui)),
		(double)(s->t1 - run_origin(ui)), r->x0 + LEFT_PX, r->x1 - 8,
		AXIS_LINEAR, AXIS_NS };
	int32_t top = r->y0 + 22, room = (r->y1 - TIMES_PX - top) / ROW_PX;
	struct scene scene = { 0 };
	struct shades shades;
	struct rows k;

	if (room < 1 || x.hi_px - x.lo_px < 32 ||
	    !rows_make(ui, s, (uint32_t)room, &k))
		return;
	shades_of(s, &shades);
	draw_text(c, FONT_SMALL, r->x0, r->y0 + 12, ui->palette->dim,
	    k.shown < k.n ? "speed of each thread, %" PRIu32 " to %" PRIu32
			    " of %" PRIu32
			  : "speed of each thread",
	    k.first + 1, k.first + k.shown, k.n);
	draw_scale(ui, c, &shades, r->x1, r->y0 + 5);
	axis_below_scene(&x, top, top + (int32_t)k.shown * ROW_PX, ui->palette,
	    &scene);
	paint_items(c, &scene, 0, scene.n);
	scene_free(&scene);
	for (uint32_t i = 0; i < s->phases; i++) {
		const struct phase *p = model_phase(ui->model, i);

		if (p->units > 0 && is_meant(ui, s, p))
			draw_phase(ui, c, p, &shades, &x, &k, top);
	}
	draw_names(ui, c, r, &k, top);
	rows_free(&k);
}

void
speed_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct speeds *s = activity_speeds(ui);
	struct rect means = *r, times = *r;
	char why[160];

	if (s->model != ui->model || s->threads == 0) {
		snprintf(why, sizeof(why),
		    "no phase%s%s has ended in this time and told what it did",
		    ui->chosen.talk.phase[0] != '\0' ? " with " : "",
		    ui->chosen.talk.phase);
		words_empty(ui, c, r, why,
		    "probe_phase_begin(PROBE_NAME(\"form\"));\n"
		    "probe_phase_end(PROBE_NAME(\"form\"), units);");
		return;
	}
	means.y1 = r->y0 + (r->y1 - r->y0) * 2 / 5;
	times.y0 = means.y1 + 8;
	if (means.y1 - means.y0 < 90)
		times.y0 = r->y0;
	else
		means_draw(ui, c, s, &means);
	times_draw(ui, c, s, &times);
}

/* --- words --- */

void
speed_describe(struct ui *ui, FILE *f)
{
	const struct speeds *s = activity_speeds(ui);
	uint64_t left = model_phases_left(ui->model);
	struct work work;
	char who[160];

	speed_prepare(ui);
	work = work_of(s);
	fprintf(f, "speed: %zu phases, %" PRIu64 " without units%s\n", s->names,
	    s->without, left > 0 ? ", not of the last ones" : "");
	if (s->names > 0)
		fprintf(f,
		    "  work: %" PRIu64 " units in %" PRId64
		    " ns, in phases %" PRId64 " ns, rate %.6g, power %.6g\n",
		    work.units, work.range_ns, work.phases_ns, work.rate,
		    work.power);
	for (size_t i = 0; i < s->names && i < DESCRIBED; i++)
		fprintf(f,
		    "  speed of %s: %" PRIu64 " times, %" PRIu64
		    " units, %" PRId64 " ns\n",
		    label_name(ui->model, s->by_name[i].name),
		    s->by_name[i].count, s->by_name[i].units, s->by_name[i].ns);
	for (size_t i = 0; i < s->threads && i < DESCRIBED; i++)
		fprintf(f,
		    "  speed of %s on %s: %" PRIu64 " times, %" PRIu64
		    " units, %" PRId64 " ns\n",
		    label_name(ui->model, s->by_thread[i].name),
		    label_where(ui, s->by_thread[i].lane, INT64_MIN, who,
			sizeof(who)),
		    s->by_thread[i].count, s->by_thread[i].units,
		    s->by_thread[i].ns);
}
