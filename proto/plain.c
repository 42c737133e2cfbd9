/*
 * Which characters a terminal only shows.
 */
#include "plain.h"

#include <string.h>

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
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t bytes;

	if (p[0] < 0x80) {
		*c = p[0];
		return (1);
	}
	bytes = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (p[0] < 0xc2 || p[0] > 0xf4 || bytes > n)
		return (0);
	*c = p[0] & (0x7fu >> bytes);
	for (size_t i = 1; i < bytes; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return (0);
		*c = *c << 6 | (p[i] & 0x3f);
	}
	if (*c < least[bytes] || *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000))
		return (0);
	return (bytes);
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
