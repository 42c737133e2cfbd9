/*
 * Advice: what is worth a look.
 *
 * Threads are added up some a frame (asked.h), locks are those of the view of
 * that name; then a table of rules is gone through, each of which says one
 * sentence or nothing.  A rule is true by its figures, which stand in its
 * sentence; its bound keeps it quiet where nothing is to be gained.
 */
#include "guide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/detail.h"
#include "ui/draw/draw.h"
#include "ui/traffic/running.h"
#include "ui/views/asked.h"
#include "ui/views/asked/lockview.h"
#include "ui/views/view.h"

#define LANES_STEP 64 /* in about 0.3 ms */

/* So much of a thread's, or of a node's threads' lives. */
struct spent {
	int64_t life_ns, ran_ns, waits_ns;
	int64_t wait_ns[LANE_CLASSES];
	uint32_t lane;
};

struct guide {
	const struct model *model;
	int64_t t0, t1;
	uint32_t at, lanes, nodes, ran; /* ran: threads that did */
	bool about, failed;
	struct spent all, waiter, runner;
	struct spent *node; /* by number; nodes + 1 long */
};

static void *
make(void)
{
	return (calloc(1, sizeof(struct guide)));
}

static void
end(void *k)
{
	struct guide *g = k;

	if (g != NULL)
		free(g->node);
	free(g);
}

static void
begin(void *k, const struct ui *ui, const struct asked_of *of)
{
	struct guide *g = k;

	(void)ui;
	free(g->node);
	memset(g, 0, sizeof(*g));
	g->model = of->model;
	g->t0 = of->t0;
	g->t1 = of->t1;
	g->lanes = model_lanes(g->model);
	g->nodes = model_nodes(g->model);
	g->node = calloc((size_t)g->nodes + 1, sizeof(*g->node));
	g->failed = g->node == NULL;
}

static void
spent_add(struct spent *to, const struct spent *s)
{
	to->life_ns = span_add(to->life_ns, s->life_ns);
	to->ran_ns = span_add(to->ran_ns, s->ran_ns);
	to->waits_ns = span_add(to->waits_ns, s->waits_ns);
}

/* For work it waits when there is none: that is nobody's fault. */
static bool
is_wait(unsigned class)
{
	return (lane_waits(class) && class != LANE_wait_cond);
}

static void
take_thread(struct guide *g, uint32_t lane)
{
	const struct lane *l = model_lane(g->model, lane);
	int64_t by_class[LANE_CLASSES] = { 0 };
	struct spent s = { 0 };
	uint64_t spans;

	if (l->kind != LANE_THREAD || l->thread == 0 || l->node == 0 ||
	    l->node > g->nodes)
		return;
	s.lane = lane;
	s.life_ns = running_life(g->model, lane, g->t0, g->t1);
	if (s.life_ns <= 0)
		return;
	g->about |=
	    !model_lane_totals(g->model, lane, g->t0, g->t1, by_class, &spans);
	s.ran_ns = by_class[LANE_running];
	for (unsigned i = 0; i < LANE_CLASSES; i++)
		if (is_wait(i)) {
			s.wait_ns[i] = by_class[i];
			s.waits_ns = span_add(s.waits_ns, by_class[i]);
		}
	g->ran += s.ran_ns > 0;
	spent_add(&g->all, &s);
	spent_add(&g->node[l->node], &s);
	if (s.waits_ns > g->waiter.waits_ns)
		g->waiter = s;
	if (s.ran_ns > g->runner.ran_ns)
		g->runner = s;
}

static bool
step(void *k)
{
	struct guide *g = k;

	for (int n = 0; n < LANES_STEP && g->at < g->lanes && !g->failed; n++)
		take_thread(g, g->at++);
	return (g->failed || g->at == g->lanes);
}

static const struct asked_how how = { make, end, begin, step, 4, 20 };

bool
guide_prepare(struct ui *ui)
{
	struct asked_of want;

	if (!places_show(&ui->places, VIEW_NOTES))
		return (true);
	asked_range(ui, &want, false);
	asked_step(ui, ASKED_GUIDE, &how, &want);
	return (locks_prepare(ui));
}

/* --- rules --- */

struct advice {
	const char *rule;
	char text[320], figures[160], command[64];
};

#define HINT_LETTERS 46
/* Below that the other nodes do not work, either. */
#define BUSY_PERCENT 5

static double
percent(int64_t part, int64_t whole)
{
	return (whole > 0 ? 100.0 * (double)part / (double)whole : 0);
}

static bool
lost_rule(const struct ui *ui, const struct guide *g, struct advice *a)
{
	uint64_t n = model_lost(ui->model);
	char num[32];

	(void)g;
	snprintf(a->text, sizeof(a->text),
	    "%s events of the run are lost: what is missing is hatched in the "
	    "lanes, and in no figure",
	    format_count(num, sizeof(num), n));
	snprintf(a->figures, sizeof(a->figures), "%" PRIu64 " events", n);
	snprintf(a->command, sizeof(a->command), "tab lanes");
	return (n > 0);
}

/* Locks are asked for apart: while either is added up, of much the same time.
 */
static bool
is_of_locks(const struct ui *ui, const struct guide *g)
{
	const struct asked_of *of = &ui->figures.asked[ASKED_LOCKS].of;
	int64_t most = (g->t1 - g->t0) / 10 + 1;

	return (llabs(of->t0 - g->t0) <= most && llabs(of->t1 - g->t1) <= most);
}

/* A lock that 1 % of all threads' time at least was waited for. */
static bool
lock_rule(const struct ui *ui, const struct guide *g, struct advice *a)
{
	const struct lock_sums *sums = locks_shown(ui);
	const struct lock_sum *v, *most = NULL;
	size_t n = sums == NULL ? 0 : lock_sums_list(sums, &v);
	char lock[120], holder[160] = "", span[32];

	for (size_t i = 0; i < n; i++)
		if (v[i].sort == LOCK_LOCK &&
		    (most == NULL || v[i].wait_ns > most->wait_ns))
			most = &v[i];
	if (most == NULL || most->wait_ns < g->all.life_ns / 100 ||
	    most->wait_ns == 0 || !is_of_locks(ui, g))
		return (false);
	label_lane(ui->model, model_lane(ui->model, most->lane), lock,
	    sizeof(lock));
	if (most->holder != UINT32_MAX)
		label_where(ui, most->holder, INT64_MIN, holder,
		    sizeof(holder));
	snprintf(a->text, sizeof(a->text),
	    "lock %.100s is waited for most: %s, %.0f %% of all threads' time%s%s",
	    lock, format_span(span, sizeof(span), most->wait_ns),
	    percent(most->wait_ns, g->all.life_ns),
	    holder[0] != '\0' ? ", held meanwhile mostly by " : "", holder);
	snprintf(a->figures, sizeof(a->figures),
	    "%.100s, %" PRId64 " ns of %" PRId64 " ns", lock, most->wait_ns,
	    g->all.life_ns);
	snprintf(a->command, sizeof(a->command), "tab locks");
	return (true);
}

static const char *
most_waited(const struct spent *s)
{
	unsigned most = 0;

	for (unsigned i = 0; i < LANE_CLASSES; i++)
		if (s->wait_ns[i] > s->wait_ns[most])
			most = i;
	return (label_class(most));
}

/* A thread that waits for half of its life at least. */
static bool
waiter_rule(const struct ui *ui, const struct guide *g, struct advice *a)
{
	const struct spent *s = &g->waiter;
	char who[160], span[32];

	if (s->waits_ns == 0 || s->waits_ns < s->life_ns / 2)
		return (false);
	label_where(ui, s->lane, INT64_MIN, who, sizeof(who));
	snprintf(a->text, sizeof(a->text),
	    "%s waits longest: %s, %.0f %% of its life; mostly it %s", who,
	    format_span(span, sizeof(span), s->waits_ns),
	    percent(s->waits_ns, s->life_ns), most_waited(s));
	snprintf(a->figures, sizeof(a->figures),
	    "%" PRId64 " ns of %" PRId64 " ns", s->waits_ns, s->life_ns);
	snprintf(a->command, sizeof(a->command), "select-row %" PRIu32,
	    s->lane);
	return (true);
}

/* One that runs twice as long as those that run do on the average. */
static bool
runner_rule(const struct ui *ui, const struct guide *g, struct advice *a)
{
	const struct spent *s = &g->runner;
	char who[160], span[32];

	if (g->ran < 3 || s->ran_ns < 2 * (g->all.ran_ns / (int64_t)g->ran))
		return (false);
	label_where(ui, s->lane, INT64_MIN, who, sizeof(who));
	snprintf(a->text, sizeof(a->text),
	    "%s runs longest: %s, %.1f times the mean of the %" PRIu32
	    " threads that run",
	    who, format_span(span, sizeof(span), s->ran_ns),
	    (double)s->ran_ns * g->ran / (double)g->all.ran_ns, g->ran);
	snprintf(a->figures, sizeof(a->figures),
	    "%" PRId64 " ns of %" PRId64 " ns of %" PRIu32, s->ran_ns,
	    g->all.ran_ns, g->ran);
	snprintf(a->command, sizeof(a->command), "select-row %" PRIu32,
	    s->lane);
	return (true);
}

static uint32_t
node_lane(const struct model *m, uint32_t node)
{
	for (uint32_t i = 0; i < model_lanes(m); i++)
		if (model_lane(m, i)->kind == LANE_NODE &&
		    model_lane(m, i)->node == node)
			return (i);
	return (0);
}

/* A node whose threads run half as much as those of the others, or less. */
static bool
node_rule(const struct ui *ui, const struct guide *g, struct advice *a)
{
	struct spent others = g->all;
	uint32_t least = 0;
	double share;

	for (uint32_t i = 1; i <= g->nodes; i++)
		if (g->node[i].life_ns > 0 &&
		    (least == 0 ||
			percent(g->node[i].ran_ns, g->node[i].life_ns) <
			    percent(g->node[least].ran_ns,
				g->node[least].life_ns)))
			least = i;
	if (least == 0)
		return (false);
	others.life_ns -= g->node[least].life_ns;
	others.ran_ns -= g->node[least].ran_ns;
	share = percent(g->node[least].ran_ns, g->node[least].life_ns);
	if (percent(others.ran_ns, others.life_ns) < BUSY_PERCENT ||
	    2 * share > percent(others.ran_ns, others.life_ns))
		return (false);
	snprintf(a->text, sizeof(a->text),
	    "node %s is the idlest: its threads run %.0f %% of their lives, "
	    "those of other nodes %.0f %%",
	    label_node(ui->model, least), share,
	    percent(others.ran_ns, others.life_ns));
	snprintf(a->figures, sizeof(a->figures),
	    "%s, %" PRId64 " ns of %" PRId64 " ns, others %" PRId64
	    " ns of %" PRId64 " ns",
	    label_node(ui->model, least), g->node[least].ran_ns,
	    g->node[least].life_ns, others.ran_ns, others.life_ns);
	snprintf(a->command, sizeof(a->command), "select-row %" PRIu32,
	    node_lane(ui->model, least));
	return (true);
}

static const struct {
	const char *name;
	bool (*says)(const struct ui *, const struct guide *, struct advice *);
} rules[] = {
	{ "lost", lost_rule },
	{ "lock", lock_rule },
	{ "waits", waiter_rule },
	{ "runs", runner_rule },
	{ "node", node_rule },
};
#define RULES (sizeof(rules) / sizeof(rules[0]))

/* NULL: nothing is known yet. */
static const struct guide *
shown(const struct ui *ui)
{
	const struct guide *g = asked_shown(ui, ASKED_GUIDE);

	return (g == NULL || g->failed || g->t1 <= g->t0 ? NULL : g);
}

static size_t
advise(const struct ui *ui, struct advice *out)
{
	const struct guide *g = shown(ui);
	size_t n = 0;

	for (size_t i = 0; g != NULL && i < RULES; i++) {
		out[n].rule = rules[i].name;
		n += rules[i].says(ui, g, &out[n]);
	}
	return (n);
}

int32_t
guide_lines(const struct ui *ui)
{
	struct advice advice[RULES];

	return (1 + (int32_t)advise(ui, advice));
}

/* Which range it is of: while a run grows, that is an earlier one than now. */
static void
draw_title(const struct ui *ui, struct canvas *c, const struct rect *r,
    const struct guide *g, size_t n)
{
	const char *what = n > 0 ? "worth a look" : "nothing stands out";
	char text[160], from[40], to[40];
	int64_t t0 = 0, t1 = 0;

	if (g == NULL)
		snprintf(text, sizeof(text),
		    "looking for what is worth a look ...");
	else if (figures_range(ui, &t0, &t1) && g->t0 == t0 && g->t1 == t1)
		snprintf(text, sizeof(text), "%s in this range%s", what,
		    g->about ? ", about" : "");
	else
		snprintf(text, sizeof(text), "%s from %s to %s%s", what,
		    run_time(ui, g->t0, (g->t1 - g->t0) / 100 + 1, from,
			sizeof(from)),
		    run_time(ui, g->t1, (g->t1 - g->t0) / 100 + 1, to,
			sizeof(to)),
		    g->about ? ", about" : "");
	draw_cut(c, FONT_SMALL, r->x0, r->y0 + 12, r->x1 - r->x0,
	    ui->palette->dim, text);
}

/* A hint is cut at its lines. */
static void
hint_of(struct ui *ui, const char *text)
{
	char *hint = ui->spots.hint, *space = NULL;
	size_t at = 0;

	snprintf(hint, sizeof(ui->spots.hint), "%s", text);
	for (char *p = hint; *p != '\0'; p++, at++) {
		if (*p == ' ')
			space = p;
		if (at < HINT_LETTERS || space == NULL)
			continue;
		*space = '\n';
		at = (size_t)(p - space);
		space = NULL;
	}
}

void
guide_draw(struct ui *ui, struct canvas *c, const struct rect *r)
{
	const struct palette *p = ui->palette;
	const struct guide *g = shown(ui);
	struct advice advice[RULES];
	size_t n = advise(ui, advice);
	int32_t y = r->y0 + 12;

	draw_title(ui, c, r, g, n);
	for (size_t i = 0; i < n; i++) {
		y += GUIDE_PX;
		canvas_fill(c, r->x0, y - 8, r->x0 + 8, y, p->warn);
		draw_cut(c, FONT_SMALL, r->x0 + 14, y, r->x1 - r->x0 - 14,
		    p->text, advice[i].text);
		spot_add(ui, r->x0, y - 12, r->x1, y + 4, "%s",
		    advice[i].command);
		if (hint_wanted(ui, r->x0, y - 12, r->x1, y + 4))
			hint_of(ui, advice[i].text);
	}
}

void
guide_describe(struct ui *ui, FILE *f)
{
	const struct guide *g;
	struct advice advice[RULES];
	size_t n;

	if (!places_show(&ui->places, VIEW_NOTES) || (g = shown(ui)) == NULL)
		return;
	n = advise(ui, advice);
	fprintf(f, "guide: %s%zu\n", g->about ? "~" : "", n);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "  guide %s: %s; %s\n", advice[i].rule,
		    advice[i].figures, advice[i].text);
}
