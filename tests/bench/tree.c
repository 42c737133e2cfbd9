/*
 * tree [--tasks N] [--shape random|binary|deep|flat] [--frames N]: the radial
 * view while a tree grows to N tasks: what a frame costs with its painting, how
 * fast spawns are taken, how long the inquiry for a pixel takes.  With --cap,
 * what is held of N tasks that end.  With a log, how long it takes to load and
 * show it.  Lines of TSV: name, value, unit,
 * reference, reference value, ratio.
 */
#include "tests/bench/tree.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

#include "model/keep/memory.h"

static const char *const shape_name[SHAPES] = { "random", "binary", "deep",
	"flat" };

struct tree_option option = { .redraws = 9 };

static uint64_t seed = 1;

uint32_t
random_below(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((uint32_t)(seed >> 33) % n);
}

double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return ((double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6);
}

void
line(const char *what, const char *shape, uint32_t tasks, double value,
    const char *unit, double ref)
{
	printf("tree %s %s %.0e\t%.4g\t%s\tgoal\t%.4g\t%.3g\n", what, shape,
	    (double)tasks, value, unit, ref, value / ref);
	fflush(stdout);
}

static _Noreturn void
usage(int code)
{
	fprintf(code == 0 ? stdout : stderr,
	    "usage: tree [--tasks N] [--frames N] [--again N] [--actions] [--fit]\n"
	    "            [--shape random|binary|deep|flat]\n"
	    "            [--form polygons|sunburst|icicle] "
	    "[--picture FILE.png] [run.orr]\n"
	    "       tree --cap MB [--tasks N]\n");
	exit(code);
}

static enum radial_form
form_of(const char *name)
{
	unsigned form = 0;

	while (form < RADIAL_FORMS && strcmp(name, radial_form_name[form]) != 0)
		form++;
	return ((enum radial_form)form);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "tasks", required_argument, NULL, 't' },
		{ "frames", required_argument, NULL, 'f' },
		{ "shape", required_argument, NULL, 's' },
		{ "picture", required_argument, NULL, 'p' },
		{ "form", required_argument, NULL, 'F' },
		{ "actions", no_argument, NULL, 'A' },
		{ "fit", no_argument, NULL, 'i' },
		{ "again", required_argument, NULL, 'a' },
		{ "cap", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	double tasks = 1e6, frames = 100, cap = 0;
	const char *only = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		switch (c) {
		case 't':
			tasks = strtod(optarg, NULL);
			break;
		case 'f':
			frames = strtod(optarg, NULL);
			break;
		case 's':
			only = optarg;
			break;
		case 'p':
			option.picture = optarg;
			break;
		case 'A':
			option.actions = true;
			break;
		case 'i':
			option.fit = true;
			break;
		case 'a':
			option.redraws = atoi(optarg);
			break;
		case 'c':
			cap = strtod(optarg, NULL);
			break;
		case 'F':
			option.form = form_of(optarg);
			if (option.form == RADIAL_FORMS)
				usage(EX_USAGE);
			break;
		default:
			usage(c == 'h' ? 0 : EX_USAGE);
		}
	if (optind + 1 == argc) {
		bench_log(argv[optind]);
		return (0);
	}
	memory_region(); /* as in the viewer; else the heap serves */
	if (optind < argc || !(tasks >= 1 && tasks <= 1e9) ||
	    !(frames >= 1 && frames <= 1e6))
		usage(EX_USAGE);
	if (cap > 0) {
		bench_cap(tasks, cap * 1048576);
		return (0);
	}
	for (int i = 0; i < SHAPES; i++)
		if (only == NULL || strcmp(only, shape_name[i]) == 0)
			bench_grow((enum shape)i, shape_name[i],
			    (uint32_t)tasks, (int)frames);
	return (0);
}
