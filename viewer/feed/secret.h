/*
 * What only this user knows: images in the cache are sealed with it, so that
 * one which came from elsewhere is not believed, whatever its checksums say.
 */
#ifndef VIEWER_SECRET_H
#define VIEWER_SECRET_H

#include <stdbool.h>
#include <stdint.h>

#include "model/keep/seal.h"

/*
 * Of the directory, in a file `secret` of mode 0600; make: if there is none.
 * -1 with errno: there is none, or others can read it, or it is no such file.
 */
int secret_of(const char *dir, bool make, uint8_t secret[SEAL_SECRET_BYTES]);

#endif
