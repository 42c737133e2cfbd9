/*
 * The radial view in words, one fact a line, for `viewer --describe`, for
 * tests and for those who cannot see it.
 */
#ifndef VIEWER_DESCRIBE_TREE_H
#define VIEWER_DESCRIBE_TREE_H

#include <stdio.h>

#include "layout/radial/radial.h"

/* The layout must be fresh: made from this model with this view. */
void describe_radial(FILE *, const struct model *, const struct radial_view *,
    const struct radial_layout *);

/* "LC: 38(1) 136(2)" into buf, as snprintf. */
int describe_levels(char *buf, size_t n, const struct radial_layout *);

#endif
