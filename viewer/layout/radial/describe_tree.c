/*
 * See describe_tree.h: the radial view.  Numbers of the tree are of all its
 * tasks, drawn or not.
 */
#include <stdlib.h>

#include "layout/radial/describe_tree.h"

int
describe_levels(char *buf, size_t n, const struct radial_layout *l)
{
	if (l->lc.levels[1] == 0)
		return (snprintf(buf, n, "LC: %u(%u)", l->lc.levels[0],
		    l->lc.ratio[0]));
	return (snprintf(buf, n, "LC: %u(%u) %u(%u)", l->lc.levels[0],
	    l->lc.ratio[0], l->lc.levels[1], l->lc.ratio[1]));
}

/*
 * A spoke is a long thin branch: tasks of at most two children, of which at
 * most one has children itself.
 */
#define SPOKE_LEVELS 16

struct spokes {
	uint32_t n;
	uint32_t levels[64], tasks[64], count[64], shapes; /* by shape */
};

/* The child that goes on; TASK_NONE: none does.  0: not part of a spoke. */
static int
spoke_part(const struct model *m, uint32_t t, uint32_t *next, uint32_t *kids)
{
	uint32_t first = model_task_first(m, t);

	*next = TASK_NONE;
	*kids = 0;
	for (uint32_t i = first; i != TASK_NONE; i = model_task_next(m, i)) {
		if (++*kids > 2)
			return (0);
		if (model_task_first(m, i) == TASK_NONE)
			continue;
		if (*next != TASK_NONE)
			return (0);
		*next = i;
	}
	if (*next == TASK_NONE && *kids > 0)
		*next = first;
	return (*kids > 0);
}

static void
spoke_add(struct spokes *s, uint32_t levels, uint32_t tasks)
{
	uint32_t i;

	if (levels < SPOKE_LEVELS)
		return;
	s->n++;
	for (i = 0; i < s->shapes; i++)
		if (s->levels[i] == levels && s->tasks[i] == tasks)
			break;
	if (i == sizeof(s->count) / sizeof(s->count[0]))
		return;
	if (i == s->shapes) {
		s->shapes++;
		s->levels[i] = levels;
		s->tasks[i] = tasks;
		s->count[i] = 0;
	}
	s->count[i]++;
}

/*
 * One that begins with this task is followed to its end.  Few tasks have as
 * many below them, as deep down, as it takes.
 */
static void
spoke_from(struct spokes *s, const struct model *m, uint32_t t)
{
	uint32_t next, kids, levels = 1, tasks = 1, up;
	uint64_t depths;

	if (model_task_counts(m, t, &depths) < SPOKE_LEVELS ||
	    depths < SPOKE_LEVELS * (SPOKE_LEVELS - 1) / 2)
		return;
	up = model_task_parent(m, t);
	if (!spoke_part(m, t, &next, &kids) ||
	    (up != TASK_NONE && spoke_part(m, up, &next, &kids)))
		return;
	while (spoke_part(m, t, &next, &kids)) {
		levels++;
		tasks += kids;
		t = next;
	}
	spoke_add(s, levels, tasks);
}

static void
print_spokes(FILE *f, const struct spokes *s)
{
	uint32_t best = 0;

	if (s->n == 0)
		return;
	for (uint32_t i = 1; i < s->shapes; i++)
		if (s->count[i] > s->count[best])
			best = i;
	fprintf(f, "  spokes: %u, of %u tasks on %u levels: %u\n", s->n,
	    s->tasks[best], s->levels[best], s->count[best]);
}

/* Tasks by procedure and by PE, of the whole log or of one tree. */
struct tally {
	uint32_t *by_name, *by_pe;
	uint32_t names, pes, tasks;
	int64_t until_mon_ns; /* of a playback, else INT64_MAX */
	uint64_t suspended, suspensions, begun, ended;
	struct spokes spokes;
};

/* Of tasks that were given up PE and number of suspensions are not known. */
static void
tally_summary(struct tally *y, const struct task_sums *s)
{
	for (uint32_t k = 0; k < s->nnames; k++) {
		struct summary_name n = model_task_sums_name(s, k);

		if (n.name < y->names)
			y->by_name[n.name] += n.tasks;
	}
	y->begun += s->tasks;
	y->ended += s->tasks;
	y->suspended += s->suspended;
}

/*
 * At an instant of a playback.  On which PE a task was then, and how often it
 * had been suspended, is not known.
 */
static void
tally_then(struct tally *y, const struct model *m, uint32_t i)
{
	struct task t;
	int64_t made;

	model_task_get(m, i, &t);
	made = t.spawn_mon_ns != INT64_MIN ? t.spawn_mon_ns : t.begin_mon_ns;
	if (made > y->until_mon_ns)
		return;
	y->tasks++;
	if (t.name < y->names)
		y->by_name[t.name]++;
	y->begun +=
	    t.begin_mon_ns != INT64_MIN && t.begin_mon_ns <= y->until_mon_ns;
	y->ended +=
	    (t.flags & TASK_ENDED) != 0 && t.end_mon_ns <= y->until_mon_ns;
}

static void
tally_task(struct tally *y, const struct model *m, uint32_t i)
{
	uint32_t name = model_task_name(m, i), pe;
	struct task_sums sums;
	struct task t;

	if (y->until_mon_ns != INT64_MAX) {
		tally_then(y, m, i);
		return;
	}
	if (model_task_ended(m, i)) {
		if (model_task_sums(m, i, &sums)) {
			tally_summary(y, &sums);
			return;
		}
		y->ended++;
	}
	if (name < y->names)
		y->by_name[name]++;
	if (model_task_begin(m, i) != INT64_MIN) {
		y->begun++;
		pe = model_task_pe(m, i);
		if (pe < y->pes)
			y->by_pe[pe]++;
	}
	if (model_task_suspended(m, i)) {
		model_task_get(m, i, &t);
		y->suspended += t.suspensions > 0;
		y->suspensions += t.suspensions;
	}
	spoke_from(&y->spokes, m, i);
}

/* Those of a tree, depth first. */
static void
tally_tree(struct tally *y, const struct model *m, uint32_t top)
{
	uint32_t next;

	for (uint32_t t = top; t != TASK_NONE; t = next) {
		tally_task(y, m, t);
		next = model_task_first(m, t);
		while (next == TASK_NONE && t != top) {
			next = model_task_next(m, t);
			t = model_task_parent(m, t);
		}
	}
}

/* One after the other, in the order of their numbers, is a tenth of the time
 * that going from child to child takes. */
static void
tally_all(struct tally *y, const struct model *m, uint32_t root, int subtree)
{
	uint32_t n = model_tasks(m), up;

	if (root != TASK_NONE && model_task_gone(m, root)) {
		root = TASK_NONE; /* then all of them are shown */
		subtree = false;
	}
	while (root != TASK_NONE && !subtree &&
	       (up = model_task_parent(m, root)) != TASK_NONE)
		root = up;
	if (root != TASK_NONE &&
	    (subtree || model_task_roots(m, NULL, 0) > 1)) {
		tally_tree(y, m, root);
		return;
	}
	for (uint32_t t = 0; t < n; t++)
		if (!model_task_gone(m, t))
			tally_task(y, m, t);
}

static void
print_names(FILE *f, const struct model *m, struct tally *y)
{
	uint32_t best;

	fprintf(f, "  tasks by procedure:");
	for (;;) { /* most frequent first; there are few */
		best = 0;
		for (uint32_t i = 1; i < y->names; i++)
			if (y->by_name[i] > 0 &&
			    (best == 0 || y->by_name[i] > y->by_name[best]))
				best = i;
		if (best == 0)
			break;
		fprintf(f, " %s %u",
		    model_name(m, best) != NULL ? model_name(m, best) : "?",
		    y->by_name[best]);
		y->by_name[best] = 0;
	}
	if (y->by_name[0] > 0)
		fprintf(f, " unnamed %u", y->by_name[0]);
	fprintf(f, "\n");
}

static void
print_whole(FILE *f, const struct tally *y)
{
	uint32_t used = 0;

	print_spokes(f, &y->spokes);
	for (uint32_t i = 0; i < y->pes; i++)
		used += y->by_pe[i] > 0;
	fprintf(f, "  PEs used: %u, tasks by the one they were last on (",
	    used);
	for (uint32_t i = 0, k = 0; i < y->pes; i++)
		if (y->by_pe[i] > 0)
			fprintf(f, "%sPE %u: %u", k++ == 0 ? "" : ", ", i,
			    y->by_pe[i]);
	fprintf(f, ")\n");
	fprintf(f, "  begun: %llu, ended: %llu\n", (unsigned long long)y->begun,
	    (unsigned long long)y->ended);
	fprintf(f, "  suspended: %llu tasks, %llu times\n",
	    (unsigned long long)y->suspended,
	    (unsigned long long)y->suspensions);
}

static int
by_tasks(const void *a, const void *b)
{
	const struct single_tasks *x = a, *y = b;
	uint32_t n = x->tasks + x->gone, k = y->tasks + y->gone;

	if (n != k)
		return (n < k ? 1 : -1);
	return ((x->name > y->name) - (x->name < y->name));
}

/* Those of a single task by name, whichever trees are shown. */
static void
print_singles(FILE *f, const struct model *m)
{
	struct single_tasks *s;
	uint32_t n = 0, gone;

	while (model_single(m, n, &(struct single_tasks){ 0 }))
		n++;
	s = calloc(n + 1, sizeof(*s));
	if (s == NULL)
		return;
	for (uint32_t i = 0; i < n; i++)
		model_single(m, i, &s[i]);
	qsort(s, n, sizeof(*s), by_tasks);
	n = model_singles(m, &gone) + gone;
	fprintf(f, "  trees of a single task: %u", n);
	for (uint32_t i = 0; s[i].tasks + s[i].gone > 0; i++)
		fprintf(f, "%s %s %u", i == 0 ? ", by name:" : "",
		    s[i].name == 0 ? "unnamed"
		    : model_name(m, s[i].name) != NULL
			? model_name(m, s[i].name)
			: "?",
		    s[i].tasks + s[i].gone);
	fprintf(f, "\n");
	free(s);
}

/* Which of the log's trees is shown, and what is a node of several tasks. */
static void
describe_trees(FILE *f, const struct model *m, const struct radial_view *v,
    const struct radial_layout *l)
{
	uint32_t root = v->root, up, number;
	unsigned door = model_enter(m);

	if (model_trees_all(m) > 1)
		print_singles(f, m);
	if (l->singles.groups > 0)
		fprintf(f, "  summed by name: %u tasks in %u nodes\n",
		    l->singles.tasks, l->singles.groups);
	if (root < model_tasks(m) && model_trees_all(m) > 1) {
		while ((up = model_task_parent(m, root)) != TASK_NONE)
			root = up;
		number = model_tree_number(m, root);
		if (number == 0)
			fprintf(f, "  shown: a tree of one task\n");
		else
			fprintf(f, "  shown: tree %u of %u\n", number,
			    model_trees(m));
	}
	model_leave(m, door);
}

void
describe_radial(FILE *f, const struct model *m, const struct radial_view *v,
    const struct radial_layout *l)
{
	struct tally y = { .names = model_names(m) + 1,
		.pes = model_pes(m) + 1,
		.until_mon_ns = v->until_mon_ns };
	char levels[64];
	unsigned door;

	fprintf(f, "radial view, colour: %s, form: %s, order: %s\n",
	    radial_colour_name[v->colour % RADIAL_COLOURS],
	    radial_form_name[v->form % RADIAL_FORMS],
	    radial_order_name[v->order % RADIAL_ORDERS]);
	if (l->tasks == 0) {
		fprintf(f, "  no tasks\n");
		return;
	}
	describe_levels(levels, sizeof(levels), l);
	fprintf(f, "  tasks: %u%s, trees in the log: %u\n", l->tasks,
	    v->subtree ? " of a subtree" : "", model_trees_all(m));
	if (v->sum_singles)
		describe_trees(f, m, v, l);
	fprintf(f, "  deepest level: %u\n", l->deepest);
	fprintf(f, "  levels: %u, rings: %u, %s\n", l->levels, l->rings,
	    levels);
	fprintf(f, "  nodes: %u drawn, %u pruned, %u condensed\n", l->drawn,
	    l->pruned, l->condensed);
	if (l->outside > 0)
		fprintf(f, "  beside the window: %u\n", l->outside);
	fprintf(f, "  shapes: %u polygons, %u lines, %u points\n",
	    l->as.polygons, l->as.lines, l->as.points);
	fprintf(f, "  ring distance: %.2f px in %dx%d px\n", l->ring_px,
	    v->width, v->height);
	if (v->selected_task != 0 && v->edges)
		fprintf(f,
		    "  values of the selected task: %u taken, %u given, %u "
		    "waited for\n",
		    l->values.in, l->values.out, l->values.waited);
	y.by_name = calloc(y.names, sizeof(*y.by_name));
	y.by_pe = calloc(y.pes, sizeof(*y.by_pe));
	if (y.by_name != NULL && y.by_pe != NULL) {
		door = model_enter(m);
		tally_all(&y, m, v->root < model_tasks(m) ? v->root : TASK_NONE,
		    v->subtree);
		model_leave(m, door);
		print_names(f, m, &y);
		if (y.until_mon_ns == INT64_MAX)
			print_whole(f, &y);
		else
			fprintf(f,
			    "  by then: %u tasks, begun: %llu, ended: %llu\n",
			    y.tasks, (unsigned long long)y.begun,
			    (unsigned long long)y.ended);
	}
	free(y.by_name);
	free(y.by_pe);
}
