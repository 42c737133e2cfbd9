/*
 * What the kernel knows of a stream: by what both of its ends know it, and
 * where it stands.  Each asks the kernel; 0 or false: that cannot be known.
 */
#ifndef LIBPROBE_AUTO_STREAM_KEY_H
#define LIBPROBE_AUTO_STREAM_KEY_H

#include <stdbool.h>
#include <stdint.h>

#define STREAM_KEY_LATER                                                       \
	UINT64_C(2) /* it is not connected yet, at both ends                   \
		     */

/* Odd, but for these two.  writes: this end writes there. */
uint64_t stream_key_pipe(int fd);
uint64_t stream_key_internet(int fd, bool writes);
uint64_t stream_key_unix(int fd, bool writes);

/* Of TCP: which connection of those that had the same addresses. */
uint64_t stream_key_cookie(int fd);
/* Of TCP: bytes that the program has written, or has read. */
bool stream_key_position(int fd, bool writes, uint64_t *at);

#endif
