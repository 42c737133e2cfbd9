/*
 * Who is in which state at the instant that all views are of.  Each thread is
 * asked once; of many, some in each frame, while the squares are shown as they
 * were.
 */
#include "machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/detail.h"
#include "talkparts.h"
#include "ui/desk/desk.h"
#include "ui/things/thing.h"
#include "ui/traffic/talkcount.h"
#include "ui/views/legend.h"
#include "ui/views/view.h"

#define LANES_FRAME 4096 /* asked in a frame */
#define LANES_MANY  512  /* with more of them a run that grows has pauses */
#define PAUSE       15   /* frames */
#define DESCRIBED   64   /* of what is on its way */

const struct legend_row machine_legend[] = {
	{ ITEM_RECT, LEGEND_STATE(running),
	    "a process, or node, thread: running" },
	{ ITEM_RECT, LEGEND_STATE(overhead), "in the runtime" },
	LEGEND_WAITS,
	{ ITEM_RECT, LEGEND_INK(line), "idle" },
	{ ITEM_SQUARE_OPEN, LEGEND_NODES_ON, 0, "edge: its node" },
	{ ITEM_LINE, LEGEND_INK(faint), "crossed: it has ended" },
	{ ITEM_DOT, LEGEND_INK(text), "a message; its size: bytes" },
	{ ITEM_DOT, LEGEND_RGB_ON, PALETTE_RPC_OUT, "a remote call: there" },
	{ ITEM_DOT, LEGEND_RGB_ON, PALETTE_RPC_WORK, "it runs there" },
	{ ITEM_DOT, LEGEND_RGB_ON, PALETTE_RPC_BACK, "its answer" },
	{ ITEM_RECT, LEGEND_INK_ON(state[LANE_wait_message]),
	    "so many are on their way to it" },
	{ ITEM_LINE, LEGEND_INK(grid), "neighbours in the shape" },
	{ 0 },
};

struct machine_figures *
machine_figures(struct ui *ui)
{
	static struct machine_figures none;

	if (ui->figures.machine == NULL)
		ui->figures.machine = calloc(1, sizeof(*ui->figures.machine));
	return (ui->figures.machine == NULL ? &none : ui->figures.machine);
}

static void
clear(struct machine *m)
{
	talk_groups_clear(&m->g);
	free(m->square);
	free(m->place);
	free(m->now.item);
	memset(m, 0, sizeof(*m));
}

void
machine_forget(struct ui *ui)
{
	if (ui->figures.machine == NULL)
		return;
	clear(&ui->figures.machine->shown);
	clear(&ui->figures.machine->next);
	ui->figures.machine->busy = false;
}

void
machine_free(struct ui *ui)
{
	machine_forget(ui);
	free(ui->figures.machine);
	ui->figures.machine = NULL;
}

/* --- who is in which state --- */

/* The last state that has begun by t; false: that is not known one by one. */
static bool
state_at(const struct model *m, uint32_t lane, int64_t t, unsigned *class,
    int64_t *since)
{
	struct span s;
	int found = model_lane_span_at(m, lane, t, &s);

	*class = found == 1 ? s.class : LANE_idle;
	*since = found == 1 ? s.t0_mon_ns : INT64_MIN;
	return (found != -1);
}

/* What most of the time around t was, where single states are gone. */
static unsigned
state_about(const struct model *m, uint32_t lane, int64_t t)
{
	int64_t by_class[LANE_CLASSES] = { 0 };
	unsigned most = LANE_idle;

	(void)model_lane_totals(m, lane, t, t + 1, by_class, NULL);
	for (unsigned i = 1; i < LANE_CLASSES; i++)
		if (by_class[i] > by_class[most])
			most = i;
	return (most);
}

static void
add_thread(struct machine *m, uint32_t lane, bool known)
{
	struct machine_square *q = &m->square[m->place[lane]];
	int64_t t0, t1, end, since = INT64_MIN;
	unsigned class;

	if (!model_lane_life(m->model, lane, &t0, &t1) || t0 > m->t_ns) {
		q->unborn++;
		return;
	}
	if (model_lane_ended(m->model, lane, &end) && end <= m->t_ns) {
		q->ended++;
		return;
	}
	if (!known || !state_at(m->model, lane, m->t_ns, &class, &since)) {
		class = state_about(m->model, lane, m->t_ns);
		m->about = true;
	}
	q->in[class]++;
	q->since_ns = q->live++ == 0 ? since : INT64_MIN;
}

static void
add_lane(struct machine *m, uint32_t i, bool known)
{
	const struct lane *l = model_lane(m->model, i);
	bool row = l->kind == (m->g.level == TALK_BY_NODE    ? LANE_NODE
				  : m->g.level == TALK_BY_PO ? LANE_PO
							     : LANE_THREAD);

	if (row)
		for (uint32_t k = 0; k < m->g.n; k++)
			if (m->square[k].lane == UINT32_MAX &&
			    talk_end_has(&m->g.group[k], l) &&
			    (m->g.level == TALK_BY_NODE ||
				m->g.group[k].po == l->po)) {
				m->square[k].lane = i;
				break;
			}
	if (l->kind == LANE_THREAD && l->thread != 0 &&
	    m->place[i] != UINT32_MAX)
		add_thread(m, i, known);
}

uint32_t
machine_end(const struct machine *m, uint32_t lane)
{
	return (lane < m->lanes ? m->place[lane] : UINT32_MAX);
}

static void
add_ways(struct ui *ui, struct machine *m)
{
	m->links = now_look(ui, m->t_ns, &m->now);
	for (size_t i = 0; m->links && i < m->now.n; i++) {
		const struct now_item *x = &m->now.item[i];
		uint32_t from = machine_end(m, x->from),
			 to = machine_end(m, x->to);

		if (x->kind != NOW_MESSAGE && x->kind != NOW_SETUP)
			continue;
		if (from != UINT32_MAX)
			m->square[from].from++;
		if (to != UINT32_MAX)
			m->square[to].to++;
	}
}

/* --- as it is now --- */

static bool
same(const struct machine *a, const struct machine *b)
{
	return (a->model == b->model && a->t_ns == b->t_ns &&
		a->events == b->events && a->details == b->details &&
		a->level == b->level);
}

static struct machine
wanted(const struct ui *ui)
{
	const char *what;

	return ((struct machine){ .model = ui->model,
	    .t_ns = run_instant(ui, &what),
	    .events = model_events(ui->model),
	    .details = model_details(ui->model),
	    .level = talk_level_of(ui) });
}

static bool
begin(const struct ui *ui, const struct machine *want, struct machine *m)
{
	uint32_t at;

	clear(m);
	*m = *want;
	m->lanes = model_lanes(ui->model);
	m->place = malloc((m->lanes + 1) * sizeof(*m->place));
	if (m->place == NULL ||
	    !talk_groups_make(ui, m->level, TALK_GROUPS_MAX, &m->g) ||
	    !talk_places(ui->model, m->lanes, m->level == TALK_BY_THREAD,
		m->place) ||
	    (m->square = calloc(m->g.n, sizeof(*m->square))) == NULL) {
		clear(m);
		return (false);
	}
	for (uint32_t i = 0; i < m->g.n; i++)
		m->square[i].lane = m->g.group[i].lane;
	for (uint32_t i = 0; i < m->lanes; i++) {
		at = m->place[i];
		m->place[i] = at < m->g.nof ? m->g.of[at] : UINT32_MAX;
	}
	return (true);
}

/* The next so many lanes; true: those were the last. */
static bool
step(struct ui *ui, struct machine *m, uint32_t n)
{
	bool known = model_known(m->model, m->t_ns,
	    m->t_ns < INT64_MAX ? m->t_ns + 1 : m->t_ns);

	for (; m->at < m->lanes && n > 0; m->at++, n--)
		add_lane(m, m->at, known);
	if (m->at < m->lanes)
		return (false);
	add_ways(ui, m);
	m->known = true;
	return (true);
}

static void
finish(struct ui *ui, struct machine_figures *f)
{
	struct machine was = f->shown;

	f->shown = f->next;
	f->next = was;
	f->busy = false;
	f->due = ui->picture->frame + PAUSE;
}

bool
machine_prepare(struct ui *ui)
{
	struct machine_figures *f = machine_figures(ui);
	struct machine want = wanted(ui);
	bool waits = ui->picture->stop_cb != NULL; /* somebody */

	if (!flow_find_open(ui))
		return (!draw_stopped(ui));
	if (same(&f->shown, &want) || model_lanes(ui->model) == 0)
		return (true);
	if (waits && f->shown.model == want.model && !f->busy &&
	    f->shown.lanes > LANES_MANY && run_grows(ui) &&
	    ui->picture->frame < f->due) {
		ui->picture->undone = true;
		return (true);
	}
	/* what was begun is ended first while time goes on */
	if (!f->busy || f->next.model != want.model ||
	    f->next.level != want.level)
		f->busy = begin(ui, &want, &f->next);
	if (!f->busy)
		return (true);
	if (step(ui, &f->next, waits ? LANES_FRAME : UINT32_MAX))
		finish(ui, f);
	ui->picture->undone |= !same(&f->shown, &want);
	return (!draw_stopped(ui));
}

const struct machine *
machine_now(struct ui *ui)
{
	return (&machine_figures(ui)->shown);
}

/* --- words --- */

unsigned
machine_class(const struct machine_square *q)
{
	unsigned most = LANE_idle;

	if (q->in[LANE_running] > 0)
		return (LANE_running);
	for (unsigned i = 1; i < LANE_CLASSES; i++)
		if (q->in[i] > (most == LANE_idle ? 0 : q->in[most]))
			most = i;
	return (most);
}

char *
machine_words(const struct machine_square *q, char *buf, size_t n)
{
	size_t at = (size_t)snprintf(buf, n, "%" PRIu32 " thread%s", q->live,
	    q->live == 1 ? "" : "s");
	const char *sep = ": ";

	for (unsigned i = 0; i < LANE_CLASSES && at < n; i++) {
		if (q->in[i] == 0)
			continue;
		at += (size_t)snprintf(buf + at, n - at, "%s%" PRIu32 " %s",
		    sep, q->in[i], label_class(i));
		sep = ", ";
	}
	if (q->unborn > 0 && at < n)
		at += (size_t)snprintf(buf + at, n - at,
		    "; %" PRIu32 " not yet", q->unborn);
	if (q->ended > 0 && at < n)
		snprintf(buf + at, n - at, "; %" PRIu32 " ended", q->ended);
	return (buf);
}

static const char *
state_word(const struct machine_square *q)
{
	return (q->live > 0     ? label_class(machine_class(q))
		: q->unborn > 0 ? "not yet"
		: q->ended > 0  ? "ended"
				: "nothing is told of it");
}

static void
describe_way(struct ui *ui, const struct machine *m, const struct now_item *x,
    FILE *f)
{
	uint32_t end[2] = { machine_end(m, x->from), machine_end(m, x->to) };
	char name[2][160];

	for (int i = 0; i < 2; i++) {
		snprintf(name[i], sizeof(name[i]), "?");
		if (end[i] != UINT32_MAX)
			talk_end_label(ui, &m->g.group[end[i]], name[i],
			    sizeof(name[i]));
	}
	fprintf(f, "  %s%s, %s to %s, since %" PRId64 " ns",
	    x->kind == NOW_MESSAGE ? "" : "call: ", now_word[x->kind], name[0],
	    name[1], x->link.t0_mon_ns - run_origin(ui));
	if (x->kind == NOW_MESSAGE)
		fprintf(f, ", %" PRIu64 " bytes", x->link.bytes);
	fprintf(f, "\n");
}

static void
describe_ways(struct ui *ui, const struct machine *m, FILE *f)
{
	if (!m->links) {
		fprintf(f, "on the way: not known\n");
		return;
	}
	fprintf(f,
	    "on the way: %s%" PRIu32 " messages, calls: setup %" PRIu32
	    ", remote %" PRIu32 ", return %" PRIu32 "\n",
	    m->now.more ? "more than " : "", m->now.count[NOW_MESSAGE],
	    m->now.count[NOW_SETUP], m->now.count[NOW_REMOTE],
	    m->now.count[NOW_RETURN]);
	for (size_t i = 0; i < m->now.n && i < DESCRIBED; i++)
		describe_way(ui, m, &m->now.item[i], f);
	if (m->now.n > DESCRIBED)
		fprintf(f, "  and %zu more\n", m->now.n - DESCRIBED);
}

void
machine_describe(struct ui *ui, FILE *f)
{
	static const char *const what[TALK_LEVELS] = { "processes", "nodes",
		"threads" };
	const struct machine *m = machine_now(ui);
	struct machine want = wanted(ui);
	const struct machine_layout *l = &machine_figures(ui)->layout;
	char name[160], words[256];
	uint32_t placed = 0;
	double x, y;

	if (!m->known || !same(m, &want)) {
		fprintf(f, "machine: %s\n",
		    machine_figures(ui)->busy ? "adding up"
					      : "no process has begun yet");
		return;
	}
	for (uint32_t i = 0; i < m->g.n; i++)
		placed += machine_place(ui, m, i, &x, &y);
	fprintf(f,
	    "machine: at %" PRId64 " ns, %" PRIu32 " %s as %s, %" PRIu32
	    " without a place%s\n",
	    m->t_ns - run_origin(ui), m->g.n, what[m->g.level],
	    shape_name(&l->shape, m->g.n, name, sizeof(name)), m->g.n - placed,
	    m->about ? ", states are about right" : "");
	for (uint32_t i = 0; i < m->g.n; i++) {
		const struct machine_square *q = &m->square[i];

		fprintf(f,
		    "  %s: %s; %s; on the way to it %" PRIu32
		    ", from it %" PRIu32 "\n",
		    talk_end_label(ui, &m->g.group[i], name, sizeof(name)),
		    state_word(q), machine_words(q, words, sizeof(words)),
		    q->to, q->from);
	}
	describe_ways(ui, m, f);
}

int
machine_select(struct ui *ui, uint64_t n)
{
	const struct machine *m = machine_now(ui);
	struct thing k = { .kind = THING_LINK };
	const struct now_item *x;

	if (!m->known || m->model != ui->model || !m->links || n == 0 ||
	    n > m->now.n)
		return (desk_fail(ui, "there are not so many on their way"));
	x = &m->now.item[n - 1];
	if (x->kind == NOW_REMOTE) { /* no link, but who serves it */
		ui->time.selected_lane = x->to;
		return (0);
	}
	k.link = x->link;
	k.lane = x->link.lane0;
	ui->play.follow = false;
	thing_show(ui, &k);
	return (0);
}
