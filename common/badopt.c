/*
 * One sentence about an option, the same in all programs: it is unknown, lacks
 * its value, or has one too many.
 */
#include "badopt.h"

#include <getopt.h>
#include <stdbool.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"

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
