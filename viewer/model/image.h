/*
 * A model kept in a file: what took long to read from a finished log is there
 * at once the next time.  It is the region of memory.h as it lies, so it
 * serves only the program that wrote it, and is made anew by any other.
 *
 * Left out are the single changes of lanes (lodstore.h), most of a model: they
 * are read from the log again where somebody looks (detail.h).
 */
#ifndef VIEWER_IMAGE_H
#define VIEWER_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/keep/seal.h"

struct model;

/*
 * The log that it is of, and what its writer and its readers know and nobody
 * else: pointers that somebody else has made up would be followed anywhere.
 */
struct image_key {
	uint8_t run[16];
	uint64_t log_bytes;
	uint32_t tail_crc; /* of its last bytes */
	uint32_t zero;
	uint8_t secret[SEAL_SECRET_BYTES]; /* not in the file */
};

/*
 * Writes it, to another name first.  The model must be finished, have come from
 * the region and be the only one in it; readers do no harm.  -1: errno.
 */
int image_write(struct model *, const char *path, const struct image_key *);
/*
 * The model of such a file, or NULL: there is none, it is of another log, by
 * another program or without the secret, or is damaged.  The region must be
 * empty, and is used up. Some ms, and 0.1 ns a byte.
 */
struct model *image_read(const char *path, const struct image_key *);
/* There is one that will do, unless it is damaged; its head is looked at. */
bool image_there(const char *path, const struct image_key *);

#endif
