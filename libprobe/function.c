/*
 * The name of a C++ function, from what the compiler spells in full:
 *
 *	"virtual void ns::Solver<T>::step(int) const [with T = double]"
 *
 * Gone are what stands behind the name (parameters, qualifiers, template
 * arguments) and before it (the type, which may hold spaces in <> and ()).
 */
#include <string.h>

#include "internal.h"

#define NAME_BYTES_MAX 1024

/* " [with T = int]" and what clang has for it. */
static size_t
without_template(const char *s, size_t n)
{
	int depth = 0;

	if (n == 0 || s[n - 1] != ']')
		return (n);
	for (size_t i = n; i-- > 1;) {
		depth += (s[i] == ']') - (s[i] == '[');
		if (depth == 0)
			return (s[i - 1] == ' ' ? i - 1 : n);
	}
	return (n);
}

/* Up to the parameters: the last () that nothing but words follows. */
static size_t
without_parameters(const char *s, size_t n)
{
	size_t end = n;
	int depth = 0;

	while (end > 0 && s[end - 1] != ')') {
		if (s[--end] == '>')
			return (n); /* f()::<lambda(int)> */
	}
	for (size_t i = end; i-- > 0;) {
		depth += (s[i] == ')') - (s[i] == '(');
		if (depth == 0)
			return (i == 0 ? n : i);
	}
	return (n);
}

/* Where the word "operator" is, whose name may have anything; n: nowhere. */
static size_t
operator_at(const char *s, size_t n)
{
	static const char word[] = "operator";
	const size_t bytes = sizeof(word) - 1;

	for (size_t i = n; i-- > 0;) {
		if (i + bytes <= n && memcmp(s + i, word, bytes) == 0 &&
		    (i == 0 || s[i - 1] == ' ' || s[i - 1] == ':'))
			return (i);
	}
	return (n);
}

const char *
function_name(const char *pretty, size_t *bytes)
{
	size_t n = strnlen(pretty, NAME_BYTES_MAX), at;
	int depth = 0;

	n = without_parameters(pretty, without_template(pretty, n));
	for (at = operator_at(pretty, n); at > 0; at--) {
		char c = pretty[at - 1];

		depth +=
		    (strchr(")>]}", c) != NULL) - (strchr("(<[{", c) != NULL);
		if (depth <= 0 && (c == ' ' || c == '*' || c == '&'))
			break;
	}
	*bytes = n - at;
	return (pretty + at);
}

uint32_t
probe_name_function(const char *pretty, const char *file, uint32_t line)
{
	char text[NAME_BYTES_MAX + 1];
	const char *name;
	size_t n;

	if (pretty == NULL)
		return (0);
	name = function_name(pretty, &n);
	memcpy(text, name, n);
	text[n] = '\0';
	return (probe_name_at(text, file, line));
}
