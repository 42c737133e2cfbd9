/* Strings from strangers. */
#ifndef COLLECTOR_TEXT_H
#define COLLECTOR_TEXT_H

#include <stddef.h>

/* In place: what is not UTF-8, and every NUL, becomes a question mark. */
void text_clean(char *text, size_t n);
/* Copies at most size - 1 bytes, cleans them, ends them with a NUL. */
void text_copy(char *to, size_t size, const void *from, size_t n);

#endif
