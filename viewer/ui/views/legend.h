/*
 * What the colours, signs and lines of a view mean: a table beside each view,
 * named in its row of ui/desk/views.def.  One panel draws them all, and one
 * function tells them in words (ui/panes/legend.c).
 */
#ifndef VIEWER_LEGEND_H
#define VIEWER_LEGEND_H

#include <stddef.h>
#include <stdint.h>

#include "layout/palette.h"
#include "layout/scene.h"
#include "model/model.h"
#include "ui/desk/ui.h"

/* Where a colour comes from. */
enum legend_ink {
	LEGEND_THEME,    /* a field of the palette, at that offset */
	LEGEND_THEME_ON, /* the same, as it is drawn on the ground */
	LEGEND_THEME_AREA,
	LEGEND_RGB, /* itself */
	LEGEND_RGB_ON,
	LEGEND_NODES, /* each node has its own */
	LEGEND_NODES_ON,
	LEGEND_NAMES, /* each function */
	LEGEND_NAMES_ON,
	LEGEND_NAMES_INK, /* as letters */
	LEGEND_COUNTERS,  /* each counter, by its name */
	LEGEND_SHADES,    /* from little to much */
	LEGEND_HUES,      /* one after the other */
	LEGEND_TREE       /* as the tree is coloured; its entries with it */
};

struct legend_row {
	uint8_t sign; /* enum item_type; ITEM_TEXT: letters */
	uint8_t ink;  /* enum legend_ink */
	uint32_t of;
	const char *what; /* NULL: there are no more */
};

#define LEGEND_INK(field)    LEGEND_THEME, offsetof(struct palette, field)
#define LEGEND_INK_ON(field) LEGEND_THEME_ON, offsetof(struct palette, field)
#define LEGEND_AREA(field)   LEGEND_THEME_AREA, offsetof(struct palette, field)
#define LEGEND_STATE(class)  LEGEND_INK(state[LANE_##class])

/* Those that every picture of states has. */
#define LEGEND_WAITS                                                           \
	{ ITEM_HATCH, LEGEND_STATE(wait_message), "waits for a message" },     \
	    { ITEM_HATCH, LEGEND_STATE(wait_lock), "waits for a lock" },       \
	    { ITEM_HATCH, LEGEND_STATE(wait_sync),                             \
		    "waits for others: barrier, join, sleep" },                \
	    { ITEM_HATCH, LEGEND_STATE(wait_rpc), "waits for a remote call" }, \
	{                                                                      \
		ITEM_HATCH, LEGEND_STATE(wait_cond), "waits for a condition"   \
	}

/* The colours of a row, at most max; returns how many.  Not of LEGEND_TREE. */
#define LEGEND_COLOURS 8
size_t legend_rgb(const struct ui *, const struct legend_row *, uint32_t *rgb,
    size_t max);

#endif
