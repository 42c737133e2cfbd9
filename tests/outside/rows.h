/*
 * The lines of `monitorctl dump --raw`, one after another.
 */
#ifndef TESTS_OUTSIDE_ROWS_H
#define TESTS_OUTSIDE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the column "flags" may say; orrery-log(5). */
#define ROW_LATE   1u
#define ROW_ORPHAN 2u

struct row {
	int64_t t_mon_ns, t_node_ns;
	uint64_t location, seq, flags, shift_ns, a, b, c;
	char kind[32];
};

struct rows;

/* Of a descriptor, from the headline on. */
struct rows *rows_new(int fd);
void rows_free(struct rows *);
/* False: that was all, or what came is no such line; see rows_wrong(). */
bool rows_next(struct rows *, struct row *);
/* The last line was "cut": there was more, and it has not come. */
bool rows_cut(const struct rows *);
/* NULL, or what was wrong where. */
const char *rows_wrong(const struct rows *);

#endif
