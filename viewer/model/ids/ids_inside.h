/* Between ids.c and ids_alone.c, which has the ids that stand alone. */
#ifndef VIEWER_IDS_INSIDE_H
#define VIEWER_IDS_INSIDE_H

#include "model/ids/ids.h"
#include "model/ids/part.h"

#define PAGE_GONE (IDMAP_NONE - 1)

uint32_t alone_find(const struct model *, uint64_t id); /* any thread */
/* Room for one more id, whose number is nalone - 1 then; -1: ENOMEM. */
int alone_reserve(struct model *, uint64_t id);
void alone_put(struct model *, uint32_t n, uint32_t task);
void alone_gone(struct model *, uint32_t n);
void alone_ahead(const struct model *, uint64_t id);
uint32_t alone_guess(const struct model *, uint64_t id);
void alone_clear(struct model *);

#endif
