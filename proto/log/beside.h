/*
 * A new file beside another: written there, then put in its place.
 *
 * The directory may be one that others can write to.  Nobody can know the name
 * beforehand, a link that stands there is not followed, and a file that stands
 * there is not opened; what is in the other's place is replaced, never written
 * to.
 */
#ifndef PROTO_BESIDE_H
#define PROTO_BESIDE_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BESIDE_BYTES 4200

/* "PATH.0123456789abcdef.new"; -1 with ENAMETOOLONG. */
int beside_name(char name[BESIDE_BYTES], const char *path, uint64_t random);
/* Whether a name in a directory was made so for this name. */
bool beside_is_of(const char *name, const char *of);

/* Opens a new file for writing, mode as for open(2).  -1 with errno. */
int beside_open(const char *path, mode_t mode, char name[BESIDE_BYTES]);
/*
 * Brings the file to the disk and gives it the name of path.  -1 with errno,
 * and it is gone.  Closing it is left to whoever opened it.
 */
int beside_replace(int fd, const char *name, const char *path);

#endif
