/* Views of plug-ins: their names, which are not known beforehand. */
#ifndef VIEWER_PLUGGED_H
#define VIEWER_PLUGGED_H

#include <stdbool.h>

#include "plugin/picture.h"

#define PLUGGED_NAME 24 /* bytes with their end */

extern char plugged_name[PLUGINS_MAX][PLUGGED_NAME]; /* "": there is none */
void plugged_name_set(unsigned slot, const char *name);
/*
 * What opens a view: "FILE", "NAME=FILE" or either with ",WORD,WORD" behind
 * ".so", which are said to it when it begins.  Its name is the file's, so that
 * "dir/wait sum.so" is wait_sum, or the one that is given.  False: something is
 * too long, or the name is none.
 */
#define PLUGGED_WORDS 200
#define PLUGGED_SAID  16 /* words that wait until it has answered */
struct plugged_spec {
	char name[PLUGGED_NAME], path[4096], words[PLUGGED_WORDS];
};
bool plugged_spec_read(const char *text, struct plugged_spec *);

#endif
