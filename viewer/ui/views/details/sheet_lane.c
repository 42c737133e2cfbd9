/*
 * What is told of a row: of a node, a process, a thread, an object, a lock or a
 * group, and how busy it was in the range.
 */
#include "sheet_inside.h"

#include <inttypes.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/things/counters.h"
#include "ui/traffic/running.h"
#include "ui/views/activity/stays.h"
#include "ui/views/view.h"

/* What a node's clock is like, and what went wrong there. */
static void
put_health(struct sheet *s, uint32_t node)
{
	const struct palette *p = s->ui->palette;
	struct node_health h;
	char span[32];

	health_of(s->ui, node, &h);
	sheet_put_clock(s, "clock", node);
	if (h.silent)
		sheet_put(s, "silent", p->warn, "for %s",
		    format_span(span, sizeof(span),
			run_now(s->ui) - h.silent_since_ns));
	sheet_put_sum(s, "events lost", h.lost, p->error);
	sheet_put_sum(s, "events late", h.late, p->warn);
	sheet_put_sum(s, "without a cause", h.orphans, p->warn);
	sheet_put_sum(s, "before their cause", h.early, p->warn);
	sheet_put_sum(s, "stalls", h.stalls, p->warn);
	sheet_put_sum(s, "clock steps", h.steps, p->warn);
}

static void
put_process(struct sheet *s, uint32_t lane)
{
	const char *title;
	char words[256];

	for (unsigned i = 0; (title = process_words(s->ui, lane, i, words,
				  sizeof(words))) != NULL;
	     i++)
		sheet_put(s, title, s->ui->palette->text, "%s", words);
}

/* Its last values in the range; a label lasts as long as the model. */
static void
put_counters(struct sheet *s, uint32_t lane)
{
	const struct model *m = s->ui->model;
	uint32_t i = model_counter_of(m, lane, 0);
	struct counter c;
	char words[96];

	for (; i != UINT32_MAX; i = model_counter_of(m, lane, i + 1))
		if (model_counter(m, i, &c) &&
		    counter_now(s->ui, i, words, sizeof(words)))
			sheet_put(s, counter_label(s->ui, &c),
			    s->ui->palette->text, "%s", words);
}

/* What the scheduler did with a thread in the range, if that is known. */
static void
put_states(struct sheet *s, uint32_t lane, int64_t t0, int64_t t1)
{
	const int64_t range[2] = { t0, t1 };
	uint32_t i = model_sched_of(s->ui->model, lane);
	struct sched_then then[2];
	char span[32], stays[96];

	if (i == UINT32_MAX)
		return;
	processor_words(s->ui, lane, t0, t1, stays, sizeof(stays));
	if (stays[0] != '\0')
		sheet_put(s, "processor", s->ui->palette->text, "%s", stays);
	model_sched_then(s->ui->model, i, range, 2, then);
	for (int k = SCHED_RUNNING; k < SCHED_STATES; k++) {
		stays_words(s->ui, i, t0, t1, (enum sched_state)k, stays,
		    sizeof(stays));
		sheet_put(s,
		    k == SCHED_RUNNING ? "on a processor"
				       : label_sched((unsigned)k),
		    s->ui->palette->text, "%s%s%s",
		    format_span(span, sizeof(span),
			then[1].in_ns[k] - then[0].in_ns[k]),
		    stays[0] != '\0' ? ", " : "", stays);
	}
}

/* Of all threads of a row, together: so long they lived, and how many. */
static int64_t
lives_below(const struct model *m, uint32_t lane, int64_t t0, int64_t t1,
    uint32_t *threads)
{
	int64_t sum = 0, ns;
	uint32_t member;

	if (model_lane(m, lane)->kind == LANE_THREAD) {
		ns = running_life(m, lane, t0, t1);
		*threads += ns > 0;
		return (ns);
	}
	for (uint32_t i = 0;
	     (member = model_group_member(m, lane, i)) != UINT32_MAX; i++)
		sum = span_add(sum, lives_below(m, member, t0, t1, threads));
	for (lane = model_lane_first_child(m, lane); lane != UINT32_MAX;
	     lane = model_lane_next_sibling(m, lane))
		sum = span_add(sum, lives_below(m, lane, t0, t1, threads));
	return (sum);
}

/*
 * How busy it was, of its own life and of the range; returns what shares of it
 * are of: the lives of its threads, of what is no thread the range.
 */
static int64_t
put_busy(struct sheet *s, const struct lane *l, int64_t t0, int64_t t1,
    int64_t ran, const char *about)
{
	const struct model *m = s->ui->model;
	uint32_t threads = 0;
	int64_t life, lives;
	char span[40];

	if (l->kind > LANE_THREAD)
		return (t1 - t0);
	lives = lives_below(m, l->id, t0, t1, &threads);
	if (lives == 0)
		return (t1 - t0);
	life = running_life(m, l->id, t0, t1);
	sheet_put_span(s, "lived", life);
	if (threads > 1)
		sheet_put(s, "threads", s->ui->palette->text,
		    "%" PRIu32 ", of %s", threads,
		    format_span(span, sizeof(span), lives));
	if (threads == 1 || activity_ran(s->ui, l->id, t0, t1, &ran))
		sheet_put(s, "busy", s->ui->palette->text,
		    "%s%s, %d %% of its life, %d %% of the range",
		    threads == 1 ? about : "",
		    format_span(span, sizeof(span), ran),
		    share_percent(ran, life), share_percent(ran, t1 - t0));
	return (lives);
}

/* Of a group, or class; returns what shares of it are of, as put_busy(). */
static int64_t
put_group(struct sheet *s, uint32_t id, int64_t t0, int64_t t1)
{
	const struct hand_group *g = hand_group(model_hand(s->ui->model), id);
	uint32_t threads = 0;
	int64_t lives = lives_below(s->ui->model, id, t0, t1, &threads);
	char span[40];

	sheet_put(s, g->class == 0 ? "rows" : "objects", s->ui->palette->text,
	    "%" PRIu32, g->n);
	if (lives == 0) /* there are no threads */
		return ((t1 - t0) * g->n);
	sheet_put(s, "threads", s->ui->palette->text, "%" PRIu32 ", of %s",
	    threads, format_span(span, sizeof(span), lives));
	return (lives);
}

/* A name that was given by hand: what it was before. */
static void
put_recorded(struct sheet *s, uint32_t lane)
{
	const struct hand *h = model_hand(s->ui->model);
	char name[128];

	if (h == NULL || hand_called(&h->rows, lane) == NULL)
		return;
	model_lane_label_recorded(s->ui->model, lane, name, sizeof(name));
	sheet_put(s, "recorded as", s->ui->palette->dim, "%s", name);
}

/* How long it was in each class; lives: what shares of it are of. */
static void
put_classes(struct sheet *s, bool lock, const int64_t by_class[LANE_CLASSES],
    int64_t lives, const char *about)
{
	static const char *const words[] = { [LANE_running] = "running",
		[LANE_overhead] = "overhead",
		[LANE_wait_message] = "messages",
		[LANE_wait_lock] = "locks",
		[LANE_wait_cond] = "conditions",
		[LANE_wait_sync] = "others",
		[LANE_wait_rpc] = "remote calls",
		[LANE_transit] = "on the way",
		[LANE_lost] = "lost" };
	char span[32];

	for (unsigned i = 1; i < sizeof(words) / sizeof(words[0]); i++)
		if (by_class[i] != 0)
			sheet_put(s, lock ? "held" : words[i],
			    s->ui->palette->text, "%s%s, %d %%", about,
			    format_span(span, sizeof(span), by_class[i]),
			    share_percent(by_class[i], lives));
}

void
sheet_lane(struct sheet *s, const struct thing *k)
{
	const struct model *m = s->ui->model;
	uint32_t id = k->lane;
	const struct lane *l = model_lane(m, id);
	const struct palette *p = s->ui->palette;
	int64_t by_class[LANE_CLASSES] = { 0 }, t0, t1, lives;
	uint64_t spans = 0;
	bool chosen = time_selected(s->ui, &t0, &t1);
	const char *about = "";
	char name[128];

	figures_range(s->ui, &t0, &t1);
	t1 = t1 < t0 ? t0 : t1;
	s->title(s, p->text, label_row(m, l, name, sizeof(name)));
	if (k->kind == THING_SPAN) {
		sheet_put(s, "span", p->accent, "%s",
		    sheet_span_name(s->ui, &k->span));
		sheet_put_span_rows(s, k->of, &k->span);
	} else if (id < HAND_LANE) {
		sheet_put_lock(s, id, NULL, run_now(s->ui));
		sheet_put_object(s, id, run_now(s->ui));
	}
	put_recorded(s, id);
	if (l->node != 0)
		sheet_put(s, "node", p->text, "%s", label_node(m, l->node));
	if (l->kind == LANE_PO || l->kind == LANE_THREAD ||
	    l->kind == LANE_DEPTH)
		sheet_put(s, "process", p->text, "%s, PO %" PRIu32,
		    label_program(m, l->node, l->po), l->po);
	if (l->kind == LANE_PO)
		put_process(s, id);
	if (l->kind == LANE_NODE && l->node != 0)
		put_health(s, l->node);
	if (!model_lane_totals(m, id, t0, t1, by_class, &spans)) {
		ui_rough(s->ui, SUMS_LANES, t0, t1);
		about = "~";
	}
	sheet_put(s, "range", p->text, "%s, %s",
	    chosen ? "selected" : "in sight",
	    format_span(name, sizeof(name), t1 - t0));
	lives = id >= HAND_LANE
		    ? put_group(s, id, t0, t1)
		    : put_busy(s, l, t0, t1, by_class[LANE_running], about);
	sheet_put(s, "spans", p->text, "%s%s", about,
	    format_count(name, sizeof(name), spans));
	put_classes(s, l->kind == LANE_LOCK, by_class, lives, about);
	if (id >= HAND_LANE)
		return;
	put_states(s, id, t0, t1);
	put_counters(s, id);
}
