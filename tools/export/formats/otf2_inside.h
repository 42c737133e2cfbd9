/* What otf2.c and otf2_defs.c share. */
#ifndef TOOLS_EXPORT_OTF2_INSIDE_H
#define TOOLS_EXPORT_OTF2_INSIDE_H

#include <otf2/otf2.h>

#include "intmap.h"
#include "tools/export/export.h"
#include "tools/export/mail.h"

struct otf2_pair {
	uint32_t name, kind; /* of a metric: whether it is a real number */
};

/* Regions or metrics that have been used; their numbers are their places. */
struct otf2_used {
	struct intmap by;
	struct otf2_pair *at;
	size_t n, cap;
};

struct otf2 {
	const struct export_of *of;
	OTF2_Archive *archive;
	OTF2_EvtWriter **writer; /* by location; NULL: not wanted */
	uint32_t *rank;
	uint32_t locations, ranks;
	struct story *story;
	struct mail mail;
	struct otf2_used regions, metrics;
	int64_t base_mon_ns, last_mon_ns; /* INT64_MIN: not known yet */
	int failed;                       /* errno of what came first */
};

/* Everything that has been used; events: of each location. */
OTF2_ErrorCode otf2_definitions(struct otf2 *, const uint64_t *events);

#endif
