/*
 * See find.h.  Names are in no index: lanes are looked through from where one
 * is, in pieces of time that grow as long as nothing is found and shrink where
 * there is too much for the buffer.
 */
#include "find.h"

#include <stdlib.h>

#include "ui/desk/desk.h"

#define SPANS_MOST 4096
#define WORK_MOST  4000000         /* spans and lanes looked at in one go */
#define PIECE_NS   ((int64_t)1000) /* shorter ones are not cut */

struct search {
	const struct ui *ui;
	const uint8_t *names;
	uint32_t n;
	int way;
	struct found from, best;
	bool any;
	uint64_t work;
	struct span *span;
	struct mark *mark;
};

static int
order(const struct found *a, const struct found *b)
{
	uint32_t x = a->lane + 1, y = b->lane + 1;

	if (a->t_mon_ns != b->t_mon_ns)
		return (a->t_mon_ns < b->t_mon_ns ? -1 : 1);
	return (x != y ? (x < y ? -1 : 1) : a->note - b->note);
}

static void
offer(struct search *s, const struct found *f, uint32_t name)
{
	if (name == 0 || name >= s->n || s->names[name] == 0 ||
	    order(f, &s->from) * s->way <= 0 ||
	    (s->any && order(f, &s->best) * s->way >= 0))
		return;
	s->best = *f;
	s->any = true;
}

/* Calls that nest are on the lanes below; their thread has the pieces. */
static bool
is_searched(const struct model *m, const struct lane *l)
{
	uint32_t below;

	if (l->kind != LANE_THREAD)
		return (l->kind == LANE_DEPTH);
	below = model_lane_first_child(m, l->id);
	return (
	    below == UINT32_MAX || model_lane(m, below)->kind != LANE_DEPTH);
}

/* False: there is more than can be looked at. */
static bool
spans_in(struct search *s, int64_t t0, int64_t t1)
{
	const struct model *m = s->ui->model;
	uint32_t lanes = model_lanes(m);
	size_t n;

	for (uint32_t i = 0; i < lanes; i++) {
		s->work++;
		if (!is_searched(m, model_lane(m, i)))
			continue;
		n = model_lane_spans(m, i, t0, t1, s->span, SPANS_MOST);
		if (n > SPANS_MOST && t1 - t0 > PIECE_NS)
			return (false);
		s->work += n;
		for (size_t k = 0; k < n && n <= SPANS_MOST; k++) {
			struct found f = { .t_mon_ns = s->span[k].t0_mon_ns,
				.lane = i,
				.span = s->span[k] };

			if (f.t_mon_ns >= t0)
				offer(s, &f, f.span.name);
		}
	}
	return (true);
}

static bool
notes_in(struct search *s, int64_t t0, int64_t t1)
{
	size_t n = model_marks(s->ui->model, t0, t1, s->mark, SPANS_MOST);

	if (n > SPANS_MOST && t1 - t0 > PIECE_NS)
		return (false);
	s->work += n;
	for (size_t k = 0; k < n && k < SPANS_MOST; k++) {
		struct found f = { .t_mon_ns = s->mark[k].t_mon_ns,
			.lane = s->mark[k].lane,
			.note = true,
			.mark = s->mark[k] };

		if (f.mark.kind == EV_note || f.mark.kind == EV_own)
			offer(s, &f, f.mark.c);
	}
	return (true);
}

/* From *at on, until something is found, the run is over, or it is enough. */
static void
look(struct search *s, int64_t *at, int64_t first, int64_t last)
{
	const struct timeline_view *v = &s->ui->time;
	int64_t piece = v->t1_mon_ns - v->t0_mon_ns, t0, t1;

	piece = piece < PIECE_NS ? PIECE_NS : piece;
	while (!s->any && s->work < WORK_MOST &&
	       (s->way > 0 ? *at <= last : *at >= first)) {
		t0 = s->way > 0 ? *at : *at - piece;
		t1 = s->way > 0 ? *at + piece : *at;
		s->any = false;
		if (!spans_in(s, t0, t1) || !notes_in(s, t0, t1)) {
			s->any = false;
			piece /= 2;
			continue;
		}
		*at = s->way > 0 ? t1 : t0;
		piece = piece < last - first ? piece * 2 : piece;
	}
}

int
find_in_time(const struct ui *ui, const uint8_t *names, uint32_t n, int way,
    struct found *at)
{
	struct search s = { .ui = ui,
		.names = names,
		.n = n,
		.way = way,
		.from = *at };
	int64_t first = model_first_ns(ui->model);
	int64_t last = model_last_ns(ui->model), t = at->t_mon_ns;
	bool far;

	if (model_events(ui->model) == 0)
		return (0);
	t = t < first ? first : t > last ? last : t;
	t += way < 0; /* pieces are without their ends */
	s.span = malloc(SPANS_MOST * sizeof(*s.span));
	s.mark = malloc(SPANS_MOST * sizeof(*s.mark));
	if (s.span != NULL && s.mark != NULL)
		look(&s, &t, first, last);
	free(s.span);
	free(s.mark);
	if (s.any) {
		*at = s.best;
		return (1);
	}
	far = s.work >= WORK_MOST;
	*at = (struct found){ .t_mon_ns = t, .lane = UINT32_MAX };
	return (far ? -1 : 0);
}
