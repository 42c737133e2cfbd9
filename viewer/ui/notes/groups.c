/*
 * Groups and names by hand: changed in the file first, as notes are, and then
 * told to the rows.
 */
#include "ui/notes/groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/parse.h"
#include "ui/notes/notefile.h"

const char *
groups_refuse(const struct model *m, uint32_t lane)
{
	const struct lane *l;

	if (lane >= model_lanes(m))
		return ("there is no such row");
	l = model_lane(m, lane);
	if (l->kind == LANE_DEPTH || l->kind == LANE_GROUP)
		return ("a depth of calls, or a heading, cannot be in a group");
	return (l->node == 0 && l->kind <= LANE_THREAD
		    ? "the monitor's own row cannot be in a group"
		    : NULL);
}

const char *
groups_wrong_name(const char *name, bool group)
{
	uint64_t number;

	if (!parse_text_ok(name))
		return ("a name is UTF-8 without control characters");
	if (strlen(name) >= HAND_NAME)
		return ("a name has at most 63 bytes");
	if (group && (name[0] == '\0' || strcmp(name, ".") == 0 ||
			 parse_number(name, &number) == 0))
		return ("a group wants a name, and no number");
	return ("");
}

/* Is something above it in the same group already? */
static bool
is_within(const struct model *m, const struct hand *h, uint32_t lane,
    const struct hand_group *g)
{
	for (lane = model_lane(m, lane)->parent; lane != UINT32_MAX;
	     lane = model_lane(m, lane)->parent)
		if (hand_of(h, lane) == g)
			return (true);
	return (false);
}

/* What cannot be in it goes: from a file, or there is more of it above. */
static void
weed(struct ui *ui, struct hand *h, struct hand_group *g)
{
	const struct model *m = ui->model;
	uint32_t lane, i = 0, id = g->pub.id;

	while (hand_group(h, id) == g && i < g->n &&
	       (lane = g->member[i]) < model_lanes(m))
		if (groups_refuse(m, lane) != NULL || is_within(m, h, lane, g))
			hand_leave(h, lane);
		else
			i++;
}

static void
mark_members(struct ui *ui, const struct hand *h)
{
	for (uint32_t i = 0; i < ui->time.nfolded; i++)
		ui->timepane.folded[i] &= (uint8_t)~TIMELINE_GROUPED;
	for (uint32_t i = 0; i < h->ngroups; i++) {
		const struct hand_group *g = h->group[i];

		for (uint32_t k = 0; g != NULL && g->class == 0 && k < g->n;
		     k++)
			if (g->member[k] < ui->time.nfolded)
				ui->timepane.folded[g->member[k]] |=
				    TIMELINE_GROUPED;
	}
}

void
groups_leave(struct ui *ui)
{
	if (ui->model != NULL && ui->notes != NULL &&
	    model_hand(ui->model) == ui->notes->hand)
		model_set_hand(ui->model, NULL);
}

void
groups_arrive(struct ui *ui)
{
	struct hand *h = ui->notes->hand;
	bool news;

	model_set_hand(ui->model, h);
	hand_classes(h, ui->model);
	news = ui->time.hand.of != h || ui->time.hand.version != h->version;
	if (!news && ui->notes->marked == ui->time.nfolded)
		return;
	for (uint32_t i = 0; i < h->ngroups; i++)
		if (h->group[i] != NULL && h->group[i]->class == 0)
			weed(ui, h, h->group[i]);
	mark_members(ui, h);
	if (!model_lane_there(ui->model, ui->time.selected_lane))
		ui->time.selected_lane = UINT32_MAX;
	ui->notes->marked = ui->time.nfolded;
	ui->time.hand.of = h;
	ui->time.hand.version = h->version;
	if (news)
		ui_redo(ui);
}

void
groups_forget(struct ui *ui)
{
	hand_forget(ui->notes->hand);
	ui->time.hand.version = 0;
}

void
groups_fold(struct ui *ui, struct hand_group *g, unsigned flag)
{
	g->flags ^= (uint8_t)flag;
	ui->notes->hand->version++;
	groups_arrive(ui);
}

/* 0, or -1 as the files could not be written. */
static int
write_down(struct ui *ui)
{
	char why[256];
	int rv = notes_write(ui, why, sizeof(why));

	groups_arrive(ui);
	return (rv == 0 ? 0 : desk_fail(ui, "%s", why));
}

static int
known(struct ui *ui)
{
	if (ui->feed.run[0] == '\0')
		return (desk_fail(ui, "nothing is known of the run yet"));
	notes_read_again(ui);
	return (0);
}

/* A process of one thread is the row of that. */
static uint32_t
row_of(const struct model *m, uint32_t lane)
{
	uint32_t up = model_lane(m, lane)->parent;

	return (up != UINT32_MAX && model_lane(m, lane)->kind == LANE_THREAD &&
			model_lane(m, up)->kind == LANE_PO &&
			model_lane_only_thread(m, up) == lane
		    ? up
		    : lane);
}

int
groups_put(struct ui *ui, const uint32_t *lane, uint32_t n, const char *name)
{
	const char *wrong = groups_wrong_name(name, true);
	struct hand_group *g;
	struct hand *h;

	if (wrong[0] != '\0')
		return (desk_fail(ui, "%s", wrong));
	for (uint32_t i = 0; i < n; i++)
		if ((wrong = groups_refuse(ui->model, lane[i])) != NULL)
			return (
			    desk_fail(ui, "%s: row %" PRIu32, wrong, lane[i]));
	if (known(ui) == -1)
		return (-1);
	h = ui->notes->hand;
	g = hand_find(h, name);
	if (g == NULL || g->class != 0)
		g = hand_make(h, name, 0);
	if (g == NULL)
		return (desk_fail(ui, "%d groups are enough", HAND_GROUPS_MAX));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = row_of(ui->model, lane[i]);

		wrong = is_within(ui->model, h, row, g)
			    ? "it is in this group with what is above it"
			: hand_join(h, g, row) == -1
			    ? "a group has too many rows"
			    : NULL;
		if (wrong == NULL)
			continue;
		notes_read_again(ui); /* as it was */
		groups_arrive(ui);
		return (desk_fail(ui, "%s: row %" PRIu32, wrong, row));
	}
	return (write_down(ui));
}

int
groups_take(struct ui *ui, uint32_t lane)
{
	if (known(ui) == -1)
		return (-1);
	lane = row_of(ui->model, lane);
	if (hand_of(ui->notes->hand, lane) == NULL)
		return (desk_fail(ui, "this row is in no group"));
	hand_leave(ui->notes->hand, lane);
	return (write_down(ui));
}

int
groups_dissolve(struct ui *ui, uint32_t group)
{
	struct hand_group *g = hand_group(ui->notes->hand, group);
	char name[HAND_NAME];

	if (g == NULL || g->class != 0)
		return (desk_fail(ui, "a class of objects stays together"));
	snprintf(name, sizeof(name), "%s", g->name);
	if (known(ui) == -1)
		return (-1);
	g = hand_find(ui->notes->hand, name);
	if (g != NULL && g->class == 0)
		hand_dissolve(ui->notes->hand, g);
	return (write_down(ui));
}

static int
call_group(struct ui *ui, uint32_t group, const char *name)
{
	struct hand_group *g = hand_group(ui->notes->hand, group);
	const char *wrong = groups_wrong_name(name, true);
	char was[HAND_NAME];

	if (g == NULL || g->class != 0)
		return (desk_fail(ui, "a class is called as it was recorded"));
	if (wrong[0] != '\0')
		return (desk_fail(ui, "%s", wrong));
	snprintf(was, sizeof(was), "%s", g->name);
	if (known(ui) == -1)
		return (-1);
	g = hand_find(ui->notes->hand, name);
	if (g != NULL && g->class == 0)
		return (desk_fail(ui, "there is a group of that name"));
	g = hand_find(ui->notes->hand, was);
	if (g == NULL || g->class != 0)
		return (desk_fail(ui, "this group is gone"));
	snprintf(g->name, sizeof(g->name), "%s", name);
	ui->notes->hand->version++;
	return (write_down(ui));
}

int
groups_call_row(struct ui *ui, uint32_t lane, const char *name)
{
	const char *wrong = groups_wrong_name(name, false);
	struct hand *h;

	if (lane >= HAND_LANE)
		return (call_group(ui, lane, name));
	if (wrong[0] != '\0')
		return (desk_fail(ui, "%s", wrong));
	if (model_lane(ui->model, lane)->kind == LANE_DEPTH)
		return (desk_fail(ui, "a depth of calls has no name"));
	if (known(ui) == -1)
		return (-1);
	h = ui->notes->hand;
	if (hand_call(h, &h->rows, lane, name) == -1)
		return (desk_fail(ui, "%d names are enough", HAND_NAMES_MAX));
	return (write_down(ui));
}

int
groups_call_function(struct ui *ui, uint32_t name, const char *text)
{
	const char *wrong = groups_wrong_name(text, false), *s;
	const char *is = model_name_recorded(ui->model, name);
	uint32_t n = model_names(ui->model);
	struct hand *h;

	if (wrong[0] != '\0')
		return (desk_fail(ui, "%s", wrong));
	if (is == NULL)
		return (desk_fail(ui, "there is no such function"));
	if (known(ui) == -1)
		return (-1);
	h = ui->notes->hand;
	for (uint32_t i = 1; i < n; i++) {
		s = model_name_recorded(ui->model, i);
		if (s != NULL && strcmp(s, is) == 0 &&
		    hand_call(h, &h->functions, i, text) == -1)
			return (desk_fail(ui, "%d names are enough",
			    HAND_NAMES_MAX));
	}
	return (write_down(ui));
}

static void
describe_group(struct ui *ui, FILE *f, const struct hand_group *g)
{
	uint32_t lane, n = 0;
	char name[128];

	fprintf(f, "  %s \"%s\": %" PRIu32 " %s, %s:",
	    g->class == 0 ? "group" : "class", g->name, g->n,
	    g->class == 0 ? "rows" : "objects",
	    g->flags & TIMELINE_HIDDEN   ? "hidden"
	    : g->flags & TIMELINE_FOLDED ? "folded"
					 : "open");
	for (; n < 8 && (lane = model_group_member(ui->model, g->pub.id, n)) !=
			    UINT32_MAX;
	     n++)
		fprintf(f, "%s %" PRIu32 " (%s)", n > 0 ? "," : "", lane,
		    label_row(ui->model, model_lane(ui->model, lane), name,
			sizeof(name)));
	fprintf(f, "%s\n", n < g->n ? ", ..." : "");
}

void
groups_describe(struct ui *ui, FILE *f)
{
	const struct hand *h = ui->notes->hand;
	const struct hand_names *k = &h->rows;
	const char *was;
	char name[128];

	for (uint32_t i = 0; i < h->ngroups; i++)
		if (h->group[i] != NULL &&
		    (h->group[i]->class == 0 ||
			hand_class(h, h->group[i]->class) != NULL))
			describe_group(ui, f, h->group[i]);
	for (uint32_t i = 0; i < k->n; i++)
		if (k->name[i].of < model_lanes(ui->model)) {
			model_lane_label_recorded(ui->model, k->name[i].of,
			    name, sizeof(name));
			fprintf(f,
			    "  row %" PRIu32 " is called \"%s\", recorded as "
			    "\"%s\"\n",
			    k->name[i].of, k->name[i].text, name);
		}
	k = &h->functions;
	for (uint32_t i = 0; i < k->n; i++)
		if ((was = model_name_recorded(ui->model, k->name[i].of)) !=
		    NULL)
			fprintf(f,
			    "  function %" PRIu32 " is called \"%s\", recorded "
			    "as \"%s\"\n",
			    k->name[i].of, k->name[i].text, was);
}
