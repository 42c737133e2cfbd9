/*
 * Tells names, numbers and comments in a line of source.
 *
 * What is needed to tell names from comments in C and in what looks like it.
 */
#include "ui/views/source/sourcecode.h"

#include <ctype.h>
#include <string.h>

bool
code_known(const char *file)
{
	static const char *const ends[] = { "c", "h", "cc", "hh", "cpp", "hpp",
		"cxx", "hxx", "C", "H", "cu", "inc", "def", "java", "js", "go",
		"rs", "d" };
	const char *end = strrchr(file, '.');

	for (size_t i = 0; end != NULL && i < sizeof(ends) / sizeof(ends[0]);
	     i++)
		if (strcmp(end + 1, ends[i]) == 0)
			return (true);
	return (false);
}

static bool
is_word(char c)
{
	return (isalnum((unsigned char)c) || c == '_' ||
		((unsigned char)c & 0x80) != 0);
}

/* To the end of an open comment, or of the line. */
static size_t
comment_bytes(const char *s, size_t n, size_t from, bool *comment)
{
	for (size_t i = from; i + 1 < n; i++)
		if (s[i] == '*' && s[i + 1] == '/') {
			*comment = false;
			return (i + 2);
		}
	*comment = true;
	return (n);
}

static size_t
quoted_bytes(const char *s, size_t n)
{
	size_t i = 1;

	while (i < n && s[i] != s[0])
		i += s[i] == '\\' && i + 1 < n ? 2 : 1;
	return (i < n ? i + 1 : n);
}

size_t
code_piece(const char *s, size_t n, bool *comment, enum code_kind *kind)
{
	bool space = s[0] == ' ' || s[0] == '\t';
	size_t i = 1;

	*kind = CODE_SPACE;
	if (space) {
		while (i < n && (s[i] == ' ' || s[i] == '\t'))
			i++;
		return (i);
	}
	*kind = CODE_COMMENT;
	if (*comment)
		return (comment_bytes(s, n, 0, comment));
	if (n > 1 && s[0] == '/' && s[1] == '*')
		return (comment_bytes(s, n, 2, comment));
	if (n > 1 && s[0] == '/' && s[1] == '/')
		return (n);
	*kind = CODE_TEXT;
	if (s[0] == '"' || s[0] == '\'')
		return (quoted_bytes(s, n));
	*kind = is_word(s[0]) ? CODE_WORD : CODE_OTHER;
	if (*kind == CODE_WORD)
		while (i < n && is_word(s[i]))
			i++;
	return (i);
}
