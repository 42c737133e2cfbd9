/* Events of the log as a plug-in gets them, with all names found. */
#ifndef VIEWER_PLUGIN_FEED_H
#define VIEWER_PLUGIN_FEED_H

#include "log/tracefile.h"
#include "plugin/orrery-plugin.h"

struct rows;
struct rows *rows_new(void); /* NULL: out of memory */
/* Valid until the next call; defined: how many definitions there are. */
const struct orrery_row *rows_of(struct rows *, const struct defs *,
    uint64_t defined, uint32_t location);
/* Rows that had an event, by number: the next one from this number on; NULL. */
const struct orrery_row *rows_next(struct rows *, const struct defs *,
    uint64_t defined, uint32_t from);

/* -1: there is no such kind. */
int event_tell(struct orrery_event *, const struct event *, bool late,
    const struct orrery_row *, const struct defs *, int64_t start_mon_ns);

#endif
