/*
 * The region of an image in parts, each with a checksum of its own, so that two
 * processors can write and check it.
 */
#ifndef VIEWER_PARTS_H
#define VIEWER_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PARTS_MAX 960

struct parts {
	uint32_t n, crc[PARTS_MAX];
};

/* Writes it to the file from `offset` on.  -1: errno. */
int parts_write(int fd, size_t offset, const char *base, size_t bytes,
    struct parts *);
/*
 * Whether it is what was written.  base is mapped from a file: its pages are
 * brought in on the way, 0.1 ns a byte when the kernel has them.
 */
bool parts_good(const char *base, size_t bytes, const struct parts *);

#endif
