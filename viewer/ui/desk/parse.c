/* Times and numbers as users write them. */
#include "ui/desk/parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEMORY_MIN (32 << 20) /* less would be of no use */

static const struct {
	const char *unit;
	double ns;
} units[] = { { "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 },
	{ "µs", 1e3 }, { "ns", 1 } };

int
parse_time(const char *s, int64_t *ns)
{
	char *end;
	double v;

	while (isspace((unsigned char)*s))
		s++;
	if (!isdigit((unsigned char)*s) && *s != '.' && *s != '-')
		return (-1);
	v = strtod(s, &end);
	while (*end == ' ')
		end++;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit) != 0)
			continue;
		v *= units[i].ns;
		if (!(fabs(v) < 9e17))
			return (-1);
		*ns = llround(v);
		return (0);
	}
	return (-1);
}

int
parse_range(const char *s, int64_t *t0, int64_t *t1)
{
	char first[64];
	const char *sep = strchr(s, ':'), *rest;
	size_t n;

	rest = sep != NULL ? sep + 1 : NULL;
	if (sep == NULL && (sep = strstr(s, "..")) != NULL)
		rest = sep + 2;
	if (sep == NULL || (n = (size_t)(sep - s)) >= sizeof(first))
		return (-1);
	memcpy(first, s, n);
	first[n] = '\0';
	while (n > 0 && first[n - 1] == ' ')
		first[--n] = '\0';
	if (parse_time(first, t0) == -1 || parse_time(rest, t1) == -1 ||
	    *t1 <= *t0)
		return (-1);
	return (0);
}

int
parse_number(const char *s, uint64_t *v)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return (-1);
	errno = 0;
	*v = strtoull(s, &end, 0);
	return (errno != 0 || *end != '\0' ? -1 : 0);
}

int
parse_memory(const char *s, uint64_t *bytes)
{
	static const struct {
		const char *unit;
		int shift;
	} sizes[] = { { "k", 10 }, { "K", 10 }, { "M", 20 }, { "G", 30 },
		{ "T", 40 } };
	char *end;
	double v;

	if (!isdigit((unsigned char)*s))
		return (-1);
	v = strtod(s, &end);
	if (strcmp(end, "%") == 0) {
		if (!(v > 0 && v <= 100))
			return (-1);
		*bytes = (uint64_t)((double)sysconf(_SC_PHYS_PAGES) *
				    (double)sysconf(_SC_PAGESIZE) / 100 * v);
		return (0);
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (strcmp(end, sizes[i].unit) != 0)
			continue;
		v = ldexp(v, sizes[i].shift);
		if (!(v >= MEMORY_MIN && v < 1e18))
			return (-1);
		*bytes = (uint64_t)v;
		return (0);
	}
	return (-1);
}

int
parse_size(const char *s, int32_t *width, int32_t *height)
{
	int w, h;
	char rest;

	if (sscanf(s, "%5dx%5d%c", &w, &h, &rest) != 2 || w < 64 || h < 64 ||
	    w > 16384 || h > 16384)
		return (-1);
	*width = w;
	*height = h;
	return (0);
}

int
parse_scale(const char *s, int *scale_q)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || *end != '\0' || !(v >= 1 && v <= 8))
		return (-1);
	*scale_q = (int)(v * 4 + 0.5) * 4;
	return (0);
}

bool
parse_word(const char **at, char *buf, size_t n)
{
	size_t len;

	*at += strspn(*at, " \t");
	len = strcspn(*at, " \t");
	if (len == 0 || len >= n)
		return (false);
	memcpy(buf, *at, len);
	buf[len] = '\0';
	*at += len;
	*at += strspn(*at, " \t");
	return (true);
}

bool
parse_text_ok(const char *s)
{
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	uint32_t c;
	int more;

	while (*p != '\0') {
		more = *p < 0x80 ? 0 : *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
		if ((*p >= 0x80 && *p < 0xc0) || *p >= 0xf8)
			return (false);
		c = more == 0 ? *p : *p & (0x3fu >> more);
		p++;
		for (int i = 0; i < more; i++, p++) {
			if ((*p & 0xc0) != 0x80)
				return (false);
			c = c << 6 | (*p & 0x3f);
		}
		if (c < least[more] || c > 0x10ffff ||
		    (c >= 0xd800 && c < 0xe000) || (c < 0x20 && c != '\t') ||
		    (c >= 0x7f && c < 0xa0))
			return (false);
	}
	return (true);
}

bool
parse_key_ok(const char *key)
{
	static const char *const names[] = { "Up", "Down", "Left", "Right",
		"Home", "End", "Page_Up", "Page_Down", "Return", "BackSpace",
		"Delete", "Insert", "Tab", "Escape", "space", "KP_Enter",
		"plus", "minus" };
	static const char *const with[] = { "ctrl+", "shift+", "alt+" };
	unsigned f;

	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++)
		if (strncmp(key, with[i], strlen(with[i])) == 0 &&
		    key[strlen(with[i])] != '\0')
			return (parse_key_ok(key + strlen(with[i])));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(key, names[i]) == 0)
			return (true);
	return (strlen(key) == 1 ||
		(sscanf(key, "F%2u", &f) == 1 && f >= 1 && f <= 35));
}
