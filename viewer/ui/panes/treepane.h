/* Shared by the files of the tree's pane. */
#ifndef VIEWER_TREEPANE_H
#define VIEWER_TREEPANE_H

#include "ui/desk/ui.h"

/* treepane_title.c: what it is a tree of, and the colourings */
void tree_title_draw(struct ui *, struct canvas *);
/*
 * treepane_names.c: names on the sectors of a sunburst, the boxes of an icicle,
 * in straight pieces; seen by the tree's area.  They lie on the picture that
 * is in the layer.
 */
struct tree_piece {
	int32_t x_q, y_q, dx, dy; /* as canvas_text_turned() has them */
	uint32_t rgb;
	bool upon; /* it lies upon lines, and has this colour below */
	uint32_t ground;
	size_t n;
	char text[48];
};
#define TREE_GROUND_ALPHA 190
typedef void tree_piece_fn(void *arg, const struct tree_piece *);
void tree_names_each(const struct ui *, const struct canvas *layer,
    tree_piece_fn *, void *arg);
void tree_names_draw(const struct ui *, struct canvas *layer);
/* treepane_branches.c: the same in a tree of polygons */
void tree_branches_each(const struct ui *, tree_piece_fn *, void *arg);
/* treepane_legend.c: what the colours mean */
void tree_legend_draw(struct ui *, struct canvas *);
/* treepane_account.c: what was drawn and, as plainly, what was not */
void tree_account_draw(struct ui *, struct canvas *);
/* treepane_inquiry.c: the node asked about, NULL: none; and what it is */
const struct radial_node *tree_asked(struct ui *);
void tree_inquiry_draw(struct ui *, struct canvas *,
    const struct radial_node *);

#endif
