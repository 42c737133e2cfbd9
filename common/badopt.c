/*
 * One sentence about an option, the same in all programs: it is unknown, lacks
 * its value, has one too many, or one that is no text.
 */
#include "badopt.h"

#include <getopt.h>
#include <stdbool.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "plain.h"

#define SHOWN_BYTES 1024

int
badopt(const char *command, char **argv)
{
	const char *word = argv[optind - 1], *now = argv[optind];
	const char short_one[] = { '-', (char)optopt, '\0' };
	bool known = optopt != 0 && strncmp(word, "--", 2) == 0;

	/* of several letters behind one dash more are to come */
	if (optopt != 0 && now != NULL && now[0] == '-' && now[1] != '-' &&
	    strchr(now, optopt) != NULL) {
		word = short_one;
		known = false;
	}
	log_warnx("%s %s; see %s --help", word,
	    !known                      ? "is no option here"
	    : strchr(word, '=') != NULL ? "takes no value"
					: "wants a value",
	    command);
	return (EX_USAGE);
}

static bool
is_shown(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;
	uint32_t c;
	size_t k;

	for (; n > 0; p += k, n -= k) {
		k = plain_character(p, n, &c);
		if (k == 0 || !plain_is_shown(c))
			return (false);
	}
	return (true);
}

int
badopt_text(const char *option, const char *value, size_t bytes_max)
{
	char shown[SHOWN_BYTES];
	size_t n = strlen(value);

	if (n > bytes_max)
		log_warnx("%s: expected at most %zu bytes", option, bytes_max);
	else if (n == 0)
		log_warnx("%s \"\": expected a name or path", option);
	else if (!is_shown(value, n)) {
		plain(shown, sizeof(shown), value, n);
		log_warnx("%s %s: expected UTF-8 text", option, shown);
	} else
		return (0);
	return (-1);
}
