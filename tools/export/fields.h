/* What the words of an event mean, by kind, found once. */
#ifndef TOOLS_EXPORT_FIELDS_H
#define TOOLS_EXPORT_FIELDS_H

#include "log/tracefile.h"
#include "tools/export/out.h"

struct field {
	char label[32];
	enum word_type type;
};

struct fields {
	struct field of[EVENT_KINDS][3];
};

void fields_init(struct fields *, const struct defs *);
/* Text of a word whose type is WORD_name or one behind it. */
#define WORD_TEXT_BYTES 64
const char *field_text(enum word_type, uint64_t, const struct defs *,
    char room[WORD_TEXT_BYTES]);
/* "label":value,"label":value of all words. */
void fields_json(const struct fields *, struct out *, const struct event *,
    const struct defs *);

/* The same of an event of a declared kind; a field that is lost is null. */
void fields_json_own(struct out *, const struct own_event *,
    const struct defs *);
/* Of field i, or "field3": a word of ASCII; others may not take more. */
void fields_own_label(struct out *, const struct own_kind *, unsigned i);
/* All parts of it have come. */
bool fields_own_whole(const struct own_event *);

#endif
