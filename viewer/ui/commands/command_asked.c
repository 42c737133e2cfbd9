/* Commands that ask something of all threads. */
#include <stdio.h>
#include <string.h>

#include "ui/commands/command.h"
#include "ui/desk/desk.h"
#include "ui/desk/parse.h"
#include "ui/things/thing.h"
#include "ui/views/asked/callers.h"
#include "ui/views/asked/lockview.h"
#include "ui/views/asked/top.h"
#include "ui/views/calls/flame.h"
#include "ui/views/found/found.h"
#include "ui/views/path/pathview.h"

/* Without anything: what is selected, if it has a name. */
static int
find_selected(struct ui *ui, char *buf, size_t n)
{
	struct thing k;

	thing_selected(ui, &k);
	if (k.kind != THING_SPAN || k.span.name == 0 ||
	    k.span.class >= LANE_OBJECT_NODE)
		return (desk_fail(ui, "find wants a name, a length, threads, "
				      "as in: find db_exec > 5ms on worker-*"));
	snprintf(buf, n, "\"%s\"", label_name(ui->model, k.span.name));
	return (0);
}

static int
find(struct ui *ui, const char *arg)
{
	char name[FOUND_TEXT];

	if (arg[0] == '\0') {
		if (find_selected(ui, name, sizeof(name)) == -1)
			return (-1);
		arg = name;
	}
	if (found_ask(ui, arg, 0) == -1)
		return (-1);
	command_front(ui, VIEW_FOUND);
	return (0);
}

static int
flame(struct ui *ui, const char *arg)
{
	if (flame_command(ui, arg) == -1)
		return (-1);
	command_front(ui, VIEW_FLAME);
	return (0);
}

static int
path(struct ui *ui, const char *arg)
{
	if (path_command(ui, arg) == -1)
		return (-1);
	command_front(ui, VIEW_PATH);
	return (0);
}

/* Without a word: the next. */
static int
top(struct ui *ui, const char *arg)
{
	unsigned by = (ui->lists.top_by + 1u) % TOP_BY;

	if (arg[0] != '\0') {
		for (by = 0;
		     by < TOP_BY && strcmp(arg, topten_by_name[by]) != 0;)
			by++;
		if (by == TOP_BY)
			return (command_fail_words(ui, "top by one of",
			    topten_by_word));
	}
	ui->lists.top_by = (uint8_t)by;
	command_front(ui, VIEW_TOP);
	return (0);
}

/* How many, if that is said; arg goes behind it.  -1: it is said. */
static int
how_many(struct ui *ui, const char **arg, uint64_t *n)
{
	size_t digits = strspn(*arg, "0123456789");
	char word[24];

	*n = SLOWEST_USUAL;
	if (digits == 0 || digits >= sizeof(word) ||
	    ((*arg)[digits] != ' ' && (*arg)[digits] != '\0'))
		return (0); /* a name, or a length */
	snprintf(word, sizeof(word), "%.*s", (int)digits, *arg);
	if (parse_number(word, n) == -1 || *n == 0 || *n > SLOWEST_MOST)
		return (desk_fail(ui, "slowest wants how many, from 1 to %d",
		    SLOWEST_MOST));
	*arg += digits + strspn(*arg + digits, " ");
	return (0);
}

/* "16 db_exec on worker-*"; of what is selected, if it has a name, or of all.
 */
static int
slowest(struct ui *ui, const char *arg)
{
	char name[FOUND_TEXT];
	struct thing k;
	uint64_t n;

	if (how_many(ui, &arg, &n) == -1)
		return (-1);
	thing_selected(ui, &k);
	if (arg[0] == '\0' && k.kind == THING_SPAN && k.span.name != 0 &&
	    k.span.class < LANE_OBJECT_NODE) {
		snprintf(name, sizeof(name), "\"%s\"",
		    label_name(ui->model, k.span.name));
		arg = name;
	}
	if (found_ask(ui, strcmp(arg, "*") == 0 ? "" : arg, (uint32_t)n) == -1)
		return (-1);
	command_front(ui, VIEW_FOUND);
	return (0);
}

static int
found_(struct ui *ui, const char *arg)
{
	uint64_t n = 1;

	if (arg[0] != '\0' &&
	    (parse_number(arg, &n) == -1 || n == 0 || n > FOUND_MOST))
		return (desk_fail(ui, "found wants a number, from 1 on"));
	return (found_go(ui, (uint32_t)n - 1));
}

int
command_found_again(struct ui *ui)
{
	const struct found_calls *f = found_get(ui);

	return (found_go(ui, f == NULL || f->at == UINT32_MAX ? 0 : f->at));
}

static int
durations(struct ui *ui, const char *arg)
{
	int64_t lo, hi;

	if (strcmp(arg, "all") == 0) {
		found_choose(ui, 1, 0);
		return (0);
	}
	if (parse_range(arg, &lo, &hi) == -1)
		return (desk_fail(ui,
		    "durations wants two lengths, as in 5ms:20ms, or: all"));
	if (found_get(ui) == NULL || !found_get(ui)->asked)
		return (desk_fail(ui, "nothing was asked for: find NAME"));
	found_choose(ui, lo, hi - 1);
	ui->lists.scroll[VIEW_FOUND] = 0;
	return (0);
}

/* Without a word: the other way. */
static int
locks(struct ui *ui, const char *arg)
{
	bool by_place = !ui->lists.locks_by_place;
	const char *name = NULL;

	for (unsigned i = 0; arg[0] != '\0'; i++) {
		if ((name = locks_by_name(ui, i)) == NULL)
			return (command_fail_words(ui, "locks by one of",
			    locks_by_name));
		by_place = i == 1;
		if (strcmp(arg, name) == 0)
			break;
	}
	command_front(ui, VIEW_LOCKS);
	ui->lists.locks_by_place = by_place;
	return (0);
}

static int
callers(struct ui *ui, const char *arg)
{
	if (arg[0] != '\0' && callers_command(ui, arg) == -1)
		return (command_fail_words(ui, "callers takes one of",
		    callers_word));
	command_front(ui, VIEW_CALLERS);
	return (0);
}

const struct command command_asked[] = {
	{ "find", "[NAME] [> TIME] [< TIME] [on THREADS]",
	    "looks for calls, longest first; without anything: of what is "
	    "selected",
	    find },
	{ "flame", "[time|cpu|all|out|N]",
	    "the view Flame: what its width is; all of it, one level out, or "
	    "its N-th frame as wide as the view",
	    flame },
	{ "path", "[all|thread|over|plain|N]",
	    "the critical path: to the last event, or to that of the selected "
	    "thread; drawn over the lanes or not; its N-th longest stretch",
	    path },
	{ "top", "[node|PO|thread]",
	    "the ten functions in which each of them was most of the time "
	    "itself",
	    top },
	{ "slowest", "[N] [NAME] [on THREADS]",
	    "the 16, or N, slowest calls and what their time went to; without "
	    "a name: of what is selected, else of any",
	    slowest },
	{ "found", "[N]", "goes to the longest of those, or the N-th", found_ },
	{ "durations", "A:B",
	    "of the calls found takes those that are so long, or: all",
	    durations },
	{ "callers", "[all|row|COLUMN]",
	    "who called whom: of all threads, or of those of the selected row; "
	    "sorted by a column",
	    callers },
	{ "locks", "[NAME]",
	    "shows waits by lock or by place, where they were: lock, place",
	    locks },
	{ 0 },
};
