/*
 * Strings from programs are made valid UTF-8 here, once, so that nobody behind
 * has to doubt them.
 */
#include "text.h"

#include <string.h>

/* Length of the UTF-8 sequence at p, 0 when it is none. */
static size_t
utf8_length(const unsigned char *p, size_t n)
{
	size_t len = p[0] < 0x80   ? 1
		     : p[0] < 0xc2 ? 0
		     : p[0] < 0xe0 ? 2
		     : p[0] < 0xf0 ? 3
		     : p[0] < 0xf5 ? 4
				   : 0;

	if (len > n || p[0] == 0)
		return (0);
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return (0);
	}
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return (0);
	return (len);
}

/* What is not UTF-8 becomes a question mark. */
void
text_clean(char *text, size_t n)
{
	unsigned char *p = (unsigned char *)text;
	size_t len;

	while (n > 0) {
		len = utf8_length(p, n);
		if (len == 0) {
			*p = '?';
			len = 1;
		}
		p += len;
		n -= len;
	}
}

void
text_copy(char *to, size_t size, const void *from, size_t n)
{
	if (n > size - 1)
		n = size - 1;
	if (n > 0)
		memcpy(to, from, n);
	to[n] = '\0';
	text_clean(to, n);
}
