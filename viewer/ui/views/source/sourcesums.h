/*
 * What the log tells of the lines of a source file, in the panels' range: how
 * often threads were found there and for how much processor time that stands,
 * and what was called that is declared there.
 */
#ifndef VIEWER_SOURCESUMS_H
#define VIEWER_SOURCESUMS_H

#include "ui/desk/desk.h"

struct source_line {
	uint32_t line;
	uint32_t name; /* that is declared here and ran; 0: none */
	/* samples: found here; here or in what was called from here */
	uint64_t samples, self_ns, within, total_ns;
	uint64_t calls;   /* of what is declared here */
	int64_t calls_ns; /* that they took, of those the outermost */
	int64_t waits_ns; /* of that in waits */
};

struct source_sums {
	struct source_line *lines; /* owned; by line, those that have any */
	size_t n;
	uint32_t last;    /* the last line that the log tells of */
	uint64_t self_ns; /* of all lines */
	uint64_t all_ns;  /* of all samples, wherever */
	uint64_t most_ns; /* of one line, itself */
	int64_t most_calls_ns;
	bool sampled; /* there are samples in the range */
};

/* Samples and their processor time. */
struct source_sum {
	uint64_t n, ns;
};

/*
 * In the panels' range: [0] those without a stack, [i + 1] of stack i, of so
 * many stacks as there are by now; for the caller to free.  NULL: no memory.
 */
struct source_sum *source_by_stack(const struct ui *, uint32_t *stacks);
/*
 * The same file: one is what the other ends with, as a relative name; of two
 * programs they are two.  program NULL or "": of any.
 */
bool source_same(const struct model *, uint32_t name, const char *file,
    const char *program);
/* Of a file; false: no memory.  What was there before is freed. */
bool source_sum(struct ui *, const char *file, const char *program,
    struct source_sums *);
void source_sums_clear(struct source_sums *);
/* NULL: nothing is told of it. */
const struct source_line *source_line_at(const struct source_sums *,
    uint32_t line);

#endif
