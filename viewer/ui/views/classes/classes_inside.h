/* Shared by the files of the view Classes. */
#ifndef VIEWER_CLASSES_INSIDE_H
#define VIEWER_CLASSES_INSIDE_H

#include "ui/views/classes/classes.h"

/* classes_graph.c: from its first row in sight on */
void classes_graph(struct ui *, struct canvas *, const struct rect *,
    struct classes *);
/* A bar of the functions' times, of the most that any class has. */
void class_bar(struct ui *, struct canvas *, const struct rect *,
    const struct classes *, uint32_t class, int64_t most_ns);
/* The box beside the pointer says what is known of it. */
void class_hint(struct ui *, const struct rect *, const struct classes *,
    uint32_t class);

#endif
