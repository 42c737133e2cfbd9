/* Tables of views, drawn: their titles and what stands in a row. */
#ifndef VIEWER_CELLS_H
#define VIEWER_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include "layout/chart/table.h"
#include "layout/palette.h"
#include "raster/canvas.h"

/*
 * The titles, dim; the first one is followed by what it is of, "": nothing, and
 * by how many rows are shown if it is not all of them.
 */
void cells_head(struct canvas *, const struct palette *, const struct table *,
    const struct table_column *, const char *of);
/*
 * Who is told of each table as it is drawn; what its cells say is heard by
 * draw_listen().  NULL: nobody.  UI thread only.
 */
typedef void cells_told(void *arg, const struct table *,
    const struct table_column *);
void cells_listen(cells_told *, void *arg);
/* Tells of one; cells_head() does. */
void cells_tell(const struct table *, const struct table_column *);
/* So wide is a name in the first column. */
int32_t cells_name_px(const char *);
/*
 * The first column as wide as its longest name if that has room, up to a third
 * of all; not less than it was.
 */
void cells_widen(struct table_column *, int32_t longest_px, int32_t room_px);
/* Where the last column that is shown ends. */
int32_t cells_right(const struct table *);
/* Where a table ends that would be too wide to be read across. */
int32_t cells_x1(const struct rect *);
/* Baseline of the i-th row in sight. */
int32_t cells_y(const struct table *, int32_t i);
/* Text in a cell, if the column is shown: numbers right, names cut. */
void cell_text(struct canvas *, const struct table *,
    const struct table_column *, size_t column, int32_t y, uint32_t rgb,
    const char *fmt, ...) __attribute__((format(printf, 7, 8)));
/* A name behind the square of its colour, in the first column. */
void cell_name(struct canvas *, const struct table *, int32_t y, uint32_t rgb,
    uint32_t square_rgb, const char *name);

#endif
