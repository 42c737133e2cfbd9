/*
 * What a machine must have, in words instead of strange errors later on: a
 * process's addresses and the counters that it shares with others are 64 bits,
 * and the C library has to have close_range(2).
 */
#ifndef PROTO_NEEDS_H
#define PROTO_NEEDS_H

#include <limits.h>
#include <stdint.h>

#if UINTPTR_MAX < UINT64_MAX
#error "orrery needs a 64-bit machine"
#endif
#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 34)
#error "orrery needs glibc 2.34 or newer (Debian 12, Ubuntu 22.04)"
#endif

#endif
