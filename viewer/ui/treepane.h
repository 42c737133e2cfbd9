/* Shared by the files of the tree's pane. */
#ifndef VIEWER_TREEPANE_H
#define VIEWER_TREEPANE_H

#include "ui/draw.h"

/* treepane_title.c: what it is a tree of, and the colourings */
void tree_title_draw(struct ui *, struct canvas *);
/* treepane_legend.c: what the colours mean */
void tree_legend_draw(struct ui *, struct canvas *);
/* treepane_account.c: what was drawn and, as plainly, what was not */
void tree_account_draw(struct ui *, struct canvas *);
/* treepane_inquiry.c: the node asked about, NULL: none; and what it is */
const struct radial_node *tree_asked(struct ui *);
void tree_inquiry_draw(struct ui *, struct canvas *,
    const struct radial_node *);

#endif
