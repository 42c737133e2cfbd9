/*
 * What is asked of the program that owns the window.  Plain data.
 */
#ifndef VIEWER_HOST_H
#define VIEWER_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/picture.h"

/* Text that waits to be offered to other programs. */
enum offer {
	OFFER_NONE,
	OFFER_PRIMARY,
	OFFER_BOTH /* the clipboard, too */
};

/* What there is of a plug-in's view. */
struct plug_shown {
	const struct plug_picture *picture; /* NULL: why says why */
	const char *why;                    /* "": it has been asked for */
	const char *words;                  /* that it was opened with */
	bool over;                          /* it must be started again */
};

struct host {
	bool quit;
	bool reconnect; /* monitord is to be asked for now */
	char *probe;    /* monitord is to be asked this; NULL: nothing */
	bool far;       /* it draws the links */
	char *copied;   /* text for other programs; NULL: none */
	enum offer offer;
	const char *export_to; /* where `export` writes */
	/* Writes the frame as a picture. */
	int (*export_cb)(void *, const char *path, const char *view);
	/* Opens the file of another run, NULL: closes it; -1: why not. */
	int (*compare_cb)(void *, const char *path, char *why, size_t n);
	/* Opens another log in the place of this one; -1: why not. */
	int (*open_cb)(void *, const char *path, char *why, size_t n);
	/* Name of one of the logs beside this one; false: no more. */
	bool (*beside_cb)(void *, unsigned i, char *name, size_t n);
	/* A view by a shared object, or by its name again; -1: why not. */
	int (*plugin_add_cb)(void *, const char *path, char *why, size_t n);
	/* Its picture, by slot; wait: the one that is asked for. */
	void (*plugin_show_cb)(void *, unsigned slot, const struct plug_ask *,
	    bool wait, struct plug_shown *);
	/* It is over, and its view is gone. */
	void (*plugin_close_cb)(void *, unsigned slot);
	/* A word to it; -1: there is nobody. */
	int (*plugin_tell_cb)(void *, unsigned slot, const char *word);
	void *export_arg;  /* of these */
	char *source_path; /* folders of sources, ':' between; owned; NULL */
	char *editor;      /* a command; owned; NULL: that of the user */
	/* Opens a file at a line; -1: why not. */
	int (*edit_cb)(const char *editor, const char *path, uint32_t line,
	    char *why, size_t n);
	/* Writes the layout down. */
	int (*save_cb)(void *);
	void *save_arg;
};

#endif
