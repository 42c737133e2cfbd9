/* A command, as a row of a table of them; the last row has no name. */
#ifndef VIEWER_COMMANDROW_H
#define VIEWER_COMMANDROW_H

struct ui;

struct command {
	const char *name, *arguments, *what;
	/* arg: the rest of the line, "" for none.  0, or -1 as desk_fail(). */
	int (*run)(struct ui *, const char *arg);
};

#endif
