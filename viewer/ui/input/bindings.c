/*
 * The one table of keys and mouse: what is pressed, the command it stands
 * for, and the sentence that the help screen and the manual show.  Keys are
 * the same in every key map; what the mouse does is a table of each.
 */
#include <string.h>

#include "ui/input/bindings.h"
#include "ui/input/input.h"

static const struct binding keys[] = {
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
	{ "C", "causes", "what may have caused it, and what it may affect" },
	{ "space", "pause", "hold the picture still, or go on" },
	{ "l", "live", "jump to the newest event and follow it" },
	{ "k", "play", "play the run again from the left edge" },
	{ "K", "fast-forward", "play what is left in a few seconds" },
	{ ",", "step-back", "one event back" },
	{ ".", "step-forward", "one event on" },
	{ "ctrl+,", "step-back 10", "ten events back" },
	{ "ctrl+.", "step-forward 10", "and on" },
	{ "(", "skip-back", "a fortieth of what is seen back" },
	{ ")", "skip-forward", "and on" },
	{ "ctrl+Left", "previous-state",
	    "the cursor one event back in its row" },
	{ "ctrl+Right", "next-state", "and on" },
	{ "M", "prompt > marker . ", "name a marker here" },
	{ "A", "prompt > annotate . ",
	    "a note on the selected range, or here" },
	{ "alt+a", "prompt > annotate-row . . ", "the same, on this row" },
	{ "alt+n", "annotations", "the list of notes" },
	{ "alt+m", "next-annotation", "the next note" },
	{ "alt+Delete", "remove-annotation", "remove the nearest note" },
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
	{ "alt+b", "tree previous", "the tree before, or all of them" },
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
	{ "alt+g", "prompt > group . ", "put the selected row into a group" },
	{ "alt+u", "prompt > ungroup .",
	    "take it out, or open a group for ever" },
	{ "alt+r", "prompt > rename . ", "give it another name" },
	{ "H", "hide-quiet", "hide rows of which nothing is in sight" },
	{ "X", "show-all", "show all rows again" },
	{ "F", "prompt > filter ", "show the rows of some name only" },
	{ "t", "sort", "sort rows: number, name, first event, busy" },
	{ "V", "column", "choose the columns of the table of functions" },
	{ "h", "level", "unfold nodes, processes, threads, calls by turns" },
	{ "i", "links", "show or hide messages and links" },
	{ "alt+i", "link-colour", "messages by their tags, or all alike" },
	{ "I", "link-width", "links by their size, or all of one width" },
	{ "o", "rows", "show or hide objects and locks" },
	{ "g", "grid", "show or hide the grid" },
	{ "U", "clock", "times from the run's start, or the time of day" },
	{ "F2", "pane overview", "show or hide the strip of the run" },
	{ "F3", "pane left", "show or hide what stands at the left" },
	{ "F4", "pane right", "show or hide what stands at the right" },
	{ "F5", "pane dock", "show or hide the dock" },
	{ "F6", "put left", "the view that has the focus to the left" },
	{ "F7", "put right", "to the right" },
	{ "F8", "put dock", "into the dock" },
	{ "F9", "maximise", "this view alone, or all again" },
	{ "F11", "full-screen", "fill the screen, or not" },
	{ "R", "select-seen",
	    "select the range in sight, or of what is selected" },
	{ "Tab", "focus-next", "next pane" },
	{ "shift+Tab", "focus-previous", "previous pane" },
	{ "u", "cursor", "put the cursor, and the stacks, at the pointer" },
	{ "y", "tab", "next tab of the dock" },
	{ "/ ctrl+f", "prompt /", "search for a call, task, note or row" },
	{ ":", "prompt :", "query: 12.4s, 1.2s:1.3s or task 1418" },
	{ "> ctrl+p ctrl+P", "prompt >", "any command by its name" },
	{ "L", "prompt > find ", "calls of a name, a length, on some threads" },
	{ "alt+f", "tab flame", "paths of calls as a flame graph" },
	{ "alt+o", "flame out", "in that one frame out" },
	{ "alt+p", "tab path",
	    "the critical path, in figures and over the lanes" },
	{ "alt+t", "tab top", "the longest functions of each node" },
	{ "ctrl+l", "slowest",
	    "the slowest calls of what is selected, or of all" },
	{ "S", "source", "where what is selected is in the program's sources" },
	{ "alt+c", "classes", "structs and classes of the run's programs" },
	{ "alt+x", "class-next", "the next class" },
	{ "n", "next", "next thing found" },
	{ "N", "previous", "the one before" },
	{ "e", "export", "write the window to orrery.png" },
	{ "ctrl+c", "copy", "copy what is selected, as text" },
	{ "ctrl+s", "save", "save the layout" },
	{ "T", "theme", "light or dark" },
	{ "? F1", "help", "this list" },
	{ "E", "legend",
	    "what the colours, signs and lines of this view mean" },
	{ "Escape", "clear",
	    "stop a list that is being written; close a legend, a card; clear "
	    "selection, search, this list" },
	{ "q ctrl+q", "quit", "quit" },
	{ "D", "card", "keep the details of what is selected in sight" },
	{ "G", "card-next", "the next card, and select what it is of" },
	{ "J", "card-show", "go to where what the card is of can be seen" },
	{ "ctrl+w", "card-close", "close the topmost card" },
	{ "ctrl+shift+Left", "card-move -40 0", "move it to the left" },
	{ "ctrl+shift+Right", "card-move 40 0", "to the right" },
	{ "ctrl+shift+Up", "card-move 0 -40", "up" },
	{ "ctrl+shift+Down", "card-move 0 40", "and down" },
};

static const struct binding mouse[] = {
	{ "click", NULL, "select a task, span or row; in both views" },
	{ "double click", NULL,
	    "zoom to it; tree: make it the root; title: this pane alone" },
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
	{ "ctrl+click", NULL, "keep its details in sight, as a card" },
};

static const struct binding tracy_mouse[] = {
	{ "click", NULL, "select a task, span or row; in both views" },
	{ "double click", NULL,
	    "zoom to it; tree: make it the root; title: this pane alone" },
	{ "left drag", NULL, "select a range of time; in the tree: move it" },
	{ "shift+left drag", NULL, "move in time; in the tree: turn it" },
	{ "middle drag", NULL, "zoom to a range of time" },
	{ "middle click", NULL, "zoom to it; tree: put its centre here" },
	{ "right click", NULL, "what can be done with it" },
	{ "right drag", NULL, "move in time, and the rows" },
	{ "wheel", NULL, "zoom at the pointer" },
	{ "ctrl+wheel", NULL, "zoom finely" },
	{ "shift+wheel", NULL, "zoom fast" },
	{ "ctrl+shift+wheel", NULL, "make rows higher or lower" },
	{ "shift+click", NULL, "extend the selected range to here" },
	{ "ctrl+click", NULL, "keep its details in sight, as a card" },
};

#define ROWS(table) table, sizeof(table) / sizeof(table[0])
#define NKEYS       (sizeof(keys) / sizeof(keys[0]))

static const struct {
	const struct binding *row;
	size_t n;
} mouse_of[KEYMAPS] = {
	[KEYMAP_ORRERY] = { ROWS(mouse) },
	[KEYMAP_TRACY] = { ROWS(tracy_mouse) },
};

/* What is said above the first key of a group. */
static const struct {
	const char *keys, *title;
} groups[] = {
	{ "w plus + =", "Zoom and move" },
	{ "Home", "Go to" },
	{ "space", "Run and playback" },
	{ ",", "Step, cursor, markers" },
	{ "1", "Tree" },
	{ "ctrl+Down", "Rows" },
	{ "i", "What is shown" },
	{ "F2", "Panes" },
	{ "R", "Select and search" },
	{ "e", "Save, copy, quit" },
	{ "D", "Cards" },
	{ "click", "Mouse" },
};

const char *
keys_group(enum keymap map, unsigned i)
{
	const char *key, *command, *what;

	for (size_t k = 0; k < sizeof(groups) / sizeof(groups[0]); k++)
		if (keys_each(map, i, &key, &command, &what) &&
		    strcmp(key, groups[k].keys) == 0)
			return (groups[k].title);
	return (NULL);
}

bool
keys_each(enum keymap map, unsigned i, const char **key, const char **command,
    const char **what)
{
	const struct binding *b;

	if (i < NKEYS)
		b = &keys[i];
	else if (i - NKEYS < mouse_of[map].n)
		b = &mouse_of[map].row[i - NKEYS];
	else
		return (false);
	*key = b->keys;
	*command = b->command;
	*what = b->what;
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

/* What goes on while its key is held, and how fast. */
static const struct hold holds[] = {
	{ "zoom-in", HOLD_ZOOM, 8 },
	{ "zoom-out", HOLD_ZOOM, 8 },
	{ "zoom-in 1.05", HOLD_ZOOM, 1.5 },
	{ "zoom-out 1.05", HOLD_ZOOM, 1.5 },
	{ "zoom-in 4", HOLD_ZOOM, 64 },
	{ "zoom-out 4", HOLD_ZOOM, 64 },
	{ "pan-left", HOLD_PAN, 1 },
	{ "pan-right", HOLD_PAN, 1 },
	{ "scroll-up", HOLD_SCROLL, 40 },
	{ "scroll-down", HOLD_SCROLL, 40 },
};

const struct hold *
binding_hold(const char *command)
{
	for (size_t i = 0; i < sizeof(holds) / sizeof(holds[0]); i++)
		if (strcmp(holds[i].command, command) == 0)
			return (&holds[i]);
	return (NULL);
}

const struct binding *
binding_find(const char *key)
{
	for (size_t i = 0; i < NKEYS; i++)
		if (is_one_of(key, keys[i].keys))
			return (&keys[i]);
	return (NULL);
}
