/*
 * What a window says in words, and whether a line is there.
 */
#ifndef TESTS_VIEWER_SAYS_H
#define TESTS_VIEWER_SAYS_H

#include "tests/check.h"

#include <stdio.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/out/out.h"

/* To be freed. */
static inline char *
described(struct ui *ui)
{
	/* static: gcc 12 takes what is put there for its address */
	static char *text;
	static size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	ui_describe(ui, f);
	fclose(f);
	return (text);
}

static inline void
has(const char *text, const char *line)
{
	if (strstr(text, line) == NULL)
		fail_msg("no '%s' in: %s", line, text);
}

#endif
