/*
 * What is told of each kind of thing: a row of the table below, and a function
 * that goes through all that the model knows of it.
 */
#include "sheet_inside.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "calledfrom.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"
#include "ui/views/view.h"

#define PATH_WORDS 12

void
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

void
sheet_put_span(struct sheet *s, const char *label, int64_t ns)
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
		sheet_put_span(s, "ready", t->begin_mon_ns - t->spawn_mon_ns);
	if (t->busy_ns > 0 || t->end_mon_ns != INT64_MIN)
		sheet_put_span(s, "running", t->busy_ns);
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
	sheet_put_span(s, "total", g->total_ns);
	sheet_put_span(s, "self", g->self_ns);
	sheet_put(s, "waits",
	    g->waits_ns > 0 ? palette_ink(p, p->state[LANE_wait_lock])
			    : p->text,
	    "%s, %d %%", format_span(num, sizeof(num), g->waits_ns),
	    share_percent(g->waits_ns, g->total_ns));
	sheet_put_span(s, "itself", g->blocked_ns);
	if (g->calls > 0)
		sheet_put_span(s, "mean", g->total_ns / (int64_t)g->calls);
	sheet_put_span(s, "longest", g->longest_ns);
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

void
sheet_put_sum(struct sheet *s, const char *label, uint64_t n, uint32_t rgb)
{
	char num[32];

	if (n > 0)
		sheet_put(s, label, rgb, "%s",
		    format_count(num, sizeof(num), n));
}

void
sheet_put_clock(struct sheet *s, const char *label, uint32_t node)
{
	struct node_health h;
	char clock[64];
	uint32_t rgb;

	health_of(s->ui, node, &h);
	health_clock(s->ui, &h, &rgb, clock, sizeof(clock));
	sheet_put(s, label, rgb, "%s", clock);
}

/* What a span, a stay of an object... is called. */
const char *
sheet_span_name(const struct ui *ui, const struct span *k)
{
	if (k->class >= LANE_OBJECT_NODE || k->class == LANE_transit)
		return (label_node(ui->model, k->name));
	return (k->name != 0 ? label_name(ui->model, k->name) : label_state(k));
}

/* Who holds it, and who waits. */
void
sheet_put_lock(struct sheet *s, uint32_t lane, const struct span *span,
    int64_t t)
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
void
sheet_put_object(struct sheet *s, uint32_t lane, int64_t t)
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

/* What it was recorded as, when it has another name by hand. */
static void
put_function(struct sheet *s, uint32_t name)
{
	const char *was = model_name_recorded(s->ui->model, name);
	const char *is = model_name(s->ui->model, name);

	if (was != NULL && is != was)
		sheet_put(s, "recorded as", s->ui->palette->dim, "%s", was);
}

void
sheet_put_span_rows(struct sheet *s, uint32_t lane, const struct span *span)
{
	const struct ui *ui = s->ui;
	struct span then = run_span_then(ui, span), *k = &then;
	int64_t end = k->t1_mon_ns == INT64_MAX ? run_now(ui) : k->t1_mon_ns;
	char from[160], on[64];

	sheet_put(s, "is", ui->palette->text, "%s", label_state(k));
	if (k->name != 0 && k->class < LANE_OBJECT_NODE) {
		put_place(s, k->name);
		put_function(s, k->name);
	}
	if (called_from(ui, lane, k, from, sizeof(from)))
		sheet_put(s, "called from", ui->palette->text, "%s", from);
	put_when(s, "begun", k->t0_mon_ns);
	put_when(s, "ended", k->t1_mon_ns);
	sheet_put_span(s, k->t1_mon_ns == INT64_MAX ? "so far" : "length",
	    end - k->t0_mon_ns);
	processor_words(ui, lane, k->t0_mon_ns, end, on, sizeof(on));
	if (on[0] != '\0')
		sheet_put(s, "processor", ui->palette->text, "%s", on);
	sheet_put_lock(s, lane, k, k->t0_mon_ns);
	put_remote(s, lane, k);
	sheet_put_object(s, lane, k->t0_mon_ns);
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
	bool pause = k->kind0 == EV_task_suspend;

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
	put_when(s, pause ? "suspended" : "left", k->t0_mon_ns);
	put_when(s, pause ? "goes on" : "arrived", k->t1_mon_ns);
	if (k->t1_mon_ns != INT64_MAX)
		sheet_put_span(s, pause ? "paused" : "on the way",
		    k->t1_mon_ns - k->t0_mon_ns);
	sheet_put(s, "id", p->text, "0x%" PRIx64, k->id);
	if (k->bytes != 0)
		sheet_put(s, "size", p->text, "%s",
		    format_bytes(num, sizeof(num), k->bytes));
	if (k->tag != 0)
		sheet_put(s, "tag",
		    ui->time.links_as.by_tag ? timeline_tag_rgb(p, k->tag)
					     : p->text,
		    "%s", label_tag(k->tag, num, sizeof(num)));
	if (k->flags & EVENT_ORPHAN)
		sheet_put(s, "order", p->warn, "its cause came too late");
}

/* Of a span alone, or with the figures of the row that it is in. */
static void
span_sheet(struct sheet *s, const struct thing *k)
{
	if (s->beside) {
		sheet_lane(s, k);
		return;
	}
	s->title(s, s->ui->palette->text, sheet_span_name(s->ui, &k->span));
	sheet_put_span_rows(s, k->of, &k->span);
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
	if (model_events(m) > 0) {
		put_when(s, "from", run_begin(ui));
		sheet_put_span(s, "length", run_end(ui) - run_begin(ui));
	}
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
			sheet_put_clock(s, label_node(m, i), i);
}

static void (*const sheets[])(struct sheet *, const struct thing *) = {
	[THING_RUN] = run_sheet,
	[THING_TASK] = task_sheet,
	[THING_PATH] = path_sheet,
	[THING_ROW] = sheet_lane,
	[THING_SPAN] = span_sheet,
	[THING_LINK] = link_sheet,
	[THING_MARK] = mark_sheet,
};

void
sheet_write(struct sheet *s, const struct thing *k)
{
	sheets[k->kind](s, k);
}
