/* What the parts of a sheet are written with: sheet.c; of rows: sheet_lane.c.
 */
#ifndef VIEWER_SHEET_INSIDE_H
#define VIEWER_SHEET_INSIDE_H

#include "ui/views/details/sheet.h"

void sheet_put(struct sheet *, const char *label, uint32_t rgb, const char *fmt,
    ...) __attribute__((format(printf, 4, 5)));
void sheet_put_span(struct sheet *, const char *label, int64_t ns);
void sheet_put_sum(struct sheet *, const char *label, uint64_t n,
    uint32_t rgb); /* 0: nothing */
void sheet_put_clock(struct sheet *, const char *label, uint32_t node);
/* Who holds a lock at t, or of a span that waits for it; if it is about one. */
void sheet_put_lock(struct sheet *, uint32_t lane, const struct span *,
    int64_t t_mon_ns);
/* Where an object is then; of no other row anything. */
void sheet_put_object(struct sheet *, uint32_t lane, int64_t t_mon_ns);
void sheet_put_span_rows(struct sheet *, uint32_t lane, const struct span *);
/* What a span, a stay of an object... is called. */
const char *sheet_span_name(const struct ui *, const struct span *);
void sheet_lane(struct sheet *, const struct thing *);

#endif
