/*
 * Everything that a crash can leave of a log or a spool, and whether what was
 * promised is still there.
 *
 *	crashimage [--images N] [--seed S] [--flips all|N|0]
 *
 * The production code of store and spool writes to a disk that remembers
 * (crash_disk.c).  From what it remembers the states are made that a crash at
 * any moment may leave; the production code recovers each, goes on, and
 * everything is compared with what had been acknowledged.  Then bits of a
 * finished log are flipped, one at a time: the reader must see each, and give
 * all other frames.
 */
#include <err.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "tests/sim/crashimage.h"

#define LOG_IMAGES   256 /* of one recording */
#define SPOOL_IMAGES 128
#define FLIPS_STRIDE 977

uint64_t
crash_word(uint64_t a, uint64_t b)
{
	struct chance c = { a * 0x9e3779b97f4a7c15u ^ b };

	return (chance_next(&c));
}

/* What the daemons say of disks that fail is expected here. */
static FILE *told;

static void
quiet(void)
{
	int fd = dup(STDERR_FILENO);

	told = fd == -1 ? NULL : fdopen(fd, "w");
	if (told == NULL || freopen("/dev/null", "w", stderr) == NULL)
		errx(71, "cannot open /dev/null");
	setvbuf(told, NULL, _IOLBF, 0);
}

void
tally_wrong(struct tally *t, uint64_t *count, const char *what, uint64_t seed,
    const struct crash *crash)
{
	++*count;
	if (t->said)
		return;
	t->said = true;
	fprintf(told, "crashimage: %s (seed %" PRIu64, what, seed);
	if (crash != NULL)
		fprintf(told, "; crash kind %d at %zu, keep %zu, tear %zu",
		    (int)crash->kind, crash->at, crash->keep, crash->tear);
	fprintf(told, ")\n");
}

struct crash
crash_pick(const struct crash_disk *d, uint64_t number, uint64_t images,
    bool kill_only, struct chance *c)
{
	size_t ops = crash_disk_ops(d), open;
	struct crash crash = { .kind = CRASH_KILL };

	/* every place comes up if there are images enough */
	crash.at = (size_t)(number * 7919 % (ops + 1));
	if (images >= ops && number < ops)
		crash.at = (size_t)number;
	crash.tear = (size_t)chance_below(c, 1u << chance_below(c, 13));
	if (kill_only || number % 8 == 0)
		return (crash);
	open = crash_disk_open(d, crash.at);
	if (number % 8 < 4) {
		crash.kind = CRASH_PREFIX;
		crash.keep = (size_t)chance_below(c, open + 1);
		crash.tear = (size_t)chance_below(c, 8);
		return (crash);
	}
	crash.kind = CRASH_RANDOM;
	return (crash);
}

static void
usage(void)
{
	errx(64, "usage: crashimage [--images N] [--seed S] [--flips all|0|N]"
		 " (N: each N-th bit)");
}

static uint64_t
number(const char *s)
{
	char *end;
	uint64_t n = strtoull(s, &end, 10);

	if (*s == '\0' || *end != '\0')
		usage();
	return (n);
}

int
main(int argc, char *argv[])
{
	static const struct option options[] = {
		{ "images", required_argument, NULL, 'i' },
		{ "seed", required_argument, NULL, 's' },
		{ "flips", required_argument, NULL, 'f' },
		{ NULL, 0, NULL, 0 },
	};
	uint64_t images = 4000, seed = 1, stride = FLIPS_STRIDE;
	struct tally t = { 0 };
	int ch;

	while ((ch = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (ch == 'i')
			images = number(optarg);
		else if (ch == 's')
			seed = number(optarg);
		else if (ch == 'f')
			stride =
			    strcmp(optarg, "all") == 0 ? 1 : number(optarg);
		else
			usage();
	}
	log_init("crashimage", -1);
	quiet();
	for (uint64_t s = seed; t.images < images; s++) {
		uint64_t left = images - t.images;

		if (s % 2 == 0)
			crash_spool(s,
			    left < SPOOL_IMAGES ? left : SPOOL_IMAGES, &t);
		else
			crash_log(s, left < LOG_IMAGES ? left : LOG_IMAGES, &t);
	}
	if (stride > 0)
		crash_flips(seed, (unsigned)stride, &t);
	printf("images=%" PRIu64 " recovered=%" PRIu64 " acknowledged=%" PRIu64
	       " acknowledged_lost=%" PRIu64 " invented=%" PRIu64
	       " twice_crashed=%" PRIu64 " flips=%" PRIu64
	       " flips_unseen=%" PRIu64 " frames_not_salvaged=%" PRIu64 "\n",
	    t.images, t.recovered, t.checked, t.lost, t.invented, t.again,
	    t.flips, t.unseen, t.unsalvaged);
	return (t.recovered == t.images && t.lost == 0 && t.invented == 0 &&
			t.unseen == 0 && t.unsalvaged == 0
		    ? 0
		    : 1);
}
