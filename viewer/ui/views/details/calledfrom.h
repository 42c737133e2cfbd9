/* From which lines of the program a call has come, in words. */
#ifndef VIEWER_CALLEDFROM_H
#define VIEWER_CALLEDFROM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span;
struct ui;

/* Of a span of that lane; false: it is no call, or nothing is known. */
bool called_from(const struct ui *, uint32_t lane, const struct span *,
    char *buf, size_t n);

#endif
