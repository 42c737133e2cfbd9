/* The table of keys, for who presses them. */
#ifndef VIEWER_BINDINGS_H
#define VIEWER_BINDINGS_H

#include "ui/desk/ui.h"

struct binding {
	const char *keys;    /* separated by blanks */
	const char *command; /* NULL: mouse, explained only */
	const char *what;
};

/* NULL: it means nothing. */
const struct binding *binding_find(const char *key);

/* What goes on while a key is held down. */
struct hold {
	const char *command;
	enum {
		HOLD_ZOOM,  /* by `rate` a second */
		HOLD_PAN,   /* `rate` of what is seen a second */
		HOLD_SCROLL /* `rate` rows a second */
	} what;
	double rate;
};

/* NULL: it is pressed again and again, as the server says. */
const struct hold *binding_hold(const char *command);

#endif
