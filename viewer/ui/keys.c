/*
 * The one table of keys and mouse: what is pressed, the command it stands
 * for, and the sentence that the help screen and the manual show.
 */
#include <ctype.h>
#include <string.h>

#include "ui/command.h"

struct binding {
	const char *keys;    /* separated by blanks */
	const char *command; /* NULL: mouse, explained only */
	const char *what;
};

static const struct binding bindings[] = {
	{ "w plus + =", "zoom-in", "zoom in at the pointer" },
	{ "s minus -", "zoom-out", "zoom out" },
	{ "ctrl++ ctrl+=", "zoom-in 1.05", "zoom in finely" },
	{ "ctrl+-", "zoom-out 1.05", "zoom out finely" },
	{ "shift+Page_Up", "zoom-in 4", "zoom in by four" },
	{ "shift+Page_Down", "zoom-out 4", "zoom out by four" },
	{ "a Left", "pan-left", "go back in time, or left in the tree" },
	{ "d Right", "pan-right", "go on in time, or right in the tree" },
	{ "shift+Left", "pan-left 0.9", "a whole view back" },
	{ "shift+Right", "pan-right 0.9", "and on" },
	{ "Up", "scroll-up", "scroll the rows up" },
	{ "Down", "scroll-down", "scroll the rows down" },
	{ "Page_Up", "page-up", "a page of rows up" },
	{ "Page_Down", "page-down", "a page of rows down" },
	{ "ctrl+Home", "first-row", "the first row" },
	{ "ctrl+End", "last-row", "the last row" },
	{ "ctrl+Page_Up", "row-height +", "higher rows" },
	{ "ctrl+Page_Down", "row-height -", "lower rows" },
	{ "Home", "start", "to the start of the run" },
	{ "End", "end", "to the end of the run" },
	{ "f z", "fit", "fit the selection; once more: exactly" },
	{ "0", "fit-all", "fit everything" },
	{ "[ ctrl+[ alt+Left", "back", "back to where you were" },
	{ "] ctrl+] alt+Right", "forward", "and forward again" },
	{ "alt+Up", "to-sender", "along the link that came to the row" },
	{ "alt+Down", "to-receiver", "along the link that leaves the row" },
	{ "space", "pause", "hold the picture still, or go on" },
	{ "l", "live", "jump to the newest event and follow it" },
	{ "k", "play", "play the run again from the left edge" },
	{ "K", "fast-forward", "play what is left in a few seconds" },
	{ ",", "step-back", "one event back" },
	{ ".", "step-forward", "one event on" },
	{ "<", "skip-back", "a fortieth of what is seen back" },
	{ ">", "skip-forward", "and on" },
	{ "ctrl+Left", "previous-state",
	    "the cursor one event back in its row" },
	{ "ctrl+Right", "next-state", "and on" },
	{ "M", "prompt > marker . ", "name a marker here" },
	{ "Delete", "unmark", "remove the nearest marker" },
	{ "\"", "previous-marker", "the marker before" },
	{ "'", "next-marker", "and after" },
	{ "v", "speed", "change the playback's speed" },
	{ "1", "colour PE", "colour the tree by processing element" },
	{ "2", "colour time", "colour the tree by time" },
	{ "3", "colour PE-time", "vertices by PE, polygons by time" },
	{ "4", "colour procedure", "colour the tree by procedure" },
	{ "5", "colour state", "colour the tree by state" },
	{ "6", "form", "the tree as polygons, sunburst or icicle" },
	{ "7", "order", "siblings by time or by their path in the program" },
	{ "8", "scale", "time as viridis, cividis or spectrum" },
	{ "9", "rings", "every ring of the tree, or some" },
	{ "j", "values", "whose values the selected task had, and who its" },
	{ "b", "tree", "the next tree of the log, at last all of them" },
	{ "B", "tree-of", "a tree of tasks, of threads or of calls" },
	{ "W", "weigh", "their sectors: even, by calls or by time" },
	{ "c", "cycle-colour", "next colouring of this pane" },
	{ "Return", "open", "fold the selected row, or make a task the root" },
	{ "BackSpace", "up", "from a subtree back to what was shown before" },
	{ "shift+BackSpace", "parent", "one level up from a subtree" },
	{ "m", "marker", "set a marker here; in the tree: its centre" },
	{ "r", "reset-tree", "the tree as at first" },
	{ "ctrl+Down", "next-row", "select the row below" },
	{ "ctrl+Up", "previous-row", "select the row above" },
	{ "p", "pin", "keep the selected row at the top, or let it go" },
	{ "x", "hide", "hide the selected row" },
	{ "X", "show-all", "show all rows again" },
	{ "F", "prompt > filter ", "show the rows of some name only" },
	{ "t", "sort", "sort rows: number, name, first event, busy" },
	{ "h", "level", "unfold nodes, processes, threads, calls by turns" },
	{ "i", "links", "show or hide messages and links" },
	{ "o", "rows", "show or hide objects and locks" },
	{ "g", "grid", "show or hide the grid" },
	{ "F2", "pane overview", "show or hide the strip of the run" },
	{ "F3", "pane time", "show or hide the lanes" },
	{ "F4", "pane tree", "show or hide the tree" },
	{ "F5", "pane dock", "show or hide the dock" },
	{ "F9", "maximise", "this pane alone, or all again" },
	{ "F11", "full-screen", "fill the screen, or not" },
	{ "R", "select-seen",
	    "select the range in sight, or of what is selected" },
	{ "Tab", "focus-next", "next pane" },
	{ "shift+Tab", "focus-previous", "previous pane" },
	{ "u", "cursor", "put the cursor, and the stacks, at the pointer" },
	{ "y", "tab", "next tab of the dock" },
	{ "/ ctrl+f", "prompt /", "search for a task, row or procedure" },
	{ ":", "prompt :", "query: 12.4s, 1.2s:1.3s or task 1418" },
	{ "ctrl+p ctrl+P", "prompt >", "any command by its name" },
	{ "n", "next", "next thing found" },
	{ "N", "previous", "the one before" },
	{ "e", "export", "write the window to orrery.png" },
	{ "ctrl+c", "copy", "copy what is selected, as text, and the picture" },
	{ "ctrl+s", "save", "save the layout" },
	{ "T", "theme", "light or dark" },
	{ "? F1", "help", "this list" },
	{ "Escape", "clear", "clear selection, search, this list" },
	{ "q ctrl+q", "quit", "quit" },
	{ "click", NULL, "select a task, span or row; in both views" },
	{ "double click", NULL, "zoom to it; in the tree: make it the root" },
	{ "left drag", NULL, "select a range of time; in the tree: move it" },
	{ "shift+left drag", NULL, "move in time; in the tree: turn it" },
	{ "middle drag", NULL, "move in time" },
	{ "middle click", NULL, "put the tree's centre here" },
	{ "right click", NULL, "what can be done with it" },
	{ "right drag", NULL, "zoom to a range of time" },
	{ "wheel", NULL, "scroll the rows; in the tree: zoom" },
	{ "ctrl+wheel", NULL, "zoom at the pointer" },
	{ "shift+wheel", NULL, "move in time" },
	{ "ctrl+shift+wheel", NULL, "make rows higher or lower" },
	{ "shift+click", NULL, "extend the selected range to here" },
};

#define NBINDINGS (sizeof(bindings) / sizeof(bindings[0]))

bool
keys_each(unsigned i, const char **keys, const char **command,
    const char **what)
{
	if (i >= NBINDINGS)
		return (false);
	*keys = bindings[i].keys;
	*command = bindings[i].command;
	*what = bindings[i].what;
	return (true);
}

/* Is key one of the words of list? */
static bool
is_one_of(const char *key, const char *list)
{
	size_t n = strlen(key);

	for (const char *p = list; *p != '\0';) {
		const char *end = strchr(p, ' ');
		size_t len = end != NULL ? (size_t)(end - p) : strlen(p);

		if (len == n && strncmp(p, key, n) == 0)
			return (true);
		p += len + (end != NULL);
	}
	return (false);
}

/* What these keys do while the tree is the pane that keys are about. */
static const struct {
	const char *key, *command;
} in_tree[] = { { "m", "centre" } };

static const char *
find(const struct ui *ui, const char *key)
{
	for (size_t i = 0; i < sizeof(in_tree) / sizeof(in_tree[0]); i++)
		if (strcmp(key, in_tree[i].key) == 0 && command_in_tree(ui))
			return (in_tree[i].command);
	for (size_t i = 0; i < NBINDINGS; i++)
		if (bindings[i].command != NULL &&
		    is_one_of(key, bindings[i].keys))
			return (bindings[i].command);
	return (NULL);
}

void
keys_press(struct ui *ui, const char *key, const char *text)
{
	const char *command;
	char lower[2] = { 0 };

	if (menu_press(ui, key) || help_press(ui, key))
		return;
	if (ui->prompt != 0) {
		prompt_press(ui, key, text);
		return;
	}
	command = find(ui, key);
	if (command == NULL && strlen(key) == 1) { /* caps lock */
		lower[0] = (char)tolower((unsigned char)key[0]);
		command = find(ui, lower);
	}
	if (command == NULL)
		return;
	ui->message[0] = '\0';
	ui->dirty = true;
	command_run(ui, command);
}
