/*
 * The process-time view in words, one fact a line, for `viewer --describe`,
 * for tests and for those who cannot see it.
 */
#ifndef VIEWER_DESCRIBE_TIME_H
#define VIEWER_DESCRIBE_TIME_H

#include <stdio.h>

#include "layout/time/timeline.h"

/*
 * The layout must be fresh: made from this model with this view.  Times count
 * from the origin.
 */
void describe_timeline(FILE *, const struct model *,
    const struct timeline_view *, const struct timeline_layout *,
    int64_t origin_mon_ns);

#endif
