/* Words for counters: values in their units, growth, and whose they are. */
#ifndef VIEWER_DESK_COUNTERS_H
#define VIEWER_DESK_COUNTERS_H

#include <stddef.h>

#include "model/measured/counters.h"

struct ui;

/*
 * The panels' range, with what happens at its end if that is the run's or the
 * playback's.
 */
bool counters_range(const struct ui *, int64_t *t0, int64_t *t1);
/* "1.53 s", "212 MB", "12,007", "0.53": into buf, which is returned. */
char *counter_value(const struct counter *, int64_t value, char *buf, size_t n);
/* The same of a number between, as a mean or a level of the chart. */
char *counter_number(const struct counter *, double value, char *buf, size_t n);
/* A total's growth in a second: "83 %" of ns, "1.2 k/s". */
char *counter_growth(const struct counter *, double rate, char *buf, size_t n);
/* "n0", "n0/3 load", "n0/3 worker 2": the row that it belongs to. */
char *counter_owner(const struct ui *, const struct counter *, char *buf,
    size_t n);
/* What it is called; lives as long as the model. */
const char *counter_label(const struct ui *, const struct counter *);
/* Its colour, on the palette of what is shown. */
uint32_t counter_colour(const struct ui *, const struct counter *);
/*
 * What a counter is in the panels' range: its last value there, and of a total
 * what it grows by.  False: it had none yet.
 */
bool counter_now(const struct ui *, uint32_t i, char *buf, size_t n);

#endif
