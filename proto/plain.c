/*
 * Which characters a terminal only shows.
 */
#include "plain.h"

#include <string.h>

#include "utf8.h"

/* Ranges of characters that do something; in order. */
static const struct {
	uint32_t first, last;
} acts[] = {
	{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0x061c, 0x061c }, /* a direction */
	{ 0x200b, 0x200f }, /* of no width, and directions */
	{ 0x2028, 0x202e }, /* line ends, and more directions */
	{ 0x2060, 0x206f }, { 0xfeff, 0xfeff },
	{ 0xfffe, 0xffff }, /* are no characters */
};
#define NACTS (sizeof(acts) / sizeof(acts[0]))

size_t
plain_character(const unsigned char *p, size_t n, uint32_t *c)
{
	return (utf8_character(p, n, c));
}

bool
plain_is_shown(uint32_t c)
{
	for (size_t i = 0; i < NACTS; i++)
		if (c >= acts[i].first && c <= acts[i].last)
			return (false);
	return (true);
}

size_t
plain(char *to, size_t room, const void *text, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *p = text, *end = n > 0 ? p + n : p;
	size_t at = 0, bytes, need;
	uint32_t c;
	bool shown;

	if (room == 0)
		return (0);
	for (; p < end; p += bytes, at += need) {
		bytes = plain_character(p, (size_t)(end - p), &c);
		shown = bytes > 0 && plain_is_shown(c);
		bytes = bytes > 0 ? bytes : 1;
		need = shown ? bytes : 4 * bytes;
		if (need >= room - at)
			break;
		if (shown) {
			memcpy(to + at, p, bytes);
			continue;
		}
		for (size_t i = 0; i < bytes; i++) {
			to[at + 4 * i] = '\\';
			to[at + 4 * i + 1] = 'x';
			to[at + 4 * i + 2] = digits[p[i] >> 4];
			to[at + 4 * i + 3] = digits[p[i] & 15];
		}
	}
	to[at] = '\0';
	return (at);
}

void
plain_print(FILE *f, const void *text, size_t n)
{
	const char *p = text, *end = n > 0 ? p + n : p;
	char piece[PLAIN_BYTES(200)];
	const char *line;
	size_t k;

	for (; p < end; p += k) {
		if (*p == '\n') {
			putc('\n', f);
			k = 1;
			continue;
		}
		line = memchr(p, '\n', (size_t)(end - p));
		k = line != NULL ? (size_t)(line - p) : (size_t)(end - p);
		if (k > 200) { /* not amid a character */
			for (k = 200; k > 196 && (p[k] & 0xc0) == 0x80; k--)
				;
		}
		plain(piece, sizeof(piece), p, k);
		fputs(piece, f);
	}
}
