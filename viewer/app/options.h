/* What the command line of viewer says. */
#ifndef VIEWER_OPTIONS_H
#define VIEWER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/picture.h"

struct options {
	const char *file, *other, *connect, *display;
	const char *snapshot, *view, *colour, *keys, *range, *script,
	    *source_path, *editor;
	int32_t width, height;
	const char *config;
	int state_fd, scale_q; /* 0: not said */
	uint64_t memory;
	char *const *files;
	int nfiles;
	struct {
		const char *at[PLUGINS_MAX];
		unsigned n;
	} plugins;
	bool describe, index, background, nocache, noshm, remote, headless,
	    light, sized;
};

/*
 * Fills in what is said and leaves the rest.  Ends the program where that is
 * all there is to do (--help), and with EX_USAGE for what makes no sense.
 */
void options_parse(struct options *, int argc, char **argv);
/* EX_USAGE if there is no view of this name; plug-ins are there by now. */
void options_view(const struct options *);

#endif
