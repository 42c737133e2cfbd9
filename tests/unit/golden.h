/* A text that must be the one of a file. */
#ifndef TESTS_UNIT_GOLDEN_H
#define TESTS_UNIT_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>

#include "tests/check.h"

/* Takes got.  With GOLDEN in the environment it is written. */
static inline void
golden(const char *path, char *got, size_t n)
{
	char *want = NULL;
	size_t k = 0;
	FILE *f;

	if (getenv("GOLDEN") != NULL) {
		f = fopen(path, "w");
		assert_non_null(f);
		fwrite(got, 1, n, f);
		fclose(f);
	}
	f = fopen(path, "r");
	assert_non_null(f);
	assert_true(getdelim(&want, &k, EOF, f) > 0);
	fclose(f);
	assert_string_equal(got, want);
	free(got);
	free(want);
}

#endif
