/*
 * Commands about what the user says of rows by hand: which of them belong
 * together, and what they and functions are called.
 */
#include "command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/parse.h"
#include "ui/notes/groups.h"

struct picked {
	uint32_t *lane, n;
};

static void
pick_cb(void *arg, uint32_t lane)
{
	struct picked *p = arg;

	if (p->n < HAND_MEMBERS_MAX)
		p->lane[p->n++] = lane;
}

/* All that have a row in the process-time view, but headings and calls. */
static void
pick_shown(const struct ui *ui, struct picked *p)
{
	const struct timeline_layout *l = &ui->timepane.rows;

	for (size_t i = 0; i < l->nrows; i++)
		if (groups_refuse(ui->model, l->rows[i].lane) == NULL &&
		    l->rows[i].shows != UINT32_MAX)
			pick_cb(p, l->rows[i].lane);
}

static int
pick(struct ui *ui, const char *word, struct picked *p)
{
	if (strcmp(word, ".") == 0) {
		if (ui->time.selected_lane == UINT32_MAX)
			return (desk_fail(ui, "no row is selected"));
		pick_cb(p, ui->time.selected_lane);
	} else if (strcmp(word, "shown") == 0) {
		timeline_rows(ui->model, &ui->time, &ui->timepane.rows);
		pick_shown(ui, p);
	} else if (groups_rows(word, pick_cb, p) == -1) {
		return (desk_fail(ui,
		    "group wants rows and a name, as in: group 3,5:8 workers; "
		    ". is the selected row, shown: all that are there"));
	}
	return (p->n > 0 ? 0 : desk_fail(ui, "there are no rows"));
}

static int
group(struct ui *ui, const char *arg)
{
	struct picked p = { .n = 0 };
	char word[256] = "";
	int rv;

	p.lane = malloc(HAND_MEMBERS_MAX * sizeof(*p.lane));
	if (p.lane == NULL)
		return (desk_fail(ui, "out of memory"));
	parse_word(&arg, word, sizeof(word));
	rv = pick(ui, word, &p);
	if (rv == 0)
		rv = groups_put(ui, p.lane, p.n, arg);
	if (rv == 0)
		snprintf(ui->told.message, sizeof(ui->told.message),
		    "%" PRIu32 " row%s now in %s", p.n,
		    p.n == 1 ? " is" : "s are", arg);
	free(p.lane);
	return (rv);
}

static int
ungroup(struct ui *ui, const char *arg)
{
	uint32_t lane = command_row(ui, arg, "ungroup");

	if (lane == UINT32_MAX)
		return (-1);
	if (lane >= HAND_LANE)
		return (groups_dissolve(ui, lane));
	return (groups_take(ui, lane));
}

/* What stands between quotes at the start; NULL: nothing does. */
static const char *
quoted(const char **arg, size_t *n)
{
	const char *at = *arg, *end = at[0] == '"' ? strchr(at + 1, '"') : NULL;

	if (end == NULL)
		return (NULL);
	*arg = end + 1 + strspn(end + 1, " ");
	*n = (size_t)(end - at - 1);
	return (at + 1);
}

/* The name of a group with blanks in it is in quotes. */
static int
rename_(struct ui *ui, const char *arg)
{
	char word[HAND_NAME] = "";
	const char *name;
	uint32_t lane;
	size_t n;

	if ((name = quoted(&arg, &n)) != NULL)
		snprintf(word, sizeof(word), "%.*s",
		    n < sizeof(word) ? (int)n : 0, name);
	else
		parse_word(&arg, word, sizeof(word));
	lane = command_row(ui, word, "rename");
	if (lane == UINT32_MAX)
		return (-1);
	return (groups_call_row(ui, lane, arg));
}

/* "NAME" in quotes, as it is shown or was recorded, or #NUMBER; 0: none. */
static uint32_t
function_of(struct ui *ui, const char **arg)
{
	uint32_t names = model_names(ui->model);
	const char *s, *name;
	uint64_t number;
	char word[16];
	size_t n;

	if ((*arg)[0] == '#' && parse_word(arg, word, sizeof(word)) &&
	    parse_number(word + 1, &number) == 0 && number < names)
		return ((uint32_t)number);
	name = quoted(arg, &n);
	for (int recorded = 0; name != NULL && recorded < 2; recorded++)
		for (uint32_t i = 1; i < names; i++) {
			s = recorded ? model_name_recorded(ui->model, i)
				     : model_name(ui->model, i);
			if (s != NULL && strlen(s) == n &&
			    strncmp(s, name, n) == 0)
				return (i);
		}
	return (0);
}

static int
rename_function(struct ui *ui, const char *arg)
{
	uint32_t name = function_of(ui, &arg);

	if (name == 0)
		return (desk_fail(ui,
		    "rename-function wants the name of one and another, as "
		    "in: rename-function \"main\" the program"));
	return (groups_call_function(ui, name, arg));
}

const struct command command_group[] = {
	{ "group", "ROWS NAME",
	    "puts rows into a group: 3,5:8 for some, a dot for the selected "
	    "one, shown for all that are there",
	    group },
	{ "ungroup", "[ROW]",
	    "takes a row out of its group, or opens a group for ever",
	    ungroup },
	{ "rename", "ROW [NAME]",
	    "gives a row or a group another name, without one the row its own "
	    "again; a dot: the selected one",
	    rename_ },
	{ "rename-function", "\"NAME\" [NAME]",
	    "the same of a function, and all others of its name",
	    rename_function },
	{ 0 },
};
