/* Shared by the files of the view Source. */
#ifndef VIEWER_SOURCE_INSIDE_H
#define VIEWER_SOURCE_INSIDE_H

#include "ui/views/source/source.h"

/* The file is read, its line will be in sight. */
void source_show(struct ui *, struct source *, const char *file,
    const char *program, uint32_t line);
/* False: nobody knows where that is. */
bool source_show_name(struct ui *, struct source *, uint32_t name);
/* From now on it is that function whose callers are told. */
void source_take_sites(struct source *);

#endif
