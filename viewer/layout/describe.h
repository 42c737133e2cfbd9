/*
 * The views in words, one fact a line, for `viewer --describe`, for tests and
 * for whoever cannot see them.
 */
#ifndef VIEWER_DESCRIBE_H
#define VIEWER_DESCRIBE_H

#include <stdio.h>

#include "layout/radial.h"
#include "layout/timeline.h"

/* The layouts must be fresh: made from this model with this view. */
void describe_timeline(FILE *, const struct model *,
    const struct timeline_view *, const struct timeline_layout *);
void describe_radial(FILE *, const struct model *, const struct radial_view *,
    const struct radial_layout *);

/* "LC: 38(1) 136(2)" into buf, as snprintf. */
int describe_levels(char *buf, size_t n, const struct radial_layout *);

#endif
