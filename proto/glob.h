/* Patterns of names: * is any text, ? any character (a byte). */
#ifndef PROTO_GLOB_H
#define PROTO_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether a text, which need not end in a NUL, is such a one.  Goes back to the
 * last star only, so it takes at most the product of the lengths.
 */
static inline bool
glob_is(const char *pattern, const char *text, size_t n)
{
	const char *star = NULL;
	size_t at = 0, from = 0;

	while (at < n) {
		if (*pattern == '*') {
			star = pattern++;
			from = at;
		} else if (*pattern != '\0' &&
			   (*pattern == '?' || *pattern == text[at])) {
			pattern++;
			at++;
		} else if (star != NULL) {
			pattern = star + 1;
			at = ++from;
		} else {
			return (false);
		}
	}
	while (*pattern == '*')
		pattern++;
	return (*pattern == '\0');
}

#endif
