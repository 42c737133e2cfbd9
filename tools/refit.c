/*
 * monitorctl refit: the clocks of a finished run, fitted again.
 */
#include <getopt.h>
#include <sysexits.h>

#include "monitorctl.h"
#include "tools/logs/argument.h"
#include "tools/refit/refit_file.h"

int
refit_run(const struct globals *g, int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "pings-only", no_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *out = NULL;
	bool pings_only = false;
	int c;

	(void)g;
	while ((c = getopt_long(argc, argv, "ho:", options, NULL)) != -1)
		switch (c) {
		case 'o':
			out = optarg;
			if (text_arg("refit: --output", out) == -1)
				return (EX_USAGE);
			break;
		case 'p':
			pings_only = true;
			break;
		default:
			return (option_of("refit", c, argv));
		}
	if (argc - optind != 1)
		return (usage_of("refit", false));
	return (refit_file(argv[optind], out, pings_only));
}
