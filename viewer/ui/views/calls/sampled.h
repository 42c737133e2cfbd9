/*
 * Samples of a range, added up by function: how much processor time threads
 * were found there for, by itself and with what it called.
 */
#ifndef VIEWER_SAMPLED_H
#define VIEWER_SAMPLED_H

#include "ui/desk/desk.h"

struct sampled_row {
	const char *function; /* not ended by 0: function_bytes */
	size_t function_bytes;
	const char *code; /* its file of code, code_bytes; 0: none */
	size_t code_bytes;
	const char *program;
	uint32_t name; /* of the first place that was seen */
	uint64_t samples, self_ns, within, total_ns;
	uint32_t last;
};

struct sampled {
	struct sampled_row *rows; /* most self time first */
	size_t n;
	uint64_t samples, nowhere, cpu_ns;
};

/* Of the samples in t0 <= t < t1.  Borrows names of the model. */
void sampled_sum(const struct model *, int64_t t0, int64_t t1,
    struct sampled *);
void sampled_free(struct sampled *);
/* "work_a", "[libm.so.6]" where nothing is known of it. */
const char *sampled_name(const struct sampled_row *, char *buf, size_t n);

#endif
