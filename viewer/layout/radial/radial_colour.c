/* What the colours of the tree mean: PE, time, procedure, state. */
#include <stdlib.h>

#include "layout/radial/radial_inside.h"

#define DIMMED 45 /* of 255 of a colour that the user does not look for */
#define AHEAD  16 /* nodes whose tasks memory is asked for before */

const char *const radial_colour_name[RADIAL_COLOURS] = { "PE", "time",
	"PE-time", "procedure", "state", "difference" };

static int64_t
task_time(const struct model *m, uint32_t t)
{
	int64_t at = model_task_begin(m, t);

	return (at != INT64_MIN ? at : model_task_spawn(m, t));
}

/* The view is of an instant before the task's begin. */
static bool
not_begun(const struct radial_drawing *r, uint32_t t)
{
	return (r->v->until_mon_ns != INT64_MAX &&
		model_task_begin(r->tree.m, t) > r->v->until_mon_ns);
}

static uint32_t
time_colour(const struct radial_drawing *r, uint32_t t)
{
	int64_t at = task_time(r->tree.m, t);
	double span = (double)(r->l->t1_mon_ns - r->l->t0_mon_ns);

	if (at == INT64_MIN)
		return (r->pal->faint);
	return (palette_scale_on(r->pal, r->v->scale,
	    span <= 0 ? 0 : (double)(at - r->l->t0_mon_ns) / span));
}

static uint32_t
pe_colour(const struct radial_drawing *r, uint32_t t)
{
	uint32_t pe = model_task_pe(r->tree.m, t);

	if (not_begun(r, t))
		return (r->pal->faint);
	return (pe != UINT32_MAX ? palette_pe_on(r->pal, pe) : r->pal->faint);
}

static uint32_t
name_colour(const struct radial_drawing *r, uint32_t t)
{
	uint32_t name = model_task_name(r->tree.m, t);

	return (name == 0 ? r->pal->faint : palette_of_name(r->tree.m, name));
}

static uint32_t
state_colour(const struct radial_drawing *r, uint32_t t)
{
	int64_t end_ns;
	unsigned flags = model_task_flags(r->tree.m, t, &end_ns);

	if (not_begun(r, t))
		return (r->pal->faint);
	if (end_ns != INT64_MIN && end_ns > r->v->until_mon_ns)
		return (r->pal->state[LANE_running]); /* as yet */
	if (flags & TASK_ENDED)
		return (
		    model_task_suspended(r->tree.m, t) ? 0xcc79a7 : 0x4477aa);
	if (flags & TASK_SUSPENDED)
		return (r->pal->state[LANE_wait_message]);
	return (
	    flags & TASK_BEGUN ? r->pal->state[LANE_running] : r->pal->faint);
}

static const struct {
	uint32_t (*face)(const struct radial_drawing *, uint32_t task);
	uint32_t (*dot)(const struct radial_drawing *, uint32_t task);
} colourings[RADIAL_COLOURS] = {
	[RADIAL_PE] = { pe_colour, NULL },
	[RADIAL_TIME] = { time_colour, NULL },
	[RADIAL_PE_TIME] = { time_colour, pe_colour },
	[RADIAL_PROCEDURE] = { name_colour, NULL },
	[RADIAL_STATE] = { state_colour, NULL },
};

uint32_t
radial_class(const struct model *m, enum radial_colour by, uint32_t task)
{
	int64_t end_ns;
	unsigned flags;

	if (by == RADIAL_PE || by == RADIAL_PE_TIME)
		return (model_task_pe(m, task));
	if (by == RADIAL_PROCEDURE)
		return (model_task_name(m, task));
	if (by != RADIAL_STATE)
		return (UINT32_MAX);
	flags = model_task_flags(m, task, &end_ns);
	if (flags & TASK_ENDED)
		return (model_task_suspended(m, task) ? RADIAL_DONE_SUSPENDED
						      : RADIAL_DONE);
	return (flags & TASK_SUSPENDED ? RADIAL_SUSPENDED
		: flags & TASK_BEGUN   ? RADIAL_RUNNING
				       : RADIAL_NOT_BEGUN);
}

static uint32_t
dimmed(const struct radial_drawing *r, uint32_t rgb)
{
	return (palette_mix(r->pal->background, rgb, DIMMED));
}

uint32_t
radial_colour_of(const struct radial_drawing *r, uint32_t task, uint32_t *dot)
{
	unsigned by = r->v->colour % RADIAL_COLOURS;
	uint32_t rgb;

	if (task == TASK_NONE)
		return (*dot = r->pal->faint);
	if (r->v->tints != NULL &&
	    (by == RADIAL_DIFFERENCE || r->v->tints[task] & RADIAL_ABSENT))
		return (*dot = r->v->tints[task] & 0xffffff);
	if (by == RADIAL_DIFFERENCE)
		return (*dot = r->pal->faint);
	rgb = colourings[by].face(r, task);
	*dot = colourings[by].dot == NULL ? rgb : colourings[by].dot(r, task);
	if (r->v->dims &&
	    radial_class(r->tree.m, r->v->colour, task) != r->v->only) {
		rgb = dimmed(r, rgb);
		*dot = dimmed(r, *dot);
	}
	return (rgb);
}

/* Tasks of one name may have been on any PE at any time. */
uint32_t
radial_node_colour(const struct radial_drawing *r, const struct radial_node *n,
    uint32_t *dot)
{
	if (n->group && r->v->colour != RADIAL_PROCEDURE)
		return (*dot = r->pal->dim);
	return (radial_colour_of(r, n->task, dot));
}

/* Counts a procedure; those beyond the table are not told. */
static void
count_name(struct radial_layout *l, uint32_t name, uint32_t tasks)
{
	uint32_t i;

	for (i = 0; i < l->names.n && l->names.of[i].name != name; i++)
		;
	if (i == RADIAL_NAMES)
		return;
	if (i == l->names.n)
		l->names.of[l->names.n++] = (struct radial_name){ name, 0 };
	l->names.of[i].count += tasks;
	/* frequent ones go to the front, where they are found soonest */
	if (l->names.of[i].count > l->names.of[i / 2].count) {
		struct radial_name t = l->names.of[i];

		l->names.of[i] = l->names.of[i / 2];
		l->names.of[i / 2] = t;
	}
}

static int
by_count(const void *a, const void *b)
{
	const struct radial_name *x = a, *y = b;

	if (x->count != y->count)
		return (x->count < y->count ? 1 : -1);
	return ((x->name > y->name) - (x->name < y->name));
}

void
radial_span(struct radial_drawing *r)
{
	struct radial_layout *l = r->l;
	bool asked = r->v->span1_mon_ns > r->v->span0_mon_ns;

	l->t0_mon_ns = asked ? r->v->span0_mon_ns : l->drawn0_mon_ns;
	l->t1_mon_ns = asked ? r->v->span1_mon_ns : l->drawn1_mon_ns;
	if (l->t0_mon_ns > l->t1_mon_ns)
		l->t0_mon_ns = l->t1_mon_ns = 0;
}

void
radial_survey(struct radial_drawing *r)
{
	struct radial_layout *l = r->l;
	uint8_t pes[8192] = { 0 };
	struct task_face face;

	l->drawn0_mon_ns = INT64_MAX;
	l->drawn1_mon_ns = INT64_MIN;
	l->suspended = l->pes = 0;
	for (size_t i = 0; i < l->nnodes; i++) {
		if (i + AHEAD < l->nnodes &&
		    l->nodes[i + AHEAD].task != TASK_NONE)
			model_task_ahead_drawn(r->tree.m,
			    l->nodes[i + AHEAD].task);
		if (l->nodes[i].task == TASK_NONE || l->nodes[i].summary)
			continue;
		model_task_face(r->tree.m, l->nodes[i].task, &face);
		if (l->nodes[i].group) {
			count_name(l, face.name, l->nodes[i].condensed);
			continue;
		}
		if (face.at_mon_ns != INT64_MIN &&
		    face.at_mon_ns < l->drawn0_mon_ns)
			l->drawn0_mon_ns = face.at_mon_ns;
		if (face.at_mon_ns != INT64_MIN &&
		    face.at_mon_ns > l->drawn1_mon_ns)
			l->drawn1_mon_ns = face.at_mon_ns;
		l->suspended += face.suspended;
		count_name(l, face.name, 1);
		if (face.pe != UINT32_MAX &&
		    !(pes[face.pe >> 3] >> (face.pe & 7) & 1)) {
			pes[face.pe >> 3] |= (uint8_t)(1u << (face.pe & 7));
			l->pes++;
		}
	}
	qsort(l->names.of, l->names.n, sizeof(l->names.of[0]), by_count);
	radial_span(r);
}
