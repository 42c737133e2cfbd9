/*
 * What is told of each kind of thing: a row of the table below, and a function
 * that goes through all that the model knows of it.
 */
#include "sheet.h"
#include "calledfrom.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "calledfrom.h"
#include "model/run/scheds.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/things/counters.h"
#include "ui/traffic/running.h"
#include "ui/views/view.h"

#define PATH_WORDS 12

static void sheet_put(struct sheet *, const char *label, uint32_t rgb,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static void
sheet_put(struct sheet *s, const char *label, uint32_t rgb, const char *fmt,
    ...)
{
	char value[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(value, sizeof(value), fmt, ap);
	va_end(ap);
	s->row(s, label, rgb, value);
}

static void
put_when(struct sheet *s, const char *label, int64_t t)
{
	char buf[40];

	if (t == INT64_MIN || t == INT64_MAX)
		sheet_put(s, label, s->ui->palette->dim, "not yet");
	else
		sheet_put(s, label, s->ui->palette->text, "%s",
		    run_time(s->ui, t, 1000, buf, sizeof(buf)));
}

static void
put_span(struct sheet *s, const char *label, int64_t ns)
{
	char buf[40];

	sheet_put(s, label, s->ui->palette->text, "%s",
	    format_span(buf, sizeof(buf), ns));
}

static void
put_place(struct sheet *s, uint32_t name)
{
	uint32_t line = 0;
	const char *file = model_name_place(s->ui->model, name, &line);

	if (file != NULL && file[0] != '\0')
		sheet_put(s, "defined at", s->ui->palette->text, "%s:%" PRIu32,
		    file, line);
}

static void
task_sheet(struct sheet *s, const struct thing *k)
{
	const struct model *m = s->ui->model;
	uint32_t number = model_task_by_id(m, k->id);
	const struct palette *p = s->ui->palette;
	const struct task *parent;
	struct task then, *t = &then;
	uint32_t lane;
	char name[96];

	if (number == TASK_NONE)
		return;
	tree_task_then(s->ui, m, number, t);

	s->title(s, p->text, label_task(m, t, name, sizeof(name)));
	sheet_put(s, "state", p->text, "%s",
	    t->flags & TASK_ENDED       ? "done"
	    : t->flags & TASK_SUSPENDED ? "suspended"
	    : t->flags & TASK_BEGUN     ? "running"
					: "spawned");
	sheet_put(s, "task", p->text, "%" PRIu32 "  (0x%" PRIx64 ")", number,
	    t->id);
	sheet_put(s, "PE", palette_ink(p, palette_pe_on(p, t->pe)), "%u",
	    t->pe);
	lane = model_location_lane(m, t->location);
	if (lane != UINT32_MAX && model_lane(m, lane) != NULL)
		sheet_put(s, "thread", p->text, "%s",
		    label_lane(m, model_lane(m, lane), name, sizeof(name)));
	sheet_put(s, "level", p->text, "%" PRIu32, t->level);
	parent = t->parent != TASK_NONE ? model_task(m, t->parent) : NULL;
	sheet_put(s, "parent", p->text, "%s",
	    parent != NULL ? label_task(m, parent, name, sizeof(name))
			   : "none, it is a root");
	sheet_put(s, "subtree", p->text, "%" PRIu32 " task%s", t->size,
	    t->size == 1 ? "" : "s");
	put_place(s, t->name);
	put_when(s, "spawned", t->spawn_mon_ns);
	put_when(s, "begun", t->begin_mon_ns);
	put_when(s, "ended", t->end_mon_ns);
	if (t->spawn_mon_ns != INT64_MIN && t->begin_mon_ns != INT64_MIN)
		put_span(s, "ready", t->begin_mon_ns - t->spawn_mon_ns);
	if (t->busy_ns > 0 || t->end_mon_ns != INT64_MIN)
		put_span(s, "running", t->busy_ns);
	if (t->suspensions == 0 && t->end_mon_ns == INT64_MIN &&
	    s->ui->play.head_mon_ns != INT64_MAX)
		return; /* as far as anybody knows */
	sheet_put(s, "suspended",
	    t->suspensions > 0 ? palette_ink(p, p->state[LANE_wait_lock])
			       : p->text,
	    "%s",
	    t->suspensions > 0 ? label_fate(t, name, sizeof(name)) + 10
			       : "never");
}

/* "main > solve > sweep": the innermost are told, and how many are not. */
static void
path_words(const struct model *m, uint32_t number, char *buf, size_t n)
{
	uint32_t in[PATH_WORDS], depth = 0, at = number;
	char name[96];
	struct task t;
	size_t len = 0;

	do {
		model_task_get(m, at, &t);
		in[depth++] = at;
		at = t.parent;
	} while (at != TASK_NONE && depth < PATH_WORDS);
	if (at != TASK_NONE)
		len = (size_t)snprintf(buf, n, "... > ");
	while (depth-- > 0 && len < n) {
		model_task_get(m, in[depth], &t);
		len += (size_t)snprintf(buf + len, n - len, "%s%s",
		    label_task(m, &t, name, sizeof(name)),
		    depth > 0 ? " > " : "");
	}
}

/* A path of the tree of calls. */
static void
path_sheet(struct sheet *s, const struct thing *k)
{
	const struct ui *ui = s->ui;
	const struct model *m = tree_model(ui);
	uint32_t number = model_task_by_id(m, k->id);
	const struct grown_node *g = tree_node(ui, number);
	const struct palette *p = ui->palette;
	char name[96], path[400], num[32];
	struct task t;

	if (g == NULL)
		return;
	model_task_get(m, number, &t);
	path_words(m, number, path, sizeof(path));
	s->title(s, p->text, path);
	sheet_put(s, "calls", p->text, "%s%s", g->rough ? "~" : "",
	    format_count(num, sizeof(num), g->calls));
	put_span(s, "total", g->total_ns);
	put_span(s, "self", g->self_ns);
	sheet_put(s, "waits",
	    g->waits_ns > 0 ? palette_ink(p, p->state[LANE_wait_lock])
			    : p->text,
	    "%s, %d %%", format_span(num, sizeof(num), g->waits_ns),
	    share_percent(g->waits_ns, g->total_ns));
	put_span(s, "itself", g->blocked_ns);
	if (g->calls > 0)
		put_span(s, "mean", g->total_ns / (int64_t)g->calls);
	put_span(s, "longest", g->longest_ns);
	sheet_put(s, "threads", p->text, "%" PRIu32, g->threads);
	if (g->lane < model_lanes(ui->model))
		sheet_put(s, "mostly in", p->text, "%s",
		    label_lane(ui->model, model_lane(ui->model, g->lane), name,
			sizeof(name)));
	sheet_put(s, "level", p->text, "%" PRIu32, t.level);
	put_place(s, g->name);
	put_when(s, "first", t.begin_mon_ns);
	put_when(s, "last end", t.end_mon_ns);
}

static void
put_sum(struct sheet *s, const char *label, uint64_t n, uint32_t rgb)
{
	char num[32];

	if (n > 0)
		sheet_put(s, label, rgb, "%s",
		    format_count(num, sizeof(num), n));
}

static void
put_clock(struct sheet *s, const char *label, uint32_t node)
{
	struct node_health h;
	char clock[64];
	uint32_t rgb;

	health_of(s->ui, node, &h);
	health_clock(s->ui, &h, &rgb, clock, sizeof(clock));
	sheet_put(s, label, rgb, "%s", clock);
}

/* What a node's clock is like, and what went wrong there. */
static void
put_health(struct sheet *s, uint32_t node)
{
	const struct palette *p = s->ui->palette;
	struct node_health h;
	char span[32];

	health_of(s->ui, node, &h);
	put_clock(s, "clock", node);
	if (h.silent)
		sheet_put(s, "silent", p->warn, "for %s",
		    format_span(span, sizeof(span),
			run_now(s->ui) - h.silent_since_ns));
	put_sum(s, "events lost", h.lost, p->error);
	put_sum(s, "events late", h.late, p->warn);
	put_sum(s, "without a cause", h.orphans, p->warn);
	put_sum(s, "before their cause", h.early, p->warn);
	put_sum(s, "stalls", h.stalls, p->warn);
	put_sum(s, "clock steps", h.steps, p->warn);
}

/* What a span, a stay of an object... is called. */
static const char *
span_name(const struct ui *ui, const struct span *k)
{
	if (k->class >= LANE_OBJECT_NODE || k->class == LANE_transit)
		return (label_node(ui->model, k->name));
	return (k->name != 0 ? label_name(ui->model, k->name) : label_state(k));
}

/* Who holds it, and who waits. */
static void
put_lock(struct sheet *s, uint32_t lane, const struct span *span, int64_t t)
{
	struct lock_then k;
	const char *title;
	char words[200];

	if (!lock_then(s->ui, lane, span, t, &k))
		return;
	for (unsigned i = 0;
	     (title = lock_words(s->ui, &k, i, words, sizeof(words))) != NULL;
	     i++)
		sheet_put(s, title, s->ui->palette->text, "%s", words);
}

/* Where an object is at t, and for whom it was made. */
static void
put_object(struct sheet *s, uint32_t lane, int64_t t)
{
	struct object_then k;
	const char *title;
	char words[200];

	if (!object_then(s->ui, lane, t, &k))
		return;
	for (unsigned i = 0;
	     (title = object_words(s->ui, &k, i, words, sizeof(words))) != NULL;
	     i++)
		sheet_put(s, title, s->ui->palette->text, "%s", words);
}

/* Who is at the other end of a remote call, and its phases. */
static void
put_remote(struct sheet *s, uint32_t lane, const struct span *span)
{
	struct remote_then k;
	const char *title;
	char words[200];

	if (!remote_then(s->ui, lane, span, &k))
		return;
	for (unsigned i = 0;
	     (title = remote_words(s->ui, &k, i, words, sizeof(words))) != NULL;
	     i++)
		sheet_put(s, title, s->ui->palette->text, "%s", words);
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

/* What it was recorded as, when it has another name by hand. */
static void
put_function(struct sheet *s, uint32_t name)
{
	const char *was = model_name_recorded(s->ui->model, name);
	const char *is = model_name(s->ui->model, name);

	if (was != NULL && is != was)
		sheet_put(s, "recorded as", s->ui->palette->dim, "%s", was);
}

static void
put_span_rows(struct sheet *s, uint32_t lane, const struct span *span)
{
	const struct ui *ui = s->ui;
	struct span then = run_span_then(ui, span), *k = &then;
	int64_t end = k->t1_mon_ns == INT64_MAX ? run_now(ui) : k->t1_mon_ns;
	char from[160];

	sheet_put(s, "is", ui->palette->text, "%s", label_state(k));
	if (k->name != 0 && k->class < LANE_OBJECT_NODE) {
		put_place(s, k->name);
		put_function(s, k->name);
	}
	if (called_from(ui, lane, k, from, sizeof(from)))
		sheet_put(s, "called from", ui->palette->text, "%s", from);
	put_when(s, "begun", k->t0_mon_ns);
	put_when(s, "ended", k->t1_mon_ns);
	put_span(s, k->t1_mon_ns == INT64_MAX ? "so far" : "length",
	    end - k->t0_mon_ns);
	put_lock(s, lane, k, k->t0_mon_ns);
	put_remote(s, lane, k);
	put_object(s, lane, k->t0_mon_ns);
}

static void
put_row(struct sheet *s, uint32_t lane)
{
	const struct model *m = s->ui->model;
	const struct lane *l = model_lane(m, lane);
	uint32_t rgb = s->ui->palette->text;
	char name[96];

	sheet_put(s, "row", rgb, "%s", label_lane(m, l, name, sizeof(name)));
	if (l->kind == LANE_THREAD || l->kind == LANE_DEPTH)
		sheet_put(s, "process", rgb, "%s, PO %" PRIu32,
		    label_program(m, l->node, l->po), l->po);
	if (l->node != 0)
		sheet_put(s, "node", rgb, "%s", label_node(m, l->node));
}

/* A message, spawn, order... that was clicked. */
static void
link_sheet(struct sheet *s, const struct thing *of)
{
	const struct ui *ui = s->ui;
	const struct palette *p = ui->palette;
	const struct link *k = &of->link;
	const struct event_desc *d = event_desc(k->kind0);
	uint32_t end[2] = { k->lane0, k->lane1 };
	char where[256], num[32];

	s->title(s, p->text, d != NULL ? d->name : "link");
	if (d != NULL)
		sheet_put(s, "is", p->text, "%s", d->what);
	for (int i = 0; i < 2; i++) {
		const struct lane *l = end[i] < model_lanes(ui->model)
					   ? model_lane(ui->model, end[i])
					   : NULL;

		if (l != NULL)
			sheet_put(s, i == 0 ? "from" : "to", p->text, "%s",
			    label_where(ui, end[i],
				i == 0 ? k->t0_mon_ns : k->t1_mon_ns, where,
				sizeof(where)));
	}
	put_when(s, "left", k->t0_mon_ns);
	put_when(s, "arrived", k->t1_mon_ns);
	if (k->t1_mon_ns != INT64_MAX)
		put_span(s, "on the way", k->t1_mon_ns - k->t0_mon_ns);
	sheet_put(s, "id", p->text, "0x%" PRIx64, k->id);
	if (k->bytes != 0)
		sheet_put(s, "size", p->text, "%s",
		    format_bytes(num, sizeof(num), k->bytes));
	if (k->flags & EVENT_ORPHAN)
		sheet_put(s, "order", p->warn, "its cause came too late");
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
			sheet_put(s, label_name(m, c.name),
			    s->ui->palette->text, "%s", words);
}

/* What the scheduler did with a thread in the range, if that is known. */
static void
put_states(struct sheet *s, uint32_t lane, int64_t t0, int64_t t1)
{
	static const char *const words[SCHED_STATES] = { [SCHED_RUNNING] =
							     "on a processor",
		[SCHED_READY] = "ready",
		[SCHED_BLOCKED] = "blocked" };
	const int64_t range[2] = { t0, t1 };
	uint32_t i = model_sched_of(s->ui->model, lane);
	struct sched_then then[2];

	if (i == UINT32_MAX)
		return;
	model_sched_then(s->ui->model, i, range, 2, then);
	for (int k = SCHED_RUNNING; k < SCHED_STATES; k++)
		put_span(s, words[k], then[1].in_ns[k] - then[0].in_ns[k]);
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
	put_span(s, "lived", life);
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

static void
lane_sheet(struct sheet *s, const struct thing *k)
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
		    span_name(s->ui, &k->span));
		put_span_rows(s, k->of, &k->span);
	} else if (id < HAND_LANE) {
		put_lock(s, id, NULL, run_now(s->ui));
		put_object(s, id, run_now(s->ui));
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
	for (unsigned i = 1; i < sizeof(words) / sizeof(words[0]); i++)
		if (by_class[i] != 0)
			sheet_put(s, l->kind == LANE_LOCK ? "held" : words[i],
			    p->text, "%s%s, %d %%", about,
			    format_span(name, sizeof(name), by_class[i]),
			    share_percent(by_class[i], lives));
	if (id >= HAND_LANE)
		return;
	put_states(s, id, t0, t1);
	put_counters(s, id);
}

/* Of a span alone, or with the figures of the row that it is in. */
static void
span_sheet(struct sheet *s, const struct thing *k)
{
	if (s->beside) {
		lane_sheet(s, k);
		return;
	}
	s->title(s, s->ui->palette->text, span_name(s->ui, &k->span));
	put_span_rows(s, k->of, &k->span);
	put_row(s, k->lane);
}

/* A mark that was clicked, and what it means. */
static void
mark_sheet(struct sheet *s, const struct thing *of)
{
	struct ui *ui = s->ui;
	const struct mark *k = &of->mark;
	const struct lane *l = model_lane(ui->model, of->lane);
	bool doubt = k->kind == EV_po_end || k->kind >= EV_lost;
	char words[320], name[96];
	const char *title = label_mark(ui->model, k, words, sizeof(words));

	s->title(s, doubt ? ui->palette->warn : ui->palette->text, title);
	s->words(s, words);
	sheet_put(s, "row", ui->palette->text, "%s",
	    label_lane(ui->model, l, name, sizeof(name)));
	sheet_put(s, "node", ui->palette->text, "%s",
	    label_node(ui->model, k->node));
	put_when(s, "when", k->t_mon_ns);
}

static void
run_sheet(struct sheet *s, const struct thing *of)
{
	struct ui *ui = s->ui;
	const struct palette *p = ui->palette;
	const struct model *m = ui->model;
	const char *title = ui->feed.run_name;
	char num[40], odd[200];

	(void)of;
	s->title(s, p->text, title[0] != '\0' ? title : "The run");
	sheet_put(s, "source", p->text, "%s", ui->feed.source);
	sheet_put(s, "run", p->text, "%s", ui->feed.run);
	sheet_put(s, "events", p->text, "%s",
	    format_count(num, sizeof(num), model_events(m)));
	sheet_put(s, "log", p->text, "%s",
	    format_bytes(num, sizeof(num), ui->feed.bytes));
	if (run_dated(ui))
		sheet_put(s, "started", p->text, "%s UTC",
		    format_date(num, sizeof(num), ui->feed.start_real_ns));
	put_when(s, "from", run_begin(ui));
	put_span(s, "length", run_end(ui) - run_begin(ui));
	sheet_put(s, "tasks", p->text, "%s",
	    format_count(num, sizeof(num), model_tasks(m)));
	sheet_put(s, "lost", model_lost(m) > 0 ? p->error : p->text, "%s",
	    format_count(num, sizeof(num), model_lost(m)));
	if (ui->feed.damaged_bytes > 0)
		sheet_put(s, "damaged", p->error, "%s bytes of the log",
		    format_count(num, sizeof(num), ui->feed.damaged_bytes));
	if (model_odd(m, odd, sizeof(odd)))
		sheet_put(s, "log", p->error, "%s", odd);
	for (uint32_t i = 1; i <= model_nodes(m); i++)
		if (model_node_told(m, i))
			put_clock(s, label_node(m, i), i);
}

static void (*const sheets[])(struct sheet *, const struct thing *) = {
	[THING_RUN] = run_sheet,
	[THING_TASK] = task_sheet,
	[THING_PATH] = path_sheet,
	[THING_ROW] = lane_sheet,
	[THING_SPAN] = span_sheet,
	[THING_LINK] = link_sheet,
	[THING_MARK] = mark_sheet,
};

void
sheet_write(struct sheet *s, const struct thing *k)
{
	sheets[k->kind](s, k);
}
