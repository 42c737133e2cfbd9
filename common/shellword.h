/* Lines for a shell on another machine, written word by word. */
#ifndef COMMON_SHELLWORD_H
#define COMMON_SHELLWORD_H

#include <stdio.h>

/* A space, and the word in quotes, whatever is in it. */
void shellword_put(FILE *, const char *word);

#endif
