/*
 * From when to when the colours of time go: from the first to the last of the
 * tasks of the trees that are shown, in sight or not, so that zoom and pan
 * change no colour.  The tasks are looked at some in each frame, again when
 * there are others; until the first time is over it is the run that counts.
 */
#include <string.h>

#include "treepane.h"
#include "ui/desk/desk.h"

#define TASKS_A_FRAME      (1u << 18)
#define TASKS_A_LIVE_FRAME (1u << 14)
#define LIVE_FRAMES        30 /* between two times, while the run goes on */

/* Is it of the trees that are shown now? */
static bool
is_same(const struct tree_span *s, const struct ui *ui)
{
	return (
	    s->model == tree_model(ui) && s->root == ui->tree.root &&
	    s->subtree == ui->tree.subtree && s->of == ui->trees.of &&
	    (s->of == TREE_TASKS || (s->events == ui->trees.grown.of.events &&
					s->t0 == ui->trees.grown.of.t0 &&
					s->t1 == ui->trees.grown.of.t1)));
}

static void
begin(struct tree_span *s, struct ui *ui)
{
	const struct model *m = tree_model(ui);
	bool known = s->known && is_same(s, ui);

	*s = (struct tree_span){ .model = m,
		.version = model_tree_version(m),
		.epoch = model_tree_epoch(m),
		.root = ui->tree.root,
		.subtree = ui->tree.subtree,
		.of = ui->trees.of,
		.events = ui->trees.grown.of.events,
		.t0 = ui->trees.grown.of.t0,
		.t1 = ui->trees.grown.of.t1,
		.known = known,
		.first_mon_ns = s->first_mon_ns,
		.last_mon_ns = s->last_mon_ns,
		.lo = INT64_MAX,
		.hi = INT64_MIN };
	s->top = tree_top(m, s->root, s->subtree);
	s->at = model_tasks(m) == 0   ? TASK_NONE
		: s->top == TASK_NONE ? 0
				      : s->top;
}

static void
look_at(struct tree_span *s)
{
	struct task_face face;
	struct task_sums sums;
	int64_t at = INT64_MIN;

	if (model_task_sums(s->model, s->at, &sums)) {
		at = sums.tasks > 0 ? sums.t0_mon_ns : at;
	} else if (!model_task_gone(s->model, s->at)) {
		model_task_face(s->model, s->at, &face);
		at = face.at_mon_ns;
	}
	if (at == INT64_MIN || at == INT64_MAX)
		return;
	s->lo = at < s->lo ? at : s->lo;
	s->hi = at > s->hi ? at : s->hi;
}

/* False: tasks were given up meanwhile, so that nobody knows what is next. */
static bool
look(struct tree_span *s, uint32_t tasks)
{
	unsigned door;

	if (model_tree_epoch(s->model) != s->epoch && s->top != TASK_NONE)
		return (false);
	door = model_enter(s->model);
	for (; s->at != TASK_NONE && tasks > 0; tasks--) {
		look_at(s);
		s->at = tree_next(s->model, s->top, s->at);
	}
	model_leave(s->model, door);
	if (s->at == TASK_NONE && !s->done) {
		s->done = s->known = true;
		s->first_mon_ns = s->lo <= s->hi ? s->lo : 0;
		s->last_mon_ns = s->lo <= s->hi ? s->hi : 0;
	}
	return (true);
}

/* Of a run that grows a bit more, not to change with each task. */
static int64_t
rounded_up(int64_t t0, int64_t t1)
{
	int64_t step = 1 << 20;

	while (step * 16 < t1 - t0)
		step *= 2;
	return (t0 + (t1 - t0 + step - 1) / step * step);
}

void
tree_span(struct ui *ui)
{
	struct tree_span *s = &ui->treepane.span;
	bool grows = run_grows(ui);

	if (!is_same(s, ui) ||
	    (s->done && s->version != model_tree_version(s->model) &&
		(!grows || ui->picture->frame >= s->due))) {
		begin(s, ui);
		s->due = ui->picture->frame + LIVE_FRAMES;
	}
	if (!look(s, grows ? TASKS_A_LIVE_FRAME : TASKS_A_FRAME))
		begin(s, ui);
	ui->picture->undone |= !s->done;
	ui->tree.span0_mon_ns = s->known ? s->first_mon_ns : run_begin(ui);
	ui->tree.span1_mon_ns = s->known ? s->last_mon_ns : run_end(ui);
	if (grows)
		ui->tree.span1_mon_ns =
		    rounded_up(ui->tree.span0_mon_ns, ui->tree.span1_mon_ns);
}
