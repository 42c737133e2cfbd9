/* What is remembered from one start to the next. */
#ifndef VIEWER_CONFIG_H
#define VIEWER_CONFIG_H

#include <stddef.h>

#include "ui/desk/ui.h"

struct config {
	int32_t width, height; /* of the window; 0: not said */
	int scale_q;           /* dots a pixel, 1/16; 0: not said */
};

/*
 * $XDG_CONFIG_HOME/orrery/viewer.conf, else ~/.config/orrery/viewer.conf.
 * -1: there is no home.
 */
int config_path(char *buf, size_t n);
/*
 * Reads it into ui and *config.  -1: it makes no sense, which is told in one
 * line, and nothing of it counts; one that is not there is fine.
 */
int config_load(const char *path, struct ui *, struct config *);
/* Writes it, as a whole or not at all.  -1: errno says why not. */
int config_save(const char *path, const struct ui *, const struct config *);

#endif
