/*
 * All that is known about a thing, as a title and pairs of a label and a value:
 * for the dock, for cards, for other programs.
 *
 * UI thread only.
 */
#ifndef VIEWER_SHEET_H
#define VIEWER_SHEET_H

#include "ui/things/thing.h"

/* Where it goes; the first member of whoever takes it. */
struct sheet {
	struct ui *ui;
	bool beside; /* of a span: the figures of its row, too */
	void (*title)(struct sheet *, uint32_t rgb, const char *);
	/* label lasts as long as the model */
	void (*row)(struct sheet *, const char *label, uint32_t rgb,
	    const char *value);
	void (*words)(struct sheet *, const char *); /* a sentence or two */
};

void sheet_write(struct sheet *, const struct thing *);

#endif
