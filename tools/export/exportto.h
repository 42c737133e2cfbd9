/*
 * Where an export goes: the standard output, or a file or a folder that gets
 * its name when it is whole.
 */
#ifndef TOOLS_EXPORTTO_H
#define TOOLS_EXPORTTO_H

#include <sys/types.h>

#include "export.h"
#include "log/beside.h"

struct exportto {
	const char *path; /* NULL: the standard output */
	enum exporter_to to;
	char part[BESIDE_BYTES]; /* of that name until it is whole; or "" */
	int fd;                  /* to write to; -1 of a folder */
};

/* An exit code of sysexits.h, having said why it is not EX_OK. */
int exportto_open(struct exportto *, mode_t);
/* On disk and under its name.  -1 with errno. */
int exportto_finish(struct exportto *);
/* What is not finished is gone. */
void exportto_close(struct exportto *);

#endif
