/* Names of things, as they are shown. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/measured/scheds.h"
#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

static const char *
or_text(const char *s, const char *other)
{
	return (s != NULL && s[0] != '\0' ? s : other);
}

const char *
label_name(const struct model *m, uint32_t name)
{
	return (or_text(name != 0 ? model_name(m, name) : NULL, "?"));
}

/* "step (a.c:12)" if there is another step, "step (a.c:12, sim)" if there too.
 */
const char *
label_name_own(const struct model *m, uint32_t name, char *buf, size_t n)
{
	enum name_shared shared = model_name_shared(m, name);
	const char *text = label_name(m, name), *file, *program;
	uint32_t line;

	file = model_name_place(m, name, &line);
	program = model_name_program(m, name);
	if (shared == NAME_ALONE || file == NULL || file[0] == '\0')
		return (text);
	if (shared == NAME_TEXT_SHARED || program == NULL || program[0] == '\0')
		snprintf(buf, n, "%s (%s:%" PRIu32 ")", text, file, line);
	else
		snprintf(buf, n, "%s (%s:%" PRIu32 ", %s)", text, file, line,
		    program);
	return (buf);
}

const char *
label_kind(uint8_t kind)
{
	static const char *const words[EVENT_SPANS] = { [SPAN_task] = "task",
		[SPAN_call] = "call",
		[SPAN_block] = "block",
		[SPAN_serve] = "remote call",
		[SPAN_phase] = "phase" };

	return (kind < EVENT_SPANS ? or_text(words[kind], "?") : "?");
}

const char *
label_function(const struct model *m, uint32_t name, uint8_t kind, char *buf,
    size_t n)
{
	unsigned kinds = model_name_kinds(m, name);
	const char *text = label_name_own(m, name, buf, n);
	size_t len = strlen(text);
	bool placed = text == buf && len > 0 && len < n;

	if ((kinds & (kinds - 1)) == 0)
		return (text);
	if (!placed)
		snprintf(buf, n, "%s (%s)", text, label_kind(kind));
	else
		snprintf(buf + len - 1, n - len + 1, ", %s)", label_kind(kind));
	return (buf);
}

const char *
label_node(const struct model *m, uint32_t node)
{
	return (or_text(model_node_name(m, node), "?"));
}

const char *
label_program(const struct model *m, uint32_t node, uint32_t po)
{
	return (or_text(model_program(m, node, po), "?"));
}

/* The number of a name like "PE 3", or -1. */
static int
pe_of(const char *name)
{
	char *end;
	long v;

	if (strncmp(name, "PE ", 3) != 0)
		return (-1);
	v = strtol(name + 3, &end, 10);
	return (*end != '\0' || v < 0 || v > 65535 ? -1 : (int)v);
}

char *
label_lane(const struct model *m, const struct lane *l, char *buf, size_t n)
{
	if (l->kind == LANE_PO && l->po == 0)
		snprintf(buf, n, "collector");
	else if (l->kind == LANE_THREAD && l->thread == 0)
		snprintf(buf, n, "process");
	else
		model_lane_label(m, l->id, buf, n);
	return (buf);
}

/* "rank0  torus PO 4": one that has no name of its own is called as its
 * program. */
char *
label_row(const struct model *m, const struct lane *l, char *buf, size_t n)
{
	uint32_t only = l->kind == LANE_PO && l->po != 0
			    ? model_lane_only_thread(m, l->id)
			    : UINT32_MAX;
	const char *program = label_program(m, l->node, l->po);
	char name[64], numbered[64];

	label_lane(m, l, buf, n);
	if (only == UINT32_MAX ||
	    (model_hand(m) != NULL &&
		hand_called(&model_hand(m)->rows, l->id) != NULL))
		return (buf);
	label_lane(m, model_lane(m, only), name, sizeof(name));
	snprintf(numbered, sizeof(numbered), "%.15s %" PRIu32, program,
	    model_lane(m, only)->thread);
	if (strncmp(name, "thread ", 7) != 0 &&
	    strncmp(name, program, strlen(name)) != 0 &&
	    strcmp(name, numbered) != 0)
		snprintf(buf, n, "%s  %s PO %" PRIu32, name, program, l->po);
	return (buf);
}

/* "drone 3, on n2", "drone 3, on the way from n1" */
static void
object_where(const struct ui *ui, const char *name, uint32_t lane, int64_t t,
    char *buf, size_t n)
{
	struct object_then k;

	if (t == INT64_MIN || !object_then(ui, lane, t, &k) ||
	    k.state > OBJECT_MOVES)
		snprintf(buf, n, "%s", name);
	else if (k.state == OBJECT_MOVES)
		snprintf(buf, n, "%s, on the way from %s", name,
		    label_node(ui->model, k.from));
	else
		snprintf(buf, n, "%s, on %s", name,
		    label_node(ui->model, k.on));
}

char *
label_tag(uint32_t tag, char *buf, size_t n)
{
	if (tag == LINK_TAG_OTHER)
		snprintf(buf, n, "one of many");
	else
		snprintf(buf, n, "%" PRIu32, tag);
	return (buf);
}

char *
label_where(const struct ui *ui, uint32_t lane, int64_t t, char *buf, size_t n)
{
	const struct model *m = ui->model;
	const struct lane *l = model_lane(m, lane);
	char name[96];

	label_lane(m, l, name, sizeof(name));
	switch (l->kind) {
	case LANE_THREAD:
	case LANE_DEPTH:
		if (l->node == 0) /* what monitord says itself */
			snprintf(buf, n, "%s", name);
		else
			snprintf(buf, n, "%s, %s PO %" PRIu32 ", node %s", name,
			    label_program(m, l->node, l->po), l->po,
			    label_node(m, l->node));
		break;
	case LANE_PO:
		snprintf(buf, n, "%s, node %s", name, label_node(m, l->node));
		break;
	case LANE_OBJECT:
		object_where(ui, name, lane, t, buf, n);
		break;
	default:
		snprintf(buf, n, "%s", name);
	}
	return (buf);
}

uint32_t
label_lane_rgb(const struct ui *ui, const struct lane *l)
{
	char name[64];
	int pe = -1;

	if (l->kind == LANE_THREAD)
		pe = pe_of(label_lane(ui->model, l, name, sizeof(name)));
	return (pe < 0 ? ui->palette->text
		       : palette_ink(ui->palette,
			     palette_pe_on(ui->palette, (unsigned)pe)));
}

char *
label_task(const struct model *m, const struct task *t, char *buf, size_t n)
{
	char tasks[32];

	if (t->flags & TASK_SUMMARY)
		snprintf(buf, n, "%s finished tasks",
		    format_count(tasks, sizeof(tasks), t->size));
	else
		snprintf(buf, n, "%s",
		    or_text(t->name != 0 ? model_name(m, t->name) : NULL,
			"task"));
	return (buf);
}

char *
label_fate(const struct task *t, char *buf, size_t n)
{
	char span[32];

	if (t->suspensions == 1)
		snprintf(buf, n, "suspended once, %s",
		    format_span(span, sizeof(span), t->suspended_ns));
	else if (t->suspensions > 1)
		snprintf(buf, n, "suspended %" PRIu32 " times, %s",
		    t->suspensions,
		    format_span(span, sizeof(span), t->suspended_ns));
	else if (t->flags & TASK_ENDED)
		snprintf(buf, n, "ran %s, never suspended",
		    format_span(span, sizeof(span), t->busy_ns));
	else
		snprintf(buf, n, "%s",
		    t->flags & TASK_BEGUN ? "running" : "not begun yet");
	return (buf);
}

const char *
label_class(unsigned class)
{
	static const char *const words[] = {
		[LANE_idle] = "idle",
		[LANE_running] = "running",
		[LANE_overhead] = "overhead",
		[LANE_wait_message] = "waits for a message",
		[LANE_wait_lock] = "waits for a lock",
		[LANE_wait_cond] = "waits for a condition",
		[LANE_wait_sync] = "waits for others",
		[LANE_wait_rpc] = "waits for a remote call",
		[LANE_transit] = "on the way",
		[LANE_lost] = "events lost",
	};

	return (
	    class < sizeof(words) / sizeof(words[0]) ? words[class] : "here");
}

const char *
label_sched(unsigned state)
{
	static const char *const words[SCHED_STATES] = {
		[SCHED_NONE] = "not there",
		[SCHED_RUNNING] = "running",
		[SCHED_READY] = "ready",
		[SCHED_BLOCKED] = "blocked",
	};

	return (words[state]);
}

const char *
label_state(const struct span *s)
{
	if (s->kind == SPAN_none && s->class == LANE_running && s->id != 0)
		return ("held");
	if (s->kind == SPAN_none && lane_waits(s->class) && s->id != 0)
		return ("waited for");
	if (s->class == LANE_idle && s->kind != SPAN_none)
		return ("idle, waits for work");
	return (label_class(s->class));
}

static int
label_span(const struct ui *ui, const struct span *s, char *buf, size_t n)
{
	struct span then = run_span_then(ui, s);
	int64_t end = then.t1_mon_ns == INT64_MAX ? run_now(ui) : s->t1_mon_ns;
	const char *name = "";
	char span[32];

	if (s->class >= LANE_transit)
		name = label_node(ui->model, s->name);
	else if (s->name != 0)
		name = label_name(ui->model, s->name);
	return (snprintf(buf, n, "%s%s%s  %s%s", name, name[0] ? "  " : "",
	    label_state(s), format_span(span, sizeof(span), end - s->t0_mon_ns),
	    then.t1_mon_ns == INT64_MAX ? " so far" : ""));
}

static int
label_link(const struct ui *ui, const struct link *l, char *buf, size_t n)
{
	const struct event_desc *d = event_desc(l->kind0);
	const struct lane *l0 = model_lane(ui->model, l->lane0);
	const struct lane *l1 = model_lane(ui->model, l->lane1);
	char a[64] = "?", b[64] = "?", span[32] = "not arrived";

	if (l0 != NULL)
		label_lane(ui->model, l0, a, sizeof(a));
	if (l1 != NULL)
		label_lane(ui->model, l1, b, sizeof(b));
	if (l->t1_mon_ns != INT64_MAX)
		format_span(span, sizeof(span), l->t1_mon_ns - l->t0_mon_ns);
	return (snprintf(buf, n, "%s  %s → %s  %s",
	    d != NULL ? d->name : "link", a, b, span));
}

/* What is under the mouse in the tree. */
static char *
label_node_of_tree(const struct ui *ui, char *buf, size_t n)
{
	const struct model *m = tree_model(ui);
	char name[64], colour[64];
	struct task t;

	if (ui->mouse.task >= model_tasks(m))
		return (buf);
	model_task_get(m, ui->mouse.task, &t);
	label_task(m, &t, name, sizeof(name));
	tree_colour_label(ui, t.pe, colour, sizeof(colour));
	snprintf(buf, n, "%s on %s, level %" PRIu32, name, colour, t.level);
	return (buf);
}

char *
label_hit(const struct ui *ui, char *buf, size_t n)
{
	const struct timeline_hit *h = &ui->mouse.hit;
	const struct lane *lane;
	char where[64] = "", words[320];
	int at;

	buf[0] = '\0';
	if (ui->mouse.task != TASK_NONE)
		return (label_node_of_tree(ui, buf, n));
	if (h->of == OF_NOTHING)
		return (buf);
	if (h->of == OF_LINK) {
		label_link(ui, &h->link, buf, n);
		return (buf);
	}
	lane = h->lane != UINT32_MAX ? model_lane(ui->model, h->lane) : NULL;
	if (lane != NULL)
		label_lane(ui->model, lane, where, sizeof(where));
	at = snprintf(buf, n, "%s", where);
	if (at < 0 || (size_t)at >= n)
		return (buf);
	if (h->of == OF_SPAN) {
		snprintf(buf + at, n - (size_t)at, ":  ");
		if ((size_t)at + 3 < n)
			label_span(ui, &h->span, buf + at + 3,
			    n - (size_t)at - 3);
	} else if (h->of == OF_MARK) {
		label_mark(ui->model, &h->mark, words, sizeof(words));
		snprintf(buf + at, n - (size_t)at, ":  %s", words);
	}
	return (buf);
}
