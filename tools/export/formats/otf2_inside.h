/* What otf2.c and otf2_defs.c share. */
#ifndef TOOLS_EXPORT_OTF2_INSIDE_H
#define TOOLS_EXPORT_OTF2_INSIDE_H

#include <otf2/otf2.h>

#include "intmap.h"
#include "tools/export/export.h"
#include "tools/export/mail.h"

struct otf2_pair {
	/* kind of a metric: whether it is a real number; or OTF2_OWN, and the
	 * set of the fields that are known */
	uint32_t name, kind;
};
#define OTF2_OWN 0x100u

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
	/* attributes: names that are fields, by kind and field; texts: those
	 * that they have been, whose strings come first */
	struct otf2_used regions, metrics, attributes, texts;
	struct own *own;
	OTF2_AttributeList *list;
	int64_t base_mon_ns, last_mon_ns; /* INT64_MIN: not known yet */
	int failed;                       /* errno of what came first */
};

/* Of a field that is a number. */
OTF2_Type otf2_own_type(const struct own_field *);
/* Everything that has been used; events: of each location. */
OTF2_ErrorCode otf2_definitions(struct otf2 *, const uint64_t *events);

#endif
