/* Who is thread t of PO p: the answers of the query port. */
#ifndef COLLECTOR_QUERY_H
#define COLLECTOR_QUERY_H

#include "collector/ident/ident.h"

/*
 * Appends the answers to out, one frame each; the last has more 0.  Nobody
 * found: one answer with the numbers asked for and no name.  -1: ENOMEM.
 */
int query_answer(const struct ident *, uint32_t node, const struct msg_query *,
    struct buf *out);

#endif
