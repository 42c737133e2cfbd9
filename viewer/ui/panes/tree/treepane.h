/* Shared by the files of the tree's pane. */
#ifndef VIEWER_TREEPANE_H
#define VIEWER_TREEPANE_H

#include "ui/desk/ui.h"

/* treepane_title.c: what it is a tree of, and the colourings; what the i-th is
 * called in this tree */
const char *tree_colour_word(const struct ui *, int i);
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
/*
 * treepane_tally.c: the tasks that are shown by what their colours stand for;
 * NULL: nobody has counted them, as yet or at all.  After so many of them;
 * after as many as a frame has time for.
 */
const struct tally *tree_tally(struct ui *, uint32_t tasks);
const struct tally *tree_tally_frame(struct ui *);
/* Of all tasks (TASK_NONE) or those of a tree: its root, unless only what is
 * below `root` is shown; and the next one, in the order of numbers or depth
 * first, TASK_NONE: that was the last.  Inside model_enter(). */
uint32_t tree_top(const struct model *, uint32_t root, bool subtree);
uint32_t tree_next(const struct model *, uint32_t top, uint32_t task);
/* treepane_span.c: sets what time the colours of time go over, ui->tree.span*
 */
void tree_span(struct ui *);
/* All but one class is dimmed, and which is not. */
static inline bool
tree_dims(const struct ui *ui)
{
	return (ui->treepane.over || ui->treepane.chosen);
}
static inline uint32_t
tree_only(const struct ui *ui)
{
	return (ui->treepane.over ? ui->treepane.over_class
				  : ui->treepane.chosen_class);
}
/* The i-th entry of the legend in words; false: there are no more. */
bool tree_legend_entry(struct ui *, uint32_t i, uint32_t *class, char *buf,
    size_t n);
/* The same, and those of other colourings, with their colours: how many, at
 * most LEGEND_COLOURS; 0: there are no more. */
size_t tree_legend_part(struct ui *, uint32_t i, uint32_t *rgb, char *buf,
    size_t n);
/* treepane_account.c: what was drawn and, as plainly, what was not */
void tree_account_draw(struct ui *, struct canvas *);
/* treepane_inquiry.c: the node asked about, NULL: none; and what it is */
const struct radial_node *tree_asked(struct ui *);
void tree_inquiry_draw(struct ui *, struct canvas *,
    const struct radial_node *);

#endif
