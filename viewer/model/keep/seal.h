/*
 * A seal: who does not know the secret cannot make one.  SipHash-2-4 by
 * Aumasson and Bernstein, 64 bits.
 */
#ifndef VIEWER_SEAL_H
#define VIEWER_SEAL_H

#include <stddef.h>
#include <stdint.h>

#define SEAL_SECRET_BYTES 16

uint64_t seal(const uint8_t secret[SEAL_SECRET_BYTES], const void *, size_t);

#endif
