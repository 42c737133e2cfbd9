/*
 * Names of functions as people write them.
 *
 *	_ZN2ns6SolverIdE4stepEi    ns::Solver<double>::step
 *
 * The library of C++ turns the one into "ns::Solver<double>::step(int) const";
 * gone are then the parameters and what is behind them, and the type before the
 * name, which templates have.  The same is done by libprobe/function.c with
 * what a compiler spells.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

#define MANGLED_MAX 4096u /* a longer one is nobody's name */

extern char *__cxa_demangle(const char *, char *, size_t *, int *);

/* " [clone .part.0]" and the like. */
static size_t
without_clone(const char *s, size_t n)
{
	while (n > 0 && s[n - 1] == ']') {
		size_t at = n;

		while (at > 0 && s[at - 1] != '[')
			at--;
		if (at < 2 || s[at - 2] != ' ')
			return (n);
		n = at - 2;
	}
	return (n);
}

/* Where the () that ends at n - 1 begins; n: none does. */
static size_t
group_start(const char *s, size_t n)
{
	int depth = 0;

	for (size_t i = n; i-- > 0;) {
		depth += (s[i] == ')') - (s[i] == '(');
		if (depth == 0)
			return (i);
	}
	return (n);
}

static size_t
without_parameters(const char *s, size_t n)
{
	size_t end = n, at;

	/* const, volatile, & and && */
	while (end > 0 && s[end - 1] != ')') {
		if (strchr("constvlaie& ", s[end - 1]) == NULL)
			return (n);
		end--;
	}
	if (end == 0)
		return (n);
	at = group_start(s, end);
	/* "operator()", "(anonymous namespace)" */
	return (at == end || at == 0 || s[at - 1] == ':' ||
			(at >= 8 && memcmp(s + at - 8, "operator", 8) == 0)
		    ? n
		    : at);
}

/* Behind the last blank outside of brackets. */
static size_t
name_start(const char *s, size_t n)
{
	int depth = 0;

	for (size_t i = n; i-- > 0;) {
		if (i + 8 <= n && memcmp(s + i, "operator", 8) == 0)
			depth = 0; /* what is behind may be < or > */
		depth += (strchr(")>]}", s[i]) != NULL) -
			 (strchr("(<[{", s[i]) != NULL);
		if (depth == 0 && s[i] == ' ' &&
		    !(i >= 8 && memcmp(s + i - 8, "operator", 8) == 0))
			return (i + 1);
	}
	return (0);
}

static void
put(char to[SYMBOLS_TEXT_BYTES], const char *s, size_t n)
{
	if (n >= SYMBOLS_TEXT_BYTES)
		n = SYMBOLS_TEXT_BYTES - 1;
	memcpy(to, s, n);
	to[n] = '\0';
}

void
names_plain(const char *name, size_t n, char to[SYMBOLS_TEXT_BYTES])
{
	char mangled[MANGLED_MAX], *s = NULL;
	size_t from, bytes;
	int status = -1;

	if (n < sizeof(mangled) && n > 2 && memcmp(name, "_Z", 2) == 0) {
		memcpy(mangled, name, n);
		mangled[n] = '\0';
		s = __cxa_demangle(mangled, NULL, NULL, &status);
	}
	if (s == NULL || status != 0) {
		put(to, name, n);
		free(s);
		return;
	}
	bytes = without_parameters(s, without_clone(s, strlen(s)));
	from = name_start(s, bytes);
	put(to, s + from, bytes - from);
	free(s);
}
